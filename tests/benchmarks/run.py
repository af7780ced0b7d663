"""Speeds of every search, in user CPU time: ``make bench``, or ``python tests/benchmarks/run.py [NAME...]``.

Dealing is included. "quiet" is the figure of moments in which nobody else used the core, see undisturbed.py;
"all" is over all moments. A deal of the reference search may outlast any quiet moment: the native
bench_reference, which ``make bench`` runs too, looks at slices within deals. Machines differ: compare
two builds in one run on one machine, not two numbers of two days.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from undisturbed import measure

import solver


@dataclass(frozen=True)
class Job:
    """A search over a range of deals."""

    game: str
    rules: str
    first: int
    search: str = "fast"
    limit: int | None = None
    rule: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Game, rules and search."""
        return f"{self.game} {self.rules} {self.search}"


def jobs() -> Iterator[Job]:
    """Every rule set of every game, then the reference search."""
    for game, info in solver.games().items():
        for rules in info["rules"]:
            yield Job(game, rules["name"], 400_001)
    yield Job("black-hole", "standard", 1, search="reference")
    yield Job("all-in-a-row", "standard", 1, search="reference", limit=300_000)
    yield Job("golf", "standard", 1, search="reference", limit=300_000)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only searches whose name holds one of these words")
    parser.add_argument("--seconds", type=float, default=5.0, help="of CPU time for each search")
    arguments = parser.parse_args()
    build = solver.build_info()
    print(f"build {build['sources']}, {build['compiler']}, instruction set {build['instruction_set']}")
    print(
        f"{'game rules search':40} {'deals':>9} {'us a deal, all':>15} {'quiet':>10} {'deals/s':>10} "
        f"{'iterations/s':>14} {'quiet':>6}"
    )
    for job in jobs():
        if arguments.names and not any(word in job.name for word in arguments.names):
            continue
        session = solver.open_solver(
            job.game, rules=job.rules, rule=job.rule, search=job.search, limit=job.limit
        )
        speed = measure(session, job.first, arguments.seconds)
        quiet = speed.quiet_iterations / speed.quiet_seconds
        print(
            f"{job.name:40} {speed.deals:9,} {1e6 * speed.seconds / speed.deals:15,.2f} "
            f"{speed.microseconds:10,.2f} {1e6 / speed.microseconds:10,.0f} {quiet:14,.0f} "
            f"{speed.quiet_share:6.0%}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / 1024:.0f} MB, in {Path(sys.executable).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
