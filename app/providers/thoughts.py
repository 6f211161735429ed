"""Leaves out what a model thinks aloud before it answers.

Reasoning models write their considerations between ``<think>`` and ``</think>``, and many servers
pass them on as part of the answer. They are no part of what is said, shown or remembered.
"""

from collections.abc import Generator
from contextlib import closing
from threading import Event

from app.domain.prompting.tools import ToolCall
from app.errors import ModelError

OPEN, CLOSE = "<think>", "</think>"


def without_thoughts(
    pieces: Generator[str | ToolCall, None, None], cancel: Event
) -> Generator[str | ToolCall, None, None]:
    """Yield the answer alone, as soon as it comes; a call of a tool ends any thought.

    Raises:
        ModelError: The answer ended before the thinking did.
    """
    held, thinking, answering = "", False, False
    with closing(pieces):
        for piece in pieces:
            if isinstance(piece, ToolCall):
                if held and not thinking:
                    yield held
                held, thinking, answering = "", False, True
            if answering or isinstance(piece, ToolCall):
                yield piece
                continue
            held, thinking = _read(held + piece, thinking)
            answering = not thinking and not OPEN.startswith(held)
            if answering:
                yield held
                held = ""
    if thinking and not cancel.is_set():
        raise ModelError("The model was still thinking when its answer reached its longest size.")
    if not thinking and held:
        yield held


def _read(held: str, thinking: bool) -> tuple[str, bool]:
    """Return what is left after whole thoughts, and whether it is inside of one."""
    while True:
        if thinking:
            _, found, after = held.partition(CLOSE)
            if not found:
                return held[-len(CLOSE) :], True
            held = after
        held = held.lstrip()
        if not held.startswith(OPEN):
            return held, False
        held, thinking = held[len(OPEN) :], True
