"""Drivers in processes of their own, to be killed; they join the shared Ray session."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import ray_processes
from small_run import WORDS

COMMAND = "import sys; from pipeline.cli import main; sys.exit(main())"


class Driver:
    """A `dealsweep` process that is the leader of a session and tells its events as JSON lines."""

    def __init__(self, words, environment=()):
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *map(str, words), "--progress", "json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **dict(environment)},
        )

    def wait_for(self, kind, times=1):
        """Read events until `times` of a kind have come; the last of them."""
        for line in self.process.stdout:
            assert line.startswith("{"), line
            event = json.loads(line)
            if event["event"] == kind:
                times -= 1
                if times == 0:
                    return event
        raise AssertionError(f"no {kind} event came: {self.process.stderr.read()}")

    def interrupt(self):
        """What a terminal does at Ctrl-C: the whole foreground process group is told."""
        os.killpg(self.process.pid, signal.SIGINT)

    def finish(self, seconds=240):
        """The exit code and standard error."""
        _, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, err

    def commands(self):
        """The command lines of all processes of the session, as one text."""
        lines = [Path(f"/proc/{pid}/cmdline") for pid in ray_processes.of_session(self.process.pid)]
        return " ".join(line.read_text() for line in lines if line.exists()).replace("\0", " ")

    def wait_until_alone(self, seconds=120):
        """Wait until no process of the session is left; those that stay."""
        end = time.monotonic() + seconds
        while (left := ray_processes.of_session(self.process.pid)) and time.monotonic() < end:
            time.sleep(0.2)
        return left

    def clean_up(self):
        for pid in ray_processes.of_session(self.process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def drive(ray_session):
    """Start a driver on the shared session: `drive("run", ...)`; `address` names another, None a new one."""
    import ray

    shared = ray.get_runtime_context().gcs_address
    drivers = []

    def start(*words, environment=(), address=shared):
        where = [] if address is None else ["--address", address]
        drivers.append(Driver([*words, *where], environment))
        return drivers[-1]

    yield start
    for driver in drivers:
        driver.clean_up()


@pytest.fixture(scope="session")
def undisturbed(ray_session, tmp_path_factory):
    """The files of a run that nobody disturbed."""
    from pipeline.cli import main

    run = tmp_path_factory.mktemp("runs") / "undisturbed"
    assert main(["run", *WORDS, "--out", str(run), "--progress", "none"]) == 0
    return {str(p.relative_to(run)): p.read_bytes() for p in sorted(run.rglob("*")) if p.is_file()}
