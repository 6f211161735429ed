"""A message begun and not sent, as text that keeps pasted words apart from typed ones.

Pasted stretches stand between two marks that no one sees, U+2068 and U+2069; so a draft stays
readable and searchable, and what was pasted is not mistaken for the person's own words later.
"""

import re
from collections.abc import Sequence

from app.domain.conversation import Part, PartOrigin

OPEN, CLOSE = "\u2068", "\u2069"
_MARKS = str.maketrans("", "", OPEN + CLOSE)
_PASTED = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}?")


def clean(text: str) -> str:
    """Return text from outside, without the marks and with plain line ends."""
    return text.translate(_MARKS).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def encode(parts: Sequence[Part]) -> str:
    """Return typed and pasted parts as one text; attached files are not part of a draft."""
    pieces = {
        PartOrigin.TYPED: lambda text: clean(text),
        PartOrigin.PASTED: lambda text: f"{OPEN}{clean(text)}{CLOSE}",
    }
    return "".join(pieces[p.origin](p.text) for p in parts if p.origin in pieces)


def decode(draft: str) -> list[Part]:
    """Return the parts of a draft."""
    parts: list[Part] = []
    for number, piece in enumerate(_PASTED.split(draft)):
        origin = PartOrigin.PASTED if number % 2 else PartOrigin.TYPED
        if piece := clean(piece):
            parts.append(Part(piece, origin))
    return parts
