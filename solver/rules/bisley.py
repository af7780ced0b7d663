"""Bisley: a suit's cards go up on its ace foundation and down on its king foundation, meeting anywhere.

A line is two bytes a move: the pile that a card is taken from, counted from 0, and the pile that it goes to,
or 254 for the ace foundation and 253 for the king foundation of its suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solver.board import Board
from solver.cards import card_name, rank_of, suit_of
from solver.rules import IllegalLine

ACE_FOUNDATION = 254
KING_FOUNDATION = 253
RANKS_A_SUIT = 13


def play(board: Board, switches: Mapping[str, str], line: bytes | None) -> Iterator[str]:
    """See `solver.rules.Rules.play`. Cards that are not on the board have been played already."""
    piles = [list(pile) for pile in board.piles]
    left = {card for pile in piles for card in pile}
    moves = line or b""
    for number, at in enumerate(range(0, len(moves), 2), start=1):
        if at + 1 == len(moves):
            raise IllegalLine(f"move {number}: the line ends within a move")
        source, target = moves[at], moves[at + 1]
        if source >= len(piles) or not piles[source]:
            raise IllegalLine(f"move {number}: pile {source + 1} has no card")
        card = piles[source].pop()
        if target in (ACE_FOUNDATION, KING_FOUNDATION):
            yield _to_foundation(number, card, target, left) + f" (from pile {source + 1})"
            left.discard(card)
        else:
            yield _to_pile(number, card, target, piles) + f" (pile {source + 1} to pile {target + 1})"
            piles[target].append(card)
    if left:
        raise IllegalLine(f"the line ends with {len(left)} cards left on the tableau")


def _to_foundation(number: int, card: int, target: int, left: set[int]) -> str:
    """Says the move; the next card of a foundation is the end of what is left of its suit."""
    name, suit = card_name(card), suit_of(card)
    ranks = [rank_of(other) for other in left if suit_of(other) == suit]
    end, which = (min(ranks), "ace") if target == ACE_FOUNDATION else (max(ranks), "king")
    if rank_of(card) != end:
        raise IllegalLine(f"move {number}: {name} is not the next card of the {which} foundation")
    opens = which == "king" and end == RANKS_A_SUIT
    return f"{name} opens the king foundation" if opens else f"{name} to the {which} foundation"


def _to_pile(number: int, card: int, target: int, piles: list[list[int]]) -> str:
    name = card_name(card)
    if target >= len(piles):
        raise IllegalLine(f"move {number}: there is no pile {target + 1}")
    if not piles[target]:
        raise IllegalLine(f"move {number}: pile {target + 1} is empty and stays so")
    onto = piles[target][-1]
    if suit_of(onto) != suit_of(card) or abs(rank_of(onto) - rank_of(card)) != 1:
        raise IllegalLine(f"move {number}: {name} does not go onto {card_name(onto)}")
    return f"{name} onto {card_name(onto)}"
