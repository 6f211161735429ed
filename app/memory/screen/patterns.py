"""Name what makes a text suspicious: talk at the machine, orders that wait, ways to carry data out.

Three groups. What is *dangerous* is stored by nobody. What is *addressed* to a machine is
suspicious whoever wrote it. An *order* is the person's own right, and suspicious from anybody else.
Patterns read a text as ``hidden.readings`` gives it, without regard to case. They are in
``resources/reading/suspicious.toml``.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from app.assets import resource

DANGEROUS, ADDRESSED, ORDERS = "dangerous", "addressed", "orders"


class Pattern(NamedTuple):
    """One way to tell.

    Attributes:
        name: What it finds, in words that a person understands.
    """

    name: str
    expression: re.Pattern[str]


def matched(group: str, readings: Iterable[str]) -> Iterator[str]:
    """Yield the name of each pattern of a group that fits one of the readings of a text."""
    read = tuple(readings)
    for pattern in patterns()[group]:
        if any(pattern.expression.search(text) for text in read):
            yield pattern.name


@cache
def patterns() -> Mapping[str, Sequence[Pattern]]:
    """Return the patterns of each group."""
    told = tomllib.loads(resource("reading/suspicious.toml").read_text("utf-8"))
    parts: dict[str, str] = {}
    for name, part in told["parts"].items():
        parts[name] = _whole(part, parts)
    return {
        group: [Pattern(one["name"], _compiled(one["ways"], parts)) for one in told[group]]
        for group in (DANGEROUS, ADDRESSED, ORDERS)
    }


def _compiled(ways: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    either = "|".join(_whole(way, parts) for way in ways.split("\n\n"))
    return re.compile(either, re.IGNORECASE | re.MULTILINE)


def _whole(text: str, parts: Mapping[str, str]) -> str:
    """Return an expression on one line, with the parts that it names."""
    joined = text.replace("\n", "")
    for name, part in parts.items():
        joined = joined.replace(f"{{{name}}}", part)
    return joined
