"""The words that what was read is put in order with, from ``resources/reading/words.toml``."""

import tomllib
from dataclasses import dataclass
from functools import cache

from app.assets import resource


@dataclass(frozen=True, slots=True)
class WordClasses:
    """Words by what they do; all in small letters."""

    pronouns: frozenset[str]
    he: frozenset[str]
    she: frozenset[str]
    it: frozenset[str]
    men: frozenset[str]
    women: frozenset[str]
    owning: frozenset[str]
    giving: frozenset[str]
    aims: frozenset[str]
    doing: frozenset[str]
    first_person: frozenset[str]
    me: frozenset[str]
    listing: frozenset[str]
    my: frozenset[str]
    saying: frozenset[str]
    not_owned: frozenset[str]
    leads: frozenset[str]
    joining: frozenset[str]
    subjects: frozenset[str]
    leaning: frozenset[str]
    dangling: frozenset[str]
    past: frozenset[str]
    past_or_present: frozenset[str]
    no_subject: frozenset[str]
    adverbs: frozenset[str]
    arranging: frozenset[str]
    habitual: frozenset[str]
    yearly: frozenset[str]
    being: frozenset[str]
    ahead: frozenset[str]
    requesting: frozenset[str]
    describing: frozenset[str]
    having: frozenset[str]
    other_years: frozenset[str]
    not_any_more: frozenset[str]
    instead_of: frozenset[str]
    any_more: frozenset[str]
    opposing: frozenset[str]
    now: frozenset[str]
    leading_in: frozenset[str]
    leading_on: frozenset[str]
    excepting: frozenset[str]
    agreeing: frozenset[str]
    forgetting: frozenset[str]
    polite: frozenset[str]
    by_no_means: tuple[str, ...]
    keeping: tuple[str, ...]
    reminding: tuple[str, ...]
    no_matter: frozenset[str]
    reminding_of: frozenset[str]
    reminding_when: frozenset[str]
    meaning: tuple[str, ...]
    remembering: tuple[str, ...]
    past_endings: frozenset[str]
    writing: frozenset[str]


@cache
def words() -> WordClasses:
    """Return the words."""
    told = tomllib.loads(resource("reading/words.toml").read_text("utf-8"))
    ways = _phrases(told.pop("remembering"))
    meaning = _phrases(told.pop("meaning"))
    never = _phrases(told.pop("by_no_means"))
    keeping = _phrases(told.pop("keeping"))
    reminding = _phrases(told.pop("reminding"))
    pairs = frozenset(_phrases(told.pop("instead_of")))
    requests = frozenset(_phrases(told.pop("requesting")))
    sets = {name: frozenset(_spelled(text).split()) for name, text in told.items()}
    return WordClasses(
        **sets,
        requesting=requests,
        remembering=ways,
        instead_of=pairs,
        by_no_means=never,
        keeping=keeping,
        reminding=reminding,
        meaning=meaning,
    )


def _phrases(text: str) -> tuple[str, ...]:
    found = _spelled(text).replace("\n", "|").split("|")
    return tuple(phrase.strip() for phrase in found if phrase.strip())


def _spelled(text: str) -> str:
    """Return words with either apostrophe."""
    return f"{text}\n" + text.replace("'", "’")
