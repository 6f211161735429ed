"""Rooms stay small: how many files lie in a folder, and how much one class does."""

import ast
from collections import Counter

from tests.architecture.sources import FILES, ROOT, name, nodes

MOST_FILES = 25
MOST_METHODS = 25


def methods():
    """Return how many methods each class has, its properties among them."""
    found = {}
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found[f"{name(path)}: {node.name}"] = sum(
                    isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body
                )
    return found


def test_no_folder_has_many_files():
    folders = Counter(path.parent.relative_to(ROOT).as_posix() for path in FILES)
    assert {name: n for name, n in folders.items() if n > MOST_FILES} == {}


def test_no_class_has_many_methods():
    assert {name: n for name, n in methods().items() if n > MOST_METHODS} == {}
