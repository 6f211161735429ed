"""What comes from outside, fit to be kept: JSON, numbers and texts of files and of servers.

Whoever reads a format says with these what stands in each of its fields. They never trust a type, a
size or a depth, and raise nothing but ``ValueError``.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from math import isfinite
from typing import Any

from app.domain.limits import is_crowded

DEEPEST = 64  # lists in lists that anybody means; a thousand end the reader
MOST = 2**31 - 1  # the greatest count that is believed: sums and steps from it stay far from 2⁶³

_FIT = frozenset({int, bool, type(None)})
_BRACKET, _TRIED = re.compile(r"[\[{]"), 200


def read_json(text: str | bytes) -> Any:
    """Return what a JSON text says, as ``fit`` leaves it.

    Raises:
        ValueError: It is no JSON, is nested too deeply, or holds too many values.
    """
    if is_crowded(text):
        raise ValueError("too many values")
    try:
        return fit(json.loads(text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def json_in(text: str) -> Iterator[Any]:
    """Yield the lists and objects of JSON within a text, whatever stands around them.

    Those within others come after them. Only the first brackets are tried.
    """
    for start in islice((m.start() for m in _BRACKET.finditer(text)), _TRIED):
        try:
            yield fit(json.JSONDecoder().raw_decode(text, start)[0])
        except (ValueError, RecursionError):
            continue


def fit(value: Any, room: int = DEEPEST) -> Any:
    """Return a value of JSON as it can be written again, and kept by any store.

    Broken characters become a mark, and what is no finite number becomes nothing.

    Raises:
        ValueError: It is nested too deeply.
    """
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not isfinite(value):
        return None
    if not room and isinstance(value, list | dict):
        raise ValueError("nested too deeply")
    if isinstance(value, list):
        return [one if type(one) in _FIT else fit(one, room - 1) for one in value]
    if isinstance(value, dict):
        return {storable(name): fit(one, room - 1) for name, one in value.items()}
    return value


def storable(text: str) -> str:
    """Return ``text`` without the halves of broken characters, which no file can hold."""
    if text.isascii():
        return text
    with suppress(UnicodeEncodeError):
        text.encode("utf-8")
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_of(value: Any) -> str:
    """Return a value that is a text.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(value, str):
        raise ValueError("no text")
    return storable(value)


def number_of(value: Any) -> float:
    """Return a value that is a finite number.

    Raises:
        ValueError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("no number")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError("no number") from None
    if not isfinite(number):
        raise ValueError("no number")
    return number


def whole_of(value: Any, least: int = 0, most: int = MOST) -> int:
    """Return a value that is a whole number within bounds.

    Raises:
        ValueError: It is none.
    """
    number = number_of(value)
    if number != int(number) or not least <= number <= most:
        raise ValueError("no whole number within bounds")
    return int(number)
