"""Word lists from ``resources/reading``: data, so that a word is added without touching code."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from app.assets import resource


@cache
def word_list(file: str, name: str) -> frozenset[str]:
    """Return the entries of a list; commas or new lines part them."""
    return frozenset(_entries(_file(file)[name]))


@cache
def vocabulary(file: str, name: str) -> frozenset[str]:
    """Return the words of a list; blanks part them."""
    return frozenset(_file(file)[name].split())


@cache
def word_groups(file: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Return lists that belong together, each in its order."""
    return tuple(tuple(_entries(group)) for group in _file(file)[name])


@cache
def _file(name: str) -> Mapping[str, Any]:
    return tomllib.loads(resource(f"reading/{name}.toml").read_text("utf-8"))


def _entries(text: str) -> list[str]:
    return [entry for entry in map(str.strip, text.replace("\n", ",").split(",")) if entry]
