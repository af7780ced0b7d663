"""CPU time of a search on a machine that others use too.

A shared host gives the same code one to three times the CPU time from one moment to the next: the
other half of a core is busy, or the core is taken away without a word. So deals are solved in
slices of some milliseconds, each between two runs of a yardstick whose work is always the same. Where both
took little more than the least ever seen, the slice is taken to be undisturbed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from solver import DealSolver

_SLICE_SECONDS = 0.008
_TOLERANCE = 1.08


@dataclass(frozen=True)
class Speed:
    """What was measured, in CPU seconds.

    Attributes:
        deals: that were solved.
        iterations: of all of them.
        seconds: for all of them.
        quiet_share: the share of slices that were undisturbed; the figures below are theirs.
        quiet_iterations: in these.
        quiet_seconds: for these.
    """

    deals: int
    iterations: int
    seconds: float
    quiet_share: float
    quiet_iterations: int
    quiet_seconds: float

    @property
    def microseconds(self) -> float:
        """A deal, undisturbed: the time of an iteration in quiet slices, by the iterations of all deals.

        Hard deals are rare, and which of them fall into quiet slices is chance.
        """
        return 1e6 * self.quiet_seconds / self.quiet_iterations * self.iterations / self.deals


def measure(session: DealSolver, first: int, seconds: float) -> Speed:
    """Solve deals from `first` on, for so many seconds of CPU time, dealing included."""
    size = _slice_size(session, first)
    slices: list[tuple[float, float, int]] = []
    spent, before = 0.0, _yardstick()
    while spent < seconds:
        began = time.process_time()
        columns = session.solve_columns(first + size * len(slices), size)
        took = time.process_time() - began
        after = _yardstick()
        slices.append((max(before, after), took, int(columns["iterations"].sum())))
        spent, before = spent + took, after
    least = min(yardstick for yardstick, _, _ in slices)
    quiet = [piece for piece in slices if piece[0] < _TOLERANCE * least]
    return Speed(
        size * len(slices),
        sum(iterations for _, _, iterations in slices),
        spent,
        len(quiet) / len(slices),
        sum(iterations for _, _, iterations in quiet),
        sum(took for _, took, _ in quiet),
    )


def _slice_size(session: DealSolver, first: int) -> int:
    """Deals that take about as long as a slice."""
    session.solve_columns(first, 1)
    size, took = 1, 0.0
    while True:
        began = time.process_time()
        session.solve_columns(first, size)
        took = time.process_time() - began
        if took > _SLICE_SECONDS / 2:
            return max(1, round(size * _SLICE_SECONDS / took))
        size *= 2


def _yardstick() -> float:
    """CPU seconds of work that is always the same, about a millisecond."""
    began = time.process_time()
    sum(range(60_000))
    return time.process_time() - began
