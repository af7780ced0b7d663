"""The course of a run on Ray: a bounded window of plain tasks, retries, bisection of crashing shards.

Ray is imported only when a run starts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.cluster import Cluster
from pipeline.config import RunConfig, canonical_json
from pipeline.deals import Deals
from pipeline.errors import (
    BuildMismatch,
    ClusterError,
    DealsweepError,
    Interrupted,
    SolverFault,
    StoreError,
    last_line,
)
from pipeline.progress import Notice
from pipeline.worker import Fault, Receipt, Task, node_build, work

if TYPE_CHECKING:
    from ray import ObjectRef

_WORKER_BYTES = 300 * 1024 * 1024
"""What a worker takes beside the solver's tables: the interpreter, numpy, pyarrow, a shard's columns."""

_WAIT_SECONDS = 0.2
_LOST_NODES = 20


def task_memory(config: RunConfig) -> int:
    """What a task of this run needs, in bytes."""
    return config.memory_cap_bytes + _WORKER_BYTES


@dataclass
class Stop:
    """What the user has asked for: nothing, no more tasks, or an end at once."""

    draining: bool = False
    cancelled: bool = False
    told: bool = False


@dataclass
class _Job:
    deals: Deals
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
    """Runs the shards of one run on a cluster.

    Attributes:
        cluster: that is started or joined.
        config: of the run.
        location: where it is kept.
    """

    cluster: Cluster
    config: RunConfig
    location: str

    def run(self, pieces: Iterator[Deals], hooks: Hooks, stop: Stop) -> None:
        """Solve all pieces, or those begun when `stop` says drain.

        Raises whatever a worker's fault is: StoreError, SolverFault, BuildMismatch; ClusterError.
        """
        import ray  # noqa: PLC0415

        task = ray.put(
            Task(self.location, canonical_json(self.config.to_json()), tuple(node_build().items()))
        )
        # Retries are counted here: a shard that kills its workers is to be bisected, not retried for ever.
        remote = ray.remote(work).options(
            num_cpus=1,
            memory=self.cluster.task_memory,
            max_retries=0,
            enable_task_events=self.cluster.options.address is not None,  # a Ray of our own has no dashboard
        )
        again: deque[_Job] = deque()
        flying: dict[ObjectRef[Any], _Job] = {}
        try:
            while True:
                self.cluster.look_again(hooks.notice)
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
            # The run's own connection takes its tasks along when it ends. To cancel them before, when they
            # fail by themselves at the same moment, as on a full disk, may bring Ray down.
            for ref in () if self.cluster.is_own or self.cluster.head_lost else flying:
                ray.cancel(ref, force=True)

    def _window(self) -> int:
        """How many tasks may be handed out at once."""
        # On a cluster with more CPUs than were asked for, only the window keeps to the number.
        capped = self.cluster.options.address is not None and self.cluster.options.workers is not None
        return self.cluster.workers * (1 if capped else self.cluster.options.window)

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
            raise ClusterError(f"deals {job.deals}: {last_line(error)}") from None
        except ray.exceptions.RayError as error:
            raise ClusterError(f"Ray failed: {type(error).__name__}: {last_line(error)}") from None
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
        if job.crashes < self.cluster.options.attempts:
            hooks.notice(Notice("retry", f"deals {job.deals}: their worker died ({kind}); trying again"))
            return [job]
        if job.deals.count == 1:
            reason = f"its worker died {job.crashes} times"
            hooks.failure(job.deals.first, reason)
            hooks.notice(Notice("failed", f"deal {job.deals.first}: {reason}; recorded as a failure"))
            return []
        hooks.notice(Notice("bisect", f"deals {job.deals}: their worker died {job.crashes} times; halving"))
        return [self._half(half) for half in job.deals.halves()]

    def _half(self, deals: Deals) -> _Job:
        """A half is halved again at its first crash; a single deal gets every attempt."""
        return _Job(deals, crashes=0 if deals.count == 1 else self.cluster.options.attempts - 1)


def _next_job(pieces: Iterator[Deals]) -> _Job | None:
    deals = next(pieces, None)
    return None if deals is None else _Job(deals)


def _raised(fault: Fault) -> DealsweepError:
    kinds: dict[str, type[DealsweepError]] = {
        kind.__name__: kind for kind in (StoreError, SolverFault, BuildMismatch, Interrupted)
    }
    return kinds.get(fault.kind, StoreError)(fault.message)
