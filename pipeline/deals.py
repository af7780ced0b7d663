"""Ranges of deal numbers, both ends included, and their arithmetic.

Deal numbers of a sweep run from 1 to 2^64-1, so a range may be far too long to be listed:
everything here works on the ends alone.
"""

from __future__ import annotations

import heapq
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import eq
from typing import overload

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

    @property
    def span(self) -> DealRange:
        """From its first deal to its last: itself."""
        return self

    @property
    def ranges(self) -> Sequence[DealRange]:
        """Its deals as the fewest ranges: itself alone."""
        return (self,)

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


class DealSet(Sequence[DealRange]):
    """Deals as the fewest ranges, in order. 16 bytes a range: a run may have gaps without end.

    Equal to any sequence of the same ranges.
    """

    __slots__ = ("_firsts", "_lasts")

    def __init__(self) -> None:
        self._firsts, self._lasts = array("Q"), array("Q")

    @classmethod
    def of_ends(cls, firsts: bytes, lasts: bytes) -> DealSet:
        """From the ends of ranges as 64-bit numbers: in order, none touching the next."""
        deals = cls()
        deals._firsts.frombytes(firsts)
        deals._lasts.frombytes(lasts)
        return deals

    def _append(self, deals: DealRange) -> None:
        """Add a range that begins no earlier than the last one did."""
        if self._lasts and deals.first <= self._lasts[-1] + 1:
            self._lasts[-1] = max(self._lasts[-1], deals.last)
        else:
            self._firsts.append(deals.first)
            self._lasts.append(deals.last)

    def ends(self) -> tuple[bytes, bytes]:
        """The ends of the ranges as 64-bit numbers: what `of_ends` takes."""
        return self._firsts.tobytes(), self._lasts.tobytes()

    @property
    def total(self) -> int:
        """How many deals they are."""
        return sum(self._lasts) - sum(self._firsts) + len(self)

    def __len__(self) -> int:
        return len(self._firsts)

    @overload
    def __getitem__(self, place: int) -> DealRange: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[DealRange, ...]: ...
    def __getitem__(self, place: int | slice) -> DealRange | tuple[DealRange, ...]:
        if isinstance(place, slice):
            return tuple(map(DealRange, self._firsts[place], self._lasts[place]))
        return DealRange(self._firsts[place], self._lasts[place])

    def __iter__(self) -> Iterator[DealRange]:
        return map(DealRange, self._firsts, self._lasts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"DealSet({describe(self)})"


@dataclass(frozen=True)
class ScatteredDeals:
    """The deals of one shard of a run that holds not all deals between its first and last one.

    What is asked of a DealRange on its way through a sweep can be asked of them too.

    Attributes:
        ranges: the deals, at least one.
    """

    ranges: DealSet

    @property
    def first(self) -> int:
        """The first deal."""
        return self.ranges[0].first

    @property
    def last(self) -> int:
        """The last deal."""
        return self.ranges[-1].last

    @property
    def count(self) -> int:
        """How many deals they are."""
        return self.ranges.total

    @property
    def span(self) -> DealRange:
        """From the first deal to the last."""
        return DealRange(self.first, self.last)

    def __str__(self) -> str:
        return str(self.span) if len(self.ranges) == 1 else f"{self.span} ({self.count} of them)"

    def __contains__(self, deal: int) -> bool:
        return any(deal in deals for deals in self.ranges)

    def halves(self) -> tuple[ScatteredDeals, ScatteredDeals]:
        """Both halves of at least two deals; the first is the longer one."""
        left = (self.count + 1) // 2
        halves = DealSet(), DealSet()
        for deals in self.ranges:
            taken = min(left, deals.count)
            left -= taken
            if taken:
                halves[0]._append(DealRange(deals.first, deals.first + taken - 1))
            if taken < deals.count:
                halves[1]._append(DealRange(deals.first + taken, deals.last))
        return ScatteredDeals(halves[0]), ScatteredDeals(halves[1])


Deals = DealRange | ScatteredDeals
"""The deals of a shard."""


def unite(*parts: Iterable[DealRange]) -> DealSet:
    """The deals of all parts together. Each part's ranges are in order of their first deals."""
    united = DealSet()
    for deals in heapq.merge(*parts):
        united._append(deals)
    return united


class DealGatherer:
    """Gathers ranges that come in any order, joining them as it goes."""

    def __init__(self) -> None:
        self._joined = DealSet()
        self._fresh: list[DealRange] = []

    def add(self, deals: DealRange) -> None:
        """Take another range."""
        self._fresh.append(deals)
        # Joining takes time that grows with what is there, so it waits until as much is new.
        if len(self._fresh) > 1000 + len(self._joined) // 4:
            self._joined, self._fresh = self.gathered(), []

    def gathered(self) -> DealSet:
        """The deals of all ranges so far."""
        return unite(self._joined, sorted(self._fresh))


def merge(ranges: Iterable[DealRange]) -> DealSet:
    """The same deals as the fewest ranges, in order."""
    return ranges if isinstance(ranges, DealSet) else unite(sorted(ranges))


def subtract(ranges: Iterable[DealRange], taken: Iterable[DealRange]) -> Iterator[DealRange]:
    """The deals of `ranges` that are not in `taken`, in order."""
    gone = iter(merge(taken))
    hole = next(gone, None)
    for deals in merge(ranges):
        first = deals.first
        while hole is not None and hole.first <= deals.last:
            if first < hole.first:
                yield DealRange(first, hole.first - 1)
            first = max(first, hole.last + 1)
            if hole.last >= deals.last:
                break  # the next ranges may meet this hole too
            hole = next(gone, None)
        if first <= deals.last:
            yield DealRange(first, deals.last)


def count_deals(ranges: Iterable[DealRange]) -> int:
    """How many different deals the ranges hold together."""
    return merge(ranges).total


def describe(ranges: Iterable[DealRange], most: int = 6) -> str:
    """`1..600, 701..800`; the first few of them when there are many."""
    merged = merge(ranges)
    text = ", ".join(str(deals) for deals in merged[:most])
    return text if len(merged) <= most else f"{text} and {len(merged) - most} more ranges"
