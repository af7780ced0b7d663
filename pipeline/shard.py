"""Solve one shard: its deals to a batch and the bytes of its file. No Ray, no I/O.

For tests of crashes alone: a worker that meets a deal listed in the environment variable
DEALSWEEP_TEST_POISON (numbers between commas) ends itself with SIGKILL before it solves the
shard. Nothing else reads the variable.
"""

from __future__ import annotations

import os
import signal
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pipeline.config import RunConfig
from pipeline.deals import Deals
from pipeline.errors import BuildMismatch, SolverFault
from pipeline.schema import Footer, deal_numbers, encode, make_footer, to_batch

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from solver import DealSolver

POISON_VARIABLE = "DEALSWEEP_TEST_POISON"


class Shard(NamedTuple):
    """The rows of some deals, the footer that describes them, and the CPU seconds that the search took."""

    batch: pa.RecordBatch
    footer: Footer
    solver_seconds: float

    def to_bytes(self) -> bytes:
        """The Parquet file."""
        return encode(self.batch, self.footer)


class Session:
    """A solver opened for a run's configuration; it keeps its tables from shard to shard.

    Raises BuildMismatch when this machine's solver is not the one that the run was made with.
    """

    def __init__(self, config: RunConfig) -> None:
        self.config = config
        self.solver = open_recorded(config)

    def solve(self, deals: Deals) -> Shard:
        """Solve the deals. Raises SolverFault when a winning line does not replay."""
        _die_of_poison(deals)
        began = time.thread_time()
        parts = [self.solver.solve_columns(part.first, part.count) for part in deals.ranges]
        solver_seconds = time.thread_time() - began
        columns = _join(parts)
        if self.config.solutions:
            self._replay(deals, columns)
        batch = to_batch(self.config, deals, columns)
        return Shard(batch, make_footer(self.config, deals, batch), solver_seconds)

    def _replay(self, deals: Deals, columns: dict[str, Any]) -> None:
        """Play every winning line by the plain-Python rules, which share no code with the search."""
        numbers = deal_numbers(deals)
        for place in (columns["verdict"] == 0).nonzero()[0].tolist():
            deal = int(numbers[place])
            try:
                for _ in self.solver.play(self.solver.board(deal), columns["solution"][place]):
                    pass
            except ValueError as error:
                raise SolverFault(f"deal {deal}: the winning line does not replay: {error}") from None


@lru_cache(maxsize=1)
def open_session(config_json: str) -> Session:
    """The session of this process for a configuration, given as canonical JSON."""
    import json  # noqa: PLC0415

    return Session(RunConfig.from_json(json.loads(config_json)))


def open_recorded(config: RunConfig) -> DealSolver:
    """Open the solver that a recorded configuration names. Raises BuildMismatch."""
    import solver  # noqa: PLC0415 - the native core is loaded only where something is solved

    settings = config.settings
    try:
        opened = solver.open_solver(
            settings["game"],
            rules=settings.get("rules"),
            rule=settings.get("switches"),
            search=settings.get("search"),
            prune=settings.get("prune"),
            limit=settings.get("limit"),
            memory_cap=settings.get("memory_cap_bytes"),
            solutions=settings["solutions"],
        )
    except ValueError as error:
        raise BuildMismatch(f"this build of the solver does not know the run's settings: {error}") from None
    build = solver.build_info()
    found = RunConfig(
        opened.settings, opened.verdicts, tuple(opened.own_columns), build["sources"], build["dealer"]
    )
    if found.fingerprint != config.fingerprint:
        raise BuildMismatch(f"this solver is not the run's: {'; '.join(found.differences(config))}")
    return opened


def _join(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of several calls as those of one."""
    if len(parts) == 1:
        return parts[0]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].keys() - {"solution"}}
    return {**joined, "solution": [line for part in parts for line in part["solution"]]}


def _die_of_poison(deals: Deals) -> None:
    for number in os.environ.get(POISON_VARIABLE, "").split(","):
        if number.strip() and int(number) in deals:
            os.kill(os.getpid(), signal.SIGKILL)
