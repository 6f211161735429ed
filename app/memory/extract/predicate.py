"""Read the verb of a clause: which verb, in which tense, denied or not, and what comes after it."""

import re
from dataclasses import dataclass
from enum import StrEnum

from app.memory.extract.verbs import Form, is_ing, verb_of
from app.memory.extract.vocabulary import listed


class Aspect(StrEnum):
    """What the verb group says of the time and the nature of what is told."""

    PRESENT = "present"  # I swim
    PROGRESSIVE = "progressive"  # I am swimming
    PAST = "past"  # I swam
    WAS_DOING = "was doing"  # I was swimming
    PERFECT = "perfect"  # I have swum, I have been swimming
    FUTURE = "future"  # I will swim, I am going to swim
    ABLE = "able"  # I can swim
    DUTY = "duty"  # I have to swim
    COPULA = "copula"  # I am a swimmer
    WAS = "was"  # I was a swimmer
    PASSIVE = "passive"  # I am sponsored
    POSSESSION = "possession"  # I have a boat


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of a subject.

    Attributes:
        verb: The verb's base form; of a copula what it is: "be".
        rest: What follows it.
        denied: Whether it says "not", "never" or "no longer".
        adverbs: The adverbs before it, as one string.
    """

    aspect: Aspect
    verb: str
    rest: str
    denied: bool = False
    adverbs: str = ""


_ADVERBS = frozenset(
    listed(
        "also, still, just, now, always, usually, often, sometimes, only, mostly, mainly, really, "
        "actually, even, already, currently, recently, finally, normally, typically, generally, "
        "rarely, seldom, hardly, ever, occasionally, regularly, absolutely, quite, very, so, both, "
        "all, never, not, no, longer, once, then, first, probably, officially, permanently, "
        "basically, literally, simply, secretly, fully, partly, almost, long, each, kind, of, "
        "sort, apparently, largely, strictly, exclusively, happily, gladly, eventually, soon, "
        "temporarily, newly, originally, truly, totally, completely, definitely, certainly, "
        "religiously, habitually, frequently, commonly, primarily, chiefly, purely, proudly, "
        "nearly, daily, better, best, freshly, severely, badly, legally, technically, easily, "
        "half, co-, self, personally, unfortunately, sadly, luckily, rather, too"
    )
)
_DENIALS = frozenset(listed("not, never, no"))
_BE = {"am": Aspect.COPULA, "is": Aspect.COPULA, "are": Aspect.COPULA} | {
    "was": Aspect.WAS, "were": Aspect.WAS,
}  # fmt: skip
_MODALS = {"will": Aspect.FUTURE, "shall": Aspect.FUTURE, "can": Aspect.ABLE,
           "cannot": Aspect.ABLE, "must": Aspect.DUTY, "should": Aspect.DUTY}  # fmt: skip
_GOING_TO = re.compile(
    r"going to (?=[a-z]+\b)(?!the\b|my\b|a\b|our\b)(?P<verb>[a-z-]+)\b ?(?P<rest>.*)"
)
_ADJECTIVES = frozenset(
    listed(
        "allergic, married, divorced, retired, engaged, interested, scared, tired, bored, pleased, "
        "excited, worried, confused, impressed, convinced, lost, stuck, done, finished, closed, "
        "open, broken, used, supposed, related, gone, left, wounded, registered, widowed, separated"
    )
)


def read_predicate(words: str, *, first_person: bool) -> Predicate | None:
    """Return what a predicate (contractions written out) says, or None where it has no verb.

    Args:
        words: What is said of the subject.
        first_person: Whether the subject is "I" or "we", after which any word can be a verb.
    """
    tokens = words.split()
    at, before = _skipped(tokens, 0)
    if at >= len(tokens):
        return None
    word = tokens[at].lower()
    if word in _BE:
        return _copula(tokens, at, before)
    if word in ("have", "has", "had"):
        return _perfect(tokens, at, before)
    if word in ("do", "does", "did"):
        return _done(tokens, at, before)
    if word in _MODALS:
        start, adverbs = _skipped(tokens, at + 1)
        denied = word == "cannot" or _denies(before + adverbs)
        return _made(_MODALS[word], tokens, start, before + adverbs, denied=denied)
    return _lexical(tokens, at, before, first_person=first_person)


def _skipped(tokens: list[str], start: int) -> tuple[int, list[str]]:
    at = start
    while at < len(tokens) and _is_adverb(tokens[at].lower().strip(",")):
        at += 1
    return at, [token.lower().strip(",") for token in tokens[start:at]]


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and len(word) > 4 and verb_of(word) is None)


def _denies(adverbs: list[str]) -> bool:
    return any(adverb in _DENIALS for adverb in adverbs)


def _made(
    aspect: Aspect, tokens: list[str], at: int, adverbs: list[str], *, denied: bool = False
) -> Predicate | None:
    if at >= len(tokens):
        return None
    verb = verb_of(tokens[at])
    return Predicate(
        aspect,
        verb.lemma if verb else tokens[at].lower().strip(","),
        " ".join(tokens[at + 1 :]),
        denied or _denies(adverbs),
        " ".join(adverbs),
    )


def _copula(tokens: list[str], at: int, before: list[str]) -> Predicate | None:
    be = _BE[tokens[at].lower()]
    start, adverbs = _skipped(tokens, at + 1)
    adverbs = before + adverbs
    rest = " ".join(tokens[start:])
    denied = _denies(adverbs)
    if be is Aspect.COPULA and (found := _GOING_TO.match(rest)):
        return Predicate(Aspect.FUTURE, found["verb"], found["rest"], denied, " ".join(adverbs))
    if start < len(tokens) and is_ing(tokens[start]):
        aspect = Aspect.PROGRESSIVE if be is Aspect.COPULA else Aspect.WAS_DOING
        return _made(aspect, tokens, start, adverbs)
    word = tokens[start].lower().strip(",") if start < len(tokens) else ""
    verb = verb_of(word)
    if verb and Form.PARTICIPLE in verb.forms and word not in _ADJECTIVES:
        aspect = Aspect.PASSIVE if be is Aspect.COPULA else Aspect.WAS
        return _made(aspect, tokens, start, adverbs)
    return Predicate(be, "be", rest, denied, " ".join(adverbs))


def _perfect(tokens: list[str], at: int, before: list[str]) -> Predicate | None:
    past = tokens[at].lower() == "had"
    start, adverbs = _skipped(tokens, at + 1)
    adverbs = before + adverbs
    if start >= len(tokens):
        return None
    word = tokens[start].lower()
    if word == "to":
        return _made(Aspect.DUTY, tokens, start + 1, adverbs)
    verb = verb_of(word)
    if word == "been":
        inner, more = _skipped(tokens, start + 1)
        if inner < len(tokens) and is_ing(tokens[inner]):
            return _made(Aspect.PERFECT, tokens, inner, adverbs + more)
        rest = " ".join(tokens[start + 1 :])
        return Predicate(Aspect.PERFECT, "be", rest, _denies(adverbs), " ".join(adverbs))
    if verb and Form.PARTICIPLE in verb.forms:
        return _made(Aspect.PERFECT, tokens, start, adverbs)
    aspect = Aspect.PAST if past else Aspect.POSSESSION
    rest = " ".join(tokens[start:])
    return Predicate(aspect, "have", rest, _denies(adverbs), " ".join(adverbs))


def _done(tokens: list[str], at: int, before: list[str]) -> Predicate | None:
    past = tokens[at].lower() == "did"
    start, adverbs = _skipped(tokens, at + 1)
    if "not" in adverbs or (start < len(tokens) and "never" in before + adverbs):
        aspect = Aspect.PAST if past else Aspect.PRESENT
        return _made(aspect, tokens, start, before + adverbs)
    aspect = Aspect.PAST if past else Aspect.PRESENT
    rest = " ".join(tokens[start:])
    return Predicate(aspect, "do", rest, _denies(before), " ".join(before))


def _lexical(
    tokens: list[str], at: int, before: list[str], *, first_person: bool
) -> Predicate | None:
    word = tokens[at].lower().strip(",")
    verb = verb_of(word)
    if verb is None:
        if not word.replace("-", "").isalpha() or not (first_person or word.endswith(("s", "ed"))):
            return None
        aspect = Aspect.PAST if word.endswith("ed") else Aspect.PRESENT
        return _made(aspect, tokens, at, before)
    if Form.ING in verb.forms and len(verb.forms) == 1:
        return None
    if verb.lemma in ("need",) and at + 1 < len(tokens) and tokens[at + 1].lower() == "to":
        return _made(Aspect.DUTY, tokens, at + 2, before)
    present = Form.BASE in verb.forms if first_person else Form.THIRD in verb.forms
    if present or not verb.forms & {Form.PAST}:
        return _made(Aspect.PRESENT, tokens, at, before) if verb.finite else None
    return _made(Aspect.PAST, tokens, at, before)
