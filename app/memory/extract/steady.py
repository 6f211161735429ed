"""Judge leniently whether a clause tells how things are with somebody or something of theirs.

The judges of ``doing`` and ``being`` keep what is sure by itself. Where a whole sentence would
otherwise be lost, the form of its verb is enough: the simple present tells what is so as a rule,
and what is told of a mother or a pension is told of a life. Moods, faults and what somebody
is just busy with stay out.
"""

import re

from app.memory.extract import lives, marks
from app.memory.extract.clauses import Clause
from app.memory.extract.predicate import Aspect, Predicate, read_predicate
from app.memory.extract.subjects import OURS, Kind
from app.memory.extract.verbs import MENTAL, SCENE, TASK, verb_of
from app.memory.extract.vocabulary import PEOPLE, listed

_AS_A_RULE = (Aspect.PRESENT, Aspect.COPULA, Aspect.POSSESSION, Aspect.PASSIVE)
_PASSING = frozenset(
    listed(
        "come, go, call, ring, phone, text, bring, watch, eat, make, play, visit, arrive, cook, "
        "pick, "
        "love, like, hate, enjoy, start, keep, help, invite, want, surprise, take, be, have, do, "
        "get, give, send, let, show, join, cheer, smile, laugh, hug, spend, sit, stay, wait"
    )
)
_STATED = frozenset(listed("consist, stretch, depend, mean, belong, include, want, need, insist"))
_HAPPENED = frozenset(
    listed(
        "spend, live, grow, study, serve, work, meet, marry, break, crack, lose, win, travel, "
        "cycle, "
        "sail, climb, hitchhike, teach, sprain, fracture, survive, emigrate, train, busk, sell, "
        "found"
    )
)
_FELT = re.compile(
    r"(?:(?:so|very|really|too|a bit|quite|just|not|pretty|absolutely|being|dreadfully|all|"
    r"always) )*"
    r"(?:good|great|bad|nice|lovely|fun|ok|okay|fine|happy|sad|mad|angry|tired|busy|amazing|"
    r"awesome|"
    r"beautiful|cute|sweet|kind|funny|crazy|weird|strange|proud|excited|important|special|hard|"
    r"easy|"
    r"right|wrong|here|there|late|early|back|gone|asleep|awake|ready|like|over|up|down|more|"
    r"the same|"
    r"what|how|why|that|this|to|(?:my|our) (?!\w+(?:er|or|ist)\b)\w+$|(?:just )?as \w+|made of)\b",
    re.IGNORECASE,
)
_BARE_NOUN = re.compile(
    r"(?!it\b|that\b|this\b|so\b|not\b|well\b|what\b|my\b|the\b|a\b)[a-z]{4,}\b", re.I
)
_KIN_WORDS = 2


def is_steady(clause: Clause) -> bool:
    """Return whether a clause tells how things are, or what changed them."""
    read = read_predicate(clause.predicate, first_person=clause.subject.kind is Kind.SELF)
    if read is None or not read.rest or clause.passing:
        return False
    if (
        " than " in read.rest
        or marks.POINTING.match(read.rest)
        or marks.POINTS_BACK.search(read.rest)
    ):
        return False
    judge = {
        Kind.PERSON: _somebody,
        Kind.PET: _somebody,
        Kind.THING: _something,
        Kind.SELF: _oneself,
    }.get(clause.subject.kind)
    return judge is not None and judge(clause, read)


def _somebody(clause: Clause, read: Predicate) -> bool:
    if not clause.subject.noun or len(read.rest.split()) < _KIN_WORDS:
        return False
    if read.aspect is Aspect.PAST:
        return read.verb not in MENTAL | TASK | SCENE | _PASSING
    if read.aspect not in _AS_A_RULE:
        return False
    if read.aspect is Aspect.COPULA:
        return not _FELT.match(read.rest)
    return read.verb not in (MENTAL | TASK) - _STATED


def _something(clause: Clause, read: Predicate) -> bool:
    noun = clause.subject.noun
    if noun == OURS or lives.ABSTRACT.search(noun) or marks.TASKS.search(noun):
        return False
    if read.aspect not in _AS_A_RULE or read.aspect is Aspect.PASSIVE:
        return False
    if lives.FAULTY.match(read.rest):
        return False
    if read.aspect is Aspect.COPULA:
        return not _FELT.match(read.rest) and bool(
            marks.NAMED.search(read.rest) or marks.FIGURE.search(read.rest)
        )
    if read.verb in MENTAL - _STATED:
        return False
    return len(read.rest.split()) >= _KIN_WORDS or bool(marks.NAMED.search(clause.subject.text))


def _oneself(clause: Clause, read: Predicate) -> bool:
    if read.aspect is Aspect.POSSESSION:
        return bool(_HAS_SOMEBODY.match(read.rest))
    if read.aspect is Aspect.PAST and read.verb in _HAPPENED:
        return bool(marks.NAMED.search(read.rest) or _HURT.search(read.rest))
    if read.aspect is not Aspect.PRESENT or read.verb in MENTAL:
        return False
    if read.verb == "do":
        noun = _BARE_NOUN.match(read.rest)
        return noun is not None and verb_of(noun.group()) is None
    if re.match(r"(?:\w+ing|like)\b", read.rest):
        return False
    return read.verb in _DONE_AS_A_RULE and not marks.SPECIFIC.match(read.rest)


_HAS_SOMEBODY = re.compile(
    rf"(?:got )?(?:an?|one|two|three|four|five|"
    rf"no) (?:[\w-]+ ){{0,2}}?(?:{'|'.join(sorted(PEOPLE))})\b"
    r"(?! (?:who|that) (?:says|said|thinks|told))",
    re.IGNORECASE,
)
_HURT = re.compile(
    r"\b(?:rib|ankle|wrist|leg|arm|hip|collarbone|tooth|teeth|toe|finger|skull|knee)s?\b"
)
_DONE_AS_A_RULE = frozenset(
    listed(
        "sleep, wake, train, manage, sing, row, teach, breed, keep, grow, "
        "volunteer, commute, cycle, swim, climb, foster, coach, referee, paint, write, cook, bake"
    )
)
