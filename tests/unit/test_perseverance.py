"""Perseverance and Cruel: known verdicts, layouts, lines replayed by the plain-Python rules, small decks."""

from __future__ import annotations

import csv
import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.board import Board
from solver.cards import parse_card
from solver.rules import IllegalLine, perseverance

GOLDEN = Path(__file__).parents[1] / "golden" / "perseverance"
ROWS = list(csv.DictReader((GOLDEN / "family.csv").open()))
ACES = (0, 13, 26, 39)

# Column of the goldens: game, rules, switches.
RULE_SETS: dict[str, tuple[str, str, dict[str, str | int]]] = {
    "perseverance_bottom_first": ("perseverance", "bottom-first", {}),
    "perseverance_top_first": ("perseverance", "top-first", {}),
    "cruel_bottom_first": ("cruel", "bottom-first", {}),
    "cruel_top_first": ("cruel", "top-first", {}),
    "single_bottom_first": ("perseverance", "single-card", {}),
    "single_top_first": ("perseverance", "single-card", {"pickup": "top-first"}),
    "unlimited_runs_bottom_first": ("perseverance", "bottom-first", {"redeals": "unlimited"}),
    "unlimited_runs_top_first": ("cruel", "relaxed", {}),
}


def session(name: str, **more: Any) -> solver.DealSolver:
    game, rules, rule = RULE_SETS[name]
    return solver.DealSolver(game, rules=rules, rule=rule, solutions=True, **more)


def board_of(cards: str) -> Board:
    deck = [parse_card(word) for word in cards.split()]
    return Board(tuple(tuple(deck[i : i + 4]) for i in range(0, len(deck), 4)), ACES)


def check_line(game: solver.DealSolver, board: Board, result: solver.Result) -> None:
    """The line of a solved board replays, with as many redeals as its column says."""
    assert result.solution is not None
    moves = list(game.play(board, result.solution))
    assert sum(move.startswith("redeal") for move in moves) == result.redeals


@pytest.mark.parametrize("name", RULE_SETS)
def test_known_verdicts_and_their_lines(name: str) -> None:
    game = session(name)
    for row in ROWS:
        board = board_of(row["cards"])
        result = game.solve_board(board)
        assert result.verdict == row[name], row["cards"]
        if result.verdict == "solved":
            check_line(game, board, result)
        else:
            assert result.redeals is None and result.solution is None


def test_layout_of_known_deals() -> None:
    blocks = (GOLDEN / "boards.txt").read_text().split("# deal ")[1:]
    for block in blocks:
        number, _, text = block.partition("\n")
        for game in ("perseverance", "cruel"):
            assert solver.deal(game, int(number)) == text
    assert len(blocks) == 4


# Lost deals that a search of a million iterations leaves open: only a proof on their first cards decides.
@pytest.mark.parametrize(
    ("name", "deals"),
    [
        ("cruel_top_first", (1006, 1892, 2543, 9243, 10_947, 12_331, 21_888, 24_884, 101_784, 102_962)),
        ("cruel_bottom_first", (8374, 23_312)),
        ("unlimited_runs_top_first", (1006, 12_887, 73_342, 101_430, 101_784, 102_218, 103_290)),
        ("unlimited_runs_bottom_first", (65_917,)),
    ],
)
def test_losses_that_no_search_shows(name: str, deals: tuple[int, ...]) -> None:
    game = session(name, limit=100_000)
    for deal in deals:
        assert game.solve_columns(deal, 1)["verdict"][0] == 1, deal


@pytest.mark.parametrize(
    ("name", "rate", "half_width"),
    [
        ("perseverance_bottom_first", 0.80105, 0.0055),
        ("perseverance_top_first", 0.8909, 0.0043),
        ("cruel_bottom_first", 0.8714, 0.0046),
        ("cruel_top_first", 0.96735, 0.0025),
        ("single_bottom_first", 0.600, 0.0175),
        ("single_top_first", 0.698, 0.0165),
        ("unlimited_runs_bottom_first", 0.8794, 0.0064),
        ("unlimited_runs_top_first", 0.9733, 0.0032),
    ],
)
@pytest.mark.slow
def test_win_rates(name: str, rate: float, half_width: float) -> None:
    """Within four standard deviations of the rates of other deals."""
    count = 5000
    columns = session(name).solve_columns(100_001, count)
    share = sum(columns["verdict"] == 0) / count
    deviation = math.sqrt(rate * (1 - rate) / count + (half_width / 1.96) ** 2)
    assert abs(share - rate) < 4 * deviation
    assert not (columns["verdict"] == 2).any()


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_deal_does_not_depend_on_its_neighbours(name: str) -> None:
    game = session(name)
    together = game.solve_columns(500, 40)
    for i in (39, 7, 0):
        alone = session(name).solve_columns(500 + i, 1)
        for column in ("verdict", "iterations", "generated", "redeals", "solution"):
            assert alone[column][0] == together[column][i]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"redeals": "many"}, "whole number"),
        ({"redeals": 10**9}, "unlimited"),
        ({"redeals": 0, "redeal-when": "exhausted"}, "contradicts"),
        ({"pickup": "sideways"}, "bottom-first, top-first"),
        ({"shuffle": "yes"}, "unknown rule"),
    ],
)
def test_contradictory_rules_are_refused(rule: dict[str, str | int], reason: str) -> None:
    for game in ("perseverance", "cruel"):
        with pytest.raises(ValueError, match=reason):
            solver.DealSolver(game, rule=rule)


