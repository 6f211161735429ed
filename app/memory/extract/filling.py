"""Fill an answer into the place that a question leaves open."""

import re
from collections.abc import Callable

from app.memory.when import words as when
from app.memory.when.words import any_of

_ANY = re.compile(
    r"\b(?P<any>(?:any|some) (?:other )?(?P<what>[\w' -]+?)|anything|an?y?one|something|somebody)"
    r"(?P<after>(?: (?:for|with|in|on|against|to|of|about) .+| (?:that )?(?:LOCI \w+|to) .+)?)$",
    re.IGNORECASE,
)

_NAMED_AS = re.compile(
    r"^(?:[\w-]+ )?(?:requirements?|restrictions?|preferences?|hobby|hobbies|interests?|goals?|"
    r"plans?|experience.*|qualifications?|skills?|conditions?|health (?:issues|problems)|needs|"
    r"commitments?|nickname|middle name|pseudonym|initials|surname|title|star sign)$",
    re.IGNORECASE,
)

_ENDS_OPEN = re.compile(r"\b(?:with|to|from|for|at|in|on|of|by|about|into|as)$", re.IGNORECASE)

_PREPOSED = re.compile(
    r"^(?:mostly |mainly |usually |always |just |only |somewhere |right |sort of )*(?:in|at|on|"
    r"near|by|"
    r"outside|above|under|behind|between|from|with|around|about|before|after|since|for|until|till|"
    r"during|every|each|twice|once|next|last|tomorrow|here|there|abroad|off|over|along|through|"
    r"half|"
    r"to|inside|opposite|next to|not|never|home|up|down|early|late|end|beginning|in the)\b",
    re.IGNORECASE,
)

_DAY = re.compile(
    rf"^(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{when.MONTH})|(?:{when.MONTH}) \d{{1,"
    rf"2}}\b|"
    rf"(?:{when.WEEKDAY})\b|\d{{1,2}}(?:st|nd|rd|th)\b)",
    re.IGNORECASE,
)

_MONTH_OR_YEAR = re.compile(
    rf"^(?:{when.YEAR}|(?:early |late |mid[ -])?(?:{when.MONTH}|{when.SEASON})\b)", re.I
)

_EDGE_OF = re.compile(r"^(?:end|beginning|start|middle) of ", re.IGNORECASE)

_CLOCK = re.compile(
    rf"^(?:half|quarter|noon|midnight|\d{{1,2}}(?:[.:]\d\d)? ?(?:am|pm)?\b|"
    rf"{any_of(when.NUMBERS)}\b)",
    re.IGNORECASE,
)


def _object(subject: str, verb: str, rest: str, answer: str) -> str | None:
    """What do I take for my migraines."""
    if verb in ("is", "are", "was", "were", "am") and not rest:
        return f"{subject} {verb} {answer}"
    if rest in ("called", "named") or rest.startswith("called"):
        return f"{subject} {verb} called {answer}"
    if verb in ("do", "does") and not rest:
        return f"{subject} {'am' if subject == 'I' else 'is'} {_an(answer)}{answer}"
    if _ENDS_OPEN.search(rest):
        return f"{subject} {verb} {rest} {answer}"
    first, comma, more = answer.partition(",")
    return " ".join(f"{subject} {verb} {first} {rest}".split()) + (f",{more}" if comma else "")


def _an(answer: str) -> str:
    if re.match(r"(?:an?|the|my|retired|unemployed|self|in|on|at|not)\b", answer, re.IGNORECASE):
        return ""
    return "an " if answer[:1].lower() in "aeiou" else "a "


def named(named: str, subject: str, verb: str, rest: str, answer: str) -> str | None:
    """Say what is asked by its name: "Which football team do I support?"."""
    if subject in ("I", "it") and not rest and verb in ("am", "is", "was"):
        return f"my {named} is {answer}"
    many = "are" if named.endswith("s") and not named.endswith("ss") else "is"
    if subject == "I" and re.match(r"(?:take|wear|have|use)\b", verb) and "size" in named:
        return " ".join(f"my {named} {rest} is {answer}".replace(" in ", " for ").split())
    return " ".join(f"the {named} {subject} {verb} {rest} {many} {answer}".split())


OWN = re.compile(
    r"\b(?:size|name|number|address|email|date of birth|time ?zone|pronouns|title|spelling|"
    r"currency|units?|"
    r"language|dialect|diet|initials|surname|phone|laptop|tablet|car|oven|stove|hob|camera|bike|"
    r"bank|hospital|"
    r"airport|station|brand|model|city|country|town|region|edition|instrument)$",
    re.IGNORECASE,
)


