"""The two pages of first run."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.domain.model import FoundServer, ModelChoice, ModelPlace
from app.gui.library.service_form import ServiceForm
from app.gui.profiles.access import ONCE, RecoveryCode
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Card,
    ChoiceCard,
    ErrorBar,
    FullPage,
    Label,
    Switch,
    named,
)

FILE_HELP = "Choose a GGUF file on this computer"
LOOK = "Look for servers on this computer"
LOOK_HELP = "Ollama, LM Studio or llama-server. Nothing is contacted until you ask"
MOST_FILES = 4
NONE_FOUND = "None is running. Start Ollama, LM Studio or llama-server, then look again here"


class ModelPage(FullPage):
    """Asks who should answer.

    Signals:
        server_chosen: arg 0: the FoundServer
        file_chosen: arg 0: the ModelChoice of a file that Loci found
        look_requested: Look for servers on this computer.
        file_requested: Choose a model file.
        notebook_chosen: No model for now.
    """

    server_chosen = Signal(object)
    file_chosen = Signal(object)
    look_requested = Signal()
    file_requested = Signal()
    notebook_chosen = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            "A chat that remembers you",
            "and keeps it on this computer, encrypted. See, correct or erase anything it knows, at "
            "any time. Who should answer?",
            "first_run_model",
        )
        self._theme = theme
        self._files = QVBoxLayout()
        self._files.setSpacing(10)
        self._shown: tuple[ModelChoice, ...] = ()
        self.found_cards: list[ChoiceCard] = []
        self._more = Label("", "secondary", wrap=True, name="first_run_more_files")
        self._more.hide()
        self._servers = QVBoxLayout()
        self._servers.setSpacing(10)
        self._server_cards: list[ChoiceCard] = []
        self.file_card = ChoiceCard(theme, "hard-drive", "A model file", FILE_HELP, "choose_file")
        self.service_card = ChoiceCard(
            theme,
            "cloud",
            "A service",
            "Any OpenAI-compatible address. The key goes to the system keyring",
            "choose_service",
        )
        self.notebook_card = ChoiceCard(
            theme,
            "notebook",
            "No model for now",
            "Loci remembers and finds what you said; it answers by quoting your own words",
            "choose_notebook",
        )
        self.form = ServiceForm(theme)
        self.form.hide()
        self.errors = ErrorBar(theme, "first_run_error")
        self._lay_out()
        self._connect()
        self._offer_look(LOOK, LOOK_HELP, "desktop")

    def _connect(self) -> None:
        self.file_card.clicked.connect(self.file_requested)
        self.service_card.clicked.connect(self._on_service_clicked)
        self.notebook_card.clicked.connect(self.notebook_chosen)
        self.form.cancelled.connect(self._on_form_cancelled)

    def _lay_out(self) -> None:
        self.column.addLayout(self._files)
        self.column.addWidget(self._more)
        self.column.addLayout(self._servers)
        for widget in (self.file_card, self.service_card, self.form, self.notebook_card):
            self.column.addWidget(widget)
        self.column.addWidget(self.errors)
        self.column.addSpacing(6)
        self.column.addWidget(
            Label(
                "You can change this whenever you like. Meaning-based memory already works: its "
                "small model is built in.",
                "secondary",
                wrap=True,
                name="first_run_note",
            )
        )

    def show_files(self, files: Sequence[ModelChoice]) -> None:
        """Offer the model files that are here already, the best first."""
        if tuple(files) == self._shown:
            return
        focused = any(card.hasFocus() for card in self.found_cards)
        self._shown = tuple(files)
        self._empty(self._files, self.found_cards)
        for number, choice in enumerate(files[:MOST_FILES], start=1):
            self.found_cards.append(self._found_card(choice, number))
        more = len(files) - MOST_FILES
        self._more.setText(f"{more} more model file{'' if more == 1 else 's'} can be chosen later.")
        self._more.setVisible(more > 0)
        self.file_card.say("Another model file" if files else "A model file", FILE_HELP)
        if focused:
            self.focus_first()

    def _found_card(self, choice: ModelChoice, number: int) -> ChoiceCard:
        text = choice.problem or choice.detail
        name = f"choose_found_{number}"
        card = ChoiceCard(self._theme, "hard-drive", choice.name, text, name, choice.warning)
        card.setEnabled(not choice.problem)
        card.clicked.connect(lambda: self.file_chosen.emit(choice))
        self._files.addWidget(card)
        if self.isVisible():
            card.show()  # now, so that it can take the focus
        return card

    def focus_found(self, choice_id: str) -> None:
        """Put the keyboard on the card of a file, if there is one."""
        for choice, card in zip(self._shown, self.found_cards, strict=False):
            if choice.id == choice_id:
                card.setFocus()

    def show_looking(self) -> None:
        """Say that servers are looked for."""
        self._empty(self._servers, self._server_cards)
        self._server_card(LOOK, "Looking for Ollama, LM Studio and llama-server…").setEnabled(False)

    def show_servers(self, servers: Sequence[FoundServer]) -> None:
        """Offer the servers that answered; where there is none, offer to look again."""
        self._empty(self._servers, self._server_cards)
        for server in servers:
            card = self._server_card(
                f"{server.name}, running on this computer", models_words(server.models)
            )
            card.setEnabled(bool(server.models))
            card.clicked.connect(lambda _checked=False, s=server: self.server_chosen.emit(s))
        if not servers:
            self._offer_look("Look again", NONE_FOUND, "arrow-clockwise")
        self._focus_server()

    def focus_first(self) -> None:
        """Put the keyboard on the first card that nothing speaks against."""
        found = zip(self._shown, self.found_cards, strict=False)
        sound = next((card for choice, card in found if not choice.problem + choice.warning), None)
        if sound is None:
            self._focus_server()
        elif not self.form.isVisible():
            sound.setFocus()

    def _focus_server(self) -> None:
        """Put the keyboard on the first server; after a look in vain, on a model file."""
        if not self.form.isVisible():
            cards = [card for card in self._server_cards if card.isEnabled()]
            in_vain = not cards or cards[0].accessibleDescription() == NONE_FOUND
            (self.file_card if in_vain else cards[0]).setFocus()

    def _offer_look(self, title: str, text: str, icon: str) -> None:
        card = self._server_card(title, text, icon)
        card.clicked.connect(self.look_requested)

    def _empty(self, layout: QVBoxLayout, cards: list[ChoiceCard]) -> None:
        for card in cards:
            layout.removeWidget(card)
            card.hide()
            card.deleteLater()
        cards.clear()

    def _server_card(self, title: str, text: str, icon: str = "desktop") -> ChoiceCard:
        name = f"choose_server_{len(self._server_cards) + 1}"
        card = ChoiceCard(self._theme, icon, title, text, name)
        self._servers.addWidget(card)
        if self.isVisible():
            card.show()  # now, so that it can take the focus
        self._server_cards.append(card)
        return card

    def _on_service_clicked(self) -> None:
        self.form.reset()
        self.service_card.hide()
        self.form.show()
        self.form.address.setFocus()

    def _on_form_cancelled(self) -> None:
        self.form.hide()
        self.service_card.show()
        self.service_card.setFocus()


class MemoryPage(FullPage):
    """Says whether remembering is on, and offers a recovery code.

    Signals:
        code_requested: Make a recovery code and show it.
        model_requested: Choose another model than the one that was chosen before.
        finished: Start.
    """

    code_requested = Signal()
    model_requested = Signal()
    finished = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            "Loci remembers what you say",
            "After each answer it learns facts and preferences from your own words, never from "
            "what you paste. It tells you each time, and you can undo it.",
            "first_run_memory",
        )
        self._theme = theme
        self.switch = Switch(theme, "Remember what I say", "first_run_remember")
        self.code_button = Button(theme, "Show me one", "first_run_code")
        self.decline_button = Button(theme, "No, thank you", "first_run_decline", "ghost")
        self.start_button = Button(theme, "Start", "first_run_start", "primary")
        self.errors = ErrorBar(theme, "first_run_memory_error")
        self.view: RecoveryCode | None = None
        self.declined = False
        self._code_row = named(QWidget(), "recovery_offer_buttons")
        self.model_button = Button(theme, "Choose another", "first_run_other_model", "link")
        self._model_card = self._chosen_card()
        self.column.addWidget(self._model_card)
        self.show_learning(True)
        self.column.addWidget(self._memory_card())
        self.column.addWidget(self._recovery_card())
        self.column.addWidget(self.errors)
        self.column.addSpacing(6)
        row = QHBoxLayout()
        row.addWidget(self.start_button)
        row.addStretch(1)
        self.column.addLayout(row)
        self.model_button.clicked.connect(self.model_requested)
        self.code_button.clicked.connect(self.code_requested)
        self.decline_button.clicked.connect(self._on_declined)
        self.start_button.clicked.connect(self.finished)

    def _chosen_card(self) -> Card:
        card = Card("chosen_model_card", margin=16)
        self._chosen = Label("", "strong", wrap=True, name="chosen_model")
        self._chosen_help = Label("", "secondary", wrap=True, name="chosen_model_help")
        self._chosen_warning = Label("", "warn", wrap=True, name="chosen_model_warning")
        row = QHBoxLayout()
        row.addWidget(self._chosen, 1)
        row.addWidget(self.model_button)
        card.body.addLayout(row)
        card.body.addWidget(self._chosen_help)
        card.body.addWidget(self._chosen_warning)
        card.hide()
        return card

    def show_chosen(self, choice: ModelChoice | None) -> None:
        """Show who answers, where that was chosen before first run."""
        self._model_card.setVisible(choice is not None)
        if choice is not None:
            none = choice.place is ModelPlace.BUILT_IN
            self._chosen.setText(choice.name if none else f"{choice.name} answers")
            self._chosen_help.setText(f"Chosen before. {choice.detail}")
            self._chosen_warning.setText(choice.warning)
            self._chosen_warning.setVisible(bool(choice.warning))

    def show_learning(self, on: bool) -> None:
        """Show whether Loci learns, as the settings have it."""
        self._learns = on
        self.switch.setChecked(on)
        self.switch.settle()

    @property
    def wish(self) -> bool | None:
        """Whether it should learn from now on; None where that stays as it is."""
        on = self.switch.isChecked()
        return None if on == self._learns else on

    def _memory_card(self) -> Card:
        card = Card("remember_card", margin=16)
        label = Label("Remember what I say", "strong", name="first_run_remember_label")
        label.setBuddy(self.switch)
        row = QHBoxLayout()
        row.addWidget(label, 1)
        row.addWidget(self.switch)
        card.body.addLayout(row)
        card.body.addWidget(
            Label(
                "Off, Loci keeps your conversations and learns nothing from them. The switch is in "
                "the settings too.",
                "secondary",
                wrap=True,
                name="first_run_remember_help",
            )
        )
        return card

    def _recovery_card(self) -> Card:
        card = Card("recovery_card", margin=16)
        card.body.setSpacing(8)
        card.body.addWidget(Label("A recovery code?", "strong", name="recovery_offer_title"))
        self._offer = Label(ONCE, "secondary", wrap=True, name="recovery_offer_help")
        card.body.addWidget(self._offer)
        self._recovery = card
        row = QHBoxLayout(self._code_row)
        row.setContentsMargins(0, 4, 0, 0)
        row.addWidget(self.code_button)
        row.addWidget(self.decline_button)
        row.addStretch(1)
        card.body.addWidget(self._code_row)
        return card

    def show_code(self, code: str) -> RecoveryCode:
        """Show the code that was made."""
        self.view = RecoveryCode(self._theme, code)
        self._code_row.hide()
        self._recovery.body.addWidget(self.view)
        self.view.copy_button.setFocus()
        return self.view

    def _on_declined(self) -> None:
        self.declined = True
        self._code_row.hide()
        self._offer.setText("None, then. You can make one in the settings, under Your data.")
        self.start_button.setFocus()


class FirstRunPane(QStackedWidget):
    """First run: who answers, then what is remembered."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("first_run")
        self.setAccessibleName("First run")
        self.addWidget(named(QWidget(), "first_run_blank"))  # until it is known what to ask
        self.models = ModelPage(theme)
        self.memory = MemoryPage(theme)
        self.addWidget(self.models)
        self.addWidget(self.memory)

    def show_models(self) -> None:
        """Show the first page."""
        self.setCurrentWidget(self.models)
        self.models.focus_first()

    def show_memory(self, chosen: ModelChoice | None = None) -> None:
        """Go on to the second page; it says who answers where that was chosen before."""
        self.memory.show_chosen(chosen)
        self.setCurrentWidget(self.memory)
        self.memory.start_button.setFocus()


def models_words(models: Sequence[str]) -> str:
    """Return the models of a server as a person says them."""
    if not models:
        return "It has no model yet"
    if len(models) == 1:
        return f"{models[0]} found"
    more = len(models) - 1
    return f"{models[0]} and {more} more model{'' if more == 1 else 's'} found"
