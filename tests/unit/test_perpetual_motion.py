"""Perpetual Motion: known outcomes, the plain-Python player, and win rates."""

from __future__ import annotations

import csv
import math
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.board import Board
from solver.rules import IllegalLine, perpetual_motion

GOLDEN = Path(__file__).parents[1] / "golden" / "perpetual-motion" / "outcomes.csv"
NAMED = ("masten", "clarke", "cascade-ltr", "snap-rtl", "pysolfc-auto", "right")
SWITCHES = {
    "recursive": ("yes", "no"),
    "discard": ("dealt4", "pile4"),
    "target": ("left", "right"),
    "order": ("1234", "4321"),
    "within": ("b2t", "t2b"),
}
ALL_SWITCHES = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
ROWS = list(csv.DictReader(GOLDEN.open()))

# Rules: win rate with its 95 % interval as a share, and mean passes of wins with their deviation, from
# runs of one to four million other deals.
REFERENCE = {
    "masten": (0.08647, 0.00028, 39.585, 11.9),
    "clarke": (0.54802, 0.00049, 127.504, 41.5),
    "cascade-ltr": (0.43707, 0.00097, 27.06, None),
    "snap-rtl": (0.03821, 0.00038, 105.51, None),
    "pysolfc-auto": (0.83328, 0.00073, 12.63, None),
    "right": (0.32640, 0.00092, 43.83, None),
}


def board_of(ranks: str) -> Board:
    """A board of a stock of ranks, the suits of each rank in order."""
    used = dict.fromkeys("A23456789TJQK", 0)
    stock = []
    for name in ranks:
        stock.append(13 * used[name] + "A23456789TJQK".index(name))
        used[name] += 1
    return Board((), stock=tuple(stock))


def played(board: Board, switches: dict[str, str], limit: int) -> dict[str, object]:
    """The outcome by the plain-Python player, which remembers every stock."""
    stock = tuple(card % 13 + 1 for card in board.stock)
    seen = {stock: 0}
    deals = passes = 0
    row: dict[str, object] = {"tail": None, "period": None}
    while stock and passes < limit:
        turn = perpetual_motion.play_pass(stock, switches)
        assert (len(stock) - len(turn.stock)) == 4 * len(turn.discarded)
        stock, deals, passes = turn.stock, deals + turn.deals, passes + 1
        if stock and stock in seen:
            row |= {"verdict": "cycle", "tail": seen[stock], "period": passes - seen[stock]}
            break
        seen[stock] = passes
    row.setdefault("verdict", "exhausted" if stock else "won")
    return row | {"iterations": passes, "generated": deals, "deals": deals, "cards_left": len(stock)}


def found(result: solver.Result) -> dict[str, object]:
    return {
        "verdict": result.verdict, "iterations": result.iterations, "generated": result.generated,
        **result.own,
    }  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['stock'][:12]}-{row['rules']}")
def test_known_outcomes(row: dict[str, str]) -> None:
    result = solver.solve("perpetual-motion", row["stock"], rules=row["rules"])
    number = {
        name: int(row[name]) if row[name] else None for name in ("deals", "tail", "period", "cards_left")
    }
    assert (result.verdict, result.iterations) == (row["verdict"], int(row["passes"]))
    assert result.own == number
    assert result.generated == number["deals"]


@pytest.mark.parametrize(
    ("rules", "after"),
    [
        ("masten", ["A59K48Q37J26T26TA59K48Q37J37J26TA59K48Q48Q37J26TA59K",
                    "A47TTA477JA448JA58J258J258Q259Q2669Q3369Q369K3KTK7TK"]),
        ("clarke", ["48Q37J26TA59K37J26TA59K48Q26TA59K48Q37JA59K48Q37J26T"]),
        ("snap-rtl", ["A59K48Q37J26T26TA59K48Q37J37J26TA59K48Q48Q37J26TA59K",
                      "A47TTA477JA448JA58J258J258Q259Q269Q369Q369K36K3TK7TK"]),
    ],
)  # fmt: skip
def test_first_passes_of_the_plain_player(rules: str, after: list[str]) -> None:
    switches = solver.DealSolver("perpetual-motion", rules=rules).switches
    stock = tuple(range(1, 14)) * 4
    for names in after:
        stock = perpetual_motion.play_pass(stock, switches).stock
        assert "".join("A23456789TJQK"[rank - 1] for rank in stock) == names


@st.composite
def boards(draw: st.DrawFn) -> Board:
    ranks = draw(st.integers(2, 13))
    cards = [13 * suit + rank for suit in range(4) for rank in range(ranks)]
    return Board((), stock=tuple(draw(st.permutations(cards))))


