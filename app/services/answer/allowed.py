"""Keep back from a prompt what the rule of its connection lets not go."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, Recall, TraceStep
from app.domain.sharing.rule import SharingRule
from app.domain.trace import KEPT_HERE


def allowed(recall: Recall, rule: SharingRule | None) -> Recall:
    """Return a recall without what may not go; the trace says what was kept here."""
    if rule is None or all(map(rule.allows, recall.hits)):
        return recall
    kept = may_go(recall.hits, rule)
    here = [
        replace(hit, dropped=KEPT_HERE, reasons=(*hit.reasons, Reason(ReasonKind.KEPT_HERE)))
        for hit in recall.hits
        if not rule.allows(hit)
    ]
    step = TraceStep(KEPT_HERE, len(recall.hits), len(kept), 0.0)
    steps = (*recall.steps, step) if recall.steps else ()
    return replace(recall, hits=kept, dropped=(*here, *recall.dropped), steps=steps)


def may_go(hits: Sequence[Hit], rule: SharingRule | None) -> list[Hit]:
    """Return which finds may go; all of them before there is a rule, for then nothing is sent."""
    return [hit for hit in hits if rule is None or rule.allows(hit)]
