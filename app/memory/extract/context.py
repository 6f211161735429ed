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
    r"(?<!make )(?<!made )(?<!get )(?<!take )(?<!hate )(?<!love )(?<!like )\b(?:it|them)\b"
    r"(?! (?:is|was|rains|snows|takes|took|has been)\b)|"
    r"\b(?:there|here)\b(?! (?:is|are|was|were|in|at|on|for)\b)",
    re.IGNORECASE,
)


def placed(
    candidate: Candidate, sentence: Sentence, before: Sentence | None, *, answer: bool, new: bool
) -> Candidate:
    """Return a memory with the sentence before it, where it needs that to be understood.

    Args:
        candidate: What a sentence was found to tell.
        sentence: That one.
        before: The sentence before it in the message, or None.
        answer: Whether that one begins the message and answers a question.
        new: Whether nothing was learnt from that one.
    """
    if before is None or before.foreign or not new or candidate.key or candidate.instruction:
        return candidate
    if candidate.extra or len(before.text.split()) > _LONGEST or doubt.is_ironic(before):
        return candidate
    if answer and _only_names(before) and not has_verb(sentence.text):
        words = second_person(before.text.rstrip(" ,;:"))
        return replace(candidate, text=f"{words}. {candidate.text}")
    if not points_out(candidate.text) or not (about := _told_of(before)):
        return candidate
    return replace(candidate, text=f"{candidate.text} (about: {about})")


def _told_of(before: Sentence) -> str:
    """Return what a sentence speaks of; "" where it wants work done, or points elsewhere itself."""
    text = _COURTESY.sub("", before.text)
    works = doubt.is_order(text) and text == before.text
    if works or doubt.begins_material(before) or doubt.begins_play(before):
        return ""
    if _THIS.search(text) or not _SOMETHING.search(text) or doubt.speaks_to_assistant(text):
        return ""
    return second_person(text) + ("?" if before.question and text == before.text else "")


_COURTESY = re.compile(
    r"^(?:and |so |hi |hey |hello )?(?:can|could|would|will) you (?:please |kindly )?"
    r"(?=(?:suggest|recommend|find|tell|give|name|think|list|help|plan)\b)",
    re.IGNORECASE,
)
_THIS = re.compile(r"\b(?:this|these|those|it|them)\b", re.IGNORECASE)


def points_out(text: str) -> bool:
    """Return whether a text points with an "it" or a "there" at nothing that it names itself."""
    found = _POINTS.search(text)
    return found is not None and not _SOMETHING.search(_PART_OF.sub("", text[: found.start()]))


def _only_names(sentence: Sentence) -> bool:
    text = without_openers(sentence.text)
    short = 0 < len(text.split()) <= _SHORT and text == sentence.text
    return short and not sentence.question and not has_verb(text)
