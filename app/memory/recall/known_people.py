"""Know whom a question means by "my husband": what is remembered says that he is called Pieter.

The name joins the question, "Where does my husband Pieter work?", so that words, meaning and word
by word comparison all find what was said of Pieter alone. Only what this question may recall says
who somebody is, and only where it leaves no doubt; every other question stays as it was asked.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from app.domain.memory import Memory, Trust
from app.domain.recall import Query
from app.errors import NotFound
from app.memory.recall.pipeline import Trace
from app.memory.text.query import every_word, names
from app.memory.word_lists import word_groups, word_list
from app.store.entities import Entities, canonical_key
from app.store.index.match import either
from app.store.search import WordSearch

LOOKED_AT = 24
MOST = 3
_HELPING = r"(?:am|is|are|was|were|do|does|did|will|would|can|could|should|has|have|had|may|might)"
_ON = (
    r"and|or|at|about|after|am|are|as|because|been|before|by|can|could|did|do|does|for|from|had|"
    r"has|have|if|in|is|like|may|might|of|on|should|since|so|than|that|to|was|were|when|where|"
    r"which|while|who|will|with|would"
)
_CAPITAL = re.compile(r" [^\W\d_a-z]")
_ASKS_WHO = re.compile(
    r"\b(?:names?|named|called)\b|\bwho(?: is|['’]s|s) (?:my|our) [\w -]+\W*$", re.IGNORECASE
)
_NAME = (
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?(?P<name>[^\W\d_a-z][\w'’-]*?[^\W_](?: [^\W\d_a-z][\w-]+)?)"
    r"(?!\w)"
)


@dataclass(frozen=True, slots=True)
class KnownPeople:
    """Puts into a question the names of those it speaks of as "my sister" or "our dog".

    Attributes:
        search: Where memories that introduce somebody are looked up.
        entities: Where the person has said that two names mean one.
        trusts: Which memories may say who somebody is.
    """

    search: WordSearch
    entities: Entities
    trusts: frozenset[Trust]
    name: str = "people"

    def __call__(self, trace: Trace, asked: Query) -> Query:
        """Return a question with the names of whom it means; the same where nobody is known."""
        if _ASKS_WHO.search(asked.text):
            return asked
        spoken_of = list(dict.fromkeys(found["who"] for found in _found(asked.text)))[:MOST]
        if not spoken_of:
            return asked
        known = dict(trace.step(self.name, 0, lambda: list(self._known(spoken_of, asked))))
        if not known:
            return asked
        trace.note(f"Understood as {', '.join(f'“{w} {name}”' for w, name in known.items())}.")
        return replace(asked, text=_with_names(asked.text, known))

    def names(self, text: str, asked: Query) -> list[str]:
        """Return the names of those a text speaks of as "my sister" or "our dog", where known."""
        spoken_of = list(dict.fromkeys(found["who"] for found in _found(text)))[:MOST]
        return [name for _, name in self._known(spoken_of, replace(asked, text=text))]

    def _known(self, spoken_of: Sequence[str], asked: Query) -> Iterator[tuple[str, str]]:
        said = frozenset(every_word(asked.text))
        for who in spoken_of:
            name = self._alias(who, asked) or self._introduced(who.lower(), asked)
            if name and not said.issuperset(every_word(name)):
                yield who, name

    def _alias(self, who: str, asked: Query) -> str:
        """Return which other name the person has said is meant by this word."""
        try:
            meant = self.entities.named(who, asked.scope.agent_pk).name
        except NotFound:
            return ""
        return meant if canonical_key(meant) != canonical_key(who) else ""

    def _introduced(self, who: str, asked: Query) -> str:
        """Return the name that memories give somebody; nothing where they give several."""
        noun = next(noun for noun in _nouns() if who.endswith(noun))
        alike = next((same for same in _alike() if noun in same), frozenset({noun}))
        match = either(sorted(alike))
        found = self.search.memories(match, asked.scope, self.trusts, asked.now, LOOKED_AT)
        hits = self.search.hydrate([pk for pk, _ in found]).values()
        memories = [hit.memory for hit in hits if hit.memory is not None]
        before = who.removesuffix(noun)
        for nouns in ({noun}, alike - {noun}):
            spoken = [before + one for one in sorted(nouns)]
            keyed = {name for memory in memories if (name := _by_key(memory, spoken))}
            told = keyed or {n for m in memories for one in spoken for n in _told(m.text, one)}
            if told:
                return _agreed(told)
        return ""


@cache
def _nouns() -> list[str]:
    """Return the words for one person or animal, longer ones first."""
    lists = ("partners", "people", "pets")
    found = frozenset[str]().union(*(word_list("people", name) for name in lists))
    return sorted(found, key=len, reverse=True)


@cache
def _alike() -> list[frozenset[str]]:
    """Return groups of words for the same person."""
    same = (frozenset(group) for group in word_groups("people", "alike"))
    return [word_list("people", "partners"), *same]


@cache
def _spoken_of() -> re.Pattern[str]:
    """Return how a question speaks of somebody; not "my mother tongue" or "my husband Pieter"."""
    who = (
        rf"(?:(?:big|little|older|younger|elder|eldest|oldest|youngest|twin|head|new|old) )?"
        rf"(?:{'|'.join(map(re.escape, _nouns()))})"
    )
    return re.compile(
        rf"\b(?P<whole>(?:(?<!\w)(?P<asked>{_HELPING}) )?(?:my|our) (?P<who>{who}))(?!-| in law)"
        rf"(?=['’]s\b|['’]? *(?:[?.!,;:)]|$)| (?:{_ON})\b"
        rf"|(?(asked) (?!tongue\b|food\b)[a-z]|(?!)))",
        re.IGNORECASE,
    )


def _found(text: str) -> Iterator[re.Match[str]]:
    for found in _spoken_of().finditer(text):
        if not _CAPITAL.match(text, found.end()):
            yield found


def _with_names(text: str, known: Mapping[str, str]) -> str:
    parts, done = [], 0
    for found in _found(text):
        if name := known.get(found["who"]):
            parts += [text[done : found.end()], f" {name}"]
            done = found.end()
    return "".join([*parts, text[done:]])


def _by_key(memory: Memory, spoken: Sequence[str]) -> str:
    """Return the name that is the value of a memory's key."""
    keys = {f"{who.replace(' ', '_')}_name" for who in spoken}
    if word_list("people", "partners").intersection(spoken):
        keys.add("partner_name")
    named = memory.key in keys and isinstance(memory.value, str)
    told = any(re.search(rf"\b{re.escape(who)}\b", memory.text) for who in spoken)
    return str(memory.value) if named and told else ""


def _agreed(told: Collection[str]) -> str:
    """Return the short form of one name; nothing where there are several."""
    shortest = min(told, key=lambda name: (len(name), name))
    one = all(set(every_word(shortest)).issubset(every_word(name)) for name in told)
    return shortest if one else ""


def _told(text: str, who: str) -> Iterator[str]:
    """Yield the names that a text gives somebody."""
    spoken = rf"\b(?:[Mm]y|[Oo]ur|[Yy]our) {re.escape(who)}"
    for form in (
        rf"{spoken}(?:,| is| are)? (?:called|named) {_NAME}",
        rf"{spoken}['’]s name is {_NAME}",
        rf"{spoken},? {_NAME}",
        rf"{spoken} is (?=(?:Dr|Mr|Mrs|Ms|Prof)\b){_NAME}",
        rf"^{_NAME} is {spoken}\b",
        rf"^(?:I|We|You) (?:have|have got|got|adopted|bought) an? {re.escape(who)}"
        rf" (?:called|named) {_NAME}",
    ):
        for found in re.finditer(form, text):
            if names(f"is your {who} {found['name']} there"):
                yield found["name"]
