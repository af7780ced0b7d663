"""The rules once more, in plain Python, sharing no code with the native core.

They check a winning line move by move and say it in words. Adding a game here is one line of `_RULES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast

from solver.board import Board


class IllegalLine(ValueError):
    """A line that breaks a rule, or ends before the game is won; the message names the move."""


class Rules(Protocol):
    """What a game's module offers."""

    def play(self, board: Board, switches: Mapping[str, str], line: bytes | None) -> Iterator[str]:
        """Plays a line to the end and says each move as one line of text.

        Args:
            board: the board as dealt; never changed.
            switches: every switch of the rules in force, with its value.
            line: the moves, in the encoding that the game's native header describes; None where a game
                plays itself.

        Raises:
            IllegalLine: at the first move that breaks a rule, or at the end if the game is not won.
        """


_BLACK_HOLE_FAMILY = "solver.rules.black_hole_family"
_PERSEVERANCE = "solver.rules.perseverance"
_RULES = {
    "black-hole": _BLACK_HOLE_FAMILY,
    "all-in-a-row": _BLACK_HOLE_FAMILY,
    "golf": _BLACK_HOLE_FAMILY,
    "perpetual-motion": "solver.rules.perpetual_motion",
    "perseverance": _PERSEVERANCE,
    "cruel": _PERSEVERANCE,
    "bisley": "solver.rules.bisley",
}


def rules_of(game: str) -> Rules:
    """The rules of a game, by its canonical name."""
    return cast(Rules, import_module(_RULES[game]))
