"""Whatever is killed, resuming gives the files of an undisturbed run, byte for byte."""

import os
import signal
import time

import pytest
from small_run import WORDS

pytestmark = [pytest.mark.timeout(600), pytest.mark.usefixtures("ray_session")]


def test_a_worker_and_then_the_driver_are_killed(drive, dealsweep, undisturbed, tmp_path, tree):
    run = tmp_path / "run"
    driver = drive("run", *WORDS, "--out", run)
    worker = int(driver.wait_for("shard")["node"].rpartition(":")[2])
    os.kill(worker, signal.SIGKILL)
    driver.wait_for("shard", times=6)
    os.kill(driver.process.pid, signal.SIGKILL)
    driver.process.wait()
    done = dealsweep("status", run)
    assert done.code == 4
    assert " 0 broken" in done.out
    kept = tree(run)
    done = dealsweep("resume", run)
    assert done.code == 0
    assert tree(run) == undisturbed
    assert all(undisturbed[name] == data for name, data in kept.items() if name.startswith("shards/"))


def test_an_interrupt_drains(drive, dealsweep, undisturbed, tmp_path, tree):
    run = tmp_path / "run"
    driver = drive("run", *WORDS, "--out", run)
    driver.wait_for("shard")
    driver.interrupt()
    summary = driver.wait_for("summary")
    code, err = driver.finish()
    assert code == 130
    assert f"dealsweep resume {run}" in err
    assert len(err.strip().splitlines()) == 1
    assert driver.wait_until_alone() == []
    # What was begun is finished, and nothing else.
    assert 0 < summary["shards"]["done"] < 60
    assert summary["shards"]["done"] + summary["shards"]["missing"] == 60
    assert len([name for name in tree(run) if name.startswith("shards/")]) == summary["shards"]["done"]
    assert not any(name.startswith(("locks", "tmp", "quarantine")) for name in tree(run))
    assert dealsweep("resume", run).code == 0
    assert tree(run) == undisturbed


@pytest.mark.slow
def test_a_second_interrupt_stops_at_once(drive, dealsweep, tmp_path, tree):
    run = tmp_path / "run"
    words = ("black-hole", "1..200000", "--search", "reference", "--shard-size", "100000")
    driver = drive("run", *words, "--out", run)
    driver.wait_for("running")
    time.sleep(1)
    driver.interrupt()
    driver.wait_for("interrupt")
    driver.interrupt()
    code, err = driver.finish()
    assert code == 130
    assert f"dealsweep resume {run}" in err
    assert driver.wait_until_alone() == []
    assert [name for name in tree(run) if name != "run.json"] == []
    assert dealsweep("status", run).code == 4


@pytest.mark.slow
def test_a_killed_driver_takes_its_own_ray_along(drive, dealsweep, undisturbed, tmp_path, tree):
    run = tmp_path / "run"
    driver = drive("run", *WORDS, "--out", run, address=None)
    driver.wait_for("shard")
    # It has started what tasks need of Ray, and nothing else.
    commands = driver.commands()
    assert all(name in commands for name in ("gcs_server ", "raylet ", "ray::"))
    assert not any(name in commands for name in ("/dashboard/", "/runtime_env/", "monitor.py", "Agent"))
    os.kill(driver.process.pid, signal.SIGKILL)
    assert driver.wait_until_alone() == []
    assert dealsweep("resume", run).code == 0
    assert tree(run) == undisturbed
