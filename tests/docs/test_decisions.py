"""The records of decisions are short, whole, numbered and listed."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "resources" / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_each_says_what_led_to_it_what_was_decided_and_what_follows(path):
    text = path.read_text("utf-8")
    assert re.findall(r"^\*\*(\w+)\.\*\* ", text, re.M) == ["Context", "Decision", "Consequence"]
    assert 10 <= text.count("\n") <= 25
    assert text.startswith(f"# {int(path.name[:2])}. ")


def test_the_list_has_each_by_its_title():
    listed = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^(\d+)\. \[(.+)\]\((.+)\)$", listed, re.M)
    assert [name for _, _, name in rows] == [path.name for path in RECORDS]
    for number, title, name in rows:
        assert (FOLDER / name).read_text("utf-8").startswith(f"# {number}. {title}\n")
