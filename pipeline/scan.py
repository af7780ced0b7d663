"""What a run holds: every file that is listed, checked by name, size, and footer or index.

The listing and the files' footers are the truth about what is done; the index spares reading the
same footer twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline import index
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange, count_deals, merge
from pipeline.errors import BrokenShard
from pipeline.objects import Entry, ObjectFolder
from pipeline.plan import count_pieces, missing
from pipeline.schema import read_footer
from pipeline.shard_table import (
    SHARDS,
    CommittedShard,
    ShardTable,
    microseconds,
    read_shard_name,
    shard_name,
)
from pipeline.tally import Tallies, WinRate, win_rate

_TAIL = 16 * 1024
_READERS = 16
_MAGIC = b"PAR1"


class BrokenFile(NamedTuple):
    """A file among the shards that is none, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Scan:
    """What a run holds at one moment.

    Attributes:
        location: where the run is kept.
        record: its run.json.
        asked: the deals that were asked for, as the fewest ranges.
        shards: the committed shards, disjoint and in order.
        broken: files among the shards that count for nothing.
        failures: deals that killed their workers, with the reason; none of them is in a shard.
    """

    location: str
    record: RunRecord
    asked: tuple[DealRange, ...]
    shards: ShardTable
    broken: tuple[BrokenFile, ...]
    failures: dict[int, str]

    @cached_property
    def solved_ranges(self) -> tuple[DealRange, ...]:
        """The deals with rows, as the fewest ranges."""
        return self.shards.ranges()

    @cached_property
    def done(self) -> tuple[DealRange, ...]:
        """The deals with rows or a failure record."""
        return merge([*self.solved_ranges, *(DealRange(deal, deal) for deal in self.failures)])

    @cached_property
    def missing(self) -> tuple[DealRange, ...]:
        """The deals that were asked for and are neither solved nor failed."""
        return missing(self.asked, self.done)

    @property
    def complete(self) -> bool:
        """Whether every deal that was asked for is accounted for."""
        return not self.missing

    @property
    def deals_asked(self) -> int:
        """How many deals were asked for."""
        return count_deals(self.asked)

    @property
    def deals_missing(self) -> int:
        """How many of them are still to be solved."""
        return count_deals(self.missing)

    @property
    def shards_missing(self) -> int:
        """How many shards are still to be run."""
        return count_pieces(self.asked, self.done, self.record.shard_size)

    @cached_property
    def tallies(self) -> Tallies:
        """Exact counts and sums of all committed rows, by verdict."""
        return self.shards.tallies()

    @property
    def win_rate(self) -> WinRate:
        """The share of deals that can be won, with its interval, over all committed rows."""
        won, lost, undecided = (self.tallies[name].deals for name in self.record.config.verdicts)
        return win_rate(won + lost + undecided, won, undecided)


def read_shards(
    folder: ObjectFolder, config: RunConfig, *, believe_index: bool
) -> tuple[ShardTable, tuple[BrokenFile, ...]]:
    """Check every file of the run's shards, listed page by page.

    Args:
        folder: of the run.
        config: of the run.
        believe_index: take the counts of a file from the index where its listing agrees.

    Returns:
        The disjoint shards in order, and the files that count for nothing.
    """
    nothing = ShardTable(config.verdicts)
    known = index.read(folder, config.fingerprint, config.verdicts) if believe_index else nothing
    shards, broken = ShardTable(config.verdicts), []
    with ThreadPoolExecutor(_READERS) as readers:
        for page in folder.pages(SHARDS):
            unknown = _take_known(page, known, shards)
            # A local footer takes a fraction of a millisecond, a remote one a round trip. They are
            # parsed in this thread alone: memory from many threads' heaps would not come back.
            ends = (map if folder.path is not None else readers.map)(
                _read_end, [folder] * len(unknown), unknown
            )
            for entry, end in zip(unknown, ends, strict=True):
                try:
                    shards.add(_check(entry, end, config))
                except BrokenShard as error:
                    broken.append(BrokenFile(entry.name, str(error)))
    kept, overlapping = shards.split_overlapping()
    broken += [BrokenFile(shard_name(deals), "it overlaps another shard") for deals in overlapping]
    return kept, tuple(sorted(broken))


