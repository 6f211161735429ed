"""Signs by which words plainly tell of a life, whatever their grammar: what must not be lost.

Each sign stands for a kind of thing people tell: an illness, a day that is coming, somebody's name,
how many children there are, an office they were given. Whether the words are meant, and meant now,
is judged elsewhere.
"""

import re
from datetime import date, timedelta

from app.memory.extract import marks
from app.memory.extract.common_words import is_common
from app.memory.extract.dates import Tense, resolve
from app.memory.extract.subjects import CAPITALISED, KIN, NAME, PET
from app.memory.extract.verbs import TASK, verb_of
from app.memory.extract.vocabulary import CONDITIONS, HEALTH, OCCASIONS
from app.memory.extract.wording import is_past
from app.memory.when import words as when

OWN = re.compile(r"\b(?:I|we|my|our|me|us|mine|ours|myself)\b", re.IGNORECASE)
_ILL = re.compile(
    rf"\b(?:{when.any_of((HEALTH | CONDITIONS) - {'add', 'ms', 'single'})})"
    r"\b|\b\w{3,}(?:itis|osis|[ae]mia|opathy|plegia|ectomy|algia|lexia|praxia|thyroxine|pril|"
    r"statin|formin|olol|azole|cillin|sartan|oxetine|zepam|dipine|gabalin|trexate|nisolone)\b|"
    r"\b(?:hearing aids?|pacemaker|insulin|inhaler|epipen|dialysis|chemo(?:therapy)?|wheelchair|"
    r"had (?:both|one|my|an?|the) (?:\w+ )?(?:hips?|knees?|eyes?|kidney|spleen|womb|tonsils|"
    r"appendix|"
    r"gallbladder|wisdom teeth) (?:done|replaced|out|removed|fixed)|came back (?:abnormal|"
    r"positive|high|"
    r"low|clear)|my (?:hair|sight|eyesight|hearing|memory|balance) (?:is|are) (?:thinning|going|"
    r"failing|"
    r"fading|falling out|getting worse)|stoma|oxygen at|walking (?:stick|frame)|antibiotics|"
    r"statins|steroids|painkillers|"
    r"antidepressants|beta blockers|anaemic|(?:sight|hearing) (?:in|of)|sense of smell|cataracts?|"
    r"blood (?:pressure|thinners?)|"
    r"(?:bad|weak|dodgy|restless|artificial|replaced|swollen|arthritic|flat|fallen|brittle|frozen|"
    r"leaky|torn|ruptured|fused) "
    r"(?:back|knees?|hips?|shoulders?|heart|valve|ankles?|wrists?|legs?|feet|arches|bones|disc|"
    r"ligament|tendon|meniscus))\b",
    re.IGNORECASE,
)
# Whoever treats, teaches or serves others tells of them for a task.
_AT_WORK_THERE = re.compile(
    r"\b(?:my|our) (?:\w+ )?(?:patients?|pupils?|students?|clients?|customers?|"
    r"users?)\b",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:put|puts|landed|lands|sent|sends) (?:me|my [\w-]+) (?:in|to) (?:the )?(?:hospital|a&e|"
    r"intensive care)\b|\b(?:gives?|gave|brings?|brought|sets?|triggers?|triggered) (?:me |on |"
    r"off )*"
    r"(?:my |an? )?(?:migraines?|asthma|hives|rash(?:es)?|eczema|ibs|gout|attacks?|reflux|"
    r"palpitations|seizures?|anaphyla\w+)\b",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    rf"\b(?:is|are|was) .+, not (?:the |at |on |in |my )?(?:\d+|"
    rf"{when.any_of(set(when.NUMBERS))}|{when.WEEKDAY}|"
    rf"(?-i:{CAPITALISED})|left|right|daughter|son)\b",
    re.IGNORECASE,
)
_THE_DATE = re.compile(
    rf"(?:the|this|that) (?:[\w-]+ )?(?:{when.any_of(OCCASIONS)}|dentist|doctor|vet|plumber) ",
    re.IGNORECASE,
)
_MEETING = re.compile(
    rf"\b(?i:my|our) (?:[a-z-]+ ){{0,2}}?(?P<noun>(?i:{KIN}|{PET}))(?:,| called|"
    rf" named)? (?P<name>{NAME})"
    r"(?!'s)\b"
)
_NAMED = re.compile(
    r"\b(?:(?:my|our) [\w' -]{2,40}?|the (?:wi-?fi|network|house|boat|car|van|baby|dog|cat|"
    r"puppy|kitten|"
    r"cottage|farm|shop|band|horse|caravan)) (?:at home |in our house |at our place )?(?:is|"
    r"are) (?:called|"
    rf"named|nicknamed) (?!that|it|so\b)\S+|\b(?:have|has)? ?(?:called|named|christened|nicknamed) "
    rf"(?:him|her|them|it|the \w+|our \w+|my \w+) (?-i:{CAPITALISED})",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"\b(?:have|has|had|got|raised|with|my|our|of|keep|keeps|are|am|I am one of) (?:\d+|"
    rf"{when.any_of(set(when.NUMBERS) - {'a', 'an'})}) (?:[a-z-]+ ){{0,2}}?(?:brothers?|"
    r"sisters?|siblings|children|kids|sons?|daughters?|grandchildren|grandkids|grandsons|"
    r"granddaughters|nieces|nephews|stepchildren|cats|dogs|hens|horses|sheep|goats|cousins)\b"
    r"(?! (?:are|is) )",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"\b(?:am|are|is|was|were|been|got|being) (?:just |recently |finally |newly |re)?(?:appointed|"
    r"elected|promoted|made (?:redundant|partner|head|captain|permanent)|nominated|ordained|"
    r"knighted|sworn in|adopted|fostered|baptised|baptized|christened|evicted|accepted (?:at|to|"
    r"into|by|on|for)|"
    r"admitted (?:to|into)|diagnosed|naturalised|granted|awarded|offered (?:an?|the|my)|hired|"
    r"laid off|seconded|transferred|posted to|deployed|enrolled|called up|widowed|orphaned)\b|"
    r"\b(?:have|has) (?:just |finally )?moved\b(?! on)|\b(?:got|get) (?:\w+ )?(?:passed over|"
    r"braces|my (?:\w+ )*(?:results|grades)|dumped|the all[- ]clear|"
    r"a (?:promotion|pay rise|diagnosis|divorce|puppy|kitten|tattoo|distinction|first))\b|"
    r"\b(?:dumped|"
    r"divorced|jilted|ghosted) me\b|\bhad (?:kittens|puppies|a (?:boy|girl|baby|miscarriage|"
    r"stroke|fall|"
    r"heart attack))\b|"
    r"\b(?:got|landed|accepted|start(?:ed)?|left|lost|quit|handed in) (?:the|my|a new|an?|his|her) "
    r"(?:\w+ )?(?:job|post|notice|place at|apprenticeship|internship|licen[cs]e|visa|"
    r"citizenship|mortgage)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:my|our) (?:late|ex-?|eldest|oldest|youngest|only|twin|adopted|autistic|disabled|deaf|"
    r"blind|"
    rf"widowed|foster|estranged|elderly) ?(?:{KIN})\b|\bmy (?:commute|surname|mother tongue|faith|"
    r"pension|salary|rent|mortgage|lease|allotment|eyesight|hearing|blood type|(?:phone |"
    r"e-?mail )?(?:number|address)) (?:has changed|is|are|was|runs|costs)\b",
    re.IGNORECASE,
)
_COST = re.compile(
    r"\b(?:rent|salary|wages?|pension|mortgage|maintenance|benefits)\b.* (?:to|by|is|of|"
    r"from) \W?\d{2}",
    re.I,
)
_BY_ROUTINE = re.compile(
    r"\b(?:odd|even|alternate|alternating|every other|every second) (?:weeks?|weekends?|days?|"
    rf"{when.WEEKDAY}s?)\b|\bof an? (?:{when.WEEKDAY})\b|\b(?:every|each) (?:{when.WEEKDAY}|"
    rf"morning|"
    rf"evening|week|month|spring|summer|autumn|winter|year)\b|\b(?:on|of|"
    rf"and) (?:{when.WEEKDAY})s\b",
    re.IGNORECASE,
)
_OCCASION = re.compile(
    rf"\b(?:{when.any_of(OCCASIONS)}|mri|ct scan|viva|op|jab|check-?up|bridge|choir|yoga|"
    rf"pilates)\b",
    re.IGNORECASE,
)
_TRAVEL = re.compile(
    r"\b(?:trip|holiday|honeymoon|cruise|hike|trek|hut to hut|tour|flight|ferry|festival|retreat|"
    r"camp|course|exhibition|market|marathon|tournament|visit)\b",
    re.IGNORECASE,
)
_BARE_DATE = re.compile(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\b|{when.MONTH}|{when.WEEKDAY})", re.I)
_SOON = timedelta(days=1)


