"""Build every object of one open profile, once, and close them in reverse."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from app.domain.ids import Clock
from app.domain.model import FoundServer
from app.domain.profile import Profile
from app.memory.change.comparing import Comparer
from app.memory.change.contradictions import Inbox
from app.memory.change.nearby import Nearby
from app.memory.change.proposals import ProposalDecisions
from app.memory.consolidate.job import Consolidation
from app.memory.erasure.restated import Restated
from app.memory.learn.index import Indexer
from app.memory.learn.remember import Remember
from app.memory.recall.compose import Recaller
from app.power import on_mains
from app.providers.host import ModelHost
from app.providers.library import ModelsFolder
from app.providers.remote.learnt import ServerMemory
from app.services.answer.chat import ChatService
from app.services.answer.conversations import ConversationsService
from app.services.answer.notebook import NotebookService
from app.services.attention import AttentionService
from app.services.catalogue import CatalogueService
from app.services.chores import Chores
from app.services.consolidation import ConsolidationService
from app.services.doctor import DoctorService
from app.services.entities import EntitiesService
from app.services.erasure import ErasureService
from app.services.history import HistoryService
from app.services.library import LibraryService, ServerQueries
from app.services.memories import MemoriesService
from app.services.preferences import PreferencesService
from app.services.profiles import AccessService
from app.services.reranker import RerankerService
from app.services.runtime import RuntimeService
from app.services.services import Services
from app.services.sources import SourcesService
from app.services.transfer import TransferService
from app.services.undo import UndoService
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.backups import BackupsService
from app.services.upkeep.failed_jobs import FailedJobsService
from app.services.upkeep.idle import IdlePolicy
from app.services.upkeep.learners import Allowance, LearnersService, missing
from app.services.upkeep.learning import Learning
from app.services.upkeep.losses import LossesService
from app.services.upkeep.queue import QueueService
from app.services.upkeep.restriction import RestrictionService
from app.services.upkeep.scrub import Scrubber
from app.services.upkeep.spending import SpendingService
from app.services.upkeep.tampering import TamperingService
from app.services.upkeep.tidying import TidyingService
from app.services.upkeep.upkeep import UpkeepService
from app.services.upkeep.work import table
from app.services.watch import WatchService
from app.settings import computer
from app.store.profiles import Profiles
from app.store.store import Store
from app.store.vault.file import Vault
from app.store.vault.locks import FileLock
from app.store.work.secrets import Secrets


@dataclass(frozen=True, slots=True)
class BuiltProfile:
    """One open profile: what a front end uses, and what must be closed after it.

    Attributes:
        noticed: What the person should know of the start, in sentences.
    """

    services: Services
    store: Store
    host: ModelHost
    noticed: tuple[str, ...] = ()

    def close(self) -> None:
        """End the models' processes and close the vault; a second call does nothing."""
        self.services.library.stop_watching()
        self.host.close()
        self.store.vault.close()
        re.purge()


@dataclass(frozen=True, slots=True)
class Core:
    """What most services stand on."""

    store: Store
    clock: Clock
    preferences: PreferencesService
    secrets: Secrets
    spending: SpendingService
    allowance: Allowance
    models: ModelHost
    idle: IdlePolicy
    queue: QueueService
    background: BackgroundService
    history: HistoryService
    undo: UndoService
    indexer: Indexer
    remember: Remember
    inbox: Inbox
    nearby: Nearby
    scrubber: Scrubber
    losses: LossesService
    tampering: TamperingService

    def refused(self) -> str:
        """Return in a sentence why background work may not ask the model; empty where it may."""
        return self.allowance.hindrance(self.models.chat_info(learning=True))


