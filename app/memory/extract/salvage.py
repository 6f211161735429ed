"""Keep what no rule could part, where a sentence plainly tells of a life: in its own words.

A sign that it tells of a life is enough where nothing else was understood of a sentence. Where
nothing was understood of a whole message, so is a detail (a name, a number, a trade) beside
somebody or something of theirs.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from app.memory.extract import doubt, marks, signs
from app.memory.extract.clauses import Part
from app.memory.extract.pieces import Said
from app.memory.extract.steady import is_steady
from app.memory.extract.vocabulary import (
    CONDITIONS,
    DIETS,
    HEALTH,
    JOB_TITLES,
    KIN_NAMES,
    LANGUAGES,
    NATIONALITIES,
    PEOPLE,
    PETS,
)
from app.memory.when import words as when

_KIN = when.any_of(PEOPLE | PETS)
_OWN = re.compile(r"\b(?:I|we|my|our|me|us|mine|ours)\b")
_THEIRS = re.compile(
    rf"\b(?:my|our) (?:[\w-]+ ){{0,3}}?(?:{_KIN})\b|^(?:{when.any_of(KIN_NAMES)})\b|"
    r"\bmy (?:home|house|flat|job|work|boss|office|school|shop|church|band|choir|club|team|car|"
    r"bike|van|boat|garden|wedding|"
    r"birthday|budget|rent|salary|pension|mortgage|lease|hands?|feet|legs?|arms?|health|faith|"
    r"surgery|operation|stroke|divorce|street|village|town|country|title|surname|name|eyes|"
    r"knees?|back|hip|heart)\b",
    re.IGNORECASE,
)
_ABOUT_ME = re.compile(
    r"\b(?:I|we) (?:am|are|was|were|have|had|live|work|play|teach|study|use|take|drive|keep|own|"
    r"make|write|speak|come|grew|go|"
    r"do not|cannot|never|always|only)\b",
    re.IGNORECASE,
)
_DETAIL = re.compile(
    rf"\b(?:{when.any_of((HEALTH | CONDITIONS | DIETS) - {'add', 'ms', 'deaf', 'blind'})})\b|"
    rf"\b(?:{when.any_of(JOB_TITLES | (LANGUAGES | NATIONALITIES))})\b|"
    r"\b\w{4,}(?:itis|osis|[ae]mia|opathy|plegia|ectomy|ologist|grapher)\b",
    re.IGNORECASE,
)
# It opens with wanting or feeling something, …
_WANTING = re.compile(
    r"^(?:and |but |so |well |oh )*(?:I|we) (?:\w+ )?(?:need|want|wish|hope|think|guess|know|feel|"
    r"see|agree|tried|try|asked|mean|wonder|love|like|hate|get|got|keep|lost|bought|ordered|paid|"
    r"waited|"
    r"forgot)\b",
    re.IGNORECASE,
)
# … or tells where somebody is, or what they are just doing.
_PASSING = re.compile(
    r"\b(?:I|we) (?:am|are) (?:\w+ )?(?:\w+ing\b(?!.*\b(?:since|every|each|years?|months?)\b)|"
    r"in the mood|the (?:pope|king|queen))|\b(?:percent|sure|nothing)\b|\b(?:am|is|are) (?:here|"
    r"there|back|gone|ready|ok|okay|fine|well|right|wrong|happy|sad|asleep|calling|late)\b",
    re.IGNORECASE,
)
_OTHERS_SAY = re.compile(
    r"\b(?:says?|said|thinks?|thought|claims?|told|asks?|asked|wants?|reckons?|believes?|hopes?)\b",
    re.I,
)
_DAYS = re.compile(rf"\b(?:{when.any_of(when.WEEKDAYS)}|{when.any_of(when.MONTHS)})\b", re.I)
_MOST = 45


def tells_of_a_life(text: str) -> bool:
    """Return whether a sentence may be worth keeping whole: a quick look before it is cut."""
    own = _OWN.search(text) and (_THEIRS.search(text) or _ABOUT_ME.search(text))
    return bool(
        own and (re.search(r"\d", text) or marks.NAMED.search(text) or _DETAIL.search(text))
    )


def plainly_told(said: Sequence[Part], today: date) -> str | None:
    """Return the part of a sentence that a sign shows to tell of a life, as it was said, or None.

    Args:
        said: The pieces of the sentence.
        today: What relative dates count from.
    """
    for run in _runs(said):
        text = put_together(run)
        broken = text.count("(") != text.count(")")
        if broken or not _MOST >= len(text.split()) >= _LEAST:
            continue
        stated = any(part.piece.kind is Said.STATED for part in run)
        if signs.of_life(text, today) if stated else signs.of_a_note(text, today):
            return text
        if any(part.clause is not None and is_steady(part.clause) for part in run):
            return text
    return None


def told_together(said: Sequence[Part], today: date) -> str | None:
    """Return pieces as one, where the last only says something with those before it."""
    last = said[-1].piece.text
    plain = doubt.is_doubtful(last) or doubt.is_supposition(last) or doubt.is_question(last)
    if plain or _OTHERS_SAY.search(last) or not signs.of_life(last, today):
        return None
    return put_together(said)


def leans(part: Part) -> bool:
    """Return whether a piece begins with a word that points at the piece before it."""
    return part.piece.kind is Said.STATED and bool(
        _LEANS.match(part.piece.text) or _HIM.search(part.piece.text)
    )


def _runs(said: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield the stretches of a sentence that are told, and meant: no request, doubt or mood."""
    run: list[Part] = []
    for part in said:
        told = part.piece.kind in (Said.STATED, Said.LOOSE) and _is_meant(part.piece.text)
        if told and (run or not _LEANS.match(part.piece.text)):
            run.append(part)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _is_meant(text: str) -> bool:
    if doubt.is_doubtful(text) or doubt.is_supposition(text) or doubt.is_shop_talk(text):
        return False
    if _OTHERS_SAY.search(text) or _WISHING.match(text) or _PASSING.search(text):
        return False
    if marks.MOOD.search(text) or marks.IDLE.search(_AFTER_I.sub("", text)):
        return False
    now = marks.OF_NOW.search(_AND_ALWAYS.sub("", text)) and not signs.changes_a_life(text)
    return not (now or marks.TASKS.search(text) or doubt.is_question(text))


