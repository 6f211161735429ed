"""Leave out of a prompt what no longer holds, unless it is asked for.

What another memory took the place of is told to no model. Of words that no memory replaced, models
below three billion parameters often repeat the older ones, whatever the lines say of their dates
(measured); for them, what answers now is judged as in an answer without a model.
"""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Protocol

from app.domain.conversation import Message
from app.domain.language.question import asks_of_the_past
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, Recall, TraceStep
from app.domain.trace import OUTDATED

CHANGED = Reason(ReasonKind.OUTDATED)


class Judging(Protocol):
    """Who knows what answered until it changed."""

    def outdated(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """Return what of some finds answered a question until that changed."""


def as_it_is(question: Message, recall: Recall, judging: Judging | None = None) -> Recall:
    """Return a recall without what no longer holds; who asks of the past is told all.

    Args:
        question: The message that a model is to answer.
        recall: What was recalled for it.
        judging: Tells what a newer statement changed, of what no memory replaced; for small models.
    """
    if len(recall.hits) < 2 or asks_of_the_past(question.text):
        return recall
    began = perf_counter()
    asked = question.typed or question.text
    old = {hit.id for hit in recall.hits if hit.replaced}
    if judging is not None:
        old |= {hit.id for hit in judging.outdated(asked, recall.hits)}
    if judging is None and not old:
        return recall
    kept = [hit for hit in recall.hits if hit.id not in old]
    lost = [
        replace(hit, dropped=OUTDATED, reasons=(*hit.reasons, CHANGED))
        for hit in recall.hits
        if hit.id in old
    ]
    step = TraceStep(OUTDATED, len(recall.hits), len(kept), (perf_counter() - began) * 1000)
    steps = (*recall.steps, step) if recall.steps else ()
    return replace(recall, hits=kept, dropped=(*lost, *recall.dropped), steps=steps)
