import dataclasses
import os
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.errors import BrokenShard, RunDamaged, RunMismatch, RunNotFound
from pipeline.shard import Session
from pipeline.store import RunStore

CONFIG = RunConfig.resolve("black-hole", limit=50)


@pytest.fixture(scope="module")
def session():
    return Session(CONFIG)


@pytest.fixture
def store(location):
    return RunStore.open_or_create(location, RunRecord(CONFIG, DealRange(1, 35), 10))


def commit(store, session, first, last):
    shard = session.solve(DealRange(first, last))
    return store.commit(shard.footer, shard.to_bytes())


def name(first, last):
    return f"shards/{first:020d}-{last:020d}.parquet"


def test_commit_and_scan(store, session):
    assert commit(store, session, 1, 10)
    assert commit(store, session, 21, 30)
    assert not commit(store, session, 21, 30)
    scan = RunStore.open(store.folder.location).scan()
    assert list(scan.shards) == [DealRange(1, 10), DealRange(21, 30)]
    assert scan.missing == (DealRange(11, 20), DealRange(31, 35))
    assert (scan.deals_asked, scan.deals_missing, scan.shards_missing) == (35, 15, 2)
    assert sum(t.deals for t in scan.tallies.values()) == scan.win_rate.deals == 20
    assert list(scan.tallies) == list(CONFIG.verdicts)
    assert scan.broken == ()
    assert not scan.complete
    for shard in scan.shards:
        store.check_rows(shard)


def test_files_are_equal_byte_for_byte(session):
    deals = DealRange(40, 60)
    assert session.solve(deals).to_bytes() == Session(CONFIG).solve(deals).to_bytes()


def test_an_empty_run_has_a_rate_of_nothing(store):
    scan = store.scan()
    assert scan.win_rate.least is None
    assert (scan.win_rate.low, scan.win_rate.high) == (0.0, 1.0)


def test_a_longer_range_extends_the_run(store, session):
    commit(store, session, 1, 10)
    again = RunStore.open_or_create(store.folder.location, RunRecord(CONFIG, DealRange(5, 60), 999))
    assert again.record == store.record
    scan = again.scan()
    assert scan.asked == (DealRange(1, 60),)
    assert scan.missing == (DealRange(11, 60),)
    before = again.folder.list("ranges")
    RunStore.open_or_create(store.folder.location, RunRecord(CONFIG, DealRange(2, 50), 10))
    assert again.folder.list("ranges") == before


def test_another_configuration_is_refused_with_the_difference(store):
    other = RunConfig.resolve("black-hole", limit=51)
    with pytest.raises(RunMismatch, match="limit: 51 here, 50 there") as caught:
        RunStore.open_or_create(store.folder.location, RunRecord(other, DealRange(1, 35), 10))
    assert "\n" not in str(caught.value)


def test_a_damaged_record_is_named(store):
    store.folder.replace("run.json", b"{")
    with pytest.raises(RunDamaged, match=r"run\.json is damaged"):
        RunStore.open(store.folder.location)


def test_no_run(location):
    with pytest.raises(RunNotFound, match="holds no run"):
        RunStore.open(location)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda d: d[:-20], "cut short"),
        (lambda d: d[:3], "cut short"),
        (lambda d: b"", "cut short"),
        (lambda d: d[:200] + d[300:], "bytes long"),
        (lambda d: b"\0" * 500 + d, "bytes long"),
        (lambda d: d[:-400] + b"\0" * 392 + d[-8:], "footer|metadata|bytes long"),
    ],
)
def test_broken_files_are_seen_without_reading_their_rows(store, session, damage, reason):
    commit(store, session, 11, 20)
    data = session.solve(DealRange(1, 10)).to_bytes()
    store.folder.create(name(1, 10), damage(data))
    scan = store.scan()
    assert [b.name for b in scan.broken] == [name(1, 10)]
    assert re.search(reason, scan.broken[0].reason)
    assert scan.missing == (DealRange(1, 10), DealRange(21, 35))
    assert store.quarantine(scan.broken) == [f"quarantine/{name(1, 10).removeprefix('shards/')}.0"]
    assert commit(store, session, 1, 10)
    assert store.scan().broken == ()


