"""Every named query against the same figures worked out in plain Python from the files' rows."""

import math
import statistics
from collections import Counter
from fractions import Fraction
from itertools import groupby

import pytest
from small_runs import make_run, read_rows

from pipeline import questions
from pipeline.ask import open_runs, query
from pipeline.tally import wilson

WON, LOST = ("solved", "won"), ("unsolvable", "cycle")


@pytest.fixture(scope="module")
def ask(black_hole):
    with open_runs(black_hole) as session:
        yield lambda name, **params: session.ask(name, params).table.to_pylist()


@pytest.fixture(scope="module")
def rows(black_hole):
    return read_rows(black_hole)


def deviation(values):
    mean = Fraction(sum(values), len(values))
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def test_every_query_has_a_test():
    tested = set("".join(name.removeprefix("test_") + " " for name in globals()).split())
    assert set(questions.named_queries()) <= tested


def test_win_rate(ask, rows):
    (found,) = ask("win_rate")
    counts = Counter(row["verdict"] for row in rows)
    n, solved, open_deals = len(rows), counts["solved"], counts["exhausted"]
    assert n == 120 and min(counts.values()) > 3  # all three verdicts are here
    assert (found["deals"], found["solved"], found["unsolvable"], found["exhausted"]) == (
        n,
        solved,
        counts["unsolvable"],
        open_deals,
    )
    assert found["rate"] == solved / n
    assert found["rate_high"] == (solved + open_deals) / n
    assert found["low95"] == pytest.approx(wilson(solved, n).low, rel=1e-12)
    assert found["high95"] == pytest.approx(wilson(solved + open_deals, n).high, rel=1e-12)
    assert (found["covered"], found["missing"], found["failed"]) == ("1..120", 0, 0)
    assert (found["iteration_limit"], found["search"], found["rules"]) == (2000, "reference", "standard")
    assert (found["dealer"], found["run"]) == ("pysol-cards", "black hole")
    published = wilson(869413, 1000000)
    assert found["published"] == 0.869413
    assert found["published_low95"] == pytest.approx(published.low, rel=1e-12)
    assert found["published_high95"] == pytest.approx(published.high, rel=1e-12)
    assert found["published_deals"] == "869413 of 1000000"


@pytest.mark.parametrize("won, n", [(0, 1), (1, 1), (0, 50), (50, 50), (7, 50), (869413, 1000000)])
def test_the_intervals_are_wilsons(won, n, black_hole):
    sql = "SELECT wilson_low($won, $n) AS low, wilson_high($won, $n) AS high"
    (found,) = query(black_hole, sql, params={"won": won, "n": n}).table.to_pylist()
    assert found["low"] == pytest.approx(wilson(won, n).low, abs=1e-12)
    assert found["high"] == pytest.approx(wilson(won, n).high, abs=1e-12)


def test_verdicts(ask, rows):
    found = ask("verdicts")
    assert [row["verdict"] for row in found] == ["solved", "unsolvable", "exhausted"]
    for row in found:
        values = [r["iterations"] for r in rows if r["verdict"] == row["verdict"]]
        assert (row["deals"], row["iterations"]) == (len(values), sum(values))
        assert (row["least"], row["most"]) == (min(values), max(values))
        assert row["share"] == len(values) / len(rows)
        assert row["mean"] == sum(values) / len(values)
        assert row["median"] == statistics.median(values)
        assert row["sd"] == pytest.approx(deviation(values), rel=1e-14)


def test_the_deviation_is_exact_where_sums_of_squares_in_floats_are_not(black_hole):
    # A billion and a little: the textbook formula in doubles has no correct digit left here.
    sql = (
        "SELECT exact_sd(count(*), sum(x), sum(x::HUGEINT * x::HUGEINT)) AS sd "
        "FROM (SELECT (10000000000 + range % 3)::UBIGINT AS x FROM range(999))"
    )
    (found,) = query(black_hole, sql).table.to_pylist()
    assert found["sd"] == pytest.approx(deviation([i % 3 for i in range(999)]), rel=1e-14)
    (one,) = query(black_hole, "SELECT exact_sd(1, 5, 25) AS sd").table.to_pylist()
    assert one["sd"] is None


