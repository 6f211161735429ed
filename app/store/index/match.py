"""Turn words into a query that cannot fail: what is typed into a search box, and any other term.

The full-text index splits words at spaces and punctuation. Scripts written without spaces come out
as one long word, so pieces of them are looked for as substrings instead.
"""

import re
from collections.abc import Iterable

from app.domain.language.foreign import storable
from app.domain.language.text import ERASED, stem

MAX_WORDS = 32
_AROUND = 40
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]"
)


def quoted(*words: str) -> str:
    """Return an FTS5 query for words that stand together, in which every sign is only text."""
    term = storable(" ".join(words)).replace("\x00", " ")
    return '"' + term.replace('"', '""') + '"'


def either(words: Iterable[str]) -> str:
    """Return an FTS5 query for any of some words; empty where there are none."""
    return " OR ".join(map(quoted, words))


def words(text: str) -> str | None:
    """Return an FTS5 query for all the words, the last one as a prefix.

    Returns:
        None where there is nothing the index could find (see ``pieces``).
    """
    if _UNSPACED.search(text):
        return None
    found = [word for word in _split(text) if any(letter.isalnum() for letter in word)]
    if not found:
        return None
    return " ".join(map(quoted, found)) + "*"


def pieces(text: str) -> list[str]:
    r"""Return a LIKE pattern for each word as a substring, with ``\`` as the escape."""
    return ["%" + re.sub(r"([\\%_])", r"\\\1", word) + "%" for word in _split(text)]


def in_mark(text: str) -> list[str]:
    """Return a LIKE pattern for each word that the index finds in the mark of erased words."""
    mark = stem(ERASED.strip("[]"))
    stems = (stem(word.casefold()) for word in re.findall(r"\w+", storable(text)))
    return [f"%{word}%" for word in stems if mark.startswith(word)]


def marked(text: str, wanted: str) -> str:
    """Return ``text`` around the first word of ``wanted``, set between U+2068 and U+2069."""
    either = "|".join(re.escape(word) for word in _split(wanted))
    found = re.search(either, text, re.IGNORECASE) if either else None
    if found is None:
        return text[: 2 * _AROUND]
    start, stop = max(0, found.start() - _AROUND), min(len(text), found.end() + _AROUND)
    head, tail = "…" if start else "", "…" if stop < len(text) else ""
    before, after = text[start : found.start()], text[found.end() : stop]
    return f"{head}{before}\u2068{found[0]}\u2069{after}{tail}"


def _split(text: str) -> list[str]:
    return storable(text).replace("\x00", " ").split()[:MAX_WORDS]
