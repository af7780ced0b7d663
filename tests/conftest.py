"""One Ray session for all tests that solve in the test's own process."""

from pathlib import Path

import pytest

POISON = 7_000_000_005
"""A deal that kills any worker of the shared session that meets it; see pipeline.shard."""


def pytest_collection_modifyitems(items):
    """With several pytest workers, everything that needs Ray stays in one of them."""
    for item in items:
        if "ray_session" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("ray"))


def pytest_assertrepr_compare(op, left, right):
    """Two runs' files that differ are named, not shown: thousands of lines of bytes hide what is wrong."""
    if op != "==" or not all(isinstance(side, dict) and side for side in (left, right)):
        return None
    if not all(isinstance(data, bytes) for side in (left, right) for data in side.values()):
        return None
    changed = (name for name in sorted(left.keys() & right.keys()) if left[name] != right[name])
    found = [
        *(f"  only on the left: {name}" for name in sorted(left.keys() - right.keys())),
        *(f"  only on the right: {name}" for name in sorted(right.keys() - left.keys())),
        *(f"  different bytes: {name}" for name in changed),
    ]
    return [f"the same {len(right)} files", *found]


@pytest.fixture(scope="session")
def ray_session():
    """A Ray node of two CPUs on this machine, which runs then join instead of starting one each."""
    from pipeline.cluster import Cluster
    from pipeline.config import ExecutionOptions

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEALSWEEP_TEST_POISON", str(POISON))
        with Cluster(ExecutionOptions(workers=2), task_memory=10**9) as session:
            yield session


@pytest.fixture
def dealsweep(capfd):
    """Run a command in this process: `dealsweep("status", run)` gives its exit code and output."""
    from pipeline.cli import main

    class Done:
        def __init__(self, code, out, err):
            self.code, self.out, self.err = int(code), out, err

    def run(*words):
        capfd.readouterr()
        code = main([str(word) for word in words])
        return Done(code, *capfd.readouterr())

    return run


@pytest.fixture
def tree():
    """The files of a run with their bytes: `tree(run)`."""

    def read(run):
        run = Path(run)
        return {str(p.relative_to(run)): p.read_bytes() for p in sorted(run.rglob("*")) if p.is_file()}

    return read