def of_life(text: str, today: date) -> bool:
    """Return whether a statement of the person shows that it tells of a life.

    Args:
        text: The statement, contractions written out.
        today: What relative dates count from.
    """
    if _AT_WORK_THERE.search(text):
        return False
    if _ILL.search(text) and OWN.search(text):
        return True
    if _CORRECTED.search(text) and (OWN.search(text) or _THE_DATE.match(text)):
        return True
    if _HARM.search(text) or _meets(text) or _NAMED.search(text):
        return True
    if not OWN.search(text):
        return False
    if _COST.search(text):
        return True
    if _COUNT.search(text) or _OFFICE.search(text) or _STANDING.search(text):
        return True
    if _DANGLING.search(text) and not _KNOWN.search(text):
        return False
    return bool(_BY_ROUTINE.search(text)) or is_coming(text, today)


_DANGLING = re.compile(r"\b(?:him|her|them|it|his|their)\b", re.IGNORECASE)
_KNOWN = re.compile(rf"\b(?i:{KIN}|{PET})\b|(?<=[a-z,] ){CAPITALISED}.*\b(?:him|her|his)\b")


def changes_a_life(text: str) -> bool:
    """Return whether words tell of something after which things are different."""
    return bool(_OFFICE.search(text))


def of_a_note(text: str, today: date) -> bool:
    """Return whether words without a verb note a day or a routine: "MRI on Thursday the 16th"."""
    if len(text.split()) < _SHORTEST_NOTE:
        return False
    if _NEWBORN.match(text):
        return False
    if _THE_TWINS.match(text) and is_coming(text, today):
        return True
    known = OWN.search(text) or _OCCASION.search(text) or _TRAVEL.search(text)
    if not known:
        return False
    return is_coming(text, today) or bool(_BY_ROUTINE.search(text))