def build(profiles: Profiles, profile: Profile, vault: Vault, clock: Clock) -> BuiltProfile:
    """Build the services of one profile over its open vault."""
    on = _core(profiles, profile, Store(vault), clock)
    store, models, values, queue = on.store, on.models, on.preferences.values, on.queue
    recaller = Recaller(store, lambda: models.embedder, values, models.rerankers.current)
    consolidation, tidying, backups = _register_jobs(on, profiles, profile.created_at)
    library, reranker, catalogue, learners = _to_choose_models(on)
    memories, chat = _to_remember_and_answer(on, recaller)
    services = Services(
        profile=profile,
        chat=chat,
        conversations=ConversationsService(store),
        memories=memories,
        history=on.history,
        undo=on.undo,
        sources=SourcesService(store, queue, clock),
        consolidation=consolidation,
        tidying=tidying,
        entities=EntitiesService(store.entities),
        attention=_attention(on, backups, learners),
        library=library,
        reranker=reranker,
        runtime=RuntimeService(models, on.preferences),
        catalogue=catalogue,
        learners=learners,
        preferences=on.preferences,
        transfer=TransferService(store, queue, profile.name, clock),
        backups=backups,
        erasure=_to_erase(on, profiles, profile, recaller),
        restriction=RestrictionService(store, clock),
        queue=queue,
        background=on.background,
        upkeep=_upkeep(on, profile.created_at or clock()),
        failed_jobs=FailedJobsService(store, on.background),
        spending=on.spending,
        doctor=DoctorService(store, library, on.indexer, tidying, backups, on.tampering, profile),
        losses=on.losses,
        tampering=on.tampering,
        access=AccessService(profiles, profile.slug, store.vault.key),
        watch=WatchService(store, on.preferences),
    )
    return BuiltProfile(services, store, models)


def _core(profiles: Profiles, profile: Profile, store: Store, clock: Clock) -> Core:
    folder = ModelsFolder(profiles.paths.models)
    exists = partial(missing, folder=folder)
    preferences = PreferencesService(store.preferences, profiles.paths.settings, exists)
    secrets = Secrets(profiles.files(profile.slug), store.secrets, profiles.keyring)
    spending = SpendingService(store.usage, preferences.values, clock)
    learnt = _learnt(profiles.paths.servers)
    allowance = Allowance(store.trials, spending, preferences.values, folder, learnt)
    models = ModelHost(
        folder,
        preferences.values,
        lambda name: secrets.get(name) or "",
        meter=allowance,
        learnt=learnt,
    )
    idle = IdlePolicy(store, preferences.values, on_mains, clock)
    queue = QueueService(store, clock)
    background = BackgroundService(store, queue, clock, idle, spending.working)
    nearby = Nearby(store, lambda: models.embedder, Comparer(lambda: models.understanding), clock)
    losses = LossesService(store)
    return Core(
        store=store,
        clock=clock,
        preferences=preferences,
        secrets=secrets,
        spending=spending,
        allowance=allowance,
        models=models,
        idle=idle,
        queue=queue,
        background=background,
        history=HistoryService(store, clock),
        undo=UndoService(store, queue, clock),
        indexer=Indexer(store.vectors, lambda: models.embedder, store.entities),
        remember=Remember(store, models, preferences.values, clock),
        inbox=Inbox(store, nearby, clock),
        nearby=nearby,
        scrubber=Scrubber(store),
        losses=losses,
        tampering=TamperingService(store, losses),
    )


def _learnt(file: Path) -> ServerMemory:
    """Return what is known of model servers, kept beside the settings of this computer."""
    return ServerMemory(partial(computer.load, file), partial(computer.save, file))


def _to_erase(on: Core, profiles: Profiles, profile: Profile, recaller: Recaller) -> ErasureService:
    models = on.models
    restated = Restated(on.store, lambda: models.embedder, lambda: models.understanding, on.clock)
    enqueue_index = on.queue.enqueue_index
    return ErasureService(
        on.store,
        profiles.files(profile.slug),
        profile.name,
        on.scrubber,
        partial(_destroy, on, profiles, profile.slug),
        enqueue_index=enqueue_index,
        forget=partial(_forget, on, recaller),
        restated=restated,
    )


