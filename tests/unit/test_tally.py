import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tally import Tally, add_tallies, wilson, win_rate


def tally(values):
    return Tally(len(values), sum(values), sum(v * v for v in values))


@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=50))
def test_mean_and_deviation_are_those_of_the_values(values):
    exact = tally(values)
    assert exact.mean == pytest.approx(statistics.fmean(values), rel=1e-12)
    assert exact.deviation == pytest.approx(statistics.stdev(values), rel=1e-9, abs=1e-9)
    assert sum((tally([v]) for v in values), Tally()) == exact
    assert Tally.from_json(exact.to_json()) == exact


def test_deviation_does_not_cancel():
    values = [10**15, 10**15 + 1, 10**15 + 2]
    assert tally(values).deviation == 1.0


def test_nothing_has_no_mean():
    assert Tally().mean is None
    assert tally([5]).deviation is None


def test_add_tallies_adds_by_verdict():
    total = add_tallies([{"a": Tally(1, 2, 4)}, {"a": Tally(1, 3, 9), "b": Tally(1, 1, 1)}])
    assert total == {"a": Tally(2, 5, 13), "b": Tally(1, 1, 1)}


# Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263 and 15/148, 0/20, 1/29.
@pytest.mark.parametrize(
    ("won", "deals", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_published_intervals(won, deals, low, high):
    interval = wilson(won, deals)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_wilson_of_nothing_is_everything():
    interval = wilson(0, 0)
    assert math.isnan(interval.share)
    assert interval[1:] == (0.0, 1.0)
    assert wilson(7, 7).high == 1.0


def test_undecided_deals_count_both_ways():
    rate = win_rate(100, 60, 20)
    assert (rate.least, rate.most) == (0.6, 0.8)
    assert rate.low == wilson(60, 100).low
    assert rate.high == wilson(80, 100).high
