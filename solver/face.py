"""The Python face of the native core: names and text in, plain values and numpy arrays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.board import Board, format_board, parse_board
from solver.rules import rules_of

try:
    from solver import _native
except ImportError as error:  # pragma: no cover - an installation without the compiled part
    raise ImportError(
        f"dealsweep's compiled core cannot be loaded ({error}): install the package with pip rather than "
        "importing it from a source folder"
    ) from error

NULL = 2**64 - 1
LAST_RANGE_DEAL = 2**64 - 1
REASONS = (None, "limit", "memory")
_MOST_REFERENCE_BYTES = 4 << 30  # what an entry of its directory can name: line_store.hpp

Rule = Mapping[str, str | int]
"""Switches of a game's rules over its named ones: ``{"move-unit": "single"}``."""


@dataclass(frozen=True)
class Result:
    """What a search says of one board.

    Attributes:
        verdict: one of the game's three verdicts, such as ``solved``, ``unsolvable``, ``exhausted``.
        iterations: how many positions were expanded (the game says what it counts).
        generated: how many positions were met.
        solution: the winning line in the game's encoding, or None; `tell` says it in words.
        reason: why a deal is exhausted: ``limit`` or ``memory``; else None.
        own: the game's own columns; each is an attribute of the result too.
    """

    verdict: str
    iterations: int
    generated: int
    solution: bytes | None
    reason: str | None
    own: dict[str, int | None] = field(default_factory=dict)

    def __getattr__(self, name: str) -> int | None:
        own: dict[str, int | None] = self.__dict__.get("own", {})
        if name in own:
            return own[name]
        raise AttributeError(f"a result has no {name}")


def plays_itself(verdicts: Sequence[str]) -> bool:
    """Whether the game of these verdicts has no choices: it ends in a cycle where others are unsolvable."""
    return verdicts[1] == "cycle"


