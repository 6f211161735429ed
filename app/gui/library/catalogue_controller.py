"""What the catalogue does: judges models by this computer, gets one, and lets it answer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.domain.catalogue import CatalogueModel
from app.domain.changes import Changes
from app.domain.model import ModelRole
from app.errors import Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.library.catalogue_section import CatalogueSection
from app.gui.library.catalogue_words import machine_words
from app.gui.library.getting import Getter

if TYPE_CHECKING:
    from app.services.services import Services

_NAMED = frozenset({"chat.model", "models.embedder", "models.context_tokens"})


class CatalogueController(QObject):
    """Connects a list of models to download, for one role, with the services."""

    def __init__(
        self, services: "Services", bridge: Bridge, section: CatalogueSection, role: ModelRole
    ) -> None:
        super().__init__(section)
        self._services, self._bridge, self._section, self._role = services, bridge, section, role
        self._checking = False
        self.getter = Getter(services.catalogue, bridge, self)
        section.wanted.connect(self._on_wanted)
        section.pause_requested.connect(self.getter.pause)
        section.cancel_requested.connect(self.getter.cancel)
        self.getter.moved.connect(self._on_moved)
        self.load()

    def apply_changes(self, changes: Changes) -> None:
        """Look again where the changes concern it."""
        if changes.models or changes.profile or _NAMED & changes.settings:
            self.load()

    def load(self) -> None:
        """Show what there is, judged by what this computer has now."""
        catalogue, role = self._services.catalogue, self._role

        def look() -> tuple[Sequence[CatalogueModel], str]:
            words = machine_words(catalogue.machine()) if role is ModelRole.CHAT else ""
            return catalogue.candidates(role), words

        self._bridge.run(look, self._on_looked, self._on_failed, newest=self.load)

    def _on_looked(self, found: tuple[Sequence[CatalogueModel], str]) -> None:
        candidates, machine = found
        states = {one: self.getter.state(one) for one in self.getter.touched}
        self._section.notice.hide()
        self._section.show_candidates(candidates, states, machine)
        if any(candidate.unchecked for candidate in candidates) and not self._checking:
            self._check()

    def _check(self) -> None:
        """Hold against their checksums what lies in the folder; what is found is shown then."""
        self._checking = True

        def checked(_changes: Changes) -> None:
            self._checking = False

        def failed(error: Exception) -> None:
            self._checking = False
            if not isinstance(error, Cancelled):
                self._on_failed(error)

        check = self._services.catalogue.check
        self._bridge.submit(check, None, checked, failed, WorkQueue.TRANSFER)

    @Slot(object)
    def _on_wanted(self, candidate: CatalogueModel) -> None:
        self.getter.start(candidate.offered, again=bool(candidate.aside))

    @Slot(str)
    def _on_moved(self, model_id: str) -> None:
        state = self.getter.state(model_id)
        self._section.show_state(model_id, state)
        if not state.busy:
            self.load()

    def _on_failed(self, error: Exception) -> None:
        self._section.notice.say(self._bridge.told(error, "The models cannot be listed now."))
