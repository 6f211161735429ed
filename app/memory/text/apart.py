"""Tell evidence apart: what says the same is told once, and what only sounds alike is told along.

"I'm allergic to walnuts" stands beside "I'm allergic to penicillin", though most of their words
are the same; neither is the other in other words, and whoever asks wants both.
"""

from collections.abc import Iterable

from app.domain.language.text import normalise
from app.domain.recall import HitKind
from app.domain.reply import AnswerEvidence
from app.memory.text.novelty import says_no_more

ALIKE = 0.7  # of the words of the shorter text


def apart(answering: Iterable[AnswerEvidence]) -> list[AnswerEvidence]:
    """Return evidence in order, without what another piece says already."""
    kept: list[AnswerEvidence] = []
    for one in answering:
        if not any(_is_said_by(one, other) for other in kept):
            kept.append(one)
    return kept


def is_beside(one: AnswerEvidence, best: AnswerEvidence) -> bool:
    """Return whether evidence of the person's own says of something else what the best one says."""
    return one.own and one.hit.id != best.hit.id and _worded_alike(one, best)


def _is_said_by(one: AnswerEvidence, other: AnswerEvidence) -> bool:
    """Return whether evidence says nothing more than other evidence, or that and fillers alone.

    So do a memory and one of its sentences, and a message and what was remembered of it.
    """
    if says_no_more(one.text, other.text):
        return True
    same = one.hit.id == other.hit.id or one.hit.kind is HitKind.MESSAGE
    return same and _worded_alike(one, other) and says_no_more(other.text, one.text)


def _worded_alike(one: AnswerEvidence, other: AnswerEvidence) -> bool:
    """Return whether evidence shares most words of the shorter text."""
    mine, theirs = (set(normalise(e.text).split()) for e in (one, other))
    return len(mine & theirs) > ALIKE * min(len(mine), len(theirs))
