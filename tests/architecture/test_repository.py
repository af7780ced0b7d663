"""What a newcomer relies on: documented commands, and a repository that speaks of the project alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from pipeline.cli import app

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    return [ROOT / name for name in names.decode().split("\0") if name]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert re.search(rf"dealsweep {command}\b", (ROOT / "README.md").read_text())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_says_what_it_is(command: str) -> None:
    found = get_command(app).commands[command]  # type: ignore[attr-defined]
    assert found.help
    assert all(getattr(parameter, "help", None) for parameter in found.params), command


def test_no_path_of_one_machine_is_written_down() -> None:
    own = re.compile(r"/(?:home|root|work|Users)/\w")
    for path in tracked():
        if path.suffix in (".bits", ".png") or not path.is_file() or path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            assert not own.search(line), f"{path.relative_to(ROOT)}:{number}"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "deploy/README.md"])
def test_links_inside_the_repository_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text()):
        assert ((ROOT / page).parent / target).exists(), target
