"""The first page of first run: who should answer."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from app.domain.catalogue import CatalogueModel, Fit
from app.domain.model import FoundServer, ModelChoice
from app.gui.library.catalogue_row import CatalogueRow
from app.gui.library.getting import Getting, Phase
from app.gui.library.service_form import ServiceForm
from app.gui.theme import Theme
from app.gui.widgets import Button, ChoiceCard, ErrorBar, FullPage, Label, vbox
from app.gui.widgets.filling import drop

FILE_HELP = "Choose a GGUF file on this computer"
LOOK = "Look for servers on this computer"
LOOK_HELP = "Ollama, LM Studio or llama-server. Nothing is contacted until you ask"
MOST_FILES = 4
NOTHING_FITS = (
    "None of the models that Loci could download fits this computer: even the smallest needs about "
    "{:.1f} GB of memory for itself."
)
MEMORY_IN_USE = (
    "None of the models that Loci could download fits now, because other programs use the memory. "
    "Close some: even the smallest needs about {:.1f} GB."
)
NONE_FOUND = "None is running. Start Ollama, LM Studio or llama-server, then look again"


class ModelPage(FullPage):
    """Asks who should answer."""

    server_chosen = Signal(object)  # the FoundServer
    file_chosen = Signal(object)  # the ModelChoice of a file that Loci found
    look_requested = Signal()  # look for servers on this computer
    file_requested = Signal()  # choose a model file
    notebook_chosen = Signal()  # no model for now
    # the model that Loci recommends should be downloaded: the Candidate
    offer_wanted = Signal(object)
    pause_requested = Signal(str)  # the id of the model that is being downloaded
    cancel_requested = Signal(str)  # the id of the model that is being downloaded
    continued = Signal()  # the downloaded model has answered; go on

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            "A chat that remembers you",
            "It keeps all it knows on this computer, encrypted. See, correct or erase any of it at "
            "any time. Who should answer?",
            "first_run_model",
        )
        self._theme = theme
        self._files = vbox(spacing=10)
        self._shown: tuple[ModelChoice, ...] = ()
        self.found_cards: list[ChoiceCard] = []
        self._more = Label("", "secondary", wrap=True, name="first_run_more_files")
        self._more.hide()
        self._cut_short = Label("", "secondary", wrap=True, name="first_run_cut_short")
        self._cut_short.hide()
        self._no_offer = Label("", "secondary", wrap=True, name="first_run_no_offer")
        self._no_offer.hide()
        self.offer: CatalogueRow | None = None
        self._offers = vbox(spacing=10)
        self.continue_button = Button(theme, "Continue", "first_run_continue", "primary")
        self.continue_button.hide()
        self._servers = vbox(spacing=10)
        self._server_cards: list[ChoiceCard] = []
        self.file_card, self.service_card, self.notebook_card = self._cards(theme)
        self.form = ServiceForm(theme)
        self.form.hide()
        self.errors = ErrorBar(theme, "first_run_error")
        self._lay_out()
        self._connect()
        self._offer_look(LOOK, LOOK_HELP, "desktop")

    @staticmethod
    def _cards(theme: Theme) -> tuple[ChoiceCard, ChoiceCard, ChoiceCard]:
        file = ChoiceCard(theme, "hard-drive", "A model file", FILE_HELP, "choose_file")
        service = ChoiceCard(
            theme,
            "cloud",
            "A service",
            "Any OpenAI-compatible address. The key goes to the system keyring",
            "choose_service",
        )
        notebook = ChoiceCard(
            theme,
            "notebook",
            "No model for now",
            "Loci remembers what you say and answers by quoting it",
            "choose_notebook",
        )
        return file, service, notebook

    def _connect(self) -> None:
        self.file_card.clicked.connect(self.file_requested)
        self.service_card.clicked.connect(self._on_service_clicked)
        self.notebook_card.clicked.connect(self.notebook_chosen)
        self.form.cancelled.connect(self._on_form_cancelled)
        self.continue_button.clicked.connect(self.continued)

    def _lay_out(self) -> None:
        self.column.addLayout(self._files)
        self.column.addWidget(self._more)
        self.column.addWidget(self._cut_short)
        self.column.addLayout(self._offers)
        self.column.addWidget(self._no_offer)
        self.column.addWidget(self.continue_button)
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

    def show_cut_short(self, sentence: str) -> None:
        """Say that not all files of other programs were looked at; empty where they were."""
        self._cut_short.setText(sentence)
        self._cut_short.setVisible(bool(sentence))

    def show_no_offer(self, sentence: str) -> None:
        """Say why no model is offered to download; empty where one is."""
        self._no_offer.setText(sentence)
        self._no_offer.setVisible(bool(sentence))

    def show_offer(self, candidate: CatalogueModel, state: Getting) -> None:
        """Offer the model to download that suits this computer, and show how far that is."""
        if self.offer is None:
            row = self.offer = CatalogueRow(self._theme, candidate)
            one = candidate.offered.id
            row.wanted.connect(lambda: self.offer_wanted.emit(row.candidate))
            row.pause_requested.connect(lambda: self.pause_requested.emit(one))
            row.cancel_requested.connect(lambda: self.cancel_requested.emit(one))
            self._offers.addWidget(row)
        self.offer.show_all(candidate, state)
        self.show_getting(state)

    def show_getting(self, state: Getting) -> None:
        """Show how far the download is; once the model has answered, one can go on."""
        if self.offer is None:
            return
        self.offer.show_state(state)
        done = state.phase is Phase.DONE
        if done and self.continue_button.isHidden():
            self.continue_button.show()
            self.continue_button.setFocus()
        self.continue_button.setVisible(done)

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
            drop(card)
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


def no_offer_words(candidates: Sequence[CatalogueModel]) -> str:
    """Return why none of these models is recommended, in a sentence; empty where there is none."""
    if not candidates:
        return ""
    least = min(candidate.memory_bytes for candidate in candidates)
    why = MEMORY_IN_USE if any(one.fit is Fit.BUSY for one in candidates) else NOTHING_FITS
    return why.format(max(least / 1e9, 0.1))


def models_words(models: Sequence[str]) -> str:
    """Return the models of a server as a person says them."""
    if not models:
        return "It has no model yet"
    if len(models) == 1:
        return f"{models[0]} found"
    more = len(models) - 1
    return f"{models[0]} and {more} more model{'' if more == 1 else 's'} found"
