"""The two pages of first run."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.domain.model import ModelChoice, ModelPlace
from app.gui.first_run.model_page import ModelPage
from app.gui.profiles.access import ONCE, RecoveryCode
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, ErrorBar, FullPage, Label, Switch, hbox, named


class MemoryPage(FullPage):
    """Says whether remembering is on, and offers a recovery code."""

    code_requested = Signal()  # make a recovery code and show it
    model_requested = Signal()  # choose another model than the one that was chosen before
    finished = Signal()  # start

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
        self.code_button = Button(theme, "Show me one", "first_run_code", then=self.code_requested)
        self.decline_button = Button(theme, "No, thank you", "first_run_decline", "ghost")
        self.start_button = Button(theme, "Start", "first_run_start", "primary", then=self.finished)
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
        self.column.addLayout(hbox(self.start_button, ...))
        self.model_button.clicked.connect(self.model_requested)
        self.decline_button.clicked.connect(self._on_declined)

    def _chosen_card(self) -> Card:
        card = Card("chosen_model_card", margin=16)
        self._chosen = Label("", "strong", wrap=True, name="chosen_model")
        self._chosen_help = Label("", "secondary", wrap=True, name="chosen_model_help")
        self._chosen_warning = Label("", "warn", wrap=True, name="chosen_model_warning")
        card.body.addLayout(hbox((self._chosen, 1), self.model_button))
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
            self._chosen_help.setText(f"Chosen earlier. {choice.detail}")
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
        card.body.addLayout(hbox((label, 1), self.switch))
        card.body.addWidget(
            Label(
                "When this is off, Loci keeps your conversations but learns nothing from them. "
                "You can change it later in Settings.",
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
        hbox(self.code_button, self.decline_button, ..., of=self._code_row, margins=(0, 4, 0, 0))
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
        self._offer.setText("No code, then. You can make one later in Settings, under Your data.")
        self.start_button.setFocus()


class FirstRunPane(QStackedWidget):
    """First run: who answers, then what is remembered."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "first_run", "First run")
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
