"""What the services of one open profile stand on, and what several of them share."""

import re
from functools import cached_property, partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from app.domain.ids import Clock
from app.domain.profile import Profile
from app.main.network import server_queries
from app.memory.learn.index import Indexer
from app.power import on_mains
from app.providers.host import ModelHost
from app.providers.library import ModelsFolder
from app.providers.remote.learnt import ServerMemory
from app.providers.sharing import not_learning
from app.services.history import HistoryService
from app.services.library import LibraryService
from app.services.memories import MemoriesService
from app.services.preferences import PreferencesService
from app.services.reranker import RerankerService
from app.services.sharing import SharingService
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.backups import BackupsService
from app.services.upkeep.idle import IdlePolicy
from app.services.upkeep.learners import Allowance, LearnersService, missing
from app.services.upkeep.losses import LossesService
from app.services.upkeep.queue import QueueService
from app.services.upkeep.scrub import Scrubber
from app.services.upkeep.spending import SpendingService
from app.services.upkeep.tampering import TamperingService
from app.services.upkeep.tidying import TidyingService
from app.settings import computer
from app.settings.learning import CHAT
from app.store.profiles import Profiles
from app.store.store import Store
from app.store.work.secrets import Secrets

if TYPE_CHECKING:
    from app.memory.by_model.carried import FactCarrier
    from app.memory.by_model.entries import KeyedEntries
    from app.memory.change.contradictions import Inbox
    from app.memory.change.nearby import Nearby
    from app.memory.learn.remember import Remember
    from app.memory.recall.compose import Recaller
    from app.services.consolidation import ConsolidationService
    from app.services.context.compaction import ContextCompaction
    from app.services.context.views import ContextViews
    from app.services.tools.offered import MemoryToolset
    from app.services.undo import UndoService
    from app.services.upkeep.scoring import ScoringService


T = TypeVar("T", covariant=True)


class once(cached_property[T]):
    """What is built when it is first asked for, once whichever threads ask for it together."""

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        """Return what was built, or build it while every other thread waits."""
        if instance is None:
            return self
        with instance.building:
            return super().__get__(instance, owner)


