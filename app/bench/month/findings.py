"""Compare what is remembered after the simulated month with what is true, and count."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from typing import Any

from app.bench.month.ground_truth import Truth, Why, in_use, is_history, says, tells
from app.bench.month.script import MonthFact
from app.bench.month.simulation import PRUNE_AFTER, Night, SimulationResult
from app.domain.memory import JournalEntry, Memory, MemoryFilter, Status
from app.memory.text import novelty
from app.services.services import Services

HITS = 5
COMPARED_DAYS = 10
WAITING = frozenset({Status.PROPOSED, Status.QUARANTINED})
ALL_RUNS = 100_000
BY_MESSAGE = "message"

Finding = dict[str, Any]
Changes = Mapping[str, Sequence[JournalEntry]]


def measured(services: Services, lived: SimulationResult) -> dict[str, Any]:
    """Return the figures of a life that was lived, and every finding."""
    memories = services.memories.list(MemoryFilter(), 0, -1)
    changes = {
        memory.id: [step.entry for step in services.history.of_memory(memory.id)]
        for memory in memories
    }
    missing, away = lost(services, memories, changes, lived.truth)
    kinds = {
        "duplicates": duplicates(memories),
        "lost": missing,
        "false": false(lived.nights, lived.truth),
        "unexplained": unexplained(services, memories, changes, lived.nights),
    }
    return {
        "ok": not any(kinds.values()),
        **{kind: len(findings) for kind, findings in kinds.items()},
        "lost_because": dict(Counter(finding["why"] for finding in missing)),
        "facts": len(lived.truth.current),
        "known_by_their_message_only": away.pop(BY_MESSAGE, 0),
        "put_away": dict(away),
        "must_not_be_known": len(lived.truth.wrong),
        "days": len(lived.nights),
        "messages": lived.messages,
        "memories": {s.value: n for s, n in services.memories.overview().items() if n},
        "observations": lived.nights[-1].count(Status.ACTIVE, observations=True),
        "said_again": sum(memory.seen_count - 1 for memory in memories),
        "proposals": {"made": sum(map(_was_proposed, changes.values())), **_of(lived, "proposals")},
        "contradictions": _of(lived, "contradictions"),
        "the_person": _of(lived, "memories", "conversations", "consolidations", "copies"),
        "vault": _vault(lived),
        "runs": _runs(services),
        "findings": [finding for findings in kinds.values() for finding in findings],
    }


# -- what must not be ------------------------------------------------------------------------------


def duplicates(memories: Sequence[Memory]) -> list[Finding]:
    """Return the pairs in use that say the same; an observation may say what a statement does."""
    return [
        {"kind": "duplicate", "texts": [one.text, other.text]}
        for one, other in combinations(in_use(memories), 2)
        if (one.proof_count is None) == (other.proof_count is None)
        and novelty.adds_nothing(one.text, other.text)
    ]


def lost(
    services: Services, memories: Sequence[Memory], changes: Changes, truth: Truth
) -> tuple[list[Finding], Counter[str]]:
    """Return what should be known and is not, and how many facts were put away as the settings say.

    What is known has to be in a memory in use, and among the first finds of its question. What was
    never learnt is lost unless its question finds the message that says it.
    """
    found: list[Finding] = []
    away: Counter[str] = Counter()
    for fact in truth.current.values():
        saying = [memory for memory in memories if says(memory, fact)]
        if not in_use(saying):
            if reason := next((r for m in saying if (r := _put_away(m, changes, fact, truth))), ""):
                away[reason] += 1
                continue
            if saying:
                found.append(_lost(fact, "no memory in use says it", saying))
                continue
        hits = services.memories.recall(fact.ask, HITS).hits
        told = any(tells(hit.text, fact) for hit in hits)
        if not saying:
            away[BY_MESSAGE] += told
        if not told:
            why = "its question does not find it" if saying else "it was not understood"
            finding = _lost(fact, why, in_use(saying))
            found.append(finding | {"asked": fact.ask, "found": [hit.text for hit in hits]})
    return found, away


def _lost(fact: MonthFact, why: str, saying: Sequence[Memory]) -> Finding:
    texts = [f"{memory.status}: {memory.text}" for memory in saying]
    return {"kind": "lost", "fact": fact.id, "words": fact.words, "why": why, "memories": texts}


def _put_away(memory: Memory, changes: Changes, fact: MonthFact, truth: Truth) -> str:
    """Return what put a memory away as the settings say; empty where that was not due."""
    last = [entry for entry in changes[memory.id] if "status" in entry.after][-1]
    if memory.status is Status.OUT_OF_WINDOW:
        return "archived"
    if memory.status is not Status.FORGOTTEN or last.op != "prune":
        return ""
    used = max(truth.said_at[fact.id], memory.last_accessed_at or memory.created_at)
    return "pruned" if last.at - used >= timedelta(days=PRUNE_AFTER) else ""


def false(nights: Sequence[Night], truth: Truth) -> list[Finding]:
    """Return what was in use, or there at all though it was erased, and must not be.

    What is over may stand until the person has settled it, so there the last night alone counts.
    """
    found: list[Finding] = []
    for wrong in truth.wrong.values():
        for night in nights[-1:] if wrong.why is Why.OVER else nights:
            every = night.memories if wrong.why is Why.ERASED else in_use(night.memories)
            told = [m for m in every if night.at > wrong.since and says(m, wrong.fact)]
            if wrong.why is Why.OVER:
                told = [m for m in told if not is_history(m, wrong.since)]
            if told:
                said = [f"{memory.status}: {memory.text}" for memory in told]
                finding = {"kind": "false", "fact": wrong.fact.id, "why": wrong.why}
                found.append(finding | {"day": night.day, "memories": said})
                break
    return found


def unexplained(
    services: Services, memories: Sequence[Memory], changes: Changes, nights: Iterable[Night]
) -> list[Finding]:
    """Return changes that nothing explains, and nights that the journal tells otherwise."""
    runs = {run.batch for run in services.upkeep.history(ALL_RUNS)} - {""}
    found: list[Finding] = [
        {"kind": "unexplained", "change": f"{entry.actor} {entry.op}", "memory": memory.text}
        for memory in memories
        for entry in changes[memory.id]
        if not _explained(entry, runs)
    ]
    there = {memory.id for memory in memories}  # what was erased since is not told of any more
    for night in nights:
        then = {m.id: _as_told(m) for m in services.history.as_of(night.at, limit=-1)}
        was = {m.id: _as_told(m) for m in night.memories if m.id in there}
        found += [
            {"kind": "unexplained", "day": night.day, "memory": (was.get(i) or then[i]).text}
            for i in sorted(was.keys() | then.keys())
            if was.get(i) != then.get(i)
        ]
    return found


def _explained(entry: JournalEntry, runs: set[str]) -> bool:
    """Return whether a change says who made it, and why: the person, a message, a run, a reason."""
    because = entry.actor == "user" or entry.message_id or entry.reason or entry.batch in runs
    return bool(entry.actor and entry.op and entry.batch and because)


def _as_told(memory: Memory) -> Memory:
    """Return a memory without what the journal does not keep."""
    return replace(memory, seen_count=1, access_count=0, last_accessed_at=None)


# -- counting --------------------------------------------------------------------------------------


def _of(lived: SimulationResult, *things: str) -> dict[str, int]:
    """Return what the person did with some things, by what they did."""
    kept = {name: n for name, n in lived.counts.items() if name.split("_")[0] in things}
    whole = len(things) > 1
    return {name if whole else name.partition("_")[2]: n for name, n in kept.items()}


def _was_proposed(entries: Sequence[JournalEntry]) -> bool:
    return entries[0].after.get("status") in WAITING


def _vault(lived: SimulationResult) -> dict[str, Any]:
    """Return how large the vault is, and how much it grew for each message, at first and lately."""
    sizes = [lived.at_first, *(night.bytes for night in lived.nights)]
    said = [0, *(night.messages for night in lived.nights)]
    days = min(COMPARED_DAYS, len(lived.nights))
    first = (sizes[days] - sizes[0]) / max(said[days] - said[0], 1)
    last = (sizes[-1] - sizes[-1 - days]) / max(said[-1] - said[-1 - days], 1)
    active = lived.nights[-1].count(Status.ACTIVE)
    return {
        "bytes": sizes[-1],
        "bytes_per_active_memory": round(sizes[-1] / max(active, 1)),
        f"bytes_per_message_in_the_first_{days}_days": round(first),
        f"bytes_per_message_in_the_last_{days}_days": round(last),
        "bounded": last <= first,
    }


def _runs(services: Services) -> dict[str, Any]:
    """Return of each kind of work how its runs ended, and its figures together."""
    found: dict[str, Any] = {}
    for run in services.upkeep.history(ALL_RUNS):
        kind = found.setdefault(run.kind, {"outcomes": Counter(), "figures": Counter()})
        kind["outcomes"][run.outcome.value] += 1
        kind["figures"].update({name: n for name, n in run.figures.items() if n})
    return {kind: {k: dict(v) for k, v in found[kind].items()} for kind in sorted(found)}


def series(nights: Sequence[Night]) -> dict[str, list[int]]:
    """Return what there was, night by night."""
    away = (Status.FORGOTTEN, Status.OUT_OF_WINDOW)
    return {
        "statements in use": [n.count(Status.ACTIVE, observations=False) for n in nights],
        "observations": [n.count(Status.ACTIVE, observations=True) for n in nights],
        "waiting for the person": [n.count(*WAITING) for n in nights],
        "replaced": [n.count(Status.SUPERSEDED) for n in nights],
        "forgotten or archived": [n.count(*away) for n in nights],
    }
