"""The index is believed where the listing agrees with it, and nowhere else."""

import dataclasses
import os

import pytest

from pipeline import index
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.plan import cut
from pipeline.shard import Session
from pipeline.shard_table import ShardTable
from pipeline.store import RunStore


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(index, "WORTHWHILE", 4)


@pytest.fixture
def store(tmp_path):
    config = RunConfig.resolve("black-hole", limit=50)
    store = RunStore.open_or_create(tmp_path / "run", RunRecord(config, DealRange(1, 60), 10))
    session = Session(config)
    for deals in cut(DealRange(1, 60), 10):
        shard = session.solve(deals)
        store.commit(shard.footer, shard.to_bytes())
    return store


def indexed(scan):
    return [shard.indexed for shard in scan.shards]


def plain(scan):
    return [(shard.name, shard.size, shard.modified, shard.tallies) for shard in scan.shards]


def test_counts_from_the_index_are_those_of_the_footers(store):
    before = store.scan()
    assert indexed(before) == [False] * 6
    store.remember(before)
    after = store.scan()
    assert indexed(after) == [True] * 6
    assert plain(after) == plain(before)
    assert after.tallies == before.tallies
    # Nothing new, nothing more to write; and whoever wants the footers reads them.
    store.remember(after)
    assert len(store.folder.list(index.INDEX)) == 1
    assert indexed(store.scan(believe_index=False)) == [False] * 6


def test_a_file_that_has_changed_is_read(store):
    store.remember(store.scan())
    files = sorted((store.folder.path / "shards").iterdir())
    files[0].write_bytes(files[0].read_bytes()[:-1])
    data = files[1].read_bytes()
    files[1].write_bytes(b"\0" * len(data))
    os.utime(files[2], (1, 1))
    scan = store.scan()
    assert [file.name for file in scan.broken] == [f"shards/{file.name}" for file in files[:2]]
    assert indexed(scan) == [False, True, True, True]


def test_receipts_count_when_their_size_is_that_of_the_file(store):
    shards = store.scan().shards
    nothing = dataclasses.replace(store.scan(), shards=ShardTable(shards.verdicts))
    receipts = ShardTable(shards.verdicts)
    for place, shard in reversed(list(enumerate(shards))):
        receipts.add(shard._replace(size=shard.size + (place == 0), modified=0))
    store.remember(nothing, receipts)
    scan = store.scan()
    assert indexed(scan) == [False, True, True, True, True, True]
    assert plain(scan) == plain(store.scan(believe_index=False))


@pytest.mark.parametrize("damage", [b"", b"PAR1 nothing", None])
def test_a_bad_index_only_costs_time(store, damage):
    before = store.scan()
    store.remember(before)
    (file,) = (store.folder.path / index.INDEX).iterdir()
    if damage is None:
        index.write(store.folder, "another run", before.shards)
        file.unlink()
    else:
        file.write_bytes(damage)
    after = store.scan()
    assert indexed(after) == [False] * 6
    assert plain(after) == plain(before)
