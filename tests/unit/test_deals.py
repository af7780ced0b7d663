import itertools
from array import array

import pytest
from deal_ranges import deals_of, ranges
from hypothesis import given

from pipeline.deals import (
    LAST_DEAL,
    DealGatherer,
    DealRange,
    DealSet,
    count_deals,
    describe,
    merge,
    subtract,
    unite,
)
from pipeline.errors import UsageError


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1..600", 1, 600),
        ("1..1_000_000", 1, 1_000_000),
        (" 7 .. 9 ", 7, 9),
        ("617", 617, 617),
        (f"{LAST_DEAL}..{LAST_DEAL}", LAST_DEAL, LAST_DEAL),
    ],
)
def test_parse(text, first, last):
    assert DealRange.parse(text) == DealRange(first, last)
    assert DealRange.parse(str(DealRange(first, last))) == DealRange(first, last)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0..5", "start at 1"),
        ("0", "start at 1"),
        ("600..1", "backwards"),
        (f"1..{LAST_DEAL + 1}", "past the last"),
        ("1.." + "9" * 5000, "past the last"),
        ("-5..10", "not a range"),
        ("1..-5", "not a range"),
        ("one..two", "not a range"),
        ("", "not a range"),
        ("..", "not a range"),
        ("1..", "not a range"),
        ("1...5", "not a range"),
        ("1..2..3", "not a range"),
        ("1.5..2", "not a range"),
        ("1__0..20", "not a range"),
        ("\u0663..\u0665", "not a range"),
    ],
)
def test_bad_ranges_are_named_in_one_line(text, fault):
    with pytest.raises(UsageError, match=fault) as caught:
        DealRange.parse(text)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@given(ranges)
def test_merge_keeps_the_deals_in_the_fewest_ranges(some):
    merged = merge(some)
    assert deals_of(merged) == deals_of(some)
    assert all(a.last + 1 < b.first for a, b in itertools.pairwise(merged))
    assert count_deals(some) == len(deals_of(some))


@given(ranges)
def test_a_set_of_deals_is_a_sequence_of_its_ranges(some):
    merged = merge(some)
    plain = tuple(merged)
    assert merged == plain and plain == merged and merge(merged) is merged
    assert [merged[place] for place in range(len(merged))] == list(plain)
    assert merged[1:3] == plain[1:3]
    assert merged != (*plain, DealRange(LAST_DEAL, LAST_DEAL))
    assert merged.total == len(deals_of(some))
    ends = ([deals.first for deals in plain], [deals.last for deals in plain])
    assert DealSet.of_ends(*(array("Q", end).tobytes() for end in ends)) == merged


@given(ranges, ranges)
def test_parts_in_order_are_united(some, others):
    assert unite(sorted(some), sorted(others)) == merge([*some, *others])


@given(ranges)
def test_gathered_ranges_are_joined_in_any_order(some):
    gatherer = DealGatherer()
    for _ in range(300):  # often enough to be joined on the way
        for deals in some:
            gatherer.add(deals)
    assert gatherer.gathered() == merge(some)


@given(ranges, ranges)
def test_subtract(some, taken):
    left = list(subtract(some, taken))
    assert deals_of(left) == deals_of(some) - deals_of(taken)
    assert count_deals(left) == sum(deals.count for deals in left)
    assert left == sorted(left)


def test_the_whole_range_is_handled_by_its_ends():
    everything = DealRange(1, LAST_DEAL)
    left = list(subtract([everything], [DealRange(5, 10), DealRange(LAST_DEAL, LAST_DEAL)]))
    assert left == [DealRange(1, 4), DealRange(11, LAST_DEAL - 1)]
    assert everything.halves()[0].count + everything.halves()[1].count == LAST_DEAL


def test_describe_shortens_long_lists():
    assert describe([DealRange(1, 5), DealRange(6, 9), DealRange(20, 20)]) == "1..9, 20..20"
    assert describe([DealRange(n, n) for n in range(1, 40, 2)]).endswith("and 14 more ranges")
