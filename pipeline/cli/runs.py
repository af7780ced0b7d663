"""The commands that make runs and look after them: `run`, `resume`, `retry`, `status`, `verify`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import (
    Limit,
    LimitOrNone,
    MemoryCap,
    Prune,
    Rules,
    Search,
    Switches,
    read_limit,
    read_switches,
)
from pipeline.deals import DealRange
from pipeline.errors import ExitCode, RunNotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.progress import Event

RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="Where the run is kept: a folder, or s3://, gs://, az://.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="N", help="Deals solved at once; default: every CPU.")
]
Address = Annotated[
    str | None,
    typer.Option("--address", help="A Ray cluster to join, such as auto; default: one on this machine."),
]
ProgressStyle = Annotated[str, typer.Option("--progress", help="auto, rich, plain, json or none.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (run, resume, retry, status, verify):
        app.command()(command)


def run(
    game: Annotated[str, typer.Argument(help="A game; `dealsweep games` lists them.")],
    deals: Annotated[str, typer.Argument(help="A range of deal numbers, such as 1..1_000_000.")],
    out: Annotated[str, typer.Option("--out", help="Where the run is kept: a folder, s3://, gs://, az://.")],
    rules: Rules = None,
    rule: Switches = None,
    search: Search = None,
    prune: Prune = None,
    limit: Limit = None,
    memory_cap: MemoryCap = None,
    solutions: Annotated[bool, typer.Option("--solutions", help="Keep a winning line of each.")] = False,
    shard_size: Annotated[
        int | None, typer.Option("--shard-size", metavar="N", help="Deals a file, for a new run.")
    ] = None,
    workers: Workers = None,
    address: Address = None,
    progress: ProgressStyle = "auto",
) -> int:
    """Decide a range of deals, into a new run or one that is there: only what is missing is run."""
    from pipeline import driver  # noqa: PLC0415
    from pipeline.config import ExecutionOptions, RunConfig  # noqa: PLC0415
    from pipeline.progress import open_display  # noqa: PLC0415

    asked = DealRange.parse(deals)
    config = RunConfig.resolve(
        game,
        rules=rules,
        rule=read_switches(rule),
        search=search,
        prune=prune,
        limit=limit,
        memory_cap=memory_cap,
        solutions=solutions,
    )
    options = ExecutionOptions(workers=workers, address=address)
    with open_display(progress) as show:
        summary = driver.start(config, asked, out, shard_size=shard_size, options=options, show=show)
    return _end(summary.exit_code, out)


def resume(
    run: RunArgument,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try the deals again that killed their workers.")
    ] = False,
    workers: Workers = None,
    address: Address = None,
    progress: ProgressStyle = "auto",
) -> int:
    """Finish a run: only what is missing, with the settings it was made with."""
    from pipeline import driver  # noqa: PLC0415
    from pipeline.config import ExecutionOptions  # noqa: PLC0415
    from pipeline.progress import open_display  # noqa: PLC0415

    options = ExecutionOptions(workers=workers, address=address)
    with open_display(progress) as show:
        summary = driver.resume(run, retry_failed=retry_failed, options=options, show=show)
        if summary.retry_of is not None:
            _tell_whole(run, show)
    return _end(summary.exit_code, run)


def retry(
    run: RunArgument,
    limit: LimitOrNone = None,
    memory_cap: MemoryCap = None,
    search: Annotated[str | None, typer.Option("--search", help="Another search than RUN's.")] = None,
    prune: Prune = None,
    out: Annotated[
        str | None,
        typer.Option("--out", help="Where the retry is kept; default: beside RUN, named after both."),
    ] = None,
    shard_size: Annotated[
        int | None, typer.Option("--shard-size", metavar="N", help="Deals a file, for a new retry.")
    ] = None,
    workers: Workers = None,
    address: Address = None,
    progress: ProgressStyle = "auto",
) -> int:
    """Try the undecided deals of a run again, into a run linked to it, with a larger limit or another search.

    What is not named is as in RUN; with another --search the limits are that search's own. The same
    command again goes on, and takes up what has become undecided since. Questions asked of the retry see
    all deals of RUN, each with the stronger verdict.
    """
    from pipeline import second_pass  # noqa: PLC0415 - DuckDB loads where it is used
    from pipeline.config import ExecutionOptions  # noqa: PLC0415
    from pipeline.progress import open_display  # noqa: PLC0415

    options = ExecutionOptions(workers=workers, address=address)
    changes = second_pass.Changes(read_limit(limit), memory_cap, search, prune)
    with open_display(progress) as show:
        done = second_pass.retry(run, changes, out, shard_size=shard_size, options=options, show=show)
    return ExitCode.COMPLETE if done.summary is None else _end(done.summary.exit_code, done.summary.location)


def status(
    run: RunArgument,
    form: Annotated[str, typer.Option("--format", "-f", help="table or json.")] = "table",
) -> int:
    """Say how a run stands: range, shards, counts, configuration. Exit code 4 when deals are missing."""
    from pipeline import driver  # noqa: PLC0415

    if form not in ("table", "json"):
        raise UsageError(f'no format is named "{form}": it is table or json')
    summary = driver.status(run)
    print(json.dumps(summary.to_json(), indent=2) if form == "json" else "\n".join(summary.lines()))
    return _end(summary.exit_code, run)


def verify(run: RunArgument) -> int:
    """Read every shard whole and check it; what is broken goes to quarantine and is planned again."""
    from pipeline import driver  # noqa: PLC0415
    from pipeline.progress import open_display  # noqa: PLC0415

    with open_display("plain") as show:
        summary = driver.verify(run, show=show)
    good = f"{summary.shards_done:,} shards verified, {len(summary.broken):,} broken"
    print(f"{summary.location}: {good}")
    return _end(summary.exit_code, run)


def _tell_whole(location: str, show: Callable[[Event], None]) -> None:
    """What a retry and its run say together; only a note when the run is gone."""
    from pipeline.progress import Notice  # noqa: PLC0415
    from pipeline.second_pass import tell_whole  # noqa: PLC0415 - DuckDB loads where it is used

    try:
        tell_whole(location, show)
    except RunNotFound as error:
        show(Notice("note", str(error)))


def _end(code: ExitCode, location: str) -> int:
    """The exit code, and what to do about it."""
    from pipeline.summary import resume_command  # noqa: PLC0415

    sys.stdout.flush()
    if code is ExitCode.INCOMPLETE:
        print(f"incomplete; to go on: {resume_command(location)}", file=sys.stderr)
    return code