def _place(subject: str, verb: str, rest: str, answer: str) -> str | None:
    rest = re.sub(r"\b(?:now|these days|at the moment|currently|originally)\b", "", rest).strip()
    if _ENDS_OPEN.search(rest):
        return f"{subject} {verb} {rest} {answer}"
    lead = "" if _PREPOSED.match(answer) else "at " if answer.lower().startswith("the ") else "in "
    return " ".join(f"{subject} {verb} {rest} {lead}{answer}".split())


def _time(subject: str, verb: str, rest: str, answer: str) -> str | None:
    lead = ""
    if _EDGE_OF.match(answer):
        lead = "at the "
    elif _DAY.match(answer):
        lead = "on "
    elif _MONTH_OR_YEAR.match(answer):
        lead = "in "
    elif _CLOCK.match(answer) and not _PREPOSED.match(answer.replace("half", "", 1)):
        lead = "at "
    if verb in ("is", "was") and subject.endswith("birthday"):
        lead = ""
    return " ".join(f"{subject} {verb} {rest} {lead}{answer}".split())


def _span(subject: str, verb: str, rest: str, answer: str) -> str | None:
    if re.match(
        r"(?:about |around |over |almost |nearly )?(?:\d+|[a-z]+) (?:years?|months?|weeks?|"
        r"decades?)",
        answer,
    ):
        answer = f"for {answer}"
    return " ".join(f"{subject} {verb} {rest} {answer}".split())


def _age(subject: str, verb: str, rest: str, answer: str) -> str | None:
    bare = re.fullmatch(rf"(?:\d{{1,3}}|{any_of(when.NUMBERS)})(?:[ -]\w+)?", answer, re.IGNORECASE)
    return f"{subject} {verb} {answer}" + (" years old" if bare and "old" not in answer else "")


def _tall(subject: str, verb: str, rest: str, answer: str) -> str | None:
    return f"{subject} {verb} {answer} tall"


def _last(subject: str, verb: str, rest: str, answer: str) -> str | None:
    """How do I get to work, how often do I train."""
    if verb == "spell":
        return f"{rest} is spelled {answer}"
    if not rest and verb in ("am", "is", "are"):
        return None
    return " ".join(f"{subject} {verb} {rest} {answer}".split())


def counted(subject: str, verb: str, rest: str, counted: str, answer: str) -> str | None:
    """Say how many: "How many children do I have?"."""
    first, comma, more = answer.partition(",")
    has = counted.split()[-1].rstrip("s") in first.lower()
    amount = first if has or " of " in first else f"{first} {counted}"
    tail = f",{more}" if comma else ""
    if subject == "I" or subject.startswith("my "):
        return " ".join(f"{subject} {verb} {amount} {rest}".split()) + tail
    return None


FILLED: dict[str, Callable[[str, str, str, str], str | None]] = {
    "what": _object,
    "which": _object,
    "who": _object,
    "where": _place,
    "when": _time,
    "what time": _time,
    "how long": _span,
    "how old": _age,
    "how tall": _tall,
    "how often": _last,
    "how far": _last,
    "how much": _object,
    "how": _last,
}


def having(what: str, answer: str) -> str:
    """Say what somebody has of what was asked after."""
    noun = re.sub(r"^other ", "", re.sub(r" (?:that )?LOCI .*$", "", what)).strip()
    if re.search(r"allerg", noun):
        return f"I am allergic to {answer}"
    if _NAMED_AS.match(noun):
        return f"my {noun} {'are' if noun.endswith('s') else 'is'} {answer}"
    return f"I have {answer}"


def put(subject: str, verb: str, rest: str, answer: str) -> str | None:
    """Put an answer in the place of "any pets", or of the state or person that was asked about."""
    if favourite := re.match(
        r"^an? ((?:favou?rite|preferred|regular|usual|second|middle|native|maiden) [\w ]+)$", rest
    ):
        return f"{'my' if subject == 'I' else subject + chr(39) + 's'} {favourite[1]} is {answer}"
    if found := _ANY.search(rest):
        after = re.sub(r"^ (?:that )?LOCI .*$|^ to .*$", "", found["after"])
        what = (found["what"] or "").strip()
        if verb in ("have", "has") or rest.startswith("got"):
            if " it" in f" {answer}" and after:
                return f"my {what}{after}: {answer}"
            return having(what + after, answer) if subject == "I" else f"{subject} {verb} {answer}"
        before = rest[: found.start()]
        first, comma, more = answer.partition(",")
        tail = f",{more}" if comma else ""
        return " ".join(f"{subject} {verb} {before}{first}{after}".split()) + tail
    if verb in ("am", "is", "are") and (len(rest.split()) == 1 or rest.startswith("my ")):
        return f"{subject} {verb} {answer}"
    return None
