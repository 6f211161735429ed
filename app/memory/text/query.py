"""Read a question: its words, the query they make for the full-text index, and whom it names.

Everything here is plain reading of the text; no index is asked.
"""

import re
import unicodedata
from collections.abc import Collection

from app.domain.language.text import stem
from app.store.index.match import either

MAX_WORDS = 32


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOPWORDS = _vocabulary(
    """
    a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has
    have having he her here hers herself him himself his how i if in into is it its itself just me
    more most my myself no nor not now of off on once only or other our ours ourselves out over own
    same she should so some such than that the their theirs them themselves then there these they
    this those through to too under until up us very was we were what when where which while who
    whom whose why will with would you your yours yourself yourselves
    """
)
SMALL_TALK = _vocabulary(
    """
    hi hello hey hiya thanks thank thx cheers ok okay yes yeah yep no nope cool great good nice fine
    lovely perfect awesome wow haha lol bye goodbye please sorry welcome morning evening night
    afternoon day much lot really sure right
    """
)
_NOT_NAMES = _vocabulary(
    """
    january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday christmas easter english french german italian
    spanish portuguese dutch danish swedish norwegian finnish polish czech russian ukrainian greek
    turkish arabic hebrew hindi chinese japanese korean thai vietnamese indian american british
    irish scottish welsh mexican brazilian african asian european australian canadian i loci
    """
)
_WORD = re.compile(r"[^\W_]+")
_INSIDE = re.compile(r"(?:(?<=[^\W_]\s)|(?<=[^\W_][,;:]\s))[^\W\d_]{2,}")
_OVERVIEW = re.compile(
    r"\bwhat (?:else )?(?:do|did|can|have|has) (?:you|loci) (?:still )?"
    r"(?:know|knows|remember|remembered|learned|learnt|recall|tell me)"
    r"(?: (?:so far|about me|about myself|of me))*\W*$"
    r"|\bwhat (?:have i|did i) (?:ever )?(?:told|tell) you"
    r"(?: (?:so far|about me|about myself))*\W*$"
    r"|\b(?:tell me|what is known|everything(?: you know)?) about (?:me|myself)\W*$"
    r"|\bwho am i\W*$"
)


def every_word(text: str) -> list[str]:
    """Return all the words in small letters, in order."""
    return _WORD.findall(_composed(text).lower())


def plain(word: str) -> str:
    """Return a word without accents, as embedders and the full-text index see it."""
    parts = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """Return the content words: lower case, each once, in order, at most ``MAX_WORDS``."""
    found = dict.fromkeys(every_word(text))
    return [word for word in found if word not in STOPWORDS][:MAX_WORDS]


def match(text: str) -> str:
    """Return the FTS5 query for any of the content words; empty where there are none."""
    return either(words(text))


def stems(text: str) -> frozenset[str]:
    """Return the stems of all the words of a text."""
    return frozenset(map(stem, every_word(text)))


def stems_among(wanted: Collection[str], text: str) -> frozenset[str]:
    """Return which of some stems are those of words of a text.

    A word begins as its stem does, so that others need not be looked at; only in "dying" and its
    like a letter within the first three is another one there.
    """
    heads = {one[:3] if len(one) > 3 else one[:2] for one in wanted}
    begins = (*heads, *(head.replace("i", "y") for head in heads))
    found = (stem(word) for word in every_word(text) if word.startswith(begins))
    return frozenset(found).intersection(wanted)


def names(text: str) -> list[str]:
    """Return the words that are names by their capital letter alone, each once.

    Only in an English sentence that is not itself in capitals, and never its first word.
    """
    composed = _composed(text)
    every = _WORD.findall(composed)
    capital = [word for word in every if word[0].isupper()]
    if len(capital) * 3 > len(every) * 2 or not STOPWORDS.intersection(composed.lower().split()):
        return []
    inside = dict.fromkeys(found[0] for found in _INSIDE.finditer(composed))
    return [w for w in inside if w[0].isupper() and w.lower() not in _NOT_NAMES | STOPWORDS]


def is_small_talk(text: str) -> bool:
    """Return whether a text is a greeting, thanks or consent, so that nothing is looked for."""
    found = _WORD.findall(text.casefold())
    return any(w in SMALL_TALK for w in found) and all(w in SMALL_TALK | STOPWORDS for w in found)


def is_overview(text: str) -> bool:
    """Return whether a text asks what is known of the person at all."""
    return bool(_OVERVIEW.search(" ".join(text.casefold().split())))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
