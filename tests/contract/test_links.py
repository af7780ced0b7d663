"""A retry and the run that it retries are found from one another wherever both are kept."""

import numpy as np
import pytest

from pipeline.ask import query
from pipeline.config import Link, RunConfig, RunRecord
from pipeline.deals import DealRange, merge
from pipeline.errors import RunDamaged, RunMismatch
from pipeline.objects import beside, follow, refer
from pipeline.selection import Selection
from pipeline.shard import Session
from pipeline.store import RunStore

OLD = RunConfig.resolve("black-hole", limit=100)
NEW = RunConfig.resolve("black-hole", limit=1000)
SQL = "SELECT deal, verdict, reason, iterations, origin, iteration_limit FROM deals ORDER BY deal"


def solve(store, pieces):
    session = Session(store.config)
    for piece in pieces:
        shard = session.solve(piece)
        store.commit(shard.footer, shard.to_bytes())


def name_of(location):
    return location.rpartition("/")[2]


def open_retry(location, picked, of, size=7):
    link = Link(refer(of.folder.location, location), of.config.fingerprint)
    return RunStore.open_or_create(location, RunRecord(NEW, picked.span, size, link), picked)


@pytest.fixture
def run(location):
    """Deals 1..60, most of them decided."""
    store = RunStore.open_or_create(location, RunRecord(OLD, DealRange(1, 60), 20))
    solve(store, store.scan().pieces())
    return store


@pytest.fixture
def picked(run):
    deals = query(run.folder.location, "undecided").table.column("deal").to_numpy()
    assert 14 < len(deals) < 60
    return Selection.of(deals)


@pytest.fixture
def place(run):
    """Where the retry is kept."""
    return beside(run.folder.location, f"{name_of(run.folder.location)}-again")


def test_a_retry_is_scanned_checked_and_asked(run, picked, place):
    store = open_retry(place, picked, run)
    assert store.record.retry_of.run == f"../{name_of(run.folder.location)}"
    first, *others = store.scan().pieces()
    assert first.count == 7
    solve(store, [first])
    scan = RunStore.open(place).scan()
    assert (scan.asked, scan.deals_missing) == (picked.ranges(), len(picked) - 7)
    assert (scan.shards_missing, list(map(str, scan.pieces()))) == (len(others), list(map(str, others)))
    assert scan.solved_ranges == first.ranges and scan.tallies["solved"].deals > 0
    half = {row["deal"]: row for row in query(place, SQL).table.to_pylist()}
    solve(store, others)
    assert RunStore.open(place).scan().complete
    for deals in scan.shards:
        store.check_rows(deals, store.picked())
    rows = query(place, SQL).table.to_pylist()
    old = {row["deal"]: row for row in query(run.folder.location, SQL).table.to_pylist()}
    new = Session(NEW)
    for row in rows:
        deal = row["deal"]
        retried = deal in picked.numbers.tolist()
        assert row["origin"] == name_of(place if retried else run.folder.location)
        (alone,) = new.solve(DealRange(deal, deal)).batch.to_pylist()
        assert row == row | {name: alone[name] for name in ("verdict", "reason", "iterations")}
        assert row["iteration_limit"] == (1000 if retried else 100)
        assert half[deal] == (row if not retried or deal in first else old[deal])
    assert [row["deal"] for row in rows] == list(range(1, 61))


def test_a_shard_that_lacks_a_picked_deal_is_broken(run, picked, place):
    store = open_retry(place, picked, run)
    first, *_ = store.scan().pieces()
    numbers = picked.numbers[:7].tolist()
    solve(store, Selection.of(picked.numbers[[0, 1, 2, 3, 4, 6]]).pieces(merge([first.span]), 7))
    scan = store.scan()
    assert [file.reason for file in scan.broken] == [f"it holds 6 of the 7 deals of the run in {first.span}"]
    assert scan.missing == picked.ranges()
    store.quarantine(scan.broken)
    # As many rows, but of another deal: reading finds it.
    stray = next(deal for deal in range(numbers[0], numbers[6]) if deal not in numbers)
    wrong = Selection.of(picked.numbers[[0, 1, 2, 3, 4, 6]], np.array([stray], np.uint64))
    solve(store, wrong.pieces(merge([first.span]), 7))
    assert store.scan().broken == ()
    with pytest.raises(Exception, match="each once and in order"):
        store.check_rows(first.span, store.picked())


def test_links_that_do_not_fit_are_refused(run, picked, place):
    store = open_retry(place, picked, run)
    assert open_retry(place, picked, run).picked().numbers.tolist() == picked.numbers.tolist()
    with pytest.raises(RunMismatch, match="is a retry of"):
        RunStore.open_or_create(place, RunRecord(NEW, DealRange(1, 5), 5))
    with pytest.raises(RunMismatch, match="is a retry of"):
        open_retry(place, picked, store)
    plain = f"{place}-plain"
    RunStore.open_or_create(plain, RunRecord(NEW, DealRange(1, 5), 5))
    with pytest.raises(RunMismatch, match="not a retry"):
        open_retry(plain, picked, run)


def test_a_retry_that_leads_back_to_itself_is_refused(picked, place):
    link = Link(f"../{name_of(place)}", NEW.fingerprint)
    RunStore.open_or_create(place, RunRecord(NEW, picked.span, 7, link), picked)
    with pytest.raises(RunDamaged, match="leads back to itself"):
        query(place, "win_rate")


@pytest.mark.parametrize(
    ("location", "base", "reference"),
    [
        ("/a/runs/bh", "/a/runs/again", "../bh"),
        ("s3://bucket/runs/bh", "s3://bucket/runs/again", "../bh"),
        ("/a/runs/bh", "/b/runs/again", "/a/runs/bh"),
        ("s3://bucket/runs/bh", "/a/runs/again", "s3://bucket/runs/bh"),
        ("s3://bucket", "s3://other/runs", "s3://bucket"),
    ],
)
def test_neighbours_name_each_other_by_name(location, base, reference):
    assert refer(location, base) == reference
    assert follow(reference, base) == location
