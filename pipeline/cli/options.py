"""Options that several commands share, with one help text each."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from pipeline.config import parse_bytes
from pipeline.errors import UsageError

Rules = Annotated[str | None, typer.Option("--rules", help="A named rule set of the game.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME=VALUE", help="A switch over the named rules; may be repeated."),
]
Search = Annotated[
    str | None, typer.Option("--search", help="Which search; the game's first is the default.")
]
Prune = Annotated[str | None, typer.Option("--prune", help="A pruning rule of the search.")]
Limit = Annotated[
    int | None, typer.Option("--limit", metavar="N", help="Iterations a deal, after which it is exhausted.")
]
LimitOrNone = Annotated[
    str | None,
    typer.Option(
        "--limit", metavar="N|none", help="Iterations a deal, after which it is exhausted; or none."
    ),
]
MemoryCap = Annotated[
    int | None,
    typer.Option(
        "--memory-cap",
        metavar="SIZE",
        parser=parse_bytes,
        help="Tables a deal, such as 512MB or 2GiB, after which it is exhausted.",
    ),
]


def read_limit(text: str | None) -> int | Literal["none"] | None:
    """A number of iterations or `none`; None when nothing was given. Raises UsageError."""
    if text is None:
        return None
    if text == "none":
        return "none"
    try:
        return int(text)
    except ValueError:
        raise UsageError(f'--limit "{text}" is neither a number nor none') from None


def read_switches(words: list[str] | None) -> dict[str, str]:
    """``name=value`` words as a dict; one word may hold several, divided by spaces or commas.

    Raises:
        UsageError: a word without ``=``, or a name given twice.
    """
    switches: dict[str, str] = {}
    for word in (part for text in words or () for part in text.replace(",", " ").split()):
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UsageError(f'"{word}" is not name=value')
        if name in switches:
            raise UsageError(f'rule "{name}" is given twice')
        switches[name] = value
    return switches
