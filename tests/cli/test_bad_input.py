"""Every kind of bad input: one line on standard error, the right exit code, nothing lost."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.shard import Session
from pipeline.store import RunStore


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """A small complete run, made without Ray."""
    location = tmp_path_factory.mktemp("runs") / "done"
    config = RunConfig.resolve("black-hole", limit=50)
    store = RunStore.open_or_create(location, RunRecord(config, DealRange(1, 20), 10))
    for deals in (DealRange(1, 10), DealRange(11, 20)):
        shard = Session(config).solve(deals)
        store.commit(shard.footer, shard.to_bytes())
    return location


@pytest.fixture
def run(finished_run, tmp_path):
    return shutil.copytree(finished_run, tmp_path / "run")


def one_line(text):
    assert "Traceback" not in text
    assert len(text.strip().splitlines()) == 1, text
    return True


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["klondike", "1..5"], "unknown game"),
        (["black-hole", "5..1"], "backwards"),
        (["black-hole", "0..5"], "start at 1"),
        (["black-hole", "-3..5"], "-3"),
        (["black-hole", "1..18446744073709551616"], "2^64-1"),
        (["black-hole", "one"], "not a range"),
        (["black-hole", ""], "not a range"),
        (["black-hole", "1..5", "--limit", "0"], "limit"),
        (["black-hole", "1..5", "--limit", "-7"], "limit"),
        (["black-hole", "1..5", "--limit", "many"], "--limit"),
        (["black-hole", "1..5", "--memory-cap", "lots"], "not a size"),
        (["black-hole", "1..5", "--search", "reference", "--memory-cap", "5GiB"], "at most 4 GiB"),
        (["black-hole", "1..5", "--rules", "nonsense"], "nonsense"),
        (["black-hole", "1..5", "--rule", "nonsense"], "nonsense"),
        (["black-hole", "1..5", "--rule", "nonsense=1"], "nonsense"),
        (["black-hole", "1..5", "--search", "nonsense"], "nonsense"),
        (["black-hole", "1..5", "--prune", "nonsense"], "nonsense"),
        (["black-hole", "1..5", "--shard-size", "0"], "shard size"),
        (["black-hole", "1..5", "--workers", "0"], "workers"),
        (["black-hole", "1..5", "--progress", "loud"], "loud"),
        (["black-hole", "1..5", "--frobnicate"], "frobnicate"),
        (["black-hole"], "Missing argument"),
    ],
)
def test_usage_errors(dealsweep, tmp_path, words, says):
    done = dealsweep("run", *words, "--out", tmp_path / "run")
    assert done.code == 2
    assert one_line(done.err)
    assert says in done.err
    assert done.out == ""
    assert not (tmp_path / "run").exists()


def test_no_place_and_no_command(dealsweep):
    assert dealsweep("run", "black-hole", "1..5").code == 2
    assert dealsweep("frobnicate").code == 2
    assert dealsweep().code == 0


@pytest.mark.parametrize("command", ["status", "resume", "verify"])
def test_places_without_a_run(dealsweep, tmp_path, command):
    for place in (tmp_path, tmp_path / "nothing"):
        done = dealsweep(command, place)
        assert done.code == 1
        assert one_line(done.err)
        assert "holds no run" in done.err
        assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(dealsweep, tmp_path):
    (tmp_path / "file").write_text("mine")
    done = dealsweep("run", "black-hole", "1..5", "--out", tmp_path / "file" / "run")
    assert done.code == 1
    assert one_line(done.err)
    assert (tmp_path / "file").read_text() == "mine"
    done = dealsweep("run", "black-hole", "1..5", "--out", "/proc/nothing/here")
    assert done.code == 1
    assert one_line(done.err)


def test_a_store_of_no_kind(dealsweep):
    done = dealsweep("run", "black-hole", "1..5", "--out", "ftp://host/run")
    assert done.code == 1
    assert one_line(done.err)


def test_another_run_is_refused_with_the_difference(dealsweep, run, tree):
    before = tree(run)
    done = dealsweep("run", "black-hole", "1..20", "--limit", 60, "--out", run)
    assert done.code == 1
    assert one_line(done.err)
    assert "limit: 60 here, 50 there" in done.err
    assert tree(run) == before


def test_a_damaged_record(dealsweep, run, tree):
    (run / "run.json").write_bytes((run / "run.json").read_bytes()[:100])
    before = tree(run)
    for words in (
        ["resume", run],
        ["status", run],
        ["verify", run],
        ["run", "black-hole", "1..20", "--limit", 50, "--out", run],
    ):
        done = dealsweep(*words)
        assert done.code == 1
        assert one_line(done.err)
        assert "run.json is damaged" in done.err
    assert tree(run) == before


def test_more_than_the_disk_holds(dealsweep, tmp_path):
    done = dealsweep("run", "black-hole", "1..18446744073709551615", "--out", tmp_path / "run")
    assert done.code == 1
    assert one_line(done.err)
    assert "GB free" in done.err


def test_another_driver_holds_the_run(dealsweep, run, tree):
    script = (
        "import sys, time; from pipeline import lock; from pipeline.store import RunStore\n"
        "store = RunStore.open(sys.argv[1])\n"
        "with lock.hold(store.folder, store.check_writable()): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", script, str(run)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"held\n"
        for command in ("resume", "verify"):
            done = dealsweep(command, run)
            assert done.code == 11
            assert one_line(done.err)
            assert f"process {holder.pid}" in done.err
        assert dealsweep("status", run).code == 0
    finally:
        holder.kill()
        holder.wait()
    # A lock whose driver was killed holds nobody up, and is gone afterwards.
    done = dealsweep("resume", run)
    assert done.code == 0
    assert not any(name.startswith("locks") for name in tree(run))


def test_a_lock_of_another_machine_is_believed_while_it_is_fresh(dealsweep, run):
    (run / "locks").mkdir()
    file = run / "locks" / "00000007.json"
    file.write_text(json.dumps({"pid": 5, "host": "elsewhere", "machine": "x", "started": "1"}))
    done = dealsweep("resume", run)
    assert (done.code, "elsewhere" in done.err) == (11, True)
    os.utime(file, (1e9, 1e9))
    assert dealsweep("resume", run).code == 0
    assert not file.exists()


def test_status(dealsweep, run):
    done = dealsweep("status", run, "--format", "json")
    assert (done.code, done.err) == (0, "")
    value = json.loads(done.out)
    assert value["range"] == "1..20"
    assert value["deals"] == {"asked": 20, "done": 20, "failed": 0, "missing": 0}
    assert value["shards"] == {"size": 10, "done": 2, "missing": 0, "broken": 0}
    assert value["config"]["settings"]["limit"] == 50
    assert sum(verdict["deals"] for verdict in value["verdicts"].values()) == 20
    assert "20 done" in dealsweep("status", run).out
    assert dealsweep("status", run, "--format", "xml").code == 2


def test_status_of_an_incomplete_run_changes_nothing(dealsweep, run, tree):
    shard = sorted((run / "shards").iterdir())[0]
    shard.write_bytes(shard.read_bytes()[:-100])
    before = tree(run)
    done = dealsweep("status", run, "--format", "json")
    assert done.code == 4
    assert f"dealsweep resume {run}" in done.err
    value = json.loads(done.out)
    assert value["missing"] == [[1, 10]]
    assert value["broken"][0]["name"] == f"shards/{shard.name}"
    assert tree(run) == before


def test_verify(dealsweep, run, tree):
    before = tree(run)
    done = dealsweep("verify", run)
    assert done.code == 0
    assert "2 shards verified, 0 broken" in done.out
    assert tree(run) == before
    shard = sorted((run / "shards").iterdir())[1]
    data = bytearray(shard.read_bytes())
    data[60] ^= 0xFF
    shard.write_bytes(data)
    done = dealsweep("verify", run)
    assert done.code == 4
    assert "1 broken" in done.out
    assert f"shards/{shard.name}" in done.err
    assert (run / "quarantine" / f"{shard.name}.0").read_bytes() == data
    assert not shard.exists()
