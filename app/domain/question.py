"""Whether a text asks for something, read from its first words and its punctuation."""

import re

_OPENINGS = frozenset(
    """
    who whom whose what when where which why how is are am was were do does did can could will
    would should shall may might have has had tell show list find name remind explain describe
    """.split()
)
_FILLERS = frozenset("so and but ok okay well hey hi hello please now then also".split())
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
