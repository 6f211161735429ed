"""What the person wants to be called, and how their name is written: "call me …"."""

import re

from app.memory.extract.leads import without_openers
from app.memory.extract.sentences import Sentence
from app.memory.extract.subjects import CAPITALISED, is_name
from app.memory.extract.values import person_name

_CALL_ME = re.compile(
    r"^(?:(?:please|just|but|and|so|you can|you may|feel free to|I (?:would|should) (?:rather|"
    r"prefer (?:it )?if) you) )*call(?:ed)? me (?P<name>[\w' .-]+?)"
    r"(?:,? (?:please|not .+|instead.*|for short|from now on))*$",
    re.IGNORECASE,
)
_TITLED = re.compile(
    r"^(?:it is|that is|I am|the name is|my name is) (?P<name>(?:dr|prof|professor|mr|mrs|ms|mx|"
    r"rev|reverend|"
    rf"sir|dame|father|sister|judge|captain)\.? {CAPITALISED})(?:,? (?:not|never|no longer|"
    rf"rather than|please)"
    r"\b.*)$",
    re.IGNORECASE,
)
_WILL_DO = re.compile(
    rf"\b[Mm]y (?:full |first )?name is .+ (?:but|though|or just) (?:just "
    rf")?(?P<name>{CAPITALISED})(?: (?:will do|is fine|is "
    r"enough|for short|works|is easier|suffices|to friends)|$)"
)
_NAMED_SO = re.compile(
    rf"^(?i:it is|the name is|that is)(?: (?:spelled|spelt|written))? (?P<name>{CAPITALISED})"
    rf"(?:,? (?:with|without|spelled|spelt|as in) .+)$"
)
_WRITTEN = re.compile(
    rf"\bmy (?P<which>first name|name|surname|last name|family name)\b[^.]*, (?:it is|that is) "
    rf"(?P<name>"
    rf"(?-i:{CAPITALISED}))(?= |,|$)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"^(?:everyone|everybody|people|(?:my|all my|most) friends|most people|they|my family|(?:the|"
    r"my|our) "
    r"(?:\w*kids|\w*children|lads|girls|boys|team|colleagues|mates|neighbours|pupils|patients))"
    r"(?: just| all| always| usually)? calls? me (?P<name>[\w' .-]+)(?=$|,)",
    re.IGNORECASE,
)


def preferred_name(sentence: Sentence) -> str | None:
    """Return the name by which the person wants to be called, or None."""
    for text in (sentence.text, without_openers(sentence.text)):
        if found := _TITLED.match(text):
            return found["name"]
        if found := _WILL_DO.search(text):
            return found["name"]
        if found := _CALL_ME.match(text) or _CALLED.match(text):
            name = found["name"].strip()
            if name[:1].isupper() or is_name(name.split()[0]):
                return person_name(name, sure=True)
    return None


def spelt_name(sentence: Sentence) -> tuple[str, str] | None:
    """Return key and value of a name in "everyone drops the accent of my name, it's Siobhán"."""
    found = None if sentence.question else _WRITTEN.search(sentence.text)
    if found is None:
        called = None if sentence.question else _NAMED_SO.match(without_openers(sentence.text))
        return ("name", called["name"]) if called else None
    own = found["which"].lower() in ("name", "first name")
    return ("name" if own else "surname", found["name"])
