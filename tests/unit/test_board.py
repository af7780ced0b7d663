"""Boards as text: read back what was printed, and name every fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solver
from solver.board import Board, BoardError, format_board, parse_board
from solver.cards import card_name, parse_card

GOLDEN = Path(__file__).parents[1] / "golden" / "dealer"
DEAL_24 = solver.deal("black-hole", 24)


def golden_boards() -> list[tuple[str, str | None, int, str]]:
    """(game, rules, deal, text) of every board in the golden file."""
    parts = re.split(r"^# (\S+) deal (\d+)\n", (GOLDEN / "boards.txt").read_text(), flags=re.MULTILINE)
    names = [tuple(name.split("/")) if "/" in name else (name, None) for name in parts[1::3]]
    return [(*name, int(n), text) for name, n, text in zip(names, parts[2::3], parts[3::3], strict=True)]


@pytest.mark.parametrize(("game", "rules", "number", "text"), golden_boards())
def test_golden_boards_are_dealt_and_printed_alike(
    game: str, rules: str | None, number: int, text: str
) -> None:
    if game not in solver.games():
        pytest.skip("not there yet")
    assert solver.deal(game, number, rules=rules) == text


@given(st.sampled_from(sorted(solver.games())), st.integers(1, 10**20))
def test_a_printed_board_reads_back(game: str, number: int) -> None:
    board = solver.open_solver(game).board(number)
    assert parse_board(format_board(board), like=board) == board


@given(st.integers(0, 51))
def test_card_names_read_back(card: int) -> None:
    name = card_name(card)
    assert parse_card(name) == parse_card(name.lower()) == card
    assert parse_card(name.replace("T", "10")) == card


def test_tens_foundations_and_comments_may_be_written_otherwise() -> None:
    text = "# deal 24\n" + DEAL_24.replace("T", "10").replace("Foundations: AS", "Foundations: S-A") + "\n\n"
    like = solver.open_solver("black-hole").board(1)
    assert parse_board(text, like=like) == solver.open_solver("black-hole").board(24)


def without(text: str, line: int) -> str:
    lines = text.splitlines()
    del lines[line - 1]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (DEAL_24.replace("KD TS JD", "KD TS"), r"line 14: 2 cards in a pile that holds 3; missing: JD"),
        (DEAL_24.replace("KD TS JD", "KD TS JX"), r'line 14: "JX" is not a card'),
        (DEAL_24.replace("KD TS JD", "KD TS 1D"), r'line 14: "1D" is not a card'),
        (DEAL_24.replace("KD TS JD", "KD TS 4C"), r"line 14: 4C is there twice \(first in line 2\)"),
        (DEAL_24.replace("KD TS JD", "KD TS JD AS"), r"line 14: AS is there twice \(first in line 1\)"),
        (DEAL_24.replace("KD TS JD", "KD TS\nJD"), r"line 19: too many piles: this game has 17"),
        (without(DEAL_24, 13), r"line 17: only 16 piles, where this game has 17"),
        (DEAL_24.replace("KD TS JD\n", "").replace("JS AD 9D", "JS AD 9D KD\nTS JD"),
         r"line 14: 4 cards in a pile that holds 3"),
        (DEAL_24.replace("AS", "2S").replace("2S TC", "AS TC"), r"foundations 2S, where .* starts with AS"),
        (DEAL_24 + "Talon: 2C\n", r"line 19: 2C is there twice"),
        ("Freecells: 2C\n" + DEAL_24, r'line 1: unknown label "Freecells"'),
        ("", r"only 0 piles"),
        (DEAL_24 + "Foundations: AS\n", r"line 19: a second line of foundations"),
    ],
)  # fmt: skip
def test_faults_are_named_with_line_and_card(text: str, fault: str) -> None:
    with pytest.raises(BoardError, match=fault) as caught:
        solver.solve("black-hole", text)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="A23456789TJQK10CSHD :-\n", max_size=400))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    like = solver.open_solver("black-hole").board(1)
    try:
        board = parse_board(text, like=like)
    except BoardError as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(board, Board)
