"""Commands about games and single boards: games, show, solve."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

import solver
from pipeline.cli.options import Limit, MemoryCap, Prune, Rules, Search, Switches, read_switches
from pipeline.errors import DealsweepError, UsageError

GameArgument = Annotated[str, typer.Argument(help="A game; `dealsweep games` lists them.")]


def register(app: typer.Typer) -> None:
    """Adds these commands to the application."""
    app.command()(games)
    app.command()(show)
    app.command()(solve)


def games(
    game: Annotated[str | None, typer.Argument(help="Show one game with everything it takes.")] = None,
) -> None:
    """List the games, or show one with its rules, switches and searches."""
    if game is not None:
        _print_game(solver.game_info(game))
        return
    from rich.console import Console  # noqa: PLC0415 - loaded where it is used
    from rich.table import Table  # noqa: PLC0415

    table = Table("game", "rules", "searches", "also called", box=None, pad_edge=False)
    for info in solver.games().values():
        names = [", ".join(choice["name"] for choice in info[key]) for key in ("rules", "searches")]
        table.add_row(info["name"], *names, ", ".join(info["aliases"]))
    Console(highlight=False).print(table)


def _print_game(info: dict[str, object]) -> None:
    def section(title: str, choices: object, mark_default: bool = True) -> None:
        assert isinstance(choices, list)
        if choices:
            print(f"{title}:")
        for place, choice in enumerate(choices):
            default = " (default)" if mark_default and place == 0 else ""
            values = ", ".join(value["name"] for value in choice.get("values", ()))
            name = f"{choice['name']}={values.replace(', ', '|')}" if values else choice["name"]
            print(f"  {name}{default}: {choice['help']}")

    print(info["title"])
    print(f"iteration: {info['iteration']}")
    verdicts, own = info["verdicts"], info["own_columns"]
    assert isinstance(verdicts, list) and isinstance(own, list)
    print(f"verdicts: {', '.join(verdicts)}")
    if own:
        print(f"columns of its own: {', '.join(own)}")
    section("rules (--rules)", info["rules"])
    section("switches (--rule)", info["switches"], mark_default=False)
    section("searches (--search)", info["searches"])
    section("pruning (--prune)", info["prunes"])


def show(
    game: GameArgument,
    deal: Annotated[str, typer.Argument(help="A deal number, 1 to 10^20; underscores are welcome.")],
    solution: Annotated[
        bool, typer.Option("--solution", help="Solve it and print the winning line.")
    ] = False,
    rules: Rules = None,
    rule: Switches = None,
    search: Search = None,
    limit: Limit = None,
    memory_cap: MemoryCap = None,
) -> None:
    """Print the board of a deal, and on request its winning line, one move a line."""
    session = solver.open_solver(
        game, rules=rules, rule=read_switches(rule), search=search, limit=limit, memory_cap=memory_cap,
        solutions=True,
    )  # fmt: skip
    board = session.board(_deal_number(deal))
    print(solver.format_board(board), end="")
    if solution:
        print()
        _print_line(session, board)


def solve(
    game: GameArgument,
    board: Annotated[str, typer.Argument(help="A file with the board as text, or - for standard input.")],
    rules: Rules = None,
    rule: Switches = None,
    search: Search = None,
    prune: Prune = None,
    limit: Limit = None,
    memory_cap: MemoryCap = None,
) -> None:
    """Decide a board given as text, and print its verdict and winning line."""
    session = solver.open_solver(
        game, rules=rules, rule=read_switches(rule), search=search, prune=prune, limit=limit,
        memory_cap=memory_cap, solutions=True,
    )  # fmt: skip
    _print_line(session, session.read_board(_read(board)))


def _print_line(session: solver.DealSolver, board: solver.Board) -> None:
    """The verdict, then the winning line, or the course of a game that plays itself."""
    result = session.solve_board(board)
    reason = f" ({result.reason})" if result.reason else ""
    print(f"verdict: {result.verdict}{reason}")
    print(f"iterations: {result.iterations}")
    for name, value in result.own.items():
        if value is not None:
            print(f"{name}: {value}")
    if result.solution is not None:
        # The whole line is checked before its first move is printed.
        for text in chain([""], list(session.play(board, result.solution))):
            print(text)
    elif session.plays_itself:
        print()
        _print_course(session, board)


def _print_course(session: solver.DealSolver, board: solver.Board) -> None:
    """What happens in a game that plays itself and is not won; the last line says how it ended."""
    try:
        for text in session.play(board, None):
            print(text)
    except solver.IllegalLine as end:
        print(end)


def _deal_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f'"{text}" is not a deal number') from None


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name}: not a text file") from None
    except OSError as error:
        raise DealsweepError(f"{name}: {error.strerror}") from None
