"""Judge what somebody is or has: whether it will be so tomorrow."""

import re

from app.memory.extract import lives, marks
from app.memory.extract.predicate import Aspect
from app.memory.extract.subjects import OURS, Kind
from app.memory.extract.told import Told
from app.memory.extract.vocabulary import PEOPLE, PETS
from app.memory.when import words as when


def of_the_house(told: Told) -> bool:
    """Whether what "the bins", "the kids" do is told of a home of their own, and told to last."""
    lasting = told.often or told.ahead or bool(_OLD.match(told.rest))
    if told.subject.noun in PEOPLE | PETS:
        return lasting or (told.read.aspect is Aspect.PRESENT and told.verb in lives.HOLDING)
    if lives.EXPECTED.search(told.subject.noun) and (told.ahead or marks.NAMED.search(told.rest)):
        return True
    if lives.OF_HOME.search(told.subject.noun) and told.read.aspect is Aspect.COPULA:
        if re.match(r"(?:about |only |just )?\d", told.rest):
            return not told.of_now
        return bool(re.match(r"an? ", told.rest)) and bool(marks.NAMED.search(told.rest))
    kept_up = lives.OF_HOME.search(told.subject.noun) and (told.often or told.days is not None)
    if kept_up and told.read.aspect in _DONE_TO:
        return True
    moved = told.read.aspect is Aspect.PAST and told.ahead
    if moved and re.match(r"(?:my|our) ", told.rest):
        return True
    timed = lasting or bool(marks.FIGURE.search(told.rest))
    return timed and bool(lives.AT_HOME.search(f"{told.subject.text} {told.rest}"))


_DONE_TO = (Aspect.PASSIVE, Aspect.WAS, Aspect.DUTY, Aspect.PERFECT)
_OLD = re.compile(
    r"\d+(?:, \d+)* and \d+$|(?:only |just |nearly |almost )?[\w-]+ (?:days|weeks|months|years) "
    r"old\b"
)


def copula(told: Told) -> bool:
    """What or where somebody is in life; what is dated or a habit."""
    rest = told.rest
    if told.is_of(Kind.SELF) and _ON_A_LIST.match(rest):
        return True
    if not rest or told.points or told.of_now:
        return False
    if told.is_of(Kind.SELF) and marks.MOOD.match(f"I am {rest}") and not told.often:
        return False
    if told.is_of(Kind.THING, Kind.HOUSEHOLD):
        return _thing_is(told)
    if told.ahead:
        return True
    if "always" in told.read.adverbs.split() and re.match(
        r"(?:so )?(?:cold|hot|tired|late|early|hungry|thirsty|awake|ill)\b", rest
    ):
        return True
    if told.often or told.days is not None:
        return bool(marks.IN_LIFE.match(rest) or _WHAT.match(rest) or _LONG.search(rest))
    if told.is_of(Kind.PERSON) and not told.subject.noun:
        return False
    if told.is_of(Kind.SELF) and _ROLE.match(rest):
        return True
    if _WHAT.match(rest):
        called = not rest.startswith("the one") and marks.SO_CALLED.search(HEAD.split(rest)[0])
        return len(rest.split()) > 1 and not called
    if (
        told.is_of(Kind.PERSON)
        and _SERVING.search(told.subject.noun)
        and re.match(r"(?:in|at) ", rest)
    ):
        return bool(marks.NAMED.search(rest))
    return bool(marks.LASTING_STATE.match(rest))


_SERVING = re.compile(
    r"\b(?:dentist|doctor|gp|lawyer|accountant|therapist|physio|hairdresser|vet|landlord|landlady)$"
)

_WHAT = re.compile(
    r"(?:an? |more of an? |much of an? |the (?:sort|kind|type) of (?:person|man|woman|guy|girl|mum|"
    r"dad) "
    r"(?:who|that)\b|the one (?:who|that|with)\b|the (?:only|oldest|youngest|eldest|middle|"
    r"first|"
    r"second|third|fourth|fifth|last)\b(?= \w+ (?:in|of|on|at))|the (?:only|oldest|youngest|"
    r"eldest|middle)\b|one of\b|"
    r"the [\w-]+ (?:in|at|for|on|of) (?:an?|the|my|our)\b)",
    re.IGNORECASE,
)

