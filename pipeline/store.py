"""A run where it is kept: commit, list, validate, quarantine.

    run.json                      what the run is (see pipeline.config.RunRecord); created once
    ranges/FIRST-LAST.json        a later, longer range that was asked for; created once
    picked/FIRST-LAST.parquet     in a retry instead: the deals that it takes up, one a row; created once
    shards/FIRST-LAST.parquet     the rows of these deals, in a retry of those picked among them; created once
    failures/DEAL.json            a deal that kills whatever solves it: no verdict
    quarantine/                   files that were found among the shards and are not whole shards
    locks/                        the driver at work, see pipeline.lock
    index/                        counts of shards, in large runs; see pipeline.index

What is done is what lies among the shards and reads back, see pipeline.scan.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Iterable
from datetime import datetime
from uuid import uuid4

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.config import Link, RunConfig, RunRecord
from pipeline.deals import DealRange, DealSet, describe, merge
from pipeline.errors import BrokenShard, RunDamaged, RunMismatch, RunNotFound, StoreError, first_line
from pipeline.index import IndexWriter
from pipeline.objects import ObjectFolder, follow, same_place
from pipeline.scan import BrokenFile, Scan, read_shards
from pipeline.schema import Footer, check_rows, read_footer
from pipeline.selection import Selection
from pipeline.shard_table import SHARDS, ShardTable, read_range, shard_name

RUN = "run.json"
RANGES = "ranges"
PICKED = "picked"
FAILURES = "failures"
QUARANTINE = "quarantine"

_RANGE = re.compile(rf"{RANGES}/([0-9]{{20}})-([0-9]{{20}})\.json")
_PICK = re.compile(rf"{PICKED}/([0-9]{{20}})-([0-9]{{20}})\.parquet")
_SPARE_BYTES = 64 * 1024 * 1024


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
    def open_or_create(
        cls, location: str | os.PathLike[str], record: RunRecord, picked: Selection | None = None
    ) -> RunStore:
        """Open the run that `record` describes, created if there is none yet.

        An existing run keeps its own shard size and first range; `record.deals`, or in a retry the
        picked deals, are added to what was asked for. Raises RunMismatch when it has another
        configuration or retries another run.
        """
        folder = ObjectFolder(location, create=True)
        found = _read_record(folder)
        if found is None:
            check_writable(folder)
            if folder.create(RUN, record.to_bytes()):
                found = record
        found = found or _read_record(folder)
        if found is None:
            raise StoreError(f"{folder.location}/{RUN} was there and is gone")
        if found.config.fingerprint != record.config.fingerprint:
            differences = "; ".join(record.config.differences(found.config))
            raise RunMismatch(f"{folder.location} holds another run: {differences}")
        _compare_links(folder.location, found.retry_of, record.retry_of)
        store = cls(folder, found)
        if picked is not None:
            store.pick(picked)
        else:
            store.extend(record.deals)
        return store

    @property
    def config(self) -> RunConfig:
        """What the run computes."""
        return self.record.config

    # What is there.

    def retried(self) -> RunStore | None:
        """The run whose undecided deals this one takes up; None when it is no retry.

        Raises:
            RunNotFound: it is not where this run's record says.
            RunMismatch: another run is there.
        """
        link = self.record.retry_of
        if link is None:
            return None
        place = follow(link.run, self.folder.location)
        try:
            store = RunStore.open(place)
        except RunNotFound:
            raise RunNotFound(
                f"{self.folder.location} is a retry of {place}, which holds no run: put it back there"
            ) from None
        if store.config.fingerprint != link.fingerprint:
            raise RunMismatch(
                f"{self.folder.location} is a retry of {place}, which holds another run now: "
                f"{store.config.fingerprint[:12]}, not {link.fingerprint[:12]}"
            )
        return store

    def picked(self) -> Selection | None:
        """The deals of a retry; None in a run of whole ranges. Raises RunDamaged."""
        link = self.record.retry_of
        if link is None:
            return None
        picked = self._read_picks()
        if not len(picked):
            retried = shlex.quote(follow(link.run, self.folder.location))
            raise RunDamaged(
                f"{self.folder.location} is a retry that was stopped before its deals were written down: "
                f"give the same command again, dealsweep retry {retried} ..."
            )
        return picked

    def _read_picks(self) -> Selection:
        parts = []
        for entry in self.folder.list(PICKED):
            place = f"{self.folder.location}/{entry.name}"
            try:
                part = Selection.from_bytes(self.folder.read(entry.name))
            except RunDamaged as error:
                raise RunDamaged(f"{place} is damaged: {error}") from None
            if part.span != read_range(_PICK, entry.name):
                raise RunDamaged(f"{place} is damaged: it holds deals {part.span}")
            parts.append(part.numbers)
        return Selection.of(*parts)

    def asked(self) -> DealSet:
        """The deals that were asked for."""
        picked = self.picked()
        if picked is not None:
            return picked.ranges()
        later = []
        for entry in self.folder.list(RANGES):
            span = read_range(_RANGE, entry.name)
            if span is None:
                raise RunDamaged(f"{self.folder.location}/{entry.name} is not a range that was asked for")
            later.append(span)
        return merge([self.record.deals, *later])

    def extend(self, deals: DealRange) -> None:
        """Ask for these deals too."""
        if not any(known.holds(deals) for known in self.asked()):
            value = {"first": deals.first, "last": deals.last, "fingerprint": self.config.fingerprint}
            self.folder.create(f"{RANGES}/{deals.first:020d}-{deals.last:020d}.json", _json_file(value))

    def pick(self, deals: Selection) -> None:
        """Ask for these deals of a retry too. Raises RunMismatch when some lie amid those of a done shard."""
        new = deals.without(self._read_picks().ranges())
        if not len(new):
            return
        listed, _ = ShardTable.of(self.folder.pages(SHARDS))
        amid = new.meet(merge(listed))
        if len(amid):
            raise RunMismatch(
                f"{self.folder.location} holds another run: deals {describe(amid.ranges())} have become "
                "undecided since, between those that it has done; retry into another place with --out"
            )
        self.folder.create(f"{PICKED}/{new.span.first:020d}-{new.span.last:020d}.parquet", new.to_bytes())

    def scan(self, *, believe_index: bool = True, remember: IndexWriter | None = None) -> Scan:
        """List the run once and check every file by its footer. Raises StoreError or RunDamaged.

        Args:
            believe_index: take the counts of a file from the index where its listing agrees.
            remember: is told what had to be read from footers.
        """
        picked = self.picked()
        shards = read_shards(self.folder, self.config, picked, believe_index=believe_index, remember=remember)
        failures = self._failures(shards.table.ranges())
        return Scan(
            self.folder.location,
            self.record,
            self.asked() if picked is None else picked.ranges(),
            shards.table,
            shards.tallies,
            shards.broken,
            failures,
            picked,
        )

    def check_rows(self, deals: DealRange, picked: Selection | None = None) -> None:
        """Read a whole shard and check every page and row. Raises BrokenShard or FileNotFoundError.

        Args:
            deals: in the name of the shard.
            picked: what `picked` returns.
        """
        data = self.folder.read(shard_name(deals))
        try:
            file = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
            footer = read_footer(file.metadata, len(data), self.config, picked)
            table = file.read()
        except (pa.ArrowException, OSError, ValueError) as error:
            raise BrokenShard(f"its pages cannot be read: {first_line(error)[:120]}") from None
        check_rows(table, deals, footer.verdicts, self.config, picked)

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

    def _failures(self, solved: DealSet) -> dict[int, str]:
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
    return folder.create(shard_name(footer.deals), data)


def _compare_links(location: str, found: Link | None, asked: Link | None) -> None:
    """Raise RunMismatch unless the run that is there retries what is asked for."""
    if found is None and asked is None:
        return
    if found is None:
        raise RunMismatch(f"{location} holds another run: it is not a retry")
    retried = follow(found.run, location)
    if asked is None:
        raise RunMismatch(f"{location} is a retry of {retried}: its deals are the undecided ones of that run")
    if not same_place(retried, follow(asked.run, location)) or found.fingerprint != asked.fingerprint:
        raise RunMismatch(f"{location} holds another run: it is a retry of {retried}")


def _read_record(folder: ObjectFolder) -> RunRecord | None:
    try:
        return RunRecord.from_bytes(folder.read(RUN))
    except FileNotFoundError:
        return None
    except RunDamaged as error:
        raise RunDamaged(f"{folder.location}: {error}") from None


def _json_file(value: dict[str, object]) -> bytes:
    return (json.dumps(value, indent=2, sort_keys=True) + "\n").encode()
