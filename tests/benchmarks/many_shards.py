"""How listing, planning and summing up grow with the number of shards: user CPU and memory a shard.

    python tests/benchmarks/many_shards.py [100000] [FOLDER]

The files are those of one real shard with other deal numbers in their footers, so that making them
costs nothing beside reading them; every second shard of the range is missing, the worst case for a plan.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.plan import pieces
from pipeline.shard import Session
from pipeline.store import RunStore
from pipeline.summary import Summary

FIRST, SIZE = 1_000_000_001, 100


def make_run(folder, shards):
    """A run with every second shard of twice as many."""
    config = RunConfig.resolve("bisley")
    asked = DealRange(FIRST, FIRST + 2 * shards * SIZE - 1)
    RunStore.open_or_create(folder, RunRecord(config, asked, SIZE))
    data = Session(config).solve(DealRange(FIRST, FIRST + SIZE - 1)).to_bytes()
    (folder / "shards").mkdir()
    for first in range(FIRST, FIRST + 2 * shards * SIZE, 2 * SIZE):
        last = first + SIZE - 1
        mine = data.replace(b'"first":%d' % FIRST, b'"first":%d' % first)
        mine = mine.replace(b'"last":%d' % (FIRST + SIZE - 1), b'"last":%d' % last)
        (folder / "shards" / f"{first:020d}-{last:020d}.parquet").write_bytes(mine)


def measure(name, act):
    """Say what `act` costs."""
    before, memory = time.process_time(), resident()
    value = act()
    spent = time.process_time() - before
    print(f"{name}: {spent:.2f} s CPU, {(resident() - memory) / 1e6:+.0f} MB", flush=True)
    return value


def resident():
    """This process's memory in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def main():
    """Make a run in a temporary folder, or in the one that is given, and measure."""
    shards = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as place:
        folder = Path(place) / "run"
        measure(f"make {shards:,} shards", lambda: make_run(folder, shards))
        store = RunStore.open(folder)
        scan = measure("scan, every footer read", store.scan)
        measure("write the index", lambda: store.remember(scan))
        scan = None
        scan = measure("scan, counts from the index", store.scan)
        assert len(scan.shards) == shards and not scan.broken
        summary = measure("summary", lambda: Summary.of(scan))
        assert summary.shards_missing == shards
        count = measure("plan", lambda: sum(1 for _ in pieces(scan.asked, scan.done, SIZE)))
        assert count == shards


if __name__ == "__main__":
    main()
