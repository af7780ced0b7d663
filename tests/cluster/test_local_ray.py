"""Runs that start a Ray of their own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pipeline.idle_agent
from pipeline.local_ray import only_what_tasks_need, with_idle_agents


def test_ray_is_left_as_it_was(monkeypatch):
    from ray._private import node, worker

    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    usual, modify, before = node.Node, worker._maybe_modify_runtime_env, dict(os.environ)
    with pytest.raises(KeyError), only_what_tasks_need():
        assert issubclass(node.Node, usual) and node.Node is not usual
        assert worker._maybe_modify_runtime_env({"pip": ["golf"]}, False) == {}
        assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
        raise KeyError
    assert node.Node is usual and worker._maybe_modify_runtime_env is modify
    assert dict(os.environ) == before


def test_what_is_left_out_is_what_ray_has():
    from ray._private import node, services, worker

    for method in ("start_monitor", "start_log_monitor", "start_api_server", "start_raylet"):
        assert callable(getattr(node.Node, method))
    assert callable(services.start_ray_process) and callable(worker._maybe_modify_runtime_env)


def test_agents_are_replaced_and_nothing_else():
    server = ["raylet", "--head", "--node_id=ab", "--session_dir=/tmp/a ray", "--labels={}"]
    agents = [
        "--dashboard_agent_command=python agent.py --port=1",
        "--runtime_env_agent_command=python main.py",
    ]
    command = with_idle_agents([*server, *agents, "--huge_pages"])
    assert [*command[:5], command[7]] == [*server, "--huge_pages"]
    waits_for = "metrics_agent_port_ab metrics_export_port_ab dashboard_agent_listen_port_ab"
    assert command[5].startswith(f"--dashboard_agent_command={sys.executable} ")
    assert command[5].endswith(f'idle_agent.py "/tmp/a ray" {waits_for}')
    assert command[6].startswith(f"--runtime_env_agent_command={sys.executable} ")
    assert command[6].endswith('idle_agent.py "/tmp/a ray" runtime_env_agent_port_ab')


@pytest.mark.parametrize("lacking", ["node_id", "session_dir", "runtime_env_agent_command"])
def test_a_server_that_is_started_in_another_way_is_left_alone(lacking):
    names = ("node_id", "session_dir", "dashboard_agent_command", "runtime_env_agent_command")
    command = ["raylet", *(f"--{name}=x" for name in names if name != lacking)]
    assert with_idle_agents(command) == command


def test_an_idle_agent_says_so_and_ends_with_its_server(tmp_path):
    server = (
        "import subprocess, sys, time; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); time.sleep(60)"
    )
    agent = [sys.executable, "-I", "-S", pipeline.idle_agent.__file__, tmp_path, "a_port", "b_port"]
    running = subprocess.Popen([sys.executable, "-c", server, *agent], stdout=subprocess.PIPE, text=True)
    with running:
        process = Path("/proc", running.stdout.readline().strip(), "stat")
        wait_until(lambda: sorted(file.name for file in tmp_path.iterdir()) == ["a_port", "b_port"])
        assert {file.read_text() for file in tmp_path.iterdir()} == {"-1"}
        assert is_alive(process)
        running.kill()
    wait_until(lambda: not is_alive(process))


def is_alive(process):
    try:
        return process.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def wait_until(happened, seconds=60):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nothing", "RAY_JOB_CONFIG_JSON_ENV_VAR"])
def test_a_program_that_has_imported_ray_already(name, tmp_path):
    """Also where Ray's variables ask for an environment of the tasks' own, which nobody would make."""
    program = "import ray, sys, pipeline; print(pipeline.run('golf', '1..30', sys.argv[1]).deals_done)"
    asked = json.dumps({"runtime_env": {"env_vars": {"A": "1"}}})
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "run"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, name: asked},
    )
    assert done.stdout.strip() == "30", done.stderr


@pytest.mark.slow
def test_a_run_under_uv(tmp_path):
    uv = Path(sys.prefix, "bin", "uv")
    if not uv.exists():
        pytest.skip("uv is not installed")
    command = [uv, "run", "--no-project", "--python", sys.executable, Path(sys.prefix, "bin", "dealsweep")]
    done = subprocess.run(
        [*command, "run", "golf", "1..30", "--out", tmp_path / "run"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0 and "30 done, 0 failed" in done.stdout, done.stderr
