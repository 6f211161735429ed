"""What first run offers to answer: files here and elsewhere, servers, and a model to download."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.domain.catalogue import CatalogueModel
from app.domain.changes import Changes
from app.domain.model import FoundServer, ModelChoice, ModelRole, OtherProgramsModels
from app.gui.bridge import Bridge
from app.gui.dropping import ModelDrop
from app.gui.first_run.model_page import no_offer_words
from app.gui.first_run.pane import FirstRunPane
from app.gui.library.getting import Getter, Phase
from app.gui.library.model import best_first

if TYPE_CHECKING:
    from app.services.services import Services


class ModelOffers(QObject):
    """Looks for models and shows them on the first page; it lets none of them answer.

    Attributes:
        getter: Downloads the model that Loci recommends.
        over: Whether the page is gone, or goes now.
    """

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        pane: FirstRunPane,
        sentence: Callable[[Exception], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge = services, bridge
        self._pane, self._sentence = pane, sentence
        self.over = False
        self._elsewhere: Sequence[ModelChoice] = ()
        self._offer: CatalogueModel | None = None
        self.getter = Getter(services.catalogue, bridge, self)
        page = pane.models
        page.look_requested.connect(self.look)
        page.offer_wanted.connect(self._on_offer_wanted)
        page.pause_requested.connect(self.getter.pause)
        page.cancel_requested.connect(self.getter.cancel)
        ModelDrop(pane).dropped.connect(self.take)
        self.getter.moved.connect(self._on_moved)
        bridge.changed.connect(self._on_changed)

    def look_around(self) -> None:
        """Find what other programs keep here, and what Loci recommends."""
        self._look_elsewhere()
        self._load_offer()

    def is_elsewhere(self, choice: ModelChoice) -> bool:
        """Say whether a model is no file of Loci's own folder."""
        return choice in self._elsewhere

    def show_files(self, wanted: str = "") -> None:
        """Show the files that are here, the keyboard on the one that is wanted."""

        def show(choices: Sequence[ModelChoice]) -> None:
            if not self.over:
                self._show_choices(choices)
                self._pane.models.focus_found(wanted)

        self._bridge.run(self._services.library.chat_choices, show, self._fail)

    def _show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Show the files that are here, but not once more the one that was just downloaded."""
        listed = {choice.id for choice in choices}
        found = [choice for choice in self._elsewhere if choice.id not in listed]
        shown = f"file:{self._offer.offered.file}" if self._offer else ""
        files = [choice for choice in best_first([*choices, *found]) if choice.id != shown]
        self._pane.models.show_files(files)

    def _look_elsewhere(self) -> None:
        """Find the models that other programs keep here; that may take a few seconds."""

        def found(elsewhere: OtherProgramsModels) -> None:
            self._elsewhere = elsewhere.choices
            if self.over:
                return
            self._pane.models.show_cut_short(elsewhere.cut_short)
            if elsewhere.choices:
                self.show_files()

        self._bridge.run(self._services.library.elsewhere, found, self._fail)

    @Slot(object)
    def take(self, path: Path) -> None:
        """Offer a file that was dropped on the page; nothing is loaded before it is chosen."""

        def show(choice: ModelChoice) -> None:
            if not self.over:
                self._elsewhere = [choice, *(c for c in self._elsewhere if c.id != choice.id)]
                self._pane.show_models()
                self.show_files(choice.id)

        self._pane.models.errors.hide()
        self._bridge.run(lambda: self._services.library.look_at(path), show, self._fail)

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        """Offer what was put into the models folder in the meantime."""
        if changes.models and not self.over:
            self.show_files()
            self._load_offer()

    # The model that Loci recommends.

    def _load_offer(self) -> None:
        catalogue = self._services.catalogue

        def show(candidates: Sequence[CatalogueModel]) -> None:
            if self.over:
                return
            one = self._offer.offered.id if self._offer else ""
            same = [c for c in candidates if c.offered.id == one]
            best = [c for c in candidates if c.recommended]
            for candidate in (same or best)[:1]:
                self._offer = candidate
                self._pane.models.show_offer(candidate, self.getter.state(candidate.offered.id))
            self._pane.models.show_no_offer("" if self._offer else no_offer_words(candidates))

        self._bridge.run(lambda: catalogue.candidates(ModelRole.CHAT), show, self._fail)

    @Slot(object)
    def _on_offer_wanted(self, candidate: CatalogueModel) -> None:
        self.getter.start(candidate.offered, again=bool(candidate.aside))

    @Slot(str)
    def _on_moved(self, model_id: str) -> None:
        if self.over:
            return
        state = self.getter.state(model_id)
        self._pane.models.show_getting(state)
        if state.phase is Phase.PAUSED:
            self._load_offer()  # what lies in its place may be another file

    def leave(self) -> None:
        """Let a download rest where something else was chosen; what has come is kept."""
        if self._offer is not None:
            self.getter.pause(self._offer.offered.id)

    @Slot()
    def look(self) -> None:
        """Look for servers on this computer."""
        self._pane.models.show_looking()
        self._bridge.run(
            self._services.library.find_servers,
            self._on_servers_found,
            self._on_look_failed,
        )

    def _on_servers_found(self, servers: Sequence[FoundServer]) -> None:
        if not self.over:
            self._pane.models.show_servers(servers)

    def _on_look_failed(self, error: Exception) -> None:
        if not self.over:
            self._pane.models.show_servers(())
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._pane.models.errors.say(self._sentence(error))
