"""Runs that start a Ray of their own."""

import os
import subprocess
import sys

import pytest

from pipeline.local_ray import only_what_tasks_need


def test_ray_is_left_as_it_was(monkeypatch):
    from ray._private import node

    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    usual, before = node.Node, dict(os.environ)
    with pytest.raises(KeyError), only_what_tasks_need():
        assert issubclass(node.Node, usual) and node.Node is not usual
        assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
        raise KeyError
    assert node.Node is usual
    assert dict(os.environ) == before


def test_what_is_left_out_is_what_ray_has():
    from ray._private import node

    for method in ("start_monitor", "start_log_monitor", "start_api_server"):
        assert callable(getattr(node.Node, method))


@pytest.mark.slow
def test_a_program_that_has_imported_ray_already(tmp_path):
    program = "import ray, sys, pipeline; print(pipeline.run('golf', '1..30', sys.argv[1]).deals_done)"
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "run"], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "30", done.stderr
