"""Which models there are, who answers, and which one finds by meaning."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.changes import Changes
from app.domain.jobs.upkeep import Trigger
from app.domain.model import (
    ChatInfo,
    FoundServer,
    ModelChoice,
    ModelPlace,
    ModelRole,
    OtherProgramsModels,
)
from app.errors import ModelError, ModelFileError, Refused
from app.providers.host import ModelHost
from app.services.preferences import PreferencesService
from app.services.upkeep.queue import QueueService
from app.store.work.secrets import SecretStore

SERVER, FILE = "server:", "file:"
LATEST = ":latest"
UNSEEN = "{} is chosen, but could not be checked: {}"
UNLISTED = "{} is chosen, but its server lists no model of that name."
ADDRESSES = {"openai": "https://api.openai.com/v1", "voyage": "https://api.voyageai.com/v1"}


@dataclass(frozen=True, slots=True)
class ServerQueries:
    """What asks servers; nothing else does, and only when the person wants to know.

    Attributes:
        find_servers: Looks at the usual ports of this computer.
        list_models: Asks an address, with a key or an empty text, for its models.
    """

    find_servers: Callable[[], Sequence[FoundServer]]
    list_models: Callable[[str, str], Sequence[str]]


class LibraryService:
    """Lists and chooses models."""

    def __init__(
        self,
        host: ModelHost,
        network: ServerQueries,
        secrets: SecretStore,
        preferences: PreferencesService,
        queue: QueueService,
    ) -> None:
        self._host = host
        self._network = network
        self._secrets = secrets
        self._preferences = preferences
        self._queue = queue

    @property
    def folder(self) -> Path:
        """The watched folder of model files."""
        return self._host.folder.folder

    def watch(self, callback: Callable[[], None]) -> Changes:
        """Call back, on another thread, whenever a model file came, went or changed.

        What came before the watch began is found by listing once more.
        """
        self._host.folder.watch(callback)
        return Changes(models=True)

    def stop_watching(self) -> None:
        """Stop watching the folder."""
        self._host.folder.stop()

    def chat_choices(self) -> list[ModelChoice]:
        """Return who could answer; the server in use is among them."""
        settings = self._preferences.values()
        files = self._host.folder.chat_choices(settings.models.context_tokens)
        found = [replace(c, loaded_bytes=self._host.loaded_bytes(c.id)) for c in files]
        chosen = settings.chat.model
        if chosen.startswith(SERVER):
            address, _, model = chosen.removeprefix(SERVER).rpartition("#")
            place = ModelPlace.SERVER
            found.insert(0, ModelChoice(chosen, model, ModelRole.CHAT, place, address))
        return found

    def embed_choices(self) -> list[ModelChoice]:
        """Return what could find by meaning."""
        return self._host.folder.embed_choices()

    def find_servers(self) -> Sequence[FoundServer]:
        """Look for servers on this computer's usual ports."""
        return self._network.find_servers()

    def server_models(self, base_url: str, key: str = "") -> Sequence[str]:
        """Ask a server which models it has.

        Raises:
            ModelError: It cannot be reached, or refuses.
        """
        return self._network.list_models(base_url, key or self._secrets.get(base_url) or "")

    def current(self) -> ChatInfo:
        """Say who answers; nothing is loaded for it."""
        return self._host.chat_info()

    def warning(self) -> str:
        """Return what a person should know of the model file that answers; or an empty text."""
        chosen = self._preferences.values().chat.model
        if not chosen.startswith(FILE):
            return ""
        try:
            return self.look_at(self._host.folder.path(chosen)).warning
        except ModelFileError:  # what is wrong with it is said when it is to answer
            return ""

    def unseen(self, choice_id: str) -> str:
        """Say of a server's model that it was not seen, where its server does not show it.

        Empty where it does, and for models of this computer. A server may be off just now, so its
        model can be chosen all the same.
        """
        if not choice_id.startswith(SERVER):
            return ""
        address, _, model = choice_id.removeprefix(SERVER).rpartition("#")
        try:
            listed = self.server_models(address)
        except ModelError as error:
            return UNSEEN.format(model, error)
        names = {name.removesuffix(LATEST) for name in listed}
        return "" if model.removesuffix(LATEST) in names else UNLISTED.format(model)

    def choose_chat(self, choice_id: str, key: str | None = None) -> Changes:
        """Let a model answer from now on; a server's key goes to the keyring."""
        if choice_id.startswith(SERVER):
            address, mark, model = choice_id.removeprefix(SERVER).rpartition("#")
            if not (mark and address and model):
                raise Refused("A service needs an address and a model.")
            if key:
                self._secrets.set(address, key)
        else:
            listed = self._host.folder.chat_choices()
            if all(choice_id != choice.id for choice in listed) and self._lies_far(choice_id):
                return self.choose_found(self._far(choice_id))
            self._known(choice_id, listed)
        changes = self._preferences.set("chat.model", choice_id)
        self._host.refresh()
        return changes | Changes(models=True)

    def choose_embedder(self, choice_id: str, key: str | None = None) -> Changes:
        """Find by meaning with another model; everything is embedded anew in the background."""
        self._known(choice_id, self._host.folder.embed_choices())
        vendor = choice_id.partition(":")[0]
        if vendor in ADDRESSES:
            url = self._preferences.values().models.embedder_url
            name = url if vendor == "openai" else vendor
            if key:
                self._secrets.set(name, key)
            elif not self._secrets.get(name) and url in (*ADDRESSES.values(), ""):
                raise Refused(f"{choice_id} needs a key. Nothing was changed.")
        changes = self._preferences.set("models.embedder", choice_id)
        return changes | self._queue.enqueue_index(trigger=Trigger.NOW) | Changes(models=True)

    def add_file(self, path: Path) -> ModelChoice:
        """Put a model file on the list; it stays where it is.

        Raises:
            ModelFileError: It is no usable model.
        """
        return self._host.folder.add(path, self._preferences.values().models.context_tokens)

    def elsewhere(self) -> OtherProgramsModels:
        """Find the chat models that other programs keep here; takes a few seconds at most."""
        settings, folder = self._preferences.values(), self._host.folder
        return folder.found(settings.models.context_tokens)

    def look_at(self, path: Path) -> ModelChoice:
        """Say what a chat model that lies anywhere is; only its header is read.

        Raises:
            ModelFileError: It is no usable chat model.
        """
        settings = self._preferences.values()
        return self._host.folder.look(path, settings.models.context_tokens)

    def choose_found(self, choice: ModelChoice) -> Changes:
        """Let a model file that lies anywhere answer; it stays where it is.

        Raises:
            ModelFileError: It is no usable model.
        """
        folder, tokens = self._host.folder, self._preferences.values().models.context_tokens
        added = folder.add(folder.path(choice.id), tokens, choice.name)
        return self.choose_chat(added.id)

    def remove_file(self, choice_id: str) -> Changes:
        """Take a file that was added off the list; the file itself stays.

        Raises:
            Refused: It was not added by hand, or is in use.
        """
        folder, settings = self._host.folder, self._preferences.values()
        listed = [*folder.chat_choices(), *folder.embed_choices()]
        choice = next((c for c in listed if c.id == choice_id and c.added), None)
        if choice is None:
            raise Refused("Only a file that you added can be taken off the list.")
        answers, learns = settings.chat.model, settings.extraction.learn_from
        if choice_id in (answers, learns, settings.models.embedder):
            raise Refused(f"{choice.name} is in use: choose another model, then take it off.")
        folder.remove(choice_id)
        return Changes(models=True)

    def _lies_far(self, choice_id: str) -> bool:
        """Return whether an id names a file that is there, but on no list."""
        path = self._host.folder.path(choice_id)
        return choice_id.startswith(FILE) and path.parent != self.folder and path.exists()

    def _far(self, choice_id: str) -> ModelChoice:
        """Say what such a file is, by the name that its own program gives it, if one does.

        Raises:
            ModelFileError: It is no usable chat model.
        """
        choice = self.look_at(self._host.folder.path(choice_id))
        return next((one for one in self.elsewhere().choices if one.id == choice_id), choice)

    @staticmethod
    def _known(choice_id: str, choices: Sequence[ModelChoice]) -> None:
        for choice in choices:
            if choice.id == choice_id:
                if choice.problem:
                    raise ModelError(choice.problem)
                return
        raise Refused(f"There is no model called {choice_id!r}. `loci models` lists them.")
