"""What is known of shards whose footers have been read: so that a large run is not read again and again.

An entry holds a shard's deals, size and counts, and when its store last saw it change. It is believed
of a file whose listing agrees in all three: name, size and time. Shards appear whole and are never
changed, so a file that does not agree was put there by something else, and its footer is read. An
index that is missing, damaged or of another run only makes reading slower. `verify` does not use it.
"""

from __future__ import annotations

from uuid import uuid4

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.objects import ObjectFolder
from pipeline.shard_table import Rows, ShardTable, row_type

INDEX = "index"
WORTHWHILE = 1000
"""How many footers must have been read before they are written down; smaller runs have no index."""

_ROWS_AN_OBJECT = 20_000
_KEY = b"dealsweep.index"
_TALLIES = ("deals", "iterations", "squares_low", "squares_high")


def write(folder: ObjectFolder, fingerprint: str, known: ShardTable) -> None:
    """Add objects with these shards."""
    for place in range(0, len(known), _ROWS_AN_OBJECT):
        rows = known.rows[place : place + _ROWS_AN_OBJECT]
        columns = {name: rows[name] for name in ("first", "last", "size", "modified")}
        for number, verdict in enumerate(known.verdicts):
            columns |= {f"{verdict}.{name}": rows[name][:, number] for name in _TALLIES}
        table = pa.table(columns).replace_schema_metadata({_KEY: fingerprint.encode()})
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
        folder.create(f"{INDEX}/{uuid4().hex}.parquet", sink.getvalue().to_pybytes())


def read(folder: ObjectFolder, fingerprint: str, verdicts: tuple[str, ...]) -> ShardTable:
    """All shards of this run's index, sorted."""
    known = ShardTable(verdicts)
    for entry in folder.list(INDEX):
        try:
            data = pa.BufferReader(folder.read(entry.name))
            table = pq.read_table(data, page_checksum_verification=True)
            if table.schema.metadata[_KEY] == fingerprint.encode():
                known.add_rows(_rows(table, verdicts))
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError):
            continue  # it only saves time
    return known.sorted()


def _rows(table: pa.Table, verdicts: tuple[str, ...]) -> Rows:
    rows = np.empty(len(table), row_type(len(verdicts)))
    rows["indexed"] = True
    for name in ("first", "last", "size", "modified"):
        rows[name] = table.column(name).to_numpy()
    for number, verdict in enumerate(verdicts):
        for name in _TALLIES:
            rows[name][:, number] = table.column(f"{verdict}.{name}").to_numpy()
    return rows
