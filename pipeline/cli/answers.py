"""The commands that ask questions of runs: `query`, `queries` and `report`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.errors import DealsweepError, UsageError
from pipeline.objects import absolute, is_remote

_Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command()(query)
    app.command()(queries)
    app.command()(report)


def query(
    runs_and_question: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN... QUESTION",
            help="One run or several, then the name of a query (see `dealsweep queries`) or a SELECT.",
        ),
    ],
    form: Annotated[str, typer.Option("--format", "-f", help="table, csv, json or parquet.")] = "table",
    output: _Output = None,
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", metavar="NAME=VALUE", help="A parameter; may be repeated."),
    ] = None,
) -> None:
    """Ask one or several runs a question, in a word or in SQL.

    The views are deals (a row a deal and run, with the run's game, rules, search and limit), runs, coverage,
    published and a few more: see `dealsweep queries`. What a run lacks is said first, on standard error.
    """
    from pipeline.ask import open_runs, parameters_of  # noqa: PLC0415 - DuckDB loads where it is used
    from pipeline.rendering import FORMATS, render  # noqa: PLC0415

    *places, question = runs_and_question
    if not places:
        raise UsageError("query needs a run and a question: dealsweep query RUN win_rate")
    if form not in FORMATS:
        raise UsageError(f'no format is named "{form}": it is one of {", ".join(FORMATS)}')
    if form == "parquet" and output is None and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal: add --output FILE")
    _keep_out_of_runs(output, places)
    given = parameters_of(question, param or [])
    with open_runs(places) as session:
        _tell(session.notes)
        table = session.ask(question, given).table
    _write(render(table, form, shutil.get_terminal_size((240, 24)).columns), output)


def queries() -> None:
    """List the named queries: their questions, parameters and columns, then the views for SQL."""
    from pipeline.questions import catalogue  # noqa: PLC0415

    _write(catalogue().encode(), None)


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file.")] = Path("report.html"),
) -> None:
    """Write a report on a run: one HTML file that needs no network."""
    from pipeline.ask import open_runs  # noqa: PLC0415 - DuckDB loads where it is used
    from pipeline.report import write_report  # noqa: PLC0415

    _keep_out_of_runs(output, [run])
    with open_runs(run) as session:
        _tell(session.notes)
        page = write_report(session)
    _write(page.encode(), output)


def _tell(notes: tuple[str, ...]) -> None:
    for note in notes:
        typer.echo(note, err=True)


def _keep_out_of_runs(output: Path | None, places: list[str]) -> None:
    """Refuse to write among a run's own files."""
    if output is None:
        return
    for place in places:
        if not is_remote(place) and output.resolve().is_relative_to(Path(absolute(place)).resolve()):
            raise UsageError(f"{output} lies in the run {place}: write it somewhere else")


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise DealsweepError(f"{output}: {error.strerror}") from None
