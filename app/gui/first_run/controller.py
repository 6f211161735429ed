"""What first run does: looks for servers, stores who answers, and makes a recovery code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.catalogue import CatalogueModel
from app.domain.changes import Changes
from app.domain.model import FoundServer, ModelChoice, ModelRole, OtherProgramsModels
from app.gui.bridge import Bridge
from app.gui.dropping import ModelDrop
from app.gui.files import choose_file
from app.gui.first_run.model_page import no_offer_words
from app.gui.first_run.pane import FirstRunPane
from app.gui.library.getting import Getter, Phase
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

    Signals:
        begun: There is a page on which the person can do something.
        finished: Everything is chosen and stored.
    """

    begun = Signal()
    finished = Signal()

    def __init__(
        self, services: "Services", bridge: Bridge, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._over = False
        self._elsewhere: Sequence[ModelChoice] = ()
        self._offer: CatalogueModel | None = None
        self._getter = Getter(services.catalogue, bridge, self)
        self.pane = FirstRunPane(theme)
        page = self.pane.models
        page.file_chosen.connect(self._on_found_chosen)
        page.server_chosen.connect(self._on_server_chosen)
        page.look_requested.connect(self.look)
        page.file_requested.connect(self._on_file_requested)
        ModelDrop(self.pane).dropped.connect(self._on_dropped)
        page.notebook_chosen.connect(self._on_notebook_chosen)
        page.offer_wanted.connect(self._on_offer_wanted)
        page.pause_requested.connect(self._getter.pause)
        page.cancel_requested.connect(self._getter.cancel)
        page.continued.connect(lambda: self.pane.show_memory())
        self._getter.moved.connect(self._on_moved)
        self._service = ServiceController(services.library, bridge, page.form)
        self._service.chosen.connect(self._leave_offer)
        self._service.chosen.connect(lambda: self.pane.show_memory())
        bridge.changed.connect(self._on_changed)
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
        if self._over:
            return
        self.pane.models.show_files(known.files)
        self.pane.memory.show_learning(known.learns)
        if known.chosen is None:
            self.pane.show_models()
        else:
            self.pane.show_memory(known.chosen)
        self.begun.emit()
        self._look_elsewhere()
        self._load_offer()

    def _on_begin_failed(self, error: Exception) -> None:
        self.pane.show_models()
        self._on_failed(error)
        self.begun.emit()

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        """Offer what was put into the models folder in the meantime."""
        if changes.models and not self._over:
            self._show_files()
            self._load_offer()

    def _show_files(self, wanted: str = "") -> None:
        def show(choices: Sequence[ModelChoice]) -> None:
            if not self._over:
                self._show_choices(choices)
                self.pane.models.focus_found(wanted)

        self._bridge.run(self._services.library.chat_choices, show, self._on_failed)

    def _show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Show the files that are here, but not once more the one that was just downloaded."""
        listed = {choice.id for choice in choices}
        found = [choice for choice in self._elsewhere if choice.id not in listed]
        shown = f"file:{self._offer.offered.file}" if self._offer else ""
        files = [choice for choice in best_first([*choices, *found]) if choice.id != shown]
        self.pane.models.show_files(files)

    def _look_elsewhere(self) -> None:
        """Find the models that other programs keep here; that may take a few seconds."""

        def found(elsewhere: OtherProgramsModels) -> None:
            self._elsewhere = elsewhere.choices
            if self._over:
                return
            self.pane.models.show_cut_short(elsewhere.cut_short)
            if elsewhere.choices:
                self._show_files()

        self._bridge.run(self._services.library.elsewhere, found, self._on_failed)

    @Slot(object)
    def _on_dropped(self, path: Path) -> None:
        """Offer a file that was dropped on the page; nothing is loaded before it is chosen."""

        def show(choice: ModelChoice) -> None:
            if not self._over:
                self._elsewhere = [choice, *(c for c in self._elsewhere if c.id != choice.id)]
                self.pane.show_models()
                self._show_files(choice.id)

        self.pane.models.errors.hide()
        self._bridge.run(lambda: self._services.library.look_at(path), show, self._on_failed)

    # The model that Loci recommends.

    def _load_offer(self) -> None:
        catalogue = self._services.catalogue

        def show(candidates: Sequence[CatalogueModel]) -> None:
            if self._over:
                return
            one = self._offer.offered.id if self._offer else ""
            same = [c for c in candidates if c.offered.id == one]
            best = [c for c in candidates if c.recommended]
            for candidate in (same or best)[:1]:
                self._offer = candidate
                self.pane.models.show_offer(candidate, self._getter.state(candidate.offered.id))
            self.pane.models.show_no_offer("" if self._offer else no_offer_words(candidates))

        self._bridge.run(lambda: catalogue.candidates(ModelRole.CHAT), show, self._on_failed)

    @Slot(object)
    def _on_offer_wanted(self, candidate: CatalogueModel) -> None:
        self._getter.start(candidate.offered, again=bool(candidate.aside))

    @Slot(str)
    def _on_moved(self, model_id: str) -> None:
        if self._over:
            return
        state = self._getter.state(model_id)
        self.pane.models.show_getting(state)
        if state.phase is Phase.PAUSED:
            self._load_offer()  # what lies in its place may be another file

    def _leave_offer(self) -> None:
        """Let a download rest where something else was chosen; what has come is kept."""
        if self._offer is not None:
            self._getter.pause(self._offer.offered.id)

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

    @Slot(object)
    def _on_found_chosen(self, choice: ModelChoice) -> None:
        if choice in self._elsewhere:
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
            self._show_files(added.id)
        else:
            self._on_chosen(added)

    def _choose(self, choice_id: str) -> None:
        self._run_choice(lambda: self._services.library.choose_chat(choice_id))

    def _run_choice(self, choose: Callable[[], Changes]) -> None:
        self._leave_offer()
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
        if self._over:
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
        self._over = True  # what still runs must not touch the page, which goes away now

    def _on_finish_failed(self, error: Exception) -> None:
        self.pane.memory.errors.say(self._said(error))

    def _said(self, error: Exception) -> str:
        words = "That did not work. Try again, or choose another way."
        return self._bridge.told(error, words)
