"""When two texts or words are the same: one normal form, one stem; and what is fit to be shown."""

import hashlib
import json
import re
import unicodedata
from functools import cache

from app.domain.language.everyday import everyday

ERASED = "[erased]"  # what stands in place of words that were erased
_SPACE = re.compile(r"\s+")
_TAIL = " .,;:!?…"
_CONTROLS = "".join(map(chr, (*range(9), 11, 12, *range(13, 32), *range(127, 160))))
_TAGS = r"\U000e0020-\U000e007f"
_SPELT = ("gbeng", "gbsct", "gbwls")  # England, Scotland, Wales: flags that are spelt in tags
_FLAGS = "|".join("".join(chr(0xE0000 + ord(c)) for c in name) for name in _SPELT)
_VARIED = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # ideographs have variants
_UNSEEN = re.compile(
    rf"(?:\U0001f3f4(?:{_FLAGS})\U000e007f)|[{re.escape(_CONTROLS)}\ud800-\udfff]"
    rf"|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0001{_TAGS}]"
    rf"|(?<![{_VARIED}])[\U000e0100-\U000e01ef]"
)
_MARKUP = re.compile(r"([\\`*_\[\]<~])")
_ESCAPED = re.compile(r"\\([\\`*_\[\]<~])")


def normalise(text: str) -> str:
    """Return the normal form: NFKC, casefold, single spaces, no closing punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip().rstrip(_TAIL)


def content_hash(text: str) -> bytes:
    """Return the sha256 of the normal form (32 bytes)."""
    return hashlib.sha256(normalise(text).encode()).digest()


def stem(word: str) -> str:
    """Return what the forms of an English word in small letters share: "walk" of "walking".

    Kept for the words that ship with the program, which are most of what is said; never for others.
    """
    return _everyday_stem(word) if word in everyday() else _stem(word)


@cache
def _everyday_stem(word: str) -> str:
    return _stem(word)


def _stem(word: str) -> str:
    from snowballstemmer.english_stemmer import EnglishStemmer

    return str(EnglishStemmer().stemWord(word))  # one of its own, as it holds the word it is at


def without_mark(text: str) -> str:
    """Return a text without the marks of what was erased, which are no words of anybody."""
    return text.replace(ERASED, "…")


def clipped(text: str, length: int) -> str:
    """Return ``text`` on one line of at most ``length`` characters, with an ellipsis if cut."""
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 memory``, ``2,000 memories``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def shown(text: str) -> str:
    """Return a text as it may be shown, on a terminal or in the window, wherever it comes from.

    Control characters, which move a terminal's cursor, colour it or ring its bell, become a mark.
    What turns the direction of text around, so that it reads as something else, and letters that
    nobody sees (tags, variants of nothing) are left out; tags that spell a flag stay. Line breaks
    and tabs stay.
    """
    return _UNSEEN.sub(_replaced, text.replace("\r\n", "\n"))


def escaped(text: str) -> str:
    """Return JSON in which what is not fit to be shown is written as an escape.

    In JSON such characters stand in strings alone, so it says the same as before.
    """
    return _UNSEEN.sub(
        lambda found: found[0] if len(found[0]) > 1 else json.dumps(found[0])[1:-1], text
    )


def verbatim(text: str) -> str:
    """Return text for Markdown, in which what would be read as markup stands for itself."""
    return _MARKUP.sub(r"\\\1", text)


def plain(text: str) -> str:
    """Return an answer without the backslashes that keep Markdown from reading what is quoted."""
    return _ESCAPED.sub(r"\1", text)


def _replaced(found: re.Match[str]) -> str:
    char = found.group()
    if len(char) > 1:
        return char
    return "\ufffd" if char in _CONTROLS or "\ud800" <= char <= "\udfff" else ""
