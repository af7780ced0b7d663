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
from itertools import count
from typing import Self

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]

from pipeline import questions
from pipeline.deals import DealRange, describe, merge, subtract, unite
from pipeline.errors import DealsweepError, SolverFault, StoreError, UsageError
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
    "retry_of": "VARCHAR",
    "won_verdict": "VARCHAR",
    "lost_verdict": "VARCHAR",
}

_LINK_COLUMNS = {
    "link_id": "INTEGER",
    "run_id": "INTEGER",
    "origin": "VARCHAR",
    "search": "VARCHAR",
    "prune": "VARCHAR",
    "iteration_limit": "UBIGINT",
    "build": "VARCHAR",
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
    if not any(link.scan.shards for part in parts for link in part.links):
        names = ", ".join(part.location for part in parts)
        raise DealsweepError(f"no deals are committed yet in {names}: there is nothing to ask")
    with Session(parts) as session:
        yield session


class Session:
    """An in-memory database with the views of sql/ over some runs."""

    def __init__(self, parts: Sequence[RunRows]) -> None:
        self.parts = tuple(parts)
        # Several retries may stand on one run.
        links = {link.location: link for part in parts for link in part.links}
        self.notes = tuple(note for link in links.values() for note in notes_on(link))
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
        database.execute("SET enable_progress_bar = false")  # it is drawn where answers belong
        database.execute(_create("base_runs", _RUN_COLUMNS))
        _insert(database, "base_runs", [_facts(i, part) for i, part in enumerate(self.parts)])
        database.register("coverage_rows", pa.concat_tables(map(_coverage_of, count(), self.parts)))
        database.execute("CREATE TABLE base_coverage AS SELECT * FROM coverage_rows")
        files = {"run_id": "INTEGER", "file": "VARCHAR", "reason": "VARCHAR"}
        database.execute(_create("base_broken", files))
        broken = [(i, *file) for i, part in enumerate(self.parts) for file in part.scan.broken]
        _insert(database, "base_broken", broken)
        self._load_rows()
        for view in questions.views():
            database.execute(view.sql)
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")

    def _load_rows(self) -> None:
        """Make the rows of all runs one view; a retry's are those of its links, each deal's from one."""
        database = self._database
        database.execute(_create("base_links", _LINK_COLUMNS))
        selects: list[str] = []
        for i, part in enumerate(self.parts):
            links = {len(selects) + place: link for place, link in enumerate(part.links)}
            _insert(database, "base_links", [_link_facts(n, i, link) for n, link in links.items()])
            for n, link in links.items():
                database.register(f"rows_{n}", link.rows())
            if part.older:
                with _plain_errors(self.parts):
                    self._choose_rows(links)
            selects += [_rows_of(n, link, links) for n, link in links.items()]
        database.execute(f"CREATE VIEW base_rows AS {' UNION ALL BY NAME '.join(selects)}")

    def _choose_rows(self, links: Mapping[int, RunRows]) -> None:
        """Say for each deal that several links may hold whose row counts, in the table chosen_N of each link.

        The first proof of a deal counts, or where there is none the last attempt. Raises SolverFault when
        one link has won a deal that another has lost.
        """
        first, *later = links
        held = " UNION ".join(f"SELECT deal FROM rows_{n}" for n in later)
        known = " UNION ALL ".join(
            f"SELECT {n} AS link, deal, verdict::VARCHAR AS verdict FROM rows_{n} SEMI JOIN held USING (deal)"
            for n in links
        )
        undecided = links[first].config.verdicts[2]
        self._database.execute(
            f"CREATE TABLE chosen_{first} AS WITH held AS ({held}), known AS ({known}) "
            "SELECT deal, "
            "arg_max(link, CASE verdict WHEN $undecided THEN link ELSE $many - link END) AS link_id, "
            "min(verdict) FILTER (verdict <> $undecided) AS one, "
            "max(verdict) FILTER (verdict <> $undecided) AS other FROM known GROUP BY deal",
            {"undecided": undecided, "many": 2**30},
        )
        found = self._database.execute(
            f"SELECT deal, one, other FROM chosen_{first} WHERE one <> other ORDER BY deal LIMIT 1"
        ).fetchone()
        if found is not None:
            deal, *verdicts = found
            raise self._contradiction(links, deal, verdicts)

    def _contradiction(self, links: Mapping[int, RunRows], deal: int, verdicts: Sequence[str]) -> SolverFault:
        """What is said of a deal with two verdicts."""
        told = []
        for verdict in verdicts:
            for n, link in links.items():
                sql = f"SELECT 1 FROM rows_{n} WHERE deal = $deal AND verdict::VARCHAR = $verdict"
                if self._database.execute(sql, {"deal": deal, "verdict": verdict}).fetchone():
                    told.append(f"{verdict} in {link.location}")
                    break
        return SolverFault(
            f"deal {deal} is {' and '.join(told)}: verdicts are proofs, so that one of these builds is wrong"
        )


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
    asked = unite(*(link.scan.asked for link in part.links))
    solved = unite(*(link.scan.solved_ranges for link in part.links))
    without = [deal for link in part.links for deal in link.scan.failures]
    failed = unite(subtract(merge(DealRange(deal, deal) for deal in without), solved))
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
        describe(asked),
        describe(solved),
        asked.total,
        solved.total,
        unite(subtract(asked, unite(solved, failed))).total,
        failed.total,
        part.older[-1].location if part.older else None,
        part.config.verdicts[0],
        part.config.verdicts[1],
    ]


