"""The reference search gives the published iteration counts, row by row."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import solver

GOLDEN = Path(__file__).parents[1] / "golden"
FEW = 150_000  # iterations: rows below run by default


def rows(path: str) -> list[dict[str, str]]:
    with (GOLDEN / path).open(newline="") as file:
        return list(csv.DictReader(file))


def differences(
    wanted: list[dict[str, str]], game: str, prefix: str = "", **options: str | int | None
) -> Iterator[str]:
    """One line for each row that the search does not reproduce."""
    search = solver.open_solver(game, search="reference", **options)  # type: ignore[arg-type]
    for row in wanted:
        got = search.solve_columns(int(row["deal"]), 1)
        found = (search.verdicts[got["verdict"][0]], int(got["iterations"][0]), int(got["generated"][0]))
        want = (row["verdict"], int(row[prefix + "iterations"]), int(row[prefix + "generated"]))
        if found != want:
            yield f"deal {row['deal']}: {found}, not {want}"


BLACK_HOLE = rows("black-hole/iterations.csv")
PRUNED = [row for row in BLACK_HOLE if row["pruned_iterations"]]


def test_the_published_rows_are_all_there() -> None:
    assert len(BLACK_HOLE) == 1800
    assert [int(row["deal"]) for row in PRUNED] == list(range(1, 301))


def test_black_hole_counts_of_short_searches() -> None:
    short = [row for row in BLACK_HOLE if int(row["iterations"]) < FEW]
    assert len(short) > 1000
    assert list(differences(short, "black-hole")) == []


def test_black_hole_counts_of_short_searches_with_pruning() -> None:
    short = [row for row in PRUNED if int(row["pruned_iterations"]) < FEW]
    assert len(short) > 150
    assert list(differences(short, "black-hole", "pruned_", prune="rank-reach")) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_black_hole_counts_of_every_row() -> None:
    assert list(differences(BLACK_HOLE, "black-hole")) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_black_hole_counts_of_every_row_with_pruning() -> None:
    assert list(differences(PRUNED, "black-hole", "pruned_", prune="rank-reach")) == []


@pytest.mark.parametrize(
    ("game", "file", "options"),
    [
        ("all-in-a-row", "iterations", {}),
        ("all-in-a-row", "pruned_iterations", {"prune": "rank-reach"}),
        ("golf", "standard_iterations", {}),
        ("golf", "queens-on-kings_iterations", {"rules": "queens-on-kings"}),
        ("golf", "wrap_iterations", {"rules": "wrap"}),
    ],
)
def test_counts_under_a_limit(game: str, file: str, options: dict[str, str]) -> None:
    wanted = rows(f"{game}/{file}_limit_300000.csv")
    assert len(wanted) == 25
    assert list(differences(wanted, game, limit=300_000, **options)) == []


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("black-hole", "standard"),
        ("all-in-a-row", "standard"),
        ("golf", "standard"),
        ("golf", "queens-on-kings"),
        ("golf", "wrap"),
    ],
)
def test_solved_deals_come_with_lines_that_replay(game: str, rules: str) -> None:
    columns = solver.solve_range(game, 1, 30, rules=rules, search="reference", limit=100_000, solutions=True)
    won = columns["verdict"] == "solved"
    assert won.sum() >= 3
    for deal, line, solved in zip(columns["deal"], columns["solution"], won, strict=True):
        assert (line is not None) == solved
        if solved:
            assert solver.replay(game, solver.deal(game, int(deal), rules=rules), line, rules=rules)


def test_a_deal_stops_at_exactly_its_limit() -> None:
    for limit in (1, 2, 1000, 158_847):
        result = solver.solve("black-hole", solver.deal("black-hole", 2), search="reference", limit=limit)
        assert (result.verdict, result.reason, result.iterations) == ("exhausted", "limit", limit)
    # The goal is popped as the last of 158,848 states, before the limit is tested.
    result = solver.solve("black-hole", solver.deal("black-hole", 2), search="reference", limit=158_848)
    assert (result.verdict, result.reason) == ("solved", None)


def test_a_deal_stops_at_its_memory_cap() -> None:
    result = solver.solve("black-hole", solver.deal("black-hole", 2), search="reference", memory_cap=100_000)
    assert (result.verdict, result.reason) == ("exhausted", "memory")
    assert 0 < result.iterations < 158_848


def test_pruning_is_refused_where_it_does_not_hold() -> None:
    with pytest.raises(ValueError, match="needs search reference"):
        solver.open_solver("black-hole", search="fast", prune="rank-reach")
    with pytest.raises(ValueError, match="stock"):
        solver.open_solver("golf", search="reference", prune="rank-reach")


def test_a_board_that_the_packed_state_does_not_hold_is_refused() -> None:
    board = solver.Board(((0, 1, 2, 3),), (13,), ())
    with pytest.raises(ValueError, match="at most 3 cards in a pile, not 4"):
        solver.open_solver("black-hole", search="reference").solve_board(board)


@pytest.mark.parametrize(
    ("rules", "kings"), [("standard", "closed"), ("queens-on-kings", "queens"), ("wrap", "wrap")]
)
def test_golf_rules_are_named_and_switched_alike(rules: str, kings: str) -> None:
    named = solver.open_solver("golf", rules=rules)
    switched = solver.open_solver("golf", rule={"kings": kings})
    assert named.switches == switched.switches == {"kings": kings}


def count_positions() -> ModuleType:
    spec = importlib.util.spec_from_file_location("count_positions", GOLDEN / "golf" / "count_positions.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_positions_by_depth_are_those_of_plain_python() -> None:
    counting = count_positions()
    lines = (GOLDEN / "golf" / "positions_by_depth.txt").read_text().splitlines()
    stored = [line.split() for line in lines if not line.startswith("#")]
    assert len(stored) == len(counting.ROWS)
    for game, rules, deal, *counts in stored:
        assert counting.count_positions(game, rules, int(deal), len(counts)) == [int(c) for c in counts]
