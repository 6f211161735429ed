"""Shorten a giant text to its head and its tail, so that one paste never fills the window."""

from collections.abc import Callable

HEAD_SHARE = 0.6
MOST_PER_TOKEN = 32
"""More characters than any text has for a token; what is beyond them need not be counted."""


def clipped(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """Return ``text``, or its head and tail with a note between, as ``clip`` does."""
    return clip(text, tokens, count)[0]


def clip(text: str, tokens: int, count: Callable[[str], int]) -> tuple[str, int]:
    """Return ``text``, or its head and tail with a note between, in about ``tokens`` tokens.

    Args:
        text: Any text.
        tokens: The most it may take.
        count: Returns the number of tokens of a text.

    Returns:
        The text to show, and how many characters were left out of it.
    """
    keep = min(len(text), MOST_PER_TOKEN * max(tokens, 0))
    shown, left_out = (text, 0) if keep == len(text) else _head_and_tail(text, keep)
    while keep > 0 and (taken := count(shown)) > tokens:
        keep = int(keep * min(0.9, tokens / taken))
        shown, left_out = _head_and_tail(text, keep)
    return (shown, left_out) if keep > 0 else ("", len(text))


def _head_and_tail(text: str, keep: int) -> tuple[str, int]:
    """Return head and tail of a text, trimmed where they were cut, and how much is left out."""
    head = int(keep * HEAD_SHARE)
    begins, ends = text[:head].rstrip(), text[len(text) - (keep - head) :].lstrip()
    left_out = len(text) - len(begins) - len(ends)
    return f"{begins}\n[… {left_out:,} characters left out …]\n{ends}", left_out
