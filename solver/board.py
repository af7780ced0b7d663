"""Boards as text, both ways.

The text form is the one that PySolFC, pysol-cards, black-hole-solver and fc-solve print and read: a line
``Talon: ...`` (in the order dealt) where a game has a stock, a line ``Foundations: AS`` (``-`` where they
are empty), and a line a pile, bottom card first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from solver.cards import DECK_SIZE, RANKS, SUITS, card_name, parse_card


class BoardError(ValueError):
    """A board that cannot be played; the message names the line and the card."""


@dataclass(frozen=True)
class Board:
    """Cards on the table. A card is 13*suit + rank-1, suits in the order C S H D.

    Attributes:
        piles: each pile bottom card first.
        foundations: the top card of each foundation that is not empty.
        stock: the cards still to be dealt, the next one first.
    """

    piles: tuple[tuple[int, ...], ...]
    foundations: tuple[int, ...] = ()
    stock: tuple[int, ...] = ()


def format_board(board: Board) -> str:
    """The board as text, a line feed at the end of each line."""
    lines = []
    if board.stock:
        lines.append(f"Talon: {_words(board.stock)}")
    if board.piles:
        lines.append(f"Foundations: {_words(board.foundations) or '-'}")
    lines += [_words(pile) for pile in board.piles]
    return "".join(line + "\n" for line in lines)


def parse_board(text: str, like: Board) -> Board:
    """Reads a board of the same shape as `like`, a dealt board of the game.

    Blank lines and lines that start with ``#`` are passed over. A pile may be given with its cards after a
    colon (``: 2C 3D``). The deck must be whole: the cards that `like` has on the table, each once.

    Raises:
        BoardError: with the line and the card at fault.
    """
    if not like.piles:
        return Board((), stock=parse_stock(text))
    reader = _Reader(_cards_of(like))
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line and not line.startswith("#"):
            reader.read_line(number, line)
    board = reader.board(like)
    _check_shape(board, like, reader.pile_lines)
    _check_whole(board, like, reader.pile_lines)
    return board


def parse_stock(text: str) -> tuple[int, ...]:
    """Reads a whole deck, the first card dealt first, over any number of lines.

    Either 52 cards (``JD 2D ...``, with or without ``Talon:`` before them), or, for games that ignore suits,
    52 ranks (``JT9...``), each four times; suits are then given in order.

    Raises:
        BoardError: with the line and the card at fault.
    """
    reader = _Reader(Counter(range(DECK_SIZE)))
    cards: list[int] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition(":")[2] if raw.strip().lower().startswith(("talon:", "stock:")) else raw
        if line.strip() and not line.strip().startswith("#"):
            words = line.split()
            cards += (
                reader.read_ranks(number, words) if _is_ranks(words) else reader.read_cards(number, words)
            )
    if len(cards) < DECK_SIZE:
        missing = [card for card in range(DECK_SIZE) if card not in cards]
        raise BoardError(f"{len(cards)} cards, where a deck has {DECK_SIZE}; missing: {_some(missing)}")
    return tuple(cards)


def _is_ranks(words: list[str]) -> bool:
    return not any(letter in SUITS for word in words for letter in word.upper())


def _some(cards: list[int]) -> str:
    return _words(cards[:5]) + (" ..." if len(cards) > 5 else "")


def _words(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards))


class _Reader:
    """Collects the lines of a board and refuses what no game has."""

    def __init__(self, deck: Counter[int]) -> None:
        self._left = deck.copy()
        self.piles: list[tuple[int, ...]] = []
        self.pile_lines: list[int] = []
        self.foundations: tuple[int, ...] | None = None
        self.stock: tuple[int, ...] | None = None
        self._line_of_card: dict[int, int] = {}

    def read_line(self, number: int, line: str) -> None:
        label, colon, rest = line.rpartition(":")
        kind = label.strip().lower() if colon else ""
        words = rest.replace("-", " - ").split() if kind == "foundations" else rest.split()
        if kind in ("foundations", "foundation"):
            if self.foundations is not None:
                raise BoardError(f"line {number}: a second line of foundations")
            self.foundations = self._cards(number, _foundation_words(words))
        elif kind in ("talon", "stock", "deck"):
            if self.stock is not None:
                raise BoardError(f"line {number}: a second talon")
            self.stock = self._cards(number, words)
        elif kind == "":
            self.piles.append(self._cards(number, words))
            self.pile_lines.append(number)
        else:
            raise BoardError(f'line {number}: unknown label "{label.strip()}": Foundations or Talon')

    def read_cards(self, number: int, words: list[str]) -> tuple[int, ...]:
        """The cards of a line, each of which must be new."""
        return self._cards(number, words)

    def read_ranks(self, number: int, words: list[str]) -> tuple[int, ...]:
        """The ranks of a line as cards: the first free suit of each."""
        cards = []
        for letter in "".join(words).upper().replace("10", "T"):
            if letter not in RANKS:
                raise BoardError(f'line {number}: "{letter}" is not a rank')
            suits = range(RANKS.index(letter), DECK_SIZE, len(RANKS))
            card = next((card for card in suits if self._left[card]), None)
            if card is None:
                raise BoardError(f"line {number}: a fifth card of rank {letter}")
            self._take(number, card)
            cards.append(card)
        return tuple(cards)

    def board(self, like: Board) -> Board:
        """What was read; foundations that every deal of a game starts with may be left out."""
        foundations = self.foundations
        if foundations is None and like.stock == ():
            foundations = like.foundations
        return Board(tuple(self.piles), foundations or (), self.stock or ())

    def _cards(self, number: int, words: list[str]) -> tuple[int, ...]:
        cards = []
        for word in words:
            try:
                card = parse_card(word)
            except ValueError as error:
                raise BoardError(f"line {number}: {error}") from None
            self._take(number, card)
            cards.append(card)
        return tuple(cards)

    def _take(self, number: int, card: int) -> None:
        """Takes a card out of those left of the deck."""
        if self._left[card] == 0:
            first = self._line_of_card.get(card)
            fault = f"is there twice (first in line {first})" if first else "is not in this game's deck"
            raise BoardError(f"line {number}: {card_name(card)} {fault}")
        self._left[card] -= 1
        self._line_of_card.setdefault(card, number)


def _cards_of(board: Board) -> Counter[int]:
    """Every card on the table, with how many there are."""
    return Counter(card for pile in (*board.piles, board.foundations, board.stock) for card in pile)


def _foundation_words(words: list[str]) -> list[str]:
    """Foundations may also stand as ``S-A``, as Freecell programs print them; ``S-0`` is an empty one."""
    joined = " ".join(words).replace(" - ", "-").split()
    turned = [f"{w[2:]}{w[0]}" if len(w) > 2 and w[1] == "-" else w for w in joined]
    return [w for w in turned if w != "-" and not w.startswith("0")]


def _check_shape(board: Board, like: Board, pile_lines: list[int]) -> None:
    if len(board.piles) > len(like.piles):
        line = pile_lines[len(like.piles)]
        raise BoardError(f"line {line}: too many piles: this game has {len(like.piles)}")
    if len(board.piles) < len(like.piles):
        line = pile_lines[-1] if pile_lines else 1
        raise BoardError(f"line {line}: only {len(board.piles)} piles, where this game has {len(like.piles)}")
    for line, pile, shape in zip(pile_lines, board.piles, like.piles, strict=True):
        if len(pile) > len(shape):
            raise BoardError(f"line {line}: {len(pile)} cards in a pile that holds {len(shape)}")
    if len(board.foundations) != len(like.foundations):
        raise BoardError(
            f"{len(board.foundations)} cards on foundations, where this game has {len(like.foundations)}"
        )
    if not like.stock and board.stock:
        raise BoardError("a talon, where this game has none")


def _check_whole(board: Board, like: Board, pile_lines: list[int]) -> None:
    if not like.stock and sorted(board.foundations) != sorted(like.foundations):
        raise BoardError(
            f"foundations {_words(board.foundations)}, where this game starts with {_words(like.foundations)}"
        )
    missing = sorted((_cards_of(like) - _cards_of(board)).elements())
    if not missing:
        return
    for line, pile, shape in zip(pile_lines, board.piles, like.piles, strict=True):
        if len(pile) < len(shape):
            raise BoardError(
                f"line {line}: {len(pile)} cards in a pile that holds {len(shape)}; missing: {_some(missing)}"
            )
    raise BoardError(f"missing: {_some(missing)}")
