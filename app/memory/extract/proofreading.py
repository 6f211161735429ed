"""Read a finished memory once more: mend what joining left behind, drop what is no statement.

Whatever the grammar of a sentence was taken for, a memory that begins with a "she" nobody knows,
breaks off, or says the same clause twice, is not worth keeping as it stands.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.domain.memory import Candidate

_NOBODY = re.compile(
    r"^(?:(?:he|she|they|his|her|their|him|them|its|these|those)\b|(?:this|that) (?:\w+ )?"
    r"(?:is|was|looks|sounds)\b(?! your\b)|yours (?:is|are|has|have|was|were)\b|it\b(?! (?:is|has "
    r"been) (?:(?:just|only) (?:you|your|"
    r"the)\b|"
    r"(?:always |still |long )*your (?:\w+ )?(?:dream|ambition|goal|wish|tradition|habit|plan|hope|"
    r"rule|"
    r"policy|motto|routine|custom)\b)))",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"^(?:(?:Now|So|And|Then),? )?[Tt]here(?:'s| is| are)\b(?! (?:just|only)\b| [\w-]+ of you\b)"
)
_OF_A_PLACE = re.compile(r"^(?:At|From|With|To|For|By) [^,]* (?:is|are)\b")
_BROKEN_OFF = re.compile(
    r"(?:\b(?:the|an?|and|but|or|nor|because|(?<!all )(?<!of )(?<!for )(?<!with )(?<!like )that|"
    r"who|which|whose|my|your|our|his|their|(?:is|are|was|were)|(?<!always )(?<!never )has|very|so|"
    r"than|if|not|of|into|just)|\b(?:love|like|want|hope|plan|guts|need|try|"
    r"trying|going|able|have|has|decided|means?|kitchen floor|in order|about|how|when|where)"
    r" to|, even| even)$",
    re.IGNORECASE,
)
_HALF = re.compile(r"\b(?:a|an|the|your) (?:and|is|are|or|but)\b|\bor and\b|\b(?:are|is) is\b|, ,")
_YOU_YOU = re.compile(
    r"^You (?!.*\b(?:who|that|which)\b)\w+(?: \w+){0,2} (?:with|to|for|from) you\b"
)
_TWO_VERBS = re.compile(r"^(?:You like you|You you)\b")
_CLAUSE = re.compile(r"(?P<joint>(?:^|[,;] |\. )(?:(?:and|but|so) )?)(?P<said>[^,;.]+)")


# "Five years ago" has become a year: "about in 2018".
_ABOUT = re.compile(r"\b(?:about|around|roughly) in (?=\d{4}\b)")


# "The last Saturday in July" has become a day and a month: the month is what was said.
_TWO_DAYS = re.compile(r",? on \d{1,2} [A-Z][a-z]+ \d{4}(?= in [A-Z][a-z]+ \d{4})")
# "On Tuesday, not on Monday": the day that it is not says nothing that lasts.
_NOT_THEN = re.compile(r"(?<=\d),? (?:and )?not (?:on |at )?\d{1,2}(?: [A-Z][a-z]+(?: \d{4})?)?$")
_SPENT_ON = re.compile(r"\b(spent|spend|spending) on (?=the (?:night|evening|weekend|week|day)\b)")


def _in_plain_words(text: str) -> str:
    """Return a text whose dates are put as one says them."""
    said = _SPENT_ON.sub(r"\1 ", _TWO_DAYS.sub("", _ABOUT.sub("around ", text)))
    return _NOT_THEN.sub("", said)


def proofread(found: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the memories that read as statements, mended where that is all they need."""
    for candidate in found:
        if candidate.instruction or candidate.extra.get("explicit"):
            yield candidate
            continue
        text = _headless(_once(_in_plain_words(candidate.text)))
        if not is_unsound(text):
            yield candidate if text == candidate.text else replace(candidate, text=text)


def is_unsound(text: str) -> bool:
    """Return whether a text points at nobody, breaks off or speaks to somebody else."""
    return bool(
        _NOBODY.match(text)
        or _OF_A_PLACE.match(text)
        or _THERE.match(text)
        or _BROKEN_OFF.search(text)
        or _HALF.search(text)
        or _YOU_YOU.match(text)
        or _TWO_VERBS.match(text)
        or re.match(r"In \d{4}'s ", text)
        or "Loci" in text
    )


def _headless(text: str) -> str:
    """Return a text without a first clause that points at nobody, where the next stands alone."""
    if not _NOBODY.match(text) or not (found := _NEXT.search(text)):
        return text
    rest = text[found.end() :]
    if _POINTS.search(rest) or len(rest.split()) < _SHORTEST:
        return text
    return rest[:1].upper() + rest[1:]


_NEXT = re.compile(r"(?: [-–—] |[,;.] (?:and |but |so )?| and (?=your ))(?=your?\b)", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:it|this|that|these|those|them|him|her|he|she|they|his|their)\b", re.I)
_SHORTEST = 4  # words


def _once(text: str) -> str:
    """Return a text without the clauses that it says a second time."""
    said: set[str] = set()
    kept = ""
    for found in _CLAUSE.finditer(text):
        low = found["said"].strip().casefold()
        if low in said and len(low.split()) > 1:
            continue
        said.add(low)
        kept += found.group()
    return kept if len(kept) < len(text) and said and _whole(text) else text


def _whole(text: str) -> bool:
    """Return whether the clauses put together again make up the text."""
    return "".join(found.group() for found in _CLAUSE.finditer(text)) == text
