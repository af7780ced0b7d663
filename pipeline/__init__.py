"""Sweeps: from a range of deals to committed Parquet shards, and answers from them.

    >>> import pipeline
    >>> pipeline.run("black-hole", "1..1_000_000", "runs/bh").win_rate
    >>> pipeline.status("runs/bh").missing
    >>> pipeline.query("runs/bh", "win_rate").table

What the command `dealsweep` does, as functions. Heavy parts (Ray, DuckDB, the native core) are
imported when they are needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pipeline.deals import DealRange

if TYPE_CHECKING:
    from pipeline.ask import Answer
    from pipeline.progress import Event
    from pipeline.summary import Summary, Whole

__all__ = ["DealRange", "query", "resume", "retry", "run", "status", "verify"]


def run(
    game: str,
    deals: str | DealRange,
    out: str | os.PathLike[str],
    *,
    rules: str | None = None,
    rule: Mapping[str, str | int] | None = None,
    search: str | None = None,
    prune: str | None = None,
    limit: int | None = None,
    memory_cap: int | None = None,
    solutions: bool = False,
    shard_size: int | None = None,
    workers: int | None = None,
    address: str | None = None,
    show: Callable[[Event], None] | None = None,
) -> Summary:
    """Decide a range of deals, into a new run or one that is there: only what is missing is run.

    Args:
        game: a game's name or alias.
        deals: a range such as `1..1_000_000`.
        out: a folder, or s3://, gs://, az://.
        rules: a named rule set of the game; None is its default.
        rule: switches over the named rules.
        search: a search of the game; None is its default.
        prune: a pruning rule of the search.
        limit: iterations after which a deal is exhausted.
        memory_cap: bytes of tables after which a deal is exhausted.
        solutions: whether rows carry winning lines.
        shard_size: deals a file, for a new run.
        workers: deals solved at once; None is every CPU.
        address: a Ray cluster to join; None starts one on this machine.
        show: is told what happens; see pipeline.progress.

    Raises:
        pipeline.errors.DealsweepError: one line that says why; what is committed stays.
    """
    from pipeline import driver  # noqa: PLC0415
    from pipeline.config import ExecutionOptions, RunConfig  # noqa: PLC0415

    asked = deals if isinstance(deals, DealRange) else DealRange.parse(deals)
    config = RunConfig.resolve(
        game,
        rules=rules,
        rule=rule,
        search=search,
        prune=prune,
        limit=limit,
        memory_cap=memory_cap,
        solutions=solutions,
    )
    options = ExecutionOptions(workers=workers, address=address)
    return driver.start(config, asked, out, shard_size=shard_size, options=options, show=show or _ignore)


def resume(
    out: str | os.PathLike[str],
    *,
    retry_failed: bool = False,
    workers: int | None = None,
    address: str | None = None,
    show: Callable[[Event], None] | None = None,
) -> Summary:
    """Finish a run: only what is missing, with the settings it was made with. See `run`.

    `retry_failed` tries the deals again that killed their workers.
    """
    from pipeline import driver  # noqa: PLC0415
    from pipeline.config import ExecutionOptions  # noqa: PLC0415

    options = ExecutionOptions(workers=workers, address=address)
    return driver.resume(out, retry_failed=retry_failed, options=options, show=show or _ignore)


def retry(
    run: str | os.PathLike[str],
    *,
    limit: int | Literal["none"] | None = None,
    memory_cap: int | None = None,
    search: str | None = None,
    prune: str | None = None,
    out: str | os.PathLike[str] | None = None,
    shard_size: int | None = None,
    workers: int | None = None,
    address: str | None = None,
    show: Callable[[Event], None] | None = None,
) -> Whole:
    """Try the undecided deals of a run again, into a run linked to it; see `run` for the arguments.

    What is None is as in the run; `limit="none"` lifts its limit. Questions asked of the retry see all
    deals of the run, each with the stronger verdict.

    Args:
        run: where the run lies.
        out: where the retry is kept; None is beside the run, named after it and what is changed.

    Returns:
        What the run and the retry say together; `.location` is the retry's.

    Raises:
        pipeline.errors.UsageError: nothing that is changed could decide more.
        pipeline.errors.RunIncomplete: the run lacks deals.
        pipeline.errors.DealsweepError: anything else, in one line; what is committed stays.
    """
    from pipeline import second_pass  # noqa: PLC0415
    from pipeline.config import ExecutionOptions  # noqa: PLC0415

    changes = second_pass.Changes(limit, memory_cap, search, prune)
    options = ExecutionOptions(workers=workers, address=address)
    return second_pass.retry(
        run, changes, out, shard_size=shard_size, options=options, show=show or _ignore
    ).whole


def status(out: str | os.PathLike[str]) -> Summary:
    """How a run stands; nothing is changed."""
    from pipeline import driver  # noqa: PLC0415

    return driver.status(out)


def verify(out: str | os.PathLike[str], *, show: Callable[[Event], None] | None = None) -> Summary:
    """Read every shard whole and check it; what is broken goes to quarantine and is planned again."""
    from pipeline import driver  # noqa: PLC0415

    return driver.verify(out, show=show or _ignore)


def query(
    run: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    sql_or_name: str,
    *,
    params: Mapping[str, str | int | float] | None = None,
) -> Answer:
    """Ask one or several runs a question: a named query, or a SELECT over the view `deals` and its like.

    Returns:
        The rows as an Arrow table (`.table`), and notes on what the runs lack (`.notes`).

    Raises:
        UsageError: no such query or parameter, SQL that DuckDB refuses, anything but a SELECT.
        DealsweepError: no run there, none of its deals committed, a file whose checksums fail.
    """
    from pipeline import ask  # noqa: PLC0415

    return ask.query(run, sql_or_name, params=params)


def _ignore(event: Event) -> None:
    """Show nothing."""
