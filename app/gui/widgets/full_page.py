"""Pages: those that fill the window with one question, and columns that scroll."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.gui.theme import Theme
from app.gui.widgets.labels import Label
from app.gui.widgets.naming import named

WIDTH = 560
MARK = 40


class Scroll(QScrollArea):
    """A vertical scroll area around one widget, without a frame."""

    def __init__(self, widget: QWidget, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.setWidget(widget)
        widget.setAutoFillBackground(False)


class ScrolledPage(QWidget):
    """What goes into a scroll area: as tall as its words are at its width, and no taller."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)

    def minimumSizeHint(self) -> QSize:
        """Return the least width; the height follows from the width alone."""
        return QSize(super().minimumSizeHint().width(), 0)


class ScrolledColumn(Scroll):
    """One column that scrolls, at the start of the page and at most so wide.

    Attributes:
        column: Where widgets go.
    """

    def __init__(self, name: str, width: int, spacing: int = 10) -> None:
        body = named(QWidget(), f"{name}_body")
        body.setMaximumWidth(width)
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(spacing)
        inside = ScrolledPage(f"{name}_inside")
        rows = QVBoxLayout()
        rows.addWidget(body)
        rows.addStretch(1)
        sides = QHBoxLayout(inside)
        sides.setContentsMargins(32, 26, 32, 32)
        sides.addLayout(rows, 1000)
        sides.addStretch(1)
        super().__init__(inside, f"{name}_scroll")


class FullPage(QWidget):
    """The mark, a heading, a paragraph, and a column for the rest.

    Attributes:
        column: Where the page's own widgets go.
    """

    def __init__(self, theme: Theme, title: str, sentence: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._mark = named(QLabel(), f"{name}_mark", "Loci")
        self.title = Label(title, "display", wrap=True, name=f"{name}_title")
        self.sentence = Label(sentence, "lead", wrap=True, name=f"{name}_sentence")
        self.column = QVBoxLayout()
        self.column.setSpacing(10)
        inner = named(QWidget(), f"{name}_column")
        inner.setMaximumWidth(WIDTH)
        stack = QVBoxLayout(inner)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        for widget, after in ((self._mark, 20), (self.title, 8), (self.sentence, 20)):
            stack.addWidget(widget)
            stack.addSpacing(after)
        stack.addLayout(self.column)
        self._place(inner, name)
        theme.changed.connect(self._draw)
        self._draw()

    def _place(self, inner: QWidget, name: str) -> None:
        centred = ScrolledPage(f"{name}_body")
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(inner, 1000)
        row.addStretch(1)
        rows = QVBoxLayout(centred)
        rows.setContentsMargins(32, 32, 32, 32)
        rows.addStretch(1)
        rows.addLayout(row)
        rows.addStretch(1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(Scroll(centred, f"{name}_scroll"))

    def _draw(self) -> None:
        self._mark.setPixmap(self._theme.mark(MARK, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(MARK, MARK))


def pile(widget: QWidget, *parts: QWidget, growing: QWidget) -> None:
    """Put parts into a widget, one below the other without room between; one of them grows."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, int(part is growing))
