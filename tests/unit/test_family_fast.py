"""The fast searches of Golf and All in a Row: known verdicts, lines that replay, equal rows on every CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from solver.face import DealSolver, solve_range

GOLDEN = Path(__file__).parents[1] / "golden"
VARIANTS = [
    ("golf", "standard"),
    ("golf", "queens-on-kings"),
    ("golf", "wrap"),
    ("all-in-a-row", "standard"),
]
SOLVED_OF_100_000 = {
    ("golf", "standard"): 26_297,
    ("golf", "queens-on-kings"): 44_993,
    ("golf", "wrap"): 92_903,
    ("all-in-a-row", "standard"): 67_035,
}
SOLVED = 0


def known_solved(game: str, rules: str) -> npt.NDArray[np.bool_]:
    """Whether each of deals 1..20000 can be solved: bit (n-1) & 7 of byte (n-1) >> 3."""
    bits = np.fromfile(GOLDEN / game / f"{rules}_verdicts_1_20000.bits", dtype=np.uint8)
    return np.unpackbits(bits, bitorder="little").astype(bool)


def solved(game: str, rules: str, first: int, count: int) -> npt.NDArray[np.bool_]:
    """Whether each deal is solved; every one must be decided."""
    verdicts = DealSolver(game, rules=rules).solve_columns(first, count)["verdict"]
    assert set(verdicts.tolist()) <= {0, 1}
    won: npt.NDArray[np.bool_] = verdicts == SOLVED
    return won


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_fast_is_the_default_search(game: str, rules: str) -> None:
    settings = DealSolver(game, rules=rules).settings
    assert settings["search"] == "fast"
    assert settings["limit"] is None


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_known_verdicts_of_the_first_deals(game: str, rules: str) -> None:
    np.testing.assert_array_equal(solved(game, rules, 1, 500), known_solved(game, rules)[:500])


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_known_verdicts_of_20_000_deals(game: str, rules: str) -> None:
    np.testing.assert_array_equal(solved(game, rules, 1, 20_000), known_solved(game, rules))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_known_number_of_solved_deals_of_100_000(game: str, rules: str) -> None:
    assert solved(game, rules, 1, 100_000).sum() == SOLVED_OF_100_000[game, rules]


def test_what_wins_under_stricter_golf_rules_wins_under_looser() -> None:
    for first in (40_001, 2**32 - 100):
        standard, queens, wrap = (
            solved("golf", rules, first, 200) for rules in ("standard", "queens-on-kings", "wrap")
        )
        assert not (standard & ~queens).any()
        assert not (queens & ~wrap).any()
        assert standard.sum() < queens.sum() < wrap.sum()


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_agrees_with_the_reference_search(game: str, rules: str) -> None:
    fast = solve_range(game, 32_000, 60, rules=rules)
    reference = solve_range(game, 32_000, 60, rules=rules, search="reference", limit=2_000_000)
    known = reference["verdict"] != "exhausted"
    assert known.sum() > 30
    np.testing.assert_array_equal(fast["verdict"][known], reference["verdict"][known])


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_solved_deals_have_a_line_that_replays(game: str, rules: str) -> None:
    with_lines = DealSolver(game, rules=rules, solutions=True)
    rows = with_lines.solve_columns(1, 60)
    without = DealSolver(game, rules=rules).solve_columns(1, 60)
    for column in ("verdict", "iterations", "generated"):
        np.testing.assert_array_equal(rows[column], without[column])
    assert without["solution"] == [None] * 60
    for number, (verdict, line) in enumerate(zip(rows["verdict"], rows["solution"], strict=True), 1):
        assert (line is not None) == (verdict == SOLVED)
        if line is not None:
            assert list(with_lines.play(with_lines.board(number), line))


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_rows_do_not_depend_on_the_order_of_deals(game: str, rules: str) -> None:
    rows = DealSolver(game, rules=rules, solutions=True).solve_columns(1, 40)
    one = DealSolver(game, rules=rules, solutions=True)
    for number in reversed(range(1, 41)):
        row = one.solve_columns(number, 1)
        assert [row[name][0] for name in rows] == [rows[name][number - 1] for name in rows]


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_a_limit_exhausts_with_its_reason(game: str, rules: str) -> None:
    rows = solve_range(game, 1, 40, rules=rules, limit=3)
    cut = rows["verdict"] == "exhausted"
    assert cut.sum() > 20
    assert set(rows["reason"][cut]) == {"limit"}
    assert set(rows["reason"][~cut]) <= {None}
    assert (rows["iterations"] <= 3).all()


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_a_memory_cap_exhausts_with_its_reason(game: str, rules: str) -> None:
    rows = solve_range(game, 1, 40, rules=rules, memory_cap=1000)
    cut = rows["verdict"] == "exhausted"
    assert cut.any()
    assert set(rows["reason"][cut]) == {"memory"}


PRINT_ROWS = """
from solver.face import DealSolver
rows = DealSolver({game!r}, rules={rules!r}, solutions=True).solve_columns(31_950, 100)
print([list(map(str, rows[name])) for name in sorted(rows)])
"""


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_every_instruction_set_gives_the_same_rows(game: str, rules: str) -> None:
    code = PRINT_ROWS.format(game=game, rules=rules)
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "DEALSWEEP_INSTRUCTION_SET": instructions},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for instructions in ("", "portable")
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 1000