# With these nothing begins that can be understood alone.
_LEANS = re.compile(
    r"(?:he|she|it|they|this|that|these|those|there|his|her|their|its|no|yes|good|great|nice|well|"
    r"even|especially|because|which|who|otherwise|then|or|nor|come|not|the other|after that|"
    r"for (?:him|her|them)|exactly|mine|yours|on another)\b"
    r"(?! (?:is|are) (?:just |only )?(?:the )?(?:two|three|four|five|six|me|us)\b)",
    re.IGNORECASE,
)
_AFTER_I = re.compile(r"^(?:I|we) ", re.IGNORECASE)
_HIM = re.compile(r"\b(?:him|her|it|them)\b", re.IGNORECASE)
_WISHING = re.compile(
    r"^(?:and |but |so |well |oh )*(?:I|we) (?:\w+ )?(?:need|want|wish|hope|think|guess|know|"
    r"feel|see|"
    r"agree|tried|try|asked|mean|wonder|forgot)\b",
    re.IGNORECASE,
)
_AND_ALWAYS = re.compile(
    r"\b(?:still|already|currently|now|only|again|first thing|so far|an hour(?= and| each|"
    r" a day))\b",
    re.IGNORECASE,
)
_LEAST = 4  # words


def put_together(run: Sequence[Part]) -> str:
    """Return pieces as they stood in their sentence."""
    told = [
        (f"{part.piece.joint.strip()} " if number else "")
        + (part.piece.own if number else part.piece.text)
        for number, part in enumerate(run)
    ]
    return re.sub(r" (?=[,;:])", "", " ".join(told)).strip(" ,;:(")


def salvaged(said: list[Part]) -> str | None:
    """Return what a sentence tells up to its question or request, if that is worth keeping whole.

    Args:
        said: Its pieces.
    """
    told: list[str] = []
    for part in said:
        if part.piece.kind in (Said.ASKED, Said.ORDERED):
            break
        told.append((part.piece.joint.strip() + " " if told else "") + part.piece.own)
    text = re.sub(r" (?=[,;:])", "", " ".join(told)).strip(" ,;:(")
    if not text or len(text.split()) > _MOST or len(text.split()) < 6:
        return None
    if not _OWN.search(text) or _WANTING.match(text) or _PASSING.search(text):
        return None
    theirs = _THEIRS.search(text)
    if not theirs and not _ABOUT_ME.search(text):
        return None
    named = _DETAIL.search(text) or marks.NAMED.search(_DAYS.sub("", text))
    if not named and not (theirs and re.search(r"\d", text)):
        return None
    if _OTHERS_SAY.search(text) or marks.MOOD.search(text) or marks.IDLE.search(text):
        return None
    if doubt.is_doubtful(text) or doubt.is_supposition(text) or doubt.is_shop_talk(text):
        return None
    if marks.OF_NOW.search(text) or marks.TASKS.search(text) or doubt.is_question(text):
        return None
    return text
