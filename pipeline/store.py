"""A run where it is kept: commit, list, validate, quarantine.

    run.json                      what the run is (see pipeline.config.RunRecord); created once
    ranges/FIRST-LAST.json        a later, longer range that was asked for; created once
    shards/FIRST-LAST.parquet     the rows of these deals; created once
    failures/DEAL.json            a deal that kills whatever solves it: no verdict
    quarantine/                   files that were found among the shards and are not whole shards
    locks/                        the driver at work, see pipeline.lock
    index/                        counts of shards whose footers were read, in large runs; see pipeline.index

The listing and the files' footers are the truth about what is done; the index spares reading the
same footer twice.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, Protocol
from uuid import uuid4

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline import index
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange, count_deals, merge
from pipeline.errors import BrokenShard, RunDamaged, RunMismatch, RunNotFound, StoreError, UsageError
from pipeline.objects import Entry, ObjectFolder
from pipeline.plan import choose_cover, count_pieces, missing
from pipeline.schema import Footer, check_rows, read_footer
from pipeline.tally import Tallies, Tally, WinRate, add_tallies, win_rate

RUN = "run.json"
SHARDS = "shards"
RANGES = "ranges"
FAILURES = "failures"
QUARANTINE = "quarantine"

_SPAN = re.compile(r"([0-9]{20})-([0-9]{20})")
_TAIL = 16 * 1024
_READERS = 16
_BATCH = 1000
_MAGIC = b"PAR1"
_SPARE_BYTES = 64 * 1024 * 1024


class CommittedShard(NamedTuple):
    """A whole shard of the run: its name under the run's location, its size in bytes, its footer.

    `indexed` says that the counts are from the index, which the file's listing agrees with.
    """

    name: str
    size: int
    footer: Footer
    modified: datetime
    indexed: bool = False


class Receipt(Protocol):
    """What a worker says of a shard that it has committed: its file's bytes, its exact counts."""

    @property
    def size(self) -> int:
        """Of the file, in bytes."""

    @property
    def tallies(self) -> Tallies:
        """By verdict."""


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
    shards: tuple[CommittedShard, ...]
    broken: tuple[BrokenFile, ...]
    failures: dict[int, str]

    @cached_property
    def solved_ranges(self) -> tuple[DealRange, ...]:
        """The deals with rows, as the fewest ranges."""
        return merge(shard.footer.deals for shard in self.shards)

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
        none: Tallies = {name: Tally() for name in self.record.config.verdicts}
        return add_tallies([none, *(shard.footer.verdicts for shard in self.shards)])

    @property
    def win_rate(self) -> WinRate:
        """The share of deals that can be won, with its interval, over all committed rows."""
        won, lost, undecided = (self.tallies[name].deals for name in self.record.config.verdicts)
        return win_rate(won + lost + undecided, won, undecided)


