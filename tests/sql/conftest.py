import pytest
from small_runs import make_run


@pytest.fixture(scope="session")
def black_hole(tmp_path_factory):
    """120 deals in shards of 25, most of them exhausted, with winning lines."""
    place = tmp_path_factory.mktemp("runs") / "black hole"
    return make_run(place, "black-hole", "1..120", 25, search="reference", limit=2000, solutions=True)


@pytest.fixture(scope="session")
def motion(tmp_path_factory):
    """600 games of Perpetual Motion, all decided."""
    return make_run(tmp_path_factory.mktemp("runs") / "motion", "perpetual-motion", "1..600", 200)


@pytest.fixture(scope="session")
def clarke(tmp_path_factory):
    """The same games by other rules."""
    place = tmp_path_factory.mktemp("runs") / "clarke"
    return make_run(place, "perpetual-motion", "1..600", 200, rules="clarke")
