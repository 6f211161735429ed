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
from app.services.services import Services
from app.services.transfer import TransferService
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.backups import BackupsService
from app.services.upkeep.idle import IdlePolicy
from app.services.upkeep.learners import Allowance, LearnersService, missing
from app.services.upkeep.learning import Learning
from app.services.upkeep.losses import LossesService
from app.services.upkeep.restriction import RestrictionService
from app.services.upkeep.scrub import Scrubber
from app.services.upkeep.spending import SpendingService
from app.services.upkeep.tampering import TamperingService
from app.services.upkeep.tidying import TidyingService
from app.services.upkeep.upkeep import UpkeepService
from app.services.upkeep.work import table
from app.services.watch import WatchService
from app.settings import computer
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.preferences import Preferences
from app.store.profiles import Profiles
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
    vault: Vault
    host: ModelHost
    noticed: tuple[str, ...] = ()

    def close(self) -> None:
        """End the models' processes and close the vault; a second call does nothing."""
        self.services.library.stop_watching()
        self.host.close()
        self.vault.close()
        re.purge()


@dataclass(frozen=True, slots=True)
class Core:
    """What most services stand on."""

    vault: Vault
    clock: Clock
    preferences: PreferencesService
    secrets: Secrets
    spending: SpendingService
    allowance: Allowance
    models: ModelHost
    idle: IdlePolicy
    background: BackgroundService
    history: HistoryService
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
    on = _core(profiles, profile, vault, clock)
    models, background, values = on.models, on.background, on.preferences.values
    recaller = Recaller(vault, lambda: models.embedder, values, models.rerankers.current)
    close, tampering = partial(_close, on), on.tampering
    backups = BackupsService(
        vault, values, clock, profiles.keyring, close, tampering.examine, profile.created_at
    )
    consolidation, tidying = _register_jobs(on, backups)
    library = LibraryService(models, _network(), on.secrets, on.preferences, background)
    learners = LearnersService(vault, models.folder, values, library.chat_choices, models.learnt)
    memories, chat = _to_remember_and_answer(on, recaller)
    services = Services(
        profile=profile,
        chat=chat,
        conversations=ConversationsService(vault),
        memories=memories,
        history=on.history,
        consolidation=consolidation,
        tidying=tidying,
        entities=EntitiesService(vault),
        attention=_attention(on, backups, learners),
        library=library,
        catalogue=CatalogueService(models, library, on.preferences),
        learners=learners,
        preferences=on.preferences,
        transfer=TransferService(vault, background, profile.name, clock),
        backups=backups,
        erasure=_to_erase(on, profiles, profile, recaller),
        restriction=RestrictionService(vault, clock),
        background=background,
        upkeep=_upkeep(on, profile.created_at or clock()),
        spending=on.spending,
        doctor=DoctorService(vault, library, on.indexer, tidying, backups, tampering, profile),
        losses=on.losses,
        tampering=tampering,
        access=AccessService(profiles, profile.slug, vault.key),
        watch=WatchService(vault, on.preferences),
    )
    return BuiltProfile(services, vault, models)


def _core(profiles: Profiles, profile: Profile, vault: Vault, clock: Clock) -> Core:
    folder = ModelsFolder(profiles.paths.models)
    exists = partial(missing, folder=folder)
    preferences = PreferencesService(Preferences(vault), profiles.paths.settings, exists)
    secrets = Secrets(profiles.files(profile.slug), vault, profiles.keyring)
    spending = SpendingService(vault, preferences.values, clock)
    learnt = _learnt(profiles.paths.servers)
    allowance = Allowance(vault, spending, preferences.values, folder, learnt)
    models = ModelHost(
        folder,
        preferences.values,
        lambda name: secrets.get(name) or "",
        meter=allowance,
        learnt=learnt,
    )
    idle = IdlePolicy(vault, preferences.values, on_mains, clock)
    background = BackgroundService(vault, clock, idle, spending.working)
    comparer = Comparer(lambda: models.understanding)
    nearby = Nearby(vault, lambda: models.embedder, comparer, clock)
    losses = LossesService(vault)
    return Core(
        vault=vault,
        clock=clock,
        preferences=preferences,
        secrets=secrets,
        spending=spending,
        allowance=allowance,
        models=models,
        idle=idle,
        background=background,
        history=HistoryService(vault, background, clock),
        indexer=Indexer(Vectors(vault), lambda: models.embedder, Entities(vault)),
        remember=Remember(vault, models, preferences.values, clock),
        inbox=Inbox(vault, nearby, clock),
        nearby=nearby,
        scrubber=Scrubber(vault),
        losses=losses,
        tampering=TamperingService(vault, losses),
    )


