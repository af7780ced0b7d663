"""The deals of a run that does not hold whole ranges: picked one by one, so many that lists are too slow.

A retry takes up the deals that another run left undecided. They lie scattered, so that a shard of it is
not a range: it holds the picked deals between its first and last one, and no other shard reaches
into that span.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from pipeline.deals import DealRange, DealSet, ScatteredDeals
from pipeline.errors import RunDamaged, first_line

Numbers = npt.NDArray[np.uint64]


class Selection:
    """Some deals, each once and in order.

    Attributes:
        numbers: the deals.
    """

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers

    @classmethod
    def of(cls, *parts: Numbers) -> Selection:
        """From deals in any order, which may be there several times."""
        return cls(np.unique(np.concatenate([np.empty(0, np.uint64), *parts])))

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def span(self) -> DealRange:
        """From the first deal to the last; there must be one."""
        return DealRange(int(self.numbers[0]), int(self.numbers[-1]))

    @cached_property
    def _ranges(self) -> DealSet:
        return _ranges(self.numbers)

    def ranges(self) -> DealSet:
        """The deals as the fewest ranges."""
        return self._ranges

    def within(self, span: DealRange) -> Numbers:
        """Those from the first to the last deal of a span."""
        first, last = np.uint64(span.first), np.uint64(span.last)
        start = np.searchsorted(self.numbers, first)
        return self.numbers[start : np.searchsorted(self.numbers, last, side="right")]

    def count(self, span: DealRange) -> int:
        """How many lie in a span."""
        return len(self.within(span))

    def counts(self, firsts: Numbers, lasts: Numbers) -> npt.NDArray[np.intp]:
        """How many lie in each of some spans."""
        ends: npt.NDArray[np.intp] = np.searchsorted(self.numbers, lasts, side="right")
        return ends - np.searchsorted(self.numbers, firsts)

    def meet(self, deals: DealSet) -> Selection:
        """Those that are among some deals."""
        return Selection(self.numbers[self._among(deals)])

    def without(self, deals: DealSet) -> Selection:
        """Those that are not among some deals."""
        return Selection(self.numbers[~self._among(deals)])

    def _among(self, deals: DealSet) -> npt.NDArray[np.bool_]:
        if not deals:
            return np.zeros(len(self), np.bool_)
        firsts, lasts = (np.frombuffer(ends, np.uint64) for ends in deals.ends())
        place = np.searchsorted(firsts, self.numbers, side="right")
        among: npt.NDArray[np.bool_] = (place > 0) & (self.numbers <= lasts[np.maximum(place, 1) - 1])
        return among

    # How they are cut into shards.

    def pieces(self, missing: DealSet, shard_size: int) -> Iterator[ScatteredDeals]:
        """The shards that make up the missing deals, in order.

        With shard size S, picked deals k*S+1 .. (k+1)*S, counted from the first, make one. Where some
        of them are done, those between make pieces of their own, so that no two shards interlock.
        """
        numbers = self.meet(missing).numbers
        for start, end in pairwise([*self._cuts(numbers, shard_size), len(numbers)]):
            yield ScatteredDeals(_ranges(numbers[start:end]))

    def count_pieces(self, missing: DealSet, shard_size: int) -> int:
        """How many pieces `pieces` yields."""
        return len(self._cuts(self.meet(missing).numbers, shard_size))

    def _cuts(self, numbers: Numbers, shard_size: int) -> list[int]:
        """Where pieces begin among some of the deals."""
        if not len(numbers):
            return []
        places = np.searchsorted(self.numbers, numbers)
        begins = (np.diff(places) != 1) | (np.diff(places // shard_size) != 0)
        return [0, *(np.flatnonzero(begins) + 1).tolist()]

    # How they are kept.

    def to_bytes(self) -> bytes:
        """As a Parquet file of one column, `deal`: equal for equal deals, to the byte."""
        sink = pa.BufferOutputStream()
        schema = pa.schema([pa.field("deal", pa.uint64(), nullable=False)])
        pq.write_table(
            pa.table([pa.array(self.numbers)], schema=schema),
            sink,
            compression="zstd",
            use_dictionary=False,
            column_encoding={"deal": "DELTA_BINARY_PACKED"},
            write_page_checksum=True,
        )
        data: bytes = sink.getvalue().to_pybytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> Selection:
        """What `to_bytes` gave. Raises RunDamaged."""
        try:
            table = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True).read()
            numbers: Numbers = table.column("deal").to_numpy().astype(np.uint64, casting="safe", copy=False)
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
            raise RunDamaged(f"it cannot be read: {first_line(error)[:120]}") from None
        if not len(numbers) or numbers[0] < 1 or not np.all(numbers[1:] > numbers[:-1]):
            raise RunDamaged("its deals are not in order")
        return cls(numbers)


def _ranges(numbers: Numbers) -> DealSet:
    begins, ends = np.ones(len(numbers), np.bool_), np.ones(len(numbers), np.bool_)
    begins[1:] = ends[:-1] = numbers[1:] - np.uint64(1) != numbers[:-1]
    return DealSet.of_ends(numbers[begins].tobytes(), numbers[ends].tobytes())
