"""Ray itself: started on this machine or joined, its nodes counted, inspected and watched."""

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
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TextIO, cast

from pipeline.config import ExecutionOptions
from pipeline.errors import BuildMismatch, ClusterError, first_line, last_line
from pipeline.local_ray import only_what_tasks_need
from pipeline.progress import Notice
from pipeline.worker import compare_nodes, inspect_node, node_build

_START_ATTEMPTS = 4
_LOOK_SECONDS = 3.0
_HEAD_PATIENCE = 20.0
_NODE_PATIENCE = 120.0


@dataclass
class Cluster:
    """A connection to Ray; a context manager.

    Attributes:
        options: workers and address.
        task_memory: what a task needs, in bytes.
        workers: how many tasks run at once.
        head_lost: whether the head is gone; then nothing more can be asked of Ray.
        is_own: whether this connection was made for the run and ends with it.
    """

    options: ExecutionOptions
    task_memory: int
    workers: int = field(default=0, init=False)
    head_lost: bool = field(default=False, init=False)
    is_own: bool = field(default=False, init=False)
    _next_look: float = field(default=0.0, init=False)
    _head_seen: float | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        """Start or join a cluster. Raises ClusterError."""
        _set_environment(self.options)
        import ray  # noqa: PLC0415

        if ray.is_initialized():
            self.workers = self._count_workers()
            return self
        self._connect()
        self.is_own = True
        try:
            self.workers = self._count_workers()
        except BaseException:
            ray.shutdown()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        import ray  # noqa: PLC0415

        if self.is_own:
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
                with nullcontext() if self.options.address else only_what_tasks_need():
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
                    f"Ray cannot be started or reached ({place}): {first_line(error)}"
                ) from None

    def _count_workers(self) -> int:
        """How many tasks the cluster runs at once, by CPUs and memory. Raises ClusterError."""
        need = self.task_memory
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

    def look_again(self, tell: Callable[[Notice], None]) -> None:
        """Follow a cluster that was joined: nodes come and go, the head must stay. Raises ClusterError."""
        now = time.monotonic()
        if self.options.address is None or now < self._next_look:
            return
        self._next_look = now + _LOOK_SECONDS
        # Ray itself asks a dead head for a minute and then ends the process without a word.
        if self._head_seen is None:
            self._head_seen = now
        if not _head_answers():
            if now - self._head_seen < _HEAD_PATIENCE:
                return
            self.head_lost = True
            raise ClusterError("the head of the cluster is gone; what is committed is kept")
        self._head_seen = now
        slots = _count_slots(_nodes(), self.task_memory)
        workers = min(slots, self.options.workers or slots)
        # With no node left the window stays as it is: tasks that wait are what makes nodes come.
        if workers and workers != self.workers:
            tell(Notice("cluster", f"{workers} workers, {self.workers} before"))
            self.workers = workers

    def preflight(self, location: str, run_json: bytes) -> None:
        """Check that every node has the driver's solver and sees the run.

        Args:
            location: where the run is kept.
            run_json: its run.json as this process sees it.

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
            asked = inspect.options(num_cpus=0, scheduling_strategy=where).remote(location)
            answers[f"{node['NodeManagerAddress']} ({node['NodeManagerHostname']})"] = asked
        for name, answer in answers.items():
            try:
                compare_nodes(driver, name, ray.get(answer, timeout=120))
            except ray.exceptions.RayTaskError as error:
                raise BuildMismatch(f"node {name} cannot load the solver: {last_line(error)}") from None
            except (ray.exceptions.RayError, TimeoutError) as error:
                raise ClusterError(f"node {name} does not answer: {last_line(error)}") from None


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
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if "ray" in sys.modules:
        return  # it has read how it authenticates, when its owner imported it
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    if options.address is None and os.environ["RAY_AUTH_MODE"] == "token":
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
