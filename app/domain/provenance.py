"""Where words come from that are not the person's, told to people and to models alike."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.language.text import clipped
from app.domain.memory import Trust

IMPORTED = "in a conversation you imported, not verified"
_LONGEST_NAME = 60
_WORD = re.compile(r"\w+")
_WHENCE = {
    PartOrigin.PASTED: "in something you pasted, not verified",
    PartOrigin.ATTACHED: "in a file you attached, not verified",
    PartOrigin.TOOL: "in what a tool returned, not verified",
    PartOrigin.MODEL: "in what a model wrote, not verified",
}
_ATTACHED_AS = "in the file you attached as {}, not verified"
_BY_TRUST = {
    Trust.CLAIMED: "claimed by an import, not verified",
    Trust.EXTERNAL: "from outside, not verified",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that come from one place.

    Attributes:
        whence: Where they come from, as it is told; empty for what the person typed or confirmed,
            or the assistant answered.
    """

    text: str
    whence: str = ""


def whence(part: Part, *, imported: bool = False) -> str:
    """Return where a part of a person's message comes from; empty where they typed it.

    Args:
        part: The part.
        imported: Whether its message was brought in with a conversation from elsewhere.
    """
    if part.origin is PartOrigin.TYPED:
        return ""
    if imported:
        return IMPORTED
    if part.origin is PartOrigin.ATTACHED and part.name.strip():
        return _ATTACHED_AS.format(clipped(part.name, _LONGEST_NAME))
    return _WHENCE[part.origin]


def of_trust(trust: Trust) -> str:
    """Return where a memory of this trust comes from; empty where it is the person's word."""
    return _BY_TRUST.get(trust, "")


def passages(
    parts: Sequence[Part], *, role: Role = Role.USER, imported: bool = False
) -> tuple[Passage, ...]:
    """Return the words of a message by where they come from, in order; neighbours are joined."""
    found: list[Passage] = []
    for part in parts:
        own = IMPORTED if imported and role is not Role.USER else ""
        place = whence(part, imported=imported) if role is Role.USER else own
        if found and found[-1].whence == place:
            found[-1] = Passage(found[-1].text + part.text, place)
        elif part.text:
            found.append(Passage(part.text, place))
    return tuple(found)


def of(message: Message) -> tuple[Passage, ...]:
    """Return the words of a message by where they come from."""
    return passages(message.parts, role=message.role, imported=message.imported)


def names_others(title: str, parts: Sequence[Part]) -> bool:
    """Return whether a title was cut from words of a message that nobody typed.

    Args:
        title: The title of a conversation that nobody named.
        parts: What its first message is made of.
    """
    typed, others = (
        {w for part in parts if (part.origin is PartOrigin.TYPED) is own for w in _words(part.text)}
        for own in (True, False)
    )
    return bool(others) and not _words(title) <= typed


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


class Written(NamedTuple):
    """Who wrote an export, as far as it can be told before it is read.

    Attributes:
        profile: The name of the profile that it says wrote it.
        here: Whether this vault signed it.
    """

    profile: str
    here: bool
