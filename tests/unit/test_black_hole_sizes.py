"""Black Hole with other decks: the generalised game, against a search that knows nothing but the rules."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysol_cards.cards import createCards
from pysol_cards.random import shuffle
from pysol_cards.random_base import RandomBase

import solver
from solver.board import Board
from solver.cards import rank_of

SIZES = [
    (ranks, suits, depth)
    for ranks, suits, depth in itertools.product(range(3, 14), range(1, 6), (1, 2, 3))
    if ranks * suits <= 20 and -(-(ranks * suits - 1) // depth) <= 17
]


def rule(size: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("ranks", "suits", "depth"), size, strict=True))


def can_be_won(board: Board, ranks: int) -> bool:
    """Every order of play that the rules allow, remembered by what is left."""
    seen = set()
    stack = [(tuple(map(tuple, board.piles)), rank_of(board.foundations[0]))]
    while stack:
        piles, foundation = stack.pop()
        if not any(piles):
            return True
        for place, pile in enumerate(piles):
            if pile and (rank_of(pile[-1]) - foundation) % ranks in (1, ranks - 1):
                child = ((*piles[:place], pile[:-1], *piles[place + 1 :]), rank_of(pile[-1]))
                if child not in seen:
                    seen.add(child)
                    stack.append(child)
    return False


@given(st.sampled_from(SIZES), st.integers(1, 100_000))
def test_verdicts_are_those_of_trying_everything(size: tuple[int, int, int], number: int) -> None:
    session = solver.open_solver("black-hole", rule=rule(size), solutions=True)
    board = session.board(number)
    result = session.solve_board(board)
    assert (result.verdict == "solved") == can_be_won(board, size[0])
    if result.solution is not None:
        assert len(list(session.play(board, result.solution))) == size[0] * size[1] - 1


@given(st.sampled_from([s for s in SIZES if s[0] < 13]), st.integers(1, 100_000))
def test_pruning_changes_no_verdict_and_saves_states(size: tuple[int, int, int], number: int) -> None:
    plain = solver.open_solver("black-hole", rule=rule(size), search="reference")
    pruned = solver.open_solver("black-hole", rule=rule(size), search="reference", prune="rank-reach")
    board = plain.board(number)
    left, right = plain.solve_board(board), pruned.solve_board(board)
    assert left.verdict == right.verdict
    if left.verdict == "unsolvable":
        assert left.iterations == left.generated
        assert right.iterations <= left.iterations


@given(st.integers(3, 12), st.integers(1, 100_000))
@settings(max_examples=30)
def test_decks_of_four_suits_are_shuffled_as_pysol_cards_does(ranks: int, number: int) -> None:
    board = solver.open_solver("black-hole", rule={"ranks": ranks}).board(number)
    piles, suits = len(board.piles), "CSHD"
    dealt = [board.piles[i % piles][i // piles] for i in range(sum(map(len, board.piles)))]
    cards = shuffle(createCards(1, ranks), number, RandomBase.DEALS_PYSOLFC)
    expected = [(c.rank, c.suit) for c in reversed(cards) if (c.rank, suits[c.suit]) != (1, "S")]
    assert [(rank_of(card), card // 13) for card in dealt] == expected


def test_a_deck_with_cards_alike_reads_back() -> None:
    session = solver.open_solver("black-hole", rule={"ranks": 4, "suits": 9})
    board = session.board(77)
    text = solver.format_board(board)
    assert session.read_board(text) == board
    with pytest.raises(solver.BoardError, match="is not in this game's deck"):
        session.read_board(text.replace("4D", "KD", 1))


@pytest.mark.parametrize(
    ("wish", "fault"),
    [
        ({"ranks": 14}, "14 ranks is too many"),
        ({"ranks": 2}, "2 ranks is too few"),
        ({"suits": 5}, "65 cards is too many"),
        ({"depth": 2}, "26 piles is too many"),
        ({"depth": 4}, "a depth of 4 is too many"),
        ({"depth": 0}, "not a whole number of at least 1"),
        ({"ranks": "many"}, "not a whole number"),
    ],
)
def test_what_the_state_does_not_hold_is_said(wish: dict[str, int], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        solver.open_solver("black-hole", rule=wish)


def test_the_standard_size_is_the_standard_game() -> None:
    sized = solver.solve_range("black-hole", 1, 30, rule={"ranks": 13, "suits": 4, "depth": 3})
    plain = solver.solve_range("black-hole", 1, 30)
    assert all((sized[name] == plain[name]).all() for name in ("verdict", "iterations", "generated"))
