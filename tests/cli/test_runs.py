"""Real small runs on the shared Ray session."""

import json

import pyarrow.parquet as pq
import pytest

from pipeline.deals import DealRange
from pipeline.shard_table import shard_name
from pipeline.store import RunStore

POISON = 7_000_000_005  # see the fixture ray_session
RUN = ("run", "black-hole", "1..45", "--limit", 300, "--shard-size", 10)

pytestmark = pytest.mark.usefixtures("ray_session")


def rows(run):
    tables = [pq.read_table(file).to_pylist() for file in sorted((run / "shards").iterdir())]
    return [row for table in tables for row in table]


def test_a_run_holds_what_the_solver_says(dealsweep, tmp_path):
    import solver

    run = tmp_path / "run"
    done = dealsweep(*RUN, "--out", run)
    assert done.code == 0
    found = rows(run)
    told = solver.solve_range("black-hole", 1, 45, limit=300)
    assert [row["deal"] for row in found] == list(range(1, 46))
    for name in ("verdict", "iterations", "generated"):
        assert [row[name] for row in found] == told[name].tolist()
    assert [row["reason"] for row in found] == told["reason"].tolist()
    assert {row["solution"] for row in found} == {None}
    assert "running: black-hole 1..45: 45 deals in 5 shards" in done.err
    assert "win rate" in done.out and "std dev" in done.out


def test_files_depend_on_the_configuration_alone(dealsweep, tmp_path, tree):
    one, other = tmp_path / "one", tmp_path / "other"
    assert dealsweep(*RUN, "--out", one).code == 0
    assert dealsweep(*RUN, "--out", other, "--workers", 1).code == 0
    assert tree(one) == tree(other)
    # Running again changes nothing; neither does resuming.
    assert dealsweep(*RUN, "--out", one).code == 0
    assert dealsweep("resume", one).code == 0
    assert tree(one) == tree(other)
    # What is missing or broken comes back the same.
    first, second, *_ = sorted((one / "shards").iterdir())
    first.unlink()
    second.write_bytes(b"PAR1 not really PAR1")
    done = dealsweep("resume", one)
    assert done.code == 0
    assert f"broken: shards/{second.name}" in done.err
    files = tree(one)
    assert files.pop(f"quarantine/{second.name}.0") == b"PAR1 not really PAR1"
    assert files == tree(other)


def test_a_longer_range_reuses_what_is_done(dealsweep, tmp_path, tree):
    run = tmp_path / "run"
    dealsweep(*RUN, "--out", run)
    before = tree(run)
    done = dealsweep("run", "black-hole", "1..80", "--limit", 300, "--out", run)
    assert done.code == 0
    after = tree(run)
    assert before.items() <= after.items()
    assert [row["deal"] for row in rows(run)] == list(range(1, 81))
    value = json.loads(dealsweep("status", run, "--format", "json").out)
    assert value["range"] == "1..80"
    assert value["deals"]["missing"] == 0


def test_solutions_replay(dealsweep, tmp_path):
    import solver

    run = tmp_path / "run"
    assert dealsweep("run", "black-hole", "1..45", "--limit", 2000, "--solutions", "--out", run).code == 0
    lines = 0
    for row in rows(run):
        assert (row["solution"] is not None) == (row["verdict"] == "solved")
        if row["solution"] is not None:
            lines += 1
            assert solver.replay("black-hole", solver.deal("black-hole", row["deal"]), row["solution"])
    assert lines > 0


def test_json_progress_is_json_alone(dealsweep, tmp_path):
    done = dealsweep(*RUN, "--out", tmp_path / "run", "--progress", "json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert done.err == ""
    assert [event["event"] for event in events] == ["running", *["shard"] * 5, "summary"]
    assert sum(sum(event["verdicts"].values()) for event in events[1:-1]) == 45
    assert events[-1]["complete"] is True


def test_no_progress_leaves_the_summary(dealsweep, tmp_path):
    done = dealsweep(*RUN, "--out", tmp_path / "run", "--progress", "none")
    assert done.err == ""
    assert "win rate" in done.out


def test_a_deal_that_kills_its_worker_is_a_failure(dealsweep, tmp_path, tree):
    run = tmp_path / "run"
    asked = DealRange(POISON - 3, POISON + 4)
    words = ("run", "black-hole", asked, "--limit", 50, "--shard-size", 4, "--out", run)
    done = dealsweep(*words)
    assert done.code == 3
    assert f"failed: deal {POISON}" in done.err
    found = {row["deal"] for row in rows(run)}
    assert found == set(range(asked.first, asked.last + 1)) - {POISON}
    value = json.loads(dealsweep("status", run, "--format", "json").out)
    assert value["failures"][0]["deal"] == POISON
    assert value["deals"] == {"asked": 8, "done": 7, "failed": 1, "missing": 0}
    # It is not tried again by itself.
    before = tree(run)
    done = dealsweep("resume", run)
    assert done.code == 3
    assert tree(run) == before


def test_failed_deals_are_tried_again_on_request(dealsweep, tmp_path):
    run = tmp_path / "run"
    assert dealsweep(*RUN, "--out", run).code == 0
    expected = rows(run)
    store = RunStore.open(run)
    for deals in list(store.scan().shards)[1:3]:
        (run / shard_name(deals)).unlink()
        for deal in range(deals.first, deals.last + 1):
            store.record_failure(deal, "its worker died 3 times")
    assert dealsweep("resume", run).code == 3
    assert dealsweep("resume", run, "--retry-failed").code == 0
    assert rows(run) == expected
    assert store.folder.list("failures") == []


def test_the_python_face(tmp_path):
    import pipeline

    summary = pipeline.run("black-hole", "1..25", tmp_path / "run", limit=100, shard_size=10)
    assert summary.exit_code == 0
    assert pipeline.status(tmp_path / "run").tallies == summary.tallies
    assert pipeline.resume(tmp_path / "run").deals_done == 25
    assert pipeline.verify(tmp_path / "run").shards_done == 3
