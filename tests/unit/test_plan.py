from itertools import islice

import pytest
from deal_ranges import deals_of, ranges
from hypothesis import given
from hypothesis import strategies as st

from pipeline.deals import LAST_DEAL, DealRange
from pipeline.errors import UsageError
from pipeline.plan import (
    check_shard_size,
    choose_cover,
    count_pieces,
    cut,
    missing,
    pieces,
    standard_shard_size,
)

sizes = st.integers(1, 25)


@given(ranges, ranges, sizes)
def test_planned_and_committed_are_disjoint_and_cover_what_is_wanted(wanted, done, size):
    planned = list(pieces(wanted, done, size))
    assert sum(p.count for p in planned) == len(deals_of(planned))
    assert deals_of(planned) | (deals_of(done) & deals_of(wanted)) == deals_of(wanted)
    assert not deals_of(planned) & deals_of(done)
    assert len(planned) == count_pieces(wanted, done, size)
    assert deals_of(missing(wanted, done)) == deals_of(planned)


@given(ranges, ranges, sizes)
def test_no_piece_crosses_an_absolute_boundary(wanted, done, size):
    for piece in pieces(wanted, done, size):
        assert (piece.first - 1) // size == (piece.last - 1) // size


@given(ranges, sizes, st.data())
def test_an_interrupted_run_plans_the_rest_of_the_same_pieces(wanted, size, data):
    planned = list(pieces(wanted, [], size))
    committed = data.draw(st.lists(st.sampled_from(planned), unique=True)) if planned else []
    assert set(pieces(wanted, committed, size)) == set(planned) - set(committed)


@given(ranges)
def test_cover_counts_no_deal_twice(committed):
    cover = choose_cover(committed)
    assert sum(d.count for d in cover.kept) == len(deals_of(cover.kept))
    assert sorted([*cover.kept, *cover.overlapping]) == sorted(committed)
    assert choose_cover(committed[::-1]).kept == cover.kept


def test_a_longer_range_keeps_what_is_done():
    done = list(pieces([DealRange(1, 25)], [], 10))
    assert [str(p) for p in done] == ["1..10", "11..20", "21..25"]
    assert [str(p) for p in pieces([DealRange(1, 40)], done, 10)] == ["26..30", "31..40"]


def test_the_plan_of_every_deal_is_lazy():
    everything = [DealRange(1, LAST_DEAL)]
    first = list(islice(pieces(everything, [DealRange(3, 3)], 10), 3))
    assert [str(p) for p in first] == ["1..2", "4..10", "11..20"]
    assert count_pieces(everything, [], 10) == (LAST_DEAL + 9) // 10
    assert list(cut(DealRange(LAST_DEAL - 1, LAST_DEAL), 10)) == [DealRange(LAST_DEAL - 1, LAST_DEAL)]


@pytest.mark.parametrize(
    ("deals", "search", "size"),
    [
        (1_000_000, "fast", 10_000),
        (10_000_000, "fast", 50_000),
        (10**12, "fast", 50_000),
        (20_000, "fast", 200),
        (600, "fast", 100),
        (1, "fast", 100),
        (600, "reference", 10),
        (20_000, "reference", 100),
    ],
)
def test_standard_shard_sizes(deals, search, size):
    assert standard_shard_size(DealRange(1, deals), search) == size


def test_shards_of_a_game_that_plays_itself_may_be_larger():
    sizes = [
        standard_shard_size(DealRange(1, deals), "fast", plays_itself=True)
        for deals in (1_000_000, 10_000_000, 10**12)
    ]
    assert sizes == [10_000, 100_000, 100_000]


def test_shard_sizes_are_checked():
    assert check_shard_size(1) == 1
    for size in (0, -5, 1_000_001):
        with pytest.raises(UsageError):
            check_shard_size(size)
