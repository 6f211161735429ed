"""What a recall found, and how it came about."""

from typing import Any

from app.domain.provenance import Passage
from app.domain.reason import words
from app.domain.recall import Hit, Recall, TraceStep
from app.serialisers.values import fields


def hit(one: Hit) -> dict[str, Any]:
    """Return a find."""
    return {
        **fields(one, "id kind text"),
        "score": round(one.score, 6),
        **fields(one, "at trust superseded_by replaced_at"),
        "reasons": [words(reason) for reason in one.reasons],
        "unverified": [passage(words) for words in one.told if words.whence],
    }


def passage(one: Passage) -> dict[str, Any]:
    """Return words that nobody here said."""
    return {"text": one.text, "whence": one.whence}


def hit_explained(one: Hit) -> dict[str, Any]:
    """Return a find with everything that made it stand where it stands."""
    return hit(one) | {
        "lanes": dict(one.lanes),
        "relevance": None if one.relevance is None else round(one.relevance, 6),
        "base": round(one.base, 6),
        "factors": {name: round(factor, 6) for name, factor in one.factors.items()},
        "tier": one.tier,
        "dropped": one.dropped,
    }


def recall(query: str, found: Recall) -> dict[str, Any]:
    """Return a whole recall."""
    return {
        "query": query,
        "milliseconds": round(found.milliseconds, 3),
        "hits": [hit_explained(one) for one in found.hits],
        "dropped": [hit_explained(one) for one in found.dropped],
        "lost": found.lost,
        "steps": [step(one) for one in found.steps],
        "degraded": list(found.degraded),
    }


def step(one: TraceStep) -> dict[str, Any]:
    """Return what one lane or stage did."""
    return {
        **fields(one, "name before after"),
        "milliseconds": round(one.milliseconds, 3),
        "note": one.note,
    }