def _learnt(file: Path) -> ServerMemory:
    """Return what is known of model servers, kept beside the settings of this computer."""
    return ServerMemory(partial(computer.load, file), partial(computer.save, file))


def _to_erase(on: Core, profiles: Profiles, profile: Profile, recaller: Recaller) -> ErasureService:
    models = on.models
    restated = Restated(on.vault, lambda: models.embedder, lambda: models.understanding, on.clock)
    enqueue_index = on.background.enqueue_index
    return ErasureService(
        on.vault,
        profiles.files(profile.slug),
        profile.name,
        on.scrubber,
        partial(_destroy, on, profiles, profile.slug),
        enqueue_index=enqueue_index,
        forget=partial(_forget, on, recaller),
        restated=restated,
    )


def _attention(on: Core, backups: BackupsService, learners: LearnersService) -> AttentionService:
    proposals = ProposalDecisions(on.vault, on.nearby, on.clock)
    enqueue = on.background.enqueue_index
    return AttentionService(proposals, on.inbox, enqueue, on.tampering, backups, learners)


def _upkeep(on: Core, begun: datetime) -> UpkeepService:
    values, idle = on.preferences.values, on.idle
    return UpkeepService(on.vault, on.background, values, idle, begun, on.clock, on.refused)


def _close(on: Core) -> None:
    """Let go of the vault, so that it can be removed or replaced."""
    on.models.close()
    on.vault.close()
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
    vault, clock, models, background = on.vault, on.clock, on.models, on.background
    memories = MemoriesService(
        vault, on.remember, recaller, on.indexer, background, on.history, clock
    )
    notebook = NotebookService(
        vault,
        on.remember,
        recaller,
        memories,
        on.history,
        background,
        lambda: models.understanding,
        on.preferences.values,
        clock,
    )
    chat = ChatService(
        vault, recaller, models, on.preferences, clock, notebook, background.yield_to_user
    )
    return memories, chat


def _register_jobs(
    on: Core, backups: BackupsService
) -> tuple[ConsolidationService, TidyingService]:
    """Tell the background what kinds of work there are; return those that are also services."""
    vault, clock, values, enqueue = (
        on.vault,
        on.clock,
        on.preferences.values,
        on.background.enqueue_index,
    )
    chores = Chores(vault, on.remember, on.indexer, on.scrubber, on.background)
    learning = Learning(vault, on.models, values, on.remember, enqueue, clock)
    folding = Consolidation(vault, on.models, values, clock)
    consolidation = ConsolidationService(vault, folding, on.background, on.history)
    tidying = TidyingService(vault, on.models, on.inbox, values, on.spending, enqueue, clock)
    on.background.works = table(
        [
            *learning.works(),
            *consolidation.works(),
            *tidying.works(),
            *backups.works(),
            *chores.works(),
        ]
    )
    return consolidation, tidying


def _network() -> ServerQueries:
    def find_servers() -> Sequence[FoundServer]:
        from app.providers.remote import servers

        return servers.find_servers()

    def list_models(address: str, key: str) -> Sequence[str]:
        from app.providers.remote.endpoint import Endpoint, normal_url
        from app.providers.remote.openai import list_models

        return list_models(Endpoint(normal_url(address), key))

    return ServerQueries(find_servers, list_models)
