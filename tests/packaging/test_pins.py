"""What is pinned, and what the desktop is told, fits the program."""

import re
import tomllib
from configparser import ConfigParser
from importlib import metadata
from pathlib import Path

from app import APP_ID, APP_NAME

ROOT = Path(__file__).parents[2]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return {normal(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_every_pin_is_exact_and_names_a_version():
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line


def test_everything_the_project_asks_for_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {normal(re.match(r"[A-Za-z0-9._-]+", each)[0]) for each in asked}
    assert names - pins().keys() == set()


def test_qt_is_the_version_that_does_not_abort():
    assert pins()["pyside6-essentials"].startswith("6.11.")


def test_the_desktop_entry_is_the_one_the_window_names():
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(ROOT / "packaging" / "linux" / f"{APP_ID}.desktop")
    desktop = entry["Desktop Entry"]
    assert desktop["Name"] == desktop["StartupWMClass"] == APP_NAME
    assert desktop["Icon"] == APP_ID
    assert (ROOT / "resources/icons/loci.svg").exists()


def test_everything_the_program_depends_on_is_used_by_it():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {normal(re.match(r"[A-Za-z0-9._-]+", each)[0]) for each in asked}
    provides = metadata.packages_distributions()
    used = {
        normal(distribution)
        for path in (ROOT / "app").rglob("*.py")
        for module in re.findall(r"^\s*(?:from|import) (\w+)", path.read_text(), re.MULTILINE)
        for distribution in provides.get(module, ())
    }
    assert names - used == {"qtawesome"}  # only its icon font is taken
