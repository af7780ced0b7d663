"""What a store in trouble does, through a proxy that loses, refuses and overwrites."""

import os

import pytest
import s3_server
from faulty_proxy import Proxy

from pipeline import lock, objects
from pipeline.errors import RunLocked, StoreError
from pipeline.objects import ObjectFolder
from pipeline.store import check_writable

pytestmark = pytest.mark.slow


@pytest.fixture
def proxy(s3_server_process, monkeypatch):
    proxy = Proxy(s3_server_process.endpoint)

    def overwrite(path, body):
        with s3_server_process.file_system().open_output_stream(path) as stream:
            stream.write(body)

    proxy.overwrite = overwrite
    for name, value in s3_server.environment(proxy.endpoint).items():
        monkeypatch.setitem(os.environ, name, value)
    yield proxy
    proxy.close()


@pytest.fixture
def folder(proxy, request):
    return ObjectFolder(f"s3://runs/{request.node.name}", create=True)


def test_a_store_that_ignores_create_only_is_refused(folder, proxy):
    proxy.rule = lambda method, path: "overwrite" if method == "PUT" else None
    with pytest.raises(StoreError, match="ignores create-only puts"):
        check_writable(folder)
    assert folder.list("") == []
    proxy.rule = lambda method, path: None
    check_writable(folder)
    assert folder.list("") == []


@pytest.mark.parametrize("fault", ["lose the answer", "refuse after"])
def test_a_put_that_took_effect_unheard_is_won(folder, proxy, fault):
    proxy.times(1, "PUT", "/a", fault)
    assert folder.create("a", b"mine")
    assert proxy.faults == 1
    assert not folder.create("a", b"mine")
    # Another's object under the name is not taken for one's own.
    folder.create("b", b"another's")
    proxy.times(1, "PUT", "/b", "refuse")
    assert not folder.create("b", b"mine")
    assert folder.read("b") == b"another's"


def test_the_lock_is_held_when_the_answer_to_its_put_is_lost(folder, proxy):
    now = check_writable(folder)
    proxy.times(1, "PUT", "locks/", "lose the answer")
    with lock.hold(folder, now):
        assert proxy.faults == 1
        with pytest.raises(RunLocked), lock.hold(folder, now):
            pass
    assert folder.list("") == []


def test_puts_are_tried_again_while_they_fail(folder, proxy, monkeypatch):
    proxy.times(5, "PUT", "/a", "refuse")
    assert folder.create("a", b"x")
    assert proxy.faults == 5
    monkeypatch.setattr(objects, "_CREATE_PATIENCE", 1.0)
    proxy.rule = lambda method, path: "refuse" if method == "PUT" else None
    with pytest.raises(StoreError) as caught:
        folder.create("b", b"x")
    assert "\n" not in str(caught.value)


def test_wrong_credentials_are_told_at_once_and_not_shown(folder, proxy, monkeypatch):
    monkeypatch.setitem(os.environ, "AWS_SECRET_ACCESS_KEY", "a-wrong-secret-key")
    wrong = ObjectFolder("s3://runs/wrong")
    with pytest.raises(StoreError) as caught:
        wrong.create("a", b"x")
    assert "a-wrong-secret-key" not in str(caught.value)
    assert proxy.faults == 0
