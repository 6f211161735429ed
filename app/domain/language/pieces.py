"""Cut a long text into pieces that end where a paragraph, a line, a sentence or a word does."""

import re
from collections.abc import Iterator

_ENDS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"[.!?。！？]\s*", r"\s")))
_LEAST = 0.4  # of a piece; an end before that is too early


def pieces(text: str, most: int) -> Iterator[str]:
    """Yield pieces of at most ``most`` characters; joined they are the text."""
    at = 0
    while len(text) - at > most:
        end = _end(text, at, at + most)
        yield text[at:end]
        at = end
    if at < len(text):
        yield text[at:]


def _end(text: str, start: int, stop: int) -> int:
    """Return where a piece that begins at ``start`` ends best, at ``stop`` at the latest."""
    least = start + int((stop - start) * _LEAST)
    for pattern in _ENDS:
        ends = [found.end() for found in pattern.finditer(text, least, stop)]
        if ends:
            return ends[-1]
    return stop
