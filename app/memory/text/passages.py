"""Find where texts stand in other texts, whether a title was cut from them, and which differ."""

import re
from collections.abc import Iterable, Sequence

from app.domain.language.text import normalise

SHORTEST = 4
_EDGES = " .,;:!?…\"'“”"
_MARKUP = re.compile(r"[\s`*_#>]+")


def occurrences(text: str, needles: Sequence[str]) -> list[tuple[int, int]]:
    """Return where any of the needles occurs in a text, whatever its case, without overlaps."""
    spans: list[tuple[int, int]] = []
    for needle in longest_first(needles):
        for match in re.finditer(re.escape(needle), text, re.IGNORECASE):
            if all(match.end() <= start or match.start() >= end for start, end in spans):
                spans.append(match.span())
    return sorted(spans)


def longest_first(texts: Sequence[str]) -> list[str]:
    """Return the texts that say something, longer ones before what they may contain."""
    return sorted((t for t in texts if t.strip()), key=len, reverse=True)


def named_after(title: str, message: str, texts: Sequence[str]) -> bool:
    """Say whether a title was made, whole or cut, from what the texts take out of a message."""
    name, said = _plain(title), _plain(message)
    erased = occurrences(said, [_plain(text) for text in texts])
    at = said.casefold().find(name.casefold())
    if not name or not erased:
        return False
    if at >= 0:
        return any(start < at + len(name) and at < end for start, end in erased)
    return any(occurrences(name, [said[start:end]]) for start, end in erased)


def _plain(text: str) -> str:
    return _MARKUP.sub(" ", text).strip(_EDGES)


def distinct(texts: Iterable[str], known: Sequence[str] = ()) -> list[str]:
    """Return the texts of some length that say something new, without what encloses them."""
    seen = {normalise(text): "" for text in known}
    for text in texts:
        if len(bare := text.strip().strip(_EDGES)) >= SHORTEST:
            seen.setdefault(normalise(bare), bare)
    return [text for text in seen.values() if text]
