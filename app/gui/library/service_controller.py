"""What the form for a service does: asks an address for its models, and lets one of them answer."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.gui.bridge import Bridge
from app.gui.library.service_form import ServiceForm

if TYPE_CHECKING:
    from app.services.library import LibraryService


class ServiceController(QObject):
    """Connects the form with the library; what goes wrong is said in the form."""

    chosen = Signal()  # a model of the service answers from now on

    def __init__(self, library: "LibraryService", bridge: Bridge, form: ServiceForm) -> None:
        super().__init__(form)
        self._library = library
        self._bridge = bridge
        self._form = form
        form.models_requested.connect(self._on_models_requested)
        form.chosen.connect(self._on_model_chosen)

    @Slot(str, str)
    def _on_models_requested(self, address: str, key: str) -> None:
        self._bridge.run(
            lambda: self._library.server_models(address, key),
            self._form.show_models,
            self._on_failed,
        )

    @Slot(str, str)
    def _on_model_chosen(self, choice_id: str, key: str) -> None:
        self._bridge.run(
            lambda: self._library.choose_chat(choice_id, key or None),
            self._on_stored,
            self._on_failed,
        )

    def _on_stored(self, _changes: Changes) -> None:
        self.chosen.emit()

    def _on_failed(self, error: Exception) -> None:
        words = "That did not work. Try again, or choose another way."
        self._form.fail(self._bridge.told(error, words))
