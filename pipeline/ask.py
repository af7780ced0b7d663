"""Questions about runs, finished or not: SQL over the committed rows, by DuckDB.

    >>> from pipeline.ask import query
    >>> print(query("runs/bh", "win_rate").table)
    >>> query(["runs/standard", "runs/wrap"], "SELECT rules, count_if(winnable) FROM deals GROUP BY 1")

Rows are read by pyarrow, which checks every page against its checksum (DuckDB's own reader does not),
and handed to an in-memory database that can reach no file: no SQL text can change a run.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]

from pipeline import questions
from pipeline.deals import count_deals, describe
from pipeline.errors import DealsweepError, StoreError, UsageError
from pipeline.questions import Value
from pipeline.rows import RunRows, read_runs

_MISTAKES = (
    duckdb.ParserException,
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ConversionException,
    duckdb.InvalidTypeException,
    duckdb.NotSupportedError,
    duckdb.NotImplementedException,
    duckdb.OutOfRangeException,
    duckdb.PermissionException,
    duckdb.SyntaxException,
    duckdb.TypeMismatchException,
)

_RUN_COLUMNS = {
    "run_id": "INTEGER",
    "run": "VARCHAR",
    "location": "VARCHAR",
    "game": "VARCHAR",
    "rules": "VARCHAR",
    "switches": "VARCHAR",
    "search": "VARCHAR",
    "prune": "VARCHAR",
    "iteration_limit": "UBIGINT",
    "memory_cap_bytes": "UBIGINT",
    "dealer": "VARCHAR",
    "build": "VARCHAR",
    "fingerprint": "VARCHAR",
    "wanted": "VARCHAR",
    "covered": "VARCHAR",
    "deals_wanted": "UBIGINT",
    "deals_committed": "UBIGINT",
    "deals_missing": "UBIGINT",
    "deals_failed": "UBIGINT",
    "won_verdict": "VARCHAR",
    "lost_verdict": "VARCHAR",
}


@dataclass(frozen=True)
class Answer:
    """What a question brought.

    Attributes:
        table: the rows.
        notes: one line each: what is missing, broken or failed in the runs that were asked.
    """

    table: pa.Table
    notes: tuple[str, ...] = field(default=())


def query(
    run: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    sql_or_name: str,
    *,
    params: Mapping[str, Value] | None = None,
) -> Answer:
    """Ask one or several runs a question.

    Args:
        run: where a run lies (a folder or the URL of an object store), or several such places.
        sql_or_name: the name of a query of sql/queries, or a SELECT over the views `deals`, `runs`,
            `coverage`, `published` and their like.
        params: values for the query's parameters ($name in SQL).

    Returns:
        The rows, and notes on what the runs lack.

    Raises:
        UsageError: no such query or parameter, SQL that DuckDB refuses, anything but a SELECT.
        RunNotFound: a place that holds no run.
        StoreError: a store that cannot be read, a file whose checksums fail.
        DealsweepError: runs without a single committed deal.
    """
    with open_runs(run) as session:
        return session.ask(sql_or_name, params)


def parameters_of(sql_or_name: str, settings: Sequence[str]) -> dict[str, Value]:
    """Read several `name=value` for a question. Raises UsageError.

    A named query says what type each of its parameters has. For SQL, what looks like a number is one.
    """
    given: dict[str, Value] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise UsageError(f'"{setting}" is not a parameter such as name=value')
        if name in given:
            raise UsageError(f'parameter "{name}" is given twice')
        given[name] = value if questions.is_name(sql_or_name) else _guess(value)
    if questions.is_name(sql_or_name):
        return questions.bind(questions.find_query(sql_or_name), given)
    return given


def _guess(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@contextmanager
def open_runs(run: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> Iterator[Session]:
    """Open runs for several questions. Raises as `query` does."""
    places = [run] if isinstance(run, str | os.PathLike) else list(run)
    if not places:
        raise UsageError("no run is named")
    parts = read_runs([os.fspath(place) for place in places])
    if not any(part.scan.shards for part in parts):
        names = ", ".join(part.location for part in parts)
        raise DealsweepError(f"no deals are committed yet in {names}: there is nothing to ask")
    with Session(parts) as session:
        yield session


class Session:
    """An in-memory database with the views of sql/ over some runs."""

    def __init__(self, parts: Sequence[RunRows]) -> None:
        self.parts = tuple(parts)
        self.notes = tuple(note for part in parts for note in notes_on(part))
        self._scratch = tempfile.TemporaryDirectory(prefix="dealsweep-query-")
        self._database = duckdb.connect(
            ":memory:",
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "temp_directory": self._scratch.name,  # where large sorts spill
            },
        )
        try:
            self._load()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back memory and scratch files."""
        self._database.close()
        self._scratch.cleanup()

    def ask(self, sql_or_name: str, params: Mapping[str, Value] | None = None) -> Answer:
        """Answer a named query or a SELECT. Raises as `query` does."""
        if questions.is_name(sql_or_name):
            question = questions.find_query(sql_or_name)
            return Answer(self._select(question.sql, questions.bind(question, params or {})), self.notes)
        return Answer(self._select(sql_or_name, params or {}), self.notes)

    def _select(self, sql: str, params: Mapping[str, Value]) -> pa.Table:
        with _plain_errors(self.parts):
            statements = self._database.extract_statements(sql)
            if len(statements) != 1:
                raise UsageError(f"a question is one statement, not {len(statements)}")
            if statements[0].type != duckdb.StatementType.SELECT:
                raise UsageError(f"a question is a SELECT, not {statements[0].type.name}: nothing is changed")
            _check_parameters(statements[0].named_parameters, params)
            return self._database.sql(statements[0], params=dict(params) or None).to_arrow_table()

    def _load(self) -> None:
        """Create the base tables and the views, then close the database's doors."""
        database = self._database
        database.execute(_create("base_runs", _RUN_COLUMNS))
        _insert(database, "base_runs", [_facts(i, part) for i, part in enumerate(self.parts)])
        coverage = {"run_id": "INTEGER", "first": "UBIGINT", "last": "UBIGINT", "state": "VARCHAR"}
        database.execute(_create("base_coverage", coverage))
        states = [
            (i, deals.first, deals.last, state)
            for i, part in enumerate(self.parts)
            for deals, state in part.states()
        ]
        _insert(database, "base_coverage", states)
        files = {"run_id": "INTEGER", "file": "VARCHAR", "reason": "VARCHAR"}
        database.execute(_create("base_broken", files))
        broken = [(i, *file) for i, part in enumerate(self.parts) for file in part.scan.broken]
        _insert(database, "base_broken", broken)
        for i, part in enumerate(self.parts):
            database.register(f"rows_{i}", part.rows())
        rows = " UNION ALL BY NAME ".join(_rows_of(i, part) for i, part in enumerate(self.parts))
        database.execute(f"CREATE VIEW base_rows AS {rows}")
        for view in questions.views():
            database.execute(view.sql)
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")