@pytest.mark.parametrize("switches", ALL_SWITCHES, ids=lambda switches: "-".join(switches.values()))
@settings(max_examples=12, deadline=None)
@given(board=boards(), limit=st.sampled_from([1, 2, 7, 40, 1000]))
def test_native_player_agrees_with_the_plain_one(switches: dict[str, str], board: Board, limit: int) -> None:
    native = solver.DealSolver("perpetual-motion", rule=switches, limit=limit)
    assert native.switches == switches
    result = native.solve_board(board)
    assert found(result) == played(board, switches, limit)
    assert (result.reason == "limit") == (result.verdict == "exhausted")


@pytest.mark.parametrize("rules", NAMED)
def test_batches_agree_with_the_plain_player_deal_by_deal(rules: str) -> None:
    native = solver.DealSolver("perpetual-motion", rules=rules)
    count = 70
    columns = native.solve_columns(31_960, count)
    for i in range(count):
        expected = played(native.board(31_960 + i), native.switches, 100_000)
        assert native.verdicts[columns["verdict"][i]] == expected["verdict"]
        for name in ("iterations", "generated", *native.own_columns):
            assert columns[name][i] == (2**64 - 1 if expected[name] is None else expected[name]), name


@settings(max_examples=30, deadline=None)
@given(deal=st.integers(1, 2**64 - 1), rules=st.sampled_from(NAMED))
def test_a_cycle_is_the_first_repeat(deal: int, rules: str) -> None:
    native = solver.DealSolver("perpetual-motion", rules=rules)
    board = native.board(deal)
    result = native.solve_board(board)
    if result.verdict != "cycle":
        return
    assert result.tail is not None and result.period is not None
    stock = tuple(card % 13 + 1 for card in board.stock)
    stocks = [stock]
    for _ in range(result.iterations):
        stocks.append(perpetual_motion.play_pass(stocks[-1], native.switches).stock)
    assert stocks[result.tail] == stocks[-1]
    assert len(set(stocks)) == result.iterations


def test_telling_a_win_names_every_discard() -> None:
    lines = list(solver.tell("perpetual-motion", "A23456789TJQK" * 4, b"", rules="cascade-ltr"))
    assert lines[-1] == "won after 24 passes"
    names = "".join(line.split(": ")[1].split()[0] for line in lines[:-1])
    assert sorted(names) == sorted("A23456789TJQK")


def test_telling_a_cycle_ends_with_its_tail_and_period() -> None:
    with pytest.raises(IllegalLine, match="pass 45: the stock is that after pass 41, a cycle of period 4"):
        list(solver.tell("first-law", "A23456789TJQK" * 4, None))
    with pytest.raises(IllegalLine, match="its line is empty"):
        solver.replay("first-law", "A23456789TJQK" * 4, b"x")


def test_boards_that_are_no_stock_of_fours_are_refused() -> None:
    native = solver.DealSolver("narcotic")
    with pytest.raises(ValueError, match="dealt in fours, but has 5 cards"):
        native.solve_board(Board((), stock=(0, 1, 2, 3, 4)))
    with pytest.raises(ValueError, match="at most four cards of a rank"):
        native.solve_board(Board((), stock=(0, 13, 26, 39, 0, 1, 2, 3)))
    with pytest.raises(ValueError, match="no piles"):
        native.solve_board(Board(((0, 1, 2, 3),)))


def test_an_empty_stock_is_won_at_once() -> None:
    assert found(solver.DealSolver("narcotic").solve_board(Board(()))) == {
        "verdict": "won", "iterations": 0, "generated": 0, "deals": 0, "tail": None, "period": None,
        "cards_left": 0,
    }  # fmt: skip


def check_rates(rules: str, deals: int) -> None:
    """Within four deviations of the difference between this run and the reference, both being samples."""
    share, interval, passes, deviation = REFERENCE[rules]
    columns = solver.DealSolver("perpetual-motion", rules=rules).solve_columns(1, deals)
    won = columns["verdict"] == 0
    error = math.hypot(interval / 1.96, math.sqrt(share * (1 - share) / deals))
    assert fmean(won) == pytest.approx(share, abs=4 * error)
    rounds = columns["iterations"][won].astype(np.float64)
    assert not (columns["verdict"] == 2).any()
    spread = deviation or float(rounds.std())
    assert rounds.mean() == pytest.approx(passes, abs=4 * spread / math.sqrt(len(rounds)) + 0.1)
    if deviation:
        assert rounds.std() == pytest.approx(deviation, rel=0.05)


@pytest.mark.parametrize("rules", NAMED)
def test_win_rates_of_ten_thousand_deals(rules: str) -> None:
    check_rates(rules, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("rules", NAMED)
def test_win_rates_of_a_hundred_thousand_deals(rules: str) -> None:
    check_rates(rules, 100_000)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["masten", "clarke"])
def test_win_rates_of_a_million_deals(rules: str) -> None:
    check_rates(rules, 1_000_000)
