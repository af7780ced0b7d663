"""One driver a run: a courtesy, not a safeguard.

Two drivers on one run write the same bytes and lose races harmlessly; the lock only saves the
work that would be done twice. It is an object locks/NUMBER.json, created once, that its driver
writes again every few seconds. A lock is stale when its driver is a process of this machine that
is gone, or when it has not been written for a while by the store's own clock. Whoever finds it
stale creates the next number: of several, one wins.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from pipeline.errors import DealsweepError, RunLocked
from pipeline.objects import Entry, ObjectFolder

LOCKS = "locks"
HEARTBEAT = timedelta(seconds=15)
STALE = timedelta(seconds=90)


@contextmanager
def hold(folder: ObjectFolder, now: datetime) -> Iterator[None]:
    """Hold a run's lock while the body runs. Raises RunLocked, naming the other driver.

    Args:
        folder: where the run is kept.
        now: the time by the store's clock.
    """
    name = _acquire(folder, now)
    ended = threading.Event()
    heart = threading.Thread(target=_beat, args=(folder, name, ended), daemon=True)
    heart.start()
    try:
        yield
    finally:
        ended.set()
        heart.join()
        folder.delete(name)
        _remove_if_empty(folder)


def _acquire(folder: ObjectFolder, now: datetime) -> str:
    entries = folder.list(LOCKS)
    if entries:
        holder = _read_holder(folder, entries[-1])
        if holder is not None and not _is_stale(holder, entries[-1], now):
            raise _locked(folder, holder)
    number = 1 + max((_number(entry) for entry in entries), default=0)
    name = f"{LOCKS}/{number:08d}.json"
    if not folder.create(name, _describe_self()):
        raise _locked(folder, {})
    for entry in entries:
        folder.delete(entry.name)
    return name


def _beat(folder: ObjectFolder, name: str, ended: threading.Event) -> None:
    while not ended.wait(HEARTBEAT.total_seconds()):
        try:
            folder.replace(name, _describe_self())
        except DealsweepError:
            continue  # the store is away for a moment; the commits will say so if it stays away


def _read_holder(folder: ObjectFolder, entry: Entry) -> dict[str, Any] | None:
    try:
        value = json.loads(folder.read(entry.name))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _is_stale(holder: dict[str, Any], entry: Entry, now: datetime) -> bool:
    if holder.get("machine") == _machine():
        return _process_start(holder.get("pid")) != holder.get("started")
    return now - entry.modified > STALE


def _locked(folder: ObjectFolder, holder: dict[str, Any]) -> RunLocked:
    who = f"process {holder['pid']} on {holder['host']}" if {"pid", "host"} <= holder.keys() else "another"
    return RunLocked(f"{folder.location}: another driver is at work on this run ({who})")


def _number(entry: Entry) -> int:
    digits = Path(entry.name).stem
    return int(digits) if digits.isdigit() else 0


def _describe_self() -> bytes:
    value = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "machine": _machine(),
        "started": _process_start(os.getpid()),
        "token": uuid4().hex,  # tells two attempts apart when the answer to a put is lost
    }
    return json.dumps(value).encode()


def _machine() -> str:
    """What tells this machine's process numbers from another's: boot and process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return socket.gethostname()


def _process_start(pid: Any) -> str | None:
    """When a process of this machine started, in the kernel's own count; None when it is gone."""
    if not isinstance(pid, int):
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return _signalled(pid) if not Path("/proc/self/stat").exists() else None
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def _signalled(pid: int) -> str | None:
    """The same where there is no /proc: alive or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return "alive"
    return "alive"


def _remove_if_empty(folder: ObjectFolder) -> None:
    if folder.path is not None:
        try:
            (folder.path / LOCKS).rmdir()
        except OSError:
            return
