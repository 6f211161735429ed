"""What an order or a question means by words that name nothing: "forget what I just said".

Read from words alone, which are in ``resources/reading/comparing.toml``. Whatever else stands in a
message, by which it names something, makes it mean that.
"""

import re
from functools import cache
from itertools import pairwise

from app.domain.language.question import asks, wants_work
from app.domain.language.text import normalise
from app.memory.reading.words import words
from app.memory.text.asides import takes_back
from app.memory.word_lists import word_list

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_STOPS = r"[\s,.;:!?…–—-]"


def means_last(text: str) -> bool:
    """Return whether a message wants out of memory what was said last: "scratch that"."""
    if takes_back(text):
        return True
    said = _spoken(text)
    discards = said & word_list("comparing", "discarding")
    points = said & word_list("comparing", "said_last")
    return bool(discards and points) and said <= discards | points | words().polite


def lets_drop(text: str) -> bool:
    """Return whether a message does no more than let a matter drop: "never mind"."""
    found = _dropping().match(text)
    return found is not None and _spoken(text[found.end() :]) <= words().polite | {"then"}


def behind_dropping(text: str) -> str:
    """Return what a message says once it has let a matter drop; empty where it says no more.

    It goes on with something of its own: "forget it, I'll do it myself". What it only names is what
    is to be forgotten: "forget it, the thing about the car".
    """
    found = _dropping().match(text)
    if found is None or lets_drop(text):
        return ""
    rest, stops = text[found.end() :].strip(), re.search(r"[.!?;…\n]", found[0])
    begins = next((word.lower() for word in _WORD.findall(rest)), "")
    goes_on = begins in words().subjects | {"let's", "lets"} or asks(rest) or wants_work(rest)
    return rest if stops or goes_on else ""


def keeps(text: str) -> bool:
    """Return whether a message wants kept what it does not name: "never mind, keep it"."""
    said = _spoken(text)
    keeping = said & word_list("comparing", "taking_back")
    return bool(keeping) and said <= keeping | word_list("comparing", "taken_back")


def asks_for_rules(text: str) -> bool:
    """Return whether a message asks which standing instructions there are."""
    said = _spoken(text)
    rules = said & word_list("comparing", "rules")
    idle = word_list("comparing", "asking_rules")
    both = words().me | words().my | words().first_person | {"you", "your", "you've"}
    return bool(rules and said & both) and said <= rules | idle | both


def supposes(text: str) -> bool:
    """Return whether words suppose or wish something, or ask about that."""
    said = _phrases("not_supposing").sub(" ", normalise(text).replace("’", "'"))
    return bool(_phrases("supposing").search(said))


def is_hearsay(text: str) -> bool:
    """Return whether words tell what another holds, or ask about that."""
    said = [word.lower() for word in _WORD.findall(text)]
    own = words().first_person
    told = {one for before, one in pairwise(["", *said]) if before not in own}
    heard = word_list("comparing", "rumour")
    return not (told.isdisjoint(word_list("comparing", "hearsay")) and heard.isdisjoint(said))


def asks_what_was_said(text: str) -> bool:
    """Return whether a question is for what was said, whether it is so or not."""
    return bool(_phrases("asking_what_was_said").search(normalise(text)))


def _spoken(text: str) -> frozenset[str]:
    return frozenset(word.lower().replace("’", "'") for word in _WORD.findall(text))


@cache
def _dropping() -> re.Pattern[str]:
    """Return how a message begins that lets a matter drop, with the stop behind it."""
    ways = sorted(word_list("comparing", "dropping"), key=len, reverse=True)
    polite = "|".join(map(re.escape, sorted(words().polite, key=len, reverse=True)))
    one = "|".join(map(re.escape, ways))
    lead = rf"(?:(?:{polite}){_STOPS}+)*"
    return re.compile(rf"\W*{lead}(?:{one})(?:{_STOPS}+(?:{one}))*(?!\w)(?:{_STOPS}+|$)", re.I)


@cache
def _phrases(name: str) -> re.Pattern[str]:
    listed = sorted(map(normalise, word_list("comparing", name)), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, listed))})(?!\w)")
