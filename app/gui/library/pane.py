"""The models screen's widgets; it says which model the person wants."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.domain.model import EmbeddingStatus, ModelChoice, OtherProgramsModels
from app.gui.library.catalogue_section import CatalogueSection
from app.gui.library.model import embedding_words
from app.gui.library.option_row import GAP, ICON, MARGIN, OptionRow
from app.gui.library.reranker_section import RerankerSection
from app.gui.library.service_form import ServiceForm
from app.gui.library.sharing_section import SharingSection
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    FlowLayout,
    Header,
    IconButton,
    Label,
    NoticeLine,
    ProgressFoot,
    Scroll,
    ScrolledPage,
    fill,
    hbox,
    line,
    named,
    vbox,
)
from app.gui.widgets.filling import drop

WIDTH = 720
FOUND = "Models that other programs keep here. One that you choose is used where it is."
END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class OptionList(QWidget):
    """Models to choose one from."""

    chosen = Signal(object)  # the ModelChoice
    removal_requested = Signal(object)  # it should be taken off the list: the ModelChoice

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        named(self, name, title)
        self._rows = QGridLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(0)
        self._rows.setVerticalSpacing(8)
        self._rows.setColumnStretch(0, 1)
        self._rows.setColumnMinimumWidth(1, MARGIN + ICON + GAP)
        self._made: list[OptionRow] = []
        self._removers: dict[str, IconButton] = {}
        self._shown: tuple[tuple[ModelChoice, ...], str] = ((), "")

    def show_choices(self, choices: Sequence[ModelChoice], current: str) -> None:
        """Show models, and which is in use."""
        wanted = (tuple(choices), current)
        if wanted == self._shown:
            return
        self._shown = wanted
        focused = next((n for n, row in enumerate(self._made) if self._is_focused(row)), None)
        focused_id = "" if focused is None else self._made[focused].choice.id
        self._clear()
        for number, choice in enumerate(choices):
            self._add(choice, number, choice.id == current)
        if focused is not None and self._made:  # what was taken off hands on to the next
            same = [row for row in self._made if row.choice.id == focused_id]
            row = (same or self._made[focused:] or self._made[-1:])[0]
            row.show()  # now, so that it can take the focus
            row.setFocus()

    def _add(self, choice: ModelChoice, number: int, chosen: bool) -> None:
        row = OptionRow(self._theme, choice, chosen)
        row.clicked.connect(lambda: self.chosen.emit(choice))
        row.removal_requested.connect(lambda: self.removal_requested.emit(choice))
        self._rows.addWidget(row, number, 0, 1, 2)
        self._made.append(row)
        if choice.added:  # a button over the row, beside its icon
            title = f"Take {choice.name} off the list"
            button = IconButton(self._theme, "x", title, f"remove.{choice.id}")
            button.clicked.connect(lambda: self.removal_requested.emit(choice))
            self._rows.addWidget(button, number, 0, END)
            self._removers[choice.id] = button

    def _is_focused(self, row: OptionRow) -> bool:
        remover = self._removers.get(row.choice.id)
        return row.hasFocus() or (remover is not None and remover.hasFocus())

    def _clear(self) -> None:
        for widget in (*self._made, *self._removers.values()):
            self._rows.removeWidget(widget)
            drop(widget)
        self._made, self._removers = [], {}

    def rows(self) -> list[OptionRow]:
        """Return the rows in their order."""
        return list(self._made)


class LibraryPane(QWidget):
    """Who answers, what runs on this computer, what finds by meaning, and what reads again."""

    chat_chosen = Signal(object)  # the ModelChoice
    # one that another program keeps should answer: the ModelChoice
    found_chosen = Signal(object)
    embedder_chosen = Signal(object)  # the ModelChoice
    # a file that was added should be taken off its list: the ModelChoice
    removal_requested = Signal(object)
    servers_requested = Signal()  # look for servers on this computer
    file_requested = Signal()  # add a model file

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "library_pane", "Models")
        self.look_button = Button(theme, "Look for servers", "look_for_servers", icon="desktop")
        self.file_button = Button(theme, "Add a file…", "add_model_file", icon="file-plus")
        self.service_button = Button(theme, "Add a service…", "add_service", icon="cloud")
        self.form = ServiceForm(theme)
        self.form.hide()
        self.chat_list = OptionList(theme, "Who answers", "chat_models")
        self.found_list = OptionList(theme, "Found in other programs", "found_models")
        self._found = Label(FOUND, "secondary", wrap=True, name="found_help")
        self._cut_short = Label("", "secondary", wrap=True, name="found_cut_short")
        for widget in (self.found_list, self._found, self._cut_short):
            widget.hide()
        self.embed_list = OptionList(theme, "Meaning model", "meaning_models")
        self.embed_list.hide()
        self._embedders: tuple[Sequence[ModelChoice], str] = ((), "")
        self.embed_button = Button(theme, "Change…", "change_meaning_model")
        self.catalogue = CatalogueSection(theme, "catalogue", "Download a model")
        self.embed_catalogue = CatalogueSection(theme, "embed_catalogue")
        self.embed_catalogue.hide()
        self.reranker = RerankerSection(theme)
        self.sharing = SharingSection(theme)
        self.notice = NoticeLine(theme, "library_notice", "danger")
        self.foot = ProgressFoot(theme, "library_foot")
        self._searched = Label("", "secondary", wrap=True, name="servers_found")
        self._searched.hide()
        self._meaning = Label("", "row", name="meaning_model_name")
        self._status = Label("", "secondary", wrap=True, name="meaning_model_status")
        self._folder = Label("", "small", wrap=True, name="models_folder")
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self.look_button.clicked.connect(self._on_look_clicked)
        self.file_button.clicked.connect(self.file_requested)
        self.service_button.clicked.connect(self._on_service_clicked)
        self.embed_button.clicked.connect(self._on_embed_clicked)
        self.form.cancelled.connect(self.form.hide)
        self.chat_list.chosen.connect(self.chat_chosen)
        self.found_list.chosen.connect(self.found_chosen)
        self.embed_list.chosen.connect(self.embedder_chosen)
        for models in (self.chat_list, self.embed_list):
            models.removal_requested.connect(self.removal_requested)

    def _lay_out(self) -> None:
        body = named(QWidget(), "library_body")
        body.setMaximumWidth(WIDTH)
        column = vbox(self.notice, of=body, margins=0, spacing=10)
        self._lay_out_chat(column)
        self._lay_out_catalogue(column)
        self._lay_out_meaning(column)
        column.addStretch(1)
        inside = ScrolledPage("library_inside")
        hbox((body, 1000), ..., of=inside, margins=(32, 26, 32, 32))
        vbox(
            Header("Models", "library_header"),
            (Scroll(inside, "library_scroll"), 1),
            self.foot,
            of=self,
            margins=0,
            spacing=0,
        )

    def _lay_out_chat(self, column: QVBoxLayout) -> None:
        column.addWidget(Label("Who answers", "heading", name="library_chat_title"))
        column.addWidget(
            Label(
                "The model that writes the answers."
                " Memories are found and kept whichever model answers.",
                "muted",
                wrap=True,
                name="library_chat_help",
            )
        )
        column.addSpacing(2)
        column.addWidget(self.chat_list)
        column.addWidget(self._found)
        column.addWidget(self.found_list)
        column.addWidget(self._cut_short)
        column.addWidget(self._searched)
        buttons = FlowLayout(spacing=10)
        for button in (self.look_button, self.file_button, self.service_button):
            buttons.addWidget(button)
        fill(column, buttons, self.form, self._folder, self.sharing)

    def _lay_out_catalogue(self, column: QVBoxLayout) -> None:
        fill(column, 10, line("library_catalogue_line"), 10, self.catalogue)

    def _lay_out_meaning(self, column: QVBoxLayout) -> None:
        column.addSpacing(10)
        column.addWidget(line("library_line"))
        column.addSpacing(10)
        column.addWidget(Label("Finding by meaning", "heading", name="library_embed_title"))
        row = QHBoxLayout()
        fill(row, (vbox(self._meaning, self._status, spacing=2), 1), self.embed_button)
        column.addLayout(row)
        column.addWidget(self.embed_list)
        column.addWidget(self.embed_catalogue)
        column.addSpacing(10)
        column.addWidget(line("library_reranker_line"))
        column.addSpacing(10)
        column.addWidget(self.reranker)

    def show_chat(self, choices: Sequence[ModelChoice], current: str, folder: str) -> None:
        """Show who could answer, and who does."""
        self.chat_list.show_choices(choices, current)
        self._folder.setText(f"Model files (GGUF) put into {folder} appear here automatically.")

    def show_found(self, elsewhere: OtherProgramsModels) -> None:
        """Show the models that other programs keep on this computer."""
        self.found_list.show_choices(elsewhere.choices, "")
        for widget in (self.found_list, self._found):
            widget.setVisible(bool(elsewhere.choices))
        self._cut_short.setText(elsewhere.cut_short)
        self._cut_short.setVisible(bool(elsewhere.cut_short))

    def show_embedders(
        self, choices: Sequence[ModelChoice], status: EmbeddingStatus | None, current: str
    ) -> None:
        """Show what finds by meaning, and how far it is."""
        self._embedders = (choices, current)
        if self.embed_list.isVisible():
            self.embed_list.show_choices(choices, current)
        name = next((c.name for c in choices if c.id == current), current)
        self._meaning.setText(name)
        self._status.setText(embedding_words(status) if status else "")

    def show_searched(self, sentence: str) -> None:
        """Say what a look for servers brought; nothing where it is empty."""
        self._searched.setText(sentence)
        self._searched.setVisible(bool(sentence))
        self.look_button.setEnabled(True)
        self.look_button.setText("Look again" if sentence else "Look for servers")

    def _on_look_clicked(self) -> None:
        self.look_button.setEnabled(False)
        self.look_button.setText("Looking…")
        self.servers_requested.emit()

    def _on_service_clicked(self) -> None:
        self.form.reset()
        self.form.show()
        self.form.address.setFocus()

    def _on_embed_clicked(self) -> None:
        self.embed_list.show_choices(*self._embedders)
        self.embed_list.setVisible(not self.embed_list.isVisible())
        self.embed_catalogue.setVisible(self.embed_list.isVisible())
        self.embed_button.setText("Hide" if self.embed_list.isVisible() else "Change…")
