"""How a question asks: which way it looks in time, and whether a time in it is one asked for."""

import re
from collections.abc import Iterator

from app.domain.language.question import asks, wants_work
from app.memory.when.meanings import Tense

_LONG_SENTENCE = 400
_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?=\S|\s+[a-z\d]))*(?:[.!?]+|\n|$)")
_AND_WHAT = re.compile(r"(?=,? and (?:what|who|where|why|how|which|when)\b)", re.IGNORECASE)
_FRAME = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|well|hey|hi|please|now|then|also)\W+)*"
    r"(?:(?:do|can|could|would|will) you (?:still |please )?"
    r"(?:know|remember|recall|tell me|remind me|say|show me|list|find)"
    r"|(?:what|which|how much) (?:do|can) you (?:still )?(?:know|remember|recall)"
    r"|(?:please )?(?:tell|remind|show) me)\b\s*(?:again )?",
    re.IGNORECASE,
)
_OF_WHEN = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|well|hey|hi|please|now|then)\W+)*"
    r"(?:(?:since|until|till|by) when|when|how (?:long|soon|often|recently)"
    r"|(?:(?:on|in|at|since|until|by|for|about|of) )?(?:what|which)"
    r" (?:day|date|dates|days|month|months|year|years|week|weekday|weekend|season|time)\b"
    r"|(?:what(?:'s| is| was) )?the (?:date|day|year|month))\b"
    r"|\bhow (?:long|many (?:days|weeks|months|years|hours)) (?:ago|before|after|since|until)\b"
    r"|\bwhat (?:day|date|month|year|time) (?:is|was|did|do)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:will|shall|'ll|going to|tomorrow|upcoming|planned|planning|plans?|next|coming|due"
    r"|(?:am|is|are) (?:my )?\w+ \w+ing|have i got|have (?:anything|something)|scheduled)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:did|was|were|had|\w{3,}ed|went|said|told|bought|met|saw|made|ate|got|took|gave|came"
    r"|wrote|read|spoke|sent|spent|lost|found|left|paid|began|won|ran|felt|heard|kept|sold|sang"
    r"|drove|flew|caught|chose|drank|broke|wore|taught|thought|brought|built|cut|hurt|swam|slept"
    r"|have (?:i|we|you|they)|has (?:he|she|it|\w+) (?:\w+ed|been))\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"^\W*(?:what|who|which \w+) \w{3,}s\b"
    r"|\b(?:do|does|is|are|am|can|could|should|would|may|might|must|shall|usually|always|often"
    r"|normally|every|each)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:should|shall|can|could|would|may|might|must) (?:i|we)\b"
    r"|\b(?:recommend|suggest|help me)\b",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"\bdid (?:i|we|you) (?:\w+ )?(?:say|tell|mention|talk|speak|discuss|ask|write|chat|bring up)\b"
    r"|\b(?:i|we|you) (?:said|told|mentioned|talked|discussed|asked|wrote|chatted|brought up)\b"
    r"|\bhave (?:i|we) (?:said|told|mentioned|talked|discussed|asked)\b"
    r"|\b(?:our|my) (?:conversations?|chats?|messages?)\b|\bwas (?:said|discussed|mentioned)\b",
    re.IGNORECASE,
)
_SAYING_TO_OTHERS = re.compile(
    r"\b(?:say|tell|mention|talk|speak|discuss|write|chat|ask) (?:to |with |it to )?"
    r"(?:my|his|her|our|their|him|her|them|(?-i:[A-Z]))",
    re.IGNORECASE,
)
_TELLS = re.compile(r"^\W*(?:i|i'm|i've|we|he|she|they|it|you|my|our|there)\b", re.IGNORECASE)
_TERSE = 8
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Words of English that no other language has as often.
_ENGLISH = re.compile(
    r"\b(?:what|which|who|whom|whose|where|why|how|did|does|have|been|were|are|the|this|that|these"
    r"|those|my|your|our|their|you|she|they|and|with|about|from|said|say|told|tell|talk|talked"
    r"|if|but|when|there|not|many|much|more|most|some|than|only|first|go|went|gone|got|made|make"
    r"|bought|ate|saw|met|gave|found|good|great|new|old|friends?|years?|months?|weeks?|days?"
    r"|happened|happen|any|anything|everything|find|remind|explain|summari[sz]e|it|would|should)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences that may ask for a time, each question alone, with where it begins."""
    found = [one for one in _SENTENCE.finditer(text) if one[0].strip()]
    for one in found:
        place = one.start()
        for piece in _AND_WHAT.split(one[0]):
            if len(piece) <= _LONG_SENTENCE and _may_ask(piece, alone=len(found) == 1):
                yield place, piece
            place += len(piece)


def _may_ask(sentence: str, *, alone: bool) -> bool:
    if _OF_WHEN.search(_FRAME.sub("", sentence)) or _OF_WHEN.search(sentence):
        return False
    if asks(sentence) or wants_work(sentence):
        return True
    terse = len(_WORD.findall(sentence)) <= _TERSE and not sentence.rstrip().endswith((".", "!"))
    return alone and terse and not _TELLS.match(sentence)


def tense(sentence: str) -> Tense:
    """Return which way a sentence looks."""
    asked = _FRAME.sub("", sentence)
    if re.search(r"\bdid\b|\bwas\b|\bwere\b", asked, re.IGNORECASE):
        return Tense.PAST
    if _AHEAD.search(asked):
        return Tense.FUTURE
    if _BEHIND.search(asked):
        return Tense.PAST
    return Tense.HABIT if _HABIT.search(asked) else Tense.PAST


def seeks_advice(sentence: str) -> bool:
    """Return whether a sentence asks what to do, so that a time in it is when that will be."""
    return bool(_ADVICE.search(_FRAME.sub("", sentence)))


def is_of_saying(sentence: str) -> bool:
    """Return whether what is asked for is what was said to Loci, not what happened."""
    return bool(_SAYING.search(sentence)) and not _SAYING_TO_OTHERS.search(sentence)


def is_english(rest: str) -> bool:
    """Return whether a question without its times reads as English, or is too short to tell."""
    return len(_WORD.findall(rest)) < 3 or bool(_ENGLISH.search(rest))
