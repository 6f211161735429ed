"""Shorten a giant text to its head and its tail, so that one paste never fills the window."""

from collections.abc import Callable

HEAD_SHARE = 0.6


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
    total = count(text)
    if total <= tokens:
        return text, 0
    keep = int(len(text) * tokens / total)
    while keep > 0:
        shown = _head_and_tail(text, keep)
        if count(shown) <= tokens:
            return shown, len(text) - keep
        keep = int(keep * 0.9)
    return "", len(text)


def _head_and_tail(text: str, keep: int) -> str:
    head = int(keep * HEAD_SHARE)
    tail = keep - head
    left_out = len(text) - keep
    note = f"\n[… {left_out:,} characters left out …]\n"
    return f"{text[:head].rstrip()}{note}{text[len(text) - tail :].lstrip()}"
