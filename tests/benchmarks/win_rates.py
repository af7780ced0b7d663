"""The README's table of win rates, from real runs: ``python tests/benchmarks/win_rates.py [--runs FOLDER]``.

Runs that are there are used, the others are made or finished first (about an hour on two cores for all);
the time of a deal is measured on one core, see undisturbed.py; then the table between the markers of
README.md is written anew. ``--scale 100`` makes a hundredth of each range, to try it out; it prints the
table and leaves the README alone.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from undisturbed import measure

import pipeline
import solver
from pipeline.summary import Summary

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- win rates: written by tests/benchmarks/win_rates.py -->", "<!-- end of win rates -->"


@dataclass(frozen=True)
class Row:
    """One line of the table: a game under named rules, over a range of deals from 1."""

    game: str
    rules: str
    deals: int

    @property
    def command(self) -> str:
        """What makes the run, but for --out."""
        return f"dealsweep run {self.game} 1..{self.deals:_} --rules {self.rules}"


MILLION = 1_000_000
ROWS = [
    Row("black-hole", "standard", MILLION),
    Row("all-in-a-row", "standard", MILLION),
    Row("golf", "standard", MILLION),
    Row("golf", "queens-on-kings", MILLION),
    Row("golf", "wrap", MILLION),
    Row("perpetual-motion", "masten", MILLION),
    Row("perpetual-motion", "clarke", MILLION),
    Row("perpetual-motion", "cascade-ltr", MILLION),
    Row("perpetual-motion", "snap-rtl", MILLION),
    Row("perpetual-motion", "pysolfc-auto", MILLION),
    Row("perpetual-motion", "right", MILLION),
    Row("perseverance", "bottom-first", MILLION),
    Row("perseverance", "top-first", MILLION),
    Row("perseverance", "single-card", 100_000),
    Row("perseverance", "exhausted", MILLION),
    Row("cruel", "top-first", 100_000),
    Row("cruel", "bottom-first", 100_000),
    Row("cruel", "relaxed", 100_000),
    Row("bisley", "13", MILLION),
    Row("bisley", "12x4", MILLION),
]


def microseconds(row: Row, summary: Summary) -> float:
    """CPU time of a deal: that of an iteration, by the iterations of all deals of the run."""
    # Few deals that are hard each need a longer look: an iteration of one is not that of another.
    seconds = 4.0 if row.deals >= MILLION else 40.0
    speed = measure(solver.open_solver(row.game, rules=row.rules), 1, seconds=seconds)
    mean = summary.all_iterations.mean
    assert mean is not None
    return 1e6 * speed.quiet_seconds / speed.quiet_iterations * mean


def line(row: Row, summary: Summary) -> str:
    """A row of the table from its run."""
    won, lost, undecided = (summary.tallies[name].deals for name in summary.verdicts)
    rate = summary.win_rate
    assert rate.least is not None and rate.most is not None
    share = f"{rate.least:.3%}" + (f" to {rate.most:.3%}" if undecided else "")
    iterations, time = summary.all_iterations.mean, microseconds(row, summary)
    return (
        f"| {row.game} | {row.rules} | {won + lost + undecided:,} | {won:,} | {lost:,} | {undecided:,} "
        f"| {share} | {rate.low:.3%} to {rate.high:.3%} | {iterations:,.1f} | {time:,.1f} "
        f"| `{summary.fingerprint[:12]}` |"
    )


def table(rows: list[Row], folder: Path) -> str:
    """The whole table, each run finished first if need be."""
    lines = [
        "| game | rules | deals 1..n | can be won | cannot | undecided | win rate | 95 % interval "
        "| mean iterations | us a deal | fingerprint |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        print(row.command, file=sys.stderr, flush=True)
        out = folder / f"{row.game}-{row.rules}-{row.deals}"
        summary = pipeline.run(row.game, f"1..{row.deals}", out, rules=row.rules)
        if summary.missing or summary.failures:
            raise SystemExit(f"{out}: not complete")
        lines.append(line(row, summary))
        print(lines[-1], file=sys.stderr, flush=True)
    lines += [
        "",
        "Each row is `dealsweep run GAME 1..N --rules RULES`, then `dealsweep query RUN win_rate`. Undecided",
        "deals count both ways. The time is CPU time of one core in undisturbed moments "
        f"({solver.build_info()['instruction_set']}). "
        "Deals of Perpetual Motion that cannot be won are cycles.",
    ]
    return "\n".join(lines)


def main() -> int:
    """Make the runs, write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs") / "rates")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("names", nargs="*", help="only these games")
    arguments = parser.parse_args()
    rows = [
        Row(row.game, row.rules, row.deals // arguments.scale)
        for row in ROWS
        if not arguments.names or row.game in arguments.names
    ]
    text = table(rows, arguments.runs)
    if arguments.scale > 1 or arguments.names:
        print(text)
        return 0
    before, _, rest = README.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
