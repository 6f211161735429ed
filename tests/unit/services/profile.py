"""What a person does in a profile whose clock stands still: talk, let Loci learn, erase."""

from datetime import UTC, datetime
from threading import Event

from app.domain.conversation import Part, PartOrigin
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, MemoryFilter
from app.memory.learn.index import Indexer
from app.paths import Paths
from app.providers.local.hash import HashEmbedder
from app.services.erasure import ErasureService
from app.services.upkeep.scrub import Scrubber
from app.store.conversations import Conversations
from app.store.index.vectors import Vectors
from app.store.journal.tombstones import Tombstones
from app.store.memories import Memories
from app.store.messages import Messages
from app.store.profiles import Profiles
from app.store.recalls import Recalls
from app.store.store import Store
from app.store.vault import wipe
from app.store.vault.meta import Exports

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CANARY = "Quetzalcoatlus"
SAID = f"I keep a {CANARY} in the cellar."


def send(services, text, talk=None, cancel=None, hear=None):
    """Send a message; return its conversation and every event until the answer was there."""
    events = []

    def on_event(event):
        events.append(event)
        if hear:
            hear(event)

    stop = cancel or Event()
    parts = text if isinstance(text, list) else [Part(text, PartOrigin.TYPED)]
    changes = drive(services.chat.send(talk, parts, stop), stop, on_event)
    (talk_id,) = changes.conversations
    return talk_id, events


def memories(services):
    """Return the texts of all memories."""
    return {m.text for m in services.memories.list(MemoryFilter())}


def learn(services):
    """Let the background do what it has to do."""
    drive(services.background.run(), Event())


class Home:
    """A profile down to its files, and what erases in it."""

    def __init__(self, folder, patience=60):
        self.profiles = Profiles(Paths(folder), lambda: NOW, lambda: None)
        self.vault, self.profile = self.profiles.create("Ada")
        self.talks, self.messages = Conversations(self.vault), Messages(self.vault)
        self.memories = Memories(self.vault)
        self.recalls, self.tombstones = Recalls(self.vault), Tombstones(self.vault)
        self.exports = Exports(self.vault)
        self.told_to_forget = []  # how many memories were left each time models were
        self.service = ErasureService(
            Store(self.vault),
            self.profiles.files(self.profile.slug),
            "Ada",
            Scrubber(Store(self.vault)),
            self.destroy,
            patience,
            forget=lambda: self.told_to_forget.append(self.memories.count(DEFAULT_SCOPE)),
        )

    def destroy(self, asking):
        self.vault.close()
        return self.profiles.delete(self.profile.slug, asking=asking)

    def index(self):
        embedder = HashEmbedder()
        drive(Indexer(Vectors(self.vault), lambda: embedder).run(Event()), Event())

    def found(self, *texts):
        needles = [n for t in texts for n in wipe.needles(t)]
        return drive(wipe.scan(self.vault.path, self.vault.key, needles), Event())


def erase(home, memory_id="m1", untick=()):
    inventory = home.service.of_memory(memory_id)
    ticked = frozenset(c.key for c in inventory.copies if c.ticked and c.key not in untick)
    return drive(home.service.erase_memory(memory_id, ticked), Event())
