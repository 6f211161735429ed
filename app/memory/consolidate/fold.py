"""Make an observation of several statements, or renew the one that says the same already.

The statements stay as they are; each is only marked as folded. Trust is the least of theirs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.ids import Clock, new_id
from app.domain.language.text import normalise
from app.domain.memory import Memory, Origin, Status
from app.errors import NotFound, Refused
from app.memory.change.agreement import agree, holds
from app.memory.change.lineage import Lineage, latest
from app.memory.consolidate.wording import Wording, is_clean
from app.memory.screen.gate import Gate
from app.memory.suppression import SuppressionList
from app.store.memories import Note
from app.store.observations import ACTOR
from app.store.store import Store

LOOKED_BACK = 200
_MARK = "folded into an observation"


@dataclass(frozen=True, slots=True)
class Folded:
    """What statements were folded into.

    Attributes:
        created: Whether the observation is new.
    """

    observation_id: str
    created: bool


class Folder:
    """Writes observations; call it inside ``store.transaction()``."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._memories = store.memories
        self._gate = Gate(store)
        self._observations = store.observations
        self._lineage = Lineage(store)
        self._suppression = SuppressionList(store)
        self._clock = clock

    def still(self, members: Sequence[Memory]) -> Sequence[Memory]:
        """Return the statements of a cluster that are as they were when they were read."""
        if not members:
            return []
        apart = self._observations.apart(members[0].agent_pk, [m.pk for m in members])
        revisions = {m.id: m.revision for m in members}
        return [m for m in apart if m.revision == revisions[m.id]]

    def fold(
        self,
        wording: Wording,
        members: Sequence[Memory],
        batch: str,
        tags: Sequence[str] = (),
        likeness: float = 0.9,
    ) -> Folded | None:
        """Make an observation of statements, or renew the one that says the same.

        Args:
            wording: What it says.
            members: The statements; they were read in this transaction.
            batch: What undoes it.
            tags: Given to a new one besides those of the statements.
            likeness: How like an earlier one must be in its letters to be renewed.

        Returns:
            What they were folded into; None where nothing was to be written.
        """
        if len(members) < 2 or self._is_kept_out(wording.text, members):
            return None
        try:
            with self._store.transaction():
                old, text = self._same(wording.text, members, batch, likeness)
                if old is not None and {m.id for m in members} <= set(old.source_ids):
                    return None
                made = (
                    self._renewed(old, text, members, batch)
                    if old is not None
                    else self._created(wording, members, batch, tags)
                )
                self._mark(members, batch)
        except (NotFound, Refused):
            return None
        return Folded(made.id, created=old is None)

    def join(self, member: Memory, near: Sequence[Memory], batch: str) -> Folded | None:
        """Let the observation that says what a statement says rest on it as well.

        Args:
            member: The statement.
            near: Observations, the likeliest first.
            batch: What undoes it.

        Returns:
            What it joined; None where there is no such observation, or the statement changed.
        """
        old = self.saying(member, near)
        if old is None or not self.still([member]):
            return None
        try:
            with self._store.transaction():
                self._renewed(old, old.text, [member], batch)
                self._mark([member], batch)
        except (NotFound, Refused):
            return None
        return Folded(old.id, created=False)

    def saying(self, member: Memory, near: Sequence[Memory]) -> Memory | None:
        """Return the first observation, as it is now, that says all that a statement says."""
        now = {one.id: one for one in self._memories.by_ids([one.id for one in near])}
        standing = (now[one.id] for one in near if one.id in now)
        return next((one for one in standing if self._says(one, member)), None)

    def _says(self, observation: Memory, member: Memory) -> bool:
        if observation.status is not Status.ACTIVE or observation.trust is not member.trust:
            return False
        if not self._alike(observation, member) or not holds(observation.text, member.text):
            return False
        return all(agree(member, one) for one in self._memories.by_ids(observation.source_ids))

    def _is_kept_out(self, text: str, members: Sequence[Memory]) -> bool:
        if not is_clean(text):
            return True
        if any(normalise(text) == normalise(m.text) for m in members):
            return False
        return bool(self._suppression.why_suppressed(text, members[0].agent_pk))

    def _same(
        self, text: str, members: Sequence[Memory], batch: str, likeness: float
    ) -> tuple[Memory | None, str]:
        """Return the earlier observation that says the same, and which of the two texts says more.

        Likeness in letters only nominates: "5 mg" and "10 mg" are almost the same.
        """
        first = members[0]
        earlier = self._observations.latest(first.agent_pk, first.trust, LOOKED_BACK, batch)
        rated = [(dice(text, one.text), one.pk, one) for one in earlier if self._alike(one, first)]
        for share, _, one in sorted(rated, key=lambda r: r[:2], reverse=True):
            if share < likeness:
                break
            if holds(one.text, text):
                return one, one.text
            if holds(text, one.text) and not self._lineage.is_reworded(one.id):
                return one, text
        return None, text

    def _alike(self, observation: Memory, member: Memory) -> bool:
        """Return whether an observation is of the same kind, and its statements had these tags."""
        kind = (observation.type, observation.visibility, observation.group_pks)
        if kind != (member.type, member.visibility, member.group_pks):
            return False
        sources = self._memories.by_ids(observation.source_ids)
        return bool(sources) and all(set(m.tags) == set(member.tags) for m in sources)

    def _created(
        self, wording: Wording, members: Sequence[Memory], batch: str, tags: Sequence[str]
    ) -> Memory:
        now, first = self._clock(), members[0]
        categories = {member.category for member in members}
        observation = Memory(
            id=new_id(now),
            text=wording.text,
            created_at=now,
            updated_at=now,
            agent_pk=first.agent_pk,
            type=first.type,
            trust=min((m.trust for m in members), key=lambda trust: trust.rank),
            origin=Origin.CONSOLIDATION,
            actor=ACTOR,
            status=Status.ACTIVE,
            category=first.category if len(categories) == 1 else None,
            visibility=first.visibility,
            group_pks=first.group_pks,
            tags=tuple(dict.fromkeys([*first.tags, *tags])),
            occurred_at=latest(members),
            proof_count=len(members),
            source_ids=tuple(m.id for m in members),
            confidence=wording.confidence,
        )
        reason = f"drawn from {len(members)} memories that say the same"
        return self._gate.insert(observation, (), Note(ACTOR, "insert", batch, reason))

    def _renewed(self, old: Memory, text: str, members: Sequence[Memory], batch: str) -> Memory:
        ids = list(dict.fromkeys([*old.source_ids, *(m.id for m in members)]))
        trust = min(old.trust, *(m.trust for m in members), key=lambda one: one.rank)
        happened = latest(members)
        fields: dict[str, Any] = {
            "text": text,
            "source_ids": ids,
            "proof_count": len(ids),
            "trust": trust,
            "confidence": 1.0,
            "occurred_at": max(old.occurred_at or happened, happened),
        }
        note = Note(ACTOR, "fold", batch, "said again")
        mine = self._lineage.is_reworded(old.id)
        return self._gate.update(old.id, fields, note, old.revision, typed=mine)

    def _mark(self, members: Sequence[Memory], batch: str) -> None:
        note, now = Note(ACTOR, "folded", batch, _MARK), self._clock()
        for member in members:
            self._memories.update(member.id, {"consolidated_at": now}, note)


def dice(one: str, other: str) -> float:
    """Return how like two texts are in their pairs of letters, from 0 to 1 (Dice's coefficient)."""
    a, b = _pairs(one), _pairs(other)
    if not a or not b:
        return float(normalise(one) == normalise(other))
    return 2 * (a & b).total() / (a.total() + b.total())


def _pairs(text: str) -> Counter[str]:
    plain = normalise(text)
    return Counter(plain[at : at + 2] for at in range(len(plain) - 1))
