"""Small real runs to ask questions of, and their rows read without any of the code under test."""

from pathlib import Path

import pyarrow.parquet as pq

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.plan import cut
from pipeline.shard import Session
from pipeline.store import RunStore


def make_run(place, game, deals, size, skip=(), **settings):
    """Solve a range into a run; shards that begin with a deal of `skip` stay missing."""
    config = RunConfig.resolve(game, **settings)
    record = RunRecord(config, DealRange.parse(deals), size)
    store = RunStore.open_or_create(place, record)
    session = Session(config)
    for piece in cut(record.deals, size):
        if piece.first not in skip:
            shard = session.solve(piece)
            store.commit(shard.footer, shard.to_bytes())
    return str(place)


def read_rows(place):
    """Every row of a local run as a dict, in order."""
    files = sorted(Path(place, "shards").glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def shard_file(place, first):
    """The file of the shard that begins with this deal."""
    (file,) = Path(place, "shards").glob(f"{first:020d}-*.parquet")
    return file
