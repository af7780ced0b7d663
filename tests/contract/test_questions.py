"""Questions give the same answers wherever a run is kept."""

from pipeline.ask import query
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.shard import Session
from pipeline.store import RunStore

CONFIG = RunConfig.resolve("black-hole", search="reference", limit=50, solutions=True)


def test_answers_do_not_depend_on_the_store(location):
    store = RunStore.open_or_create(location, RunRecord(CONFIG, DealRange(1, 40), 10))
    session = Session(CONFIG)
    expected = []
    for first in (1, 21, 31):
        shard = session.solve(DealRange(first, first + 9))
        store.commit(shard.footer, shard.to_bytes())
        expected += shard.batch.to_pylist()
    sql = "SELECT deal, verdict, reason, iterations, generated, solution FROM deals ORDER BY deal"
    answer = query(location, sql)
    assert answer.table.to_pylist() == expected
    name = location.rpartition("/")[2]
    assert answer.notes == (f"{name}: incomplete, 30 of 40 deals; missing 11..20",)
    (row,) = query(location, "win_rate").table.to_pylist()
    counts = store.scan().tallies
    assert (row["deals"], row["solved"], row["exhausted"]) == (
        30,
        counts["solved"].deals,
        counts["exhausted"].deals,
    )
    assert (row["covered"], row["run"]) == ("1..10, 21..40", name)
