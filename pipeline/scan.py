"""What a run holds: every file that is listed, checked by name, size, and footer or index.

The listing and the files' footers are the truth about what is done; the index spares reading the
same footer twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange, Deals, DealSet, count_deals, unite
from pipeline.errors import BrokenShard
from pipeline.index import IndexPart, IndexWriter, read_parts
from pipeline.objects import Entry, ObjectFolder
from pipeline.plan import choose_cover, count_pieces, missing, pieces
from pipeline.schema import read_footer
from pipeline.selection import Selection
from pipeline.shard_table import SHARDS, Mask, ShardTable, shard_name
from pipeline.tally import Tallies, Tally, WinRate, add_tallies, win_rate

_TAIL = 16 * 1024
_READERS = 16
_FOOTERS_AT_ONCE = 1000
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
        asked: the deals that were asked for.
        shards: the committed shards, disjoint and in order.
        tallies: exact counts and sums of all committed rows, by verdict.
        broken: files among the shards that count for nothing.
        failures: deals that killed their workers, with the reason; none of them is in a shard.
        selection: the deals of a run that picks its deals; None for any other.
    """

    location: str
    record: RunRecord
    asked: DealSet
    shards: ShardTable
    tallies: Tallies
    broken: tuple[BrokenFile, ...]
    failures: dict[int, str]
    selection: Selection | None = None

    @cached_property
    def solved_ranges(self) -> DealSet:
        """The deals with rows."""
        spans = self.shards.ranges()
        return spans if self.selection is None else self.selection.meet(spans).ranges()

    @cached_property
    def done(self) -> DealSet:
        """The deals with rows or a failure record."""
        if not self.failures:
            return self.solved_ranges
        return unite(self.solved_ranges, (DealRange(deal, deal) for deal in sorted(self.failures)))

    @cached_property
    def missing(self) -> DealSet:
        """The deals that were asked for and are neither solved nor failed."""
        if self.selection is not None:
            return self.selection.without(self.done).ranges()
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
        return self.count_pieces(self.missing)

    def pieces(self) -> Iterator[Deals]:
        """The shards that are still to be run, in order."""
        size = self.record.shard_size
        if self.selection is None:
            return iter(pieces(self.asked, self.done, size))
        return self.selection.pieces(self.missing, size)

    def count_pieces(self, missing: DealSet) -> int:
        """How many shards make up these deals, some of the missing ones."""
        size = self.record.shard_size
        if self.selection is None:
            return count_pieces(missing, [], size)
        return self.selection.count_pieces(missing, size)

    @property
    def win_rate(self) -> WinRate:
        """The share of deals that can be won, with its interval, over all committed rows."""
        won, lost, undecided = (self.tallies[name].deals for name in self.record.config.verdicts)
        return win_rate(won + lost + undecided, won, undecided)


class Shards(NamedTuple):
    """The files of a run that are whole shards and disjoint, what they hold, and all other files."""

    table: ShardTable
    tallies: Tallies
    broken: tuple[BrokenFile, ...]


def read_shards(
    folder: ObjectFolder,
    config: RunConfig,
    selection: Selection | None = None,
    *,
    believe_index: bool,
    remember: IndexWriter | None = None,
) -> Shards:
    """Check every file of the run's shards.

    Args:
        folder: of the run.
        config: of the run.
        selection: the deals that it holds; None is every deal.
        believe_index: take the counts of a file from the index where its listing agrees.
        remember: is told what had to be read from footers.
    """
    listed, others = ShardTable.of(folder.pages(SHARDS))
    broken = [BrokenFile(name, "its name is not that of a shard") for name in others]
    contested = listed.overlapping()
    whole = np.zeros(len(listed), np.bool_)
    sums = [dict.fromkeys(config.verdicts, Tally())]
    if believe_index:
        for part in read_parts(folder, config):
            sums.append(_take_known(listed, part, whole, contested, selection))
    rivals: dict[DealRange, tuple[int, Tallies]] = {}
    for place, checked in _read_footers(folder, listed, np.flatnonzero(~whole), config, selection):
        deals, size = listed[place], int(listed.rows["size"][place])
        if isinstance(checked, BrokenShard):
            broken.append(BrokenFile(shard_name(deals), str(checked)))
            continue
        whole[place] = True
        if remember is not None:
            remember.add(deals, size, checked)
        if contested[place]:
            rivals[deals] = place, checked
        else:
            sums[0] = add_tallies([sums[0], checked])
    cover = choose_cover(list(rivals))
    for deals in cover.overlapping:
        broken.append(BrokenFile(shard_name(deals), "it overlaps another shard"))
        whole[rivals[deals][0]] = False
    sums += [rivals[deals][1] for deals in cover.kept]
    return Shards(listed.where(whole), add_tallies(sums), tuple(sorted(broken)))


def _take_known(
    listed: ShardTable, part: IndexPart, whole: Mask, contested: Mask, selection: Selection | None
) -> Tallies:
    """Count the shards of an index that its listing agrees with, each once, and mark them as whole.

    What overlaps another is not counted here: which of them count is known when all are checked.
    """
    places = listed.find(part.counts.rows)
    agrees = (places >= 0) & part.counts.consistent(selection)
    agrees[agrees] = listed.rows["modified"][places[agrees]] < part.written
    agrees[agrees] = ~(whole | contested)[places[agrees]]
    chosen = np.flatnonzero(agrees)
    chosen = chosen[np.unique(places[chosen], return_index=True)[1]]
    whole[places[chosen]] = True
    return part.counts.tallies(chosen)


def _read_footers(
    folder: ObjectFolder,
    listed: ShardTable,
    places: npt.NDArray[np.intp],
    config: RunConfig,
    selection: Selection | None,
) -> Iterator[tuple[int, Tallies | BrokenShard]]:
    """What the footers of some shards count, or why a file is no shard."""
    with ThreadPoolExecutor(_READERS) as readers:
        for start in range(0, len(places), _FOOTERS_AT_ONCE):
            some = places[start : start + _FOOTERS_AT_ONCE].tolist()
            entries = [listed.entry(place) for place in some]
            # A local footer takes a fraction of a millisecond, a remote one a round trip. They are
            # parsed in this thread alone: memory from many threads' heaps would not come back.
            ends = (map if folder.path is not None else readers.map)(
                _read_end, [folder] * len(entries), entries
            )
            for place, entry, end in zip(some, entries, ends, strict=True):
                try:
                    yield place, _check(listed[place], entry.size, end, config, selection)
                except BrokenShard as error:
                    yield place, error


def _check(
    deals: DealRange, size: int, end: bytes | None, config: RunConfig, selection: Selection | None
) -> Tallies:
    """Check a file by the deals in its name, its size and its footer. Raises BrokenShard."""
    if end is None:
        raise BrokenShard("it vanished")
    footer = read_footer(_parse_end(end), size, config, selection)
    if footer.deals != deals:
        raise BrokenShard(f"it holds deals {footer.deals}")
    return footer.verdicts


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
