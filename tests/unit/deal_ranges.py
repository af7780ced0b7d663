"""Ranges for property tests, small enough to be listed."""

from hypothesis import strategies as st

from pipeline.deals import DealRange

_number = st.integers(1, 60)
ranges = st.lists(st.tuples(_number, _number).map(lambda ends: DealRange(min(ends), max(ends))), max_size=8)


def deals_of(some):
    return {deal for deals in some for deal in range(deals.first, deals.last + 1)}
