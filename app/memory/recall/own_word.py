"""Leave out what a file claimed where the person said something on the same thing themselves.

Two statements are on the same thing where they share half of what they say, or where the person's
word tells nearly as much about what is asked. What they said nothing on may be told as a claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.conversation import Role
from app.domain.language.question import only_asks
from app.domain.memory import Memory, Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.stages import lost, relevance_of
from app.memory.text.novelty import content

BESIDE_OWN = "beside_own"
SHARED = 0.5  # of the words of the longer one
AS_MUCH = 0.75  # of the relevance


@dataclass(frozen=True, slots=True)
class OwnWord:
    """Drops claims beside the person's own word on the same thing."""

    name: str = "own word"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, claims that stand beside the person's word marked as dropped."""
        if not any(hit.trust is Trust.CLAIMED for hit in hits):
            return list(hits)
        own = [hit for hit in hits if _is_own(hit)]
        best = max((relevance_of(hit) for hit in own), default=0.0)
        return [self._settled(hit, own, best) for hit in hits]

    def _settled(self, hit: Hit, own: Sequence[Hit], best: float) -> Hit:
        if hit.trust is not Trust.CLAIMED:
            return hit
        as_much = hit.relevance is not None and best >= AS_MUCH * hit.relevance
        if own and (as_much or any(on_same_thing(one.text, hit.text) for one in own)):
            return lost(hit, BESIDE_OWN, Reason(ReasonKind.OWN_WORD))
        return hit


def on_same_thing(one: str, other: str) -> bool:
    """Return whether two statements share half of what they say, whatever they say of it."""
    mine, theirs = content(one).words, content(other).words
    return len(mine & theirs) >= SHARED * max(len(mine), len(theirs), 1)


def own_first(memories: Sequence[Memory]) -> list[Memory]:
    """Return memories with the person's word first, without claims on what they said something."""
    own = [memory for memory in memories if memory.trust.is_own]
    return own + [
        memory
        for memory in memories
        if not memory.trust.is_own
        and not (
            memory.trust is Trust.CLAIMED
            and any(on_same_thing(one.text, memory.text) for one in own)
        )
    ]


def _is_own(hit: Hit) -> bool:
    """Return whether a find is what the person told, and holds."""
    told = hit.kind is HitKind.MEMORY or (hit.role is Role.USER and not only_asks(hit.text))
    return told and hit.standing.is_own and not hit.replaced