_ROLE = re.compile(
    r"the (?!winner|loser|killer|customer|user|owner|other|former|latter|answer|answerer|sister|"
    r"brother|mother|father|idiot|best|"
    r"first|last|next|reader|listener|speaker|asker|master|sinner|matter|letter|number|"
    r"person)\w+(?:er|or|ist|ian|man|woman|ant)"
    r"(?=$|,| here)"
)

_ON_A_LIST = re.compile(
    r"(?:on|in) (?:the|a) (?:[\w-]+ )?(?:waiting list|list for|board|committee|council|jury|"
    r"panel|rota|"
    r"organ donor register|donor register|payroll|transplant list|pill|dole)\b"
)
_LONG = re.compile(r"\b(?:since|for [\w ]+ years)\b")

HEAD = re.compile(
    r",| (?:of|in|at|for|with|from|who|that|to|on|and|so|by|before|after|until|when|than)\b"
)


def _thing_is(told: Told) -> bool:
    called = re.match(r"(?:an?|the|my|such) ", told.rest) and marks.SO_CALLED.search(
        HEAD.split(told.rest)[0]
    )
    if OWN_DAY.search(told.subject.noun) and re.match(
        rf"(?:on )?(?:{when.WEEKDAY})|\w+ (?:day|night|evening)\b", told.rest, re.I
    ):
        return True
    if lives.ABSTRACT.search(told.subject.noun) or called:
        return False
    if told.is_of(Kind.HOUSEHOLD) and (re.match(r"\d", told.rest) or _OLD.match(told.rest)):
        return True
    if (
        told.days is not None
        or told.often
        or (told.is_of(Kind.THING) and re.search(r"\d", told.rest))
    ):
        return True
    if told.subject.noun == OURS:
        return bool(marks.NAMED.search(told.rest))
    if lives.OF_HOME.search(told.subject.noun):
        return not lives.FAULTY.match(told.rest)
    brand = re.match(r"(?:an? |the )?(?:[\w-]+ )?[A-Z][\w-]+", told.rest)
    kind = told.is_of(Kind.THING) and re.match(r"an? \w+|[a-z]{3,}s\b(?! of)", told.rest)
    return bool(brand) or (bool(kind) and not lives.FAULTY.match(told.rest))


# "My clinic day is Thursday": of every week.
OWN_DAY = re.compile(r"\b(?!birth|wedding|moving|big)\w+ (?:day|night|evening)$|^\w+day$")


def possession(told: Told) -> bool:
    """What somebody has for good: of body and house, of the road, of a day that is coming."""
    rest = told.rest
    if marks.POINTING.match(rest) or told.of_now:
        return False
    timed = told.ahead or (" at " in rest and marks.FIGURE.search(rest))
    if timed and lives.OWN_DATE.search(rest):
        return True
    if told.is_of(Kind.THING, Kind.PERSON, Kind.PET) and marks.TASKS.search(rest):
        return False
    if _BUSINESS.match(rest) and told.is_of(Kind.SELF):
        return True
    if lives.HELD.search(rest) or lives.TROUBLE.match(rest):
        return True
    if marks.TASKS.search(rest):
        return False
    if told.is_of(Kind.THING) and lives.OF_HOME.search(told.subject.noun):
        return not _FAULT.search(rest)
    if told.read.denied and re.match(r"(?:an? |any )?[A-Z]\w+", rest):
        return True
    named = re.search(
        r"\bcalled [A-Z]|\bmy own\b|\bnamed [A-Z]|^(?:an? |two |three )?(?:[\w-]+ )?[A-Z]\w+ \w",
        rest,
    )
    return told.often or bool(named)


_BUSINESS = re.compile(rf"(?:an?|my own|our own) (?:[\w-]+ ){{0,2}}?(?:{lives.BUSINESS})\b", re.I)
_FAULT = re.compile(
    r"\b(?:problems?|flat|puncture|leak|crack|hole|scratch|dent|issue|fault|noise|light on|gone|"
    r"bug|rust)\b"
)
