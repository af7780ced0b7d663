"""The plain-Python rules of the Black Hole family refuse what the rules forbid."""

from __future__ import annotations

import pytest

import solver
from solver.board import Board
from solver.cards import parse_card
from solver.rules import IllegalLine, black_hole_family

STOCK = black_hole_family.STOCK


def cards(names: str) -> tuple[int, ...]:
    return tuple(map(parse_card, names.split()))


def board(foundation: str, *piles: str, stock: str = "") -> Board:
    return Board(tuple(map(cards, piles)), cards(foundation), cards(stock))


def play(table: Board, *moves: int, kings: str = "wrap") -> list[str]:
    return list(black_hole_family.play(table, {"kings": kings}, bytes(moves)))


@pytest.mark.parametrize(
    ("under", "over", "allowed"),
    [
        ("5S", "6H", ("closed", "queens", "wrap")),
        ("5S", "4S", ("closed", "queens", "wrap")),
        ("QS", "KD", ("closed", "queens", "wrap")),
        ("KS", "QD", ("queens", "wrap")),
        ("KS", "AD", ("wrap",)),
        ("AS", "KD", ("wrap",)),
        ("5S", "7H", ()),
        ("5S", "5H", ()),
    ],
)
def test_which_card_goes_onto_which(under: str, over: str, allowed: tuple[str, ...]) -> None:
    for kings in ("closed", "queens", "wrap"):
        if kings in allowed:
            assert play(board(under, over), 0, kings=kings) == [f"{over} from pile 1 onto {under}"]
        else:
            with pytest.raises(IllegalLine, match=f"move 1: {over} does not go onto {under}"):
                play(board(under, over), 0, kings=kings)


def test_the_stock_covers_anything_and_ends() -> None:
    told = play(board("5S", "9H", stock="TD"), STOCK, 0)
    assert told == ["TD from the stock", "9H from pile 1 onto TD"]
    with pytest.raises(IllegalLine, match="move 2: the stock is empty"):
        play(board("5S", "9H", stock="TD"), STOCK, STOCK)


def test_an_empty_foundation_takes_any_card() -> None:
    assert play(board("", "9H"), 0) == ["9H from pile 1 to start the foundation"]


@pytest.mark.parametrize("move", [1, 7, 254])
def test_a_pile_without_a_card_is_named(move: int) -> None:
    with pytest.raises(IllegalLine, match=f"move 1: pile {move + 1} has no card"):
        play(board("5S", "6H"), move)


def test_a_line_that_stops_early_has_not_won() -> None:
    with pytest.raises(IllegalLine, match="ends with 1 cards left"):
        play(board("5S", "6H", "4D"), 0)


@pytest.mark.parametrize(
    ("game", "rules"),
    [("black-hole", "standard"), ("all-in-a-row", "standard")]
    + [("golf", rules) for rules in ("standard", "queens-on-kings", "wrap")],
)
def test_found_lines_replay_and_no_spoilt_one_does(game: str, rules: str) -> None:
    session = solver.open_solver(game, rules=rules, solutions=True)
    lines = [(n, line) for n, line in enumerate(session.solve_columns(1, 30)["solution"], 1) if line]
    assert len(lines) >= 5
    for number, line in lines:
        text = solver.deal(game, number)
        assert solver.replay(game, text, line, rules=rules)
        with pytest.raises(IllegalLine):
            solver.replay(game, text, line[:-1], rules=rules)
        with pytest.raises(IllegalLine):
            solver.replay(game, text, bytes([line[-1]]) + line[1:-1] + line[:1] + b"\x00", rules=rules)
