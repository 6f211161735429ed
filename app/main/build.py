"""Build every object of one open profile, once, and close them in reverse."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.ids import Clock
from app.domain.model import FoundServer
from app.domain.profile import Profile
from app.memory.index import Indexer
from app.memory.recall.compose import Recaller
from app.memory.remember import Remember
from app.power import on_mains
from app.providers.host import ModelHost
from app.providers.library import ModelsFolder
from app.services.background import BackgroundService
from app.services.chat import ChatService
from app.services.chores import Chores
from app.services.conversations import ConversationsService
from app.services.doctor import DoctorService
from app.services.entities import EntitiesService
from app.services.erasure import ErasureService
from app.services.library import LibraryService, Network
from app.services.memories import MemoriesService
from app.services.preferences import PreferencesService
from app.services.profiles import AccessService
from app.services.scrub import Scrubber
from app.services.services import Services
from app.services.spending import SpendingService
from app.services.transfer import TransferService
from app.services.upkeep import UpkeepService
from app.services.watch import WatchService
from app.services.work import table
from app.store.entities import Entities
from app.store.locks import FileLock
from app.store.preferences import Preferences
from app.store.profiles import Profiles
from app.store.secrets import Secrets
from app.store.vault import Vault
from app.store.vectors import Vectors


@dataclass(frozen=True, slots=True)
class Opened:
    """One open profile: what a front end uses, and what must be closed after it."""

    services: Services
    vault: Vault
    host: ModelHost

    def close(self) -> None:
        """End the models' processes and close the vault; a second call does nothing."""
        self.services.library.stop_watching()
        self.host.close()
        self.vault.close()


def build(profiles: Profiles, profile: Profile, vault: Vault, clock: Clock) -> Opened:
    """Build the services of one profile over its open vault."""
    paths = profiles.files(profile.slug)
    preferences = PreferencesService(Preferences(vault), profiles.paths.settings)
    secrets = Secrets(paths, vault, profiles.keyring)
    folder = ModelsFolder(profiles.paths.models)
    spending = SpendingService(vault, preferences.values, clock)
    models = ModelHost(
        folder, preferences.values, lambda name: secrets.get(name) or "", meter=spending
    )
    indexer = Indexer(Vectors(vault), lambda: models.embedder, Entities(vault))
    remember = Remember(vault, models, preferences.values, clock)
    reranker = models.rerankers.current
    recaller = Recaller(vault, lambda: models.embedder, preferences.values, reranker)
    scrubber = Scrubber(vault)
    background = BackgroundService(vault, clock, spending.working)
    chores = Chores(vault, remember, indexer, scrubber, background.index_soon)
    background.works = table([*chores.works()])
    begun = profile.created_at or clock()
    upkeep = UpkeepService(vault, background, preferences.values, on_mains, begun, clock)
    library = LibraryService(models, _network(), secrets, preferences, background)

    def destroy(asking: FileLock) -> Sequence[str]:
        models.close()
        vault.close()
        return profiles.delete(profile.slug, asking=asking)

    services = Services(
        profile=profile,
        chat=ChatService(vault, recaller, models, preferences, clock, background.give_way),
        conversations=ConversationsService(vault),
        memories=MemoriesService(vault, remember, recaller, indexer, background, clock),
        entities=EntitiesService(vault),
        library=library,
        preferences=preferences,
        transfer=TransferService(vault, background, profile.name, clock),
        erasure=ErasureService(vault, paths, profile.name, scrubber, destroy),
        background=background,
        upkeep=upkeep,
        spending=spending,
        doctor=DoctorService(vault, library, indexer),
        access=AccessService(profiles, profile.slug, vault.key),
        watch=WatchService(vault, preferences),
    )
    return Opened(services, vault, models)


def _network() -> Network:
    def find_servers() -> Sequence[FoundServer]:
        from app.providers import servers

        return servers.find_servers()

    def list_models(address: str, key: str) -> Sequence[str]:
        from app.providers.endpoint import Endpoint, normal_url
        from app.providers.openai import list_models

        return list_models(Endpoint(normal_url(address), key))

    return Network(find_servers, list_models)
