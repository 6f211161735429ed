"""The form for a service: an address, a key, and one of its models."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit

from app.domain.language.text import shown
from app.gui.library.model import server_choice_id
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, ErrorBar, Label, Select, fill, hbox, named


class ServiceForm(Card):
    """Asks an address for its models, then for one of them."""

    models_requested = Signal(str, str)  # the address; the key
    chosen = Signal(str, str)  # the model's id for settings; the key
    cancelled = Signal()  # the person changed their mind

    def __init__(self, theme: Theme) -> None:
        super().__init__("service_form", margin=16)
        self.setAccessibleName("A service")
        self.address = named(QLineEdit(), "service_address", "Address")
        self.address.setPlaceholderText("https://api.example.com/v1")
        self.key = named(QLineEdit(), "service_key", "Key")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("Leave empty if the service needs none")
        self.models = Select(theme, "Model", "service_model")
        self.models.setEditable(True)
        if (line := self.models.lineEdit()) is not None:
            named(line, "service_model_line", "Model")
        self.list_button = Button(theme, "List its models", "service_list", "primary")
        self.use_button = Button(theme, "Use this model", "service_use", "primary")
        self.cancel_button = Button(theme, "Cancel", "service_cancel", "ghost", then=self.cancelled)
        self.errors = ErrorBar(theme, "service_error")
        self._model_label = Label("Model", "row", name="service_model_label")
        self._lay_out()
        self.list_button.clicked.connect(self._on_list_clicked)
        self.use_button.clicked.connect(self._on_use_clicked)
        self.address.returnPressed.connect(self._on_list_clicked)
        self.key.returnPressed.connect(self._on_list_clicked)
        self.address.textChanged.connect(lambda: self._step(0))
        self._step(0)

    def _lay_out(self) -> None:
        self.body.addWidget(
            Label(
                "What you write is sent to this address, with the memories that you let go there; "
                "you are asked before the first message. The key goes to the system keyring.",
                "secondary",
                wrap=True,
                name="service_help",
            )
        )
        for label, field in (
            (Label("Address", "row", name="service_address_label"), self.address),
            (Label("Key", "row", name="service_key_label"), self.key),
            (self._model_label, self.models),
        ):
            label.setBuddy(field)
            fill(self.body, label, field)
        self.body.addWidget(self.errors)
        self.body.addLayout(hbox(..., self.cancel_button, self.list_button, self.use_button))

    def show_models(self, models: Sequence[str]) -> None:
        """Offer the models that the address named."""
        self._set_busy(False)
        self.models.clear()
        for model in models:
            self.models.addItem(shown(model), model)
        self._step(1)
        self.models.setFocus()
        if not models:
            self.errors.say("It answered, but named no model. Type the model's name.")

    def fail(self, sentence: str) -> None:
        """Say why it did not work."""
        self._set_busy(False)
        self.errors.say(sentence)
        (self.address if self.models.isHidden() else self.models).setFocus()

    def reset(self) -> None:
        """Forget what was typed."""
        self._set_busy(False)
        self.key.clear()
        self.address.clear()
        self._step(0)

    def _step(self, step: int) -> None:
        self.errors.hide()
        for widget in (self._model_label, self.models, self.use_button):
            widget.setVisible(step == 1)
        self.list_button.setVisible(step == 0)
        self.list_button.setEnabled(bool(self.address.text().strip()))

    def _set_busy(self, busy: bool) -> None:
        if busy:  # or the keyboard would go to whatever follows the form
            self.cancel_button.setFocus()
        self.list_button.setText("Asking…" if busy else "List its models")
        for widget in (self.address, self.key, self.list_button, self.use_button):
            widget.setEnabled(not busy)

    def _on_list_clicked(self) -> None:
        if address := self.address.text().strip():
            self.errors.hide()
            self._set_busy(True)
            self.models_requested.emit(address, self.key.text().strip())

    def _model(self) -> str:
        """Return the model that was chosen, as the server names it, or the one that was typed."""
        written, index = self.models.currentText(), self.models.currentIndex()
        offered = index >= 0 and written == self.models.itemText(index)
        return str(self.models.itemData(index)) if offered else written.strip()

    def _on_use_clicked(self) -> None:
        model = self._model()
        if not model:
            self.errors.say("Which model? Choose one or type its name.")
            return
        self._set_busy(True)
        address = self.address.text().strip()
        self.chosen.emit(server_choice_id(address, model), self.key.text().strip())
