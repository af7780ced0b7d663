"""A cluster of several nodes, one of which dies in the middle of a run."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from small_run import WORDS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture
def cluster():
    environment = {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
        # A dead node is noticed in seconds rather than in half a minute.
        "RAY_health_check_period_ms": "1000",
        "RAY_health_check_failure_threshold": "5",
    }
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("two_nodes.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, **environment},
    )
    process.environment = environment
    process.address = process.stdout.readline().strip()
    yield process
    process.stdin.close()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()


def test_a_node_dies_and_the_run_goes_on(drive, cluster, undisturbed, tmp_path, tree):
    run = tmp_path / "run"
    driver = drive("run", *WORDS, "--out", run, address=cluster.address, environment=cluster.environment)
    assert driver.wait_for("running")["workers"] == 2
    driver.wait_for("shard", times=4)
    cluster.stdin.write("kill\n")
    cluster.stdin.flush()
    summary = driver.wait_for("summary")
    assert driver.finish()[0] == 0
    assert summary["deals"]["done"] == 1500
    assert tree(run) == undisturbed
