"""The models screen's widgets; it says which model the person wants."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.model import EmbeddingStatus, ModelChoice
from app.gui.library.model import embedding_words
from app.gui.library.option_row import OptionRow
from app.gui.library.service_form import ServiceForm
from app.gui.theme import Theme
from app.gui.widgets import Button, Header, Label, Notice, ProgressFoot, Scroll, line, named

WIDTH = 720


class OptionList(QWidget):
    """Models to choose one from.

    Signals:
        chosen: arg 0: the ModelChoice
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)
        self._made: list[OptionRow] = []
        self._shown: tuple[tuple[ModelChoice, ...], str] = ((), "")

    def show_choices(self, choices: Sequence[ModelChoice], current: str) -> None:
        """Show models, and which is in use."""
        wanted = (tuple(choices), current)
        if wanted == self._shown:
            return
        self._shown = wanted
        focused = next((r.choice.id for r in self.rows() if r.hasFocus()), "")
        for row in self._made:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._made = []
        for choice in choices:
            row = OptionRow(self._theme, choice, choice.id == current)
            row.clicked.connect(lambda _checked=False, c=choice: self.chosen.emit(c))
            self._rows.addWidget(row)
            self._made.append(row)
            if choice.id == focused:
                row.setFocus()

    def rows(self) -> list[OptionRow]:
        """Return the rows in their order."""
        return list(self._made)


class LibraryPane(QWidget):
    """Who answers, what runs on this computer, and what finds by meaning.

    Signals:
        chat_chosen: arg 0: the ModelChoice
        embedder_chosen: arg 0: the ModelChoice
        servers_requested: Look for servers on this computer.
        file_requested: Add a model file.
    """

    chat_chosen = Signal(object)
    embedder_chosen = Signal(object)
    servers_requested = Signal()
    file_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("library_pane")
        self.setAccessibleName("Models")
        self.look_button = Button(theme, "Look for servers", "look_for_servers", icon="desktop")
        self.file_button = Button(theme, "Add a file…", "add_model_file", icon="file-plus")
        self.service_button = Button(theme, "Add a service…", "add_service", icon="cloud")
        self.form = ServiceForm(theme)
        self.form.hide()
        self.chat_list = OptionList(theme, "Who answers", "chat_models")
        self.embed_list = OptionList(theme, "Meaning model", "meaning_models")
        self.embed_list.hide()
        self._embedders: tuple[Sequence[ModelChoice], str] = ((), "")
        self.embed_button = Button(theme, "Change…", "change_meaning_model")
        self.notice = Notice(theme, "library_notice", "danger")
        self.foot = ProgressFoot(theme, "library_foot")
        self._searched = Label("", "secondary", wrap=True, name="servers_found")
        self._searched.hide()
        self._meaning = Label("", "row", name="meaning_model_name")
        self._status = Label("", "secondary", wrap=True, name="meaning_model_status")
        self._folder = Label("", "small", wrap=True, name="models_folder")
        self._lay_out()
        self.look_button.clicked.connect(self._on_look_clicked)
        self.file_button.clicked.connect(self.file_requested)
        self.service_button.clicked.connect(self._on_service_clicked)
        self.embed_button.clicked.connect(self._on_embed_clicked)
        self.form.cancelled.connect(self.form.hide)
        self.chat_list.chosen.connect(self.chat_chosen)
        self.embed_list.chosen.connect(self.embedder_chosen)

    def _lay_out(self) -> None:
        body = named(QWidget(), "library_body")
        body.setMaximumWidth(WIDTH)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.notice)
        column.addWidget(Label("Who answers", "heading", name="library_chat_title"))
        column.addWidget(
            Label(
                "The model that writes the answers. Memories are found and kept whoever answers.",
                "muted",
                wrap=True,
                name="library_chat_help",
            )
        )
        column.addSpacing(2)
        column.addWidget(self.chat_list)
        column.addWidget(self._searched)
        buttons = QHBoxLayout()
        for button in (self.look_button, self.file_button, self.service_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addWidget(self.form)
        column.addWidget(self._folder)
        self._lay_out_meaning(column)
        column.addStretch(1)
        inside = named(QWidget(), "library_inside")
        sides = QHBoxLayout(inside)
        sides.setContentsMargins(32, 26, 32, 32)
        sides.addWidget(body, 1000)
        sides.addStretch(1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.setSpacing(0)
        around.addWidget(Header("Models", "library_header"))
        around.addWidget(Scroll(inside, "library_scroll"), 1)
        around.addWidget(self.foot)

    def _lay_out_meaning(self, column: QVBoxLayout) -> None:
        column.addSpacing(10)
        column.addWidget(line("library_line"))
        column.addSpacing(10)
        column.addWidget(Label("What finds by meaning", "heading", name="library_embed_title"))
        row = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._meaning)
        words.addWidget(self._status)
        row.addLayout(words, 1)
        row.addWidget(self.embed_button)
        column.addLayout(row)
        column.addWidget(self.embed_list)

    def show_chat(self, choices: Sequence[ModelChoice], current: str, folder: str) -> None:
        """Show who could answer, and who does."""
        self.chat_list.show_choices(choices, current)
        self._folder.setText(f"Model files (GGUF) put into {folder} appear here by themselves.")

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
        self.embed_button.setText("Hide" if self.embed_list.isVisible() else "Change…")
