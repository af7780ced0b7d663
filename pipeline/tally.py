"""Exact counts and sums of deals by verdict, and what is said from them.

Sums are Python integers, so that adding shards in any order gives the same mean and deviation to
the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Z95 = 1.959963984540054
"""The standard normal quantile of a two-sided 95 % interval."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Some deals and their iterations.

    Attributes:
        deals: how many.
        iterations: the sum of their iterations.
        iterations_squared: the sum of the squares of their iterations.
    """

    deals: int = 0
    iterations: int = 0
    iterations_squared: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.deals + other.deals,
            self.iterations + other.iterations,
            self.iterations_squared + other.iterations_squared,
        )

    @property
    def mean(self) -> float | None:
        """Iterations a deal; None without deals."""
        return self.iterations / self.deals if self.deals else None

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation of the iterations; None with fewer than two deals."""
        if self.deals < 2:
            return None
        # n*sum(x^2) - sum(x)^2 is exact in integers, where the textbook form in floats cancels.
        spread = self.deals * self.iterations_squared - self.iterations**2
        return math.sqrt(spread / (self.deals * (self.deals - 1)))

    def to_json(self) -> dict[str, int]:
        """The three integers by name."""
        return {
            "deals": self.deals,
            "iterations": self.iterations,
            "iterations_squared": self.iterations_squared,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Tally:
        """What `to_json` gave. Raises KeyError, TypeError or ValueError for anything else."""
        return cls(int(value["deals"]), int(value["iterations"]), int(value["iterations_squared"]))


Tallies = dict[str, Tally]
"""By verdict, in the game's order."""


def add_tallies(several: Iterable[Tallies]) -> Tallies:
    """The sum of all, verdict by verdict."""
    total: Tallies = {}
    for tallies in several:
        for verdict, tally in tallies.items():
            total[verdict] = total.get(verdict, Tally()) + tally
    return total


class Interval(NamedTuple):
    """A share between 0 and 1, with the ends of an interval around it."""

    share: float
    low: float
    high: float


def wilson(successes: int, trials: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a share (E. B. Wilson, JASA 22, 1927, p. 209).

    Without trials nothing is known: the share is NaN between 0 and 1.
    """
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    share = successes / trials
    square = z * z
    middle = share + square / (2 * trials)
    reach = z * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    scale = 1 + square / trials
    low = 0.0 if successes == 0 else (middle - reach) / scale
    high = 1.0 if successes == trials else (middle + reach) / scale
    return Interval(share, max(0.0, low), min(1.0, high))


@dataclass(frozen=True, slots=True)
class WinRate:
    """The share of deals that can be won, undecided deals counted both ways.

    Attributes:
        deals: how many deals were looked at, undecided ones among them.
        won: those that can be won.
        undecided: those that met a limit.
        low: the lower end of the 95 % interval when no undecided deal can be won.
        high: its upper end when all of them can.
    """

    deals: int
    won: int
    undecided: int
    low: float
    high: float

    @property
    def least(self) -> float | None:
        """The share when no undecided deal can be won; None without deals."""
        return self.won / self.deals if self.deals else None

    @property
    def most(self) -> float | None:
        """The share when every undecided deal can be won; None without deals."""
        return (self.won + self.undecided) / self.deals if self.deals else None

    def to_json(self) -> dict[str, float | int | None]:
        """All figures by name."""
        return {
            "deals": self.deals,
            "won": self.won,
            "undecided": self.undecided,
            "least": self.least,
            "most": self.most,
            "low": self.low,
            "high": self.high,
        }


def win_rate(deals: int, won: int, undecided: int) -> WinRate:
    """The win rate with its 95 % interval; see WinRate."""
    return WinRate(deals, won, undecided, wilson(won, deals).low, wilson(won + undecided, deals).high)