def _attention(on: Core, backups: BackupsService, learners: LearnersService) -> AttentionService:
    proposals = ProposalDecisions(on.store, on.nearby, on.clock)
    enqueue = on.queue.enqueue_index
    return AttentionService(proposals, on.inbox, enqueue, on.tampering, backups, learners)


def _upkeep(on: Core, begun: datetime) -> UpkeepService:
    values, idle = on.preferences.values, on.idle
    return UpkeepService(
        on.store, on.queue, on.background, values, idle, begun, on.clock, on.refused
    )


def _close(on: Core) -> None:
    """Let go of the vault, so that it can be removed or replaced."""
    on.models.close()
    on.store.vault.close()
    re.purge()


def _forget(on: Core, recaller: Recaller) -> None:
    """Drop what is kept of texts outside the vault, for something is erased.

    Python keeps the patterns that were made of a person's words.
    """
    on.models.forget()
    recaller.forget()
    re.purge()


def _destroy(on: Core, profiles: Profiles, slug: str, asking: FileLock) -> Sequence[str]:
    """Remove the profile for good; see ``ErasureService``."""
    _close(on)
    return profiles.delete(slug, asking=asking)


def _to_remember_and_answer(on: Core, recaller: Recaller) -> tuple[MemoriesService, ChatService]:
    """Build what looks after memories, and what answers with or without a language model."""
    store, clock, models = on.store, on.clock, on.models
    memories = MemoriesService(store, on.remember, recaller, on.indexer, on.queue, on.undo, clock)
    notebook = NotebookService(
        store,
        on.remember,
        recaller,
        memories,
        on.history,
        on.undo,
        on.queue,
        lambda: models.understanding,
        on.preferences.values,
        clock,
    )
    chat = ChatService(
        store, recaller, models, on.preferences, clock, notebook, on.background.yield_to_user
    )
    return memories, chat


def _to_choose_models(
    on: Core,
) -> tuple[LibraryService, RerankerService, CatalogueService, LearnersService]:
    """Build what lists models and chooses who answers, reranks and learns."""
    models, preferences = on.models, on.preferences
    library = LibraryService(models, _network(), on.secrets, preferences, on.queue)
    reranker = RerankerService(models, preferences)
    learners = LearnersService(
        on.store.trials, models.folder, preferences.values, library.chat_choices, models.learnt
    )
    return library, reranker, CatalogueService(models, library, reranker, preferences), learners


def _register_jobs(
    on: Core, profiles: Profiles, begun: datetime | None
) -> tuple[ConsolidationService, TidyingService, BackupsService]:
    """Tell the background what kinds of work there are; return those that are also services."""
    store, clock, values, enqueue = (
        on.store,
        on.clock,
        on.preferences.values,
        on.queue.enqueue_index,
    )
    close, examine = partial(_close, on), on.tampering.examine
    backups = BackupsService(store, values, clock, profiles.keyring, close, examine, begun)
    chores = Chores(store, on.remember, on.indexer, on.scrubber, on.queue)
    learning = Learning(store, on.models, values, on.remember, enqueue, clock)
    folding = Consolidation(store, on.models, values, clock)
    consolidation = ConsolidationService(store, folding, on.queue, on.undo)
    tidying = TidyingService(store, on.models, on.inbox, values, on.spending, enqueue, clock)
    on.background.works = table(
        [
            *learning.works(),
            *consolidation.works(),
            *tidying.works(),
            *backups.works(),
            *chores.works(),
        ]
    )
    return consolidation, tidying, backups


def _network() -> ServerQueries:
    def find_servers() -> Sequence[FoundServer]:
        from app.providers.remote import servers

        return servers.find_servers()

    def list_models(address: str, key: str) -> Sequence[str]:
        from app.providers.remote.endpoint import Endpoint, normal_url
        from app.providers.remote.openai import list_models

        return list_models(Endpoint(normal_url(address), key))

    return ServerQueries(find_servers, list_models)
