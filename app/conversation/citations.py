"""Find the marks by which an answer refers to what it was given: ``[1]``, ``[2, 3]``."""

import re
from collections.abc import Sequence

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_MARK = re.compile(r"[ \t]?\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?![(:\[\w])|\[(\d{1,3})\](?=\[\d)")
_SET = re.compile(r"[ \t](?:\[\d{1,3}(?:\s*,\s*\d{1,3})*\])+(?![(:\[\w])")


def numbers(text: str, count: int) -> list[int]:
    """Return the numbers an answer refers to, ascending, each once.

    Args:
        text: The answer, in Markdown; marks in code do not count.
        count: How many lines it was given; a mark with any other number is no mark.
    """
    found: set[int] = set()
    for mark in _MARK.finditer(_CODE.sub(" ", text)):
        referred = _numbers(mark)
        if all(1 <= number <= count for number in referred):
            found.update(referred)
    return sorted(found)


def cited(text: str, ids: Sequence[str]) -> list[str]:
    """Return the ids an answer refers to, in the order of their numbers.

    Args:
        text: The answer.
        ids: What stood in the prompt, numbered from 1 in this order.
    """
    return [ids[number - 1] for number in numbers(text, len(ids))]


def without(text: str) -> str:
    """Return an answer without its marks, as far as they stand apart; code stays as it is."""
    shown, at = [], 0
    for code in _CODE.finditer(text):
        shown += [_SET.sub("", text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*shown, _SET.sub("", text[at:])])


def _numbers(mark: re.Match[str]) -> list[int]:
    return [int(number) for number in (mark[1] or mark[2]).split(",")]
