"""Judge what somebody does, did or is going to do: whether it says something of a life."""

import re

from app.memory.extract import lives, marks
from app.memory.extract.being import HEAD, possession
from app.memory.extract.predicate import Aspect
from app.memory.extract.subjects import Kind
from app.memory.extract.told import Told
from app.memory.extract.verbs import MENTAL, SCENE, TASK
from app.memory.extract.vocabulary import listed
from app.memory.when.words import NUMBERS, any_of

MOVES = frozenset(
    ("move", "push", "postpone", "reschedule", "delay", "book", "shift", "schedule", "change")
)


def present(told: Told) -> bool:
    """A habit, or something that is done as a rule: "I restore pipe organs for a living"."""
    rest = told.rest
    if told.is_of(Kind.THING):
        return _thing_does(told)
    if _LIKE.match(rest) or (_MUTUAL.search(rest) and not told.often):
        return False
    if told.verb == "have":
        return possession(told)
    if told.verb == "let" and re.match(r"(?:me|us) (?!know|see|think)\w+", rest):
        return not told.of_now
    if told.verb == "look" and re.match(r"after (?!it|this|that)", rest):
        return not told.of_now
    if told.verb in MENTAL and not ((told.often or told.ahead) and told.verb in lives.FREQUENT):
        return False
    if told.ahead:
        asks = told.verb in MENTAL and marks.TASKS.search(rest)
        if told.verb == "move":
            return True
        return not asks and (told.verb not in TASK or not told.is_of(Kind.SELF))
    if told.of_now and not (told.often and marks.NOW_AND_ALWAYS.search(told.around)):
        return False
    if _MEASURED.search(rest):
        return False
    if told.often:
        task = told.is_of(Kind.SELF) and marks.TASKS.search(rest)
        return bool(rest) and not task and not _KEEPS.match(f"{told.verb} {rest}")
    return not _KEEPS.match(f"{told.verb} {rest}") and _by_itself(told)


def _by_itself(told: Told) -> bool:
    """What somebody does without saying when: only some verbs and objects tell that it lasts."""
    rest = told.rest
    if told.verb in _TASTES:
        return False
    if lives.HELD.search(rest) and told.verb in _HOLDS:
        return True
    if told.verb == "work" and _HOURS.match(rest):
        return True
    if told.verb in ALONE and (not rest or rest.startswith((",", "so "))):
        return True
    if told.verb in lives.HOLDING and told.verb in TASK and _PLACED.search(rest):
        return not marks.TASKS.search(rest)
    if told.verb in ("live", "work") or not rest or told.points:  # the tables know these two
        return False
    if told.verb in _BY_MEANS and re.match(r"with (?:an?|my) ", rest):
        return True
    if told.verb in lives.HOLDING and marks.NAMED.search(rest):
        return True
    if _ROUND.match(f"{told.verb} {rest}") and not marks.TASKS.search(rest):
        return True
    if told.verb in TASK | SCENE:
        return bool(_GENERIC.match(rest)) or (
            told.verb == "do" and told.read.denied and not marks.SPECIFIC.match(rest)
        )
    return told.verb in lives.HOLDING or not (marks.SPECIFIC.match(rest) or marks.INTO.match(rest))


# These say enough without an object: "I rent", "Pieter snores".
ALONE = frozenset(
    listed(
        "rent, smoke, drink, drive, stammer, stutter, snore, commute, freelance, foster, "
        "homeschool, "
        "sleepwalk, breastfeed, lipread, limp, box, fence, row, sail, surf, fish, hunt, garden, "
        "knit, sew, "
        "crochet"
    )
)
# "We use Jira at work", "I write on a typewriter".
_PLACED = re.compile(
    r"^(?:[A-Z]\w+|an? (?:[\w-]+ )?\w+) (?:at (?:work|home|school)|on my|in my|for work|with my)\b|"
    r"^(?:on|with|by|from) (?:an? |my )\w+"
)
_ROUND = re.compile(
    rf"(?:run|manage|own|lead|head|chair) (?:an?|the|my|"
    rf"our) (?:[\w-]+ ){{0,3}}?(?:{lives.BUSINESS})\b|"
    r"(?:pick|drop|fetch|collect|walk)(?: up| off)? (?:the|my|our) (?:kids|children|twins|boys|"
    r"girls|"
    r"grandchildren|grandkids|dogs?)\b|(?:charge|park|moor|stable) (?:the|my|our) [\w-]+ (?:at|"
    r"in|on|"
    r"behind|outside) |(?:shop|bank|worship|train|climb) (?:at|with) |"
    r"(?:do|run|work) the (?:\w+ )?(?:run|shifts?|rounds?|nights?|books|accounts|payroll)\b|"
    r"report to (?!you\b|the (?:office|desk))|(?:run|do|manage|handle|write|sell|keep) \w+(?: "
    r"\w+)? for "
    r"(?:an?|the|our|my) (?!it\b|moment|while|bit|time)\w+"
)
_LIKE = re.compile(rf",|like (?!\d|(?:{any_of(NUMBERS)})\b)")
_HOURS = re.compile(
    rf"(?:\d+|{any_of(NUMBERS)}) (?:\w+ )?(?:days?|hours?|nights?|shifts?|weekends?|mornings?)\b"
)
_MUTUAL = re.compile(r"\b(?:each other|one another)\b")
_MEASURED = re.compile(r"\b(?:km/h|mph|kph|m/s)\b|\bfrom A to B\b")

