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
    shown = text if keep == len(text) else _head_and_tail(text, keep)
    while keep > 0 and (taken := count(shown)) > tokens:
        keep = int(keep * min(0.9, tokens / taken))
        shown = _head_and_tail(text, keep)
    return (shown if keep > 0 else ""), len(text) - keep


def _head_and_tail(text: str, keep: int) -> str:
    head = int(keep * HEAD_SHARE)
    tail = keep - head
    left_out = len(text) - keep
    note = f"\n[… {left_out:,} characters left out …]\n"
    return f"{text[:head].rstrip()}{note}{text[len(text) - tail :].lstrip()}"
