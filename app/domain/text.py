"""When two texts or words are the same: one normal form, one stem."""

import hashlib
import re
import unicodedata
from functools import lru_cache

ERASED = "[erased]"  # what stands in place of words that were erased
_SPACE = re.compile(r"\s+")
_TAIL = " .,;:!?…"


def normalise(text: str) -> str:
    """Return the normal form: NFKC, casefold, single spaces, no closing punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip().rstrip(_TAIL)


def content_hash(text: str) -> bytes:
    """Return the sha256 of the normal form (32 bytes)."""
    return hashlib.sha256(normalise(text).encode()).digest()


@lru_cache(32_768)
def stem(word: str) -> str:
    """Return what the forms of an English word in small letters share: "walk" of "walking"."""
    from snowballstemmer.english_stemmer import EnglishStemmer

    return str(EnglishStemmer().stemWord(word))  # one of its own, as it holds the word it is at


def clipped(text: str, length: int) -> str:
    """Return ``text`` on one line of at most ``length`` characters, with an ellipsis if cut."""
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
