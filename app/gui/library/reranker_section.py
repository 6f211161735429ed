"""The part of the models screen about the reranker: its state, its download and its file."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.domain.jobs.progress import Progress
from app.domain.model import RerankerStatus
from app.gui.library.model import download_words, fetched_words, reranker_words
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    ElidedLabel,
    FlowLayout,
    Label,
    NoticeLine,
    Switch,
    fill,
    hbox,
    named,
    vbox,
)

STEPS = 1000
ICON = "download-simple"


class RerankerSection(QWidget):
    """Whether finds are read again by a reranker, and what that needs."""

    switched = Signal(bool)  # whether it should be on
    download_requested = Signal()  # the file should be downloaded
    stop_requested = Signal()  # the download should stop; what has come is kept
    file_requested = Signal()  # another file should be chosen
    reset_requested = Signal()  # the file that Loci offers should be used again

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "reranker", "Reranker")
        self.switch = Switch(theme, "Rerank what was found", "reranker_switch")
        self.state = ElidedLabel("", "row", "reranker_state")
        self.detail = Label("", "secondary", wrap=True, name="reranker_detail")
        self.problem = Label("", "warn", wrap=True, name="reranker_problem")
        self.reset_button = Button(theme, "Use Loci's choice", "reset_reranker")
        self.file_button = Button(theme, "Choose file…", "choose_reranker_file")
        self.download_button = Button(theme, "Download", "download_reranker", icon=ICON)
        self.bar = named(QProgressBar(), "reranker_bar", "Download of the reranker")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, STEPS)
        self.stop_button = Button(theme, "Cancel", "stop_reranker_download")
        self.notice = NoticeLine(theme, "reranker_notice")
        self._running = named(QWidget(), "reranker_download")
        self._status = RerankerStatus("", present=False, on=False)
        self._lay_out()
        self.switch.clicked.connect(self.switched)
        self.download_button.clicked.connect(self.download_requested)
        self.stop_button.clicked.connect(self._on_stop_clicked)
        self.file_button.clicked.connect(self.file_requested)
        self.reset_button.clicked.connect(self.reset_requested)

    def _lay_out(self) -> None:
        column = vbox(of=self, margins=0, spacing=10)
        title = hbox((Label("Reranker", "heading", name="reranker_title"), 1), self.switch)
        column.addLayout(title)
        about = (
            "A model that reads your message with each result and puts the best ones first."
            " Recall works without it; with it the order is better, and each recall takes longer."
        )
        column.addWidget(Label(about, "muted", wrap=True, name="reranker_help"))
        column.addLayout(vbox(self.state, self.detail, spacing=2))
        column.addWidget(self.problem)
        buttons = FlowLayout(spacing=10)
        for button in (self.download_button, self.file_button, self.reset_button):
            buttons.addWidget(button)
        column.addLayout(buttons)
        hbox((self.bar, 1), self.stop_button, of=self._running, margins=0, spacing=12)
        fill(column, self._running, self.notice)
        self._running.hide()

    @property
    def downloading(self) -> bool:
        """Whether a download is shown."""
        return not self._running.isHidden()

    def show_status(self, status: RerankerStatus, *, refused: bool) -> None:
        """Show how things are, once no download runs; ``refused`` where the settings want none."""
        self._status = status
        if self.switch.isChecked() != status.on:
            self.switch.setChecked(status.on)
        if self.downloading:
            return
        state, detail = reranker_words(status, refused=refused)
        self.state.setText(state)
        self.detail.setText(detail)
        self.detail.setVisible(status.present or not status.problem)
        self.problem.setText(status.problem)
        self.problem.setVisible(bool(status.problem))
        self.download_button.setText(download_words(status))
        self.download_button.setAccessibleName(f"{download_words(status)}: {status.file}")
        self.download_button.setVisible(status.offered)
        self.file_button.setVisible(True)
        self.reset_button.setVisible(not status.present and not status.offered)

    def begin_download(self) -> None:
        """Show the download that was just asked for."""
        self.notice.hide()
        for widget in (self.problem, self.download_button, self.file_button, self.reset_button):
            widget.hide()
        self.state.setText("Downloading…")
        self.detail.setText(self._status.file)
        self.detail.show()
        self.bar.setValue(0)
        self.stop_button.setEnabled(True)
        self._running.show()
        self.stop_button.setFocus()

    def show_progress(self, progress: Progress) -> None:
        """Show how much of the file has come."""
        words = fetched_words(progress.done, progress.total)
        if words == self.detail.text():
            return
        self.detail.setText(words)
        self.bar.setValue(progress.done * STEPS // max(1, progress.total))

    def end_download(self, sentence: str = "") -> None:
        """Put the download away, and say why it failed where it did."""
        had_focus = self.stop_button.hasFocus()
        self._running.hide()
        if sentence:
            self.notice.say(sentence)
        if had_focus:
            self.switch.setFocus()

    def _on_stop_clicked(self) -> None:
        self.stop_button.setEnabled(False)
        self.stop_requested.emit()
