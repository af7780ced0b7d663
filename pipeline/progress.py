"""What happens during a run, as events, and the displays that show them.

There is one writer: whatever is to be said while a run goes on is an event, and one display
writes it. Displays write to standard error, so that standard output holds the results alone;
JSON lines, being results for another program, go to standard output.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TextIO

from pipeline.deals import Deals, DealSet, count_deals, describe
from pipeline.errors import UsageError
from pipeline.summary import Summary, Whole
from pipeline.tally import Tallies

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Style = Literal["auto", "rich", "plain", "json", "none"]
STYLES: tuple[str, ...] = ("auto", "rich", "plain", "json", "none")

_PLAIN_SECONDS = 10.0


@dataclass(frozen=True)
class Started:
    """Tasks are about to be handed out: `missing` of the `asked` deals, on `workers` CPUs."""

    location: str
    game: str
    asked: DealSet
    missing: DealSet
    shards: int
    workers: int
    tallies: Tallies

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "event": "running",
            "run": self.location,
            "game": self.game,
            "range": describe(self.asked),
            "deals": count_deals(self.asked),
            "missing": count_deals(self.missing),
            "shards": self.shards,
            "workers": self.workers,
        }


@dataclass(frozen=True)
class ShardDone:
    """A shard is committed: wall time on `node`, CPU time for it, and what of that was the search."""

    deals: Deals
    tallies: Tallies
    seconds: float
    node: str
    cpu_seconds: float
    solver_seconds: float

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "event": "shard",
            "first": self.deals.first,
            "last": self.deals.last,
            "verdicts": {name: tally.deals for name, tally in self.tallies.items()},
            "seconds": round(self.seconds, 4),
            "node": self.node,
            "cpu_seconds": round(self.cpu_seconds, 4),
            "solver_seconds": round(self.solver_seconds, 4),
        }


@dataclass(frozen=True)
class Notice:
    """Something that a person should know: a quarantined file, a dead worker, a drain."""

    kind: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"event": self.kind, "text": self.text}


@dataclass(frozen=True)
class Ended:
    """The run is over, finished or not; or what it and the run that it retries say together."""

    summary: Summary | Whole

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        event = "whole" if isinstance(self.summary, Whole) else "summary"
        return {"event": event, **self.summary.to_json()}


Event = Started | ShardDone | Notice | Ended


class Display(Protocol):
    """Shows events; a context manager that puts the terminal back in order."""

    def __call__(self, event: Event) -> None:
        """Show one event."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Silent:
    """Shows nothing."""

    def __call__(self, event: Event) -> None:
        """Nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return


class Results(Silent):
    """Shows the summary alone."""

    def __init__(self, summary: TextIO) -> None:
        self._summary = summary

    def __call__(self, event: Event) -> None:
        """Write the summary."""
        if isinstance(event, Ended):
            _write_lines(self._summary, event.summary.lines())


class _Counts:
    """Deals by verdict as they come in."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.verdicts: dict[str, int] = {}

    def start(self, event: Started) -> None:
        self.total = count_deals(event.asked)
        self.done = self.total - count_deals(event.missing)
        self.verdicts = {name: tally.deals for name, tally in event.tallies.items()}

    def add(self, event: ShardDone) -> None:
        self.done += event.deals.count
        for name, tally in event.tallies.items():
            self.verdicts[name] = self.verdicts.get(name, 0) + tally.deals

    def __str__(self) -> str:
        return ", ".join(f"{name} {deals:,}" for name, deals in self.verdicts.items() if deals)


class Lines(Silent):
    """Plain lines, at most one in ten seconds for progress."""

    def __init__(self, stream: TextIO, summary: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._summary, self._clock = stream, summary, clock
        self._counts = _Counts()
        self._began = self._said = clock()
        self._done_before = 0

    def __call__(self, event: Event) -> None:
        """Write what there is to say."""
        match event:
            case Started():
                self._counts.start(event)
                self._began = self._said = self._clock()
                self._done_before = self._counts.done
                self._write(
                    f"running: {event.game} {describe(event.asked)}: {count_deals(event.missing):,} deals "
                    f"in {event.shards:,} shards to go, {event.workers} workers"
                )
            case ShardDone():
                self._counts.add(event)
                if self._clock() - self._said >= _PLAIN_SECONDS:
                    self._said = self._clock()
                    self._write(self._progress())
            case Notice():
                self._write(f"{event.kind}: {event.text}")
            case Ended():
                _write_lines(self._summary, event.summary.lines())

    def _progress(self) -> str:
        counts, seconds = self._counts, self._clock() - self._began
        speed = (counts.done - self._done_before) / seconds if seconds > 0 else 0.0
        left = f", {(counts.total - counts.done) / speed:,.0f} s left" if speed else ""
        share = counts.done / counts.total if counts.total else 1.0
        return (
            f"{counts.done:,} of {counts.total:,} deals ({share:.1%}), {speed:,.0f} deals/s{left}; {counts}"
        )

    def _write(self, line: str) -> None:
        _write_lines(self._stream, [line])


class JsonLines(Silent):
    """Every event as a line of JSON."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        """Write the event."""
        _write_lines(self._stream, [json.dumps(event.to_json())])


class Bar:
    """A progress bar with counts by verdict, for a terminal."""

    def __init__(self, stream: TextIO, summary: TextIO) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where a terminal is
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._console = Console(file=stream)
        self._summary = summary
        self._counts = _Counts()
        self._task: TaskID | None = None
        self._bar: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[verdicts]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            refresh_per_second=4,
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Move the bar, or say something above it."""
        match event:
            case Started():
                self._counts.start(event)
                self._task = self._bar.add_task(
                    event.game, total=self._counts.total, completed=self._counts.done, verdicts=""
                )
            case ShardDone():
                self._counts.add(event)
                if self._task is not None:
                    self._bar.update(self._task, completed=self._counts.done, verdicts=str(self._counts))
            case Notice():
                self._console.print(f"{event.kind}: {event.text}", markup=False, highlight=False)
            case Ended():
                self._bar.stop()
                _write_lines(self._summary, event.summary.lines())


def open_display(style: str = "auto", stream: TextIO | None = None, results: TextIO | None = None) -> Display:
    """The display of a style. Raises UsageError for an unknown one.

    Args:
        style: `auto` is a bar on a terminal and plain lines elsewhere; or `rich`, `plain`, `json`, `none`.
        stream: where progress goes; None is standard error.
        results: where the summary goes; None is standard output.
    """
    stream, results = stream or sys.stderr, results or sys.stdout
    if style == "auto":
        style = "rich" if stream.isatty() else "plain"
    match style:
        case "rich":
            return Bar(stream, results)
        case "plain":
            return Lines(stream, results)
        case "json":
            return JsonLines(results)
        case "none":
            return Results(results)
    raise UsageError(f'--progress "{style}" is not one of {", ".join(STYLES)}')


def _write_lines(stream: TextIO, lines: list[str]) -> None:
    stream.write("".join(line + "\n" for line in lines))
    stream.flush()
