"""Black Hole, All in a Row and Golf: every card onto one foundation that builds up or down by rank.

A line is one byte a move: the number of the pile whose top card is played, from 0, or 255 for the next
card of the stock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solver.board import Board
from solver.cards import card_name, rank_of
from solver.rules import IllegalLine

STOCK = 255


def play(board: Board, switches: Mapping[str, str], line: bytes | None) -> Iterator[str]:
    """See `solver.rules.Rules.play`; Golf's switch ``kings`` is ``closed``, ``queens`` or ``wrap``."""
    kings = switches.get("kings", "wrap")
    circle = int(switches.get("ranks", "13")) if kings == "wrap" else 0
    piles = [list(pile) for pile in board.piles]
    stock = list(board.stock)
    foundation = board.foundations[-1] if board.foundations else None
    for number, move in enumerate(line or b"", start=1):
        if move == STOCK:
            if not stock:
                raise IllegalLine(f"move {number}: the stock is empty")
            foundation = stock.pop(0)
            yield f"{card_name(foundation)} from the stock"
            continue
        if move >= len(piles) or not piles[move]:
            raise IllegalLine(f"move {number}: pile {move + 1} has no card")
        card = piles[move].pop()
        if foundation is not None and not _fits(rank_of(foundation), rank_of(card), circle, kings):
            raise IllegalLine(f"move {number}: {card_name(card)} does not go onto {card_name(foundation)}")
        onto = "to start the foundation" if foundation is None else f"onto {card_name(foundation)}"
        foundation = card
        yield f"{card_name(card)} from pile {move + 1} {onto}"
    if left := sum(map(len, piles)):
        raise IllegalLine(f"the line ends with {left} cards left on the tableau")


def _fits(under: int, over: int, circle: int, kings: str) -> bool:
    """Whether a rank goes onto another; `circle` is how many ranks there are, 0 where they end."""
    if under == 13 and kings == "closed":
        return False
    distance = abs(under - over)
    return distance == 1 or distance == circle - 1
