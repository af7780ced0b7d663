"""The house has one way through: imports go from later rooms to earlier ones, never back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A module imports modules of its own row's past only. A name stands for itself and all below it; the
# longest name that fits counts.
ROOMS = [
    ["solver.cards"],
    ["solver.board"],
    ["solver.rules"],
    ["solver.rules.black_hole_family", "solver.rules.perpetual_motion", "solver.rules.perseverance",
     "solver.rules.bisley"],
    ["solver._native"],
    ["solver.face"],
    ["solver"],
    ["pipeline.errors", "pipeline.idle_agent"],
    ["pipeline.deals", "pipeline.tally"],
    ["pipeline.config", "pipeline.objects"],
    ["pipeline.selection"],
    ["pipeline.plan", "pipeline.schema", "pipeline.lock"],
    ["pipeline.shard_table"],
    ["pipeline.shard_counts"],
    ["pipeline.index"],
    ["pipeline.scan"],
    ["pipeline.shard", "pipeline.store"],
    ["pipeline.summary"],
    ["pipeline.progress"],
    ["pipeline.worker", "pipeline.local_ray"],
    ["pipeline.cluster"],
    ["pipeline.executor"],
    ["pipeline.driver"],
    ["pipeline.questions", "pipeline.rows", "pipeline.rendering", "pipeline.charts"],
    ["pipeline.ask"],
    ["pipeline.report", "pipeline.second_pass"],
    ["pipeline"],
    ["pipeline.cli.options"],
    ["pipeline.cli.runs", "pipeline.cli.answers", "pipeline.cli.boards"],
    ["pipeline.cli"],
]  # fmt: skip
FLOOR = {name: floor for floor, names in enumerate(ROOMS) for name in names}

# What only a few rooms may know.
ONLY = {
    "ray": {"pipeline.worker", "pipeline.local_ray", "pipeline.cluster", "pipeline.executor"},
    "duckdb": {"pipeline.ask"},
    "obstore": {"pipeline.objects"},
    "typer": {"pipeline.cli"},
    "altair": {"pipeline.charts"},
    "solver": {"solver", "pipeline.shard", "pipeline.config", "pipeline.worker", "pipeline.cli.boards"},
    "pyarrow": {"pipeline"},
}


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("solver", "pipeline"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES or full in FLOOR else node.module


def floor(module: str) -> int:
    name = module
    while name not in FLOOR:
        name = name.rpartition(".")[0]
        assert "." in name, f"{module} has no room: give it one in ROOMS"
    return FLOOR[name]


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    for imported in imports(MODULES[module]):
        if imported.split(".")[0] in ("solver", "pipeline") and imported != module:
            assert floor(imported) < floor(module), f"{module} imports {imported}"


@pytest.mark.parametrize("library", ONLY)
def test_what_few_rooms_may_know_stays_there(library: str) -> None:
    for module, path in MODULES.items():
        if any(imported.split(".")[0] == library for imported in imports(path)):
            allowed = ONLY[library]
            assert any(module == room or module.startswith(room + ".") for room in allowed), module


# The native core, the same way: a header includes headers of earlier rows, or of its own folder.
NATIVE_ROOMS = [
    ["instruction_set.hpp", "card.hpp", "random.hpp"],
    ["deck.hpp", "deck.cpp", "board.hpp", "outcome.hpp"],
    ["game.hpp"],
    ["request.hpp"],
    ["search/"],
    ["games/"],
    ["registry.hpp", "registry.cpp", "range.hpp"],
    ["bindings.cpp"],
]


def native_floor(name: str) -> int:
    for number, names in enumerate(NATIVE_ROOMS):
        if any(name == room or (room.endswith("/") and name.startswith(room)) for room in names):
            return number
    raise AssertionError(f"{name} has no room: give it one in NATIVE_ROOMS")


def test_includes_of_the_native_core_go_one_way() -> None:
    source = ROOT / "solver" / "src"
    files = [path for path in source.rglob("*") if path.suffix in (".hpp", ".cpp", ".inl") and path.is_file()]
    assert len(files) > 10
    for path in files:
        name = path.relative_to(source).as_posix()
        if path.suffix == ".inl":
            continue  # the inside of the file that includes it
        for included in re.findall(r'^#include "(.+)"', path.read_text(), flags=re.MULTILINE):
            target = (path.parent / included).resolve()
            if not target.exists():
                target = source / included
            if not target.exists():
                assert included == "build_info.hpp"  # generated
                continue
            other = target.resolve().relative_to(source).as_posix()
            same_folder = "/" in name and name.split("/")[0] == other.split("/")[0]
            if target.suffix == ".inl" or same_folder or other.partition(".")[0] == name.partition(".")[0]:
                continue
            assert native_floor(other) < native_floor(name), f"{name} includes {other}"