def _coverage_of(run_id: int, part: RunRows) -> pa.Table:
    """What became of a run's deals; there may be a range a deal, too many to be inserted one by one."""
    states = [(run_id, deals.first, deals.last, state) for deals, state in part.states()]
    columns = zip(*states, strict=True) if states else [()] * 4
    kinds = {"run_id": pa.int32(), "first": pa.uint64(), "last": pa.uint64(), "state": pa.string()}
    return pa.table([pa.array(c, k) for c, k in zip(columns, kinds.values(), strict=True)], list(kinds))


def _link_facts(link_id: int, run_id: int, link: RunRows) -> Sequence[Value | None]:
    settings = link.config.settings
    limits = [settings["search"], settings.get("prune"), settings.get("limit")]
    return [link_id, run_id, link.name, *limits, link.config.sources]


def _create(table: str, columns: Mapping[str, str]) -> str:
    return f"CREATE TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())})"


def _insert(database: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[Value | None]]) -> None:
    if rows:
        database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _rows_of(link_id: int, link: RunRows, links: Mapping[int, RunRows]) -> str:
    """A SELECT of those rows of a link that count."""
    own = "".join(f', "{name}"' for name in link.config.own_columns)
    first, *later = links
    if not later:
        chosen = ""
    elif link_id == first:  # nearly all of its deals are in no later link
        chosen = f"ANTI JOIN (SELECT deal FROM chosen_{first} WHERE link_id <> {link_id}) USING (deal)"
    else:
        chosen = f"SEMI JOIN (SELECT deal FROM chosen_{first} WHERE link_id = {link_id}) USING (deal)"
    return (
        f"SELECT {link_id} AS link_id, deal, verdict::VARCHAR AS verdict, reason::VARCHAR AS reason, "
        f"iterations, generated, solution{own} FROM rows_{link_id} {chosen}"
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
            for link in part.links:
                link.find_damage()
        kind = UsageError if isinstance(error, duckdb.InvalidInputException) else StoreError
        raise kind(_first_lines(error)) from None


def _first_lines(error: Exception) -> str:
    """DuckDB's message without the excerpt of the statement."""
    told = str(error).split("\n\nLINE ")[0]
    return " ".join(told.split())