class RunStore:
    """One run where it is kept.

    Attributes:
        folder: the objects themselves.
        record: the run's run.json.
    """

    def __init__(self, folder: ObjectFolder, record: RunRecord) -> None:
        self.folder = folder
        self.record = record

    @classmethod
    def open(cls, location: str | os.PathLike[str]) -> RunStore:
        """Open a run that exists. Raises RunNotFound, RunDamaged or StoreError."""
        folder = ObjectFolder(location)
        record = _read_record(folder)
        if record is None:
            raise RunNotFound(f"{folder.location} holds no run")
        return cls(folder, record)

    @classmethod
    def open_or_create(cls, location: str | os.PathLike[str], record: RunRecord) -> RunStore:
        """Open the run that `record` describes, created if there is none yet.

        An existing run keeps its own shard size and first range; `record.deals` is added to the
        deals that were asked for. Raises RunMismatch when it has another configuration.
        """
        folder = ObjectFolder(location, create=True)
        found = _read_record(folder)
        if found is None:
            check_writable(folder)
            if folder.create(RUN, record.to_bytes()):
                return cls(folder, record)
        found = found or _read_record(folder)
        if found is None:
            raise StoreError(f"{folder.location}/{RUN} was there and is gone")
        if found.config.fingerprint != record.config.fingerprint:
            differences = "; ".join(record.config.differences(found.config))
            raise RunMismatch(f"{folder.location} holds another run: {differences}")
        store = cls(folder, found)
        store.extend(record.deals)
        return store

    @property
    def config(self) -> RunConfig:
        """What the run computes."""
        return self.record.config

    # What is there.

    def asked(self) -> tuple[DealRange, ...]:
        """The deals that were asked for, as the fewest ranges."""
        later = []
        for entry in self.folder.list(RANGES):
            span = _read_span(entry.name, RANGES, ".json")
            if span is None:
                raise RunDamaged(f"{self.folder.location}/{entry.name} is not a range that was asked for")
            later.append(span)
        return merge([self.record.deals, *later])

    def extend(self, deals: DealRange) -> None:
        """Ask for these deals too."""
        if not any(known.holds(deals) for known in self.asked()):
            value = {"first": deals.first, "last": deals.last, "fingerprint": self.config.fingerprint}
            self.folder.create(f"{RANGES}/{_span(deals)}.json", _json_file(value))

    def scan(self, *, believe_index: bool = True) -> Scan:
        """List the run once and check every file by its footer. Raises StoreError or RunDamaged.

        Args:
            believe_index: take the counts of a file from the index where its listing agrees.
        """
        entries = self.folder.list(SHARDS)
        known = {}
        if believe_index and len(entries) >= index.WORTHWHILE:
            known = index.read(self.folder, self.config.fingerprint, self.config.verdicts)
        checked = list(self._check_all(entries, known))
        shards = {s.footer.deals: s for s in checked if isinstance(s, CommittedShard)}
        broken = [b for b in checked if isinstance(b, BrokenFile)]
        cover = choose_cover(list(shards))
        broken += [BrokenFile(shards[d].name, "it overlaps another shard") for d in cover.overlapping]
        kept = tuple(shards[deals] for deals in cover.kept)
        return Scan(
            self.folder.location,
            self.record,
            self.asked(),
            kept,
            tuple(broken),
            self._failures([shard.footer.deals for shard in kept]),
        )

    def remember(self, scan: Scan, also: Mapping[DealRange, Receipt] | None = None) -> None:
        """Write down what was read from footers, and what workers said, when it is worth an object.

        Args:
            scan: its shards are in the index afterwards.
            also: shards committed since, with their sizes and counts as their workers gave them.
        """
        fresh = [
            index.Known(Entry(s.name, s.size, s.modified), s.footer.verdicts)
            for s in scan.shards
            if not s.indexed
        ]
        if len(fresh) + len(also or {}) < index.WORTHWHILE:
            return
        if also:
            for entry in self.folder.list(SHARDS):
                span = _read_span(entry.name, SHARDS, ".parquet")
                receipt = also.get(span) if span else None
                if receipt is not None and receipt.size == entry.size:
                    fresh.append(index.Known(entry, receipt.tallies))
        index.write(self.folder, self.config.fingerprint, fresh)

    def _check_all(
        self, entries: list[Entry], known: Mapping[str, index.Known]
    ) -> Iterator[CommittedShard | BrokenFile]:
        """Check files by name, size, and index or footer."""
        shared = self.config.to_json()  # stands for the configuration in each footer, which is equal
        with ThreadPoolExecutor(_READERS) as readers:
            for place in range(0, len(entries), _BATCH):
                batch = entries[place : place + _BATCH]
                unknown = [e for e in batch if e.name not in known or known[e.name].entry != e]
                # A local footer takes a fraction of a millisecond, a remote one a round trip. They are
                # parsed in this thread alone: memory from many threads' heaps would not come back.
                fetch = map if self.folder.path is not None else readers.map
                tails = dict(zip(unknown, fetch(self._read_end, unknown), strict=True))
                for entry in batch:
                    if entry in tails:
                        yield self._check(entry, tails[entry], shared)
                    else:
                        yield self._indexed(entry, known[entry.name], shared)

    def _indexed(
        self, entry: Entry, known: index.Known, shared: Mapping[str, Any]
    ) -> CommittedShard | BrokenFile:
        span = _read_span(entry.name, SHARDS, ".parquet")
        if span is None or span.count != sum(tally.deals for tally in known.tallies.values()):
            return BrokenFile(entry.name, "the index contradicts its name")
        footer = Footer(self.config.fingerprint, span, known.tallies, shared)
        return CommittedShard(entry.name, entry.size, footer, entry.modified, indexed=True)

    def _check(
        self, entry: Entry, end: bytes | None, shared: Mapping[str, Any]
    ) -> CommittedShard | BrokenFile:
        """Check a file by name, size and footer."""
        try:
            span = _read_span(entry.name, SHARDS, ".parquet")
            if span is None:
                raise BrokenShard("its name is not that of a shard")
            if end is None:
                raise BrokenShard("it vanished")
            footer = read_footer(_parse_end(end), entry.size, self.config)
            if footer.deals != span:
                raise BrokenShard(f"it holds deals {footer.deals}")
        except BrokenShard as error:
            return BrokenFile(entry.name, str(error))
        return CommittedShard(entry.name, entry.size, replace(footer, config=shared), entry.modified)

    def _read_end(self, entry: Entry) -> bytes | None:
        """As much of a file's end as holds its metadata; None when the file is gone."""
        try:
            end = self.folder.read_tail(entry, _TAIL)
            needed = int.from_bytes(end[-8:-4], "little") + 8
            if end[-4:] == _MAGIC and len(end) < needed <= entry.size:
                end = self.folder.read_tail(entry, needed)
            return end
        except FileNotFoundError:
            return None

    def check_rows(self, shard: CommittedShard) -> None:
        """Read a whole shard and check every page and row. Raises BrokenShard."""
        data = self.folder.read(shard.name)
        try:
            table = pq.read_table(pa.BufferReader(data), page_checksum_verification=True)
        except (pa.ArrowException, OSError, ValueError) as error:
            reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
            raise BrokenShard(f"its pages cannot be read: {reason}") from None
        check_rows(table, shard.footer, self.config)

    # What is written.

    def commit(self, footer: Footer, data: bytes) -> bool:
        """Create the file of a shard; False when it was there already.

        The name depends on the deals alone and equal deals have equal bytes, so that of several
        writers any may win.
        """
        return commit_shard(self.folder, footer, data)

    def quarantine(self, broken: Iterable[BrokenFile]) -> list[str]:
        """Move files out of the way, never over another; returns their new names."""
        taken = {entry.name for entry in self.folder.list(QUARANTINE)}
        moved = []
        for file in broken:
            base = f"{QUARANTINE}/{file.name.removeprefix(SHARDS + '/')}"
            new = next(name for n in range(len(taken) + 1) if (name := f"{base}.{n}") not in taken)
            try:
                self.folder.move(file.name, new)
            except FileNotFoundError:
                continue
            taken.add(new)
            moved.append(new)
        return moved

    def record_failure(self, deal: int, reason: str) -> None:
        """Record a deal that kills whatever solves it."""
        value = {"deal": deal, "reason": reason, "fingerprint": self.config.fingerprint}
        self.folder.create(f"{FAILURES}/{deal:020d}.json", _json_file(value))

    def forget_failures(self) -> int:
        """Remove all failure records, so that their deals are planned again; returns how many."""
        entries = self.folder.list(FAILURES)
        for entry in entries:
            self.folder.delete(entry.name)
        return len(entries)

    def _failures(self, solved: list[DealRange]) -> dict[int, str]:
        failures = {}
        for entry in self.folder.list(FAILURES):
            try:
                value = json.loads(self.folder.read(entry.name))
                deal, reason = int(value["deal"]), str(value["reason"])
                if value["fingerprint"] == self.config.fingerprint:
                    failures[deal] = reason
            except (ValueError, KeyError, TypeError):
                raise RunDamaged(f"{self.folder.location}/{entry.name} is not a failure record") from None
        return {d: why for d, why in sorted(failures.items()) if not any(d in deals for deals in solved)}

    # Whether it can be trusted.

    def check_writable(self) -> datetime:
        """Try the store; returns its own time. Raises StoreError, see `check_writable`."""
        return check_writable(self.folder)

    def check_space(self, needed: int) -> None:
        """Raise StoreError when a local folder has no room for `needed` more bytes."""
        if self.folder.path is None:
            return
        free = shutil.disk_usage(self.folder.path).free
        if free < needed + _SPARE_BYTES:
            raise StoreError(
                f"{self.folder.location}: {free / 1e9:.1f} GB free, the run needs about {needed / 1e9:.1f} GB"
            )


