"""What resources/docs/json.md says of each shape, and whether a value is like that."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "resources" / "docs" / "json.md").read_text("utf-8")
_SHAPE = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.M | re.S)
_FIELD = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", re.M)
_LINK = re.compile(r"\[(\w+)\]\(#\1\)")
_BASE = re.compile(r"^The fields of \[(\w+)\]\(#\1\), and:$", re.M)
_MAP = re.compile(r"^A (map of \w+):", re.M)
SCALARS = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "truth": lambda value: isinstance(value, bool),
    "time": lambda value: datetime.fromisoformat(value).tzinfo is not None,
    "value": lambda value: True,
}


@dataclass(frozen=True)
class Field:
    """A row of a table."""

    kind: str
    always: bool


def _fields(text):
    return {name: Field(kind, "Absent" not in told) for name, kind, told in _FIELD.findall(text)}


_TEXTS = dict(_SHAPE.findall(PAGE))
SHAPES = {name: _fields(text) for name, text in _TEXTS.items()}
for name, text in _TEXTS.items():
    if base := _BASE.search(text):
        SHAPES[name] = SHAPES[base[1]] | SHAPES[name]
MAPS = {name: found[1] for name, text in _TEXTS.items() if (found := _MAP.search(text))}
LINKS = {name: set(_LINK.findall(text)) for name, text in _TEXTS.items()}
# Each command with the shapes it prints, as the table says them.
COMMANDS = {
    command: re.findall(r"(list of (?:one )?)?\[(\w+)\]\(#\2\)", prints)
    for commands, prints in re.findall(r"^\| (`loci .+?`) \| (.+) \|$", PAGE, re.M)
    for command in re.findall(r"`(.+?)`", commands)
}


def expect(value, kind, where=""):
    """Fail where a value is not of a type that the page names."""
    where = where or kind
    if kind.endswith(" or null"):
        if value is None:
            return
        kind = kind.removesuffix(" or null")
    if link := _LINK.fullmatch(kind):
        expect_shape(value, link[1], where)
    elif kind.startswith("list of "):
        assert isinstance(value, list), where
        for one in value:
            expect(one, kind.removeprefix("list of "), f"{where}[]")
    elif kind.startswith("map of "):
        assert isinstance(value, dict), where
        for key, one in value.items():
            expect(one, kind.removeprefix("map of "), f"{where}.{key}")
    else:
        assert value is not None or kind == "value", f"{where} is null"
        assert SCALARS[kind](value), f"{where}: {value!r} is no {kind}"


def expect_shape(value, name, where=""):
    """Fail where a value has not exactly the fields of a shape, in their order."""
    where = where or name
    if name in MAPS:
        expect(value, MAPS[name], where)
        return
    assert isinstance(value, dict), where
    fields = SHAPES[name]
    lacking = [field for field, said in fields.items() if said.always and field not in value]
    assert not lacking, f"{where} lacks {lacking}"
    assert list(value) == [field for field in fields if field in value], f"{where} has {[*value]}"
    for field, one in value.items():
        expect(one, fields[field].kind, f"{where}.{field}")
