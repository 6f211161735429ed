"""What first run does: looks for servers, stores who answers, and makes a recovery code."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.model import FoundServer
from app.gui.bridge import Bridge
from app.gui.files import choose_file
from app.gui.first_run.pane import FirstRunPane
from app.gui.library.model import server_choice_id
from app.gui.library.service_controller import ServiceController
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

NOTEBOOK = "notebook"


class FirstRunController(QObject):
    """Connects first run with the services.

    Signals:
        finished: Everything is chosen and stored.
    """

    finished = Signal()

    def __init__(
        self, services: "Services", bridge: Bridge, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._over = False
        self.pane = FirstRunPane(theme)
        page = self.pane.models
        page.server_chosen.connect(self._on_server_chosen)
        page.look_requested.connect(self.look)
        page.file_requested.connect(self._on_file_requested)
        page.notebook_chosen.connect(self._on_notebook_chosen)
        self._service = ServiceController(services.library, bridge, page.form)
        self._service.chosen.connect(self.pane.show_memory)
        self.pane.memory.code_requested.connect(self._on_code_requested)
        self.pane.memory.finished.connect(self._on_finished)

    @Slot()
    def look(self) -> None:
        """Look for servers on this computer."""
        self.pane.models.show_looking()
        self._bridge.run(
            self._services.library.find_servers,
            self._on_servers_found,
            self._on_look_failed,
        )

    def _on_servers_found(self, servers: Sequence[FoundServer]) -> None:
        if not self._over:
            self.pane.models.show_servers(servers)

    def _on_look_failed(self, error: Exception) -> None:
        if not self._over:
            self.pane.models.show_servers(())
            self._on_failed(error)

    # Who answers.

    @Slot(object)
    def _on_server_chosen(self, server: FoundServer) -> None:
        self._choose(server_choice_id(server.base_url, server.models[0]))

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

        def add() -> Changes:
            return library.choose_chat(library.add_file(path).id)

        self._bridge.run(add, self._on_chosen, self._on_failed)

    def _choose(self, choice_id: str) -> None:
        self.pane.models.errors.hide()
        self._bridge.run(
            lambda: self._services.library.choose_chat(choice_id),
            self._on_chosen,
            self._on_failed,
        )

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
        if self._over:
            return
        view = self.pane.memory.show_code(code)
        view.save_requested.connect(lambda: view.save(self._bridge))

    @Slot()
    def _on_finished(self) -> None:
        remember = self.pane.memory.switch.isChecked()
        declined = self.pane.memory.declined
        preferences = self._services.preferences

        def store() -> Changes:
            changes = preferences.set("extraction.enabled", remember)
            changes |= preferences.set("computer.recovery_declined", declined)
            return changes | preferences.set("computer.welcomed", True)

        self._bridge.run(store, lambda _changes: self._finish(), self._on_finish_failed)

    def _finish(self) -> None:
        self._over = True  # what still runs must not touch the page, which goes away now
        self.finished.emit()

    def _on_finish_failed(self, error: Exception) -> None:
        self.pane.memory.errors.say(self._said(error))

    def _said(self, error: Exception) -> str:
        words = "That did not work. Try again, or choose another way."
        return self._bridge.told(error, words)
