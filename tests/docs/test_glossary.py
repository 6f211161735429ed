"""The glossary is short, names each word once, and says truly where it is in the code."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "resources" / "docs" / "glossary.md").read_text("utf-8")
MOST = 60
ROWS = re.findall(r"^\| (?!word )([^|-][^|]*) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.M)
WHERE = re.compile(r"(?:`(?P<name>\w+)` in )?`(?P<path>[\w/]+\.py)`")


def test_it_can_be_read_at_once():
    words = [word for word, _, _ in ROWS]
    assert len(words) == len({word.casefold() for word in words}) <= MOST
    assert len(words) == PAGE.count("\n| ") - PAGE.count("\n| word |")


@pytest.mark.parametrize(("word", "meaning", "where"), ROWS, ids=[row[0] for row in ROWS])
def test_each_word_is_in_the_code_where_it_says(word, meaning, where):
    found = WHERE.fullmatch(where)
    assert found, where
    tree = ast.parse((ROOT / "app" / found["path"]).read_text("utf-8"))
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    assert found["name"] is None or found["name"] in classes
    assert not meaning.endswith(".")
