"""Count what a life came to: what was kept, what is false or stale, and how answers and orders do.

How each figure is counted stands at its function; "carries" means: has one of the words of each
group, as a part of the text, without regard to case.
"""

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from app.bench.life.living import LifeReply, LifeResult
from app.bench.life.script import Ask, Words
from app.bench.recall import quantiles
from app.domain.language.text import normalise
from app.domain.memory import Memory, Status, Trust

_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+", re.MULTILINE)
_MARK = re.compile(r"\s*\[\d+\]")
_CITED = re.compile(r"\[(\d+)\]")
_END = re.compile(
    r"(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bmrs)[.!?…][\"'”’)\]]*\s+(?=[^\s])", re.I
)
_UNKNOWN = re.compile(
    r"don[’']t know|do not know|nothing about|not told me|haven[’']t told|no memory of",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\b(?:noted|remembered|i[’']ll remember|forgotten|forgot\b|updated|changed|corrected|erased"
    r"|deleted|undone|put back|taken back|i(?:[’']ve| have) stopped)\b|\b(?:ended|stopped): ",
    re.IGNORECASE,
)
# It says what was done before.
_UNDONE = re.compile(r"\b(?:undone|taken back|done again): ", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:nothing|not|no|never|n[’']t|cannot|can[’']t)\b[^.]*$|kept in this conversation",
    re.IGNORECASE,
)


class Claim(Enum):
    """What an answer may say was done to memory."""

    CHANGED = auto()
    FORGOTTEN = auto()
    UNDONE = auto()


@dataclass(slots=True)
class Count:
    """Everything counted, of one life or of all."""

    kept: dict[str, list[bool]] = field(default_factory=dict)
    ended: list[bool] = field(default_factory=list)
    memories: int = 0
    false: int = 0
    first: list[bool] = field(default_factory=list)
    anywhere: list[bool] = field(default_factory=list)
    more: list[bool] = field(default_factory=list)
    kinds: dict[str, list[bool]] = field(default_factory=dict)
    stale_first: list[bool] = field(default_factory=list)
    unknown: list[bool] = field(default_factory=list)
    statements: list[int] = field(default_factory=list)
    orders: dict[str, list[bool]] = field(default_factory=dict)
    untrue: int = 0
    latency: list[float] = field(default_factory=list)
    misses: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: "Count") -> None:
        """Take in what another life came to."""
        for mine, theirs in (
            (self.kept, other.kept),
            (self.orders, other.orders),
            (self.kinds, other.kinds),
        ):
            for name, found in theirs.items():
                mine.setdefault(name, []).extend(found)
        for name in ("ended", "first", "anywhere", "more", "stale_first", "unknown", "statements"):
            getattr(self, name).extend(getattr(other, name))
        self.latency += other.latency
        self.misses += other.misses
        self.memories += other.memories
        self.false += other.false
        self.untrue += other.untrue

    def figures(self) -> dict[str, Any]:
        """Return the figures as they are printed."""
        every = [one for found in self.kept.values() for one in found]
        orders = [one for found in self.orders.values() for one in found]
        return {
            "kept": _share(every),
            **{f"kept_{name}": _share(found) for name, found in sorted(self.kept.items())},
            "memories": self.memories,
            "false": self.false,
            "stale": sum(self.ended),
            "ended": len(self.ended),
            "first_line_right": _share(self.first),
            "anywhere_right": _share(self.anywhere),
            "with_more_right": _share(self.more),
            "first_by_kind": {name: _share(found) for name, found in sorted(self.kinds.items())},
            "stale_first": _share(self.stale_first),
            "unknown_honest": _share(self.unknown),
            "statements_per_answer": statistics.median(self.statements or [0]),
            "orders_right": _share(orders),
            "orders_by_kind": {name: _share(found) for name, found in sorted(self.orders.items())},
            "claims_untrue": self.untrue,
            "latency_ms": quantiles(self.latency),
        }


def counted(lived: LifeResult) -> Count:
    """Count one life."""
    count = Count()
    _memories(lived, count)
    for ask, reply in lived.asked:
        _answer(lived.life.id, ask, reply, count)
    _orders(lived, count)
    every = [*lived.told, *(r for _, r in lived.asked), *(r for _, r, _ in lived.ordered)]
    for reply in every:
        if not all(_is_true(claim, reply.did) for claim in claims(reply.text)):
            count.untrue += 1
            count.misses.append({"life": lived.life.id, "claim": reply.text})
    return count


def _memories(lived: LifeResult, count: Count) -> None:
    """Count facts kept, false memories, and facts that have ended and still hold."""
    life = lived.life
    active = [m for m in lived.memories if m.status is Status.ACTIVE]
    count.memories += len(active)
    for fact in life.facts:
        carrying = [m for m in active if carries(_said(m), fact.must)]
        if fact.until is None:
            count.kept.setdefault(fact.weight, []).append(bool(carrying))
            if not carrying:
                miss = {"life": life.id, "lost": fact.name, "weight": fact.weight}
                count.misses.append(miss | {"must": fact.must})
            continue
        held = [m for m in carrying if not lived.since(m, fact) and m.valid_to is None]
        count.ended.append(bool(held))
        if held:
            texts = [m.text for m in held]
            count.misses.append({"life": life.id, "stale": fact.name, "memories": texts})
    for memory in active:
        word = next((w for w in life.never if normalise(w) in _said(memory)), None)
        if word is not None and memory.trust is not Trust.EXTERNAL:
            count.false += 1
            count.misses.append({"life": life.id, "false": word, "memory": memory.text})


