"""Tell whom a text is about: the person, somebody of theirs, somebody by name.

Read from words alone. It serves to keep apart what is told of two people in like words; where a
text does not say whom it is about, it may be about anybody.
"""

import re
from collections.abc import Iterable
from functools import cache

from app.memory.reading.own_words import speaks_of_self
from app.memory.text.names import capitalised
from app.memory.word_lists import word_groups, word_list

PERSON = "<person>"
_KINDS = ("partners", "people", "pets")
_OWN = r"(?:my|our|your)"
_NAME = r"(?P<name>[^\W\d_a-z][\w'’-]+)"
_TO_THE_PERSON = re.compile(r"\byou(?:r|rs|rself|['’]\w+)?\b", re.IGNORECASE)
_PIECE = re.compile(r"[^\W_]+")


def whom(text: str) -> frozenset[str]:
    """Return whom a text is about; empty where it does not say.

    Returns:
        ``PERSON``, words such as "brother", and names in small letters.
    """
    found: set[str] = set()
    for match in _theirs().finditer(text):
        found.add(_alike().get(noun := match["noun"].lower(), noun))
        found |= {_bare(match["name"])} if match["name"] else set()
    found |= {_bare(match["name"]) for match in _introduced().finditer(text)}
    for name in capitalised(text):
        first = name.split()[0]
        if _bare(first) in word_list("names", "given"):
            found.add(_bare(first))
    rest = _theirs().sub(" ", text)
    if speaks_of_self(rest) or _TO_THE_PERSON.search(rest):
        found.add(PERSON)
    return frozenset(found)


def of_another(text: str, other: str) -> bool:
    """Return whether two texts are plainly about different people.

    "My brother Tom drives a Skoda" and "I drive a Skoda" are; what names Tom is about him as well.
    """
    mine, theirs = whom(text), whom(other)
    if not mine or not theirs or mine & theirs:
        return False
    return not (mine & _words(other) or theirs & _words(text))


def roles(text: str, name: str) -> frozenset[str]:
    """Return as what a text introduces somebody of a first name: "my colleague Ruth Bell".

    Words for one and the same relation are one of them.
    """
    first = re.escape(name)
    found = re.finditer(_introducing().replace("NAME", first), text)
    return frozenset(role((match["before"] or match["behind"]).lower()) for match in found)


def role(word: str) -> str:
    """Return the one word that stands for all that mean the same relation: "mum", "mother"."""
    return _alike().get(word, word)


def people(text: str) -> list[frozenset[str]]:
    """Return who a text is about besides the person, each by all that it calls them."""
    found: list[frozenset[str]] = []
    for match in _theirs().finditer(text):
        noun = role(match["noun"].lower())
        found.append(frozenset({noun, _bare(match["name"])} if match["name"] else {noun}))
    called = frozenset().union(*found)
    return [*found, *(frozenset({one}) for one in sorted(whom(text) - {PERSON} - called))]


def introducing(text: str, before: Iterable[str], kept: str = "") -> str:
    """Return a text that says who somebody is, as what it takes the place of did.

    "My boss Graham retires" gives way to "Graham isn't retiring", which becomes "[My boss] Graham
    isn't retiring"; who he is would be lost else.

    Args:
        text: The newer statement.
        before: Those whose place it takes.
        kept: What holds on of them.
    """
    found = {m["name"]: m for one in before for m in _theirs().finditer(one) if m["name"]}
    for name, introduced in found.items():
        bare = re.split(r"['’]", name, maxsplit=1)[0]
        spoken = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text)
        noun = introduced["noun"].lower()
        if spoken is None or noun in _words(text) or introduced[0] in kept:
            continue
        who = f"{introduced[0].split()[0].lower()} {noun}"
        who = who[:1].upper() + who[1:] if spoken.start() == 0 else who
        text = f"{text[: spoken.start()]}[{who}] {text[spoken.start() :]}"
    return text


def _words(text: str) -> frozenset[str]:
    return frozenset(piece.lower() for piece in _PIECE.findall(text))


def _bare(name: str) -> str:
    return re.split(r"['’]", name.lower(), maxsplit=1)[0]


@cache
def _theirs() -> re.Pattern[str]:
    """Return how a text speaks of somebody of the person's: "my older brother, Tom"."""
    nouns = sorted((one for kind in _KINDS for one in word_list("people", kind)), key=len)
    listed = "|".join(map(re.escape, reversed(nouns)))
    called = r"(?:,? |['’]s name is |(?: is|,)? (?:called|named) )"
    return re.compile(
        rf"\b(?i:{_OWN})(?: [a-z]+)? (?P<noun>(?i:{listed}))(?i:s)?(?![\w-])(?:{called}{_NAME})?"
    )


@cache
def _introduced() -> re.Pattern[str]:
    """Return how a text says who somebody is: "Tom is my brother"."""
    return re.compile(rf"(?<!\w){_NAME}(?: [^\W\d_a-z][\w'’-]+)? is (?i:{_OWN})\b")


@cache
def _introducing() -> str:
    """Return how a text says who NAME is: "my colleague NAME", "NAME is my aunt"."""
    several = word_list("comparing", "several_people")
    nouns = several.union(*(word_list("people", kind) for kind in _KINDS))
    listed = "|".join(map(re.escape, sorted(nouns, key=len, reverse=True)))
    own = r"(?:my|our|your|his|her|their|an?|the|\w+['’]s)(?: [a-z]+){0,2}?"
    called = r"(?:,? |['’]s name is |(?: is|,)? (?:called|named) )"
    surname = r"(?: [^\W\d_a-z][\w'’-]+)?"
    return (
        rf"\b(?i:{own}) (?P<before>(?i:{listed}))(?![\w-]){called}NAME(?!\w)"
        rf"|(?<!\w)NAME{surname},? (?:is |was )?(?i:{own}) (?P<behind>(?i:{listed}))(?![\w-])"
        rf"(?! [^\W\d_a-z])"
    )


@cache
def _alike() -> dict[str, str]:
    """Return one word for each of those that mean the same person."""
    groups = [sorted(word_list("people", "partners")), *word_groups("people", "alike")]
    return {word: group[0] for group in groups for word in group}
