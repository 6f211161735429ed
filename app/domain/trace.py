"""How a recall is told: one vocabulary for the window and the terminal.

Names of lanes, factors and steps that are not known here are shown as they are, so that a new one
is told of before it is named.
"""

from collections.abc import Mapping

from app.domain.conversation import Role
from app.domain.memory import MemoryType, Status, Trust
from app.domain.reason import MEANING, RELEVANCE, WORDS, Reason, ReasonKind, measured, words
from app.domain.recall import Hit, TraceStep

REPLACED = Reason(ReasonKind.REPLACED)
KEPT_IN_MIND = Reason(ReasonKind.KEPT_IN_MIND)
NO_ROOM = "no_room"
OUTDATED = "outdated"
KEPT_HERE = "kept_here"
LANES = {
    "fts": "words",
    "message_fts": "words",
    "vector": "meaning",
    "message_vector": "meaning",
    "overview": "being about you",
    "time": "time",
    "entity": "shared names",
    "temporal": "the same days",
    "causal": "cause and effect",
    "pinned": "pinned",
    "replaced": "successor",
}
STEPS = {
    "people": "who is meant",
    "fts": "words in memories",
    "vector": "meaning of memories",
    "message_fts": "words in messages",
    "message_vector": "meaning of messages",
    "overview": "all about you",
    "time": "the time asked for",
    "entity": "shared names",
    "temporal": "the same days",
    "causal": "causes and effects",
    "pinned": "what is pinned",
    "replaced": "what was replaced",
    "fusion": "merge",
    "rows": "read",
    "in_time": "weigh the time",
    "late interaction": "compare word by word",
    "questions": "weigh questions",
    "rerank": "read again together",
    "usefulness": "weigh what helped",
    "scoring": "factors",
    "trust": "trust filter",
    "own word": "your own word first",
    "evidence": "one per source",
    "dedup": "same words once",
    "conflicts": "weigh contradictions",
    "history": "limit what was replaced",
    "beside": "order what was replaced",
    "excerpts": "shorten",
    "line floor": "keep to the point",
    "safety": "keep room for safety",
    OUTDATED: "leave out what changed",
    KEPT_HERE: "keep back what may not go",
    "prompt": "fit the prompt",
}
FACTORS = {
    "temporal": "event time",
    "proof": "repeated",
    "time": "time asked for",
    "question": "a question",
}
LOST = {
    "below_floor": "not about this",
    "trust_filtered": "not trusted for prompts",
    "beside_own": "only claimed by an import",
    "deduped": "says the same as another",
    "below_budget": "no room left",
    NO_ROOM: "no room in the prompt",
    OUTDATED: "no longer true",
    KEPT_HERE: "not sent",
}
CLAIMED = "Claimed by an import"
TYPES: Mapping[str, str] = {
    MemoryType.WORKING: "passing note",
    MemoryType.EPISODIC: "event",
    MemoryType.SEMANTIC: "fact",
    MemoryType.PROCEDURAL: "instruction",
}
TRUSTS: Mapping[str, str] = {
    Trust.SYSTEM: "confirmed by you",
    Trust.LEARNED: "learned from you",
    Trust.CLAIMED: CLAIMED.lower(),
    Trust.EXTERNAL: "from outside",
}
STATUSES: Mapping[str, str] = {
    Status.ACTIVE: "active",
    Status.PROPOSED: "proposed",
    Status.QUARANTINED: "set aside",
    Status.SUPERSEDED: "replaced",
    Status.OUT_OF_WINDOW: "archived",
    Status.FORGOTTEN: "forgotten",
}
_STORED = {"type": TYPES, "trust": TRUSTS, "status": STATUSES}
CARE = (
    "Not trusted: either it comes from outside and was not verified, or it contains an order. It"
    " counts less than what you said, and what it asks for is never followed."
)
CLAIMED_CARE = (
    "Claimed by an import that this profile did not sign, and not verified. It stays out of answers"
    " wherever you said something about it yourself."
)
_FIRST = (WORDS, MEANING, RELEVANCE)
_TOLD_BY_LANES = frozenset({ReasonKind.PLACE, ReasonKind.FUSED})


def lane_name(lane: str) -> str:
    """Return what a lane goes by."""
    return LANES.get(lane, _plain(lane))


def places(hit: Hit, names: bool = False) -> list[str]:
    """Return where each lane had a find: "words #2", "meaning #1"; or by the lanes' own names."""
    return [f"{lane if names else lane_name(lane)} #{rank}" for lane, rank in hit.lanes.items()]


def measures(hit: Hit) -> dict[str, str]:
    """Return what was measured of a find: words, meaning, relevance, and then the rest.

    The relevance is the one it came to in the end, which the floor looked at.
    """
    found = dict(map(measured, hit.reasons))
    found.pop("", None)
    if found and hit.relevance is not None:
        found[RELEVANCE] = f"{hit.relevance:.2f}"
    first = {name: found.pop(name) for name in _FIRST if name in found}
    return first | found


def notes(hit: Hit) -> list[str]:
    """Return the reasons that lanes, measures and factors do not tell already."""
    told = hit.reasons[:-1] if hit.dropped in LOST else hit.reasons
    return [words(one) for one in told if one != hit.disputed and not _is_told(hit, one)]


def _is_told(hit: Hit, reason: Reason) -> bool:
    if reason.kind in _TOLD_BY_LANES or measured(reason)[0]:
        return True
    return reason.kind is ReasonKind.FACTOR and reason.name in hit.factors


def lost(hit: Hit) -> str:
    """Return why a find did not get through, or nothing."""
    if not hit.dropped:
        return ""
    said = LOST.get(hit.dropped, _plain(hit.dropped))
    return f"{said}: {words(hit.reasons[-1])}" if hit.dropped in LOST and hit.reasons else said


def factor_name(name: str) -> str:
    """Return what a factor is called."""
    return FACTORS.get(name, _plain(name))


def step_name(step: TraceStep) -> str:
    """Return what a step is called."""
    return STEPS.get(step.name, _plain(step.name))


def step_count(step: TraceStep) -> str:
    """Return what came of a step: "12 found", "12 → 9", "9"; nothing where it had nothing to do."""
    if step.name in LANES or step.before == 0:
        return f"{step.after:,} found" if step.after else ""
    same = step.before == step.after
    return f"{step.after:,}" if same else f"{step.before:,} → {step.after:,}"


def part(shown: int, total: int) -> str:
    """Return how many there are, and of how many: "15 of 160"; "15" where that is all."""
    return f"{shown:,}" if shown >= total else f"{shown:,} of {total:,}"


def whence(hit: Hit) -> list[str]:
    """Return where the words of a message come from that nobody here said; mostly nothing."""
    return list(dict.fromkeys(one.whence for one in hit.passages if one.whence))


def is_all_foreign(hit: Hit) -> bool:
    """Return whether the person typed nothing of a message of theirs that was found."""
    return hit.role is Role.USER and bool(hit.passages) and all(p.whence for p in hit.passages)


def stored_word(field: str, value: str) -> str:
    """Return what a person calls a stored type, trust or status; any other word as it is."""
    return _STORED.get(field, {}).get(value, _plain(value))


def trust_word(trust: Trust) -> str:
    """Return what a step of trust goes by where there is room to say it."""
    return CLAIMED.lower() if trust is Trust.CLAIMED else trust.value


def care(trust: Trust) -> str:
    """Return what to mind of what is not the person's word; nothing of what is."""
    return {Trust.EXTERNAL: CARE, Trust.CLAIMED: CLAIMED_CARE}.get(trust, "")


def _plain(name: str) -> str:
    return name.replace("_", " ")
