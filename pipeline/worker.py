"""What runs on a node: one shard solved and committed, and what the node says of itself.

The worker commits what it has solved and returns a small receipt, so that a driver that is killed
loses nothing that is on its way, and no row travels through the driver.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from functools import lru_cache
from typing import NamedTuple

from pipeline.deals import Deals
from pipeline.errors import BuildMismatch, DealsweepError, StoreError
from pipeline.objects import ObjectFolder
from pipeline.shard import open_session
from pipeline.store import RUN, check_writable, commit_shard
from pipeline.tally import Tallies


class Receipt(NamedTuple):
    """What a worker says of a shard that it has committed.

    Attributes:
        deals: of the shard.
        tallies: exact counts and sums by verdict.
        seconds: wall time in the worker.
        node: where, as an address and a process number.
        created: whether this worker's file won; else an equal one was there.
        size: of the file, in bytes.
        cpu_seconds: CPU time that the worker spent on the shard.
        solver_seconds: CPU time of it that was spent in the solver.
    """

    deals: Deals
    tallies: Tallies
    seconds: float
    node: str
    created: bool
    size: int
    cpu_seconds: float
    solver_seconds: float


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


def work(task: Task, deals: Deals) -> Receipt | Fault:
    """Solve and commit one shard; runs in a worker."""
    began, cpu_before = time.perf_counter(), time.thread_time()
    try:
        _check_build(task.build)
        shard = open_session(task.config).solve(deals)
        data = shard.to_bytes()
        created = commit_shard(_open_folder(task.location), shard.footer, data)
    except DealsweepError as error:
        return Fault(type(error).__name__, f"{error} (on node {_node_address()})")
    seconds, cpu_seconds = time.perf_counter() - began, time.thread_time() - cpu_before
    node = f"{_node_address()}:{os.getpid()}"
    return Receipt(
        deals, shard.footer.verdicts, seconds, node, created, len(data), cpu_seconds, shard.solver_seconds
    )


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
