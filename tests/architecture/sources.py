"""The modules of the program, each parsed once for all laws."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "app").rglob("*.py"))


def name(path):
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path):
    """Return a module as a tree."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path):
    """Return all that a module is written of."""
    return list(ast.walk(parsed(path)))
