"""The dealer against pysol-cards, the numbering's own implementation."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

import solver
from solver import _native

# Both sides of the seam between the generators, and of each change in the length of the seed.
EDGES = [
    1,
    2,
    31999,
    32000,
    32001,
    32002,
    2**31,
    2**32 - 1,
    2**32,
    2**33,
    2**64 - 1,
    2**64,
    2**64 + 1,
    10**20,
]
BLACK_HOLE_1_TO_1000 = "5ff502c6d12ba536752910b1e7208b933a60a7232b3e37fc1991a2088cef86c8"


def oracle(number: int, game: str = "black_hole") -> str:
    """A board as pysol-cards prints it, with T for ten."""
    return str(Game(game, number, RandomBase.DEALS_PYSOLFC).calc_layout_string(CardRenderer(True)))


@pytest.mark.parametrize("number", EDGES)
def test_boards_at_the_edges_equal_pysol_cards(number: int) -> None:
    assert solver.deal("black-hole", number) == oracle(number)


@given(st.integers(1, 10**20) | st.integers(1, 64000))
def test_any_board_equals_pysol_cards(number: int) -> None:
    assert solver.deal("black-hole", number) == oracle(number)


def test_boards_1_to_1000_have_the_published_digest() -> None:
    session = solver.open_solver("black-hole")
    text = "".join(solver.board.format_board(session.board(number)) for number in range(1, 1001))
    assert hashlib.sha256(text.encode()).hexdigest() == BLACK_HOLE_1_TO_1000


@pytest.mark.parametrize("number", [0, -1, 10**20 + 1, 10**30, True])
def test_what_is_no_deal_number_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=r"from 1 to 10\^20"):
        solver.deal("black-hole", number)


@pytest.mark.parametrize("first", [1, 31990, 32001, 2**32 - 20, 2**40, 2**64 - 70])
def test_a_range_is_dealt_as_its_deals_one_by_one(first: int) -> None:
    """Ranges are dealt many at a time; every lane must hold the deal of its own number."""
    count = min(69, 2**64 - first)
    decks = np.frombuffer(_native.decks(first, count), dtype=np.uint8).reshape(count, 52)
    for i in range(count):
        assert decks[i].tobytes() == _native.deck(str(first + i)), f"deal {first + i}"