def _check_parameters(wanted: set[str], given: Mapping[str, Value]) -> None:
    for name in sorted(wanted - given.keys()):
        raise UsageError(f"the question has a parameter ${name} without a value")
    for name in sorted(given.keys() - wanted):
        raise UsageError(f"the question has no parameter ${name}")


def notes_on(part: RunRows) -> Iterator[str]:
    """One line each for what a run lacks."""
    scan = part.scan
    if scan.broken:
        names = "; ".join(f"{file.name}: {file.reason}" for file in scan.broken[:3])
        more = f"; and {len(scan.broken) - 3} more" if len(scan.broken) > 3 else ""
        yield (
            f"{part.name}: {_count(len(scan.broken), 'broken file')} left out ({names}{more}); "
            f"see `dealsweep verify {part.location}`"
        )
    if scan.missing:
        yield (
            f"{part.name}: incomplete, {scan.deals_asked - scan.deals_missing} of {scan.deals_asked} deals; "
            f"missing {describe(scan.missing)}"
        )
    if scan.failures:
        first = ", ".join(str(deal) for deal in list(scan.failures)[:6])
        more = ", ..." if len(scan.failures) > 6 else ""
        yield f"{part.name}: {_count(len(scan.failures), 'deal')} failed, without a verdict: {first}{more}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _facts(run_id: int, part: RunRows) -> Sequence[Value | None]:
    settings = part.config.settings
    return [
        run_id,
        part.name,
        part.location,
        part.config.game,
        part.rules,
        " ".join(f"{name}={value}" for name, value in (settings.get("switches") or {}).items()),
        settings["search"],
        settings.get("prune"),
        settings.get("limit"),
        part.config.memory_cap_bytes,
        part.config.dealer,
        part.config.sources,
        part.config.fingerprint,
        describe(part.scan.asked),
        describe(part.scan.solved_ranges),
        part.scan.deals_asked,
        count_deals(part.scan.solved_ranges),
        part.scan.deals_missing,
        len(part.scan.failures),
        part.config.verdicts[0],
        part.config.verdicts[1],
    ]


def _create(table: str, columns: Mapping[str, str]) -> str:
    return f"CREATE TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())})"


def _insert(database: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[Value | None]]) -> None:
    if rows:
        database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _rows_of(run_id: int, part: RunRows) -> str:
    own = "".join(f', "{name}"' for name in part.config.own_columns)
    return (
        f"SELECT {run_id} AS run_id, deal, verdict::VARCHAR AS verdict, reason::VARCHAR AS reason, "
        f"iterations, generated, solution{own} FROM rows_{run_id}"
    )


@contextmanager
def _plain_errors(parts: Sequence[RunRows]) -> Iterator[None]:
    """DuckDB's errors as ours, in one line."""
    try:
        yield
    except _MISTAKES as error:
        raise UsageError(_first_lines(error)) from None
    except duckdb.Error as error:
        # A page that fails its checksum comes as invalid input; which file it is, DuckDB cannot say.
        for part in parts:
            part.find_damage()
        kind = UsageError if isinstance(error, duckdb.InvalidInputException) else StoreError
        raise kind(_first_lines(error)) from None


def _first_lines(error: Exception) -> str:
    """DuckDB's message without the excerpt of the statement."""
    told = str(error).split("\n\nLINE ")[0]
    return " ".join(told.split())
