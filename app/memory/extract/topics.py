"""Put what somebody names first back where it belongs: "Olives, I can't stand them".

What is spoken of may come before who speaks ("Cheese with mould I don't eat"), or behind a "there
is", or behind a riddle ("guess who's off to Rome"). All of it is said of "I" or "we".
"""

import re

from app.memory.extract.subjects import CAPITALISED, KIN, PET

# No clause of its own: a thing, with what goes with it.
_TOPIC = (
    r"(?!.*\b(?:I|we|you|he|she|they|it|is|are|was|were|has|had|do|did|got|please|thanks|and|but|"
    r"what|which|that|who|this|the (?:thing|way|time|one|more|only))\b.*,? (?:I|we) )"
    r"[\w'-]+(?: [\w'.-]+){0,4}?"
)
_NOW_AND_THEN = r"(?:(?:do not|cannot|never|always|only|have to|have|still) )*"
_TAKEN_UP = re.compile(
    rf"^(?P<what>{_TOPIC}), (?P<who>I|we) (?P<does>{_NOW_AND_THEN}(?:take|use|eat|drink|play|wear|"
    r"hate|love|like|adore|avoid|stand|bear|speak|study|teach|collect|grow|breed|inject|need|had)) "
    r"(?:it|them|those)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    rf"^(?P<what>{_TOPIC}) (?P<who>I|we) (?P<does>(?:do not|cannot|can never|never) (?:eat|drink|"
    r"stand|support|bear|like|tolerate|touch|digest|abide|take)|hate|loathe|detest)"
    r"(?:,? (?:never|ever|at all|any ?more|really|not))*$",
    re.IGNORECASE,
)
_THERE = re.compile(
    rf"^there (?:is|are) (?P<who>(?:an?|one|two|three|four|five|\d+) (?:[\w-]+ ){{0,3}}?(?:{KIN}|"
    rf"{PET})) (?:in (?:this|our|my) (?:house|home|flat|family|household)|at home|at our place|"
    rf"here|"
    r"with us)\b",
    re.IGNORECASE,
)
_APPOSED = re.compile(
    rf"^(?P<who>(?i:the twins|(?:my|our) (?:[\w-]+ ){{0,2}}?(?:{KIN}|{PET}))), "
    rf"(?P<names>{CAPITALISED} and {CAPITALISED}), (?=[a-z])"
)
_GUESS_WHO = re.compile(
    r"^guess who (?P<does>is|has|got|passed)\b(?! (?:this|it)\b)", re.IGNORECASE
)
_OF_ME = {"is": "am", "has": "have"}


def put_in_order(text: str) -> str:
    """Return a sentence (contractions written out) with its subject first."""
    text = _APPOSED.sub(r"\g<who> \g<names> ", text)
    low = text.lower()
    if low.startswith("there ") and (found := _THERE.match(text)):
        return f"we have {found['who']}{text[found.end() :]}"
    if low.startswith("guess ") and (found := _GUESS_WHO.match(text)):
        return f"I {_OF_ME.get(found['does'].lower(), found['does'])}{text[found.end() :]}"
    after = low.find(" i ") if " i " in low else low.find(" we ")
    if not 0 < after < _FAR or low.startswith(_WITHIN):
        return text
    if found := _TAKEN_UP.match(text) or _REFUSED.match(text):
        return f"{found['who']} {found['does']} {_low(found['what'])}{text[found.end() :]}"
    return text


_FAR = 45  # characters
_WITHIN = (
    "i ",
    "we ",
    "it ",
    "my ",
    "that ",
    "this ",
    "so ",
    "and ",
    "but ",
    "if ",
    "when ",
    "what ",
)


def _low(topic: str) -> str:
    """Return a topic for the middle of a sentence; a name with a number keeps its capital."""
    return topic if re.search(r"\d", topic) else topic[:1].lower() + topic[1:]
