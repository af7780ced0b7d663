"""The counts of many shards, in columns of numbers: what the index keeps, and what it is made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.deals import Deals
from pipeline.selection import Selection
from pipeline.shard_table import Mask, Rows
from pipeline.tally import Tallies, Tally

COUNTS = ("deals", "iterations", "squares_low", "squares_high")
_WORD = 2**64


def row_type(verdicts: int) -> np.dtype[np.void]:
    """A shard's deals, the size of its file in bytes, and COUNTS for so many verdicts.

    A sum of squares needs two words: 2^64 * high + low.
    """
    ends = [("first", np.uint64), ("last", np.uint64), ("size", np.int64)]
    return np.dtype([*ends, *((name, np.uint64, (verdicts,)) for name in COUNTS)])


def to_row(deals: Deals, size: int, tallies: Sequence[Tally]) -> tuple[Any, ...]:
    """A shard as an element of `row_type`."""
    squares = [divmod(tally.iterations_squared, _WORD) for tally in tallies]
    return (
        deals.first,
        deals.last,
        size,
        [tally.deals for tally in tallies],
        [tally.iterations for tally in tallies],
        [low for _, low in squares],
        [high for high, _ in squares],
    )


class ShardCounts(NamedTuple):
    """Exact counts and sums of some shards.

    Attributes:
        verdicts: the names by which tallies are kept.
        rows: one element a shard, see `row_type`.
    """

    verdicts: tuple[str, ...]
    rows: Rows

    def consistent(self, selection: Selection | None = None) -> Mask:
        """Which rows count as many deals as their shard has; `selection` is as in `read_footer`."""
        rows = self.rows
        if selection is None:
            deals = rows["last"] - rows["first"] + np.uint64(1)
        else:
            deals = selection.counts(rows["first"], rows["last"])
        mask: Mask = rows["deals"].sum(axis=1) == deals
        return mask

    def tallies(self, places: npt.NDArray[np.intp]) -> Tallies:
        """The sum of some rows, verdict by verdict."""
        rows = self.rows[places]
        return {
            name: Tally(
                _exact_sum(rows["deals"][:, place]),
                _exact_sum(rows["iterations"][:, place]),
                _exact_sum(rows["squares_high"][:, place]) * _WORD
                + _exact_sum(rows["squares_low"][:, place]),
            )
            for place, name in enumerate(self.verdicts)
        }


def _exact_sum(column: npt.NDArray[np.uint64]) -> int:
    """Exact for fewer than 2^32 numbers: each half of the words has room to add up."""
    return (int((column >> np.uint64(32)).sum()) << 32) + int((column & np.uint64(2**32 - 1)).sum())
