"""Build every object of one open profile, once, and close them in reverse."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from app.domain.ids import Clock
from app.domain.jobs import kinds
from app.domain.profile import Profile
from app.main.core import Core
from app.providers.host import ModelHost
from app.services.answer.conversations import ConversationsService
from app.services.answer.documents import DocumentsService
from app.services.entities import EntitiesService
from app.services.profiles import AccessService
from app.services.runtime import RuntimeService
from app.services.services import Services
from app.services.upkeep.failed_jobs import FailedJobsService
from app.services.upkeep.restriction import RestrictionService
from app.services.upkeep.scrub import SCRUB
from app.services.upkeep.upkeep import UpkeepService
from app.services.upkeep.work import Work, Works
from app.services.watch import WatchService
from app.store.profiles import Profiles
from app.store.store import Store
from app.store.vault.file import Vault
from app.store.vault.locks import FileLock

if TYPE_CHECKING:
    from app.memory.change.proposals import ProposalDecisions
    from app.memory.erasure.restated import Restated
    from app.services.agents import AgentsService
    from app.services.answer.chat import ChatService
    from app.services.attention import AttentionService
    from app.services.catalogue import CatalogueService
    from app.services.context.browsing import ContextService
    from app.services.doctor import DoctorService
    from app.services.erasure import ErasureService
    from app.services.sources import SourcesService
    from app.services.tools.turn import ToolOffers
    from app.services.transfer import TransferService


_PARTS = (  # of the core, which are services as they are
    "memories",
    "memory_tools",
    "history",
    "undo",
    "consolidation",
    "tidying",
    "library",
    "reranker",
    "learners",
    "preferences",
    "sharing",
    "backups",
    "scoring",
    "queue",
    "background",
    "spending",
    "losses",
    "tampering",
)


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


def build(profiles: Profiles, profile: Profile, vault: Vault, clock: Clock) -> BuiltProfile:
    """Build the services of one profile over its open vault."""
    on = Core(profiles, profile, Store(vault), clock)
    on.background.works = _works(on)
    makers: dict[str, Callable[[], Any]] = {
        **{name: partial(getattr, on, name) for name in _PARTS},
        "chat": partial(_chat, on),
        "conversations": lambda: ConversationsService(on.store, on.forget),
        "context": partial(_context, on),
        "documents": lambda: DocumentsService(on.store),
        "agents": partial(_agents, on),
        "sources": partial(_sources, on),
        "entities": lambda: EntitiesService(on.store.entities),
        "attention": partial(_attention, on),
        "runtime": lambda: RuntimeService(on.models, on.preferences),
        "catalogue": partial(_catalogue, on),
        "transfer": partial(_transfer, on),
        "erasure": partial(_erasure, on),
        "restriction": lambda: RestrictionService(on.store, clock),
        "upkeep": partial(_upkeep, on),
        "failed_jobs": lambda: FailedJobsService(on.store, on.background),
        "doctor": partial(_doctor, on),
        "access": lambda: AccessService(profiles, profile.slug, vault.key),
        "watch": lambda: WatchService(on.store, on.preferences),
    }
    return BuiltProfile(Services(profile, makers), on.store, on.models)


def _chat(on: Core) -> "ChatService":
    """Build what answers with or without a language model."""
    from app.services.answer.chat import ChatService
    from app.services.answer.notebook import NotebookService

    models = on.models
    notebook = NotebookService(
        on.store,
        on.remember,
        on.recaller,
        on.memories,
        on.history,
        on.undo,
        on.queue,
        lambda: models.understanding,
        on.preferences.values,
        on.clock,
    )
    yields = on.background.yield_to_user
    return ChatService(
        on.store,
        on.recaller,
        models,
        on.preferences,
        on.clock,
        notebook,
        on.views,
        on.compaction,
        _tools(on),
        on.scoring,
        yields,
    )


def _tools(on: Core) -> "ToolOffers":
    """Build what models may call while they answer."""
    from app.providers.learner import is_small
    from app.services.tools.context import ContextTools
    from app.services.tools.turn import ToolOffers

    models, values = on.models, on.preferences.values
    small = partial(is_small, folder=models.folder, learnt=models.learnt)
    context = ContextTools(on.store, values)
    return ToolOffers(context, lambda: on.memory_tools, values, small)


def _context(on: Core) -> "ContextService":
    from app.services.context.browsing import ContextService

    return ContextService(on.store, on.views, on.preferences.values)


def _agents(on: Core) -> "AgentsService":
    from app.services.agents import AgentsService

    return AgentsService(on.store)


def _sources(on: Core) -> "SourcesService":
    from app.services.sources import SourcesService

    return SourcesService(on.store, on.queue, on.clock)


def _transfer(on: Core) -> "TransferService":
    from app.services.transfer import TransferService

    return TransferService(on.store, on.queue, on.profile.name, on.clock)


def _catalogue(on: Core) -> "CatalogueService":
    from app.services.catalogue import CatalogueService

    return CatalogueService(on.models, on.library, on.reranker, on.preferences)


def _doctor(on: Core) -> "DoctorService":
    from app.services.doctor import DoctorService

    return DoctorService(
        on.store, on.library, on.indexer, on.tidying, on.backups, on.tampering, on.profile
    )


def _attention(on: Core) -> "AttentionService":
    from app.services.attention import AttentionService

    def proposals() -> "ProposalDecisions":
        from app.memory.change.proposals import ProposalDecisions

        return ProposalDecisions(on.store, on.nearby, on.clock)

    return AttentionService(
        on.store,
        proposals,
        lambda: on.inbox,
        on.queue.enqueue_index,
        on.tampering,
        on.backups,
        on.learners,
    )


def _upkeep(on: Core) -> UpkeepService:
    values, idle = on.preferences.values, on.idle
    return UpkeepService(
        on.store, on.queue, on.background, values, idle, on.begun, on.clock, on.refused
    )


def _erasure(on: Core) -> "ErasureService":
    from app.services.erasure import ErasureService

    def restated() -> "Restated":
        from app.memory.erasure.restated import Restated

        models = on.models
        return Restated(on.store, lambda: models.embedder, lambda: models.understanding, on.clock)

    return ErasureService(
        on.store,
        on.profiles.files(on.profile.slug),
        on.profile.name,
        on.scrubber,
        partial(_destroy, on),
        enqueue_index=on.queue.enqueue_index,
        forget=on.forget,
        restated=restated,
    )


def _destroy(on: Core, asking: FileLock) -> Sequence[str]:
    """Remove the profile for good; see ``ErasureService``."""
    on.close()
    return on.profiles.delete(on.profile.slug, asking=asking)


def _works(on: Core) -> Works:
    """Return what kinds of background work there are."""

    def learning() -> Sequence[Work]:
        from app.memory.learn.context import LearningContext
        from app.services.upkeep.learning import Learning

        values, enqueue = on.preferences.values, on.queue.enqueue_index
        given = LearningContext(on.store, on.models, values, on.remember, enqueue, on.clock)
        return Learning(given).works()

    def chores() -> Sequence[Work]:
        from app.services.chores import Chores

        return Chores(on.store, on.remember, on.indexer, on.scrubber, on.queue).works()

    often = (kinds.LEARN, kinds.LEARN_MORE, kinds.INDEX, kinds.REINDEX, kinds.WORDS, SCRUB)
    return Works(
        {
            (kinds.REVIEW, kinds.READ): learning,
            (kinds.CONSOLIDATE,): lambda: on.consolidation.works(),
            (kinds.DREAM, kinds.COMPACT): lambda: on.tidying.works(),
            (kinds.BACKUP,): lambda: on.backups.works(),
            often: chores,
            (kinds.SUMMARISE,): lambda: on.compaction.works(),
            (kinds.JUDGE,): lambda: on.scoring.works(),
        }
    )
