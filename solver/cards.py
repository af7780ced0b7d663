"""Cards as the whole package knows them: small integers and their names."""

from __future__ import annotations

SUITS = "CSHD"
RANKS = "A23456789TJQK"
DECK_SIZE = 52


def rank_of(card: int) -> int:
    """The rank of a card, 1 (ace) to 13 (king)."""
    return card % 13 + 1


def suit_of(card: int) -> str:
    """The suit letter of a card: C, S, H or D."""
    return SUITS[card // 13]


def card_name(card: int) -> str:
    """A card as two characters, rank first: ``AS``, ``TD``."""
    return RANKS[card % 13] + SUITS[card // 13]


def parse_card(word: str) -> int:
    """The card that a word names: ``AS``, ``TD`` or ``10D``, in either case.

    Raises:
        ValueError: the word names no card.
    """
    text = word.upper()
    if text.startswith("10"):
        text = "T" + text[2:]
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f'"{word}" is not a card')
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])
