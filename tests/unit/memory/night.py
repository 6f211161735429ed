"""A vault that dreams and is thinned, a clock to be set, and a model that sums up what it reads."""

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from threading import Event

from app.domain.ids import new_id
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter, Status
from app.memory.change.contradictions import Inbox
from app.memory.change.lineage import Lineage
from app.memory.dream.guardrails import Guardrails
from app.memory.dream.job import Dreamer
from app.memory.erasure.erase import Eraser
from app.settings import table
from app.settings.spec import Settings
from app.store.journal.entries import Journal
from app.store.memories import Memories, Note
from app.store.store import Store
from app.store.vault.file import Vault
from tests.fakes.understanding import nearby
from tests.unit.memory.conftest import FRIDAY, FakeChat, FakeModels
from tests.unit.memory.judging import Told

EVERYTHING = MemoryFilter(order="oldest")


class Echo(FakeChat):
    """Sums up exactly what it is told: "I like a", "I like b" become "I like a, b"."""

    def __init__(self, meanwhile=lambda: None):
        super().__init__()
        self.meanwhile = meanwhile

    def stream(self, prompt, sampling, cancel):
        said = re.findall(r"^- (.+?)\.?$", prompt[-1].content, re.M)
        start = " ".join(said[0].split()[:2])
        rest = ", ".join(one.removeprefix(start).strip() for one in said)
        self.reply = json.dumps({"summaries": [{"content": f"{start} {rest}."}]})
        self.meanwhile()
        yield from super().stream(prompt, sampling, cancel)


class Lent(FakeModels):
    """Models that may be elsewhere."""

    local = True

    def __init__(self):
        super().__init__(understanding=Told())

    def chat_info(self, *, learning=False):
        info = super().chat_info(learning=learning)
        return replace(info, id=getattr(self.model, "name", "fake"), local=self.local)

    @contextmanager
    def chat(self, interactive=True, *, learning=False, cancel=None):
        assert learning
        assert not interactive
        yield self.model


class Night:
    """A vault, a dreamer, guardrails, and a clock to be set."""

    def __init__(self, folder):
        self.now = FRIDAY
        self.settings = table.replace(Settings(), "upkeep.dream.enabled", True)
        self.vault = Vault(folder / "vault.db", bytes(32), lambda: self.now)
        self.memories = Memories(self.vault)
        self.journal = Journal(self.vault)
        self.lineage = Lineage(Store(self.vault))
        self.models = Lent()
        self.spent = 0.0
        self.hindrance = ""
        self.batches = 0
        near = nearby(self.vault, lambda: self.models.embedder, lambda: self.now)
        self.inbox = Inbox(Store(self.vault), near, lambda: self.now)
        self.guards = Guardrails(Store(self.vault), lambda: self.settings, lambda: self.now)
        self.begin()

    def begin(self):
        """Make the dreamer anew, as after the end of the process."""
        self.dreamer = Dreamer(
            Store(self.vault),
            self.models,
            self.inbox,
            lambda: self.settings,
            lambda since: self.spent,
            lambda: self.now,
            lambda model: self.hindrance,
        )

    def set(self, **values):
        for name, value in values.items():
            self.settings = table.replace(self.settings, f"upkeep.dream.{name}", value)

    def keep(self, **values):
        for name, value in values.items():
            self.settings = table.replace(self.settings, f"memory.{name.replace('__', '.')}", value)

    def remember(self, text, days=0, **fields):
        at = self.now - timedelta(days=days)
        memory = Memory(new_id(at), text, at, at, **{"agent_pk": 1, **fields})
        before, self.now = self.now, at
        stored = self.memories.insert(memory, (), Note("user", "insert", new_id(at)))
        self.now = before
        return stored

    def dream(self, checkpoint=None, marks=None):
        keep = marks.append if marks is not None else lambda data: None
        return drive(self.dreamer.run(checkpoint or {}, keep, Event()), Event())

    def thin(self, threshold=3, target=2):
        """Archive until so many are left."""
        self.keep(
            compaction__enabled=True,
            compaction__threshold=threshold,
            compaction__target_size=target,
        )
        return drive(self.guards.run({}, lambda data: None, Event()), Event())

    def note(self, op):
        self.batches += 1
        return Note("user", op, f"{op} {self.batches}")

    def forget(self, *ids):
        """Forget as the person does; return the batch."""
        note = self.note("forget")
        with self.vault.write():
            for memory_id in ids:
                self.memories.update(memory_id, {"status": Status.FORGOTTEN}, note)
            self.lineage.after_removal(ids, note)
        return note.batch

    def edit(self, memory_id, **fields):
        """Edit as the person does; return the batch."""
        note = self.note("edit")
        with self.vault.write():
            self.memories.update(memory_id, fields, note)
            self.lineage.after_edit(memory_id, note)
        return note.batch

    def erase(self, memory_id):
        """Erase as the person does, with all that is ticked; return what to look for."""
        eraser = Eraser(Store(self.vault))
        plan = eraser.of_memories([memory_id])
        ticked = frozenset(copy.key for copy in plan.inventory.copies if copy.ticked)
        eraser.carry_out(plan, ticked)
        return eraser.outcome(plan, ticked)

    def undo(self, batch):
        note = self.note("undo")
        with self.vault.write():
            ids, refused = self.journal.undo(batch, note)
            self.lineage.after_undo(ids, batch, note.batch)
        return refused

    def all(self, *statuses):
        found = self.memories.list(DEFAULT_SCOPE, EVERYTHING, limit=-1)
        return [memory for memory in found if not statuses or memory.status in statuses]

    def texts(self, *statuses):
        return [memory.text for memory in self.all(*(statuses or (Status.ACTIVE,)))]

    def drawn(self):
        """Return the lists and summaries in use."""
        return [memory for memory in self.all(Status.ACTIVE) if memory.source_ids]

    def rows(self):
        """Return what matters of every row, whatever its id."""
        return sorted(
            (m.text, m.status, m.conflicted, m.trust, m.category or "", len(m.source_ids))
            for m in self.all()
        )

    def reply(self, *contents):
        said = {
            "summaries": [{"reasoning": "They belong together.", "content": c} for c in contents]
        }
        self.models.model = FakeChat(reply=f"Here it is:\n```json\n{json.dumps(said)}\n```")

    def holds(self, word):
        """Return the tables in which a word lies."""
        with self.vault.read() as connection:
            return [
                table
                for table, columns in (("memories", "text || tags"), ("journal", "before || after"))
                if connection.execute(
                    f"SELECT 1 FROM {table} WHERE instr({columns}, ?)", (word,)
                ).fetchone()
            ]
