"""Speeds of every search, in user CPU time: ``make bench``, or ``python tests/benchmarks/run.py [NAME...]``.

A row is the median of several runs in this process, dealing included. Machines differ and are often shared:
compare two builds in one run on one machine, not two numbers of two days.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import solver


@dataclass(frozen=True)
class Job:
    """A search over a range of deals."""

    game: str
    rules: str
    first: int
    count: int
    search: str = "fast"
    limit: int | None = None
    rule: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Game, rules and search."""
        return f"{self.game} {self.rules} {self.search}"


def jobs() -> Iterator[Job]:
    """Every rule set of every game, then the reference search."""
    many = {"perpetual-motion": 40_000, "bisley": 40_000, "black-hole": 10_000}
    for game, info in solver.games().items():
        count = many.get(game, 2_000)
        for rules in info["rules"]:
            yield Job(game, rules["name"], 400_001, count)
    yield Job("black-hole", "standard", 1, 20, search="reference")
    yield Job("all-in-a-row", "standard", 1, 20, search="reference", limit=300_000)
    yield Job("golf", "standard", 1, 20, search="reference", limit=300_000)


def user_seconds() -> float:
    """User CPU time of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def measure(job: Job, runs: int) -> tuple[float, int]:
    """Median user CPU seconds of a job, and its iterations."""
    session = solver.open_solver(job.game, rules=job.rules, rule=job.rule, search=job.search, limit=job.limit)
    session.solve_columns(job.first, min(job.count, 200))
    times = []
    for _ in range(runs):
        before = user_seconds()
        columns = session.solve_columns(job.first, job.count)
        times.append(user_seconds() - before)
    return statistics.median(times), int(columns["iterations"].sum())


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only searches whose name holds one of these words")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    build = solver.build_info()
    print(f"build {build['sources']}, {build['compiler']}, instruction set {build['instruction_set']}")
    print(f"{'game rules search':44} {'deals':>8} {'us a deal':>12} {'deals/s':>12} {'iterations/s':>14}")
    for job in jobs():
        if arguments.names and not any(word in job.name for word in arguments.names):
            continue
        seconds, iterations = measure(job, arguments.runs)
        print(
            f"{job.name:44} {job.count:8,} {1e6 * seconds / job.count:12,.2f} {job.count / seconds:12,.0f} "
            f"{iterations / seconds:14,.0f}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / 1024:.0f} MB, in {Path(sys.executable).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
