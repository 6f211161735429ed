"""Where a statement comes from, and on whose word."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.conversation import Message, PartOrigin, Role
from app.domain.language.quoting import doubtful
from app.domain.language.text import normalise
from app.domain.memory import Origin, Trust

_ROADS = {
    PartOrigin.PASTED: Origin.DOCUMENT,
    PartOrigin.ATTACHED: Origin.DOCUMENT,
    PartOrigin.TOOL: Origin.TOOL,
    PartOrigin.MODEL: Origin.CONVERSATION,
}
_IN_DOUBT = "It may be somebody else's words that you passed on."
_SENTENCE = re.compile(r"(?:[^.!?…\n]|[.!?…](?=\S))+[.!?…]*")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a statement comes from; stamped by code, never by a model.

    Attributes:
        at: When it was said.
        message_id: The message, or None where it was typed elsewhere.
        reason: What the journal says beside the new memory.
        actor: Who writes it down: the person, or the name of a job.
        proposed: Whether it waits until the person accepts it, and changes nothing before.
        waits: Why it does, in a sentence, where that is not told by its origin.
        quoted: Whether the person said it. What others wrote is linked to its message, so that it
            can be opened and erased, but is never evidence of anything the person said.
        asked: Whether the person asked for exactly this to be kept.
        suspicions: What the screen has against it.
        said: What the screen did, in a sentence.
        around: What the words were cut out of; the screen looks at it as well.
        screened: Whether it has looked at the statement.
        answering: The message in whose turn it is written down, where that is a later one.
    """

    origin: Origin
    at: datetime
    batch: str
    agent_pk: int
    message_id: str | None = None
    trust: Trust = Trust.LEARNED
    tags: tuple[str, ...] = ()
    pinned: bool = False
    reason: str = ""
    quoted: bool = True
    actor: str = "user"
    proposed: bool = False
    waits: str = ""
    asked: bool = False
    suspicions: tuple[str, ...] = ()
    said: str = ""
    around: str = ""
    screened: bool = False
    answering: str | None = None


def road(message: Message, words: str) -> Origin:
    """Return by which road words of a message came in."""
    said = normalise(words)
    if message.role is Role.USER and said in normalise(message.typed):
        return Origin.USER_TYPED
    others = [part for part in message.parts if part.origin is not PartOrigin.TYPED]
    holding = [part for part in others if said in normalise(part.text)] or others
    return _ROADS[holding[0].origin] if holding else Origin.CONVERSATION


def within(source: Provenance, typed: str, words: str) -> Provenance:
    """Return a source with what its words were cut out of, as far as that concerns the screen.

    Of what is said here and now, these are the sentences in which the words stand. What is read
    without the person looking on is looked at whole.
    """
    live = source.origin in (Origin.CONVERSATION, Origin.USER_TYPED)
    return replace(source, around=sentences(typed, words) if live else typed)


def in_doubt(source: Provenance, typed: str, words: str) -> Provenance:
    """Return a source that waits for the person where words may be another's, such as a letter's.

    Words that do not stand in the message as they are told may stand anywhere in it.
    """
    spans = doubtful(typed)
    start = typed.find(words) if words else -1
    end = start + len(words)
    if not spans or (start >= 0 and not any(start < b and a < end for a, b in spans)):
        return source
    return replace(source, proposed=True, waits=_IN_DOUBT)


def sentences(typed: str, words: str) -> str:
    """Return the sentences of a message in which words stand; empty where they do not."""
    start = typed.find(words) if words else -1
    if start < 0:
        return ""
    end = start + len(words)
    return "".join(s[0] for s in _SENTENCE.finditer(typed) if s.start() < end and start < s.end())
