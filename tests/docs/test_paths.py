"""Every file and folder that a page names is there.

A page names a file by its path from the root or within ``app/``, or by its name alone beside one
whose path stands earlier in the same line (or in a folder above that). A page whose lines all
speak of one folder may name what lies there.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
DOCS = ROOT / "resources" / "docs"
MAP = APP / "README.md"
HOME = {
    DOCS / "recall.md": (APP / "memory" / "recall", APP / "memory" / "text"),
    DOCS / "reliability.md": (ROOT / "tests" / "evals",),
}
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md", MAP]
PAGES += sorted(DOCS.rglob("*.md"))
ENDS = "py|sql|toml|sh|md|qss"
NAMED = re.compile(rf"`((?:[\w.<>-]+/)*(?:[\w-]+\.(?:{ENDS})|(?<=/)))`")


def name(path):
    return path.relative_to(ROOT).as_posix()


def missing(page):
    """Yield what a page names and nobody finds; ``<screen>`` in a path stands for any folder."""
    for line in page.read_text("utf-8").splitlines():
        beside = dict.fromkeys((ROOT, APP, *HOME.get(page, ())))
        for written in NAMED.findall(line):
            pattern, folder = re.sub(r"<\w+>", "*", written), written.endswith("/")
            found = [p for at in beside for p in at.glob(pattern) if p.is_dir() or not folder]
            if not found:
                yield written
                continue
            for near in (p if folder else p.parent for p in found):
                above = (p for p in near.parents if ROOT in p.parents)
                beside |= dict.fromkeys((near, *above))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_file_and_folder_that_is_named_is_there(page):
    # What a reader is told to make, or what Loci itself makes, is no file of ours.
    ours = {"app.json"}
    assert [each for each in missing(page) if each not in ours] == []


def test_these_tests_see_a_file_that_is_gone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "`store/vault/file.py`, `locks.py`, `gone.py`\n`memory/nowhere/`, `domain/`, `locks.py`"
    )
    assert sorted(missing(page)) == ["gone.py", "locks.py", "memory/nowhere/"]


def rooms():
    """Return every folder of code that is a part of a layer."""
    found = {p.parent for p in APP.rglob("*.py")}
    return {p for p in found if len(p.relative_to(APP).parts) > 1}


def test_the_map_names_every_room():
    text = MAP.read_text("utf-8").partition("## Where to look")[0]
    named = {APP / written.rstrip("/") for written in NAMED.findall(text)}
    screens = {p for p in rooms() if p.parent == APP / "gui"}
    left_out = rooms() - named - screens
    assert {p.relative_to(APP).as_posix() for p in left_out} == {"store/vault/migrations"}


def test_the_map_draws_every_layer():
    drawn = set(re.findall(r"\w+", MAP.read_text("utf-8").split("```")[1]))
    files = [p for p in APP.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()]
    assert {p.stem for p in files} - drawn == {"__init__", "__main__"}
