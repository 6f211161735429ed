"""Word the answers that need no language model: what is known, and what became of a message.

Everything that is stated is a quotation with its date, and everything that is said to have happened
did: the words here are made of what was found and done, never of the message itself.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from app.conversation.dates import date, spoken
from app.domain.memory import Memory, Trust
from app.domain.recall import HitKind
from app.domain.reply import Became, Evidence, Outcome
from app.domain.text import clipped

LONGEST_QUOTE = 400
MOST_TOLD = 12

UNKNOWN = "I don’t know that."
NEEDS_MODEL = "That needs a language model, and none is chosen yet; you find them under Models."
GREETING = (
    "Hello. Tell me anything you would like to keep, or ask me about something you have told me."
)
WELCOME = "You’re welcome."
NOT_LEARNING = "Remembering is off here, so I keep this in the conversation only."
ONLY_HERE = "I keep this in our conversation only. To keep it for good, choose *Remember this*."
NOTHING_MEANT = "I found nothing like that in memory, so nothing was forgotten."
NOTHING_ABOUT = "I have nothing about that."
NO_RULE = "There is no standing instruction to end."
_THANKS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|great|cool|perfect|lovely|many|thanks|brilliant)\W+)*"
    r"(?:thanks|thank you|thx|cheers|ta|danke|gracias|merci|bedankt)\b[^?]{0,40}",
    re.IGNORECASE,
)


def chatted(text: str) -> str:
    """Return the answer to a greeting or to thanks."""
    return WELCOME if _THANKS.match(text) else GREETING


def answered(found: Sequence[Evidence], now: datetime) -> str:
    """Return what answers a question in one line, or that it is not known.

    Args:
        found: What answers, best first; ``[1]`` in the answer is the first of them.
        now: The present.
    """
    if not found:
        return UNKNOWN
    if len(found) == 1:
        return _told(found[0], 1, now)
    return "; ".join(
        f"{_quote(one.text)} ({_when(one)}) [{n}]" for n, one in enumerate(found, start=1)
    )


def known(memories: Sequence[Memory], about: str) -> str:
    """Return all that is known of somebody or something."""
    if not memories:
        return NOTHING_ABOUT
    lines = [f"- {_quote(m.text)} ({_dated(m.trust, m.created_at)})" for m in memories[:MOST_TOLD]]
    more = len(memories) - len(lines)
    rest = [f"- and {more} more, under Memory"] if more else []
    return "\n".join(
        [f"What I know{f' about {_plain(about)}' if about else ''}:", "", *lines, *rest]
    )


def receipts(became: Sequence[Became]) -> str:
    """Return what became of the statements of a message, a line each."""
    return "\n\n".join(filter(None, (_receipt(one) for one in became)))


def forgotten(memories: Sequence[Memory], doubtful: Sequence[Memory]) -> str:
    """Return which memories were forgotten, and which may be meant besides."""
    lines = []
    if memories:
        lines = [f"Forgotten: {_listed(memories)}", "", "*Undo* brings it back."]
    if doubtful:
        lines += ["", "Did you mean this as well? Choose *Forget* beside it:", ""]
        lines += [f"- {_quote(m.text)}" for m in doubtful]
    return "\n".join(lines).strip() or NOTHING_MEANT


def ended(memories: Sequence[Memory]) -> str:
    """Return which standing instructions were ended."""
    return f"Ended: {_listed(memories)}" if memories else NO_RULE


def _listed(memories: Sequence[Memory]) -> str:
    return "; ".join(_quote(m.text) for m in memories)


def _receipt(one: Became) -> str:
    text, was = _quote(one.text), _quote(one.was)
    why = f" {one.why}" if one.why else ""
    return {
        Outcome.REMEMBERED: f"Remembered: {text}.{why}",
        Outcome.UPDATED: f"Updated: {text} (was {was}).{why}",
        Outcome.KNOWN: f"I knew that already: {text}.",
        Outcome.WAITS: f"Waiting for you: {text}.{why}",
        Outcome.SET_ASIDE: f"Set aside: {text}.{why}",
        Outcome.REFUSED: f"Not kept.{why}",
    }[one.outcome]


def _told(one: Evidence, number: int, now: datetime) -> str:
    """Return one piece of evidence as a sentence with its date and number."""
    if one.hit.kind is HitKind.MEMORY:
        told = f"{_quote(one.text)} ({date(one.hit.at)}) [{number}]"
        outside = one.hit.trust is Trust.EXTERNAL
        return f"From outside, not verified: {told}" if outside else told
    when = spoken(one.hit.at, now)
    said = (
        f"you said {when}" if one.typed else f"in something you pasted, not your own words, {when}"
    )
    return f"{_quote(one.text)} ({said}) [{number}]"


def _when(one: Evidence) -> str:
    return _dated(one.hit.trust, one.hit.at) if one.typed else f"pasted, {date(one.hit.at)}"


def _dated(trust: Trust, at: datetime) -> str:
    """Return the day of something in a list, and whether it is from outside."""
    return f"from outside, not verified, {date(at)}" if trust is Trust.EXTERNAL else date(at)


def _quote(text: str) -> str:
    """Return words as a quotation, without a full stop that would end the sentence around it."""
    return f"“{_plain(clipped(text, LONGEST_QUOTE)).rstrip(' .')}”"


def _plain(text: str) -> str:
    """Return text whose characters Markdown would read as markup stand for themselves."""
    return re.sub(r"([\\`*_\[\]<~])", r"\\\1", text)