def _answer(life: str, ask: Ask, reply: LifeReply, count: Count) -> None:
    """Count one answer."""
    first, whole = first_line(reply.text), normalise(_MARK.sub("", reply.text))
    count.latency.append(reply.milliseconds)
    if ask.kind == "unknown":
        honest = bool(_UNKNOWN.search(first)) and not statements(reply.text)
        count.unknown.append(honest)
        if not honest:
            count.misses.append({"life": life, "unknown": ask.question, "said": reply.text})
        return
    count.statements.append(statements(reply.text))
    right = carries(first, ask.answer) and not wrong_before(first, ask)
    count.first.append(right)
    count.anywhere.append(carries(whole, ask.answer))
    count.more.append(carries(f"{whole}\n{normalise(reply.more)}", ask.answer))
    count.kinds.setdefault(ask.kind, []).append(right)
    if ask.kind == "changed":
        count.stale_first.append(bool(wrong_before(first, ask)))
    if not right:
        miss = {"life": life, "asked": ask.question, "kind": ask.kind, "answer": ask.answer}
        count.misses.append(miss | {"said": reply.text})


def wrong_before(first: str, ask: Ask) -> bool:
    """Return whether a wrong value stands in a line with no answer before it."""
    groups = [[at for w in group if (at := first.find(normalise(w))) >= 0] for group in ask.answer]
    answered = max((min(found) for found in groups if found), default=len(first))
    answered = answered if all(groups) else len(first)
    wrong = [at for w in ask.wrong if (at := first.find(normalise(w))) >= 0]
    return any(at < answered for at in wrong)


def _orders(lived: LifeResult, count: Count) -> None:
    """Count orders: what is gone, what is kept, and what was replied."""
    for order, reply, memories in lived.ordered:
        said = [_said(m) for m in memories if m.status is Status.ACTIVE]
        left = [w for w in order.gone if any(normalise(w) in one for one in said)]
        lost = [w for w in order.kept if not any(normalise(w) in one for one in said)]
        answer = normalise(reply.text)
        silent = bool(order.reply) and not any(normalise(w) in answer for w in order.reply)
        right = not (left or lost or silent)
        count.orders.setdefault(order.kind, []).append(right)
        if not right:
            miss = {"life": lived.life.id, "order": order.said, "kind": order.kind}
            found = {"left": left, "lost": lost, "silent": silent, "said": reply.text}
            count.misses.append(miss | found)


def _said(memory: Memory) -> str:
    day = memory.occurred_at.astimezone().strftime("%Y-%m-%d %d %B") if memory.occurred_at else ""
    value = "" if memory.value is None else str(memory.value)
    return normalise(f"{memory.text}\n{memory.key or ''}\n{value}\n{day}")


def carries(said: str, must: Words) -> bool:
    """Return whether a normalised text has one of the words of each group."""
    return all(any(normalise(word) in said for word in group) for group in must)


def first_line(answer: str) -> str:
    """Return the first sentence or list item of an answer, normalised; a heading does not count."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].endswith(":"):
        lines = lines[1:]
    if not lines:
        return ""
    line = _MARK.sub("", lines[0])
    if _ITEM.match(line):
        return normalise(_ITEM.sub("", line))
    return normalise(_END.split(line, maxsplit=1)[0])


def statements(answer: str) -> int:
    """Return how many statements of memory an answer makes: list items, else cited sentences."""
    items = len(_ITEM.findall(answer))
    return items or len(set(_CITED.findall(answer)))


def claims(answer: str) -> list[Claim]:
    """Return what an answer says was done to memory."""
    found = []
    for said in _CLAIM.finditer(answer):
        before = answer[: said.start()].rsplit("\n", 1)[-1]
        if not (_quoted(before) or _DENIAL.search(before) or _UNDONE.search(before)):
            word = said[0].lower()
            taken = word.startswith(
                ("forg", "eras", "delet", "ended", "stopped", "i’ve", "i've", "i have")
            )
            undone = word in ("undone", "put back", "taken back")
            found.append(Claim.FORGOTTEN if taken else Claim.UNDONE if undone else Claim.CHANGED)
    return found


def _is_true(claim: Claim, did: frozenset[str]) -> bool:
    """Return whether what was claimed is among what was done, as the journal names it."""
    if claim is Claim.FORGOTTEN:
        return "forget" in did
    return bool(did & {"undo", "restore"} if claim is Claim.UNDONE else did - {"forget"})


def _quoted(before: str) -> bool:
    """Return whether what follows stands inside quotation marks."""
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def _share(found: Iterable[bool]) -> float | None:
    found = list(found)
    return round(sum(found) / len(found), 4) if found else None


def listed(misses: Sequence[dict[str, Any]]) -> list[str]:
    """Return each miss as a line."""
    return [" · ".join(f"{k}: {v}" for k, v in miss.items()) for miss in misses]
