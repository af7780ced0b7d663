"""Bisley: known verdicts, lines replayed by the rules in plain Python, layouts, win rates."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.board import Board
from solver.cards import parse_card
from solver.rules import IllegalLine, bisley

GOLDEN = Path(__file__).parents[1] / "golden"
ROWS = list(csv.DictReader((GOLDEN / "bisley" / "family.csv").open()))
LAYOUTS = ("13", "12x4")
HEIGHTS = {"13": [3] * 4 + [4] * 9, "12x4": [4] * 12}
ACES = (0, 13, 26, 39)

# Win rates in per cent and their 95 % intervals, of 100,000 random deals of another generator.
RATES = {"13": (83.94, 0.25), "12x4": (71.15, 0.28)}


def board_of(cards: list[int], layout: str) -> Board:
    """Cards pile after pile, the bottom card of each first."""
    piles, at = [], 0
    for height in HEIGHTS[layout]:
        piles.append(tuple(cards[at : at + height]))
        at += height
    return Board(tuple(piles), ACES)


def replays(board: Board, line: bytes | None) -> list[str]:
    return list(bisley.play(board, {}, line))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_known_verdicts(layout: str) -> None:
    session = solver.DealSolver("bisley", rules=layout, solutions=True)
    for row in ROWS:
        board = board_of([parse_card(word) for word in row["cards"].split()], layout)
        result = session.solve_board(board)
        assert result.verdict == row[layout], row["cards"]
        assert (result.solution is not None) == (result.verdict == "solved")
        if result.solution is not None:
            assert len(replays(board, result.solution)) == len(result.solution) // 2


def test_both_verdicts_are_known_under_both_layouts() -> None:
    assert len(ROWS) == 150
    for layout in LAYOUTS:
        assert {row[layout] for row in ROWS} == {"solved", "unsolvable"}


def golden_boards() -> list[tuple[str, int, str]]:
    """Layout, deal number and text of the boards that are known."""
    boards = []
    for block in (GOLDEN / "dealer" / "boards_other_games.txt").read_text().split("# ")[1:]:
        title, _, text = block.partition("\n")
        game, _, number = title.split(" : ")[0].split(" ")
        if game in ("bisley", "bisley13"):
            boards.append(("13" if game == "bisley13" else "12x4", int(number), text))
    return boards


@pytest.mark.parametrize(("layout", "number", "text"), golden_boards())
def test_known_boards(layout: str, number: int, text: str) -> None:
    assert solver.deal("bisley", number, rules=layout) == text


def test_there_are_known_boards_of_both_layouts() -> None:
    assert {layout for layout, _, _ in golden_boards()} == set(LAYOUTS)


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=60, deadline=None)
@given(number=st.integers(1, 10**20))
def test_lines_of_any_deal_replay(layout: str, number: int) -> None:
    text = solver.deal("bisley", number, rules=layout)
    result = solver.solve("bisley", text, rules=layout)
    assert result.verdict in ("solved", "unsolvable")
    if result.verdict == "solved":
        assert solver.replay("bisley", text, result.solution, rules=layout)


@st.composite
def boards_of_few_cards(draw: st.DrawFn) -> Board:
    """Some of each suit's ranks without a gap, on piles of any height."""
    cards = []
    for suit in range(4):
        low = draw(st.integers(2, 13))
        cards += [13 * suit + rank - 1 for rank in range(low, min(14, low + draw(st.integers(0, 4))))]
    piles: list[list[int]] = [[] for _ in range(draw(st.integers(1, 5)))]
    for card in draw(st.permutations(cards)):
        piles[draw(st.integers(0, len(piles) - 1))].append(card)
    return Board(tuple(map(tuple, piles)))


