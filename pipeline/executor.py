"""The Ray side of a run: a bounded window of plain tasks, retries, bisection of crashing shards.

The worker commits what it has solved and returns a small receipt, so that a driver that is killed
loses nothing that is on its way, and no row travels through the driver. Ray is imported only
when a run starts.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TextIO, cast

from pipeline.config import ExecutionOptions, RunConfig, canonical_json
from pipeline.deals import DealRange
from pipeline.errors import BuildMismatch, ClusterError, DealsweepError, Interrupted, SolverFault, StoreError
from pipeline.objects import ObjectFolder
from pipeline.progress import Notice
from pipeline.shard import open_session
from pipeline.store import RUN, check_writable, commit_shard
from pipeline.tally import Tallies

if TYPE_CHECKING:
    from ray import ObjectRef

_WORKER_BYTES = 300 * 1024 * 1024
"""What a worker takes beside the solver's tables: the interpreter, numpy, pyarrow, a shard's columns."""

_WAIT_SECONDS = 0.2
_LOST_NODES = 20
_START_ATTEMPTS = 4
_LOOK_SECONDS = 3.0
_HEAD_PATIENCE = 20.0
_NODE_PATIENCE = 120.0


class Receipt(NamedTuple):
    """What a worker says of a shard that it has committed.

    Attributes:
        deals: of the shard.
        tallies: exact counts and sums by verdict.
        seconds: wall time in the worker.
        node: where, as an address and a process number.
        created: whether this worker's file won; else an equal one was there.
        size: of the file, in bytes.
    """

    deals: DealRange
    tallies: Tallies
    seconds: float
    node: str
    created: bool
    size: int


class Task(NamedTuple):
    """What a task needs besides its deals; small, and equal for the whole run."""

    location: str
    config: str
    build: tuple[tuple[str, str], ...]
    """The driver's `node_build`: a node that joins later was not there to be checked before."""


class Fault(NamedTuple):
    """An error of a worker as plain text: Ray's own wrapping of exceptions needs them picklable."""

    kind: str
    message: str


def work(task: Task, deals: DealRange) -> Receipt | Fault:
    """Solve and commit one shard; runs in a worker."""
    began = time.perf_counter()
    try:
        _check_build(task.build)
        shard = open_session(task.config).solve(deals)
        data = shard.to_bytes()
        created = commit_shard(_open_folder(task.location), shard.footer, data)
    except DealsweepError as error:
        return Fault(type(error).__name__, f"{error} (on node {_node_address()})")
    seconds = time.perf_counter() - began
    node = f"{_node_address()}:{os.getpid()}"
    return Receipt(deals, shard.footer.verdicts, seconds, node, created, len(data))


def inspect_node(location: str) -> dict[str, str]:
    """What this node would solve with, and the run that it sees and can write; runs in a worker."""
    build = node_build()
    try:
        folder = _open_folder(location)
        record = folder.read(RUN)
        check_writable(folder)
        return {**build, "run": hashlib.sha256(record).hexdigest()}
    except (DealsweepError, FileNotFoundError) as error:
        return {**build, "fault": str(error) or "no run.json"}