_GENERIC = re.compile(
    r"(?:(?!my |our |the |his |its |their |your |an? |some |no |two |three |this |that |us |as |"
    r"always|sometimes|across|towards|perhaps|upstairs|less)[a-z-]+ )?"
    r"(?!his\b|its\b|this\b|us\b|as\b|always|sometimes|across|towards|perhaps|upstairs|less|"
    r"nothing|outdoors|"
    r"downstairs|besides|sides|turns|notes|places|things|steps|sense|progress|mistakes|excuses|"
    r"faces|ends|waves|words|typos|errors)[a-z-]{3,}s\b(?! (?:it|this|that)\b)"
)

# The tables know what is liked for good.
_TASTES = frozenset(listed("love, like, enjoy, hate, adore, dislike, prefer, fear, detest, loathe"))
_HOLDS = frozenset(("carry", "use", "wear", "need", "own", "want", "keep", "lack"))

_BY_MEANS = frozenset(
    listed("walk, read, write, type, eat, sleep, cook, draw, hear, see, drive, talk")
)
_KEEPS = re.compile(r"(?:keep|stop|start|continue) \w+ing\b")


def _thing_does(told: Told) -> bool:
    """What something of theirs does, when or how it is."""
    if told.of_now or lives.ABSTRACT.search(told.subject.noun):
        return False
    if told.ahead:
        return True
    sized = told.days is not None or marks.FIGURE.search(told.rest) or marks.NAMED.search(told.rest)
    known = sized or told.often or lives.AT_WORK.search(told.subject.noun)
    if told.verb in lives.STEADY:
        return bool(told.rest)
    return bool(known) and (told.verb in lives.THING_VERBS or told.often)


def past(told: Told) -> bool:
    """Something that happened on a day that is told, that went on for years, or changed a life."""
    if told.read.aspect is Aspect.WAS and _was_somebody(told):
        return not (told.of_now or told.points)
    if told.read.denied and re.search(r"\bsince (?:I|my|the|\d)", told.rest):
        return not (told.of_now or told.points)
    if told.verb in MENTAL - lives.FREQUENT or told.points:
        return False
    if told.verb == "do" and lives.SERVED.search(told.rest):
        return True
    if marks.LASTED.search(told.rest) or (told.verb == "use" and told.rest.startswith("to ")):
        return True
    if told.verb == "grow" and told.rest.startswith("up "):
        return True
    if told.ahead:  # "moved my operation to 9 September"
        return told.verb in MOVES | _SECURES
    return _once(told)


_SECURES = frozenset(listed("buy, get, reserve, invite, win, register"))


def _was_somebody(told: Told) -> bool:
    if not (told.is_of(Kind.SELF) or (told.is_of(Kind.PERSON) and told.subject.noun)):
        return False
    if told.verb == "make":
        return bool(_MADE.match(told.rest))
    return bool(_BEEN.match(told.rest)) and not marks.SO_CALLED.search(HEAD.split(told.rest)[0])


_MADE = re.compile(r"(?:head|captain|partner|manager|director|redundant|an? )")
_BEEN = re.compile(
    r"(?:from |born |an? |one of |Miss |Mister |Mr |mayor|head|captain|president|chair|director|"
    r"leader|sergeant|prefect|(?:[a-z]+ )?[a-z]{3,}(?:er|or|ist|ian|nurse|smith|maid|dancer)s\b)"
)


