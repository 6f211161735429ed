"""Keep lists of archived memories and summaries of dreams true to what they were made of.

A list is written anew from what is left. What a model wrote of several memories cannot be taken
apart: it is forgotten, and the memories that it stood for are in use again. What the person wrote
into either is theirs and stays.
"""

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace

from app.domain.ids import new_id
from app.domain.language.text import normalise
from app.domain.memory import Memory, Status
from app.errors import Conflict, Refused
from app.memory.archive import is_list, listed
from app.memory.change.agreement import said
from app.memory.screen.gate import Gate
from app.store.journal.entries import Journal
from app.store.memories import Note
from app.store.store import Store

log = logging.getLogger(__name__)

NOTHING_LEFT = "Nothing that it was drawn from is left."
CHANGED = "Something that it was drawn from changed."
SUMMARISED = "Summarised."
PRUNE = "prune"
_SET_ASIDE = frozenset({Status.PROPOSED, Status.QUARANTINED})
_STANDING = frozenset({Status.ACTIVE, Status.OUT_OF_WINDOW})


class Summaries:
    """Follows what becomes of the memories that lists and summaries were made of."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memories = store.memories
        self._gate = Gate(store)
        self._journal = store.journal
        self._observations = store.observations

    def follow(
        self, touched: Collection[str], note: Note, *, unsaid: Collection[str] = ()
    ) -> list[str]:
        """Write lists anew, and take back the summaries that say what must not be said any more.

        Args:
            touched: The memories that changed.
            note: Who changed them, in which batch.
            unsaid: Those of them whose words must not be said any more.

        Returns:
            Ids of the memories that changed.
        """
        changed: list[str] = []
        wave, silent, undone = frozenset(touched), set(unsaid), set[str]()
        with self._store.transaction():
            while wave:
                found: list[str] = []
                for one in self._observations.summaries_of(wave):
                    if is_reworded(self._journal, one.id):
                        continue
                    if is_list(one):
                        found += self._redrawn(one, note)
                    elif one.status is not Status.FORGOTTEN and silent & set(one.source_ids):
                        undone |= {one.id} if one.status in _STANDING else set()
                        found += self._taken_back(one, note)
                silent |= undone
                found += self._back(undone & set(found), note)
                changed += found
                wave = frozenset(found)
        return changed

    def after_return(self, memory_ids: Collection[str], note: Note) -> list[str]:
        """Take back the summaries among memories in use again that say what was taken away.

        Returns:
            Ids of the memories that changed.
        """
        unsaid: set[str] = set()
        for one in self._memories.by_ids(sorted(memory_ids)):
            if one.proof_count is None and one.source_ids and not is_list(one):
                sources = self._memories.by_ids(one.source_ids)
                unsaid |= {m.id for m in sources if not self._stands_behind(one, m)}
        return self.follow(unsaid, note, unsaid=unsaid)

    def _stands_behind(self, one: Memory, source: Memory) -> bool:
        """Return whether a memory says what it said when a summary was made of it."""
        if is_out(self._journal, source):
            return False
        made = {one.id, *(sibling.id for sibling in self._siblings(one))}
        entries = iter(self._journal.of_memory(source.id))
        if not any(entry.after.get("superseded_by") in made for entry in entries):
            return True
        later = [str(e.before["text"]) for e in entries if "text" in e.after and "text" in e.before]
        return normalise(later[0]) == normalise(source.text) if later else True

    def made_with(self, memory_ids: Collection[str], *, reworded: bool = False) -> list[Memory]:
        """Return what says or once said what these memories say, at any remove, the oldest first.

        Args:
            memory_ids: The memories.
            reworded: Whether to return what the person wrote since, instead of the rest.
        """
        found: dict[str, Memory] = {}
        wave = frozenset(memory_ids)
        while wave:
            made = self._observations.ever_made_of(wave)
            new = {m.id: m for m in made if m.id not in found and m.id not in memory_ids}
            found |= new
            wave = frozenset(new)
        return sorted(
            (m for m in found.values() if is_reworded(self._journal, m.id) is reworded),
            key=lambda memory: memory.pk,
        )

    def let_go_of(self, memory_ids: Collection[str], *, lists_only: bool = False) -> list[str]:
        """Take memories that are about to be deleted out of lists and summaries, for good.

        A list is replaced by another one without them, and a summary is deleted. Nothing of that
        is left in the journal; undoing the run that made a list forgets the other one.

        Args:
            memory_ids: What is about to be deleted.
            lists_only: Whether summaries stay, as conclusions do when what they rest on grows old.

        Returns:
            Ids of the memories that went, came, or are in use again.
        """
        gone, heirs, changed = set(memory_ids), dict[str, str](), list[str]()
        with self._store.transaction():
            for one in self.made_with(memory_ids):
                if one.proof_count is not None or (lists_only and not is_list(one)):
                    continue
                if is_list(one):
                    came = self._replaced(one, gone, heirs)
                    heirs.update((one.id, memory_id) for memory_id in came)
                else:
                    back = self._originals(one, {one.id}) if one.status in _STANDING else []
                    came = [memory.id for memory in back if memory.id not in gone]
                    self._memories.delete(one.id)
                    self._observations.put_back(came)
                gone.add(one.id)
                changed += [one.id, *came]
        return changed

    def _redrawn(self, one: Memory, note: Note) -> list[str]:
        """Write a list anew from what is left; nothing changes where it says that already."""
        sources = self._memories.by_ids(one.source_ids)
        left = [m for m in sources if not is_out(self._journal, m) and _seen_alike(m, one)]
        if not left:
            return self._taken_back(one, note, NOTHING_LEFT)
        text, ids = listed(left), [memory.id for memory in left]
        trusted = all(memory.trust.rank >= one.trust.rank for memory in left)
        if trusted and (text, tuple(ids)) == (one.text, one.source_ids):
            return []
        fields = {"text": text, "source_ids": ids}
        try:
            self._gate.update(one.id, fields, replace(note, op="redraw"))
        except (Conflict, Refused) as error:
            log.info("a list cannot be written anew (%s)", type(error).__name__)
            return self._taken_back(one, note)
        return [one.id]

    def _taken_back(self, one: Memory, note: Note, reason: str = CHANGED) -> list[str]:
        if one.status is Status.FORGOTTEN:
            return []
        fields = {"status": Status.FORGOTTEN, "status_reason": reason}
        self._memories.update(one.id, fields, replace(note, op="forget"))
        return [one.id]

    def _back(self, summaries: Collection[str], note: Note) -> list[str]:
        """Put in use again what summaries that were taken back stood for."""
        back: list[str] = []
        for one in self._memories.by_ids(sorted(summaries)):
            for old in self._originals(one, summaries):
                fields = {"status": Status.ACTIVE, "status_reason": "", "superseded_by": None}
                try:
                    self._memories.update(old.id, fields, replace(note, op="restore"))
                except Conflict:
                    continue  # it was said again since
                back.append(old.id)
        return back

    def _originals(self, one: Memory, with_it: Collection[str]) -> list[Memory]:
        """Return what a summary stands for, but for what the person forgot as its sibling.

        Args:
            one: The summary.
            with_it: It, and those that are taken back together with it.
        """
        siblings = self._siblings(one)
        forgotten = [
            said(m.text).words
            for m in siblings
            if m.status is Status.FORGOTTEN and m.id not in with_it and m.status_reason != CHANGED
        ]
        return [
            old
            for old in self._memories.by_ids(one.source_ids)
            if (old.status, old.status_reason) == (Status.SUPERSEDED, SUMMARISED)
            and old.valid_to is None
            and old.superseded_by in {None, *(m.id for m in siblings)}
            and not any(said(old.text).words <= words for words in forgotten)
        ]

    def _siblings(self, one: Memory) -> list[Memory]:
        made = self._observations.summaries_of(one.source_ids)
        return [m for m in made if m.actor == one.actor and m.source_ids == one.source_ids]

    def _replaced(self, one: Memory, gone: Collection[str], heirs: Mapping[str, str]) -> list[str]:
        """Delete a list and store another one without what is gone; return that one's id.

        Args:
            one: The list.
            gone: What is about to be deleted, or was.
            heirs: The lists that took the place of others.
        """
        wanted = [heirs.get(i, i) for i in one.source_ids if i not in gone or i in heirs]
        sources = self._memories.by_ids(wanted)
        left = [m for m in sources if not is_out(self._journal, m) and _seen_alike(m, one)]
        written = self._journal.of_memory(one.id)
        self._memories.delete(one.id)
        if not left or not written or one.status is Status.FORGOTTEN:
            return []
        other = replace(
            one,
            id=new_id(self._store.clock()),
            pk=0,
            text=listed(left),
            source_ids=tuple(memory.id for memory in left),
            updated_at=self._store.clock(),
            revision=1,
        )
        note = Note(written[0].actor, written[0].op, written[0].batch, written[0].reason)
        try:
            return [self._gate.insert(other, (), note).id]
        except (Conflict, Refused) as error:
            log.info("a list cannot be written anew (%s)", type(error).__name__)
            return []


def is_reworded(journal: Journal, memory_id: str) -> bool:
    """Say whether the person wrote the text of a memory that was drawn from others."""
    return any(
        entry.actor == "user" and entry.op == "edit" and "text" in entry.after
        for entry in journal.of_memory(memory_id)
        if not entry.undone
    )


def is_out(journal: Journal, memory: Memory) -> bool:
    """Say whether a statement counts no more; one that only grew old or was summed up does."""
    if memory.valid_to or memory.status in _SET_ASIDE:
        return True
    if memory.status is not Status.FORGOTTEN:
        return False
    entries = journal.of_memory(memory.id)
    told = [entry.op for entry in entries if entry.after.get("status") == Status.FORGOTTEN]
    return not told or told[-1] != PRUNE


def _seen_alike(memory: Memory, other: Memory) -> bool:
    return (memory.visibility, memory.group_pks) == (other.visibility, other.group_pks)
