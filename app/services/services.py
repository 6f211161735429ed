"""Everything one open profile offers, in one object that front ends are given."""

from collections.abc import Callable, Iterator, Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any

from app.domain.profile import Profile

if TYPE_CHECKING:
    from app.services.agents import AgentsService
    from app.services.answer.chat import ChatService
    from app.services.answer.conversations import ConversationsService
    from app.services.answer.documents import DocumentsService
    from app.services.attention import AttentionService
    from app.services.catalogue import CatalogueService
    from app.services.consolidation import ConsolidationService
    from app.services.context.browsing import ContextService
    from app.services.doctor import DoctorService
    from app.services.entities import EntitiesService
    from app.services.erasure import ErasureService
    from app.services.history import HistoryService
    from app.services.library import LibraryService
    from app.services.memories import MemoriesService
    from app.services.preferences import PreferencesService
    from app.services.profiles import AccessService
    from app.services.reranker import RerankerService
    from app.services.runtime import RuntimeService
    from app.services.sharing import SharingService
    from app.services.sources import SourcesService
    from app.services.tools.offered import MemoryToolset
    from app.services.transfer import TransferService
    from app.services.undo import UndoService
    from app.services.upkeep.background import BackgroundService
    from app.services.upkeep.backups import BackupsService
    from app.services.upkeep.failed_jobs import FailedJobsService
    from app.services.upkeep.learners import LearnersService
    from app.services.upkeep.losses import LossesService
    from app.services.upkeep.queue import QueueService
    from app.services.upkeep.restriction import RestrictionService
    from app.services.upkeep.scoring import ScoringService
    from app.services.upkeep.spending import SpendingService
    from app.services.upkeep.tampering import TamperingService
    from app.services.upkeep.tidying import TidyingService
    from app.services.upkeep.upkeep import UpkeepService
    from app.services.watch import WatchService


class Services:
    """The services of one open profile; each is built, once, when it is first asked for.

    Args:
        profile: The profile.
        makers: Build the services, by their names.
    """

    chat: "ChatService"
    conversations: "ConversationsService"
    context: "ContextService"
    documents: "DocumentsService"
    memories: "MemoriesService"
    agents: "AgentsService"
    memory_tools: "MemoryToolset"
    history: "HistoryService"
    undo: "UndoService"
    sources: "SourcesService"
    consolidation: "ConsolidationService"
    tidying: "TidyingService"
    entities: "EntitiesService"
    attention: "AttentionService"
    backups: "BackupsService"
    library: "LibraryService"
    reranker: "RerankerService"
    runtime: "RuntimeService"
    catalogue: "CatalogueService"
    learners: "LearnersService"
    preferences: "PreferencesService"
    sharing: "SharingService"
    transfer: "TransferService"
    erasure: "ErasureService"
    restriction: "RestrictionService"
    scoring: "ScoringService"
    queue: "QueueService"
    background: "BackgroundService"
    upkeep: "UpkeepService"
    failed_jobs: "FailedJobsService"
    spending: "SpendingService"
    doctor: "DoctorService"
    access: "AccessService"
    losses: "LossesService"
    tampering: "TamperingService"
    watch: "WatchService"

    def __init__(self, profile: Profile, makers: Mapping[str, Callable[[], Any]]) -> None:
        self.profile = profile
        self._makers = makers
        self._locks = {name: RLock() for name in makers}

    def prepared(self) -> Iterator[str]:
        """Build on this thread whatever was not asked for yet, and yield the name of each."""
        for name in self._makers:
            if name not in self.__dict__:
                getattr(self, name)
                yield name

    if not TYPE_CHECKING:  # the names above are all there are

        def __getattr__(self, name: str) -> Any:
            """Build a service; this is asked only for what was not built yet."""
            if name.startswith("_") or name not in self._makers:
                raise AttributeError(name)
            with self._locks[name]:
                if name not in self.__dict__:
                    self.__dict__[name] = self._makers[name]()
                return self.__dict__[name]
