"""The pieces of the detail view: a quote to open, a line of history, a link to another memory."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.domain.memory import Evidence
from app.gui.inspector.history import HistoryLine
from app.gui.inspector.markup import diff_html, quote_html
from app.gui.inspector.wording import long_date
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, named

RADIUS = 10
_MARGINS = (13, 10, 13, 11)


def rich(html: str, role: str, name: str, spoken: str) -> QLabel:
    """Return a label for rich text that we made ourselves, with what is said instead of it."""
    label = named(QLabel(html), name, spoken)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label


class EvidenceCard(QAbstractButton):
    """The words a memory rests on; a click opens the message they come from."""

    def __init__(self, theme: Theme, evidence: Evidence, memory_text: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(name)
        title = evidence.conversation_title or (
            "Untitled conversation" if evidence.conversation_id else ""
        )
        source = "  ·  ".join(filter(None, (title, long_date(evidence.created_at))))
        self.setAccessibleName(f"“{evidence.quote}” {source}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        opens = bool(evidence.conversation_id and evidence.message_id)
        self.setEnabled(opens)
        if opens:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setToolTip("Open the message")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(*_MARGINS)
        self._column.setSpacing(4)
        html = f"“{quote_html(evidence.quote, memory_text)}”"
        self._column.addWidget(rich(html, "quote", f"{name}_quote", evidence.quote))
        self._column.addWidget(Label(source, "small", wrap=True, name=f"{name}_source"))
        for label in self.findChildren(QLabel):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return what the words need."""
        return self._column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return what the words need at least."""
        return QSize(60, self._column.minimumSize().height())

    def hasHeightForWidth(self) -> bool:
        """Say that long words need more height in less width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the words need at a width."""
        return self._column.heightForWidth(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter as well."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame, stronger under the pointer or with the keyboard on it."""
        strong = self.hasFocus() or (self.isEnabled() and self.underMouse())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colour("accent" if strong else "border"), 1))
        painter.setBrush(self._theme.colour("surface"))
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, RADIUS, RADIUS)


class HistoryRow(QWidget):
    """One thing that happened: when, what, the words before and after, and Undo.

    Signals:
        undone: It should be undone.
                arg 0: the batch
        opened: The conversation it names should be opened.
                arg 0: the conversation's id
    """

    undone = Signal(str)
    opened = Signal(str)

    def __init__(self, theme: Theme, line: HistoryLine, name: str) -> None:
        super().__init__()
        self._line = line
        self.setObjectName(name)
        self.setToolTip(line.at)
        told = f"{line.when} · {line.sentence}"
        row = QHBoxLayout()
        row.setSpacing(6)
        if line.conversation_id:
            link = Button(theme, told, f"{name}_open", "link")
            link.setProperty("quiet", "true")
            link.setProperty("leading", "true")
            link.clicked.connect(lambda: self.opened.emit(line.conversation_id))
            link.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row.addWidget(link, 1)
        else:
            row.addWidget(Label(told, "secondary", wrap=True, name=f"{name}_words"), 1)
        if line.batch:
            words = "Redo" if line.redoes else "Undo"
            button = Button(theme, words, f"{name}_undo", "link")
            button.setAccessibleName(f"{words}: {line.sentence}")
            button.setToolTip("Everything that was changed together with this comes along.")
            button.clicked.connect(lambda: self.undone.emit(line.batch))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        if line.before or line.after:
            html = diff_html(line.before, line.after, theme.name("muted"), theme.name("accent"))
            spoken = f"before: {line.before}, after: {line.after}"
            diff = rich(html, "diff", f"{name}_diff", spoken)
            column.addWidget(diff)
