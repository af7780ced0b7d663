"""Many shards in little memory: columns of numbers, 32 bytes a shard.

A run of a million shards is listed and planned from one such table. What makes it small is that a
shard's name says its deals, and its deals say its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.deals import DealRange, DealSet
from pipeline.errors import UsageError
from pipeline.objects import Entry

SHARDS = "shards"

_NAME = re.compile(rf"{SHARDS}/([0-9]{{20}})-([0-9]{{20}})\.parquet")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ROW = np.dtype([("first", np.uint64), ("last", np.uint64), ("size", np.int64), ("modified", np.int64)])

Rows = npt.NDArray[np.void]
Mask = npt.NDArray[np.bool_]


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


class ShardTable(Sequence[DealRange]):
    """The deals of shards, with the size and the time of change of their files; sorted.

    Attributes:
        rows: one element a shard: its `first` and `last` deal, the `size` of its file in bytes, and
            when its store last saw it `modified`, in microseconds since 1970. By first deal, the
            longer one first.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    @classmethod
    def of(cls, pages: Iterable[list[Entry]]) -> tuple[ShardTable, list[str]]:
        """The shards of a listing, and the names in it that no shard has."""
        parts, others = [np.empty(0, _ROW)], []
        for page in pages:
            rows = []
            for entry in page:
                if deals := read_shard_name(entry.name):
                    rows.append((deals.first, deals.last, entry.size, microseconds(entry.modified)))
                else:
                    others.append(entry.name)
            parts.append(np.array(rows, _ROW))
        listed = np.concatenate(parts)
        return cls(listed[np.lexsort((~listed["last"], listed["first"]))]), others

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> Any:
        rows = self.rows[place]
        return ShardTable(rows) if isinstance(place, slice) else _deals(rows)

    def __iter__(self) -> Iterator[DealRange]:
        return map(_deals, self.rows)

    def entry(self, place: int) -> Entry:
        """A shard's file as a listing tells of it."""
        row = self.rows[place]
        modified = _EPOCH + int(row["modified"]) * datetime.resolution
        return Entry(shard_name(_deals(row)), int(row["size"]), modified)

    def where(self, mask: Mask) -> ShardTable:
        """The shards that are marked."""
        return ShardTable(self.rows[mask])

    def overlapping(self) -> Mask:
        """Which shards have a deal in common with another."""
        rows = self.rows
        begins = np.ones(len(rows), np.bool_)  # a group of shards that hang together
        begins[1:] = rows["first"][1:] > np.maximum.accumulate(rows["last"][:-1])
        group = np.cumsum(begins) - 1
        mask: Mask = np.bincount(group, minlength=1)[group] > 1
        return mask

    def ranges(self) -> DealSet:
        """Their deals, when they are disjoint."""
        first, last = self.rows["first"], self.rows["last"]
        begins, ends = np.ones(len(self), np.bool_), np.ones(len(self), np.bool_)
        begins[1:] = ends[:-1] = first[1:] - np.uint64(1) != last[:-1]
        return DealSet.of_ends(first[begins].tobytes(), last[ends].tobytes())

    def find(self, rows: Rows) -> npt.NDArray[np.intp]:
        """Where each of some rows is: the place of a shard of equal deals and size, or -1."""
        mine = self.rows
        found = np.full(len(rows), -1)
        at = np.searchsorted(mine["first"], rows["first"])
        looking = np.arange(len(rows))
        # Several shards may begin with one deal: each is looked at in turn.
        while len(looking := looking[at[looking] < len(mine)]):
            here, sought = mine[at[looking]], rows[looking]
            agrees = np.logical_and.reduce([here[name] == sought[name] for name in ("first", "last", "size")])
            found[looking[agrees]] = at[looking][agrees]
            looking = looking[~agrees & (here["first"] == sought["first"])]
            at[looking] += 1
        return found


def _deals(row: Any) -> DealRange:
    return DealRange(int(row["first"]), int(row["last"]))
