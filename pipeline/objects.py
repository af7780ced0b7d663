"""Named objects in one place, by one interface: a local folder, or a prefix of an object store.

The one promise that everything else rests on is `create`: an object appears whole, at once, and
only if there was none; of several writers exactly one is told that it won. On object stores that
is the conditional put. On a local folder it is a file written elsewhere, synced, linked to its
name (which fails when the name exists) and the folder synced, so that it survives a power cut.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from pipeline.errors import RunNotFound, StoreError

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_SCHEMES = ("s3://", "s3a://", "gs://", "az://", "azure://", "abfs://", "abfss://")
_SCRATCH = "tmp"


class Entry(NamedTuple):
    """One object of a listing: its name, its size in bytes, and when the store last saw it change."""

    name: str
    size: int
    modified: datetime


def is_remote(location: str) -> bool:
    """Whether a location names an object store rather than a folder of this machine."""
    return location.startswith(_SCHEMES)


def absolute(location: str | os.PathLike[str]) -> str:
    """The location as every process of this machine can open it. Raises StoreError."""
    text = os.fspath(location)
    if is_remote(text):
        return text.rstrip("/")
    if text.startswith("file://"):
        text = text.removeprefix("file://")
    elif "://" in text:
        raise StoreError(f"{text}: no store of this kind; give a folder or {', '.join(_SCHEMES[:4])}...")
    if not text:
        raise StoreError("the run's folder has an empty name")
    return str(Path(text).expanduser().absolute())


class ObjectFolder:
    """All objects under one location. Every fault is a StoreError of one line.

    Attributes:
        location: an absolute path, or the URL of a prefix.
        path: the folder; None on an object store.
    """

    def __init__(self, location: str | os.PathLike[str], *, create: bool = False) -> None:
        self.location = absolute(location)
        self.path = None if is_remote(self.location) else Path(self.location)
        if self.path is not None and not create and not self.path.is_dir():
            raise RunNotFound(f"{self.location} holds no run")
        with self._faults():
            if self.path is not None:
                self.path.mkdir(parents=True, exist_ok=True)
            self._store = _open(self.location)

    def __reduce__(self) -> tuple[Any, ...]:
        return ObjectFolder, (self.location,)

    def read(self, name: str) -> bytes:
        """All bytes of an object. Raises FileNotFoundError when there is none."""
        import obstore  # noqa: PLC0415

        with self._faults(name):
            return bytes(obstore.get(self._store, name).bytes())

    def read_tail(self, entry: Entry, length: int) -> bytes:
        """The last bytes of an object, all of it when it is shorter than `length`."""
        import obstore  # noqa: PLC0415

        start = max(0, entry.size - length)
        if start == entry.size:
            return b""
        with self._faults(entry.name):
            return bytes(obstore.get_range(self._store, entry.name, start=start, end=entry.size))

    def create(self, name: str, data: bytes) -> bool:
        """Create an object, whole and durable; False when there is one of this name already."""
        from obstore.exceptions import AlreadyExistsError  # noqa: PLC0415

        with self._faults(name):
            if self.path is not None:
                return _create_file(self.path / name, data, self.path / _SCRATCH)
            import obstore  # noqa: PLC0415

            try:
                obstore.put(self._store, name, data, mode="create")
            except AlreadyExistsError:
                return False
            return True

    def replace(self, name: str, data: bytes) -> None:
        """Write an object over whatever is there."""
        import obstore  # noqa: PLC0415

        with self._faults(name):
            obstore.put(self._store, name, data, mode="overwrite")

    def delete(self, name: str) -> None:
        """Remove an object; nothing happens when there is none."""
        import obstore  # noqa: PLC0415

        with self._faults(name):
            try:
                obstore.delete(self._store, name)
            except FileNotFoundError:
                return

    def move(self, name: str, to: str) -> None:
        """Rename an object, over nothing. Raises StoreError when `to` exists."""
        import obstore  # noqa: PLC0415

        with self._faults(name):
            obstore.rename(self._store, name, to, overwrite=self.path is None)

    def list(self, prefix: str) -> list[Entry]:
        """Every object whose name starts with the folder `prefix`, in order of their names."""
        import obstore  # noqa: PLC0415

        with self._faults(prefix):
            pages = obstore.list(self._store, prefix, chunk_size=1000)
            found = [Entry(m["path"], m["size"], m["last_modified"]) for page in pages for m in page]
        return sorted(found)

    def clear_scratch(self) -> None:
        """Remove what writers that were killed have left behind; a living writer starts anew."""
        if self.path is not None:
            with self._faults(_SCRATCH):
                for file in (self.path / _SCRATCH).glob("*"):
                    file.unlink(missing_ok=True)
                if (self.path / _SCRATCH).exists():
                    _remove_if_empty(self.path / _SCRATCH)

    @contextmanager
    def _faults(self, name: str = "") -> Iterator[None]:
        """Turn whatever a store raises into one line; FileNotFoundError passes."""
        from obstore.exceptions import BaseError  # noqa: PLC0415

        try:
            yield
        except FileNotFoundError:
            raise
        except (BaseError, OSError, ValueError) as error:
            place = f"{self.location}/{name}" if name else self.location
            reason = error.strerror if isinstance(error, OSError) and error.strerror else _first_line(error)
            raise StoreError(f"{place}: {reason}") from None


def _open(location: str) -> ObjectStore:
    from obstore.store import LocalStore, from_url  # noqa: PLC0415

    if not is_remote(location):
        return LocalStore(location)
    endpoint = os.environ.get("AWS_ENDPOINT_URL", os.environ.get("AWS_ENDPOINT", ""))
    options: Any = {"allow_http": True} if endpoint.startswith("http://") else {}
    retry: Any = {"max_retries": 6, "retry_timeout": timedelta(seconds=60)}
    return from_url(location, client_options=options, retry_config=retry)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__


def _create_file(file: Path, data: bytes, scratch: Path) -> bool:
    """Create a file durably: written and synced under another name, then linked to its own."""
    if file.exists():
        return False
    if not file.parent.is_dir():
        file.parent.mkdir(parents=True, exist_ok=True)
        _sync_folder(file.parent.parent)
    for last_try in (False, False, True):
        try:
            return _write_and_link(file, data, scratch)
        except FileNotFoundError:
            # Somebody cleared the scratch folder under our feet.
            if last_try:
                raise StoreError(f"{scratch}: files vanish while they are written") from None
    return False


def _write_and_link(file: Path, data: bytes, scratch: Path) -> bool:
    scratch.mkdir(parents=True, exist_ok=True)
    temporary = scratch / uuid4().hex
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(temporary, file)
        except FileExistsError:
            return False
        _sync_folder(file.parent)
        return True
    finally:
        temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