_THE_TWINS = re.compile(r"the (?:twins|kids|boys|girls|children|in-laws) ", re.IGNORECASE)
_NEWBORN = re.compile(r"born\b", re.IGNORECASE)
_SHORTEST_NOTE = 4  # words


def is_coming(text: str, today: date) -> bool:
    """Return whether words tell of a day that lies ahead."""
    if not _BARE_DATE.search(text):
        return False
    said = _AT_WORK.match(text)
    if said and (verb := verb_of(said["verb"].lower())) and verb.lemma in TASK - _ALSO_LIVED:
        return False
    if _WILL.match(text) or _AT_HAND.search(text) or marks.POINTS_BACK.search(text):
        return False
    first = resolve(text, today, Tense.PAST if is_past(text) else Tense.FUTURE).first
    return first is not None and first > today + _SOON


_AT_WORK = re.compile(r"(?:I|we) (?:(?:am|are|have to|must) )?(?P<verb>[a-z]+)", re.IGNORECASE)
_ALSO_LIVED = frozenset(("move", "close", "start", "open", "run", "return", "pay", "do", "use"))
_AT_HAND = re.compile(r"\b(?:this|that|it|them) (?:by|on|at|before|until|till)\b", re.IGNORECASE)
_WILL = re.compile(r"(?:I|we) (?:will|am going to|are going to)\b", re.IGNORECASE)


def _meets(text: str) -> bool:
    """Return whether it names somebody of theirs: "my wife Calliope"."""
    found = _MEETING.search(text)
    return found is not None and not is_common(found["name"])
