"""What the person says to be kept: "remember that …", "from now on …", "call me …"."""

import re
from dataclasses import dataclass

from app.memory.extract.clauses import without_openers
from app.memory.extract.doubt import is_order
from app.memory.extract.person import expanded, second_person
from app.memory.extract.sentences import Sentence
from app.memory.extract.subjects import is_name
from app.memory.extract.values import person_name

_KEEP = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please )?|(?:I (?:want|need|would like) you to )|"
    r"please )*(?:(?:always |please )*(?:remember|do not (?:ever )?forget|never forget|"
    r"note(?: down)?|take note|make a note|keep in mind|bear in mind|be aware|memori[sz]e|save|"
    r"write down|know)|for (?:your|future) reference)(?P<link>(?:(?:,| this| the following|"
    r",? please)?(?:[:,–-]+ ?| that ))| (?=(?:I|my|we|our)\b (?:[\w'-]+ ){1,})) ?(?P<what>.+)$",
    re.IGNORECASE,
)
_ABOUT_THE_PAST = re.compile(
    r"^(?:when|how|what|why|where|who|if|the (?:time|day)|(?:I|we) (?:told|asked|said|"
    r"mentioned))\b",
    re.IGNORECASE,
)
_FROM_NOW_ON = re.compile(
    r"^(?:from (?:now|here|today) on(?:wards?|ward| out)?|in (?:the )?future|going forward|"
    r"henceforth|starting (?:now|today)|as of (?:now|today)|for (?:all )?(?:future|"
    r"the rest of our) (?:answers|replies|chats?|conversations?))[,:]? (?:please )?(?P<what>.+)$",
    re.IGNORECASE,
)
_TO_THE_END = re.compile(
    r"^(?P<what>.+?),? (?:from now on|in (?:the )?future|going forward|at all times)(?:,? "
    r"please)?$",
    re.IGNORECASE,
)
_DUTIES = (
    "answer|reply|respond|use|call|address|write|give|include|add|show|format|explain|keep|be|ask|"
    "mention|start|end|speak|talk|translate|convert|assume|check|cite|suggest|recommend|put|round|"
    "sign|tell|treat|avoid|provide|list|refer|spell|send|quote|open|close|begin|finish|"
    "remind|offer|propose|apologi[sz]e|summari[sz]e|repeat|make|double-check|prefer|stick|leave"
)
_ALWAYS = re.compile(
    r"^(?:please |and )*(?:you (?:should|must|need to|have to|can|are to) (?:please )?|"
    r"I (?:want|need|would like) you to )?(?P<what>(?:always|never|do not ever) "
    rf"(?:please )?(?:{_DUTIES})\b .+)$",
    re.IGNORECASE,
)
_WHENEVER = re.compile(
    r"^(?P<what>(?:whenever|every time|each time|any ?time) (?:I|you|we)\b.+?, (?:please |"
    rf"always |then )*(?:{_DUTIES})\b.+|when I (?:ask|say|send|paste|"
    r"mention)\b.+?, (?:please )?always .+)$",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"^(?:please |also )*(?:you (?:should|must|will|can|need to|have to) )?(?:please )?"
)
_ASSISTANT = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:I|we|my|our)\b", re.IGNORECASE)
_CALL_ME = re.compile(
    r"^(?:(?:please|just|but|and|so|you can|you may|feel free to) )*call me (?P<name>[\w' .-]+?)"
    r"(?:,? (?:please|not .+|instead.*|for short|from now on))*$",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"^(?:everyone|everybody|people|(?:my|all my|most) friends|most people|they|my family)"
    r"(?: just| all| always| usually)? calls? me (?P<name>[\w' .-]+)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be kept.

    Attributes:
        words: The words themselves, contractions written out.
        instruction: Whether they tell the assistant how to behave from now on.
    """

    words: str
    instruction: bool = False


def to_keep(sentence: Sentence) -> Order | None:
    """Return what an explicit "remember that …" asks to be kept, or None."""
    text = without_openers(expanded(sentence.text))
    found = _KEEP.match(text) or _KEEP.match(expanded(sentence.text))
    if found is None or _ABOUT_THE_PAST.match(found["what"]) or len(found["what"].split()) < 2:
        return None
    what = found["what"]
    inner = _instruction(what)
    return Order(inner, instruction=True) if inner else Order(what)


def standing_instruction(sentence: Sentence) -> str | None:
    """Return a rule for all future answers, as one sentence, or None."""
    if sentence.question or sentence.foreign:
        return None
    return _instruction(without_openers(expanded(sentence.text)))


def preferred_name(sentence: Sentence) -> str | None:
    """Return the name by which the person wants to be called, or None."""
    for text in (expanded(sentence.text), without_openers(expanded(sentence.text))):
        if found := _CALL_ME.match(text) or _CALLED.match(text):
            name = found["name"].strip()
            if name[:1].isupper() or is_name(name.split()[0]):
                return person_name(name, sure=True)
    return None


def from_now_on(text: str) -> str:
    """Return a sentence without a "from now on" before what the person says of themselves."""
    found = _FROM_NOW_ON.match(text)
    return found["what"] if found else text


def _instruction(text: str) -> str | None:
    found = _FROM_NOW_ON.match(text) or _TO_THE_END.match(text)
    if found:
        what = _DUTY.sub("", found["what"])
        if re.match(rf"(?:always|never|{_DUTIES})\b", what, re.IGNORECASE) or is_order(what):
            return _as_rule(what)
        told = _DUTY.match(found["what"])
        addressed = bool(told and "you" in told.group())
        return _as_rule(what) if addressed or not _OF_ONESELF.search(what) else None
    found = _ALWAYS.match(text) or _WHENEVER.match(text)
    return _as_rule(found["what"]) if found else None


def _as_rule(what: str) -> str:
    what = re.sub(r"\bplease ", "", what.strip(" ,"))
    what = re.sub(r"\b(?:keep|make) your (?=answers|replies|responses)", r"keep the ", what)
    if _ASSISTANT.search(what):
        return what[:1].upper() + what[1:]
    return second_person(what)
