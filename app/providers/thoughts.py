"""Leaves out what a model thinks aloud before it answers.

Reasoning models write their considerations between ``<think>`` and ``</think>``, and many servers
pass them on as part of the answer. They are no part of what is said, shown or remembered.
"""

from collections.abc import Generator
from contextlib import closing

from app.errors import ModelError

OPEN, CLOSE = "<think>", "</think>"


def without_thoughts(pieces: Generator[str, None, None]) -> Generator[str, None, None]:
    """Yield the answer alone, as soon as it comes.

    Raises:
        ModelError: The answer ended before the thinking did.
    """
    held, thinking, answering = "", False, False
    with closing(pieces):
        for piece in pieces:
            if answering:
                yield piece
                continue
            held += piece
            if not thinking:
                start = held.lstrip()
                thinking = start.startswith(OPEN)
                answering = not thinking and not OPEN.startswith(start)
            if thinking and CLOSE in held:
                held = held.partition(CLOSE)[2].lstrip()
                thinking, answering = False, bool(held)
            elif thinking:
                held = held[-len(OPEN) - len(CLOSE) :] if len(held) > 9_000 else held
            if answering and held:
                yield held
    if thinking:
        raise ModelError("The model was still thinking when its answer reached its longest size.")
    if not answering and held:
        yield held
