"""A Ray cluster on this machine in a process of its own: a head without CPUs, and nodes.

Reads commands, one a line: `add`, `kill NUMBER` (a node, without warning), `kill head`. Answers each
with one line of JSON. The end of standard input ends the cluster.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

import ray
import ray._private.node
from ray.cluster_utils import Cluster


def kill(node):
    for kinds in node.all_processes.values():
        for info in kinds:
            os.kill(info.process.pid, signal.SIGKILL)


class PatientClock:
    """A clock for Ray's own wait of half a minute for a node, which a busy machine needs more of."""

    sleep, time = staticmethod(time.sleep), staticmethod(time.time)

    @staticmethod
    def monotonic():
        return time.monotonic() / 3


def persist(start, attempts=3):
    """A node that does not come up is ended, and another one started."""
    for left in reversed(range(attempts)):
        before = children()
        try:
            return start()
        except Exception:
            for pid in children() - before:
                os.kill(pid, signal.SIGKILL)
            if not left:
                raise
    return None


def children():
    listed = Path("/proc/self/task").glob("*/children")
    return {int(pid) for file in listed for pid in file.read_text().split()}


def main():
    ray._private.node.time = PatientClock
    head = {"num_cpus": 0, "include_dashboard": False}
    cluster = persist(lambda: Cluster(initialize_head=True, head_node_args=head))
    nodes = [persist(lambda: cluster.add_node(num_cpus=1, wait=False)) for _ in range(int(sys.argv[1]))]
    cluster.wait_for_nodes(timeout=240)
    print(json.dumps({"address": cluster.address}), flush=True)
    for line in sys.stdin:
        match line.split():
            case ["add"]:
                nodes.append(persist(lambda: cluster.add_node(num_cpus=1, wait=False)))
            case ["kill", "head"]:
                kill(cluster.head_node)
            case ["kill", number]:
                kill(nodes.pop(int(number)))
        print(json.dumps({"nodes": len(nodes)}), flush=True)


if __name__ == "__main__":
    main()
