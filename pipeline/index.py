"""What is known of shards whose footers have been read: so that a large run is not read again and again.

An entry holds a shard's name, size and counts, and when its store last saw it change. It is believed
of a file whose listing agrees in all three: name, size and time. Shards appear whole and are never
changed, so a file that does not agree was put there by something else, and its footer is read. An
index that is missing, damaged or of another run only makes reading slower. `verify` does not use it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import uuid4

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.objects import Entry, ObjectFolder
from pipeline.tally import Tallies, Tally

INDEX = "index"
WORTHWHILE = 1000
"""How many footers must have been read before they are written down; smaller runs have no index."""

_KEY = b"dealsweep.index"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Known(NamedTuple):
    """A file as the store lists it, and the exact counts that its footer has."""

    entry: Entry
    tallies: Tallies


def write(folder: ObjectFolder, fingerprint: str, known: Iterable[Known]) -> None:
    """Add an object with these entries."""
    rows = [(k.entry.name, k.entry.size, _microseconds(k.entry), _pack(k.tallies)) for k in known]
    names, sizes, times, tallies = zip(*rows, strict=True)
    table = pa.table(
        {
            "name": pa.array(names, pa.string()),
            "size": pa.array(sizes, pa.int64()),
            "modified": pa.array(times, pa.int64()),
            "tallies": pa.array(tallies, pa.string()),
        }
    ).replace_schema_metadata({_KEY: fingerprint.encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
    folder.create(f"{INDEX}/{uuid4().hex}.parquet", sink.getvalue().to_pybytes())


def read(folder: ObjectFolder, fingerprint: str, verdicts: tuple[str, ...]) -> dict[str, Known]:
    """All entries of this run's index, by name."""
    known: dict[str, Known] = {}
    for entry in folder.list(INDEX):
        try:
            data = pa.BufferReader(folder.read(entry.name))
            table = pq.read_table(data, page_checksum_verification=True)
            if table.schema.metadata[_KEY] != fingerprint.encode():
                continue
            for name, size, modified, packed in zip(*(c.to_pylist() for c in table.columns), strict=True):
                listed = Entry(name, size, _EPOCH + modified * _MICROSECOND)
                known[name] = Known(listed, _unpack(packed, verdicts))
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError):
            continue  # it only saves time
    return known


_MICROSECOND = datetime.resolution


def _microseconds(entry: Entry) -> int:
    return (entry.modified - _EPOCH) // _MICROSECOND


def _pack(tallies: Tallies) -> str:
    return json.dumps({n: [t.deals, t.iterations, t.iterations_squared] for n, t in tallies.items()})


def _unpack(packed: str, verdicts: tuple[str, ...]) -> Tallies:
    found = json.loads(packed)
    return {name: Tally(*map(int, found[name])) for name in verdicts}
