"""The compact table of shards, and their counts, against plain lists of them."""

import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.deals import LAST_DEAL, DealRange, merge
from pipeline.objects import Entry
from pipeline.shard_counts import ShardCounts, row_type, to_row
from pipeline.shard_table import ShardTable, read_shard_name, shard_name
from pipeline.tally import Tally, add_tallies

VERDICTS = ("solved", "unsolvable", "exhausted")
THEN = datetime(2024, 2, 29, 12, 30, 1, 234567, UTC)

counts = st.integers(0, 2**64 - 1)
tallies = st.lists(st.builds(Tally, counts, counts, st.integers(0, 2**128 - 1)), min_size=3, max_size=3)
ranges = st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda t: DealRange(t[0], sum(t)))
far = ranges.map(lambda d: DealRange(LAST_DEAL - 80 + d.first, LAST_DEAL - 80 + d.last))
shards = st.lists(ranges | far, max_size=30, unique=True)


def table_of(several, *, page=7):
    entries = [Entry(shard_name(d), 3 * d.count, THEN + timedelta(seconds=d.first % 9)) for d in several]
    return ShardTable.of([entries[place : place + page] for place in range(0, len(entries), page)])


@given(shards)
def test_it_holds_what_was_listed(several):
    table, others = table_of(several)
    assert list(table) == sorted(several, key=lambda deals: (deals.first, -deals.last))
    assert others == []
    for place, deals in enumerate(table):
        entry = table.entry(place)
        assert entry == Entry(shard_name(deals), 3 * deals.count, THEN + timedelta(seconds=deals.first % 9))
    assert [table[place] for place in range(len(table))] == list(table)
    assert list(table[1:3]) == list(table)[1:3]


def test_other_names_are_told():
    entries = [Entry(name, 1, THEN) for name in ("shards/notes", shard_name(DealRange(1, 2)), "shards/1-2")]
    table, others = ShardTable.of([entries])
    assert (list(table), others) == ([DealRange(1, 2)], ["shards/notes", "shards/1-2"])


@given(shards)
def test_shards_that_overlap_are_found(several):
    table, _ = table_of(several)
    meets = [any(a != b and a.first <= b.last and b.first <= a.last for b in several) for a in table]
    assert table.overlapping().tolist() == meets
    apart = table.where(~table.overlapping())
    assert apart.ranges() == merge(apart)


def test_a_row_is_found_among_several_that_begin_with_the_same_deal():
    several = [DealRange(f, f + n) for f in (1, 50, 90) for n in (0, 3, 9)]
    table, _ = table_of(random.Random(1).sample(several, len(several)))
    asked = [(1, 1, 3), (1, 4, 12), (1, 4, 31), (2, 2, 3), (50, 59, 30), (90, 93, 12), (99, 99, 3)]
    found = table.find(np.array(asked, [("first", "u8"), ("last", "u8"), ("size", "i8")])).tolist()
    assert [place >= 0 for place in found] == [True, True, False, False, True, True, False]
    for (first, last, _), place in zip(asked, found, strict=True):
        assert place < 0 or table[place] == DealRange(first, last)


@given(st.lists(st.tuples(ranges | far, tallies), max_size=20))
def test_counts_add_up_exactly(several):
    rows = np.array([to_row(deals, 1, by_verdict) for deals, by_verdict in several], row_type(3))
    kept = ShardCounts(VERDICTS, rows)
    plain = [dict(zip(VERDICTS, by_verdict, strict=True)) for _, by_verdict in several]
    nothing = dict.fromkeys(VERDICTS, Tally())
    assert kept.tallies(np.arange(len(rows))) == add_tallies([nothing, *plain])
    assert kept.tallies(np.arange(0, len(rows), 2)) == add_tallies([nothing, *plain[::2]])


def test_rows_that_count_other_than_their_deals_are_told():
    def row(*deals):
        return to_row(DealRange(5, 9), 1, [Tally(n, n, n) for n in deals])

    rows = np.array([row(2, 3, 0), row(2, 2, 0), row(5, 0, 1)], row_type(3))
    assert ShardCounts(VERDICTS, rows).consistent().tolist() == [True, False, False]


@given(ranges | far)
def test_a_name_says_its_deals(deals):
    assert read_shard_name(shard_name(deals)) == deals


@pytest.mark.parametrize(
    "name", ["shards/1-2.parquet", shard_name(DealRange(1, 2)) + "x", f"shards/{2:020d}-{1:020d}.parquet",
             f"shards/{0:020d}-{1:020d}.parquet", f"shards/{1:020d}-{10**19 * 9:020d}.parquet"]
)  # fmt: skip
def test_other_names_are_no_shards(name):
    assert read_shard_name(name) is None
