"""Answer without any language model: quote what is remembered, and say plainly what is not.

It never claims to have stored anything (the window shows that, when it is true) and never makes
anything up: every fact it states is a quotation with its date.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from app.conversation.block import replaced
from app.conversation.dates import date, spoken
from app.domain.conversation import Role
from app.domain.memory import Trust
from app.domain.question import asks, only_asks, wants_work
from app.domain.recall import Hit, HitKind
from app.domain.text import clipped

CLOSE = 0.45
RELATED = 0.5
QUOTED = 5
LONGEST_QUOTE = 400

NOTHING = "I have nothing about that yet."
NO_MODEL = (
    "No language model is chosen, so I can only quote what you have told me."
    " To get written answers, choose one under **Models**."
)
NEEDS_MODEL = (
    "That needs a language model, and none is chosen. I can quote what you have told me; to get"
    " written answers, choose a model under **Models**."
)
GREETING = (
    "Hello. Tell me anything you would like to keep, or ask me about something you have told me."
)


class Kind(StrEnum):
    """What a message is, as far as its words tell."""

    GREETING = "greeting"
    THANKS = "thanks"
    STATEMENT = "statement"
    QUESTION = "question"
    REQUEST = "request"


_GREETING = re.compile(
    r"\W*(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening))"
    r"(?: (?:there|loci|again|you))*\W*",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"\W*(?:ok(?:ay)?,? |great,? |cool,? )*(?:thanks|thank you|thx|cheers|ta)\b[^?]{0,40}",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"\W*(?:please )?(?:remember|note|keep in mind|don'?t forget|do not forget|from now on)\b",
    re.IGNORECASE,
)


NOT_LEARNING = "Remembering is off here, so I keep this in the conversation and learn nothing."


def answer(text: str, hits: Sequence[Hit], now: datetime, *, learns: bool = True) -> str:
    """Return the answer to a message, in Markdown.

    Args:
        text: What the person wrote.
        hits: What was recalled, best first; ``[1]`` in the answer is the first of them.
        now: The present.
        learns: Whether anything is remembered from this conversation.
    """
    kind = kind_of(text)
    if kind is Kind.GREETING:
        return GREETING
    if kind is Kind.THANKS:
        return "You’re welcome."
    if kind is Kind.STATEMENT:
        return _acknowledged(hits, now) if learns else NOT_LEARNING
    if kind is Kind.REQUEST:
        return _declined(hits, now)
    return _told(hits, now)


def kind_of(text: str) -> Kind:
    """Return what a message is: its opening decides, then its punctuation."""
    if _GREETING.fullmatch(text):
        return Kind.GREETING
    if _THANKS.fullmatch(text):
        return Kind.THANKS
    if _KEEP.match(text):
        return Kind.QUESTION if text.rstrip().endswith("?") else Kind.STATEMENT
    if wants_work(text):
        return Kind.REQUEST
    return Kind.QUESTION if asks(text) else Kind.STATEMENT


def _told(hits: Sequence[Hit], now: datetime) -> str:
    telling = _telling(hits)
    if not telling:
        return f"{NOTHING}\n\n{NO_MODEL}"
    surest = max(_relevance(hit) for _, hit in telling)
    opening = "Here is what I have:" if surest >= CLOSE else "This is the closest I have:"
    if len(telling) == 1 and surest >= CLOSE:
        return _sentence(*telling[0], now)
    return "\n".join([opening, "", *_lines(telling, now)])


def _acknowledged(hits: Sequence[Hit], now: datetime) -> str:
    related = [found for found in _telling(hits) if _relevance(found[1]) >= RELATED]
    if not related:
        return "Noted."
    return "\n".join(["Noted. This goes with what I already had:", "", *_lines(related[:2], now)])


def _declined(hits: Sequence[Hit], now: datetime) -> str:
    telling = _telling(hits)
    if not telling:
        return NEEDS_MODEL
    return "\n".join([NEEDS_MODEL, "", "What I have that may help:", "", *_lines(telling, now)])


def _telling(hits: Sequence[Hit]) -> list[tuple[int, Hit]]:
    """Return the hits to quote, with their numbers; a question asked before tells nothing."""
    return [
        (number, hit)
        for number, hit in enumerate(hits[:QUOTED], start=1)
        if hit.kind is HitKind.MEMORY or not only_asks(hit.text)
    ]


def _lines(found: Sequence[tuple[int, Hit]], now: datetime) -> list[str]:
    return [f"- {_sentence(number, hit, now)}" for number, hit in found]


def _sentence(number: int, hit: Hit, now: datetime) -> str:
    """Return one quotation with its date and number."""
    quote = _plain(clipped(hit.text, LONGEST_QUOTE))
    if hit.kind is HitKind.MESSAGE:
        when = spoken(hit.at, now)
        return f"{when[0].upper()}{when[1:]} {_speaker(hit)}: “{quote}” [{number}]"
    when = ", ".join(filter(None, (date(hit.at), replaced(hit))))
    if hit.trust is Trust.EXTERNAL:
        return f"From outside, not verified: {quote} ({when}) [{number}]"
    return f"{quote} ({when}) [{number}]"


def _speaker(hit: Hit) -> str:
    if hit.speaker and hit.speaker not in (Role.USER, Role.ASSISTANT):
        return f"{_plain(hit.speaker)} said"
    return "I said" if Role.ASSISTANT in (hit.role, hit.speaker) else "you said"


def _plain(text: str) -> str:
    """Return text whose characters Markdown would read as markup stand for themselves."""
    return re.sub(r"([\\`*_\[\]<~])", r"\\\1", text)


def _relevance(hit: Hit) -> float:
    return hit.score if hit.relevance is None else hit.relevance
