"""Decide where a statement belongs: in place of what it replaces, beside it, or with the person.

A pinned memory and one that is trusted more give way to nobody but the person, who is asked. What
others wrote takes the place of nothing, even where the person asked for it to be kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.domain.memory import Candidate, Memory, Status, is_safety
from app.domain.reply import MAY_REPLACE
from app.memory.change import superseding
from app.memory.change.beside import is_besides
from app.memory.change.comparing import Compared
from app.memory.change.source import Provenance, sentences
from app.memory.text import novelty
from app.store.memories import Memories

# Reasons name no other memory by its words, which would outlive that memory's erasure.
_SINCE = "You may have said something else about it since."
_PINNED = "It contradicts a memory you pinned."
_TRUSTED = "It contradicts a memory that is trusted more."


@dataclass(frozen=True, slots=True)
class Placement:
    """How a statement is to be stored.

    Attributes:
        left: What holds on of what it replaces, by the ids of those memories.
        since: When was said what takes its own place.
    """

    key: str | None
    replaces: tuple[Memory, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)
    status: Status = Status.ACTIVE
    reason: str = ""
    against: Memory | None = None
    superseded_by: Memory | None = None
    since: datetime | None = None


class Placing:
    """Places statements beside what is known."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    def place(
        self, candidate: Candidate, source: Provenance, compared: Sequence[Compared]
    ) -> Placement:
        """Return where a statement belongs.

        Args:
            candidate: The statement.
            source: Where it comes from.
            compared: How it stands to the memories most like it.
        """
        if source.suspicions:
            return Placement(None)  # it takes the place of nothing
        old = self._memories.by_key(source.agent_pk, candidate.key) if candidate.key else None
        if old is not None:
            if novelty.same_value(old.value, candidate.value):
                archived = old.status is Status.OUT_OF_WINDOW
                return Placement(candidate.key if archived else None)  # with more said about it
            return self._instead(candidate.key, [old], source)
        if candidate.key:
            return Placement(candidate.key)
        return self._among(candidate, source, compared)

    def _among(
        self, candidate: Candidate, source: Provenance, compared: Sequence[Compared]
    ) -> Placement:
        """Return where a statement without a key belongs among what is like it."""
        before = [one for one in compared if not _in_one_breath(one.memory, source)]
        changed, corrects = (bool(candidate.extra.get(n)) for n in ("change", "corrects"))
        former = candidate.extra.get("instead_of", ())
        says = {"said_to_change": changed, "instead_of": former, "corrects": corrects}
        around = sentences(source.around, candidate.quote) or candidate.text
        besides = is_besides(around) and not (former or corrects)
        if not (besides or source.asked) and (place := self._outdated(candidate, source, before)):
            return place
        stated = [one for one in before if not (one.memory.source_ids or one.later)]
        over = (
            []
            if besides
            else [
                memory
                for text, ones in _by_words(candidate.text, stated)
                for memory in superseding.over(text, ones, **says)
            ]
        )
        if over and source.quoted:
            rest = superseding.rest
            left = {c.memory.id: rest(c, c.newer or candidate.text, former) for c in stated}
            return replace(self._instead(None, _known(over, stated), source), left=left)
        active = [one for one in before if one.memory.status is Status.ACTIVE]
        for text, ones in _by_words(candidate.text, active):
            over += superseding.rivals(text, ones, said_to_change=changed)
        return _beside(_known(over, before))

    def _outdated(
        self, candidate: Candidate, source: Provenance, before: Sequence[Compared]
    ) -> Placement | None:
        """Return the place of what was said before something that speaks against it, if any."""
        trusted = [one for one in before if one.memory.trust.rank >= source.trust.rank]
        if later := superseding.outdated(candidate.text, trusted, candidate.tags):
            said = self._memories.said_last([later.id]).get(later.id)
            return Placement(None, status=Status.SUPERSEDED, superseded_by=later, since=said)
        contesting = superseding.contesting(candidate.text, trusted)
        if contesting and is_safety(candidate.tags):
            return _beside(contesting)
        return Placement(None, status=Status.PROPOSED, reason=_SINCE) if contesting else None

    def _instead(self, key: str | None, over: Sequence[Memory], source: Provenance) -> Placement:
        """Take the place of memories; wait where one is pinned or trusted more."""
        for old in over:
            if old.pinned or old.trust.rank > source.trust.rank:
                reason = _PINNED if old.pinned else _TRUSTED
                return Placement(key, status=Status.PROPOSED, reason=reason)
        for old in over:
            newest = max((e.created_at for e in self._memories.evidence(old.id)), default=None)
            if newest is not None and newest > source.at:
                return Placement(key, status=Status.SUPERSEDED, superseded_by=old, since=newest)
        return Placement(key, tuple(over))


def _by_words(text: str, compared: Sequence[Compared]) -> Iterator[tuple[str, Sequence[Compared]]]:
    """Yield the words of a statement that were compared, with what they were compared with."""
    for words in dict.fromkeys(one.newer or text for one in compared):
        yield words, [one.narrowed for one in compared if (one.newer or text) == words]


def _known(found: Sequence[Memory], compared: Sequence[Compared]) -> list[Memory]:
    """Return memories with all of their words."""
    whole = {one.memory.id: one.memory for one in compared}
    return [whole[id_] for id_ in dict.fromkeys(memory.id for memory in found)]


def _beside(rivals: Sequence[Memory]) -> Placement:
    """Return the place beside what it contradicts, of which the newest is shown to the person."""
    in_use = [one for one in rivals if one.status is Status.ACTIVE]
    if not in_use:
        return Placement(None)
    newest = max(in_use, key=lambda memory: (memory.created_at, memory.pk))
    return Placement(None, reason=MAY_REPLACE, against=newest)


def _in_one_breath(old: Memory, source: Provenance) -> bool:
    """Return whether a memory rests on the same message, of which all holds together."""
    return source.message_id is not None and old.source_id == source.message_id