def test_a_limit_and_a_memory_cap_leave_a_deal_open() -> None:
    rows = [row for row in ROWS if row["single_bottom_first"] == "unsolvable"]
    assert rows
    limited = session("single_bottom_first", limit=1)
    results = [limited.solve_board(board_of(row["cards"])) for row in rows]
    assert all(r.verdict in ("unsolvable", "exhausted") for r in results)
    assert any(r.reason == "limit" and r.iterations == 1 for r in results)


def test_redeals_are_counted_and_bounded() -> None:
    row = next(row for row in ROWS if row["perseverance_bottom_first"] == "solved")
    board = board_of(row["cards"])
    won = [
        solver.DealSolver("perseverance", rule={"redeals": n}, solutions=True).solve_board(board)
        for n in (0, 1, 2, 3)
    ]
    for n, result in enumerate(won):
        if result.verdict == "solved":
            assert result.redeals is not None and result.redeals <= n
    verdicts = [result.verdict == "solved" for result in won]
    assert verdicts == sorted(verdicts)


def test_more_freedom_never_loses() -> None:
    order = [
        ("single_bottom_first", "perseverance_bottom_first"),
        ("single_top_first", "perseverance_top_first"),
        ("cruel_bottom_first", "unlimited_runs_bottom_first"),
        ("cruel_top_first", "unlimited_runs_top_first"),
        ("single_bottom_first", "cruel_bottom_first"),
        ("perseverance_top_first", "unlimited_runs_top_first"),
    ]
    verdicts = {name: session(name).solve_columns(33_000, 60)["verdict"] for name in RULE_SETS}
    for harder, easier in order:
        assert all(e == 0 for h, e in zip(verdicts[harder], verdicts[easier], strict=True) if h == 0)


class TestPlainRules:
    """The plain-Python rules themselves, on boards made for the purpose."""

    spades = (22, 21, 14)  # TS 9S 2S
    board = Board(((14, 20), (21,), (13 + 9,)), (0 + 12, 13, 38, 51))

    def play(self, line: list[int], **switches: str) -> list[str]:
        return list(
            perseverance.play(self.board, {k.replace("_", "-"): v for k, v in switches.items()}, bytes(line))
        )

    def test_runs_move_as_a_unit_and_words_say_so(self) -> None:
        with pytest.raises(IllegalLine, match="ends with 4 cards"):
            self.play([0, 1, 1, 2])
        moves: list[str] = []
        with pytest.raises(IllegalLine):
            moves.extend(perseverance.play(self.board, {}, bytes([0, 1, 1, 2])))
        said = []
        try:
            for move in perseverance.play(self.board, {}, bytes([0, 1, 1, 2, 0xFF, 0, 0xFE])):
                said.append(move)
        except IllegalLine:
            pass
        assert said[:3] == [
            "8S onto 9S (pile 1 to pile 2)",
            "9S..8S onto TS (pile 2 to pile 3)",
            "redeal 1 of 2",
        ]

    def test_single_cards_leave_runs_behind(self) -> None:
        with pytest.raises(IllegalLine, match="move 2: 8S does not go onto TS"):
            self.play([0, 1, 1, 2], move_unit="single")

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            ([0, 2], "8S does not go onto TS"),
            ([0, 0xFE], "8S does not go to its foundation"),
            ([7, 0], "pile 8 has no card"),
            ([0, 1, 0, 0xFE, 0, 1], "pile 1 has no card"),
            ([0], "says no pile"),
            ([0xFF, 0xFF, 0xFF], "no redeal is left"),
        ],
    )
    def test_faults_are_named(self, line: list[int], fault: str) -> None:
        with pytest.raises(IllegalLine, match=fault):
            self.play(line)

    def test_exhausted_redeals_wait_until_nothing_moves(self) -> None:
        with pytest.raises(IllegalLine, match="before nothing can move"):
            self.play([0xFF], redeal_when="exhausted")


def small_board(seed: int, ranks: int) -> Board:
    """The highest cards of each suit in piles of four; the lower ones are on the foundations."""
    cards = [13 * suit + rank for suit in range(4) for rank in range(13 - ranks, 13)]
    random.Random(seed).shuffle(cards)
    piles = tuple(tuple(cards[i : i + 4]) for i in range(0, len(cards), 4))
    return Board(piles, tuple(13 * suit + 12 - ranks for suit in range(4)))


SWITCHES = st.fixed_dictionaries(
    {
        "pickup": st.sampled_from(["bottom-first", "top-first"]),
        "move-unit": st.sampled_from(["run", "single"]),
        "redeal-when": st.sampled_from(["any-time", "exhausted"]),
        "redeals": st.sampled_from([1, 2, 5, "unlimited"]),
    }
)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 6), SWITCHES)
def test_small_boards_with_and_without_pruning(seed: int, ranks: int, rule: dict[str, str | int]) -> None:
    board = small_board(seed, ranks)
    pruned = solver.DealSolver("perseverance", rule=rule, solutions=True)
    plain = solver.DealSolver("perseverance", rule=rule, prune="none", limit=200_000)
    a, b = pruned.solve_board(board), plain.solve_board(board)
    assert a.verdict != "exhausted"
    if b.verdict != "exhausted":
        assert a.verdict == b.verdict
    if a.verdict == "solved":
        check_line(pruned, board, a)
