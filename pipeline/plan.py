"""Which shards to run. Pure: ranges in, ranges out.

Shards lie on absolute boundaries: with size S, deals k*S+1 .. (k+1)*S make one. A range that
begins or ends inside a shard cuts it; when a longer range is asked for later, the rest of that
shard is planned as a piece of its own, and what is done stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pipeline.deals import DealRange, DealSet, subtract, unite
from pipeline.errors import UsageError

_SIZES = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
_SHARDS_WANTED = 64
_LARGEST_SHARD = 1_000_000


def standard_shard_size(deals: DealRange, search: str, *, plays_itself: bool = False) -> int:
    """The shard size of a new run that names none, in deals.

    The largest of a few round sizes that still gives every worker of a small cluster several
    shards. The reference search takes about a thousand times longer a deal than the fast ones,
    so its shards are smaller. A game that plays itself takes a tenth of a fast search, so its
    shards may be larger. The choice depends on the request alone, never on a measurement: two
    runs of one request have the same files.
    """
    smallest, largest = (10, 100) if search == "reference" else (100, 100_000 if plays_itself else 50_000)
    fitting = [s for s in _SIZES if smallest <= s <= largest and s * _SHARDS_WANTED <= deals.count]
    return max(fitting, default=smallest)


def retry_shard_size(deals: int) -> int:
    """The shard size of a new retry that names none, for so many deals.

    Each has met a limit before and may take thousands of times longer than most: a shard holds few.
    """
    fitting = [size for size in (1, 2, 5, *_SIZES) if size <= 100 and size * _SHARDS_WANTED <= deals]
    return max(fitting, default=1)


def check_shard_size(size: int) -> int:
    """The size itself. Raises UsageError outside 1 .. 1,000,000 deals."""
    if not 1 <= size <= _LARGEST_SHARD:
        raise UsageError(f"shard size {size} is not between 1 and {_LARGEST_SHARD:_} deals")
    return size


def cut(deals: DealRange, shard_size: int) -> Iterator[DealRange]:
    """The pieces of a range between absolute shard boundaries, in order."""
    first = deals.first
    while first <= deals.last:
        last = min(deals.last, ((first - 1) // shard_size + 1) * shard_size)
        yield DealRange(first, last)
        first = last + 1


def count_cuts(deals: DealRange, shard_size: int) -> int:
    """How many pieces `cut` yields."""
    return (deals.last - 1) // shard_size - (deals.first - 1) // shard_size + 1


def missing(wanted: Iterable[DealRange], done: Iterable[DealRange]) -> DealSet:
    """The deals that are wanted and not done."""
    return unite(subtract(wanted, done))


def pieces(wanted: Iterable[DealRange], done: Iterable[DealRange], shard_size: int) -> Iterator[DealRange]:
    """The shards, whole or cut, that are still to be run, in order. Lazy: there may be billions."""
    for gap in subtract(wanted, done):
        yield from cut(gap, shard_size)


def count_pieces(wanted: Iterable[DealRange], done: Iterable[DealRange], shard_size: int) -> int:
    """How many pieces `pieces` yields."""
    return sum(count_cuts(gap, shard_size) for gap in subtract(wanted, done))


class Cover(NamedTuple):
    """Files chosen so that no deal is counted twice, and those that are left over."""

    kept: tuple[DealRange, ...]
    overlapping: tuple[DealRange, ...]


def choose_cover(committed: Sequence[DealRange]) -> Cover:
    """Choose disjoint ranges among committed files: by first deal, the longer one first.

    Files of one run overlap only after two drivers with different ranges were let loose on it
    at once. Their rows agree, so dropping either is right; dropping by this rule is the same for
    every reader.
    """
    kept: list[DealRange] = []
    overlapping: list[DealRange] = []
    for deals in sorted(committed, key=lambda d: (d.first, -d.last)):
        if kept and deals.first <= kept[-1].last:
            overlapping.append(deals)
        else:
            kept.append(deals)
    return Cover(tuple(kept), tuple(overlapping))