def check_writable(folder: ObjectFolder) -> datetime:
    """Try a place: an object can be created, and not twice. Returns the store's own time.

    Raises StoreError, for a store that ignores create-only puts too: of two writers of one name
    the later one would then win, and a shard that is done could change.
    """
    name = f"probes/{uuid4().hex}"
    try:
        first = folder.create(name, b"one")
        second = folder.create(name, b"two")
        if not first or second or folder.read(name) != b"one":
            raise StoreError(
                f"{folder.location}: this store ignores create-only puts (If-None-Match): "
                "of two writers none would notice the other; use a store that honours them"
            )
        return next(entry.modified for entry in folder.list("probes") if entry.name == name)
    finally:
        folder.delete(name)
        _remove_empty(folder, "probes")


def _remove_empty(folder: ObjectFolder, name: str) -> None:
    if folder.path is not None and (folder.path / name).is_dir():
        try:
            (folder.path / name).rmdir()
        except OSError:
            return


def commit_shard(folder: ObjectFolder, footer: Footer, data: bytes) -> bool:
    """Create the file of a shard under a run's folder; see RunStore.commit."""
    return folder.create(f"{SHARDS}/{_span(footer.deals)}.parquet", data)


def _parse_end(end: bytes) -> pq.FileMetaData:
    """The Parquet metadata at the end of a file. Raises BrokenShard."""
    if end[-4:] != _MAGIC:
        raise BrokenShard("it is cut short, or no Parquet file")
    try:
        return pq.read_metadata(pa.BufferReader(end))
    except (pa.ArrowException, OSError, ValueError):
        raise BrokenShard("its Parquet metadata cannot be read") from None


def _read_record(folder: ObjectFolder) -> RunRecord | None:
    try:
        return RunRecord.from_bytes(folder.read(RUN))
    except FileNotFoundError:
        return None
    except RunDamaged as error:
        raise RunDamaged(f"{folder.location}: {error}") from None


def _span(deals: DealRange) -> str:
    return f"{deals.first:020d}-{deals.last:020d}"


def _read_span(name: str, folder: str, ending: str) -> DealRange | None:
    match = _SPAN.fullmatch(name.removeprefix(folder + "/").removesuffix(ending))
    if not match or not name.endswith(ending):
        return None
    try:
        return DealRange(int(match[1]), int(match[2]))
    except UsageError:
        return None


def _json_file(value: dict[str, object]) -> bytes:
    return (json.dumps(value, indent=2, sort_keys=True) + "\n").encode()
