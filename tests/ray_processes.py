"""Processes that tests start outside of their own: sessions, and what Ray leaves."""

import os
import signal
from pathlib import Path


def of_session(session):
    """The living processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, sid = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(sid) == session and state not in "ZX":
                found.append(int(entry.name))
    return found


def end_below(folder):
    """End the processes of Ray whose files are in a folder: they have left the group of `ray start`."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if f"RAY_TMPDIR={folder}\0" in (entry / "environ").read_text(errors="replace"):
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                continue
