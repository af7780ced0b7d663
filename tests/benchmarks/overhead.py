"""What share of a sweep's CPU time goes into its workers: all processes of one `dealsweep run` here.

    python tests/benchmarks/overhead.py [DEALS [GAME [RULES]]]

CPU times (user and system) are read from /proc while the run lasts, for every process of its session.
What Ray's processes, the driver and the start of the workers take is all that is not in `shards`.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = "import sys; from pipeline.cli import main; sys.exit(main())"
TICKS = os.sysconf("SC_CLK_TCK")


def processes(session):
    """Name and CPU seconds of every process of a session."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == session:
                    words = (entry / "cmdline").read_text().split("\0")
                    # Of an interpreter, what it runs; the driver's program is a string.
                    name = next((word for word in words if word.endswith((".py", "main"))), words[0])
                    yield int(entry.name), name, (int(fields[11]) + int(fields[12])) / TICKS
            except OSError:
                continue


def main():
    """Run a sweep and say where its CPU time went."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    game = sys.argv[2] if len(sys.argv) > 2 else "black-hole"
    rules = ["--rules", sys.argv[3]] if len(sys.argv) > 3 else []
    seen, start = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", game, f"1..{deals}", *rules, "--out", f"{folder}/run", "--progress", "none"]
        run = subprocess.Popen([sys.executable, "-c", COMMAND, *words], start_new_session=True)
        while run.poll() is None:
            for pid, name, seconds in processes(run.pid):
                working = name.startswith("ray::work") or (pid in seen and seen[pid][0] == "worker")
                if working and pid not in start:
                    start[pid] = seconds
                seen[pid] = ("worker" if working else Path(name).name, seconds)
            time.sleep(0.2)
    total = sum(seconds for _, seconds in seen.values())
    shards = sum(seen[pid][1] - before for pid, before in start.items())
    kinds = {}
    for name, seconds in seen.values():
        kinds[name] = kinds.get(name, 0.0) + seconds
    for name, seconds in sorted(kinds.items(), key=lambda item: -item[1])[:8]:
        print(f"  {name[:40]:<40} {seconds:8.1f} s")
    print(f"{deals:,} deals: {total:.1f} s CPU, {shards:.1f} s of it in shards: {shards / total:.1%}")
    more = 10_000_000 / deals
    print(f"10,000,000 deals, on paper: {shards * more / (shards * more + total - shards):.1%}")


if __name__ == "__main__":
    main()
