"""Turn what a person types into a search box into a query that cannot fail.

The full-text index splits words at spaces and punctuation. Scripts written without spaces come out
as one long word, so a piece of them is looked for as a substring instead.
"""

import re

MAX_WORDS = 32
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]"
)


def words(text: str) -> str | None:
    """Return an FTS5 query for all the words, the last one as a prefix.

    Returns:
        None where there is nothing the index could find (see ``pattern``).
    """
    if _UNSPACED.search(text):
        return None
    found = [
        word.replace('"', '""')
        for word in text.replace("\x00", " ").split()
        if any(letter.isalnum() for letter in word)
    ]
    if not found:
        return None
    return " ".join(f'"{word}"' for word in found[:MAX_WORDS]) + "*"


def pattern(text: str) -> str:
    r"""Return a LIKE pattern that finds ``text`` as a substring, with ``\`` as its escape."""
    plain = re.sub(r"([\\%_])", r"\\\1", text.replace("\x00", " ").strip())
    return f"%{plain}%"


def marked(text: str, wanted: str, around: int = 40) -> str:
    """Return ``text`` around the first ``wanted``, which stands between U+2068 and U+2069."""
    at = text.casefold().find(wanted.casefold())
    if at < 0 or not wanted:
        return text[: 2 * around]
    end = at + len(wanted)
    start, stop = max(0, at - around), min(len(text), end + around)
    head, tail = "…" if start else "", "…" if stop < len(text) else ""
    return f"{head}{text[start:at]}\u2068{text[at:end]}\u2069{text[end:stop]}{tail}"
