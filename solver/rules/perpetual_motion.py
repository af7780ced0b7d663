"""Perpetual Motion in plain Python: the game plays itself, so a line is empty and only the rules are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from solver.board import Board
from solver.cards import RANKS, rank_of
from solver.rules import IllegalLine


@dataclass(frozen=True)
class Pass:
    """One pass through the stock.

    Attributes:
        stock: the ranks (1 to 13) of the stock after the pass, first dealt first.
        deals: how many fours were dealt.
        discarded: the ranks discarded, in order.
    """

    stock: tuple[int, ...]
    deals: int
    discarded: tuple[int, ...]


def play(board: Board, switches: Mapping[str, str], line: bytes | None) -> Iterator[str]:
    """Tells the passes that discard, and the win; see `solver.rules.Rules.play`.

    A game that does not win raises IllegalLine with its tail and period after the last of them. Those are
    of ranks: suits are not looked at.
    """
    if line:
        raise IllegalLine("the game plays itself: its line is empty")
    stock = tuple(map(rank_of, board.stock))
    seen = {stock: 0}
    passes = 0
    while stock:
        turn = play_pass(stock, switches)
        stock, passes = turn.stock, passes + 1
        if turn.discarded:
            gone, left = _names(turn.discarded), _names(stock)
            yield f"pass {passes}: {gone} discarded, {len(stock)} cards left: {left}"
        if stock in seen and stock:
            tail = seen[stock]
            raise IllegalLine(
                f"pass {passes}: the stock is that after pass {tail}, a cycle of period {passes - tail} "
                f"with {len(stock)} cards left: {_names(stock)}"
            )
        seen[stock] = passes
    yield f"won after {passes} passes"


def play_pass(stock: tuple[int, ...], switches: Mapping[str, str]) -> Pass:
    """Deals the whole stock once under the switches and joins the piles."""
    recursive = switches["recursive"] == "yes"
    pile4 = switches["discard"] == "pile4"
    towards = range(4) if switches["target"] == "left" else range(3, -1, -1)
    piles: list[list[int]] = [[], [], [], []]
    discarded: list[int] = []
    for at in range(0, len(stock), 4):
        four = stock[at : at + 4]
        if len(set(four)) == 1:
            discarded.append(four[0])
            continue
        for pile, rank in zip(piles, four, strict=True):
            pile.append(rank)
        _gather(piles, towards)
        while recursive and _gather(piles, towards):
            pass
        while pile4 and _discard_runs(piles, discarded) and recursive:
            while _gather(piles, towards):
                pass
    order = [int(digit) - 1 for digit in switches["order"]]
    step = 1 if switches["within"] == "b2t" else -1
    joined = tuple(rank for p in order for rank in piles[p][::step])
    return Pass(joined, len(stock) // 4, tuple(discarded))


def _gather(piles: list[list[int]], towards: range) -> bool:
    """Moves every top onto the first pile with an equal top, all tops as they lie now."""
    tops = [pile[-1] if pile else None for pile in piles]
    moved = False
    for i, p in enumerate(towards):
        for q in towards[:i]:
            if tops[p] is not None and tops[p] == tops[q]:
                piles[q].append(piles[p].pop())
                moved = True
                break
    return moved


def _discard_runs(piles: list[list[int]], discarded: list[int]) -> bool:
    """Takes four alike off the top of every pile that ends so."""
    any_run = False
    for pile in piles:
        if len(pile) >= 4 and len(set(pile[-4:])) == 1:
            discarded.append(pile[-1])
            del pile[-4:]
            any_run = True
    return any_run


def _names(ranks: tuple[int, ...]) -> str:
    return "".join(RANKS[rank - 1] for rank in ranks)
