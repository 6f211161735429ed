"""What the models screen does: lists models, looks for servers, and chooses."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from app.domain.changes import Changes
from app.domain.jobs.progress import Progress
from app.domain.model import FoundServer, ModelChoice, ModelRole
from app.errors import AppError
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.dialogs import ConfirmSheet, FormSheet
from app.gui.files import choose_file
from app.gui.library.catalogue_controller import CatalogueController
from app.gui.library.model import needs_key, ordered, server_choices
from app.gui.library.pane import LibraryPane
from app.gui.library.reranker_controller import RerankerController
from app.gui.library.service_controller import ServiceController
from app.gui.library.sharing_controller import SharingController
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services


class LibraryController(PageController[LibraryPane]):
    """Connects the models screen with the services."""

    mishap = ""

    def __init__(
        self, services: "Services", bridge: Bridge, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(services, bridge, LibraryPane(theme), parent)
        self._theme = theme
        self._servers: Sequence[FoundServer] = ()
        self._embedder = self._answers = ""
        self.pane.servers_requested.connect(self._on_servers_requested)
        self.pane.file_requested.connect(self._on_file_requested)
        self.pane.chat_chosen.connect(self._on_chat_chosen)
        self.pane.found_chosen.connect(self._on_found_chosen)
        self.pane.embedder_chosen.connect(self._on_embedder_chosen)
        self.pane.removal_requested.connect(self._on_removal_requested)
        self._service = ServiceController(services.library, bridge, self.pane.form)
        self._service.chosen.connect(self.pane.form.hide)
        self._reranker = RerankerController(services, bridge, self.pane.reranker)
        self._sharing = SharingController(services, bridge, theme, self.pane.sharing)
        self._catalogues = [
            CatalogueController(services, bridge, self.pane.catalogue, ModelRole.CHAT),
            CatalogueController(services, bridge, self.pane.embed_catalogue, ModelRole.EMBED),
        ]
        self._load()
        self._look_for_files()
        self._load_embedders()

    # What the main window asks of every screen.

    def apply_changes(self, changes: Changes) -> None:
        """List again what the changes concern."""
        concerned = {"chat.model", "models.context_tokens"} & changes.settings
        if changes.models or changes.profile or changes.conversations or concerned:
            self._load()  # after an answer its model is loaded
        if changes.models or changes.profile:
            self._look_for_files()
        self._reranker.apply_changes(changes)
        self._sharing.apply_changes(changes)
        for catalogue in self._catalogues:
            catalogue.apply_changes(changes)
        stored = changes.memories or changes.jobs or changes.everything
        if stored or changes.models or changes.profile:
            self._load_embedders()

    def focus_first(self) -> None:
        """Put the keyboard on the model in use."""
        rows = self.pane.chat_list.rows()
        for row in [r for r in rows if r.isChecked()] or rows[:1]:
            row.setFocus()

    def escape(self) -> bool:
        """Close the form."""
        was_open = self.pane.form.isVisible()
        self.pane.form.hide()
        return was_open

    def show_progress(self, progress: Progress | None) -> None:
        """Show work on vectors in the foot; None puts it away."""
        if progress is None:
            self.pane.foot.finish()
        else:
            self.pane.foot.show_progress(progress)

    # Who answers.

    def _load(self) -> None:
        self._bridge.run(self._read, self._show, self._fail, newest=self._load)

    def _read(self) -> tuple[list[ModelChoice], str, str]:
        library = self._services.library
        return library.chat_choices(), library.current().id, str(library.folder)

    def _show(self, found: tuple[list[ModelChoice], str, str]) -> None:
        choices, current, folder = found
        self._answers = current
        served = server_choices(self._servers, choices)
        self.pane.show_chat(ordered(choices, served), current, folder)

    def _look_for_files(self) -> None:
        self._run(self._services.library.elsewhere, self.pane.show_found)

    @Slot(object)
    def _on_found_chosen(self, choice: ModelChoice) -> None:
        self._choose(choice, lambda: self._services.library.choose_found(choice))

    @Slot()
    def _on_servers_requested(self) -> None:
        self._bridge.run(
            self._services.library.find_servers, self._on_servers_found, self._on_search_failed
        )

    def _on_servers_found(self, servers: Sequence[FoundServer]) -> None:
        self._servers = servers
        self.pane.show_searched(searched_words(servers))
        self._load()

    def _on_search_failed(self, error: Exception) -> None:
        self.pane.show_searched("")
        self._fail(error)

    @Slot()
    def _on_file_requested(self) -> None:
        choose_file(
            self.pane.window(), "Add a model file", "Models (*.gguf)", "model_file", self._add
        )

    def _add(self, path: Path) -> None:
        def add() -> Changes:
            self._services.library.add_file(path)
            return Changes(models=True)

        self._run(add)

    @Slot(object)
    def _on_removal_requested(self, choice: ModelChoice) -> None:
        sentence = f"{choice.name} is off the list; the file stays where it is."
        self._run(
            lambda: self._services.library.remove_file(choice.id),
            lambda _changes: self.pane.notice.say(sentence, tone="accent"),
        )

    @Slot(object)
    def _on_chat_chosen(self, choice: ModelChoice) -> None:
        self._choose(choice, lambda: self._services.library.choose_chat(choice.id))

    def _choose(self, choice: ModelChoice, choose: Callable[[], Changes]) -> None:
        """Let a model answer; one that something speaks against only after that was said."""
        self.pane.notice.hide()
        if not choice.warning or choice.problem or choice.id == self._answers:
            self._run(choose)
            return
        sheet = ConfirmSheet(
            self._theme,
            self.pane.window(),
            f"Let {choice.name} answer?",
            choice.warning,
            "Use it anyway",
            "use_warned_model",
            "plain",
        )
        sheet.cancel_button.setText("Choose another")
        sheet.cancel_button.setDefault(True)  # so that Enter does nothing that was warned of
        sheet.cancel_button.setFocus()
        sheet.accepted.connect(lambda: self._run(choose))
        sheet.open()

    # What finds by meaning.

    def _load_embedders(self) -> None:
        services = self._services

        def load() -> tuple[list[ModelChoice], Any, str]:
            chosen = services.preferences.values().models.embedder
            try:
                status = services.memories.embedding_status()
            except AppError:
                return services.library.embed_choices(), None, chosen
            return services.library.embed_choices(), status, chosen

        shown = self._on_embedders_loaded
        self._bridge.run(load, shown, self._fail, newest=self._load_embedders)

    def _on_embedders_loaded(self, loaded: tuple[list[ModelChoice], Any, str]) -> None:
        self._embedder = loaded[2]
        self.pane.show_embedders(*loaded)

    @Slot(object)
    def _on_embedder_chosen(self, choice: ModelChoice) -> None:
        if choice.id == self._embedder:
            return
        if needs_key(choice):
            self._ask_key(choice)
            return
        sheet = ConfirmSheet(
            self._theme,
            self.pane.window(),
            f"Find by meaning with {choice.name}?",
            "Everything is embedded again in the background. Until a memory's turn has come it "
            "is found by words.",
            "Change",
            "change_embedder",
        )
        sheet.accepted.connect(lambda: self._choose_embedder(choice, None))
        sheet.open()

    def _ask_key(self, choice: ModelChoice) -> None:
        def submit(values: dict[str, str]) -> None:
            key = values["key"].strip() or None
            self._choose_embedder(choice, key, lambda _c: sheet.done_with(), sheet.done_with)

        sheet = FormSheet(
            self._theme,
            self.pane.window(),
            f"Find by meaning with {choice.name}?",
            "Change",
            "change_embedder",
            submit,
        )
        sheet.add_text(
            "The text of every memory and message is sent to this service, now and whenever one "
            "is added, and everything is embedded again."
        )
        sheet.add_field("key", "Key", hint="Leave empty to keep the stored one", secret=True)
        sheet.open()

    def _choose_embedder(
        self,
        choice: ModelChoice,
        key: str | None,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        self._bridge.run(
            lambda: self._services.library.choose_embedder(choice.id, key),
            done,
            failed or self._fail,
        )


def searched_words(servers: Sequence[FoundServer]) -> str:
    """Return what a look for servers brought, in one sentence."""
    if not servers:
        return "No server is running on this computer. Start Ollama, LM Studio or llama-server."
    return (
        "Found "
        + ", ".join(
            f"{s.name} with {len(s.models)} model{'' if len(s.models) == 1 else 's'}"
            for s in servers
        )
        + "."
    )
