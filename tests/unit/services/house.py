"""A vault with nightly work, whose clock, power, failures and crowd are set by hand."""

from datetime import UTC, datetime, time, timedelta
from threading import Event

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.kinds import BACKUP, COMPACT
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult
from app.domain.memory import Memory
from app.errors import Cancelled
from app.jobs.schedule import DailyPlan
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.idle import IdlePolicy
from app.services.upkeep.queue import QueueService
from app.services.upkeep.upkeep import UpkeepService
from app.services.upkeep.work import Work, table, upkeep
from app.settings.spec import Settings
from app.settings.table import replace
from app.store.conversations import Conversations
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.store import Store
from app.store.vault.file import Vault

BEGUN = datetime(2026, 5, 1, 12).astimezone()


class House:
    """A vault with some kinds of work; the nightly ones take three steps, of which each is noted.

    Each of their steps adds a memory, too, where ``adds`` is on.
    """

    def __init__(self, folder):
        self.now = BEGUN
        self.mains = True
        self.settings = replace(Settings(), "upkeep.review.enabled", True)
        self.did = []
        self.steps = 3
        self.adds = False
        self.error = None
        self.lights = False
        self.refused = ""
        folder.mkdir()
        self.vault = Vault(folder / "vault.db", bytes(32), clock=self.clock)
        self.memories = Memories(self.vault)
        self.idle = IdlePolicy(
            Store(self.vault), lambda: self.settings, lambda: self.mains, self.clock
        )
        self.queue = QueueService(Store(self.vault), self.clock)
        self.background = self.started()
        self.upkeep = UpkeepService(
            Store(self.vault),
            self.queue,
            self.background,
            lambda: self.settings,
            self.idle,
            BEGUN,
            self.clock,
            lambda: self.refused,
        )

    def clock(self):
        return self.now.astimezone(UTC)

    def started(self):
        background = BackgroundService(Store(self.vault), self.queue, self.clock, self.idle)

        def nightly(kind, title, on, at):
            return upkeep(kind, title, "Works.", self.work, lambda s: (on(s), at))

        background.works = table(
            [
                nightly("review", "Review", lambda s: s.upkeep.review.enabled, "02:00"),
                nightly("dream", "Dream", lambda s: s.upkeep.dream.enabled, "03:00"),
                nightly(COMPACT, "Thinning", lambda s: s.memory.compaction.enabled, "04:00"),
                self.light(),
                Work("index", "Index", "Indexes.", self.index),
            ]
        )
        return background

    def light(self):
        """Return daily work that disturbs nobody; it is off until a test sets ``lights``."""

        def run(job, mark, cancel):
            return self.work({}, mark, cancel)

        return Work(
            BACKUP,
            "Backup",
            "Copies.",
            run,
            nightly=True,
            plan=lambda _settings: DailyPlan(BACKUP, self.lights, time(12, 30)),
            light=True,
        )

    def work(self, checkpoint, mark, cancel):
        for step in range(checkpoint.get("done", 0), self.steps):
            yield Progress("Working", step, self.steps)
            if self.error:
                raise self.error
            self.did.append(step)
            if self.adds:
                self.add(f"m{step}", Note("review", "insert", "b1"))
            mark({"done": step + 1, "batch": "b1", "figures": {"steps": step + 1}})
        return JobResult(figures={"steps": self.steps}, batch="b1" if self.adds else "")

    def index(self, job, mark, cancel):
        yield Progress("Indexing")
        self.did.append("index")
        return JobResult()

    def add(self, memory_id, note=None):
        self.memories.insert(
            Memory(memory_id, f"You own {memory_id}", self.clock(), self.clock(), agent_pk=1),
            (),
            note or Note("user", "insert", "b0"),
        )

    def set(self, key, value):
        self.settings = replace(self.settings, key, value)

    def say(self):
        """Write a message, as the person does."""
        rows = Conversations(self.vault)
        messages = Messages(self.vault)
        said = (Part("Good night.", PartOrigin.TYPED),)
        messages.add(rows.create(1).id, Role.USER, said)
        self.background.yield_to_user()

    def night(self, days=1, hour=2, minute=5):
        self.now = (BEGUN + timedelta(days=days)).replace(hour=hour, minute=minute)
        self.upkeep.tick()

    def run(self):
        drive(self.background.run(upkeep=True), Event())

    def run_until(self, happens, steps=2):
        """Do some steps of the next job and then let something happen; say whether it stopped."""
        cancel = Event()
        working = self.background.run_next(cancel)
        for _ in range(steps):
            next(working)
        happens()
        try:
            while True:
                if cancel.is_set():
                    working.throw(Cancelled("Stopped."))
                next(working)
        except StopIteration:
            return False
        except Cancelled:
            return True

    def runs(self):
        return [(run.kind, run.trigger, run.outcome) for run in self.upkeep.history()]

    def standing(self, kind="review"):
        return next(one for one in self.upkeep.standings() if one.kind == kind)
