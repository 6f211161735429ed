"""Everything one open profile offers, in one object that front ends are given."""

from dataclasses import dataclass

from app.domain.profile import Profile
from app.services.background import BackgroundService
from app.services.chat import ChatService
from app.services.conversations import ConversationsService
from app.services.doctor import DoctorService
from app.services.entities import EntitiesService
from app.services.erasure import ErasureService
from app.services.library import LibraryService
from app.services.memories import MemoriesService
from app.services.preferences import PreferencesService
from app.services.profiles import AccessService
from app.services.spending import SpendingService
from app.services.transfer import TransferService
from app.services.upkeep import UpkeepService
from app.services.watch import WatchService


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one open profile."""

    profile: Profile
    chat: ChatService
    conversations: ConversationsService
    memories: MemoriesService
    entities: EntitiesService
    library: LibraryService
    preferences: PreferencesService
    transfer: TransferService
    erasure: ErasureService
    background: BackgroundService
    upkeep: UpkeepService
    spending: SpendingService
    doctor: DoctorService
    access: AccessService
    watch: WatchService
