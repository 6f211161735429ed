"""Tell a memory together with the sentence before it, where it points there or only goes on.

"We export two tonnes of it a month" is of no use without what was asked about hibiscus; "Every
December, after the goat" means nothing without the "Gout." that it follows.
"""

import re
from dataclasses import replace

from app.domain.memory import Candidate
from app.memory.extract import doubt
from app.memory.extract.leads import without_openers
from app.memory.extract.person import second_person
from app.memory.extract.sentences import Sentence
from app.memory.extract.starts import has_verb

_LONGEST = 25  # words of a sentence that is told along
_SHORT = 5  # words of one that says only a name or a thing
# What may be meant by "it" within the same words, …
_SOMETHING = re.compile(
    r"\b(?:an?|the|my|your|our|his|her|their|this|that|some|no) "
    r"(?!bit\b|lot\b|moment\b|day\b|week\b|month\b|year\b|while\b)\w+|"
    r"\b\w{3,}[^s\W]s\b",
    re.IGNORECASE,
)
# … and what is only a part of it: "two tonnes of it".
_PART_OF = re.compile(
    r"(?:\b(?:an?|the|even|about|some|\d+|two|three|four|five) )*\b\w+ of $", re.I
)
_POINTS = re.compile(
    r"\b(?:it|them)\b(?! (?:is|was|rains|snows|takes|took|has been)\b)|"
    r"\b(?:there|here)\b(?! (?:is|are|was|were|in|at|on|for)\b)",
    re.IGNORECASE,
)


def placed(
    candidate: Candidate, sentence: Sentence, before: Sentence | None, *, answer: bool
) -> Candidate:
    """Return a memory with the sentence before it, where it needs that to be understood.

    Args:
        candidate: What a sentence was found to tell.
        sentence: That one.
        before: The sentence before it in the message, or None.
        answer: Whether that one answers a question, and nothing was learnt from it.
    """
    if before is None or before.foreign or candidate.key or candidate.instruction:
        return candidate
    if candidate.extra or len(before.text.split()) > _LONGEST or doubt.is_ironic(before):
        return candidate
    if answer and _only_names(before) and not has_verb(sentence.text):
        words = second_person(before.text.rstrip(" ,;:"))
        return replace(candidate, text=f"{words}. {candidate.text}")
    if not points_out(candidate.text):
        return candidate
    return replace(candidate, text=f"{candidate.text} (said with: {before.quote.strip()})")


def points_out(text: str) -> bool:
    """Return whether a text points with an "it" or a "there" at nothing that it names itself."""
    found = _POINTS.search(text)
    return found is not None and not _SOMETHING.search(_PART_OF.sub("", text[: found.start()]))


def _only_names(sentence: Sentence) -> bool:
    text = without_openers(sentence.text)
    short = 0 < len(text.split()) <= _SHORT and text == sentence.text
    return short and not sentence.question and not has_verb(text)