def node_build() -> dict[str, str]:
    """This process's solver and file writer: equal on all nodes of a run."""
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415

    import solver  # noqa: PLC0415

    build = solver.build_info()
    return {
        "solver": f"{build['version']} {build['sources']}",
        "dealer": build["dealer"],
        "pyarrow": pa.__version__,
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


@lru_cache(maxsize=4)
def _check_build(driver: tuple[tuple[str, str], ...]) -> None:
    compare_builds(dict(driver), _node_address(), node_build())


def compare_builds(driver: dict[str, str], node: str, found: dict[str, str]) -> None:
    """Raise BuildMismatch, naming the node and both sides, unless a node would write the driver's files."""
    for name in ("Python", "solver", "dealer", "pyarrow"):
        if found.get(name) != driver[name]:
            raise BuildMismatch(
                f"node {node} has {name} {found.get(name)}, the driver has {name} {driver[name]}: "
                "install the same build on every node"
            )


def compare_nodes(driver: dict[str, str], node: str, found: dict[str, str]) -> None:
    """Raise BuildMismatch or StoreError, naming the node and both sides, unless a node fits the driver."""
    compare_builds(driver, node, found)
    if "fault" in found:
        raise StoreError(f"node {node} cannot use the run: {found['fault']}")
    if found.get("run") != driver["run"]:
        raise StoreError(f"node {node} sees another run there: is the folder shared by all nodes?")


@lru_cache(maxsize=4)
def _open_folder(location: str) -> ObjectFolder:
    return ObjectFolder(location)


@lru_cache(maxsize=1)
def _node_address() -> str:
    import ray  # noqa: PLC0415

    return str(ray.util.get_node_ip_address())  # type: ignore[no-untyped-call]


@dataclass
class Stop:
    """What the user has asked for: nothing, no more tasks, or an end at once."""

    draining: bool = False
    cancelled: bool = False
    told: bool = False


@dataclass
class _Job:
    deals: DealRange
    crashes: int = 0
    lost_nodes: int = 0


@dataclass
class Hooks:
    """What the run does about what happens."""

    receipt: Callable[[Receipt], None]
    failure: Callable[[int, str], None]
    notice: Callable[[Notice], None]


@dataclass
class Executor:
    """A connection to Ray; a context manager.

    Attributes:
        options: workers, address, window, attempts.
        config: of the run.
        location: where it is kept.
    """

    options: ExecutionOptions
    config: RunConfig
    location: str
    workers: int = field(default=0, init=False)
    _started: bool = field(default=False, init=False)
    _next_look: float = field(default=0.0, init=False)
    _head_seen: float = field(default=0.0, init=False)
    _head_lost: bool = field(default=False, init=False)

    def __enter__(self) -> Self:
        """Start or join a cluster. Raises ClusterError."""
        _set_environment(self.options)
        import ray  # noqa: PLC0415

        if ray.is_initialized():
            self.workers = self._count_workers()
            return self
        self._connect()
        self._started = True
        try:
            self.workers = self._count_workers()
        except BaseException:
            ray.shutdown()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        import ray  # noqa: PLC0415

        if self._started:
            ray.shutdown()

    def _connect(self) -> None:
        """Start Ray here, or join a cluster. Raises ClusterError."""
        import ray  # noqa: PLC0415

        local = {
            "address": "local",
            "num_cpus": self.options.workers,  # None: what Ray finds, inside a container too
            "include_dashboard": False,
        }
        where = {"address": self.options.address} if self.options.address else local
        for attempts_left in reversed(range(_START_ATTEMPTS)):
            before = _children()
            try:
                ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
                return
            except Exception as error:
                ray.shutdown()
                _kill(_children() - before)
                # Ray gives its processes half a minute to start, which a busy machine may need more of.
                if attempts_left and "timed out during startup" in str(error):
                    continue
                place = self.options.address or "on this machine"
                raise ClusterError(
                    f"Ray cannot be started or reached ({place}): {_first_line(error)}"
                ) from None

    def _count_workers(self) -> int:
        """How many tasks the cluster runs at once, by CPUs and memory. Raises ClusterError."""
        need = self._task_memory()
        end = time.monotonic() + (_NODE_PATIENCE if self.options.address else 0)
        # The workers of a cluster that has just been started may still be on their way.
        while not (nodes := _nodes()) and time.monotonic() < end:
            time.sleep(1)
        if not nodes:
            raise ClusterError("the cluster has no CPU for tasks")
        slots = _count_slots(nodes, need)
        if not slots:
            raise ClusterError(f"no node has {need / 1e9:.1f} GB for a worker: lower --memory-cap")
        return min(slots, self.options.workers or slots)

    def _look_again(self, hooks: Hooks) -> None:
        """Follow a cluster that was joined: nodes come and go, the head must stay. Raises ClusterError."""
        now = time.monotonic()
        if self.options.address is None or now < self._next_look:
            return
        self._next_look = now + _LOOK_SECONDS
        # Ray itself asks a dead head for a minute and then ends the process without a word.
        if not _head_answers():
            if now - self._head_seen < _HEAD_PATIENCE:
                return
            self._head_lost = True
            raise ClusterError("the head of the cluster is gone; what is committed is kept")
        self._head_seen = now
        slots = _count_slots(_nodes(), self._task_memory())
        workers = min(slots, self.options.workers or slots)
        # With no node left the window stays as it is: tasks that wait are what makes nodes come.
        if workers and workers != self.workers:
            hooks.notice(Notice("cluster", f"{workers} workers, {self.workers} before"))
            self.workers = workers

    def _task_memory(self) -> int:
        return self.config.memory_cap_bytes + _WORKER_BYTES

    def preflight(self, run_json: bytes) -> None:
        """Check that every node has the driver's solver and sees the run.

        Raises:
            BuildMismatch: naming the node and both builds.
            StoreError: a node does not see the run.
            ClusterError: a node does not answer.
        """
        import ray  # noqa: PLC0415
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

        driver = {**node_build(), "run": hashlib.sha256(run_json).hexdigest()}
        inspect = ray.remote(inspect_node)
        answers = {}
        for node in _nodes():
            where = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            asked = inspect.options(num_cpus=0, scheduling_strategy=where).remote(self.location)
            answers[f"{node['NodeManagerAddress']} ({node['NodeManagerHostname']})"] = asked
        for name, answer in answers.items():
            try:
                compare_nodes(driver, name, ray.get(answer, timeout=120))
            except ray.exceptions.RayTaskError as error:
                raise BuildMismatch(f"node {name} cannot load the solver: {_last_line(error)}") from None
            except (ray.exceptions.RayError, TimeoutError) as error:
                raise ClusterError(f"node {name} does not answer: {_last_line(error)}") from None

    def run(self, pieces: Iterator[DealRange], hooks: Hooks, stop: Stop) -> None:
        """Solve all pieces, or those begun when `stop` says drain.

        Raises whatever a worker's fault is: StoreError, SolverFault, BuildMismatch; ClusterError.
        """
        import ray  # noqa: PLC0415

        task = ray.put(
            Task(self.location, canonical_json(self.config.to_json()), tuple(node_build().items()))
        )
        # Retries are counted here: a shard that kills its workers is to be bisected, not retried for ever.
        remote = ray.remote(work).options(num_cpus=1, memory=self._task_memory(), max_retries=0)
        again: deque[_Job] = deque()
        flying: dict[ObjectRef[Any], _Job] = {}
        self._head_seen = time.monotonic()
        try:
            while True:
                self._look_again(hooks)
                while len(flying) < self._window() and not stop.draining:
                    job = again.popleft() if again else _next_job(pieces)
                    if job is None:
                        break
                    flying[remote.remote(task, job.deals)] = job
                if not flying or stop.cancelled:
                    return
                ready, _ = ray.wait(list(flying), num_returns=1, timeout=_WAIT_SECONDS)
                if stop.draining and not stop.told:
                    stop.told = True
                    hooks.notice(Notice("interrupt", "finishing what is begun; once more to stop at once"))
                for ref in ready:
                    again.extend(self._settle(ref, flying.pop(ref), hooks))
        finally:
            for ref in () if self._head_lost else flying:
                ray.cancel(ref, force=True)

    def _window(self) -> int:
        """How many tasks may be handed out at once."""
        # On a cluster with more CPUs than were asked for, only the window keeps to the number.
        capped = self.options.address is not None and self.options.workers is not None
        return self.workers * (1 if capped else self.options.window)

    def _settle(self, ref: ObjectRef[Any], job: _Job, hooks: Hooks) -> list[_Job]:
        """Take a task's answer; the jobs that are to be run because of it."""
        import ray  # noqa: PLC0415

        lost = (ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)
        crashed = (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError)
        try:
            answer = ray.get(ref)
        except lost as error:
            return self._after_lost_node(job, hooks, error)
        except crashed as error:
            return self._after_crash(job, hooks, type(error).__name__)
        except ray.exceptions.RayTaskError as error:
            raise ClusterError(f"deals {job.deals}: {_last_line(error)}") from None
        except ray.exceptions.RayError as error:
            raise ClusterError(f"Ray failed: {type(error).__name__}: {_last_line(error)}") from None
        if isinstance(answer, Fault):
            raise _raised(answer)
        hooks.receipt(answer)
        return []

    def _after_lost_node(self, job: _Job, hooks: Hooks, error: Exception) -> list[_Job]:
        """A node that is gone says nothing about its deals: they are tried elsewhere."""
        job.lost_nodes += 1
        if job.lost_nodes > _LOST_NODES:
            raise ClusterError(f"deals {job.deals}: {_LOST_NODES} nodes were lost under them: {error}")
        hooks.notice(Notice("retry", f"deals {job.deals}: their node is gone; trying again"))
        return [job]

    def _after_crash(self, job: _Job, hooks: Hooks, kind: str) -> list[_Job]:
        """Try again; then halve; a single deal that goes on killing its workers is a failure."""
        job.crashes += 1
        if job.crashes < self.options.attempts:
            hooks.notice(Notice("retry", f"deals {job.deals}: their worker died ({kind}); trying again"))
            return [job]
        if job.deals.count == 1:
            reason = f"its worker died {job.crashes} times"
            hooks.failure(job.deals.first, reason)
            hooks.notice(Notice("failed", f"deal {job.deals.first}: {reason}; recorded as a failure"))
            return []
        hooks.notice(Notice("bisect", f"deals {job.deals}: their worker died {job.crashes} times; halving"))
        return [self._half(half) for half in job.deals.halves()]

    def _half(self, deals: DealRange) -> _Job:
        """A half is halved again at its first crash; a single deal gets every attempt."""
        return _Job(deals, crashes=0 if deals.count == 1 else self.options.attempts - 1)


def _next_job(pieces: Iterator[DealRange]) -> _Job | None:
    deals = next(pieces, None)
    return None if deals is None else _Job(deals)


def _count_slots(nodes: list[dict[str, Any]], need: int) -> int:
    """How many workers of `need` bytes and one CPU fit on the nodes."""
    slots = 0
    for node in nodes:
        resources = node["Resources"]
        slots += min(int(resources["CPU"]), int(resources.get("memory", 0)) // need)
    return slots


def _head_answers() -> bool:
    import ray  # noqa: PLC0415

    host, _, port = ray.get_runtime_context().gcs_address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=3).close()
    except OSError:
        return False
    return True


def _nodes() -> list[dict[str, Any]]:
    import ray  # noqa: PLC0415

    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    return [node for node in nodes if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]


class _WithoutRay:
    """A text stream that drops what Ray's own threads write.

    Ray tells of every dead worker on standard output, where results belong, whatever its options
    say; the run tells of them itself.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if threading.current_thread().name.startswith("ray_"):
            return len(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def silence_ray() -> AbstractContextManager[Any]:
    """Keep Ray's threads from writing to standard output while the body runs."""
    return redirect_stdout(cast(TextIO, _WithoutRay(sys.stdout)))


def _children() -> set[int]:
    """The children of this process; none where the system does not list them."""
    listed = Path("/proc/self/task").glob("*/children")
    return {int(pid) for children in listed for pid in children.read_text().split()}


def _kill(processes: set[int]) -> None:
    """End what a failed start of Ray has left behind."""
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _set_environment(options: ExecutionOptions) -> None:
    """Choose what Ray would choose by itself, before it is imported.

    Nothing is reported to anybody. A cluster on this machine has a token of its own, known to this
    process and its children alone; a cluster that is joined has the one that its owner has set.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_DEDUP_LOGS"] = "0"  # held-back repeats are written at the end, by the main thread
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if options.address is None and os.environ["RAY_AUTH_MODE"] == "token":
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _raised(fault: Fault) -> DealsweepError:
    kinds: dict[str, type[DealsweepError]] = {
        kind.__name__: kind for kind in (StoreError, SolverFault, BuildMismatch, Interrupted)
    }
    return kinds.get(fault.kind, StoreError)(fault.message)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:300] if lines else type(error).__name__
