"""Open or resume a run: preflight, the loop, interrupt and drain.

    RunConfig + range -> run.json -> scan -> plan -> preflight -> tasks -> summary

Nothing is remembered but what is committed: resuming is running again.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

from pipeline import lock
from pipeline.config import ExecutionOptions, RunConfig, RunRecord
from pipeline.deals import DealGatherer, DealRange, Deals, subtract, unite
from pipeline.errors import BrokenShard, ClusterError, Interrupted, StoreError
from pipeline.index import IndexWriter
from pipeline.plan import check_shard_size, standard_shard_size
from pipeline.progress import Ended, Event, Notice, ShardDone, Started
from pipeline.scan import BrokenFile, Scan
from pipeline.selection import Selection
from pipeline.shard_table import shard_name
from pipeline.store import RUN, RunStore
from pipeline.summary import Effort, Summary, resume_command
from pipeline.tally import add_tallies

Location = str | os.PathLike[str]
Show = Callable[[Event], None]

_BYTES_A_DEAL = 12
_BYTES_A_LINE = 80
_BYTES_A_FILE = 4096


def start(
    config: RunConfig,
    deals: DealRange,
    location: Location,
    *,
    shard_size: int | None = None,
    options: ExecutionOptions | None = None,
    show: Show = lambda event: None,
) -> Summary:
    """Run a range to its end, from wherever it stands.

    Args:
        config: what is computed.
        deals: the range; it is added to what was asked for before.
        location: a folder, or the URL of a prefix in an object store.
        shard_size: in deals, for a new run; an existing one keeps its own.
        options: how it is computed.
        show: is told what happens.

    Raises:
        RunMismatch: another run is there.
        RunLocked: another driver is at work.
        Interrupted: the user stopped it; what was begun is committed.
        DealsweepError: anything else; what is committed stays.
    """
    if shard_size is None:
        size = standard_shard_size(deals, str(config.settings["search"]), plays_itself=config.plays_itself)
    else:
        size = check_shard_size(shard_size)
    store = RunStore.open_or_create(location, RunRecord(config, deals, size))
    if shard_size is not None and store.record.shard_size != shard_size:
        show(Notice("note", f"this run's shards have {store.record.shard_size} deals and keep that size"))
    return _drive(store, options or ExecutionOptions(), show)


def start_retry(
    record: RunRecord,
    picked: Selection,
    location: Location,
    *,
    options: ExecutionOptions | None = None,
    show: Show = lambda event: None,
) -> Summary:
    """Run picked deals to their end, from wherever they stand. Raises like `start`.

    Args:
        record: of the retry, for a new run.
        picked: the deals; they are added to what was asked for before.
        location: of the retry.
        options: how it is computed.
        show: is told what happens.
    """
    store = RunStore.open_or_create(location, record, picked)
    return _drive(store, options or ExecutionOptions(), show)


def resume(
    location: Location,
    *,
    retry_failed: bool = False,
    options: ExecutionOptions | None = None,
    show: Show = lambda event: None,
) -> Summary:
    """Finish a run: only what is missing. Raises like `start`, and RunNotFound.

    Args:
        location: of the run.
        retry_failed: try the deals again that killed their workers.
        options: how it is computed.
        show: is told what happens.
    """
    return _drive(RunStore.open(location), options or ExecutionOptions(), show, retry_failed=retry_failed)


def status(location: Location) -> Summary:
    """How a run stands; nothing is changed. Raises RunNotFound, RunDamaged, StoreError."""
    return Summary.of(RunStore.open(location).scan())


def verify(location: Location, *, show: Show = lambda event: None) -> Summary:
    """Read every shard whole and check each page, row and count; broken files are quarantined.

    Returns:
        How the run stands afterwards; `broken` are the files that were moved.
    """
    store = RunStore.open(location)
    with lock.hold(store.folder, store.check_writable()):
        scan = store.scan(believe_index=False)
        broken = list(scan.broken)
        for deals in scan.shards:
            try:
                store.check_rows(deals, scan.selection)
            except BrokenShard as error:
                broken.append(BrokenFile(shard_name(deals), str(error)))
        _quarantine(store, broken, show)
        return replace(Summary.of(store.scan()), broken=tuple(broken))


def _quarantine(store: RunStore, broken: list[BrokenFile], show: Show) -> None:
    for file in broken:
        show(
            Notice("broken", f"{file.name}: {file.reason}; moved to quarantine, its deals are planned again")
        )
    if broken:
        store.quarantine(broken)


def _drive(store: RunStore, options: ExecutionOptions, show: Show, *, retry_failed: bool = False) -> Summary:
    """Scan, plan, run what is missing, sum up."""
    try:
        with lock.hold(store.folder, store.check_writable()):
            store.folder.clear_scratch()
            if retry_failed:
                store.forget_failures()
            remember = IndexWriter(store.folder, store.config)
            scan = store.scan(remember=remember)
            if scan.broken:
                _quarantine(store, list(scan.broken), show)
                scan = replace(scan, broken=())
            session = _Session(store, scan, remember, show)
            if scan.missing:
                _check_space(store, scan)
                session.run(options)
            store.folder.clear_scratch()
            remember.close()
            summary = session.summary()
    except KeyboardInterrupt:
        raise _interrupted(store) from None
    except (StoreError, ClusterError) as error:
        kept = f"what is done is kept, to go on: {resume_command(store.folder.location)}"
        raise type(error)(f"{error}; {kept}") from None
    show(Ended(summary))
    if session.interrupted and summary.missing:
        raise _interrupted(store)
    return summary


def _interrupted(store: RunStore) -> Interrupted:
    return Interrupted(f"interrupted; to go on: {resume_command(store.folder.location)}")


def _check_space(store: RunStore, scan: Scan) -> None:
    a_deal = _BYTES_A_DEAL + 4 * len(store.config.own_columns) + _BYTES_A_LINE * store.config.solutions
    store.check_space(scan.deals_missing * a_deal + scan.shards_missing * _BYTES_A_FILE)


@dataclass
class _Session:
    """One driver's share of a run."""

    store: RunStore
    scan: Scan
    remember: IndexWriter
    show: Show

    def __post_init__(self) -> None:
        self.shards = 0
        self.solved = DealGatherer()
        self.tallies = self.scan.tallies
        self.slowest: tuple[Deals, float] | None = None
        self.failures: dict[int, str] = dict(self.scan.failures)
        self.seconds = 0.0
        self.interrupted = False

    def run(self, options: ExecutionOptions) -> None:
        """Run what is missing."""
        # Ray's side, only here.
        from pipeline.cluster import Cluster, silence_ray  # noqa: PLC0415
        from pipeline.executor import Executor, Hooks, Stop, task_memory  # noqa: PLC0415

        scan = self.scan
        config, location = self.store.config, self.store.folder.location
        with silence_ray(), Cluster(options, task_memory(config)) as cluster:
            cluster.preflight(location, self.store.folder.read(RUN))
            stop = Stop()
            with _interrupts(stop):
                shards = scan.shards_missing
                self.show(
                    Started(
                        location, config.game, scan.asked, scan.missing, shards, cluster.workers, scan.tallies
                    )
                )
                began = time.perf_counter()
                try:
                    Executor(cluster, config, location).run(
                        scan.pieces(), Hooks(self._take, self._fail, self.show), stop
                    )
                finally:
                    self.seconds = time.perf_counter() - began
                self.interrupted = stop.draining

    def _take(self, receipt: Any) -> None:
        self.shards += 1
        for deals in receipt.deals.ranges:
            self.solved.add(deals)
        self.tallies = add_tallies([self.tallies, receipt.tallies])
        if receipt.created:  # what was in its place already is not believed unread
            self.remember.add(receipt.deals, receipt.size, receipt.tallies)
        if self.slowest is None or receipt.seconds > self.slowest[1]:
            self.slowest = receipt.deals, receipt.seconds
        self.show(
            ShardDone(
                receipt.deals,
                receipt.tallies,
                receipt.seconds,
                receipt.node,
                receipt.cpu_seconds,
                receipt.solver_seconds,
            )
        )

    def _fail(self, deal: int, reason: str) -> None:
        self.store.record_failure(deal, reason)
        self.failures[deal] = reason

    def summary(self) -> Summary:
        """What the scan found and what has been committed since."""
        before = Summary.of(self.scan)
        solved = self.solved.gathered()
        failed = (DealRange(deal, deal) for deal in sorted(self.failures))
        missing = unite(subtract(before.missing, unite(solved, failed)))
        return replace(
            before,
            missing=missing,
            failures=dict(sorted(self.failures.items())),
            shards_done=before.shards_done + self.shards,
            shards_missing=self.scan.count_pieces(missing),
            tallies=self.tallies,
            effort=Effort(solved.total, self.seconds, self.slowest),
        )


@contextmanager
def _interrupts(stop: Any) -> Iterator[None]:
    """Let the first SIGINT or SIGTERM drain and the second one cancel; only in the main thread."""

    def handle(number: int, frame: FrameType | None) -> None:
        # Nothing is written here: the signal may have come in the middle of a line.
        stop.cancelled = stop.draining
        stop.draining = True

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
