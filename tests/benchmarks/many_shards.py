"""How listing, planning and summing up grow with the number of shards: CPU and memory.

    python tests/benchmarks/many_shards.py [100000] [FOLDER]

The files are those of one real shard with other deal numbers in their footers, so that making them
costs nothing beside reading them; every second shard of the range is missing, the worst case for a plan.
Each number of shards is measured in a process of its own.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.index import IndexWriter
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


class Meter:
    """CPU time of steps, and the most memory that this process has had so far."""

    def __init__(self, shards):
        self.shards = shards

    def __call__(self, name, act):
        before = time.process_time()
        value = act()
        spent = time.process_time() - before
        each = 1e6 * spent / self.shards
        print(
            f"  {name:<28} {spent:8.2f} s CPU, {each:8.1f} us a shard, peak {peak_memory():6.0f} MB",
            flush=True,
        )
        return value


def peak_memory():
    """In 10^6 bytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def look(folder, shards):
    """What a driver does before and after its tasks; measured."""
    store, meter = RunStore.open(folder), Meter(shards)
    print(f"{shards:,} shards, memory at the start {peak_memory():.0f} MB")
    remember = IndexWriter(store.folder, store.config)
    scan = meter("scan, every footer read", lambda: store.scan(remember=remember))
    remember.close()
    scan = meter("scan, counts from the index", store.scan)
    assert len(scan.shards) == shards and not scan.broken
    summary = meter("summary", lambda: Summary.of(scan))
    assert summary.shards_missing == shards
    assert shards == meter("plan", lambda: sum(1 for _ in pieces(scan.asked, scan.done, SIZE)))


def main():
    """Make runs in a temporary folder, or in the one that is given, and measure."""
    if sys.argv[1:2] == ["look"]:
        look(Path(sys.argv[2]), int(sys.argv[3]))
        return
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as place:
        for shards in (most // 100, most):
            folder = Path(place) / str(shards)
            make_run(folder, shards)
            subprocess.run([sys.executable, __file__, "look", folder, str(shards)], check=True)


if __name__ == "__main__":
    main()
