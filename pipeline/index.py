"""What is known of shards whose footers need not be read again: their counts, in objects of many shards.

A driver writes it while it works, from what workers say of the shards that they have committed and
from footers that it had to read. An entry holds a shard's deals, the size of its file and its counts.
It is believed of a file whose listing agrees in name and size, and which its store saw change last
before the index's own object. Shards appear whole and are never changed, so a file that does not agree was
put there by something else, and its footer is read. An index that is missing, damaged or of another
run only makes reading slower. `verify` does not use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.config import RunConfig
from pipeline.deals import Deals
from pipeline.objects import ObjectFolder
from pipeline.shard_counts import COUNTS, ShardCounts, row_type, to_row
from pipeline.shard_table import microseconds
from pipeline.tally import Tallies

INDEX = "index"
WORTHWHILE = 1000
"""How many shards an object is written for; smaller runs have no index."""

_SHARDS_AN_OBJECT = 5_000
_KEY = b"dealsweep.index"


class IndexWriter:
    """Gathers counts, and writes an object whenever there are many."""

    def __init__(self, folder: ObjectFolder, config: RunConfig) -> None:
        self._folder = folder
        self._config = config
        self._rows = np.empty(_SHARDS_AN_OBJECT, row_type(len(config.verdicts)))
        self._pending = 0

    def add(self, deals: Deals, size: int, tallies: Tallies) -> None:
        """Take the counts of a committed shard, and the size of its file in bytes."""
        self._rows[self._pending] = to_row(deals, size, [tallies[name] for name in self._config.verdicts])
        self._pending += 1
        if self._pending == len(self._rows):
            self._write()

    def close(self) -> None:
        """Write what is left, when it is worth an object."""
        if self._pending >= WORTHWHILE:
            self._write()

    def _write(self) -> None:
        rows = self._rows[: self._pending]
        columns = {name: rows[name] for name in ("first", "last", "size")}
        for number, verdict in enumerate(self._config.verdicts):
            columns |= {f"{verdict}.{name}": rows[name][:, number] for name in COUNTS}
        table = pa.table(columns).replace_schema_metadata({_KEY: self._config.fingerprint.encode()})
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
        self._folder.create(f"{INDEX}/{uuid4().hex}.parquet", sink.getvalue().to_pybytes())
        self._pending = 0


class IndexPart(NamedTuple):
    """An object of the index: counts, and when its store saw it appear, in microseconds since 1970."""

    counts: ShardCounts
    written: int


def read_parts(folder: ObjectFolder, config: RunConfig) -> Iterator[IndexPart]:
    """This run's index, object by object."""
    for entry in folder.list(INDEX):
        try:
            data = pa.BufferReader(folder.read(entry.name))
            # In this thread alone: memory from many threads' heaps would not come back.
            table = pq.ParquetFile(data, page_checksum_verification=True).read(use_threads=False)
            if table.schema.metadata[_KEY] == config.fingerprint.encode():
                yield IndexPart(_counts(table, config.verdicts), microseconds(entry.modified))
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError):
            continue  # it only saves time


def _counts(table: pa.Table, verdicts: tuple[str, ...]) -> ShardCounts:
    rows = np.empty(len(table), row_type(len(verdicts)))
    for name in ("first", "last", "size"):
        rows[name] = table.column(name).to_numpy()
    for number, verdict in enumerate(verdicts):
        for name in COUNTS:
            rows[name][:, number] = table.column(f"{verdict}.{name}").to_numpy()
    return ShardCounts(verdicts, rows)
