"""Runs that are incomplete, damaged or empty: said first, never passed over in silence."""

import shutil

import pytest
from small_runs import make_run, shard_file

from pipeline.ask import query
from pipeline.cli import main
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.errors import BrokenShard, DealsweepError, RunDamaged
from pipeline.store import RunStore


@pytest.fixture
def place(motion, tmp_path):
    """A copy to be damaged: 600 deals in three shards."""
    return str(shutil.copytree(motion, tmp_path / "copy"))


def counted(place):
    answer = query(place, "SELECT count(*) AS n FROM deals")
    return answer.table.to_pylist()[0]["n"], answer.notes


def test_a_whole_run_needs_no_note(motion):
    assert counted(motion) == (600, ())


def test_an_incomplete_run_says_so_first_in_one_line(place, capsys):
    shard_file(place, 201).unlink()
    n, (note,) = counted(place)
    assert n == 400
    assert note == "copy: incomplete, 400 of 600 deals; missing 201..400"
    assert main(["query", place, "win_rate", "-f", "csv"]) == 0
    printed = capsys.readouterr()
    assert printed.err == note + "\n"
    assert printed.out.splitlines()[1].startswith("copy,perpetual-motion,masten,400,")
    (row,) = query(place, "win_rate").table.to_pylist()
    assert (row["covered"], row["missing"]) == ("1..200, 401..600", 200)


def test_a_file_cut_short_is_left_out_loudly(place):
    file = shard_file(place, 401)
    file.write_bytes(file.read_bytes()[:-100])
    (file.parent / "stray.txt").write_text("?")
    n, (broken, incomplete) = counted(place)
    assert n == 400
    assert broken.startswith("copy: 2 broken files left out (") and file.name in broken
    assert "stray.txt" in broken and "dealsweep verify" in broken
    assert incomplete.endswith("missing 401..600")
    names = query(place, "SELECT file FROM broken ORDER BY file").table.column("file").to_pylist()
    assert names == [f"shards/{file.name}", "shards/stray.txt"]


def test_a_flipped_bit_in_a_page_is_refused_and_the_file_named(place, capsys):
    file = shard_file(place, 201)
    data = bytearray(file.read_bytes())
    sql = "SELECT * FROM deals ORDER BY deal"
    truth = query(place, sql).table
    refused = []
    pages_end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for position in range(60, pages_end, 150):
        data[position] ^= 1
        file.write_bytes(data)
        try:
            # Bits of a page's header that say nothing of its rows may be anything.
            assert query(place, sql).table == truth
        except BrokenShard as error:
            assert file.name in str(error) and "\n" not in str(error)
            refused.append(position)
        data[position] ^= 1
    assert len(refused) > 5
    data[refused[0]] ^= 1
    file.write_bytes(data)
    assert main(["query", place, sql]) == 1
    assert file.name in capsys.readouterr().err


def test_failed_deals_are_told_and_counted(tmp_path):
    place = make_run(tmp_path / "poisoned", "perpetual-motion", "1..30", 10, skip=(11,))
    store = RunStore.open(place)
    store.record_failure(13, "it killed three workers")
    answer = query(place, "coverage")
    assert ("poisoned: 1 deal failed, without a verdict: 13") in answer.notes
    states = {(r["first"], r["last"]): r["state"] for r in answer.table.to_pylist()}
    assert states[13, 13] == "failed" and states[11, 12] == states[14, 20] == "missing"
    (row,) = query(place, "win_rate").table.to_pylist()
    assert (row["deals"], row["missing"], row["failed"]) == (20, 9, 1)


def test_an_empty_run_has_no_answer(tmp_path, motion, capsys):
    config = RunConfig.resolve("perpetual-motion")
    RunStore.open_or_create(tmp_path / "empty", RunRecord(config, DealRange(1, 10), 10))
    empty = str(tmp_path / "empty")
    with pytest.raises(DealsweepError, match="no deals are committed yet"):
        query(empty, "win_rate")
    assert main(["query", empty, "win_rate"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    # Beside a run that has rows it is told in a note.
    answer = query([empty, motion], "win_rate")
    assert answer.table.column("run").to_pylist() == ["motion"]
    assert answer.notes == ("empty: incomplete, 0 of 10 deals; missing 1..10",)


def test_a_damaged_record_is_refused(place):
    record = shard_file(place, 1).parent.parent / "run.json"
    record.write_text(record.read_text().replace('"last": 600', '"last": "many"'))
    with pytest.raises(RunDamaged):
        query(place, "win_rate")
