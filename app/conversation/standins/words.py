"""The words by which a name is told from other words with a capital; data of ``resources``."""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.assets import resource
from app.domain.language.everyday import everyday

_OFTEN = 10


@dataclass(frozen=True, slots=True)
class NameWords:
    """Lists of words in lower case.

    Attributes:
        given: Common given names.
        public: What has a capital and is nobody's.
        titles: What stands before a name.
        naming: What says that a name follows.
        verbs: What stands after a name that begins a sentence.
        streets: What stands after the name of a street.
        german: What says that a sentence is German, where all nouns have capitals.
        usual: Everyday words of the languages Loci reads.
        often: Those of them that are said most often.
    """

    given: frozenset[str]
    public: frozenset[str]
    titles: frozenset[str]
    naming: frozenset[str]
    verbs: frozenset[str]
    streets: frozenset[str]
    german: frozenset[str]
    usual: frozenset[str]
    often: frozenset[str]


@dataclass(frozen=True, slots=True)
class NameStock:
    """What names are chosen from.

    Attributes:
        names: The list.
        syllables: What more are made of, with one of ``endings``, where it does not suffice.
    """

    names: tuple[str, ...]
    syllables: tuple[str, ...]
    endings: tuple[str, ...]


@cache
def name_words() -> NameWords:
    """Return the lists that tell names."""
    lists, names = _file("standins"), _file("names")
    said = {name: frozenset(words.lower().split()) for name, words in lists.items()}
    commas = {name: frozenset(_entries(names[name])) for name in ("given", "nations")}
    usual = everyday()
    others = {w for words in _file("languages")["everyday"].values() for w in words.split()}
    return NameWords(
        given=commas["given"],
        public=said["public"] | said["streets"] | commas["nations"],
        titles=said["titles"],
        naming=said["naming"],
        verbs=said["verbs"],
        streets=said["streets"],
        german=said["german"],
        usual=frozenset(usual) | others | said["openers"],
        often=frozenset(word for word, number in usual.items() if number >= _OFTEN),
    )


@cache
def name_stock() -> NameStock:
    """Return what stand-ins are chosen from."""
    lists = _file("standins")
    parts = (tuple(lists[name].split()) for name in ("names", "syllables", "endings"))
    return NameStock(*parts)


def _file(name: str) -> dict[str, Any]:
    return tomllib.loads(resource(f"reading/{name}.toml").read_text("utf-8"))


def _entries(text: str) -> list[str]:
    return [entry for entry in map(str.strip, text.replace("\n", ",").split(",")) if entry]
