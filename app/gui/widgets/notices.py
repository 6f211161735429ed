"""What the window says for itself: empty states, errors and the progress of long work."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QWidget,
)

from app.domain.jobs.progress import Progress
from app.gui.theme import Theme
from app.gui.widgets.boxes import hbox, vbox
from app.gui.widgets.buttons import Button, IconButton
from app.gui.widgets.labels import ElidedLabel, Label
from app.gui.widgets.naming import named, restyled


class EmptyState(QWidget):
    """What stands where nothing is yet: one sentence that teaches, and one button."""

    acted = Signal()  # the button was pressed

    def __init__(
        self, theme: Theme, icon: str, title: str, sentence: str, name: str, action: str = ""
    ) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self.setObjectName(name)
        self._picture = named(QLabel(), f"{name}_picture")
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = Label(title, "title", name=f"{name}_title")
        self._sentence = Label(sentence, "muted", wrap=True, name=f"{name}_sentence")
        self._sentence.setMaximumWidth(380)
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = Button(theme, action, f"{name}_button", "primary", then=self.acted)
        if not action:
            self.button.setAccessibleName(title)
            self.button.hide()
        column = vbox(of=self, spacing=8)
        column.addStretch(2)
        for child in (self._picture, self._title):
            column.addWidget(child, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(hbox(..., (self._sentence, 1000), ...))
        column.addSpacing(6)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        theme.changed.connect(self._draw)
        self._draw()

    def say(self, title: str, sentence: str) -> None:
        """Show other words."""
        self._title.setText(title)
        self._sentence.setText(sentence)

    def _draw(self) -> None:
        icon = self._theme.icon(self._icon, "faint")
        self._picture.setPixmap(icon.pixmap(QSize(36, 36), self.devicePixelRatioF()))


class NoticeLine(QFrame):
    """What happened, what is safe, what to do; in the tone ``danger``, ``warn`` or ``accent``."""

    acted = Signal()  # the button in it was pressed
    closed = Signal()  # the person put it away

    def __init__(self, theme: Theme, name: str, tone: str = "danger") -> None:
        super().__init__()
        self._theme = theme
        self._action: Callable[[], None] | None = None
        self.setObjectName(name)
        self.setProperty("surface", "card")
        self.setProperty("tone", tone)
        self._picture = named(QLabel(), f"{name}_picture")
        self.words = Label("", "body", wrap=True, name=f"{name}_words")
        self.button = Button(theme, "", f"{name}_button", "link", then=self._on_button_clicked)
        self.button.hide()
        self.close_button = IconButton(theme, "x", "Dismiss this message", f"{name}_close")
        self.close_button.clicked.connect(self._on_close_clicked)
        hbox(
            self._picture,
            (self.words, 1),
            self.button,
            self.close_button,
            of=self,
            margins=(12, 8, 8, 8),
            spacing=10,
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    def say(
        self,
        sentence: str,
        action: str = "",
        then: Callable[[], None] | None = None,
        tone: str = "",
    ) -> None:
        """Show a sentence, and perhaps a button that does something about it."""
        self.words.setText(sentence)
        self.setAccessibleName(sentence)
        self.button.setText(action)
        self.button.setAccessibleName(action)
        self.button.setVisible(bool(action))
        self._action = then
        if tone and tone != self.property("tone"):
            restyled(self, tone=tone)
        self._draw()
        self.show()

    def fit(self, width: int) -> None:
        """Be as high as its words need where it is this wide."""
        if width:
            self.setFixedHeight(self.heightForWidth(width))

    def _on_button_clicked(self) -> None:
        self.hide()
        self.acted.emit()
        if self._action:
            self._action()

    def _on_close_clicked(self) -> None:
        self.hide()
        self.closed.emit()

    def _draw(self) -> None:
        tone = str(self.property("tone"))
        icon = self._theme.icon({"accent": "info"}.get(tone, "warning-circle"), tone)
        self._picture.setPixmap(icon.pixmap(QSize(18, 18), self.devicePixelRatioF()))


class ErrorBar(NoticeLine):
    """A notice of something that went wrong."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name, "danger")


class NoticeBar(QWidget):
    """A notice with room around it, at the top of a screen; takes none while it says nothing.

    Attributes:
        notice: The notice.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setObjectName(f"{name}_bar")
        self.notice = NoticeLine(theme, name)
        self.notice.closed.connect(self.hide)
        self.notice.acted.connect(self.hide)
        vbox(self.notice, of=self, margins=(20, 10, 20, 10))
        self.hide()

    def say(
        self,
        sentence: str,
        tone: str = "danger",
        action: str = "",
        then: Callable[[], None] | None = None,
    ) -> None:
        """Show a sentence in the tone danger, warn or accent, and perhaps a button."""
        self.notice.say(sentence, action, then, tone)
        self.show()


class ProgressFoot(QWidget):
    """The foot of a screen where long work runs: what it does, how far, and a stop button."""

    stopped = Signal()  # the person asked it to stop

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "foot")
        self._words = ElidedLabel("", "secondary", f"{name}_words")
        self._count = Label("", "secondary", name=f"{name}_count")
        self._bar = named(QProgressBar(), f"{name}_bar", "Progress")
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(160)
        self.stop_button = Button(theme, "Stop", f"{name}_stop", "plain", "stop")
        self.stop_button.clicked.connect(self._on_stop_clicked)
        hbox(
            (self._words, 1),
            self._count,
            self._bar,
            self.stop_button,
            of=self,
            margins=(20, 6, 20, 6),
            spacing=12,
        )
        self.hide()

    def show_progress(self, progress: Progress) -> None:
        """Show one step of the work."""
        self._words.setText(progress.label)
        self._bar.setMaximum(progress.total)
        self._bar.setValue(progress.done)
        known = progress.total > 0
        self._count.setText(f"{progress.done:,} of {progress.total:,}" if known else "")
        self.setAccessibleName(f"{progress.label} {self._count.text()}".strip())
        self.stop_button.setEnabled(progress.stoppable)
        self.show()

    def finish(self) -> None:
        """Put the foot away."""
        self.hide()

    def _on_stop_clicked(self) -> None:
        self._words.setText("Stopping…")
        self.stop_button.setEnabled(False)
        self.stopped.emit()