def test_iterations(ask, rows):
    found = ask("iterations")
    expected = Counter((row["verdict"], len(str(row["iterations"]))) for row in rows)
    assert {(r["verdict"], len(str(r["iterations_to"]))): r["deals"] for r in found} == expected
    for row in found:
        values = [
            r["iterations"]
            for r in rows
            if r["verdict"] == row["verdict"]
            and row["iterations_from"] <= r["iterations"] <= row["iterations_to"]
        ]
        assert len(values) == row["deals"]


def test_hardest(ask, rows):
    ordered = sorted(rows, key=lambda r: (-r["iterations"], r["deal"]))
    assert [r["deal"] for r in ask("hardest")] == [r["deal"] for r in ordered[:20]]
    solved = [r for r in ordered if r["verdict"] == "solved"][:3]
    assert ask("hardest", top=3, verdict="solved") == [
        {"run": "black hole"} | {k: r[k] for k in ("deal", "verdict", "reason", "iterations", "generated")}
        for r in solved
    ]


def test_winnable(ask, rows):
    assert [r["deal"] for r in ask("winnable")] == [r["deal"] for r in rows if r["verdict"] == "solved"]


def test_winnable_ranges(motion):
    won = [row["deal"] for row in read_rows(motion) if row["verdict"] == "won"]
    expected = []
    for _, group in groupby(enumerate(won), lambda pair: pair[1] - pair[0]):
        deals = [deal for _, deal in group]
        expected.append((deals[0], deals[-1], len(deals)))
    found = query(motion, "winnable_ranges").table.to_pylist()
    assert [(r["first"], r["last"], r["deals"]) for r in found] == expected
    assert max(r["deals"] for r in found) > 1


def test_undecided(ask, rows):
    found = ask("undecided")
    assert [(r["deal"], r["iterations"]) for r in found] == [
        (r["deal"], r["iterations"]) for r in rows if r["verdict"] == "exhausted"
    ]
    assert {(r["reason"], r["iteration_limit"]) for r in found} == {("limit", 2000)}


def test_rounds(motion, clarke, black_hole):
    found = {r["rules"]: r for r in query([motion, clarke, black_hole], "rounds").table.to_pylist()}
    assert set(found) == {"masten", "clarke"}
    for rules, place in (("masten", motion), ("clarke", clarke)):
        rows = read_rows(place)
        won = [r["iterations"] for r in rows if r["verdict"] == "won"]
        ends = [r["iterations"] + (r["verdict"] == "cycle") for r in rows]
        row = found[rules]
        assert (row["won"], row["rounds"], row["median"]) == (len(won), sum(won), statistics.median(won))
        assert row["mean"] == sum(won) / len(won)
        assert row["sd"] == pytest.approx(deviation(won), rel=1e-14)
        assert row["mean_to_end"] == sum(ends) / len(ends)
    assert found["clarke"]["published_mean"] == 128 and found["clarke"]["published_mean_to_end"] is None
    assert found["masten"]["published_mean_to_end"] == 44.7


def test_rule_sets(motion, clarke, tmp_path):
    switched = make_run(
        tmp_path / "switched", "perpetual-motion", "1..100", 100, rules="clarke", rule={"order": "1234"}
    )
    found = query([motion, clarke, switched], "rule_sets").table.to_pylist()
    assert [r["rate"] for r in found] == sorted((r["rate"] for r in found), reverse=True)
    by_run = {r["run"]: r for r in found}
    assert by_run["switched"]["rules"] == "clarke (order=1234)"
    assert by_run["clarke"]["rules"] == "clarke"
    assert "order=4321" in by_run["clarke"]["switches"]
    for name, place in (("motion", motion), ("clarke", clarke), ("switched", switched)):
        counts = Counter(row["verdict"] for row in read_rows(place))
        assert (by_run[name]["solved"], by_run[name]["unsolvable"]) == (counts["won"], counts["cycle"])
    # A figure published for the named rules says nothing of rules with a switch changed.
    rates = {r["run"]: r["published"] for r in query([clarke, switched], "win_rate").table.to_pylist()}
    assert rates == {"clarke": 0.5455, "switched": None}


def test_pairs(motion, clarke):
    (found,) = query([motion, clarke], "pairs").table.to_pylist()
    other = {r["deal"]: r["verdict"] == "won" for r in read_rows(motion)}
    both = Counter((r["verdict"] == "won", other[r["deal"]]) for r in read_rows(clarke))
    assert (found["run"], found["other"], found["common"]) == ("clarke", "motion", 600)
    assert (found["both"], found["neither"]) == (both[True, True], both[False, False])
    assert (found["only_run"], found["only_other"]) == (both[True, False], both[False, True])
    assert found["only_run"] > 0 and found["open"] == 0


