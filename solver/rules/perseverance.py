"""Perseverance and Cruel: piles built down by suit, redealt without a shuffle.

A line has two bytes a move, the pile that a card or run leaves and the pile it goes to (from 0; 0xFE is a
foundation), and one byte 0xFF for a redeal. Piles keep their numbers until a redeal closes up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from solver.board import Board
from solver.cards import card_name, rank_of, suit_of
from solver.rules import IllegalLine

TO_FOUNDATION = 0xFE
REDEAL = 0xFF
PILE_SIZE = 4


def play(board: Board, switches: Mapping[str, str], line: bytes | None) -> Iterator[str]:
    """See `solver.rules.Rules.play`; switches ``pickup``, ``redeals``, ``redeal-when``, ``move-unit``."""
    table = _Table.of(board, switches)
    moves = iter(line or b"")
    for number, source in enumerate(moves, start=1):
        try:
            if source == REDEAL:
                yield table.redeal()
                continue
            target = next(moves, None)
            if target is None:
                raise IllegalLine("says no pile to go to")
            yield table.move_up(source) if target == TO_FOUNDATION else table.move(source, target)
        except IllegalLine as error:
            raise IllegalLine(f"move {number}: {error}") from None
    if left := sum(map(len, table.piles)):
        raise IllegalLine(f"the line ends with {left} cards left on the tableau")


@dataclass
class _Table:
    """Piles bottom card first, the rank on top of each suit's foundation, and the rules."""

    piles: list[list[int]]
    foundations: dict[str, int]
    top_first: bool
    runs: bool
    when_exhausted: bool
    redeals: int | None
    redeals_made: int = 0

    @staticmethod
    def of(board: Board, switches: Mapping[str, str]) -> _Table:
        redeals = switches.get("redeals", "2")
        return _Table(
            piles=[list(pile) for pile in board.piles],
            foundations={suit_of(card): rank_of(card) for card in board.foundations},
            top_first=switches.get("pickup") == "top-first",
            runs=switches.get("move-unit", "run") == "run",
            when_exhausted=switches.get("redeal-when") == "exhausted",
            redeals=None if redeals == "unlimited" else int(redeals),
        )

    def move_up(self, source: int) -> str:
        card = self._pile(source)[-1]
        if not self._goes_up(card):
            raise IllegalLine(f"{card_name(card)} does not go to its foundation yet")
        self.piles[source].pop()
        self.foundations[suit_of(card)] = rank_of(card)
        return f"{card_name(card)} to its foundation (from pile {source + 1})"

    def move(self, source: int, target: int) -> str:
        onto = self._pile(target)[-1]
        count = self._run(self._pile(source))
        moved = self.piles[source][-count:]
        if source == target or not _is_child(moved[0], onto):
            raise IllegalLine(f"{_cards(moved)} does not go onto {card_name(onto)}")
        del self.piles[source][-count:]
        self.piles[target] += moved
        return f"{_cards(moved)} onto {card_name(onto)} (pile {source + 1} to pile {target + 1})"

    def redeal(self) -> str:
        if self.redeals is not None and self.redeals_made == self.redeals:
            raise IllegalLine("no redeal is left")
        if self.when_exhausted and self._can_move():
            raise IllegalLine("a redeal before nothing can move")
        self.redeals_made += 1
        step = -1 if self.top_first else 1
        cards = [card for pile in self.piles for card in pile[::step]]
        self.piles = [cards[i : i + PILE_SIZE][::step] for i in range(0, len(cards), PILE_SIZE)]
        return f"redeal {self.redeals_made}" + (f" of {self.redeals}" if self.redeals is not None else "")

    def _pile(self, number: int) -> list[int]:
        if number >= len(self.piles) or not self.piles[number]:
            raise IllegalLine(f"pile {number + 1} has no card")
        return self.piles[number]

    def _goes_up(self, card: int) -> bool:
        return rank_of(card) == self.foundations.get(suit_of(card), 0) + 1

    def _run(self, pile: list[int]) -> int:
        """How many cards move together from the top of a pile."""
        count = 1
        while self.runs and count < len(pile) and _is_child(pile[-count], pile[-count - 1]):
            count += 1
        return count

    def _can_move(self) -> bool:
        piles = [pile for pile in self.piles if pile]
        return any(
            self._goes_up(pile[-1]) or any(_is_child(pile[-self._run(pile)], other[-1]) for other in piles)
            for pile in piles
        )


def _is_child(card: int, parent: int) -> bool:
    return suit_of(card) == suit_of(parent) and rank_of(card) + 1 == rank_of(parent)


def _cards(run: list[int]) -> str:
    """``5S``, or ``7S..5S`` for a run."""
    return card_name(run[0]) + (f"..{card_name(run[-1])}" if len(run) > 1 else "")
