"""What the tests of faults share: a small run, its undisturbed files, a cluster and drivers to be killed."""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ray_processes

GAME, FIRST, LAST, SIZE, LIMIT = "black-hole", 1, 720, 12, 20000
WORDS = (
    GAME, f"{FIRST}..{LAST}", "--search", "reference", "--limit", str(LIMIT), "--shard-size", str(SIZE),
)  # fmt: skip
SHARDS = (LAST - FIRST + 1) // SIZE
COMMAND = "import sys; from pipeline.cli import main; sys.exit(main())"


def undisturbed_files():
    """The files of a run that nobody disturbed, without Ray and without a store."""
    from pipeline.config import RunConfig, RunRecord
    from pipeline.deals import DealRange
    from pipeline.plan import cut
    from pipeline.shard import Session

    config = RunConfig.resolve(GAME, search="reference", limit=LIMIT)
    asked = DealRange(FIRST, LAST)
    session = Session(config)
    files = {"run.json": RunRecord(config, asked, SIZE).to_bytes()}
    for deals in cut(asked, SIZE):
        files[f"shards/{deals.first:020d}-{deals.last:020d}.parquet"] = session.solve(deals).to_bytes()
    return files


class ClusterProcess:
    """The cluster of cluster_process.py; its nodes have the environment that is given."""

    def __init__(self, nodes, environment):
        # A short path, for sockets, and one of its own, for whoever clears the usual one.
        self.folder = tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True)
        self.environment = {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
            # A dead node is noticed in seconds rather than in half a minute.
            "RAY_health_check_period_ms": "1000",
            "RAY_health_check_failure_threshold": "15",
            "RAY_worker_register_timeout_seconds": "240",
        }
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("cluster_process.py"), str(nodes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "RAY_TMPDIR": self.folder.name, **self.environment, **environment},
        )
        line = self.process.stdout.readline()
        assert line, f"the cluster did not start: {self.process.stderr.read()[-2000:]}"
        self.address = json.loads(line)["address"]

    def tell(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def workers_at_work(self):
        """The processes of workers that have a task; they have the name of the task's function."""
        for pid in ray_processes.of_session(self.process.pid):
            with contextlib.suppress(OSError):
                if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::work"):
                    yield pid

    def worker_at_work(self):
        """One of them, waited for."""
        return next(filter(None, patiently(lambda: next(self.workers_at_work(), None))))

    def stop(self):
        self.process.kill()
        self.process.communicate()
        kill_session(self.process.pid)
        self.folder.cleanup()


def patiently(look, seconds=60):
    """What `look` sees, again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield look()
        time.sleep(0.01)
    raise AssertionError("nothing came of it")


def kill_session(session):
    """End what is left of a session of processes."""
    for pid in ray_processes.of_session(session):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


class Driver:
    """A `dealsweep` process that tells its events as JSON lines."""

    def __init__(self, words, environment):
        self.events = []
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *map(str, words), "--progress", "json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **environment},
        )

    def wait_for(self, kind, times=1):
        """Read events until `times` of a kind have come; the last of them."""
        for line in self.process.stdout:
            event = json.loads(line)
            self.events.append(event)
            times -= event["event"] == kind
            if times == 0:
                return event
        raise AssertionError(f"no {kind} event came: {self.process.stderr.read()}")

    def finish(self, seconds=200):
        """The exit code and standard error."""
        out, err = self.process.communicate(timeout=seconds)
        self.events += [json.loads(line) for line in out.splitlines()]
        return self.process.returncode, err

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def clean_up(self):
        self.kill()
        kill_session(self.process.pid)