def test_difficulty(ask, rows):
    found = ask("difficulty")
    assert [r["percentile"] for r in found] == [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100]

    def least(values, percentile):
        """The least value that `percentile` per cent of the values do not exceed."""
        place = math.ceil(Fraction(str(percentile)) * len(values) / 100)
        return sorted(values)[max(place, 1) - 1]

    stopped = min(r["iterations"] for r in rows if r["verdict"] == "exhausted")
    for row in found:
        values = [r["iterations"] for r in rows]
        assert row["iterations"] == least(values, row["percentile"])
        assert row["at_least"] == (row["iterations"] >= stopped)
        for verdict in ("solved", "unsolvable"):
            mine = [r["iterations"] for r in rows if r["verdict"] == verdict]
            assert row[verdict] == least(mine, row["percentile"])


def test_blocks(ask, rows):
    found = ask("blocks", size=50)
    assert [(r["first"], r["deals"]) for r in found] == [(1, 50), (51, 50), (101, 20)]
    for row in found:
        mine = [r["verdict"] for r in rows if row["first"] <= r["deal"] < row["first"] + 50]
        solved, undecided = mine.count("solved"), mine.count("exhausted")
        assert (row["solved"], row["exhausted"], row["rate"]) == (solved, undecided, solved / len(mine))
        assert row["low95"] == pytest.approx(wilson(solved, len(mine)).low, abs=1e-12)
        assert row["high95"] == pytest.approx(wilson(solved + undecided, len(mine)).high, abs=1e-12)


def test_coverage(tmp_path):
    place = make_run(tmp_path / "gaps", "perpetual-motion", "5..64", 10, skip=(21, 31, 61))
    found = query(place, "coverage").table.to_pylist()
    assert [(r["first"], r["last"], r["deals"], r["state"]) for r in found] == [
        (5, 20, 16, "committed"),
        (21, 40, 20, "missing"),
        (41, 60, 20, "committed"),
        (61, 64, 4, "missing"),
    ]


def test_winnable_follows_the_games_own_verdicts(motion, black_hole):
    sql = "SELECT DISTINCT verdict, winnable FROM deals"
    found = {r["verdict"]: r["winnable"] for r in query([motion, black_hole], sql).table.to_pylist()}
    assert found == {"won": True, "cycle": False, "solved": True, "unsolvable": False, "exhausted": None}


def test_deal_numbers_near_the_end_are_exact(tmp_path):
    last = 2**64 - 1
    place = make_run(tmp_path / "end", "perpetual-motion", f"{last - 9}..{last}", 100)
    assert query(place, "SELECT max(deal) AS d FROM deals").table.to_pylist() == [{"d": last}]
    for name in questions.named_queries():
        query(place, name)
    (row,) = query(place, "coverage").table.to_pylist()
    assert (row["first"], row["last"], row["deals"]) == (last - 9, last, 10)


def test_sizes(tmp_path):
    sizes = [(5, 4, 3), (4, 4, 1), (7, 2, 3)]
    runs = []
    for size in sizes:
        rule = dict(zip(("ranks", "suits", "depth"), size, strict=True))
        runs.append(make_run(tmp_path / "-".join(map(str, size)), "black-hole", "1..40", 40, rule=rule))
    found = query(runs, "sizes").table.to_pylist()
    assert [(row["ranks"], row["suits"], row["depth"]) for row in found] == sorted(
        sizes, key=lambda size: (size[2], size[0], size[1])
    )
    for row in found:
        rows = read_rows(tmp_path / f"{row['ranks']}-{row['suits']}-{row['depth']}")
        solved = sum(deal["verdict"] == "solved" for deal in rows)
        assert (row["deals"], row["cards"], row["game"]) == (40, row["ranks"] * row["suits"], "black-hole")
        assert row["rate"] == solved / 40
        assert (row["low95"], row["high95"]) == pytest.approx(
            (wilson(solved, 40).low, wilson(solved, 40).high), rel=1e-12
        )
        assert row["mean_iterations"] == statistics.mean(deal["iterations"] for deal in rows)
