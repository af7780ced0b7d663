"""Many committed shards in little memory: columns of numbers, some 140 bytes a shard.

A run of a million shards is listed, planned and summed up from one such table. What makes the
numbers small is that a shard's name says its deals, and its deals say its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from pipeline.deals import DealRange
from pipeline.errors import UsageError
from pipeline.plan import choose_cover
from pipeline.tally import Tallies, Tally

SHARDS = "shards"

_NAME = re.compile(rf"{SHARDS}/([0-9]{{20}})-([0-9]{{20}})\.parquet")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WORD = 2**64

Rows = npt.NDArray[np.void]


def shard_name(deals: DealRange) -> str:
    """The name of the file that holds these deals, under the run's location."""
    return f"{SHARDS}/{deals.first:020d}-{deals.last:020d}.parquet"


def read_shard_name(name: str) -> DealRange | None:
    """The deals that a file's name says it holds; None when it is not the name of a shard."""
    return read_range(_NAME, name)


def read_range(pattern: re.Pattern[str], name: str) -> DealRange | None:
    """The range whose ends are the two groups of a pattern; None when the name does not fit it."""
    match = pattern.fullmatch(name)
    try:
        return DealRange(int(match[1]), int(match[2])) if match else None
    except UsageError:
        return None


def microseconds(moment: datetime) -> int:
    """Since 1970, as tables keep the time of a change."""
    return (moment - _EPOCH) // datetime.resolution


class CommittedShard(NamedTuple):
    """A whole shard of the run.

    Attributes:
        deals: whose rows it holds.
        size: of its file, in bytes.
        modified: when its store last saw it change, in microseconds since 1970.
        tallies: exact counts and sums by verdict.
        indexed: whether the counts are from the index, which the file's listing agrees with.
    """

    deals: DealRange
    size: int
    modified: int
    tallies: Tallies
    indexed: bool = False

    @property
    def name(self) -> str:
        """Under the run's location."""
        return shard_name(self.deals)


def row_type(verdicts: int) -> np.dtype[np.void]:
    """A row of the table. A sum of squares needs two words: `squares` = 2^64 * high + low."""
    return np.dtype(
        [
            ("first", np.uint64),
            ("last", np.uint64),
            ("size", np.int64),
            ("modified", np.int64),
            ("indexed", np.bool_),
            ("deals", np.uint64, (verdicts,)),
            ("iterations", np.uint64, (verdicts,)),
            ("squares_low", np.uint64, (verdicts,)),
            ("squares_high", np.uint64, (verdicts,)),
        ]
    )


