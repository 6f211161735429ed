"""What first run does: looks for servers, stores who answers, and makes a recovery code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.model import FoundServer, ModelChoice
from app.gui.bridge import Bridge
from app.gui.files import choose_file
from app.gui.first_run.offers import ModelOffers
from app.gui.first_run.pane import FirstRunPane
from app.gui.library.model import best_first, server_choice_id
from app.gui.library.service_controller import ServiceController
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

NOTEBOOK = "notebook"


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known before anything is asked.

    Attributes:
        files: The model files that are here.
        chosen: Who answers, where that was chosen and can be used.
        learns: Whether Loci learns from what is said.
    """

    files: Sequence[ModelChoice]
    chosen: ModelChoice | None
    learns: bool


class FirstRunController(QObject):
    """Connects first run with the services.

    Attributes:
        offers: What there is to choose from.
    """

    begun = Signal()  # there is a page on which the person can do something
    finished = Signal()  # everything is chosen and stored

    def __init__(
        self, services: "Services", bridge: Bridge, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self.pane = FirstRunPane(theme)
        self.offers = ModelOffers(services, bridge, self.pane, self._said, self)
        page = self.pane.models
        page.file_chosen.connect(self._on_found_chosen)
        page.server_chosen.connect(self._on_server_chosen)
        page.file_requested.connect(self._on_file_requested)
        page.notebook_chosen.connect(self._on_notebook_chosen)
        page.continued.connect(lambda: self.pane.show_memory())
        self._service = ServiceController(services.library, bridge, page.form)
        self._service.chosen.connect(self.offers.leave)
        self._service.chosen.connect(lambda: self.pane.show_memory())
        self.pane.destroyed.connect(self._on_gone)
        self.pane.memory.model_requested.connect(self.pane.show_models)
        self.pane.memory.code_requested.connect(self._on_code_requested)
        self.pane.memory.finished.connect(self._on_finished)

    def begin(self) -> None:
        """Show the first page that asks something: what was chosen before is not asked again."""
        self._bridge.run(self._look_around, self._on_looked_around, self._on_begin_failed)

    def _look_around(self) -> "_Known":
        settings = self._services.preferences.values()
        choices = self._services.library.chat_choices()
        usable = (c for c in choices if c.id == settings.chat.model and not c.problem)
        return _Known(best_first(choices), next(usable, None), settings.extraction.enabled)

    def _on_looked_around(self, known: "_Known") -> None:
        if self.offers.over:
            return
        self.pane.models.show_files(known.files)
        self.pane.memory.show_learning(known.learns)
        if known.chosen is None:
            self.pane.show_models()
        else:
            self.pane.show_memory(known.chosen)
        self.begun.emit()
        self.offers.look_around()

    def _on_begin_failed(self, error: Exception) -> None:
        self.pane.show_models()
        self._on_failed(error)
        self.begun.emit()

    # Who answers.

    @Slot(object)
    def _on_server_chosen(self, server: FoundServer) -> None:
        self._choose(server_choice_id(server.base_url, server.models[0]))

    @Slot(object)
    def _on_found_chosen(self, choice: ModelChoice) -> None:
        if self.offers.is_elsewhere(choice):
            self._run_choice(lambda: self._services.library.choose_found(choice))
        else:
            self._choose(choice.id)

    @Slot()
    def _on_notebook_chosen(self) -> None:
        self._choose(NOTEBOOK)

    @Slot()
    def _on_file_requested(self) -> None:
        choose_file(
            self.pane.window(), "Choose a model file", "Models (*.gguf)", "model_file", self._add
        )

    def _add(self, path: Path) -> None:
        library = self._services.library

        def add() -> Changes | ModelChoice:
            choice = library.add_file(path)
            return choice if choice.warning else library.choose_chat(choice.id)

        self._bridge.run(add, self._on_added, self._on_failed)

    def _on_added(self, added: Changes | ModelChoice) -> None:
        """Go on; a model that something speaks against is only offered, with what that is."""
        if isinstance(added, ModelChoice):
            self.offers.show_files(added.id)
        else:
            self._on_chosen(added)

    def _choose(self, choice_id: str) -> None:
        self._run_choice(lambda: self._services.library.choose_chat(choice_id))

    def _run_choice(self, choose: Callable[[], Changes]) -> None:
        self.offers.leave()
        self.pane.models.errors.hide()
        self._bridge.run(choose, self._on_chosen, self._on_failed)

    def _on_chosen(self, _changes: Changes) -> None:
        self.pane.show_memory()

    def _on_failed(self, error: Exception) -> None:
        self.pane.models.errors.say(self._said(error))

    # What is remembered.

    @Slot()
    def _on_code_requested(self) -> None:
        self._bridge.run(
            self._services.access.add_recovery_code, self._on_code_made, self._on_finish_failed
        )

    def _on_code_made(self, code: str) -> None:
        if self.offers.over:
            return
        view = self.pane.memory.show_code(code)
        view.save_requested.connect(lambda: view.save(self._bridge))

    @Slot()
    def _on_finished(self) -> None:
        learns = self.pane.memory.wish
        declined = self.pane.memory.declined
        preferences = self._services.preferences

        def store() -> Changes:
            changes = preferences.set("computer.recovery_declined", declined)
            if learns is not None:
                changes |= preferences.set("extraction.enabled", learns)
            return changes | preferences.set("computer.welcomed", True)

        self._bridge.run(store, lambda _changes: self._finish(), self._on_finish_failed)

    def _finish(self) -> None:
        self._on_gone()
        self.finished.emit()

    @Slot()
    def _on_gone(self) -> None:
        self.offers.over = True  # what still runs must not touch the page, which goes away now

    def _on_finish_failed(self, error: Exception) -> None:
        self.pane.memory.errors.say(self._said(error))

    def _said(self, error: Exception) -> str:
        words = "That did not work. Try again, or choose another way."
        return self._bridge.told(error, words)
