"""The version stands in one place, and everything else takes it from there."""

import re
import tomllib
from pathlib import Path

from app import __version__

ROOT = Path(__file__).parents[2]
CHANGELOG = ROOT / "CHANGELOG.md"
READ = {"", ".py", ".toml", ".md", ".sh", ".spec", ".desktop", ".yml", ".yaml"}


def ours():
    """Yield the files that people write."""
    folders = (ROOT / top for top in ("app", "packaging", "resources", "tests"))
    inside = (path for folder in folders for path in folder.rglob("*"))
    for path in (*ROOT.iterdir(), *inside):
        if path.is_file() and path.suffix in READ:
            yield path


def test_the_package_takes_it_from_the_program():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "app/__init__.py"


def test_it_is_a_version_of_three_numbers():
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_no_second_file_states_it():
    states = re.compile(rf"(?i)\b(?:loci|version)\b[^\n]{{0,12}}[\"' v]{re.escape(__version__)}\b")
    found = {p.relative_to(ROOT).as_posix() for p in ours() if states.search(p.read_text("utf-8"))}
    assert found <= {"app/__init__.py", "CHANGELOG.md"}


def test_the_change_log_begins_with_it():
    headings = re.findall(r"^## \[(.+?)\]", CHANGELOG.read_text("utf-8"), re.M)
    assert next(h for h in headings if h != "Unreleased") == __version__


def test_the_change_log_keeps_to_its_kinds():
    headings = set(re.findall(r"^### (.+)$", CHANGELOG.read_text("utf-8"), re.M))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