class Core:
    """What most services stand on.

    What is light is built at once; what a command or the first picture of the window may do
    without is imported and built when it is first asked for.
    """

    def __init__(self, profiles: Profiles, profile: Profile, store: Store, clock: Clock) -> None:
        self.building = RLock()
        self.profiles, self.profile = profiles, profile
        self.store, self.clock = store, clock
        self.begun = profile.created_at or clock()
        folder = ModelsFolder(profiles.paths.models)
        exists = partial(missing, folder=folder)
        self.preferences = PreferencesService(store.preferences, profiles.paths.settings, exists)
        values = self.preferences.values
        self.secrets = Secrets(profiles.files(profile.slug), store.secrets, profiles.keyring)
        self.spending = SpendingService(store.usage, values, clock)
        learnt = _learnt(profiles.paths.servers)
        self.allowance = Allowance(store.trials, self.spending, values, folder, learnt)
        self.sharing = SharingService(self.preferences, store.entities.names)
        self.models = ModelHost(
            folder,
            values,
            lambda name: self.secrets.get(name) or "",
            meter=self.allowance,
            learnt=learnt,
            gate=self.sharing,
        )
        self.idle = IdlePolicy(store, values, on_mains, clock)
        self.queue = QueueService(store, clock)
        self.background = BackgroundService(
            store, self.queue, clock, self.idle, self.spending.working
        )
        self.history = HistoryService(store, clock)
        self.indexer = Indexer(store.vectors, lambda: self.models.embedder, store.entities)
        self.scrubber = Scrubber(store)
        self.losses = LossesService(store)
        self.tampering = TamperingService(store, self.losses)

    @once
    def recaller(self) -> "Recaller":
        """What finds."""
        from app.memory.recall.compose import Recaller

        models = self.models
        return Recaller(
            self.store, lambda: models.embedder, self.preferences.values, models.rerankers.current
        )

    @once
    def remember(self) -> "Remember":
        """What learns."""
        from app.memory.learn.remember import Remember

        return Remember(self.store, self.models, self.preferences.values, self.clock)

    @once
    def undo(self) -> "UndoService":
        """What takes back."""
        from app.services.undo import UndoService

        return UndoService(self.store, self.queue, self.clock)

    @once
    def memories(self) -> MemoriesService:
        """What lists and changes memories."""
        return MemoriesService(
            self.store,
            lambda: self.remember,
            lambda: self.recaller,
            self.indexer,
            self.queue,
            lambda: self.undo,
            self.clock,
        )

    @once
    def entries(self) -> "KeyedEntries":
        """What agents keep under keys."""
        from app.memory.by_model.entries import KeyedEntries

        models, values = self.models, self.preferences.values
        return KeyedEntries(self.store, lambda: models.understanding, values, self.clock)

    @once
    def carrier(self) -> "FactCarrier":
        """What carries keyed facts into conversations."""
        from app.memory.by_model.carried import FactCarrier

        return FactCarrier(self.store, self.entries, self.clock)

    @once
    def nearby(self) -> "Nearby":
        """What compares a statement with those like it."""
        from app.memory.change.comparing import Comparer
        from app.memory.change.nearby import Nearby

        models = self.models
        comparer = Comparer(lambda: models.understanding)
        return Nearby(self.store, lambda: models.embedder, comparer, self.clock)

    @once
    def inbox(self) -> "Inbox":
        """Where contradictions go."""
        from app.memory.change.contradictions import Inbox

        return Inbox(self.store, self.nearby, self.clock)

    @once
    def consolidation(self) -> "ConsolidationService":
        """What folds statements into observations."""
        from app.memory.consolidate.job import Consolidation
        from app.services.consolidation import ConsolidationService

        folding = Consolidation(self.store, self.models, self.preferences.values, self.clock)
        return ConsolidationService(self.store, folding, self.queue, self.undo)

    @once
    def tidying(self) -> TidyingService:
        """What dreams and thins."""
        enqueue, values = self.queue.enqueue_index, self.preferences.values
        return TidyingService(
            self.store, self.models, lambda: self.inbox, values, self.spending, enqueue, self.clock
        )

    @once
    def views(self) -> "ContextViews":
        """What of a conversation a model is shown."""
        from app.services.context.views import ContextViews

        return ContextViews(self.store, self.preferences.values)

    @once
    def compaction(self) -> "ContextCompaction":
        """What sums up long conversations."""
        from app.services.context.compaction import ContextCompaction
        from app.services.context.summariser import Summariser

        values = self.preferences.values
        summariser = Summariser(self.models, self.store.usage, values, self.clock)
        return ContextCompaction(self.store, self.views, self.models, summariser, values)

    @once
    def scoring(self) -> "ScoringService":
        """What gives answers marks."""
        from app.services.upkeep.scoring import ScoringService

        return ScoringService(self.store, self.models, self.preferences.values, self.clock)

    @once
    def memory_tools(self) -> "MemoryToolset":
        """What models may do with memory."""
        from app.memory.by_model.notes import ModelNotes
        from app.services.tools.keyed import KeyedTools
        from app.services.tools.memories import MemoryTools
        from app.services.tools.offered import MemoryToolset

        store, queue, clock, models = self.store, self.queue, self.clock, self.models
        notes = ModelNotes(store, lambda: self.remember, lambda: models.understanding, clock)
        return MemoryToolset(
            store,
            KeyedTools(store, self.entries, self.memories, queue),
            MemoryTools(store, notes, self.memories, lambda: self.recaller, queue, clock),
        )

    @once
    def backups(self) -> BackupsService:
        """What copies the vault."""
        return BackupsService(
            self.store,
            self.preferences.values,
            self.clock,
            self.profiles.keyring,
            self.close,
            self.tampering.examine,
            self.profile.created_at,
        )

    @once
    def library(self) -> LibraryService:
        """What lists models and chooses who answers."""
        return LibraryService(
            self.models, server_queries(), self.secrets, self.preferences, self.queue
        )

    @once
    def reranker(self) -> RerankerService:
        """What gets the reranker and switches it."""
        return RerankerService(self.models, self.preferences)

    @once
    def learners(self) -> LearnersService:
        """What chooses who learns."""
        models, values = self.models, self.preferences.values
        choices = self.library.chat_choices
        return LearnersService(self.store.trials, models.folder, values, choices, models.learnt)

    def refused(self) -> str:
        """Return in a sentence why background work may not ask the model; empty where it may."""
        settings = self.preferences.values()
        learns = settings.extraction.learn_from
        asked = settings.chat.model if learns == CHAT else learns
        kept_here = not_learning(asked, settings.models.sharing)
        return kept_here or self.allowance.hindrance(self.models.chat_info(learning=True))

    def close(self) -> None:
        """Let go of the vault, so that it can be removed or replaced."""
        self.models.close()
        self.store.vault.close()
        re.purge()

    def forget(self) -> None:
        """Drop what is kept of texts outside the vault, for something is erased.

        Python keeps the patterns that were made of a person's words.
        """
        self.models.forget()
        self.recaller.forget()
        re.purge()


def _learnt(file: Path) -> ServerMemory:
    """Return what is known of model servers, kept beside the settings of this computer."""
    return ServerMemory(partial(computer.load, file), partial(computer.save, file))
