"""Tell what a message asks from what it tells along with that.

"Which tablets may I take, I've got a cold?" tells of a cold, "What can I cook for my mother, who is
diabetic?" of a mother, and "Wo wohne ich?" nothing.
"""

import re
from dataclasses import replace
from functools import cache

from app.domain.language.question import asks, asks_in_form
from app.memory.reading.marks import MarkedSpan
from app.memory.reading.words import words

LONGEST = 50  # words
_ARTICLES = "the|a|an|dem|der|den|einem|einer|el|la|los|las|un|una|le|les|une|de|het|een"
LED_IN = 3  # words of a question before what it asks
_ASKED_END = re.compile(r"[.!?…;:]|\n")
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n")
_TEXT_END = re.compile(r"\Z")
_QUESTION = re.compile(
    r"(?:[,;–—]\s+(?:so\s+|and\s+|but\s+)?|\s(?:so|and|but)\s+)"
    r"(?P<asks>(?:what|which|who|whom|where|when|why|how)\s(?:[^\W_]+\s){0,3})?"
    r"(?:am|is|are|was|do|does|did|can|could|may|shall|should|will|would|must)\s"
    r"(?:i|we|you|he|she|it|they|that|this)\b",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"\b(?:do|does|did|am|is|are|was|were|can|could|may|shall|should|will|would|must|have|has)\s*$",
    re.IGNORECASE,
)


def before_question(text: str, one: MarkedSpan, *, asks: bool) -> MarkedSpan:
    """Return what a stretch tells before it asks: "I've got a cold, which tablets may I take".

    Args:
        text: The message.
        one: The stretch.
        asks: Whether the message asks; else only what begins with "where" and the like does.
    """
    asked = _QUESTION.search(text, one.start, one.end)
    if asked is None or not (asks or asked["asks"]):
        return one
    return replace(one, end=asked.start())


def with_question(text: str, one: MarkedSpan) -> MarkedSpan:
    """Return a stretch that begins within a question with all of it, since it says what is meant.

    "Does a Fitbit work with a defibrillator in the chest? They put mine in in 2022." Where both are
    too long together, it is stated without the question.
    """
    ends = [found for found in _SENTENCE_END.finditer(text, 0, one.end) if found.end() < one.end]
    last = next((found for found in ends if found.end() > one.start), None)
    start = sentence_begins(text, one.start)
    if last is None or last[0] != "?" or not text[start : one.start].strip():
        return one
    if len(text[start : one.end].split()) > LONGEST:
        start = last.end()
    return replace(one, start=len(text) - len(text[start:].lstrip()))


def described(text: str, one: MarkedSpan) -> MarkedSpan | None:
    """Return what a stretch of a question says of somebody it names: "my mother, who is diabetic".

    None where it says nothing like that, or all that is marked is not part of it.
    """
    stop = _ASKED_END.search(text, one.end)
    if stop is None or stop[0] != "?":
        return None
    for found in _described().finditer(text, sentence_begins(text, one.start), one.end):
        if found.start() <= one.start < found.end() < one.end:
            return replace(one, start=found.start())
    return None


@cache
def _described() -> re.Pattern[str]:
    """Return what somebody is described with: "my mother, who", "mein Sohn mit Asthma"."""
    mine, who, having = (
        "|".join(map(re.escape, sorted(w)))
        for w in (words().my, words().describing, words().having)
    )
    named = rf"\b(?:{mine})\s(?:[^\W\d_]+\s){{0,2}}[^\W\d_]+"
    has = rf"(?:{having})\s(?!(?:{mine}|{_ARTICLES})\b)"  # not "my car with the dealer"
    return re.compile(rf"{named}(?:,?\s(?:{who})\s|,\s(?:der|die|das)\s|\s{has})", re.IGNORECASE)


def is_asked(text: str, one: MarkedSpan, *, unmarked: bool) -> bool:
    """Return whether a stretch is what its sentence asks: "May I serve milk to Joel?".

    Of several sentences the last one counts: "Is there a train at 8? I start work there on Monday".

    Args:
        text: The message.
        one: The stretch.
        unmarked: Whether the last sentence may ask without a mark.
    """
    known = described(text, one)
    if known is not None and known.start == one.start:
        return False
    last = max(sentence_begins(text, one.end), one.start)
    last += len(text[last : one.end]) - len(text[last : one.end].lstrip())
    one = replace(one, start=last) if last < one.end else one
    start = sentence_begins(text, one.start)
    stop = _ASKED_END.search(text, one.end) or (_TEXT_END.search(text) if unmarked else None)
    if stop is None or stop[0] not in ("?", ""):
        return False
    if _INVERTED.search(text, start, one.start) and asks(text[start : one.end]):
        return True  # "how many days do I work at the café now"
    said = text[one.start : one.end].lower().split()
    bare = bool(stop[0]) and not text[one.end : stop.start()].strip()
    if bare and words().subjects.isdisjoint(said):
        return True  # "Clarithromycin ok with clopidogrel?"
    opened = text.rfind("¿", start, one.start) + 1
    led_in = len(text[max(start, opened) : one.start].split()) <= LED_IN
    if bare and led_in and (opened or asks_in_form(text[start : one.end])):
        return True  # "Wo wohne ich?"
    return len(text[start : one.start].split()) <= LED_IN and asks(text[start : one.end])


def sentence_begins(text: str, at: int) -> int:
    """Return where the sentence begins that a place of a message is in, or right behind."""
    before = [stop for stop in _SENTENCE_END.finditer(text, 0, at) if stop.end() < at]
    return before[-1].end() if before else 0
