"""The pieces of the detail view: a quote to open, a line of history, a link to another memory."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.domain.memory import Evidence
from app.gui.evidence import ASKED_TO_KEEP
from app.gui.inspector.history import HistoryLine
from app.gui.inspector.markup import diff_html, quote_html
from app.gui.inspector.wording import long_date
from app.gui.theme import Theme
from app.gui.widgets import Button, CardButton, Label, hbox, rich, tip, vbox

RADIUS = 10
_MARGINS = (13, 10, 13, 11)
_LINK_RIM = 6


class EvidenceCard(CardButton):
    """The words a memory rests on; a click opens the message they come from.

    Without a quote it is a link to somebody else's words that the person asked to remember.
    """

    def __init__(self, theme: Theme, evidence: Evidence, memory_text: str, name: str) -> None:
        super().__init__(name, QVBoxLayout())
        self._theme = theme
        title = evidence.conversation_title or (
            "Untitled conversation" if evidence.conversation_id else ""
        )
        source = "  ·  ".join(filter(None, (title, long_date(evidence.created_at))))
        spoken = f"“{evidence.quote}”" if evidence.quote else ASKED_TO_KEEP
        self.setAccessibleName(f"{spoken} {source}")
        opens = bool(evidence.conversation_id and evidence.message_id)
        self.setEnabled(opens)
        if opens:
            self.setToolTip("Open the message")
        column = self.body
        column.setContentsMargins(*_MARGINS)
        column.setSpacing(4)
        if evidence.quote:
            html = f"“{quote_html(evidence.quote, memory_text)}”"
            column.addWidget(rich(html, "quote", f"{name}_quote", evidence.quote))
        else:
            column.addWidget(Label(ASKED_TO_KEEP, "body", wrap=True, name=f"{name}_kept"))
        column.addWidget(Label(source, "small", wrap=True, name=f"{name}_source"))
        self.keep_mouse()
        theme.changed.connect(self.update)

    def minimumSizeHint(self) -> QSize:
        """Return what the words need at least."""
        return QSize(60, self.body.minimumSize().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame, stronger under the pointer or with the keyboard on it."""
        strong = self.hasFocus() or (self.isEnabled() and self.underMouse())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colour("accent" if strong else "border"), 1))
        painter.setBrush(self._theme.colour("surface"))
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, RADIUS, RADIUS)


class LongLink(Button):
    """A link of any length: it ends in … where there is no room, and is read out in full."""

    def __init__(self, theme: Theme, text: str, name: str) -> None:
        super().__init__(theme, text, name, "link")
        self._words = text
        self.setAccessibleName(text)
        self.setProperty("leading", "true")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the words as there is room for."""
        super().resizeEvent(event)
        room, end = self.width() - _LINK_RIM, Qt.TextElideMode.ElideRight
        fits = self.fontMetrics().elidedText(self._words, end, room)
        self.setText(fits)
        self.setToolTip("" if fits == self._words else tip(self._words))


class HistoryRow(QWidget):
    """One thing that happened: when, what, the words before and after, and Undo."""

    undone = Signal(str)  # it should be undone: the batch
    opened = Signal(str)  # the conversation it names should be opened: the conversation's id

    def __init__(self, theme: Theme, line: HistoryLine, name: str) -> None:
        super().__init__()
        self._line = line
        self.setObjectName(name)
        self.setToolTip(tip(line.at))
        told = f"{line.when} · {line.sentence}"
        row = hbox(spacing=6)
        if line.conversation_id:
            link = LongLink(theme, told, f"{name}_open")
            link.setProperty("quiet", "true")
            link.clicked.connect(lambda: self.opened.emit(line.conversation_id))
            row.addWidget(link, 1)
        else:
            row.addWidget(Label(told, "secondary", wrap=True, name=f"{name}_words"), 1)
        if line.batch:
            words = "Redo" if line.redoes else "Undo"
            button = Button(theme, words, f"{name}_undo", "link")
            button.setAccessibleName(f"{words}: {line.sentence}")
            button.setToolTip("Everything that was changed together with this is included.")
            button.clicked.connect(lambda: self.undone.emit(line.batch))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = vbox(row, of=self, margins=0, spacing=2)
        if line.before or line.after:
            html = diff_html(line.before, line.after, theme.name("muted"), theme.name("accent"))
            spoken = f"before: {line.before}, after: {line.after}"
            diff = rich(html, "diff", f"{name}_diff", spoken)
            column.addWidget(diff)
