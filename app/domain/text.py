"""When two texts are the same: one normal form, used by novelty, dedup and tombstones."""

import hashlib
import re
import unicodedata

_SPACE = re.compile(r"\s+")
_TAIL = " .,;:!?…"


def normalise(text: str) -> str:
    """Return the normal form: NFKC, casefold, single spaces, no closing punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip().rstrip(_TAIL)


def content_hash(text: str) -> bytes:
    """Return the sha256 of the normal form (32 bytes)."""
    return hashlib.sha256(normalise(text).encode()).digest()


def clipped(text: str, length: int) -> str:
    """Return ``text`` on one line of at most ``length`` characters, with an ellipsis if cut."""
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
