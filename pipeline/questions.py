"""The SQL files: named queries, the views they stand on, and what their headers promise.

Every file of sql/ holds one statement under a header of comment lines::

    -- Question: Which deals took the most iterations?
    -- More words about it, as many lines as it takes.
    -- Parameters:
    --   top UBIGINT = 20: how many deals
    -- Columns:
    --   deal UBIGINT: the deal number
    SELECT ...

The header of a view may name the views it needs (`-- Needs: deals, runs`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from pipeline.errors import UsageError

Value = int | float | str | bool

_PACKAGE = Path(__file__).resolve().parent
_FIELD = re.compile(r"(?P<name>\w+|\.\.\.) *(?P<type>[A-Z]+)?(?: = (?P<default>[^:]+))?: (?P<help>.+)")
_NAME = re.compile(r"\w+")


class HeaderError(ValueError):
    """A file of sql/ whose header cannot be read: a fault of this package."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a named query can be told with `--param name=value`."""

    name: str
    type: str
    default: Value
    help: str

    def read(self, text: str) -> Value:
        """The value that a command line's text stands for. Raises UsageError."""
        try:
            return _read(self.type, text)
        except ValueError:
            kind = {"UBIGINT": "a whole number of at least 0", "DOUBLE": "a number"}[self.type]
            raise UsageError(f'parameter {self.name} is {kind}, not "{text}"') from None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer, with its DuckDB type. The name `...` stands for any others."""

    name: str
    type: str
    help: str


@dataclass(frozen=True, slots=True)
class Question:
    """A file of sql/: a named query, a view or a macro."""

    name: str
    question: str
    remarks: str
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    needs: tuple[str, ...]
    sql: str


def sql_folder() -> Path:
    """The folder of SQL files: inside an installed package, beside it in a checkout."""
    for folder in (_PACKAGE / "sql", _PACKAGE.parent / "sql"):
        if (folder / "queries").is_dir():
            return folder
    raise HeaderError(f"no SQL files in or beside {_PACKAGE}")


def named_queries() -> dict[str, Question]:
    """Every named query, by name."""
    return {question.name: question for question in _read_folder("queries")}


def views() -> list[Question]:
    """Every view and macro, in an order in which they can be created."""
    found = {view.name: view for view in _read_folder("views")}
    order = TopologicalSorter({name: view.needs for name, view in found.items()}).static_order()
    return [found[name] for name in order]


def is_name(text: str) -> bool:
    """Whether this is the name of a query, known or not, rather than SQL."""
    return _NAME.fullmatch(text) is not None


def find_query(name: str) -> Question:
    """The query of this name. Raises UsageError."""
    known = named_queries()
    if name not in known:
        raise UsageError(f'no query is named "{name}": it is one of {", ".join(known)}, or SQL')
    return known[name]


def bind(question: Question, given: Mapping[str, Value]) -> dict[str, Value]:
    """A value for every parameter: the given one, or the default. Raises UsageError."""
    known = {parameter.name: parameter for parameter in question.parameters}
    for name in given:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f'query {question.name} has no parameter "{name}": {has}')
    return {name: p.read(str(given[name])) if name in given else p.default for name, p in known.items()}


def parse(name: str, text: str) -> Question:
    """A file's text, read. Raises HeaderError."""
    lines = text.splitlines()
    body = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    sections = _sections(name, lines[:body])
    if "Question" not in sections:
        raise HeaderError(f"{name}: the header asks no question")
    question, *remarks = sections["Question"]
    return Question(
        name=name,
        question=question,
        remarks=" ".join(remarks),
        parameters=tuple(_parameter(name, line) for line in sections.get("Parameters", ())),
        columns=tuple(_column(name, line) for line in sections.get("Columns", ())),
        needs=tuple(need.strip() for line in sections.get("Needs", ()) for need in line.split(",")),
        sql="\n".join(lines[body:]).strip().removesuffix(";"),
    )


def _sections(name: str, header: list[str]) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in header:
        comment = line.removeprefix("--").strip()
        title, colon, rest = comment.partition(":")
        if colon and title in ("Question", "Parameters", "Columns", "Needs", "Source"):
            current = sections.setdefault(title, [])
            comment = rest.strip()
        if current is None:
            raise HeaderError(f"{name}: the header begins with {line!r}, not with its question")
        if not line.startswith("--   ") and not colon and current is not sections.get("Question"):
            current = sections["Question"]
        if comment:
            current.append(comment)
    return sections


def _parameter(name: str, line: str) -> Parameter:
    found = _FIELD.fullmatch(line)
    if not found or not found["default"]:
        raise HeaderError(f"{name}: {line!r} is not `name TYPE = default: help`")
    return Parameter(found["name"], found["type"], _read(found["type"], found["default"]), found["help"])


def _column(name: str, line: str) -> Column:
    found = _FIELD.fullmatch(line)
    if not found:
        raise HeaderError(f"{name}: {line!r} is not `name TYPE: help`")
    return Column(found["name"], found["type"] or "", found["help"])


def _read(kind: str, text: str) -> Value:
    if kind == "UBIGINT":
        number = int(text.replace("_", ""))
        if not 0 <= number < 2**64:
            raise ValueError(text)
        return number
    return float(text) if kind == "DOUBLE" else text


def _read_folder(kind: str) -> list[Question]:
    files = sorted((sql_folder() / kind).glob("*.sql"))
    return [parse(file.stem, file.read_text(encoding="utf-8")) for file in files]


def catalogue() -> str:
    """Every named query and view with its question, parameters and columns, as text."""
    title = "Named queries: dealsweep query RUN NAME --param name=value\n"
    asked = [_describe(question) for question in named_queries().values()]
    stood_on = [_describe(view) for view in views() if view.columns]
    return "\n".join([title, *asked, 'Views, for SQL: dealsweep query RUN "SELECT ..."\n', *stood_on])


def _describe(question: Question) -> str:
    parameters = [f"    --param {p.name}={p.default}  {p.help}" for p in question.parameters]
    width = max(len(column.name) for column in question.columns)
    columns = [f"    {c.name.ljust(width)}  {c.help}" for c in question.columns]
    remarks = [f"  {line}" for line in textwrap.wrap(question.remarks, 96)]
    return "\n".join([question.name, f"  {question.question}", *remarks, *parameters, *columns, ""])
