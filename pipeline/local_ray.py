"""A Ray of this machine alone, without the processes that its tasks have no use for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ENVIRONMENT = {
    # Nothing here multiplies matrices. Numpy's library for it starts a thread a CPU, which spins for a
    # tenth of a second before it sleeps.
    "OPENBLAS_NUM_THREADS": "1",
    # Nobody asks this Ray for its metrics.
    "RAY_enable_metrics_collection": "0",
}
"""For Ray's processes and its workers."""


@contextmanager
def only_what_tasks_need() -> Iterator[None]:
    """Have `ray.init` start no dashboard, no autoscaler and no log monitor while the body runs.

    Ray starts all three whatever `include_dashboard` and `log_to_driver` say: each an interpreter that
    imports Ray, together a third of what a local Ray costs. But a node alone scales nothing, its driver
    takes no logs, and Ray goes on without a dashboard when that fails to start. There is no setting for
    it, so three methods of Ray's node are replaced. A release that does not have them starts what it
    always has.
    """
    from ray._private import node  # noqa: PLC0415

    class LeanNode(node.Node):
        def start_monitor(self) -> None:
            return

        def start_log_monitor(self) -> None:
            return

        def start_api_server(self, **_: object) -> None:
            return

    module: Any = node
    usual, module.Node = node.Node, LeanNode
    try:
        with _environment(_ENVIRONMENT):
            yield
    finally:
        module.Node = usual


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Have variables in the environment while the body runs, unless they are set already."""
    added = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
