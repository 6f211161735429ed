"""A file that goes with a message: being read, read, or not to be read and why."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from app.domain.conversation import Part
from app.domain.jobs.progress import Progress
from app.gui.chat.wording import extent
from app.gui.theme import Theme
from app.gui.widgets import ElidedLabel, IconButton, Label, hbox, named, restyled, tip, vbox

SENT_ALONG = "Sent along with the message; not learned from"
READING = "Reading…"
NAME, WHY = 230, 330  # widths of a name and of a sentence
MOST = 420  # of a sentence in large letters


class AttachmentChip(QFrame):
    """Name, size and state of a file, and a button that takes it off or stops reading it.

    Attributes:
        part: What is sent; None while it is read and where it cannot be.
        stop: Stops reading it.
    """

    removed = Signal(object)  # the person took it off; this chip

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.part: Part | None = None
        self.failed = False
        self.stop: Callable[[], object] = lambda: None
        named(self, "attachment", f"Attached: {name}")
        self.setProperty("surface", "attachment")
        self._name = ElidedLabel(name, "small", "attachment_name")
        self._state = Label(READING, "small", name="attachment_size")
        self._why = Label("", "small", wrap=True, name="attachment_error")
        self._remove = IconButton(theme, "x", f"Stop reading {name}", "attachment_remove")
        self._remove.clicked.connect(lambda: self.removed.emit(self))
        row = hbox(self._name, self._state, ..., self._remove, spacing=6)
        vbox(row, self._why, of=self, margins=(10, 2, 4, 2), spacing=0)
        self._why.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self._on_theme_changed)
        self._make_room()

    @property
    def reading(self) -> bool:
        """Whether it is still being read."""
        return self.part is None and not self.failed

    def show_progress(self, done: Progress) -> None:
        """Show how far it is read."""
        if done.done:
            of = f" of {done.total:,}" if done.total else ""
            self._state.setText(f"Reading page {done.done:,}{of}")

    def show_part(self, part: Part) -> None:
        """Show what it is, now that it is read."""
        self.part = part
        self._state.setText(extent(part))
        note = part.document.note if part.document is not None else ""
        self.setToolTip(tip(" ".join(filter(None, (f"{SENT_ALONG}.", note)))))
        self._remove.describe(f"Remove {part.name}")

    def show_failure(self, sentence: str) -> None:
        """Say in its place why it cannot go along."""
        self.failed = True
        self._why.setText(sentence)
        self._why.show()
        self._state.hide()
        self._remove.describe("Dismiss")
        self.setAccessibleDescription(sentence)
        restyled(self, tone="danger")
        self._make_room()

    def _on_theme_changed(self) -> None:
        QTimer.singleShot(0, self, self._make_room)  # once its parts have their new font

    def _make_room(self) -> None:
        """Be as wide and as tall as the words need, at any size of text."""
        self.ensurePolished()
        letters = self._name.fontMetrics()
        natural = letters.horizontalAdvance(self._name.text()) + letters.averageCharWidth()
        self._name.setMaximumWidth(min(natural, self._theme.px(NAME)))
        if self.failed:
            self._why.ensurePolished()
            width = min(self._theme.px(WHY), MOST)
            self._why.setFixedSize(width, self._why.heightForWidth(width))
        self.updateGeometry()
