"""The fast search of Black Hole: known verdicts, lines that replay, and agreement with plain search."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Board, open_solver
from solver.rules import rules_of

GOLDEN = Path(__file__).parents[1] / "golden" / "black-hole" / "verdicts_1_100000.bits"
KNOWN = np.unpackbits(np.frombuffer(GOLDEN.read_bytes(), np.uint8), bitorder="little").astype(bool)
SOLVED, UNSOLVABLE, EXHAUSTED = 0, 1, 2

# Deals that take the search long: four unsolvable, two solvable.
HARD = {168206: False, 767169: False, 252680: False, 106166: False, 80823: True, 939376: True}


def check_verdicts(first: int, count: int) -> None:
    columns = open_solver("black-hole").solve_columns(first, count)
    known = KNOWN[first - 1 : first - 1 + count]
    assert np.array_equal(columns["verdict"], np.where(known, SOLVED, UNSOLVABLE))
    assert (columns["iterations"] >= 1).all()


def test_golden_counts() -> None:
    assert KNOWN.sum() == 86_755


def test_verdicts_of_the_first_deals() -> None:
    check_verdicts(1, 5_000)


@pytest.mark.slow
def test_verdicts_of_100_000_deals() -> None:
    check_verdicts(1, 100_000)


@pytest.mark.parametrize("deal", HARD)
def test_hard_deals(deal: int) -> None:
    solver = open_solver("black-hole", solutions=True)
    board = solver.board(deal)
    result = solver.solve_board(board)
    assert result.verdict == ("solved" if HARD[deal] else "unsolvable")
    assert (result.solution is not None) == HARD[deal]
    if result.solution is not None:
        assert len(result.solution) == 51
        assert list(solver.play(board, result.solution))


def test_every_line_replays_by_the_plain_rules() -> None:
    solver = open_solver("black-hole", solutions=True)
    columns = solver.solve_columns(1, 300)
    for i, line in enumerate(columns["solution"]):
        assert (line is not None) == KNOWN[i]
        if line is not None:
            assert len(line) == 51
            assert list(solver.play(solver.board(1 + i), line))


def test_rows_do_not_depend_on_where_a_range_starts() -> None:
    whole = open_solver("black-hole").solve_columns(1, 400)
    part = open_solver("black-hole").solve_columns(251, 150)
    for name in ("verdict", "iterations", "generated"):
        assert np.array_equal(whole[name][250:], part[name])


def test_limit_exhausts() -> None:
    columns = open_solver("black-hole", limit=60).solve_columns(1, 300)
    exhausted = columns["verdict"] == EXHAUSTED
    assert 0 < exhausted.sum() < 300
    assert (columns["iterations"][exhausted] == 60).all()
    assert (columns["reason"] == exhausted).all()
    assert (columns["iterations"] <= 60).all()
    decided = ~exhausted
    assert np.array_equal(columns["verdict"][decided] == SOLVED, KNOWN[:300][decided])


@given(seed=st.integers(0, 2**32), piles=st.integers(1, 9), cards=st.integers(0, 20))
@settings(max_examples=150, deadline=None)
def test_small_boards_agree_with_the_reference_search(seed: int, piles: int, cards: int) -> None:
    rng = random.Random(seed)
    deck = rng.sample(range(52), min(cards, 3 * piles) + 1)
    if rng.random() < 0.7:  # few ranks: more boards are solvable
        width = rng.randrange(3, 6)
        low = [card for card in range(52) if card % 13 < width]
        deck = rng.sample(low, min(cards, 3 * piles, len(low) - 1) + 1)
    columns: list[list[int]] = [[] for _ in range(piles)]
    for card in deck[1:]:
        rng.choice([column for column in columns if len(column) < 3]).append(card)
    board = Board(tuple(map(tuple, columns)), (deck[0],), ())
    fast = open_solver("black-hole", solutions=True).solve_board(board)
    reference = open_solver("black-hole", search="reference").solve_board(board)
    assert fast.verdict == reference.verdict
    if fast.solution is not None:
        list(rules_of("black-hole").play(board, {}, fast.solution))


def test_boards_it_cannot_hold_are_refused() -> None:
    solver = open_solver("black-hole")
    with pytest.raises(ValueError, match="three cards"):
        solver.solve_board(Board(((1, 2, 3, 4),), (13,), ()))
    with pytest.raises(ValueError, match="prune"):
        open_solver("black-hole", search="fast", prune="rank-reach")