def _once(told: Told) -> bool:
    """What happened once: a day must be told, or it must be of the kind that changes a life."""
    adverbs = told.read.adverbs.split()
    if "never" in adverbs:
        return told.verb not in TASK and bool(told.rest)
    if "once" in adverbs:
        return bool(marks.NAMED.search(told.rest))
    if {"finally", "just"} & set(adverbs) and told.verb in ("get", "win", "find", "receive"):
        return bool(marks.NAMED.search(told.rest)) and not told.is_of(Kind.HOUSEHOLD)
    if told.days is not None and told.days < _LONG_AGO:
        return True
    if told.days is not None and told.days < _THE_OTHER_DAY:
        return told.verb not in TASK
    return told.verb in lives.LIVED and bool(told.rest) and not told.of_now


_LONG_AGO, _THE_OTHER_DAY = -60, -2  # days from today


def progressive(told: Told) -> bool:
    """Something planned for a day, or that goes on for months."""
    if told.points:
        return False
    if not told.rest:
        return told.verb in lives.LASTING | lives.LIVED
    if told.verb == "do" and lives.SERVED.search(told.rest):
        return True
    if _THROUGH.match(f"{told.verb} {told.rest}"):
        return True
    if told.verb == "do" and (marks.FEAST.search(told.rest) or _CHALLENGE.match(told.rest)):
        return not told.of_now
    if told.verb in ("try", "plan", "hope"):
        return told.ahead or bool(lives.GOALS.match(told.rest))
    if told.ahead:
        own = marks.NAMED.search(told.rest) or re.search(r"\b(?:my|our)\b", told.rest)
        if own and told.days is not None and told.days > 1:
            return not marks.TASKS.search(told.rest) and told.verb not in MENTAL
        return told.verb not in MENTAL | TASK or told.verb in _PLANNED
    if told.of_now:
        return False
    if told.often:
        return told.verb not in MENTAL
    if told.verb == "move":
        return bool(re.match(r"(?:house|home|out|into|in|to|from|away|back)\b", told.rest))
    return told.verb in lives.LASTING and bool(re.match(r"(?:for|to|as|from|my|our) ", told.rest))


_THROUGH = re.compile(
    r"see (?:someone|somebody|an? (?:\w+ )?(?:therapist|counsellor|psychologist|specialist|physio|"
    r"girl|guy|man|woman|widow|widower))\b|go through (?:an?|my|our|the) (?:\w+ )?(?:divorce|"
    r"separation|break-?up|menopause|bankruptcy|"
    r"adoption|custody|chemo\w*|radiotherapy|treatment|ivf|transition|bereavement)\b"
)
_CHALLENGE = re.compile(
    r"(?:[A-Z]\w+|keto|ivf|chemo|radiotherapy|physio|yoga|pilates|intermittent|no sugar|dry|an? "
    r"(?:\w+ )?(?:course|degree|"
    r"diploma|apprenticeship|evening class|masters?|detox|cleanse|juice|challenge))\b"
)

_REFUSED = frozenset(
    listed("allow, let, permit, have, eat, drink, wear, touch, fly, sleep, take, go")
)

# "I'll go on Thursday" tells when, and nothing of what.
_ONLY_WHEN = frozenset(
    listed("go, come, plan, do, see, be, ring, pick, bring, take, arrive, leave")
)
_BARE_DATE = 4  # words
_PLANNED = frozenset(
    listed("open, pay, return, get, start, expect, move, do, take, sign, close, become, make")
)


def future(told: Told) -> bool:
    """Something for a day that is told, or that somebody means to become."""
    if told.verb == "be" and re.match(r"an? \w+.*\bwhen I\b", told.rest):
        return True
    if told.read.denied and re.search(r"\bany ?(?:more|longer)\b", told.rest):
        return not told.points
    if told.read.denied and told.verb in _REFUSED and told.rest:
        return not (told.of_now or told.points)
    if told.verb in MENTAL | TASK - {"move", "close", "start"} or told.points:
        return False
    if told.verb in _ONLY_WHEN and len(told.rest.split()) <= _BARE_DATE:
        return False
    return told.ahead


