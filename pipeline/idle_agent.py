"""Stands in for an agent of Ray that nobody asks for anything: `python idle_agent.py FOLDER FILE...`.

Ray's server of a node takes an agent that ends for a fault of its own, so this one waits. It imports
neither Ray nor anything else of this package: it is to cost nothing.
"""

import os
import sys
import time
from collections.abc import Sequence


def main(folder: str, files: Sequence[str]) -> None:
    """Say in each file that a service is not there, and wait for the end of the process that began this one.

    Args:
        folder: where Ray's processes tell each other their ports.
        files: the names of those files; Ray writes -1 for a port where a service is not in use.
    """
    parent = os.getppid()
    for name in files:
        path = os.path.join(folder, name)  # noqa: PTH118 - pathlib takes longer to import than this to run
        with open(f"{path}.new", "w") as file:  # noqa: PTH123
            file.write("-1")
        os.replace(f"{path}.new", path)  # noqa: PTH105
    while os.getppid() == parent:
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