class DealSolver:
    """One game with its rules, search and tables, ready for many deals. Not for several threads at once.

    Attributes:
        game: the game's canonical name.
        settings: all that defines the rows, defaults filled in and rules spelt out, as plain JSON values.
        verdicts: the names of verdict codes 0, 1 and 2.
        own_columns: the names of the game's own columns.
        plays_itself: whether the game has no choices.
    """

    def __init__(
        self,
        game: str,
        *,
        rules: str | None = None,
        rule: Rule | None = None,
        search: str | None = None,
        prune: str | None = None,
        limit: int | None = None,
        memory_cap: int | None = None,
        solutions: bool = False,
    ) -> None:
        info = game_info(game)
        switches = [(name, str(value)) for name, value in (rule or {}).items()]
        self._native = _native.Solver(
            info["name"],
            rules or "",
            switches,
            search or "",
            prune or "",
            _at_least_one("limit", limit),
            _addressable(_at_least_one("memory cap", memory_cap), search),
            solutions,
        )
        self.game: str = info["name"]
        self.verdicts: tuple[str, str, str] = tuple(info["verdicts"])
        self.own_columns: tuple[str, ...] = tuple(info["own_columns"])
        self.plays_itself: bool = plays_itself(self.verdicts)
        self.switches: dict[str, str] = dict(self._native.switches)
        self.settings: dict[str, Any] = {
            "game": self.game,
            "rules": rules or info["rules"][0]["name"],
            "switches": self.switches,
            "search": search or info["searches"][0]["name"],
            "prune": prune or (info["prunes"][0]["name"] if info["prunes"] else None),
            "limit": self._native.limit,
            "memory_cap_bytes": self._native.memory_cap_bytes,
            "solutions": solutions,
        }

    def board(self, number: int) -> Board:
        """The board of a deal, 1 to 10^20.

        Raises:
            ValueError: there is no deal of this number.
        """
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 10**20:
            raise ValueError(f"deal {number}: deal numbers run from 1 to 10^20")
        piles, foundations, stock = self._native.layout(str(number))
        return Board(tuple(map(tuple, piles)), tuple(foundations), tuple(stock))

    def read_board(self, text: str) -> Board:
        """Reads a board of this game from text.

        Raises:
            BoardError: naming the line and the card at fault.
        """
        return parse_board(text, like=self.board(1))

    def solve_board(self, board: Board) -> Result:
        """Decides one board, which may hold fewer cards than a deck: the missing ones have been played."""
        row = self._native.solve_board(
            [bytes(p) for p in board.piles], bytes(board.foundations), bytes(board.stock)
        )
        own = {name: None if v == NULL else v for name, v in zip(self.own_columns, row["own"], strict=True)}
        return Result(
            verdict=self.verdicts[row["verdict"]],
            iterations=row["iterations"],
            generated=row["generated"],
            solution=row["solution"] if self.settings["solutions"] and row["verdict"] == 0 else None,
            reason=REASONS[row["reason"]],
            own=own,
        )

    def solve_columns(self, first: int, count: int) -> dict[str, Any]:
        """Decides deals first .. first+count-1, as columns of codes.

        Returns:
            ``verdict`` (uint8, an index into `verdicts`), ``reason`` (uint8: 0 none, 1 limit, 2 memory),
            ``iterations``, ``generated`` and the game's own columns (uint64; `NULL` where there is no
            value), ``solution`` (a list of bytes or None; None for all unless solutions were asked for).

        Raises:
            ValueError: the range leaves 1 .. 2^64-1.
        """
        check_range(first, count)
        columns: dict[str, Any] = self._native.solve_range(first, count)
        lines, line_ends = columns["solution"], columns.pop("solution_end")
        columns["solution"] = [None] * count
        if self.settings["solutions"]:
            ends = line_ends.tolist()
            won = (columns["verdict"] == 0).tolist()
            starts = [0, *ends[:-1]] if ends else []
            columns["solution"] = [
                lines[a:b] if w else None for a, b, w in zip(starts, ends, won, strict=True)
            ]
        return columns

    def play(self, board: Board, solution: bytes | None) -> Iterator[str]:
        """Plays a line by the plain-Python rules; see `solver.rules.Rules.play`."""
        return rules_of(self.game).play(board, self.switches, solution)


open_solver = DealSolver


@lru_cache(maxsize=1)
def games() -> dict[str, dict[str, Any]]:
    """Every game by its canonical name: title, rules, switches, searches, prunes, verdicts, columns."""
    return {game["name"]: game for game in _native.games()}


def game_info(name: str) -> dict[str, Any]:
    """A game's description, by name or alias.

    Raises:
        ValueError: no game has this name.
    """
    for game in games().values():
        if name == game["name"] or name in game["aliases"]:
            return game
    raise ValueError(f'unknown game "{name}": it is one of {", ".join(games())}')


def build_info() -> dict[str, str]:
    """Which build of the core this is: version, digest of its sources, compiler, dealer."""
    return dict(_native.build_info())


def deal(game: str, number: int, *, rules: str | None = None, rule: Rule | None = None) -> str:
    """The board of deal `number` (1 to 10^20) as text.

    Raises:
        ValueError: unknown game or rules, or a number that is no deal.
    """
    return format_board(DealSolver(game, rules=rules, rule=rule).board(number))


def solve(
    game: str,
    board_text: str,
    *,
    rules: str | None = None,
    rule: Rule | None = None,
    search: str | None = None,
    prune: str | None = None,
    limit: int | None = None,
    memory_cap: int | None = None,
    solutions: bool = True,
) -> Result:
    """Decides one board, given as text.

    Args:
        game: a game's name or alias.
        board_text: the board, in the form that `deal` returns.
        rules: a named rule set of the game; None is its default.
        rule: switches over the named rules.
        search: a search of the game; None is its default.
        prune: a pruning rule of the search.
        limit: iterations after which the deal is exhausted.
        memory_cap: bytes of tables after which the deal is exhausted.
        solutions: whether a winning line is wanted.

    Raises:
        BoardError: the board is at fault.
        ValueError: the request is.
    """
    session = DealSolver(
        game, rules=rules, rule=rule, search=search, prune=prune, limit=limit, memory_cap=memory_cap,
        solutions=solutions,
    )  # fmt: skip
    return session.solve_board(session.read_board(board_text))


