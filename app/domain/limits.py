"""How much is taken in at once, wherever it comes from; beyond that somebody is told, and it ends.

Nobody writes or keeps so much by hand: what is larger was sent by a program that does not end, or
made to fill the memory of this computer.
"""

import re

LONGEST_MESSAGE = 2_500_000
"""Characters of one message, all its parts together."""

LARGEST_DOCUMENT = 100_000_000
"""Bytes of a file that is attached to a message."""

LONGEST_DOCUMENT = 10_000_000
"""Characters of the text of such a file."""

MOST_PAGES = 10_000
"""Pages of such a file."""

LONGEST_INLINE = 16_000
"""Characters of a text file that stands in its message; a longer one is kept beside it."""

LONGEST_PASTE = 200_000
"""Characters that may be pasted into a message; a longer text is kept beside it."""

LONGEST_MEMORY = 20_000
"""Characters of a memory that comes in from elsewhere."""

LONGEST_ANSWER = 400_000
"""Characters that are taken of a model's answer, with what it thinks aloud."""

LARGEST_FILE = 64_000_000
"""Bytes of a file of test cases, which is read whole."""

MOST_PIECES = 600_000
"""Values that one piece of JSON may hold: each takes up to a hundred times its size in memory."""

TOO_LONG = "A message may have at most {:,} characters; this one has {:,}. Leave some of it out."


# A text that is not closed goes on to the end: whatever is given, it is looked at once.
_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.S)


def is_crowded(data: bytes | str) -> bool:
    """Return whether JSON could hold more values than are taken; cheap enough to ask first.

    Signs that stand within its texts do not count, as far as it is UTF-8.
    """
    if isinstance(data, bytes):
        if _signs(data) <= MOST_PIECES:
            return False
        many = data.count(b'"') - data.count(b'\\"') > 4 * (MOST_PIECES + 1)  # value, name
        return many or b"\0" in data or _signs(_TEXTS.sub(b"", data)) > MOST_PIECES
    if sum(map(data.count, "{[,:")) <= MOST_PIECES:
        return False
    return is_crowded(data.encode("utf-8", "surrogatepass"))


def _signs(data: bytes) -> int:
    return sum(map(data.count, (b"{", b"[", b",", b":")))