class ShardTable(Sequence[CommittedShard]):
    """Shards of one run, in the order in which they were added until they are sorted.

    Attributes:
        verdicts: the names by which tallies are kept.
    """

    def __init__(self, verdicts: Sequence[str], rows: Rows | None = None) -> None:
        self.verdicts = tuple(verdicts)
        self._rows: Rows = np.empty(0, row_type(len(self.verdicts))) if rows is None else rows
        self._count = len(self._rows)

    @property
    def rows(self) -> Rows:
        """The table itself, one element a shard."""
        return self._rows[: self._count]

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> CommittedShard: ...
    @overload
    def __getitem__(self, place: slice) -> ShardTable: ...
    def __getitem__(self, place: int | slice) -> CommittedShard | ShardTable:
        if isinstance(place, slice):
            return ShardTable(self.verdicts, self.rows[place])
        return self._shard(self.rows[place])

    def __iter__(self) -> Iterator[CommittedShard]:
        return map(self._shard, self.rows)

    def _shard(self, row: Any) -> CommittedShard:
        tallies = {
            name: Tally(deals, iterations, high * _WORD + low)
            for name, deals, iterations, low, high in zip(
                self.verdicts,
                *(row[column].tolist() for column in ("deals", "iterations", "squares_low", "squares_high")),
                strict=True,
            )
        }
        deals = DealRange(int(row["first"]), int(row["last"]))
        return CommittedShard(deals, int(row["size"]), int(row["modified"]), tallies, bool(row["indexed"]))

    def add(self, shard: CommittedShard) -> None:
        """Append a shard. Raises OverflowError for counts of 2^64 and more, which no search reaches."""
        tallies = [shard.tallies[name] for name in self.verdicts]
        squares = [divmod(tally.iterations_squared, _WORD) for tally in tallies]
        self._make_room(1)
        self._rows[self._count] = (
            shard.deals.first,
            shard.deals.last,
            shard.size,
            shard.modified,
            shard.indexed,
            [tally.deals for tally in tallies],
            [tally.iterations for tally in tallies],
            [low for _, low in squares],
            [high for high, _ in squares],
        )
        self._count += 1

    def add_rows(self, rows: Rows) -> None:
        """Append rows of another table of the same verdicts."""
        self._make_room(len(rows))
        self._rows[self._count : self._count + len(rows)] = rows
        self._count += len(rows)

    def _make_room(self, more: int) -> None:
        needed = self._count + more
        if needed > len(self._rows):
            larger = np.empty(max(needed, 2 * len(self._rows), 64), self._rows.dtype)
            larger[: self._count] = self.rows
            self._rows = larger

    def sorted(self) -> ShardTable:
        """The same shards by first deal, the longer one first."""
        rows = self.rows
        return ShardTable(self.verdicts, rows[np.lexsort((~rows["last"], rows["first"]))])

    def split_overlapping(self) -> tuple[ShardTable, tuple[DealRange, ...]]:
        """The disjoint shards that count, in order, and the deals of the others; see `choose_cover`."""
        ordered = self.sorted()
        rows = ordered.rows
        reached = np.maximum.accumulate(rows["last"][:-1]) if len(rows) else rows["last"]
        if not np.any(reached >= rows["first"][1:]):
            return ordered, ()
        ranges = [DealRange(int(row["first"]), int(row["last"])) for row in rows]
        cover = choose_cover(ranges)
        kept = set(cover.kept)
        return ShardTable(self.verdicts, rows[[deals in kept for deals in ranges]]), cover.overlapping

    def ranges(self) -> tuple[DealRange, ...]:
        """The deals of a sorted table of disjoint shards, as the fewest ranges."""
        rows = self.rows
        if not len(rows):
            return ()
        gaps = np.flatnonzero(rows["first"][1:] - np.uint64(1) != rows["last"][:-1])
        firsts = rows["first"][np.concatenate(([0], gaps + 1))]
        lasts = rows["last"][np.concatenate((gaps, [len(rows) - 1]))]
        return tuple(map(DealRange, firsts.tolist(), lasts.tolist()))

    def tallies(self) -> Tallies:
        """The sum of all, verdict by verdict."""
        rows = self.rows
        return {
            name: Tally(
                _exact_sum(rows["deals"][:, place]),
                _exact_sum(rows["iterations"][:, place]),
                _exact_sum(rows["squares_high"][:, place]) * _WORD
                + _exact_sum(rows["squares_low"][:, place]),
            )
            for place, name in enumerate(self.verdicts)
        }

    def find(self, shards: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.intp]:
        """Where in this sorted table each shard is: the place of a row that agrees, or -1.

        Args:
            shards: columns that must agree, `first` among them, of one length.
        """
        rows = self.rows
        found = np.full(len(shards["first"]), -1)
        at = np.searchsorted(rows["first"], shards["first"])
        looking = np.arange(len(at))
        # Several rows may begin with one deal: each is looked at in turn.
        while len(looking := looking[at[looking] < len(rows)]):
            here = at[looking]
            agrees = np.ones(len(looking), np.bool_)
            for name, column in shards.items():
                agrees &= rows[name][here] == column[looking]
            found[looking[agrees]] = here[agrees]
            goes_on = ~agrees & (rows["first"][here] == shards["first"][looking])
            looking = looking[goes_on]
            at[looking] += 1
        return found


def _exact_sum(column: npt.NDArray[np.uint64]) -> int:
    """Exact for fewer than 2^32 numbers: each half of the words has room to add up."""
    return (int((column >> np.uint64(32)).sum()) << 32) + int((column & np.uint64(2**32 - 1)).sum())
