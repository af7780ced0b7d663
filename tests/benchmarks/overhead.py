"""What share of a sweep's CPU time is spent in the solver: all processes of one `dealsweep run` here.

    python tests/benchmarks/overhead.py [DEALS [GAME [RULES]]]

Counted are user and system time of every process of the run's session, from /proc, read until each
has ended: the command, what it starts of Ray, and the workers. The workers themselves say what a shard
took and what of it was the native search. All that is not search is outside, by kind of process.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = "import sys; from pipeline.cli import main; sys.exit(main())"
TICKS = os.sysconf("SC_CLK_TCK")
KINDS = {
    "gcs_server": "Ray: its server of the cluster",
    "raylet": "Ray: its server of the node",
    "DashboardAgent": "Ray: its two agents",
    "RuntimeEnvAgent": "Ray: its two agents",
    "agent.py": "Ray: its two agents",
    "idle_agent.py": "Ray: its two agents",
    "main.py": "Ray: its two agents",
    "dashboard.py": "Ray: dashboard",
    "monitor.py": "Ray: autoscaler",
    "log_monitor.py": "Ray: log monitor",
    "default_worker.py": "workers",
    "-c": "the command itself",
}


def kind_of(words, before):
    """What a process is, by its command line; a process that changes its title stays what it was."""
    names = [Path(word).name for word in words]
    if names[0] in KINDS:
        return KINDS[names[0]]  # its command line names the programs that it will start
    for name in names[:5]:
        for known, kind in KINDS.items():
            if name in {known, f"ray::{known}"}:
                return kind
    return before or ("workers" if names[0].startswith("ray::") else f"other: {names[0]}")


def read_processes(session):
    """Number, command line and CPU seconds of every process of a session."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == session:
                    words = (entry / "cmdline").read_text().split("\0")
                    yield int(entry.name), words, (int(fields[11]) + int(fields[12])) / TICKS
            except OSError:
                continue


def measure(words):
    """Run the command; CPU seconds by kind of process, and what the workers say of their shards."""
    seen = {}
    with tempfile.TemporaryDirectory() as folder, Path(folder, "events").open("w+") as events:
        run = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words, "--out", f"{folder}/run", "--progress", "json"],
            start_new_session=True,
            stdout=events,
        )
        while run.poll() is None or any(read_processes(run.pid)):
            for pid, command, seconds in read_processes(run.pid):
                if command[0]:  # a process that has ended, and waits for its parent, has no command
                    seen[pid] = kind_of(command, seen.get(pid, (None,))[0]), seconds
            time.sleep(0.05)
        if run.returncode:
            sys.exit(f"the run failed with exit code {run.returncode}")
        events.seek(0)
        told = [json.loads(line) for line in events]
    kinds = {}
    for kind, seconds in seen.values():
        kinds[kind] = kinds.get(kind, 0.0) + seconds
    return kinds, [event for event in told if event["event"] == "shard"]


def main():
    """Run a sweep and say where its CPU time went."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    game = sys.argv[2] if len(sys.argv) > 2 else "perpetual-motion"
    rules = ["--rules", sys.argv[3]] if len(sys.argv) > 3 else []
    kinds, shards = measure(["run", game, f"1..{deals}", *rules])
    total = sum(kinds.values())
    solver = sum(shard["solver_seconds"] for shard in shards)
    inside = sum(shard["cpu_seconds"] for shard in shards)
    rows = [("native search", solver), ("workers: rows, files, commits", inside - solver)]
    kinds["workers: start, and what Ray does in them"] = kinds.pop("workers") - inside
    rows += sorted(kinds.items(), key=lambda row: -row[1])
    print(f"{game} {' '.join(rules)} 1..{deals}: {total:.2f} s of CPU")
    for name, seconds in rows:
        print(f"  {name:<42} {seconds:8.2f} s  {seconds / total:6.1%}")
    print(f"in the solver {solver / total:.1%}, in shards {inside / total:.1%}")
    more = 10_000_000 / deals
    fixed = total - inside
    print(f"10,000,000 deals, on paper: {solver * more / (inside * more + fixed):.1%} in the solver")


if __name__ == "__main__":
    main()
