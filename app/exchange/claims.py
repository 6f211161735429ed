"""Bring in what another vault wrote: a stranger's claims, or what the person says is their own.

Of what a stranger claims, conversations come in with every part marked as pasted (so that nothing
is learnt from them), memories with origin "import" and a trust of at most "claimed", which only the
person raises, as far as they pass the screen, without pins. What the person says is their own keeps
its pins, instructions, tags, trust and places in conversations; those count as read already,
because what was learnt from them comes along.
"""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any, TypeVar

from app.domain.conversation import Document, MemoryMode, Part, PartOrigin, Role
from app.domain.ids import Clock, from_ms, new_id
from app.domain.jobs.progress import Progress
from app.domain.language.text import ERASED, content_hash
from app.domain.limits import LONGEST_MEMORY, LONGEST_MESSAGE
from app.domain.memory import SAFETY, Evidence, Memory, MemoryType, Origin, Status, Trust, is_safety
from app.errors import Conflict, Refused
from app.exchange.attached import document
from app.exchange.rows import Row
from app.store.memories import Note
from app.store.store import Store
from app.store.work.restriction import KEY as RESTRICTION
from app.store.work.staging import Staging

OWNED_BY = {
    "conversations": "id",
    "documents": "id",
    "document_passages": "document",
    "messages": "conversation",
    "message_parts": "message",
    "memories": "id",
    "evidence": "memory",
}
"""What is read of a file, and by which column it is looked up."""

MOST_PARTS = 1_000
STEP = 20

_OWN_WORDS = frozenset({Origin.USER_TYPED, Origin.USER_EDITED, Origin.CONVERSATION})

Keep = Callable[..., Memory]
E = TypeVar("E", bound=StrEnum)


@dataclass(slots=True)
class ImportTally:
    """What was brought in so far, and how much was left out, and why."""

    counts: dict[str, int] = field(default_factory=dict)
    memory_ids: list[str] = field(default_factory=list)
    conversation_ids: list[str] = field(default_factory=list)
    skipped: int = 0
    erased: int = 0
    rejected: int = 0
    forgotten: int = 0
    refused: int = 0
    aside: int = 0
    unreadable: int = 0
    cut: int = 0

    def count(self, table: str, more: int = 1) -> None:
        """Note that rows came in."""
        self.counts[table] = self.counts.get(table, 0) + more