def solve_range(
    game: str,
    first: int,
    count: int,
    *,
    rules: str | None = None,
    rule: Rule | None = None,
    search: str | None = None,
    prune: str | None = None,
    limit: int | None = None,
    memory_cap: int | None = None,
    solutions: bool = False,
) -> dict[str, npt.NDArray[Any]]:
    """Decides deals first .. first+count-1; see `solve` for the arguments.

    Returns:
        A dict of arrays of length `count`: ``deal`` (uint64), ``verdict`` (strings), ``iterations`` and
        ``generated`` (uint64), the game's own columns (uint64, masked where there is no value), ``reason``
        (objects: None, ``limit``, ``memory``) and ``solution`` (objects: bytes or None).

    Raises:
        ValueError: the request is at fault, or the range leaves 1 .. 2^64-1.
    """
    session = DealSolver(
        game, rules=rules, rule=rule, search=search, prune=prune, limit=limit, memory_cap=memory_cap,
        solutions=solutions,
    )  # fmt: skip
    codes = session.solve_columns(first, count)
    columns: dict[str, npt.NDArray[Any]] = {
        "deal": np.arange(count, dtype=np.uint64) + np.uint64(first),
        "verdict": np.array(session.verdicts)[codes["verdict"]],
        "iterations": codes["iterations"],
        "generated": codes["generated"],
    }
    for name in session.own_columns:
        columns[name] = np.ma.masked_equal(codes[name], NULL)
    columns["reason"] = np.array(REASONS, dtype=object)[codes["reason"]]
    columns["solution"] = np.empty(count, dtype=object)
    columns["solution"][:] = codes["solution"]
    return columns


def replay(
    game: str, board_text: str, solution: bytes | None, *, rules: str | None = None, rule: Rule | None = None
) -> bool:
    """Checks a winning line against the rules in plain Python, which share no code with the search.

    Returns:
        True: the line is legal to the last move and wins.

    Raises:
        IllegalLine: naming the move that breaks a rule, or that the game is not won at the end.
        BoardError: the board is at fault.
    """
    for _ in tell(game, board_text, solution, rules=rules, rule=rule):
        pass
    return True


def tell(
    game: str, board_text: str, solution: bytes | None, *, rules: str | None = None, rule: Rule | None = None
) -> Iterator[str]:
    """The moves of a line in words, each checked as it is told; raises as `replay` does."""
    session = DealSolver(game, rules=rules, rule=rule)
    return session.play(session.read_board(board_text), solution)


def check_range(first: int, count: int) -> None:
    """Refuses a range of deals that leaves 1 .. 2^64-1.

    Raises:
        ValueError: saying which bound is passed.
    """
    if first < 1:
        raise ValueError(f"deal {first}: deal numbers start at 1")
    if count < 0:
        raise ValueError(f"{count} deals: a count cannot be negative")
    if first + count - 1 > LAST_RANGE_DEAL:
        raise ValueError(f"deal {first + count - 1}: a range ends at 2^64-1 at the latest")


def _addressable(memory_cap: int | None, search: str | None) -> int | None:
    """The cap itself. Raises ValueError when the search would be exhausted before it fills so much."""
    if search == "reference" and memory_cap is not None and memory_cap > _MOST_REFERENCE_BYTES:
        raise ValueError(f"memory cap {memory_cap}: the reference search holds at most 4 GiB")
    return memory_cap


def _at_least_one(what: str, value: int | None) -> int | None:
    if value is not None and not 1 <= value < NULL:
        raise ValueError(f"{what} {value}: give at least 1")
    return value
