"""A Ray of this machine alone, without the processes that its tasks have no use for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

_ENVIRONMENT = {
    # Nothing here multiplies matrices. Numpy's library for it starts a thread a CPU, which spins for a
    # tenth of a second before it sleeps.
    "OPENBLAS_NUM_THREADS": "1",
    # Nobody asks this Ray for its metrics.
    "RAY_enable_metrics_collection": "0",
}
"""For Ray's processes and its workers."""


_AGENTS = {
    "dashboard_agent_command": ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port"),
    "runtime_env_agent_command": ("runtime_env_agent_port",),
}
"""How the server of a node is told to start each of its agents, and the ports that it then waits for."""


@contextmanager
def only_what_tasks_need() -> Iterator[None]:
    """Have `ray.init` start a server of the cluster, one of the node and workers, and nothing else.

    Ray starts a dashboard, an autoscaler, a log monitor and two agents of the node whatever
    `include_dashboard` and `log_to_driver` say: each an interpreter that imports Ray, together half of
    what a local Ray costs. But a node alone scales nothing, its driver takes no logs, and Ray goes on
    without a dashboard when that fails to start. Environments for tasks, which an agent would make, are
    not needed either: workers have the interpreter and the variables of this process. Ray would ask for
    one all the same under `uv run` and within a job of another cluster.

    There is no setting for it, so four methods of Ray's node and a function are replaced; tests watch
    that the release of Ray that is asked for has them.
    """
    from ray._private import node, services, worker  # noqa: PLC0415

    class LeanNode(node.Node):
        def start_monitor(self) -> None:
            return

        def start_log_monitor(self) -> None:
            return

        def start_api_server(self, **_: object) -> None:
            return

        def start_raylet(self, *words: Any, **named: Any) -> None:
            usual = services.start_ray_process

            def start(command: list[str], *words: Any, **named: Any) -> Any:
                return usual(with_idle_agents(command), *words, **named)

            with _replaced(services, "start_ray_process", start):
                super().start_raylet(*words, **named)

    def no_environment(*_: object) -> dict[str, Any]:
        return {}

    with (
        _replaced(node, "Node", LeanNode),
        _replaced(worker, "_maybe_modify_runtime_env", no_environment),
        _environment(_ENVIRONMENT),
    ):
        yield


def with_idle_agents(command: list[str]) -> list[str]:
    """The command that starts the server of a node, with `idle_agent` in place of each of its agents.

    A command without what this needs to know is returned as it is.
    """
    given = dict(word[2:].split("=", 1) for word in command if word.startswith("--") and "=" in word)
    if not {"node_id", "session_dir", *_AGENTS} <= given.keys():
        return command
    idle = [sys.executable, "-I", "-S", str(Path(__file__).with_name("idle_agent.py")), given["session_dir"]]
    replaced = {
        f"--{agent}": subprocess.list2cmdline([*idle, *(f"{port}_{given['node_id']}" for port in ports)])
        for agent, ports in _AGENTS.items()
    }
    names = [word.split("=", 1)[0] for word in command]
    return [
        f"{name}={replaced[name]}" if name in replaced else word
        for name, word in zip(names, command, strict=True)
    ]


@contextmanager
def _replaced(module: ModuleType, name: str, value: object) -> Iterator[None]:
    """Have another value in a module while the body runs."""
    usual = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, usual)


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
