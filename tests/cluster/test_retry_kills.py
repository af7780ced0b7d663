"""A retry that is killed goes on like any run, and ends with the files of an undisturbed one."""

import os
import signal

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.usefixtures("ray_session")]


def test_a_killed_retry_goes_on(drive, dealsweep, tmp_path, tree):
    run = tmp_path / "bh"
    words = ("retry", run, "--limit", 60_000, "--shard-size", 3)
    assert (
        dealsweep("run", "black-hole", "1..150", "--search", "reference", "--limit", 1000, "--out", run).code
        == 0
    )
    assert dealsweep(*words, "--out", tmp_path / "undisturbed").code == 0
    undisturbed = tree(tmp_path / "undisturbed")
    retried = tmp_path / "bh-retry-limit-60000"
    driver = drive(*words)
    driver.wait_for("shard", times=5)
    os.kill(driver.process.pid, signal.SIGKILL)
    driver.process.wait()
    assert dealsweep("status", retried).code == 4
    # By the same command, interrupted this time, and then by resume.
    driver = drive(*words)
    driver.wait_for("shard", times=5)
    driver.interrupt()
    code, err = driver.finish()
    assert code == 130 and f"dealsweep resume {retried}" in err
    kept = tree(retried)
    assert (
        0
        < len([name for name in kept if name.startswith("shards/")])
        < len([name for name in undisturbed if name.startswith("shards/")])
    )
    done = dealsweep("resume", retried)
    assert done.code == 0 and "still undecided" in done.out
    assert tree(retried) == undisturbed
