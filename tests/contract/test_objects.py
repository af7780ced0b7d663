from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.errors import RunNotFound, StoreError
from pipeline.objects import ObjectFolder, absolute, redact


@pytest.fixture
def folder(location):
    return ObjectFolder(location, create=True)


def test_create_happens_once(folder):
    assert folder.create("a/b.bin", b"first")
    assert not folder.create("a/b.bin", b"second")
    assert folder.read("a/b.bin") == b"first"


def test_of_racing_writers_one_wins(folder):
    with ThreadPoolExecutor(8) as writers:
        won = list(writers.map(lambda n: folder.create("a/raced", b"%d" % n * 1000), range(8)))
    assert sum(won) == 1
    assert folder.read("a/raced") == b"%d" % won.index(True) * 1000
    assert [entry.name for entry in folder.list("a")] == ["a/raced"]


def test_a_missing_object_is_a_missing_file(folder):
    with pytest.raises(FileNotFoundError):
        folder.read("nothing")
    folder.delete("nothing")
    assert folder.list("nothing") == []


def test_listing_is_complete_and_in_order(folder):
    names = [f"many/{n:04d}" for n in range(120)]
    with ThreadPoolExecutor(8) as writers:
        assert all(writers.map(lambda name: folder.create(name, name.encode()), reversed(names)))
    folder.create("manifold", b"")
    listed = folder.list("many")
    assert [entry.name for entry in listed] == names
    assert {entry.size for entry in listed} == {9}


def test_tails(folder):
    folder.create("t", b"0123456789")
    folder.create("empty", b"")
    entries = {entry.name: entry for entry in [*folder.list("")]}
    assert folder.read_tail(entries["t"], 4) == b"6789"
    assert folder.read_tail(entries["t"], 400) == b"0123456789"
    assert folder.read_tail(entries["empty"], 4) == b""


def test_move_and_replace(folder):
    folder.create("a", b"one")
    folder.move("a", "q/a.0")
    assert folder.read("q/a.0") == b"one"
    assert folder.create("a", b"two")
    folder.replace("a", b"three")
    assert folder.read("a") == b"three"
    folder.delete("a")
    assert [entry.name for entry in folder.list("")] == ["q/a.0"]


def test_a_local_create_syncs_the_file_before_its_name_appears(tmp_path, monkeypatch):
    import os

    calls = []
    real_sync, real_link = os.fsync, os.link
    monkeypatch.setattr(os, "fsync", lambda d: (calls.append("sync"), real_sync(d))[1])
    monkeypatch.setattr(os, "link", lambda a, b: (calls.append("link"), real_link(a, b))[1])
    folder = ObjectFolder(tmp_path)
    folder.create("first", b"x")
    assert calls == ["sync", "link", "sync"]
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["first"]


def test_what_a_killed_writer_left_is_cleared(tmp_path):
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "leftover").write_bytes(b"half")
    folder = ObjectFolder(tmp_path)
    folder.clear_scratch()
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_hold_a_run(tmp_path):
    with pytest.raises(RunNotFound, match="holds no run"):
        ObjectFolder(tmp_path / "nothing")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError) as caught:
        ObjectFolder(file / "below", create=True)
    assert "\n" not in str(caught.value)
    with pytest.raises(StoreError, match="no store of this kind"):
        absolute("ftp://host/run")


def test_locations_are_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert absolute("runs/x") == str(tmp_path / "runs" / "x")
    assert absolute(f"file://{tmp_path}/x") == str(tmp_path / "x")
    assert absolute("s3://bucket/run/") == "s3://bucket/run"


@pytest.mark.parametrize(
    ("location", "says"),
    [
        ("s3://user:hunter2secret@bucket/run", "credentials belong into the environment"),
        ("s3://bucket/run?X-Amz-Signature=hunter2secret", "without"),
        ("ftp://user:hunter2secret@host/run", "no store of this kind"),
        ("s3://bucket/../other", "empty parts"),
        ("s3://bucket/a//b", "empty parts"),
        ("s3://bucket/a/%2e%2e/b", "no %"),
        ("s3:///run", "no bucket"),
        ("s3://bucket/a\nb", "control characters"),
        ("runs/a\0b", "control characters"),
    ],
)
def test_locations_stay_in_their_bucket_and_hold_no_secret(location, says):
    with pytest.raises(StoreError, match=says) as caught:
        ObjectFolder(location, create=True)
    assert "hunter2secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_messages_hide_secrets(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "/abc+very/secret")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/etc/my/credentials")
    told = "GET https://me:pw@host/x?sig=abc%2F&se=2 with /abc+very/secret from /etc/my/credentials"
    assert redact(told) == "GET https://***@host/x?sig=***&se=2 with *** from /etc/my/credentials"


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", "a//b", "", "a\0b"])
def test_names_stay_in_their_folder(tmp_path, name):
    folder = ObjectFolder(tmp_path / "run", create=True)
    for act in (lambda: folder.create(name, b"x"), lambda: folder.read(name), lambda: folder.delete(name)):
        with pytest.raises(StoreError, match="no name of an object"):
            act()
    assert not (tmp_path / "x").exists()
