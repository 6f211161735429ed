"""Everything one open profile offers, in one object that front ends are given."""

from dataclasses import dataclass

from app.domain.profile import Profile
from app.services.answer.chat import ChatService
from app.services.answer.conversations import ConversationsService
from app.services.attention import AttentionService
from app.services.catalogue import CatalogueService
from app.services.consolidation import ConsolidationService
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
from app.services.sources import SourcesService
from app.services.transfer import TransferService
from app.services.undo import UndoService
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.backups import BackupsService
from app.services.upkeep.failed_jobs import FailedJobsService
from app.services.upkeep.learners import LearnersService
from app.services.upkeep.losses import LossesService
from app.services.upkeep.queue import QueueService
from app.services.upkeep.restriction import RestrictionService
from app.services.upkeep.spending import SpendingService
from app.services.upkeep.tampering import TamperingService
from app.services.upkeep.tidying import TidyingService
from app.services.upkeep.upkeep import UpkeepService
from app.services.watch import WatchService


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one open profile."""

    profile: Profile
    chat: ChatService
    conversations: ConversationsService
    memories: MemoriesService
    history: HistoryService
    undo: UndoService
    sources: SourcesService
    consolidation: ConsolidationService
    tidying: TidyingService
    entities: EntitiesService
    attention: AttentionService
    backups: BackupsService
    library: LibraryService
    reranker: RerankerService
    runtime: RuntimeService
    catalogue: CatalogueService
    learners: LearnersService
    preferences: PreferencesService
    transfer: TransferService
    erasure: ErasureService
    restriction: RestrictionService
    queue: QueueService
    background: BackgroundService
    upkeep: UpkeepService
    failed_jobs: FailedJobsService
    spending: SpendingService
    doctor: DoctorService
    access: AccessService
    losses: LossesService
    tampering: TamperingService
    watch: WatchService