def test_foreign_files_are_seen(store, session):
    other = Session(RunConfig.resolve("black-hole", limit=51)).solve(DealRange(1, 10))
    store.folder.create(name(1, 10), other.to_bytes())
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"x": [1]}), sink)
    store.folder.create(name(11, 20), sink.getvalue().to_pybytes())
    shard = session.solve(DealRange(1, 10))
    store.folder.create(name(21, 30), shard.to_bytes())
    store.folder.create("shards/notes.txt", b"hello")
    store.folder.create(name(9, 3), b"hello")
    reasons = {b.name: b.reason for b in store.scan().broken}
    assert "another run" in reasons[name(1, 10)]
    assert "something else" in reasons[name(11, 20)]
    assert "holds deals 1..10" in reasons[name(21, 30)]
    assert "not that of a shard" in reasons["shards/notes.txt"]
    assert "not that of a shard" in reasons[name(9, 3)]
    assert len(store.quarantine(store.scan().broken)) == 5
    assert store.scan().missing == (DealRange(1, 35),)


def test_quarantine_keeps_earlier_files(store):
    for content in (b"one", b"two"):
        store.folder.create("shards/junk", content)
        store.quarantine(store.scan().broken)
    assert store.folder.read("quarantine/junk.0") == b"one"
    assert store.folder.read("quarantine/junk.1") == b"two"


def test_a_flipped_bit_in_a_page_is_found_by_reading(store, session):
    data = bytearray(session.solve(DealRange(1, 10)).to_bytes())
    metadata = pq.read_metadata(pa.BufferReader(bytes(data)))
    chunk = metadata.row_group(0).column(3)
    data[chunk.data_page_offset + chunk.total_compressed_size - 2] ^= 1
    store.folder.create(name(1, 10), bytes(data))
    (shard,) = store.scan().shards
    with pytest.raises(BrokenShard, match="pages cannot be read"):
        store.check_rows(shard)


def test_rows_that_contradict_the_footer_are_found_by_reading(store, session):
    shard = session.solve(DealRange(1, 10))
    wrong = session.solve(DealRange(11, 20)).batch
    store.commit(shard.footer, shard._replace(batch=wrong).to_bytes())
    (found,) = store.scan().shards
    with pytest.raises(BrokenShard, match=r"deals are not 1\.\.10"):
        store.check_rows(found)


def test_overlapping_shards_count_once(store, session):
    commit(store, session, 1, 5)
    commit(store, session, 1, 10)
    commit(store, session, 8, 12)
    scan = store.scan()
    assert list(scan.shards) == [DealRange(1, 10)]
    assert {b.name for b in scan.broken} == {name(1, 5), name(8, 12)}
    assert scan.missing == (DealRange(11, 35),)


def test_failures_are_done_and_have_no_rows(store, session):
    store.record_failure(11, "its worker died 3 times")
    store.record_failure(5, "its worker died 3 times")
    commit(store, session, 1, 10)
    scan = store.scan()
    assert scan.failures == {11: "its worker died 3 times"}
    assert scan.missing == (DealRange(12, 35),)
    assert store.forget_failures() == 2
    assert store.scan().missing == (DealRange(11, 35),)


def test_a_writable_store_is_recognised_and_left_clean(store):
    before = store.folder.list("")
    assert store.check_writable() is not None
    assert store.folder.list("") == before


def test_too_little_space_is_said_before(tmp_path):
    store = RunStore.open_or_create(tmp_path, RunRecord(CONFIG, DealRange(1, 35), 10))
    store.check_space(1000)
    with pytest.raises(Exception, match="GB free"):
        store.check_space(10**18)


def test_an_unwritable_folder_is_one_line(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o500)
    with pytest.raises(Exception, match="Permission denied"):
        RunStore.open_or_create(tmp_path / "run", RunRecord(CONFIG, DealRange(1, 35), 10))


def test_a_solver_of_another_build_is_refused():
    from pipeline.errors import BuildMismatch

    with pytest.raises(BuildMismatch, match="solver build"):
        Session(dataclasses.replace(CONFIG, sources="0" * 16))
