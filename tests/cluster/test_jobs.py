"""A run as a job of a cluster: `ray job submit`, with a token, from outside the cluster."""

import os
import secrets
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import pytest
import ray_processes
import s3_server
from small_run import WORDS

BIN = Path(sys.prefix, "bin")
RAY = [sys.executable, "-m", "ray.scripts.scripts"]
EXTRA = "ray[default]"  # what the extra `cluster` adds

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Head:
    """A head with two CPUs and a dashboard, whose PATH has `dealsweep`."""

    def __init__(self, folder, packages):
        self.jobs = f"http://127.0.0.1:{s3_server.free_port()}"
        self.environment = {
            **os.environ,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "PYTHONPATH": str(packages),
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_TMPDIR": folder,
        }
        # Ports of their own: the session of these tests has a cluster on this machine too.
        ports = {
            name: s3_server.free_port()
            for name in ("port", "dashboard-agent-listen-port", "ray-client-server-port")
        }
        ports["dashboard-port"] = int(self.jobs.rpartition(":")[2])
        words = ["--head", "--block", "--num-cpus=2", "--node-ip-address=127.0.0.1"]
        words += ["--include-dashboard=true", *(f"--{name}={port}" for name, port in ports.items())]
        self.log = Path(folder, "head.log").open("wb")  # noqa: SIM115 - as long as the process
        self.process = subprocess.Popen(
            [*RAY, "start", *words],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            env=self.environment, start_new_session=True,
        )  # fmt: skip

    def wait(self, seconds=180):
        """Until it takes jobs."""
        end = time.monotonic() + seconds
        while (job := self.submit("true")).returncode:
            assert time.monotonic() < end and self.process.poll() is None, job.stdout + job.stderr
            time.sleep(1)

    def submit(self, *words, **environment):
        return subprocess.run(
            [*RAY, "job", "submit", "--address", self.jobs, "--", *map(str, words)],
            env={**self.environment, **environment}, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    def end(self):
        self.process.kill()
        self.process.wait()
        ray_processes.end_below(self.environment["RAY_TMPDIR"])
        self.log.close()


@pytest.fixture
def head(tmp_path):
    if not (BIN / "uv").exists():
        pytest.skip("uv is not installed")
    # In a folder of its own: with it every cluster of the other tests would start a dashboard.
    wanted = [EXTRA + "==" + version("ray"), "--target", tmp_path / "packages", "--python", sys.executable]
    subprocess.run([BIN / "uv", "pip", "install", "--quiet", *wanted], check=True)
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as folder:
        head = Head(folder, tmp_path / "packages")
        try:
            head.wait()
            yield head
        finally:
            head.end()


def test_a_run_is_a_job(head, undisturbed, tmp_path, tree):
    run = tmp_path / "run"
    submit = ("dealsweep", "run", *WORDS, "--out", run, "--address", "auto", "--progress", "plain")
    job = head.submit(*submit)
    assert job.returncode == 0, job.stdout + job.stderr
    assert "1,500 done, 0 failed, 0 missing" in job.stdout
    assert tree(run) == undisturbed
    # The exit code of a job is that of its command; the same command again has nothing left to do.
    again = head.submit(*submit)
    assert again.returncode == 0
    assert "1,500 done, 0 failed, 0 missing" in again.stdout
    wrong = head.submit(
        "dealsweep", "run", "black-hole", "9..1", "--out", tmp_path / "no", "--address", "auto"
    )
    assert wrong.returncode != 0
    assert "range 9..1 runs backwards" in wrong.stdout
    # Without the token nobody starts a job.
    stranger = head.submit("dealsweep", "games", RAY_AUTH_TOKEN=secrets.token_hex(32))
    assert stranger.returncode != 0
    assert "black-hole" not in stranger.stdout
