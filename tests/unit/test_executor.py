import os

import pytest

from pipeline.cluster import Cluster, _count_slots
from pipeline.config import ExecutionOptions, RunConfig, canonical_json
from pipeline.deals import DealRange
from pipeline.errors import BuildMismatch, ClusterError, SolverFault, StoreError
from pipeline.executor import Executor, Hooks, _Job, _raised
from pipeline.worker import Fault, Task, compare_nodes, node_build, work

HERE = {"solver": "0.1.0 aaaa", "dealer": "pysol-cards", "pyarrow": "26.0.0", "Python": "3.11", "run": "x"}


def test_equal_nodes_pass():
    compare_nodes(HERE, "n1", dict(HERE))
    assert set(node_build()) | {"run"} == set(HERE)


@pytest.mark.parametrize(
    ("change", "kind", "says"),
    [
        (
            {"solver": "0.1.0 bbbb"},
            BuildMismatch,
            "node n1 has solver 0.1.0 bbbb, the driver has solver 0.1.0 aaaa",
        ),
        ({"pyarrow": "25.0.0"}, BuildMismatch, "pyarrow 25.0.0"),
        ({"Python": "3.12"}, BuildMismatch, "node n1 has Python 3.12, the driver has Python 3.11"),
        ({"run": "y"}, StoreError, "sees another run"),
        ({"fault": "no run.json"}, StoreError, "cannot use the run: no run.json"),
    ],
)
def test_a_node_that_differs_is_named(change, kind, says):
    with pytest.raises(kind, match=says) as caught:
        compare_nodes(HERE, "n1", {**HERE, **change})
    assert "\n" not in str(caught.value)


def test_faults_of_workers_keep_their_kind():
    assert type(_raised(Fault("SolverFault", "deal 5"))) is SolverFault
    assert type(_raised(Fault("SomethingElse", "x"))) is StoreError


@pytest.fixture
def told():
    return []


@pytest.fixture
def hooks(told):
    return Hooks(told.append, lambda deal, reason: told.append((deal, reason)), told.append)


def crash(executor, job, hooks):
    return executor._after_crash(job, hooks, "WorkerCrashedError")


@pytest.mark.parametrize(("first", "last", "poison"), [(1, 1000, 617), (5, 5, 5), (1, 2, 2), (1, 64, 1)])
def test_bisection_finds_the_deal_and_loses_none(told, hooks, first, last, poison):
    executor = Executor(Cluster(ExecutionOptions(), 0), None, os.devnull)
    waiting, solved, crashes = [_Job(DealRange(first, last))], [], 0
    while waiting:
        job = waiting.pop()
        if poison in job.deals:
            crashes += 1
            waiting += crash(executor, job, hooks)
        else:
            solved.append(job.deals)
    failed = [item for item in told if isinstance(item, tuple)]
    assert failed == [(poison, "its worker died 3 times")]
    covered = sorted(deal for deals in solved for deal in range(deals.first, deals.last + 1))
    assert covered == [deal for deal in range(first, last + 1) if deal != poison]
    assert crashes <= 2 * 3 + (last - first + 1).bit_length()


def test_a_lost_node_says_nothing_about_its_deals(told, hooks):
    executor = Executor(Cluster(ExecutionOptions(), 0), None, os.devnull)
    job = _Job(DealRange(5, 5))
    for _ in range(20):
        assert executor._after_lost_node(job, hooks, RuntimeError("gone")) == [job]
    assert job.crashes == 0
    with pytest.raises(ClusterError, match="20 nodes"):
        executor._after_lost_node(job, hooks, RuntimeError("gone"))


@pytest.mark.usefixtures("ray_session")
@pytest.mark.parametrize(("name", "other"), [("Python", "2.7"), ("pyarrow", "1.0"), ("solver", "0.0.1 abc")])
def test_a_node_that_joins_late_with_another_build_writes_nothing(tmp_path, name, other):
    config = RunConfig.resolve("black-hole", limit=50)
    build = {**node_build(), name: other}
    task = Task(str(tmp_path), canonical_json(config.to_json()), tuple(build.items()))
    fault = work(task, DealRange(1, 10))
    assert fault.kind == "BuildMismatch"
    assert f"has {name} {node_build()[name]}, the driver has {name} {other}" in fault.message
    assert "node " in fault.message and list(tmp_path.iterdir()) == []
    receipt = work(task._replace(build=tuple(node_build().items())), DealRange(1, 10))
    assert receipt.created and receipt.size == next(tmp_path.rglob("*.parquet")).stat().st_size


@pytest.mark.parametrize(
    ("cpus", "memory", "slots"), [([2, 2], 8, 4), ([4, 1], 3, 4), ([8], 2.5, 2), ([1, 1], 0.5, 0)]
)
def test_slots_are_limited_by_cpus_and_by_memory(cpus, memory, slots):
    nodes = [{"Resources": {"CPU": count, "memory": memory * 1e9}} for count in cpus]
    assert _count_slots(nodes, 10**9) == slots
