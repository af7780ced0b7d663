"""What can go wrong with a sweep: named errors, each with the exit code that it ends the command with.

Every message is one line that says what is wrong and, where it is known, what to do.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended."""

    COMPLETE = 0
    ERROR = 1
    USAGE = 2
    FAILED_DEALS = 3  # every deal is accounted for, some of them as failures
    INCOMPLETE = 4
    LOCKED = 11
    INTERRUPTED = 130


class DealsweepError(Exception):
    """Anything that this package refuses or cannot do."""

    exit_code = ExitCode.ERROR


class UsageError(DealsweepError):
    """A request that makes no sense: a bad range, an unknown game, limit 0."""

    exit_code = ExitCode.USAGE


class RunNotFound(DealsweepError):
    """A place that holds no run."""


class RunDamaged(DealsweepError):
    """A run whose own record (run.json) cannot be read or contradicts itself."""


class RunMismatch(DealsweepError):
    """A place that holds a run with another configuration."""


class RunIncomplete(DealsweepError):
    """A run that lacks deals where it must be complete."""

    exit_code = ExitCode.INCOMPLETE


class BuildMismatch(DealsweepError):
    """A node whose solver is not the driver's."""


class StoreError(DealsweepError):
    """A store that cannot be reached, written or trusted."""


class BrokenShard(StoreError):
    """A file among the shards that is not a whole shard of this run."""


class ClusterError(DealsweepError):
    """Ray could not be started, reached or given enough memory."""


class SolverFault(DealsweepError):
    """The solver contradicted itself: a winning line does not replay, or a deal has two verdicts."""


class RunLocked(DealsweepError):
    """Another driver is at work on the run."""

    exit_code = ExitCode.LOCKED


class Interrupted(DealsweepError):
    """The user stopped the command."""

    exit_code = ExitCode.INTERRUPTED


def first_line(error: BaseException) -> str:
    """The first line of what an error says, at most 300 characters; its kind when it says nothing."""
    return _line(error, 0)


def last_line(error: BaseException) -> str:
    """The last line of what an error says, at most 300 characters; its kind when it says nothing."""
    return _line(error, -1)


def _line(error: BaseException, place: int) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[place][:300] if lines else type(error).__name__
