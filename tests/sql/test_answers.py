"""SQL of a user's own: what is answered, in which forms, and what is refused."""

import csv
import hashlib
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_runs import make_run, read_rows

from pipeline.ask import parameters_of, query
from pipeline.cli import main
from pipeline.errors import RunNotFound, UsageError
from pipeline.rendering import as_text, render


def digests(place):
    files = sorted(file for file in Path(place).rglob("*") if file.is_file())
    return {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_sql_sees_rows_and_constants(black_hole):
    sql = (
        "SELECT deal, verdict, solution, game, search, iteration_limit FROM deals "
        "WHERE deal <= $most ORDER BY deal"
    )
    found = query(black_hole, sql, params={"most": 3}).table.to_pylist()
    constants = {"game": "black-hole", "search": "reference", "iteration_limit": 2000}
    assert found == [
        {k: r[k] for k in ("deal", "verdict", "solution")} | constants for r in read_rows(black_hole)[:3]
    ]


def test_several_runs_are_told_apart(motion, clarke, black_hole):
    sql = "SELECT run, rules, count(*) AS n, count(tail) AS tails FROM deals GROUP BY ALL ORDER BY 1"
    found = query([motion, clarke, black_hole], sql).table.to_pylist()
    assert [(r["run"], r["rules"], r["n"]) for r in found] == [
        ("black hole", "standard", 120),
        ("clarke", "clarke", 600),
        ("motion", "masten", 600),
    ]
    assert found[0]["tails"] == 0 and found[1]["tails"] > 0


def test_runs_of_the_same_name_are_called_by_their_places(motion, tmp_path):
    other = make_run(tmp_path / "motion", "perpetual-motion", "1..10", 10)
    runs = query([motion, other], "SELECT run FROM runs").table.column("run").to_pylist()
    assert runs == [motion, other]
    assert query([motion, motion], "SELECT run FROM runs").table.num_rows == 1


@pytest.mark.parametrize(
    "sql, told",
    [
        ("SELEC 1", 'Parser Error: syntax error at or near "SELEC"'),
        ("SELECT nothing FROM deals", "nothing"),
        ("SELECT * FROM dealz", 'Did you mean "deals"'),
        ("SELECT 'x'::INTEGER", "Could not convert"),
        ("SELECT 1; SELECT 2", "one statement, not 2"),
        (" ", "one statement, not 0"),
        ("SELECT $a", "parameter $a without a value"),
        ("no_such_query", "it is one of blocks, "),
    ],
)
def test_bad_questions_are_one_line_and_a_usage_error(black_hole, capsys, sql, told):
    with pytest.raises(UsageError) as error:
        query(black_hole, sql)
    assert told in str(error.value) and "\n" not in str(error.value)
    assert main(["query", black_hole, sql]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1 and told in printed.err


@pytest.mark.parametrize(
    "sql",
    [
        "DROP VIEW deals",
        "CREATE TABLE t AS SELECT 1",
        "COPY deals TO '{file}'",
        "COPY deals TO '{file}' (FORMAT parquet, USE_TMP_FILE false)",
        "WITH x AS (COPY deals TO '{file}' (USE_TMP_FILE false)) SELECT 1",
        "EXPLAIN ANALYZE COPY deals TO '{file}'",
        "ATTACH '{file}.db'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "EXPORT DATABASE '{file}.d'",
        "SELECT * FROM read_parquet('{file}')",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM query('COPY deals TO ''{file}''')",
    ],
)
def test_no_sql_reaches_a_file(motion, sql):
    before = digests(motion)
    with pytest.raises(UsageError):
        query(motion, sql.format(file=next(file for file in before if file.suffix == ".parquet")))
    assert digests(motion) == before


def test_a_question_leaves_the_run_as_it_was(black_hole):
    before = digests(black_hole)
    query(black_hole, "win_rate")
    query(black_hole, "WITH x AS (INSERT INTO base_coverage VALUES (0, 1, 2, 'x')) SELECT 1")
    assert digests(black_hole) == before
    assert query(black_hole, "coverage").table.num_rows == 1


def test_nothing_is_drawn_among_the_answers(black_hole):
    """DuckDB would draw a bar on standard output while a slow statement lasts, terminal or not."""
    sql = "SELECT current_setting('enable_progress_bar') AS bar"
    assert query(black_hole, sql).table.to_pylist() == [{"bar": False}]


def test_formats_hold_the_same_rows(black_hole, capfdbinary):
    sql = "SELECT deal, verdict, reason, solution, iterations / 3 AS third FROM deals ORDER BY deal LIMIT 9"
    expected = query(black_hole, sql).table
    out = {}
    for form in ("csv", "json", "parquet", "table"):
        assert main(["query", black_hole, sql, "--format", form]) == 0
        printed = capfdbinary.readouterr()
        assert printed.err == b""
        out[form] = printed.out
    assert pq.read_table(io.BytesIO(out["parquet"])).to_pylist() == expected.to_pylist()
    rows = json.loads(out["json"])
    assert [r["deal"] for r in rows] == list(range(1, 10))
    for row, truth in zip(rows, expected.to_pylist(), strict=True):
        assert row == truth | {"solution": truth["solution"] and truth["solution"].hex()}
    lines = list(csv.DictReader(io.StringIO(out["csv"].decode())))
    assert [float(line["third"]) for line in lines] == [row["third"] for row in rows]
    assert [line["solution"] for line in lines] == [row["solution"] or "" for row in rows]
    assert [line["reason"] for line in lines] == [row["reason"] or "" for row in rows]
    assert out["table"].decode().splitlines()[0].split() == ["deal", "verdict", "reason", "solution", "third"]
    assert len(out["table"].splitlines()) == 2 + 9


def test_output_goes_to_a_file_but_not_into_the_run(black_hole, tmp_path, capsys):
    file = tmp_path / "winnable.csv"
    assert main(["query", black_hole, "winnable", "--format", "csv", "--output", str(file)]) == 0
    won = [row["deal"] for row in read_rows(black_hole) if row["verdict"] == "solved"]
    assert file.read_text() == "run,deal\n" + "".join(f"black hole,{deal}\n" for deal in won)
    assert capsys.readouterr().out == ""
    assert main(["query", black_hole, "winnable", "-o", str(Path(black_hole, "shards", "x"))]) == 2
    assert main(["query", black_hole, "winnable", "-o", str(tmp_path / "none" / "x")]) == 1
    assert main(["query", black_hole, "winnable", "--format", "xml"]) == 2
    assert "one of table, csv, json, parquet" in capsys.readouterr().err


def test_parameters_come_from_the_command_line(black_hole, capsys):
    assert (
        main(["query", black_hole, "hardest", "-p", "top=2", "--param", "verdict=solved", "-f", "json"]) == 0
    )
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 2 and {row["verdict"] for row in rows} == {"solved"}
    assert parameters_of("SELECT $a, $b, $c", ["a=3", "b=0.5", "c=x=y"]) == {"a": 3, "b": 0.5, "c": "x=y"}
    for bad in (["top"], ["=3"], ["top=1", "top=2"], ["tip=1"], ["top=x"]):
        with pytest.raises(UsageError):
            parameters_of("hardest", bad)


def test_no_run_and_no_question(black_hole, tmp_path, capsys):
    with pytest.raises(RunNotFound):
        query(tmp_path, "win_rate")
    assert main(["query", str(tmp_path / "none"), "win_rate"]) == 1
    assert main(["query", black_hole]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_queries_lists_them(capsys):
    assert main(["queries"]) == 0
    out = capsys.readouterr().out
    assert "\nwin_rate\n  How many of the deals can be won" in out and "--param top=20" in out


def test_a_table_is_aligned_and_safe_for_a_terminal():
    table = pa.table({"name": ["a", "long\x1b[31m\n"], "n": [1, 1000], "x": [0.25, None]})
    assert as_text(table).splitlines() == [
        "name               n     x",
        "--------------  ----  ----",
        "a                  1  0.25",
        "long\\x1b[31m\\n  1000     -",
    ]
    assert as_text(table.slice(0, 1), width=5) == "name  a\nn     1\nx     0.25\n"


def test_numbers_stay_exact():
    huge = pa.table({"n": pa.array([2**64 - 1], pa.uint64()), "d": pa.array([10**30], pa.decimal128(38, 0))})
    assert json.loads(render(huge, "json")) == [{"n": 2**64 - 1, "d": 10**30}]
    assert render(huge, "csv").decode() == f"n,d\n{2**64 - 1},{10**30}\n"
    strange = pa.table({"x": [float("nan"), float("inf")], "l": [[1], [2]], "t": [True, None]})
    assert json.loads(render(strange, "json")) == [
        {"x": None, "l": [1], "t": True},
        {"x": None, "l": [2], "t": None},
    ]
    assert render(strange, "csv").decode().splitlines()[1] == "nan,[1],true"
    with pytest.raises(UsageError):
        render(strange, "xml")
