"""Ranges of deal numbers, both ends included, and their arithmetic.

Deal numbers of a sweep run from 1 to 2^64-1, so a range may be far too long to be listed:
everything here works on the ends alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.errors import UsageError

LAST_DEAL = 2**64 - 1

_NUMBER = re.compile(r"[0-9]+(_[0-9]+)*")


@dataclass(frozen=True, order=True, slots=True)
class DealRange:
    """Deals `first` .. `last`, at least one of them. Raises UsageError for anything else."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if self.first < 1:
            raise UsageError(f"deal numbers start at 1, not {self.first}")
        if self.last > LAST_DEAL:
            raise UsageError(f"deal {self.last} is past the last one, 2^64-1 = {LAST_DEAL}")
        if self.last < self.first:
            raise UsageError(f"range {self.first}..{self.last} runs backwards")

    @classmethod
    def parse(cls, text: str) -> DealRange:
        """Read `1..1_000_000`, or a single deal `617`. Raises UsageError."""
        first, dots, last = text.strip().partition("..")
        if not dots:
            last = first
        return cls(_parse_number(first, text), _parse_number(last, text))

    @property
    def count(self) -> int:
        """How many deals it holds."""
        return self.last - self.first + 1

    def __str__(self) -> str:
        return f"{self.first}..{self.last}"

    def __contains__(self, deal: int) -> bool:
        return self.first <= deal <= self.last

    def holds(self, other: DealRange) -> bool:
        """Whether every deal of `other` is in this range."""
        return self.first <= other.first and other.last <= self.last

    def halves(self) -> tuple[DealRange, DealRange]:
        """Both halves of a range of at least two deals; the first is the longer one."""
        middle = (self.first + self.last) // 2
        return DealRange(self.first, middle), DealRange(middle + 1, self.last)


def _parse_number(text: str, whole: str) -> int:
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        raise UsageError(f'"{whole}" is not a range of deal numbers such as 1..1_000_000')
    if len(text) > 30:
        raise UsageError(f"deal {text[:30]}... is past the last one, 2^64-1 = {LAST_DEAL}")
    return int(text.replace("_", ""))


def merge(ranges: Iterable[DealRange]) -> tuple[DealRange, ...]:
    """The same deals as the fewest ranges, in order."""
    merged: list[DealRange] = []
    for deals in sorted(ranges):
        if merged and deals.first <= merged[-1].last + 1:
            merged[-1] = DealRange(merged[-1].first, max(merged[-1].last, deals.last))
        else:
            merged.append(deals)
    return tuple(merged)


def subtract(ranges: Iterable[DealRange], taken: Iterable[DealRange]) -> Iterator[DealRange]:
    """The deals of `ranges` that are not in `taken`, in order."""
    gone = merge(taken)
    at = 0
    for deals in merge(ranges):
        first = deals.first
        while at < len(gone) and gone[at].last < first:
            at += 1
        # `at` stays on a range that reaches past these deals: the next ones may meet it too.
        following = at
        while following < len(gone) and gone[following].first <= deals.last:
            if first < gone[following].first:
                yield DealRange(first, gone[following].first - 1)
            first = gone[following].last + 1
            following += 1
        if first <= deals.last:
            yield DealRange(first, deals.last)


def count_deals(ranges: Iterable[DealRange]) -> int:
    """How many different deals the ranges hold together."""
    return sum(deals.count for deals in merge(ranges))


def describe(ranges: Iterable[DealRange], most: int = 6) -> str:
    """`1..600, 701..800`; the first few of them when there are many."""
    merged = merge(ranges)
    text = ", ".join(str(deals) for deals in merged[:most])
    return text if len(merged) <= most else f"{text} and {len(merged) - most} more ranges"
