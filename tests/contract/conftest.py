"""Places to keep a run: a local folder and, slow, a prefix of a real S3 server."""

import os
import uuid

import pytest
import s3_server


@pytest.fixture(scope="session")
def s3_server_process(tmp_path_factory):
    """A running server with the bucket `runs`."""
    server = s3_server.S3Server(tmp_path_factory.mktemp("s3"))
    try:
        server.start()
        server.make_bucket("runs")
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def s3_bucket(s3_server_process):
    """The URL of a bucket; credentials and endpoint are in the environment."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in s3_server.environment(s3_server_process.endpoint).items():
            patch.setitem(os.environ, name, value)
        yield "s3://runs"


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.slow)])
def location(request, tmp_path):
    """Where a new run may be kept; nothing is there yet."""
    if request.param == "folder":
        return str(tmp_path / "deep" / "run")
    return f"{request.getfixturevalue('s3_bucket')}/{uuid.uuid4().hex}"
