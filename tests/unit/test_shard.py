import pytest

from pipeline.config import RunConfig
from pipeline.deals import LAST_DEAL, DealRange
from pipeline.errors import SolverFault
from pipeline.schema import Footer, read_footer, shard_schema
from pipeline.shard import Session


@pytest.mark.parametrize("game", ["black-hole", "golf", "perpetual-motion"])
def test_columns_of_every_kind_of_game(game):
    import pyarrow as pa
    import pyarrow.parquet as pq

    config = RunConfig.resolve(game, limit=200)
    shard = Session(config).solve(DealRange(1, 30))
    assert shard.batch.schema == shard_schema(config)
    assert shard.batch.num_rows == 30
    data = shard.to_bytes()
    assert read_footer(pq.read_metadata(pa.BufferReader(data)), len(data), config) == shard.footer
    assert pq.read_table(pa.BufferReader(data)).to_pylist() == shard.batch.to_pylist()
    for row in shard.batch.to_pylist():
        assert (row["reason"] is not None) == (row["verdict"] == config.verdicts[2])


def test_no_value_is_null():
    config = RunConfig.resolve("perpetual-motion", limit=50)
    rows = Session(config).solve(DealRange(1, 60)).batch.to_pylist()
    own = [row[name] for row in rows for name in config.own_columns]
    assert None in own
    assert 2**64 - 1 not in own


def test_the_last_deals_of_all():
    config = RunConfig.resolve("black-hole", limit=20)
    shard = Session(config).solve(DealRange(LAST_DEAL - 3, LAST_DEAL))
    assert shard.batch.column("deal").to_pylist() == list(range(LAST_DEAL - 3, LAST_DEAL + 1))
    assert Footer.from_bytes(shard.footer.to_bytes()) == shard.footer


def test_rows_depend_on_the_deal_alone():
    config = RunConfig.resolve("black-hole", limit=500)
    session = Session(config)
    whole = session.solve(DealRange(1, 40)).batch.to_pylist()
    pieces = [session.solve(DealRange(a, a + 7)).batch.to_pylist() for a in range(1, 41, 8)]
    assert [row for piece in pieces for row in piece] == whole


def test_a_line_that_does_not_replay_stops_the_run():
    config = RunConfig.resolve("black-hole", limit=3000, solutions=True)
    session = Session(config)
    deals = DealRange(1, 60)
    columns = session.solver.solve_columns(deals.first, deals.count)
    won = next(i for i, line in enumerate(columns["solution"]) if line)
    columns["solution"][won] = columns["solution"][won][:-1]
    with pytest.raises(SolverFault, match=f"deal {won + 1}: the winning line does not replay"):
        session._replay(deals, columns)
