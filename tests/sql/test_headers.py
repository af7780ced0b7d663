import re

import duckdb
import pytest

from pipeline import questions
from pipeline.ask import open_runs
from pipeline.errors import UsageError

NAMED = questions.named_queries()
VIEWS = {view.name: view for view in questions.views()}


@pytest.fixture(scope="module")
def session(black_hole, motion):
    with open_runs([black_hole, motion]) as session:
        yield session


def described(session, sql):
    rows = session.ask(f"SELECT column_name, column_type FROM (DESCRIBE {sql})").table.to_pylist()
    return [(row["column_name"], row["column_type"]) for row in rows]


@pytest.mark.parametrize("name", NAMED)
def test_a_query_returns_the_columns_its_header_promises(session, name):
    question = NAMED[name]
    sql = question.sql
    for parameter in question.parameters:
        text = str(parameter.default) if parameter.type == "UBIGINT" else f"'{parameter.default}'"
        sql = sql.replace(f"${parameter.name}", text)
    assert described(session, sql) == [(column.name, column.type) for column in question.columns]
    # The header's parameters are the statement's, and running it with them gives the same columns.
    used = set(re.findall(r"\$(\w+)", question.sql))
    assert used == {parameter.name for parameter in question.parameters}
    assert session.ask(name).table.column_names == [column.name for column in question.columns]


@pytest.mark.parametrize("name", [name for name, view in VIEWS.items() if view.columns])
def test_a_view_has_the_columns_its_header_promises(session, name):
    promised = [(column.name, column.type) for column in VIEWS[name].columns]
    found = described(session, f"SELECT * FROM {name}")
    if ("...", "") in promised:
        gap = promised.index(("...", ""))
        after = len(promised) - gap - 1
        own = found[gap : len(found) - after]
        assert own == [(name, "UBIGINT") for name in ("deals", "tail", "period", "cards_left")]
        found, promised = found[:gap] + found[-after:], promised[:gap] + promised[-after:]
    assert found == promised


@pytest.mark.parametrize("question", [*NAMED.values(), *VIEWS.values()], ids=lambda q: q.name)
def test_a_file_holds_one_statement_and_asks_a_question(question):
    assert len(duckdb.connect().extract_statements(question.sql)) == 1
    assert question.question[0].isupper()
    assert all(column.help for column in question.columns)


def test_the_needs_of_a_view_are_created_before_it():
    order = list(VIEWS)
    for view in VIEWS.values():
        assert all(order.index(need) < order.index(view.name) for need in view.needs)


def test_parse_reads_a_header():
    text = (
        "-- Question: Which?\n-- A remark: with a colon.\n-- Parameters:\n--   top UBIGINT = 20: how many\n"
        "--   kind VARCHAR = any: of what kind\n-- Columns:\n--   deal UBIGINT: the deal: its number\n"
        "-- Needs: deals, runs\nSELECT 1;\n"
    )
    question = questions.parse("sample", text)
    assert (question.question, question.remarks) == ("Which?", "A remark: with a colon.")
    assert [(p.name, p.type, p.default) for p in question.parameters] == [
        ("top", "UBIGINT", 20),
        ("kind", "VARCHAR", "any"),
    ]
    assert question.columns == (questions.Column("deal", "UBIGINT", "the deal: its number"),)
    assert question.needs == ("deals", "runs")
    assert question.sql == "SELECT 1"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "-- Columns:\n--   deal UBIGINT: the deal\nSELECT 1",
        "-- words first\n-- Question: Which?\nSELECT 1",
        "-- Question: Which?\n-- Parameters:\n--   top UBIGINT: no default\nSELECT 1",
        "-- Question: Which?\n-- Columns:\n--   deal\nSELECT 1",
    ],
)
def test_parse_refuses_a_header_it_cannot_read(text):
    with pytest.raises(questions.HeaderError):
        questions.parse("sample", text)


def test_parameters_are_checked_against_the_header():
    hardest = questions.find_query("hardest")
    assert questions.bind(hardest, {"top": "1_000"}) == {"top": 1000, "verdict": "any"}
    with pytest.raises(UsageError, match='no parameter "tip": it has top, verdict'):
        questions.bind(hardest, {"tip": 3})
    for text in ("x", "-1", "1.5", str(2**64)):
        with pytest.raises(UsageError, match="whole number"):
            questions.bind(hardest, {"top": text})


def test_the_catalogue_tells_every_question_and_parameter():
    text = questions.catalogue()
    for question in NAMED.values():
        assert f"\n{question.name}\n  {question.question}\n" in text
        assert all(f"--param {p.name}={p.default}" in text for p in question.parameters)