class Claims:
    """Brings one file of another vault into this one, within the caller's transaction.

    Args:
        store: What this vault keeps.
        agent_pk: Whose the claims are to be.
        clock: The present.
        out: Says whether a text was erased or rejected here, and counts it.
        keep: Stores a memory, as far as it is let in.
        stage: Where what the file says waits.
        own: Whether the person says that the file is their own.
    """

    def __init__(
        self,
        store: Store,
        agent_pk: int,
        clock: Clock,
        out: Callable[[str, ImportTally, int], bool],
        keep: Keep,
        stage: Staging,
        *,
        own: bool,
    ) -> None:
        self._conversations = store.conversations
        self._messages = store.messages
        self._memories = store.memories
        self._tombstones = store.tombstones
        self._forgotten = store.forgotten
        self._watermarks = store.watermarks
        self._agent_pk = agent_pk
        self._clock = clock
        self._out = out
        self._keep = keep
        self._own = own
        self._stage = stage

    def run(self, tally: ImportTally) -> Generator[Progress, None, None]:
        """Bring in conversations, then memories."""
        total = self._stage.count("conversations")
        for number, data in enumerate(self._stage.all("conversations")):
            progress = Progress("Importing conversations", number, total)
            yield progress
            yield from self._talk(json.loads(data), progress, tally)
        batch, total = new_id(self._clock()), self._stage.count("memories")
        for number, data in enumerate(self._stage.all("memories")):
            if number % STEP == 0:
                yield Progress("Importing memories", number, total)
            self._memory(json.loads(data), batch, tally)

    def _of(self, table: str, owner: str) -> Iterator[Row]:
        return (json.loads(data) for data in self._stage.of(table, owner))

    # -- conversations -----------------------------------------------------------------------------

    def _talk(
        self, talk: Row, progress: Progress, tally: ImportTally
    ) -> Generator[Progress, None, None]:
        known = str(talk.get("id"))
        source = f"loci:{known}"
        if self._tombstones.has_conversation(known):
            tally.erased += 1
            return
        if self._conversations.by_source(source) is not None:
            tally.skipped += 1
            return
        hurt = yield from self._hurt(known, progress)
        remembers = MemoryMode.REMEMBERS
        made = self._conversations.create(
            self._agent_pk,
            title="" if hurt else str(talk.get("title") or "")[:200],
            mode=_one_of(MemoryMode, talk.get("mode"), remembers) if self._own else remembers,
            created_at=self._moment(talk.get("created_at")),
            source_key=source,
        )
        tally.conversation_ids.append(made.id)
        yield from self._take_messages(made.id, known, hurt, progress, tally)
        if (tip := self._stage.renamed(str(talk.get("tip")), known)) is not None:
            self._messages.switch_branch(tip)
        if self._own:
            self._watermarks.advance(made.pk, self._watermarks.newest(made.pk))
        tally.count("conversations")

    def _take_messages(
        self,
        conversation_id: str,
        known: str,
        hurt: set[str],
        progress: Progress,
        tally: ImportTally,
    ) -> Generator[Progress, None, None]:
        """Bring in the messages of a conversation that the file knows by the name ``known``."""
        for number, row in enumerate(self._of("messages", known)):
            if number % STEP == 0:
                yield progress
            old = str(row.get("id"))
            role = _one_of(Role, row.get("role"), Role.USER)
            text = self._parts(row, old, role, tally)
            stored = self._messages.add(
                conversation_id,
                role,
                (replace(text[0], text=ERASED),) if old in hurt else text,
                parent_id=self._stage.renamed(str(row.get("parent")), known),
                speaker=str(row.get("speaker") or "")[:100],
                model=str(row.get("model") or "")[:200],
                created_at=self._moment(row.get("created_at")),
                source_key=f"loci:{known}:{old}",
            )
            self._stage.rename(old, stored.id, known)
            tally.count("messages")

    def _hurt(self, talk: str, progress: Progress) -> Generator[Progress, None, set[str]]:
        """Return the messages of a conversation of which words were erased here."""
        found = set()
        for number, row in enumerate(self._of("messages", talk)):
            if number % STEP == 0:
                yield progress
            if self._tombstones.spans(one := str(row.get("id"))):
                found.add(one)
        return found

    def _parts(self, row: Row, old: str, role: Role, tally: ImportTally) -> tuple[Part, ...]:
        """Return the parts of a message; a stranger's are one, which nobody here typed."""
        foreign = PartOrigin.MODEL if role is Role.ASSISTANT else PartOrigin.PASTED
        parts: list[Part] = []
        left, cut = LONGEST_MESSAGE, False
        for one in islice(self._of("message_parts", old), MOST_PARTS):
            text = str(one.get("text") or "")
            cut = cut or len(text) > left
            text, name = text[:left], str(one.get("name") or "")[:200]
            left -= len(text)
            origin = _one_of(PartOrigin, one.get("origin"), foreign)
            parts.append(Part(text, origin, name, self._document(one.get("document"))))
        spans = "".join(part.text for part in parts)
        if not spans:
            whole = str(row.get("text") or "")
            spans, cut = whole[:LONGEST_MESSAGE], len(whole) > LONGEST_MESSAGE
        tally.cut += cut
        return tuple(parts) if self._own and parts else (Part(spans, foreign),)

    def _document(self, old: Any) -> Document | None:
        """Return the document that a part names, where the file is the person's own."""
        rows = self._of("documents", str(old)) if self._own and old else ()
        for row in rows:
            return document(row, self._of("document_passages", str(old)))
        return None

    # -- memories ----------------------------------------------------------------------------------

    def _memory(self, row: Row, batch: str, tally: ImportTally) -> None:
        text = str(row.get("text") or "").strip()
        over = row.get("status", Status.ACTIVE) != Status.ACTIVE
        if not text or over or row.get("key") == RESTRICTION:
            tally.skipped += 1
            return
        if len(text) > LONGEST_MEMORY:
            tally.refused += 1
            return
        if self._out(text, tally, self._agent_pk):
            return
        if self._forgotten.saying(text, self._agent_pk):
            tally.forgotten += 1
            return
        claimed = self._claimed(row, text)
        if self._memories.by_hash(claimed.agent_pk, claimed.visibility, content_hash(text)):
            tally.skipped += 1
            return
        memory = self._as_own(claimed, row) if self._own else claimed
        try:
            stored = self._stored(memory, batch)
        except Conflict:
            tally.skipped += 1
            return
        except Refused:
            tally.refused += 1
            return
        tally.aside += stored.status is Status.QUARANTINED
        tally.memory_ids.append(stored.id)
        tally.count("memories")

    def _stored(self, memory: Memory, batch: str) -> Memory:
        note = Note(actor="import", op="insert", batch=batch, reason="import")
        if not (self._own and memory.trust.is_own):
            return self._keep(memory, (), note)
        evidence = islice(self._of("evidence", memory.source_id or ""), MOST_PARTS)
        said = [one for row in evidence if (one := self._evidence(row)) is not None]
        try:
            return self._keep(memory, said, note, typed=True, asked=True)
        except Conflict:  # its key has another value here, which stays
            if memory.key is None:
                raise
            bare = replace(memory, key=None, value=None)
            return self._keep(bare, said, note, typed=True, asked=True)

    def _claimed(self, row: Row, text: str) -> Memory:
        now = self._clock()
        return Memory(
            id=new_id(now),
            text=text,
            created_at=self._moment(row.get("created_at")),
            updated_at=now,
            agent_pk=self._agent_pk,
            type=_one_of(MemoryType, row.get("type"), MemoryType.SEMANTIC),
            trust=Trust.EXTERNAL if row.get("trust") == Trust.EXTERNAL else Trust.CLAIMED,
            origin=Origin.IMPORT,
            actor="import",
            source_id=str(row.get("id")),
            tags=(SAFETY,) if is_safety(_tags(row)) else (),
        )

    def _as_own(self, memory: Memory, row: Row) -> Memory:
        """Return a memory with what the person decided about it and said of it."""
        origin = _one_of(Origin, row.get("origin"), Origin.IMPORT)
        return replace(
            memory,
            trust=_one_of(Trust, row.get("trust"), Trust.LEARNED),
            origin=origin if origin in _OWN_WORDS else Origin.IMPORT,
            key=str(row["key"])[:200] if row.get("key") else None,
            value=_json(row.get("value")) if row.get("key") else None,
            category=str(row["category"])[:200] if row.get("category") else None,
            tags=tuple(_tags(row)),
            pinned=row.get("pinned") == 1,
            occurred_at=_time(row.get("occurred_at")),
            expires_at=_time(row.get("expires_at")),
        )

    def _evidence(self, row: Row) -> Evidence | None:
        message_id = self._stage.renamed(str(row.get("message")))
        if message_id is None:
            return None
        at = self._moment(row.get("created_at"))
        return Evidence(str(row.get("quote") or ""), at, message_id)

    def _moment(self, value: Any) -> datetime:
        now, moment = self._clock(), _time(value)
        return moment if moment is not None and moment <= now + timedelta(days=1) else now


def _one_of(kind: type[E], value: Any, otherwise: E) -> E:
    """Return the member a stranger named, or another where it is none."""
    return kind(value) if isinstance(value, str) and value in set(kind) else otherwise


def _time(value: int | None) -> datetime | None:
    return None if value is None else from_ms(value)


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _tags(row: Row) -> Sequence[str]:
    return _json(row.get("tags")) or ()
