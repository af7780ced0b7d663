from itertools import pairwise

import numpy as np
import pytest
from deal_ranges import deals_of
from hypothesis import given
from hypothesis import strategies as st

from pipeline.deals import LAST_DEAL, DealRange, ScatteredDeals, merge
from pipeline.errors import RunDamaged
from pipeline.selection import Selection
from pipeline.shard_counts import ShardCounts, row_type, to_row
from pipeline.tally import Tally

some_deals = st.sets(st.integers(1, 80), max_size=40)
sizes = st.integers(1, 12)


def select(deals):
    return Selection.of(np.array(sorted(deals), np.uint64))


def ranges_of(deals):
    return merge(DealRange(deal, deal) for deal in deals)


def deals_in(piece):
    return deals_of(piece.ranges)


@given(some_deals, some_deals, st.integers(1, 80), st.integers(1, 80))
def test_a_selection_is_a_set(deals, others, one, two):
    selection, span = select(deals), DealRange(min(one, two), max(one, two))
    assert selection.ranges() == ranges_of(deals)
    assert selection.within(span).tolist() == sorted(deal for deal in deals if deal in span)
    assert selection.count(span) == len(selection.within(span))
    ends = np.array([[span.first, span.last]], np.uint64)
    assert selection.counts(ends[:, 0], ends[:, 1]).tolist() == [selection.count(span)]
    assert selection.meet(ranges_of(others)).numbers.tolist() == sorted(deals & others)
    assert selection.without(ranges_of(others)).numbers.tolist() == sorted(deals - others)
    assert Selection.of(selection.numbers, select(others).numbers).numbers.tolist() == sorted(deals | others)


@given(some_deals, sizes, st.data())
def test_pieces_hold_what_is_missing_and_their_spans_do_not_interlock(deals, size, data):
    selection = select(deals)
    whole = list(selection.pieces(ranges_of(deals), size))
    done = data.draw(st.lists(st.sampled_from(whole), unique_by=str)) if whole else []
    failed = data.draw(st.sets(st.sampled_from(sorted(deals)), max_size=3)) if deals else set()
    gone = failed.union(*map(deals_in, done))
    planned = list(selection.pieces(ranges_of(deals - gone), size))
    assert len(planned) == selection.count_pieces(ranges_of(deals - gone), size)
    assert sum(piece.count for piece in planned) == len(deals - gone)
    assert set().union(*map(deals_in, planned)) == deals - gone
    assert all(piece.count <= size for piece in planned)
    spans = sorted(piece.span for piece in [*planned, *done])
    assert all(one.last < other.first for one, other in pairwise(spans))
    # A file holds every deal of the run in its span: a failed one lies between pieces.
    assert all(selection.count(piece.span) == piece.count for piece in planned)
    if not failed:  # what is left are the same files
        assert [str(p) for p in planned] == [str(p) for p in whole if str(p) not in map(str, done)]


@given(st.sets(st.integers(1, 80), min_size=2, max_size=40))
def test_halves(deals):
    piece = ScatteredDeals(ranges_of(deals))
    one, other = piece.halves()
    assert one.count - other.count in (0, 1)
    assert sorted(deals_in(one)) + sorted(deals_in(other)) == sorted(deals)
    assert (piece.first, piece.last, piece.count) == (min(deals), max(deals), len(deals))
    assert all((deal in piece) == (deal in deals) for deal in range(1, 82))


@given(some_deals.filter(bool))
def test_the_file_gives_the_same_deals(deals):
    data = select(deals).to_bytes()
    assert data == select(deals).to_bytes()
    assert Selection.from_bytes(data).numbers.tolist() == sorted(deals)


def test_deals_up_to_the_last_one():
    selection = select({1, LAST_DEAL - 1, LAST_DEAL})
    assert list(selection.ranges()) == [DealRange(1, 1), DealRange(LAST_DEAL - 1, LAST_DEAL)]
    assert Selection.from_bytes(selection.to_bytes()).span == DealRange(1, LAST_DEAL)
    assert selection.count(DealRange(2, LAST_DEAL)) == 2


def test_a_damaged_file_is_refused():
    data = bytearray(select(range(1, 500, 7)).to_bytes())
    for damaged in (b"", bytes(data[:-9]), bytes(data[:4] + b"\xff" * 40 + data[44:])):
        with pytest.raises(RunDamaged):
            Selection.from_bytes(damaged)
    with pytest.raises(RunDamaged, match="not in order"):
        Selection.from_bytes(Selection(np.array([5, 3], np.uint64)).to_bytes())


def test_an_index_counts_the_picked_deals_of_a_span():
    selection = select({3, 5, 9, 12})
    rows = np.array(
        [
            to_row(DealRange(3, 9), 1, [Tally(2, 2, 2), Tally(1, 1, 1)]),
            to_row(DealRange(3, 12), 1, [Tally(2, 2, 2), Tally(1, 1, 1)]),
        ],
        row_type(2),
    )
    assert ShardCounts(("a", "b"), rows).consistent(selection).tolist() == [True, False]
