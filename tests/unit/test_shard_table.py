"""The compact table of shards against plain lists of them."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.deals import LAST_DEAL, DealRange, merge
from pipeline.plan import choose_cover
from pipeline.shard_table import CommittedShard, ShardTable, read_shard_name, shard_name
from pipeline.tally import Tally, add_tallies

VERDICTS = ("solved", "unsolvable", "exhausted")

counts = st.integers(0, 2**64 - 1)
tallies = st.fixed_dictionaries(
    {n: st.builds(Tally, counts, counts, st.integers(0, 2**128 - 1)) for n in VERDICTS}
)
ranges = st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda t: DealRange(t[0], sum(t)))
far = ranges.map(lambda d: DealRange(LAST_DEAL - 80 + d.first, LAST_DEAL - 80 + d.last))
shards = st.builds(CommittedShard, ranges | far, st.integers(0, 2**62), counts.map(lambda n: n >> 2), tallies)


def table_of(several):
    table = ShardTable(VERDICTS)
    for shard in several:
        table.add(shard)
    return table


@given(st.lists(shards, max_size=70))
def test_it_holds_what_was_added(several):
    table = table_of(several)
    assert list(table) == several
    assert table.tallies() == add_tallies([dict.fromkeys(VERDICTS, Tally()), *(s.tallies for s in several)])
    assert [table[place] for place in range(len(table))] == several
    assert list(table[1:3]) == several[1:3]


@given(st.lists(shards, max_size=20, unique_by=lambda shard: shard.deals))
def test_shards_that_count_are_those_of_the_cover(several):
    kept, overlapping = table_of(several).split_overlapping()
    cover = choose_cover([shard.deals for shard in several])
    by_deals = {shard.deals: shard for shard in several}
    assert list(kept) == [by_deals[deals] for deals in cover.kept]
    assert overlapping == cover.overlapping
    assert kept.ranges() == merge(cover.kept)


def test_a_row_is_found_among_several_that_begin_with_the_same_deal():
    none = dict.fromkeys(VERDICTS, Tally())
    several = [CommittedShard(DealRange(f, f + n), 10 * n, 7, none) for f in (1, 50, 90) for n in (0, 3, 9)]
    table = table_of(random.Random(1).sample(several, len(several))).sorted()
    asked = [(1, 1, 0), (1, 4, 30), (1, 4, 31), (2, 2, 0), (50, 59, 90), (90, 93, 30), (99, 99, 0)]
    columns = dict(zip(("first", "last", "size"), np.array(asked, np.uint64).T, strict=True))
    found = table.find(columns).tolist()
    assert [place >= 0 for place in found] == [True, True, False, False, True, True, False]
    for (first, last, size), place in zip(asked, found, strict=True):
        if place >= 0:
            assert (table[place].deals, table[place].size) == (DealRange(first, last), size)


@given(ranges | far)
def test_a_name_says_its_deals(deals):
    assert read_shard_name(shard_name(deals)) == deals


@pytest.mark.parametrize(
    "name", ["shards/1-2.parquet", shard_name(DealRange(1, 2)) + "x", f"shards/{2:020d}-{1:020d}.parquet",
             f"shards/{0:020d}-{1:020d}.parquet", f"shards/{1:020d}-{10**19 * 9:020d}.parquet"]
)  # fmt: skip
def test_other_names_are_no_shards(name):
    assert read_shard_name(name) is None