def perfect(told: Told) -> bool:
    """What has been so for years, or never was; what has changed for good."""
    if told.verb == "ask" and told.rest.startswith("me to be "):
        return True
    if told.verb == "try" and "never" in told.read.adverbs.split() and not told.points:
        return not told.of_now
    if told.verb in MENTAL - lives.FREQUENT or told.points:
        return False
    if told.verb == "be" and re.match(r"(?:\w+er|so|more|this|that|waiting)\b", told.rest):
        return False
    if (
        told.is_of(Kind.THING)
        and told.verb in ("change", "move")
        and re.search(r"\bto .*\d", told.rest)
    ):
        return True
    if told.verb in ("start", "begin", "take") and _TAKEN_UP.match(told.rest):
        return not told.of_now
    if told.ahead or re.search(rf"\b(?:{_WEEKDAYS})s\b", told.rest, re.IGNORECASE):
        return True
    if re.search(r"\b(?:never|always|permanently|officially|all my life|for good)\b", told.around):
        return not told.of_now
    if told.days is not None and told.days < _LONG_AGO:
        return True
    if told.often and re.search(r"\bsince\b", told.rest):
        return not told.of_now
    if told.verb in lives.LASTING and re.match(r"(?:up )?(?:for|to) (?!it|this|that)", told.rest):
        return not told.of_now
    return bool(marks.LASTED.search(told.rest)) or (told.verb in lives.LIVED and bool(told.rest))


_TAKEN_UP = re.compile(
    r"(?:to )?(?:learn|learning|study|studying|training|taking \w+ lessons)\b|up \w+|(?:an?|my|"
    r"our) "
    r"(?:\w+ ){0,2}(?:course|degree|apprenticeship|job|business|diet|therapy|treatment|training)\b|"
    r"(?:chemo\w*|insulin|physio|therapy|dialysis|uni|university|school|nursery|secondary)\b"
)
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"


def able(told: Told) -> bool:
    """What somebody can or cannot do at all: "I cannot do mornings"."""
    if re.search(r"\bsince (?!then|yesterday|this|last|i |we |it )\w+", told.rest, re.I):
        return not told.of_now
    if told.is_of(Kind.THING) or told.verb in MENTAL or told.of_now or told.points:
        return False
    if not told.read.denied:
        free = told.rest.removeprefix("a ").removeprefix("an ")
        if _BY_NOW.match(f"{told.verb} {told.rest}"):
            return True
        return told.verb in lives.SKILLS and not marks.SPECIFIC.match(free)
    if told.verb in lives.UNABLE_NOW:
        return told.often and bool(told.rest)
    if told.verb in ("have", "take") and re.match(
        r"(?:lunch|dinner|breakfast|time|an? )\b", told.rest
    ):
        return False
    return bool(told.rest) and not re.match(r"(?:the|an?|my) ", told.rest)


_BY_NOW = re.compile(
    r"(?:play the (?!game|song|video|clip)|hold a conversation in|get by in|make myself "
    r"understood|(?:count|swear|order "
    r"\w+(?: \w+)?) in [A-Z])"
)


def duty(told: Told) -> bool:
    """What a body or a doctor asks for: "I have to take insulin", "I must avoid grapefruit"."""
    if told.read.denied and told.ahead:
        return True
    if told.is_of(Kind.THING, Kind.HOUSEHOLD):
        return told.verb == "be" and (told.often or told.ahead) and not told.of_now
    if told.ahead and told.verb not in MENTAL | (TASK - _DUE):
        return not told.points and not told.of_now and len(told.rest.split()) > _BARE_DATE
    if told.verb not in lives.ADVISED or told.points or told.of_now or told.ahead:
        return False
    for_weeks = re.search(r"\bfor (?:\w+ )?(?:weeks|months)\b", told.rest)
    return (
        told.often or bool(for_weeks) or not re.match(r"(?:an?|the|some|my|off|up|out) ", told.rest)
    )


# What is owed on a day.
_DUE = frozenset(
    listed("move, close, start, finish, pay, return, hand, leave, renew, open, sign, submit, send")
)


def passive(told: Told) -> bool:
    """What is done to somebody as a rule, and what they may not do."""
    if told.verb in ("allow", "permit", "advise", "forbid"):
        return bool(told.rest) and not told.of_now and not told.points
    if told.verb in MENTAL or told.of_now or marks.TASKS.search(told.rest):
        return False
    if told.is_of(Kind.THING, Kind.HOUSEHOLD) and told.days is not None:
        return True
    return told.often or told.ahead