def solvable(board: Board, most: int = 3000) -> bool | None:
    """By looking at every position; None if there are too many."""
    start = board.piles
    seen, stack = {start}, [start]
    while stack:
        piles = stack.pop()
        left = {card for pile in piles for card in pile}
        if not left:
            return True
        if len(seen) > most:
            return None
        for source, pile in enumerate(piles):
            if not pile:
                continue
            card = pile[-1]
            suit = [other for other in left if other // 13 == card // 13]
            targets = [
                t for t, other in enumerate(piles)
                if other and abs(other[-1] - card) == 1 and other[-1] // 13 == card // 13
            ]  # fmt: skip
            for target in ([-1] if card in (min(suit), max(suit)) else []) + targets:
                after = tuple(
                    p[:-1] if i == source else (*p, card) if i == target else p for i, p in enumerate(piles)
                )
                if after not in seen:
                    seen.add(after)
                    stack.append(after)
    return False


@settings(max_examples=150, deadline=None)
@given(board=boards_of_few_cards())
def test_small_boards_agree_with_every_position(board: Board) -> None:
    expected = solvable(board)
    result = solver.DealSolver("bisley", solutions=True).solve_board(board)
    assert result.verdict != "exhausted"
    if expected is not None:
        assert (result.verdict == "solved") == expected
    if result.verdict == "solved":
        replays(board, result.solution)


def test_moves_are_said_in_words() -> None:
    board = Board(((parse_card("3S"), parse_card("4S")), (parse_card("5S"),), (parse_card("KD"),)))
    line = bytes([0, 1, 0, 254, 1, 254, 1, 254, 2, 253])
    assert replays(board, line) == [
        "4S onto 5S (pile 1 to pile 2)",
        "3S to the ace foundation (from pile 1)",
        "4S to the ace foundation (from pile 2)",
        "5S to the ace foundation (from pile 2)",
        "KD opens the king foundation (from pile 3)",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([3, 0], "move 1: pile 4 has no card"),
        ([0, 3], "move 1: there is no pile 4"),
        ([0, 2], "move 1: 4S does not go onto KD"),
        ([0, 254], "move 1: 4S is not the next card of the ace foundation"),
        ([0, 253], "move 1: 4S is not the next card of the king foundation"),
        ([0, 1, 0, 254, 1, 0], "move 3: pile 1 is empty and stays so"),
        ([0, 1, 0], "move 2: the line ends within a move"),
        ([], "the line ends with 4 cards left"),
    ],
)
def test_bad_lines_name_their_move(line: list[int], message: str) -> None:
    board = Board(((parse_card("3S"), parse_card("4S")), (parse_card("5S"),), (parse_card("KD"),)))
    with pytest.raises(IllegalLine, match=message):
        replays(board, bytes(line))


def test_the_layout_switch_says_what_the_rules_are() -> None:
    assert solver.DealSolver("bisley").switches == {"layout": "13"}
    assert solver.DealSolver("bisley", rule={"layout": "12x4"}).switches == {"layout": "12x4"}
    with pytest.raises(ValueError, match="contradict"):
        solver.DealSolver("bisley", rules="13", rule={"layout": "12x4"})


def test_a_limit_leaves_a_deal_undecided() -> None:
    decided = solver.solve_range("bisley", 1, 2000)
    assert set(decided["verdict"]) == {"solved", "unsolvable"}
    short = solver.solve_range("bisley", 1, 2000, limit=10)
    undecided = short["verdict"] == "exhausted"
    assert undecided.any()
    assert (short["reason"][undecided] == "limit").all()
    assert (short["verdict"][~undecided] == decided["verdict"][~undecided]).all()
    assert (undecided == (decided["iterations"] > 10)).all()


def check_rate(layout: str, deals: int) -> None:
    """Within four deviations of the difference of two samples, none undecided."""
    rate, interval = RATES[layout]
    codes = solver.DealSolver("bisley", rules=layout).solve_columns(1, deals)["verdict"]
    assert not (codes == 2).any()
    error = math.hypot(interval / 1.96, 100 * math.sqrt(rate / 100 * (1 - rate / 100) / deals))
    assert 100 * (codes == 0).mean() == pytest.approx(rate, abs=4 * error)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_win_rates_of_twenty_thousand_deals(layout: str) -> None:
    check_rate(layout, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_win_rates_of_a_million_deals(layout: str) -> None:
    check_rate(layout, 1_000_000)