def _take_known(page: list[Entry], known: ShardTable, shards: ShardTable) -> list[Entry]:
    """Take from the index what the listing agrees with; the entries whose footers must be read."""
    if not len(known):
        return page
    listed = _Listed.of(page)
    places = known.find(
        {"first": listed.first, "last": listed.last, "size": listed.size, "modified": listed.modified}
    )
    rows = known.rows[places[places >= 0]]
    counted = rows["deals"].sum(axis=1) == rows["last"] - rows["first"] + np.uint64(1)
    shards.add_rows(rows[counted])
    places[np.flatnonzero(places >= 0)[~counted]] = -1
    taken = set(listed.place[places >= 0].tolist())
    return [entry for place, entry in enumerate(page) if place not in taken]


def with_listing(receipts: ShardTable, pages: Iterable[list[Entry]]) -> Iterator[ShardTable]:
    """Shards that workers told of, with the times that their store gives them, where the sizes agree.

    Args:
        receipts: sorted; their own times are of no meaning.
        pages: the listing of the run's shards.
    """
    for page in pages:
        listed = _Listed.of(page)
        places = receipts.find({"first": listed.first, "last": listed.last, "size": listed.size})
        rows = receipts.rows[places[places >= 0]]
        rows["modified"] = listed.modified[places >= 0]
        yield ShardTable(receipts.verdicts, rows)


class _Listed(NamedTuple):
    """The files of a page that have the names of shards, in columns."""

    place: np.ndarray
    first: np.ndarray
    last: np.ndarray
    size: np.ndarray
    modified: np.ndarray

    @classmethod
    def of(cls, page: list[Entry]) -> _Listed:
        spans = [(place, span) for place, e in enumerate(page) if (span := read_shard_name(e.name))]
        entries = [page[place] for place, _ in spans]
        return cls(
            np.array([place for place, _ in spans], np.intp),
            np.array([span.first for _, span in spans], np.uint64),
            np.array([span.last for _, span in spans], np.uint64),
            np.array([entry.size for entry in entries], np.int64),
            np.array([microseconds(entry.modified) for entry in entries], np.int64),
        )


def _check(entry: Entry, end: bytes | None, config: RunConfig) -> CommittedShard:
    """Check a file by name, size and footer. Raises BrokenShard."""
    span = read_shard_name(entry.name)
    if span is None:
        raise BrokenShard("its name is not that of a shard")
    if end is None:
        raise BrokenShard("it vanished")
    footer = read_footer(_parse_end(end), entry.size, config)
    if footer.deals != span:
        raise BrokenShard(f"it holds deals {footer.deals}")
    return CommittedShard(span, entry.size, microseconds(entry.modified), footer.verdicts)


def _read_end(folder: ObjectFolder, entry: Entry) -> bytes | None:
    """As much of a file's end as holds its metadata; None when the file is gone."""
    try:
        end = folder.read_tail(entry, _TAIL)
        needed = int.from_bytes(end[-8:-4], "little") + 8
        if end[-4:] == _MAGIC and len(end) < needed <= entry.size:
            end = folder.read_tail(entry, needed)
        return end
    except FileNotFoundError:
        return None


def _parse_end(end: bytes) -> pq.FileMetaData:
    """The Parquet metadata at the end of a file. Raises BrokenShard."""
    if end[-4:] != _MAGIC:
        raise BrokenShard("it is cut short, or no Parquet file")
    try:
        return pq.read_metadata(pa.BufferReader(end))
    except (pa.ArrowException, OSError, ValueError):
        raise BrokenShard("its Parquet metadata cannot be read") from None
