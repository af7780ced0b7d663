"""Answers as text or bytes: an aligned table, CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.errors import UsageError

_FEW_ROWS = 3


def render(table: pa.Table, form: str, width: int = 240) -> bytes:
    """The table in one of FORMATS. Raises UsageError for another name.

    Args:
        table: the answer.
        form: table, csv, json or parquet.
        width: columns of the terminal; an aligned table that is wider and has few rows is turned on
            its side, a line a value.
    """
    if form not in FORMATS:
        raise UsageError(f'no format is named "{form}": it is one of {", ".join(FORMATS)}')
    return as_text(table, width).encode() if form == "table" else _WRITERS[form](table)


def as_text(table: pa.Table, width: int = 240) -> str:
    """An aligned table with a line of column names; see `render`."""
    columns = [[show(value) for value in column.to_pylist()] for column in table.columns]
    names = table.column_names
    widths = [max(map(len, [name, *cells])) for name, cells in zip(names, columns, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > width and table.num_rows <= _FEW_ROWS:
        return _records(names, columns)
    numeric = [_is_number(field.type) for field in table.schema]

    def line(cells: list[str]) -> str:
        aligned = (
            cell.rjust(size) if right else cell.ljust(size)
            for cell, size, right in zip(cells, widths, numeric, strict=True)
        )
        return "  ".join(aligned).rstrip() + "\n"

    rows = zip(*columns, strict=True)
    return line(names) + line(["-" * size for size in widths]) + "".join(line(list(row)) for row in rows)


def _records(names: list[str], columns: list[list[str]]) -> str:
    size = max(map(len, names))
    records = (
        "".join(f"{name.ljust(size)}  {cell}\n" for name, cell in zip(names, row, strict=True))
        for row in zip(*columns, strict=True)
    )
    return "\n".join(records)


def show(value: Any) -> str:
    """A value for a person: nothing as `-`, bytes as hex, fractions to six decimal places."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return _show_float(value)
    # One line a row: line ends and control characters are spelt out.
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))


def _show_float(value: float) -> str:
    if not math.isfinite(value) or (value != 0 and abs(value) < 1e-4) or abs(value) >= 1e15:
        return f"{value:.6g}"
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _csv(table: pa.Table) -> bytes:
    """Quoted where needed; nothing is an empty field, bytes are hex, nested values JSON."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(table.column_names)
    for batch in table.to_batches(max_chunksize=65_536):
        writer.writerows(zip(*(map(_csv_field, column.to_pylist()) for column in batch.columns), strict=True))
    return sink.getvalue().encode()


def _csv_field(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, int | float | str):
        return value
    plain = _to_json(value)
    return json.dumps(plain) if isinstance(plain, dict | list) else plain


def _json(table: pa.Table) -> bytes:
    """An array with a row a line."""
    rows = (json.dumps({k: _to_json(v) for k, v in row.items()}) for row in table.to_pylist())
    return ("[\n" + ",\n".join(rows) + "\n]\n").encode() if table.num_rows else b"[]\n"


def _to_json(value: Any) -> Any:
    """What JSON can hold: whole numbers stay exact, bytes are hex, what is not finite is null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(k): _to_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json(v) for v in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


_WRITERS: dict[str, Callable[[pa.Table], bytes]] = {"csv": _csv, "json": _json, "parquet": _parquet}
FORMATS = ("table", *_WRITERS)
"""What `render` can make."""
