"""Named objects in one place, by one interface: a local folder, or a prefix of an object store.

The one promise that everything else rests on is `create`: an object appears whole, at once, and
only if there was none; of several writers exactly one is told that it won. On object stores that
is the conditional put. On a local folder it is a file written elsewhere, synced, linked to its
name (which fails when the name exists) and the folder synced, so that it survives a power cut.

A put whose answer is lost may have taken effect. `create` therefore asks again, and when the object
is then there it reads it: its own bytes mean that it won. Credentials and endpoints come from the
environment or the machine's role, never from a location, and no message shows one.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from pipeline.errors import RunNotFound, StoreError, first_line

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_SCHEMES = ("s3://", "s3a://", "gs://", "az://", "azure://", "abfs://", "abfss://")
_SCRATCH = "tmp"
_READ_PATIENCE = timedelta(seconds=60)
_CREATE_PATIENCE = 120.0
"""Seconds that a put is tried again while its store is away or answers with faults."""

_SECRETS = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|SAS|SIGNATURE", re.IGNORECASE)
_SIGNED = re.compile(r"([?&](?:[\w-]*(?:sig|token|key|credential)[\w-]*)=)[^&\s\"']+", re.IGNORECASE)
_USER = re.compile(r"(://)[^/\s@]*@")


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
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise StoreError(f"{text!r}: a location has no control characters")
    if is_remote(text):
        return _check_url(text)
    if text.startswith("file://"):
        text = text.removeprefix("file://")
    elif "://" in text:
        kinds = ", ".join(_SCHEMES[:4])
        raise StoreError(f"{redact(text)}: no store of this kind; give a folder or {kinds}...")
    if not text:
        raise StoreError("the run's folder has an empty name")
    return str(Path(text).expanduser().absolute())


def beside(location: str, name: str) -> str:
    """The place of this name next to an absolute location. Raises StoreError when it is a whole bucket."""
    folder, _, _ = location.rpartition("/")
    if folder.endswith(("/", ":")):
        raise StoreError(f"{location} is a whole bucket, with no place beside it: name one with --out")
    return f"{folder}/{name}"


def refer(location: str, base: str) -> str:
    """An absolute location as it is written down at another one, `base`.

    Places beside each other name each other as `../NAME`, so that they can be moved together.
    """
    folder, _, name = location.rpartition("/")
    return f"../{name}" if name and folder == base.rpartition("/")[0] else location


def follow(reference: str, base: str) -> str:
    """The absolute location that `refer` has written down."""
    return f"{base.rpartition('/')[0]}/{reference[3:]}" if reference.startswith("../") else reference


def same_place(one: str, other: str) -> bool:
    """Whether two absolute locations are one place."""
    if one == other or is_remote(one) or is_remote(other):
        return one == other
    try:
        return Path(one).samefile(other)
    except OSError:
        return False


def _check_url(url: str) -> str:
    """A bucket and a prefix below it, and nothing else. Raises StoreError."""
    scheme, _, rest = url.partition("://")
    bucket, _, prefix = rest.rstrip("/").partition("/")
    if "@" in bucket and not scheme.startswith("abfs"):
        raise StoreError(f"{redact(url)}: credentials belong into the environment, not into a location")
    if "?" in url or "#" in url:
        raise StoreError(f"{redact(url)}: a location is a bucket and a prefix, without ? and #")
    if not bucket:
        raise StoreError(f"{url}: no bucket is named")
    if any(part in ("", ".", "..") for part in prefix.split("/")) and prefix:
        raise StoreError(f'{url}: a prefix has no empty parts, no "." and no ".."')
    if "%" in rest or "\\" in rest:
        raise StoreError(f"{url}: a location has no % and no backslash")
    return f"{scheme}://{bucket}/{prefix}" if prefix else f"{scheme}://{bucket}"


def redact(text: str) -> str:
    """The text without user names in URLs, signatures, and values of secret environment variables."""
    text = _SIGNED.sub(r"\1***", _USER.sub(r"\1***@", text))
    for name, value in os.environ.items():
        if len(value) >= 8 and _SECRETS.search(name) and not name.endswith(("FILE", "PATH", "CREDENTIALS")):
            text = text.replace(value, "***")
    return text


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
            self._store = _open(self.location, patient=True)
            # Its puts are tried again here, where it is known that an earlier one may have taken effect.
            self._creator = _open(self.location, patient=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return ObjectFolder, (self.location,)

    def read(self, name: str) -> bytes:
        """All bytes of an object. Raises FileNotFoundError when there is none."""
        import obstore  # noqa: PLC0415

        with self._faults(name or "/"):
            return bytes(obstore.get(self._store, name).bytes())

    def read_tail(self, entry: Entry, length: int) -> bytes:
        """The last bytes of an object, all of it when it is shorter than `length`."""
        import obstore  # noqa: PLC0415

        start = max(0, entry.size - length)
        if start == entry.size:
            return b""
        with self._faults(entry.name):
            if self.path is not None:
                with (self.path / entry.name).open("rb", buffering=0) as stream:
                    stream.seek(start)
                    return stream.read(entry.size - start)
            return bytes(obstore.get_range(self._store, entry.name, start=start, end=entry.size))

    def create(self, name: str, data: bytes) -> bool:
        """Create an object, whole and durable; False when there is one of this name already."""
        with self._faults(name or "/"):
            if self.path is not None:
                return _create_file(self.path / name, data, self.path / _SCRATCH)
            return self._create_object(name, data)

    def _create_object(self, name: str, data: bytes) -> bool:
        """A conditional put, tried again while the store is away."""
        import obstore  # noqa: PLC0415
        from obstore import exceptions as faults  # noqa: PLC0415

        definite = (
            faults.PermissionDeniedError, faults.UnauthenticatedError, faults.InvalidPathError,
            faults.NotSupportedError, faults.UnknownConfigurationKeyError, FileNotFoundError,
        )  # fmt: skip
        end, pause, uncertain = time.monotonic() + _CREATE_PATIENCE, 0.1, False
        while True:
            try:
                obstore.put(self._creator, name, data, mode="create", use_multipart=False)
                return True
            except faults.AlreadyExistsError as error:
                fault: Exception = error
                try:
                    return bytes(obstore.get(self._store, name).bytes()) == data and uncertain
                except FileNotFoundError:
                    pass  # a store may say so of two puts at one time, neither of which took effect
            except definite:
                raise
            except faults.BaseError as error:
                fault, uncertain = error, True
            if time.monotonic() + pause > end:
                raise fault
            time.sleep(pause)
            pause = min(2 * pause, 5.0)

    def replace(self, name: str, data: bytes) -> None:
        """Write an object over whatever is there."""
        import obstore  # noqa: PLC0415

        with self._faults(name or "/"):
            obstore.put(self._store, name, data, mode="overwrite")

    def delete(self, name: str) -> None:
        """Remove an object; nothing happens when there is none."""
        import obstore  # noqa: PLC0415

        with self._faults(name or "/"):
            try:
                obstore.delete(self._store, name)
            except FileNotFoundError:
                return

    def move(self, name: str, to: str) -> None:
        """Rename an object, over nothing. Raises StoreError when `to` exists."""
        import obstore  # noqa: PLC0415

        with self._faults(name or "/"):
            obstore.rename(self._store, name, to, overwrite=self.path is None)

    def pages(self, prefix: str) -> Iterator[list[Entry]]:
        """Every object whose name starts with the folder `prefix`, a thousand at a time, in any order."""
        import obstore  # noqa: PLC0415

        with self._faults(prefix):
            listing = iter(obstore.list(self._store, prefix, chunk_size=1000))
        while True:
            with self._faults(prefix):
                page = next(listing, None)
            if page is None:
                return
            yield [Entry(m["path"], m["size"], m["last_modified"]) for m in page]

    def list(self, prefix: str) -> list[Entry]:
        """Every object whose name starts with the folder `prefix`, in order of their names."""
        return sorted(entry for page in self.pages(prefix) for entry in page)

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

        if name and not _NAME.fullmatch(name):
            raise StoreError(f"{self.location}: {name!r} is no name of an object below it")
        try:
            yield
        except FileNotFoundError:
            raise
        except (BaseError, OSError, ValueError) as error:
            place = f"{self.location}/{name}" if name else self.location
            reason = error.strerror if isinstance(error, OSError) and error.strerror else first_line(error)
            raise StoreError(redact(f"{place}: {reason}")) from None


def _open(location: str, *, patient: bool) -> ObjectStore:
    from obstore.store import LocalStore, from_url  # noqa: PLC0415

    if not is_remote(location):
        return LocalStore(location)
    endpoint = os.environ.get("AWS_ENDPOINT_URL", os.environ.get("AWS_ENDPOINT", ""))
    options: Any = {"allow_http": True} if endpoint.startswith("http://") else {}
    retry: Any = {"max_retries": 6 if patient else 0, "retry_timeout": _READ_PATIENCE}
    return from_url(location, client_options=options, retry_config=retry)


_NAME = re.compile(r"(?!\.{1,2}(?:/|$))[^/\x00-\x1f]+(?:/(?!\.{1,2}(?:/|$))[^/\x00-\x1f]+)*")
"""Parts between single slashes, none of them "." or "..": a name cannot leave its folder."""


def _create_file(file: Path, data: bytes, scratch: Path) -> bool:
    """Create a file durably: written and synced under another name, then linked to its own."""
    if file.exists():
        return False
    for last_try in (False, False, True):
        if not file.parent.is_dir():
            file.parent.mkdir(parents=True, exist_ok=True)
            _sync_folder(file.parent.parent)
        try:
            return _write_and_link(file, data, scratch)
        except FileNotFoundError:
            # Somebody cleared the scratch folder, or removed an empty one, under our feet.
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
