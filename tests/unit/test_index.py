"""The index is believed where the listing agrees with it, and nowhere else."""

import os
import time

import pytest

from pipeline import index
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.driver import _Session
from pipeline.index import IndexWriter
from pipeline.plan import cut
from pipeline.shard import Session
from pipeline.store import RunStore
from pipeline.worker import Receipt

OLD = time.time() - 100


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(index, "WORTHWHILE", 2)
    monkeypatch.setattr(index, "_SHARDS_AN_OBJECT", 4)


@pytest.fixture
def store(tmp_path):
    config = RunConfig.resolve("black-hole", limit=50)
    store = RunStore.open_or_create(tmp_path / "run", RunRecord(config, DealRange(1, 60), 10))
    session = Session(config)
    for deals in cut(DealRange(1, 60), 10):
        shard = session.solve(deals)
        store.commit(shard.footer, shard.to_bytes())
    for file in files(store):
        os.utime(file, (OLD, OLD))  # a clock may not tell a file from the index right after it
    return store


def files(store):
    return sorted((store.folder.path / "shards").iterdir())


class Told(list):
    """What a scan had to read from footers."""

    def add(self, deals, size, tallies):
        self.append(deals.first)


def read_from_footers(store):
    told = Told()
    scan = store.scan(remember=told)
    return sorted(told), scan


def write_index(store):
    writer = IndexWriter(store.folder, store.config)
    scan = store.scan(remember=writer)
    writer.close()
    return scan


def test_counts_from_the_index_are_those_of_the_footers(store):
    read, before = read_from_footers(store)
    assert read == [1, 11, 21, 31, 41, 51]
    write_index(store)
    assert len(store.folder.list(index.INDEX)) == 2
    read, after = read_from_footers(store)
    assert read == []
    assert (list(after.shards), after.tallies) == (list(before.shards), before.tallies)
    # Nothing new, nothing more to write; and whoever wants the footers reads them.
    write_index(store)
    assert len(store.folder.list(index.INDEX)) == 2
    told = Told()
    assert store.scan(believe_index=False, remember=told).tallies == before.tallies
    assert len(told) == 6


def test_a_shard_that_is_in_the_index_twice_counts_once(store):
    before = write_index(store)
    for place in (0, 1):
        writer = IndexWriter(store.folder, store.config)
        store.scan(believe_index=False, remember=writer)
        writer.close()
        assert len(store.folder.list(index.INDEX)) == 4 + 2 * place
    read, after = read_from_footers(store)
    assert (read, after.tallies) == ([], before.tallies)


def test_a_file_that_has_changed_is_read(store):
    write_index(store)
    first, second, third, *_ = files(store)
    first.write_bytes(first.read_bytes()[:-1])
    second.write_bytes(b"\0" * len(second.read_bytes()))
    os.utime(second, (time.time() + 5,) * 2)
    os.utime(third, (time.time() + 5,) * 2)
    read, scan = read_from_footers(store)
    assert [file.name for file in scan.broken] == [f"shards/{file.name}" for file in (first, second)]
    assert read == [21]


def test_what_workers_say_counts_when_the_size_is_that_of_the_file(store):
    read, before = read_from_footers(store)
    writer = IndexWriter(store.folder, store.config)
    session = Session(store.config)
    for deals in reversed(list(before.shards)):
        shard = session.solve(deals)
        writer.add(deals, len(shard.to_bytes()) + (deals.first == 21), shard.footer.verdicts)
    writer.close()
    read, after = read_from_footers(store)
    assert read == [21]
    assert (list(after.shards), after.tallies) == (list(before.shards), before.tallies)


def test_a_file_that_was_in_a_shards_place_is_read(store):
    read, before = read_from_footers(store)
    writer = IndexWriter(store.folder, store.config)
    session = _Session(store, before, writer, lambda event: None)
    for deals in before.shards:
        shard = Session(store.config).solve(deals)
        size = len(shard.to_bytes())
        session._take(Receipt(deals, shard.footer.verdicts, 0.1, "here", deals.first != 31, size, 0.1, 0.1))
    writer.close()
    read, after = read_from_footers(store)
    assert read == [31, 51]  # the last one waits for others to be written with
    assert after.tallies == before.tallies


def test_shards_that_overlap_are_judged_by_their_footers(store):
    write_index(store)
    shard = Session(store.config).solve(DealRange(11, 15))
    store.commit(shard.footer, shard.to_bytes())
    read, scan = read_from_footers(store)
    assert read == [11, 11]
    assert [file.reason for file in scan.broken] == ["it overlaps another shard"]
    assert scan.tallies == store.scan(believe_index=False).tallies
    assert sum(tally.deals for tally in scan.tallies.values()) == 60


@pytest.mark.parametrize("damage", [b"", b"PAR1 nothing", None])
def test_a_bad_index_only_costs_time(store, damage):
    before = write_index(store)
    for file in (store.folder.path / index.INDEX).iterdir():
        file.unlink() if damage is None else file.write_bytes(damage)
    if damage is None:
        another_run = IndexWriter(store.folder, RunConfig.resolve("black-hole", limit=51))
        store.scan(remember=another_run)
        another_run.close()
        assert len(store.folder.list(index.INDEX)) == 2
    read, after = read_from_footers(store)
    assert len(read) == 6
    assert (list(after.shards), after.tallies) == (list(before.shards), before.tallies)
