"""The committed type stub is what the compiled module says of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    fresh = tmp_path / "_native.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "solver._native", "-o", str(fresh)], check=True
    )
    assert fresh.read_text() == (ROOT / "solver" / "_native.pyi").read_text(), (
        "write it anew: python -m nanobind.stubgen -m solver._native -o solver/_native.pyi"
    )
