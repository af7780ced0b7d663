"""Exact solvers of patience deals, at native speed.

    >>> import solver
    >>> print(solver.deal("black-hole", 24))          # the board, as text
    >>> solver.solve("black-hole", board_text).verdict
    'solved'
    >>> solver.solve_range("black-hole", 1, 1000)["iterations"].mean()

Deals are numbered as PySolFC and pysol-cards number them. A verdict is a theorem: ``solved`` deals have a
line that was replayed, ``unsolvable`` ones a complete search behind them, and ``exhausted`` says that a
limit was met first. Nothing here knows of files, clusters or SQL.
"""

from __future__ import annotations

from solver.board import Board, BoardError, format_board
from solver.face import (
    DealSolver,
    Result,
    Rule,
    build_info,
    deal,
    game_info,
    games,
    open_solver,
    plays_itself,
    replay,
    solve,
    solve_range,
    tell,
)
from solver.rules import IllegalLine

__all__ = [
    "Board",
    "BoardError",
    "DealSolver",
    "IllegalLine",
    "Result",
    "Rule",
    "build_info",
    "deal",
    "format_board",
    "game_info",
    "games",
    "open_solver",
    "plays_itself",
    "replay",
    "solve",
    "solve_range",
    "tell",
]
