"""Whether a text asks for something, read from its first words and its punctuation."""

import re


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPENINGS = _vocabulary(
    """
    who whom whose what when where which why how is are am was were do does did can could will
    would should shall may might have has had tell show list find name remind explain describe
    """
)
_FILLERS = _vocabulary("so and but ok okay well hey hi hello please now then also")
_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"[?？؟](?:[\s\"'”’)\]]|$)")


def asks(text: str) -> bool:
    """Return whether ``text`` is a question or asks to be told something."""
    if _MARK.search(text):
        return True
    for word in _WORD.findall(text.casefold()):
        if word not in _FILLERS:
            return word in _OPENINGS
    return False
