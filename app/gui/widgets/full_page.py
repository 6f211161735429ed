"""Pages: those that fill the window with one question, and columns that scroll."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from app.gui.theme import Theme
from app.gui.widgets.boxes import hbox, vbox
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
        self.column = vbox(of=body, margins=0, spacing=spacing)
        inside = ScrolledPage(f"{name}_inside")
        hbox((vbox(body, ...), 1000), ..., of=inside, margins=(32, 26, 32, 32))
        super().__init__(inside, f"{name}_scroll")


class FullPage(QWidget):
    """The mark, a heading, a paragraph, and a column for the rest.

    Attributes:
        column: Where the page's own widgets go.
    """

    def __init__(self, theme: Theme, title: str, sentence: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        named(self, name, title)
        self._mark = named(QLabel(), f"{name}_mark", "Loci")
        self.title = Label(title, "display", wrap=True, name=f"{name}_title")
        self.sentence = Label(sentence, "lead", wrap=True, name=f"{name}_sentence")
        self.column = vbox(spacing=10)
        inner = named(QWidget(), f"{name}_column")
        inner.setMaximumWidth(WIDTH)
        stack = vbox(of=inner, margins=0, spacing=0)
        for widget, after in ((self._mark, 20), (self.title, 8), (self.sentence, 20)):
            stack.addWidget(widget)
            stack.addSpacing(after)
        stack.addLayout(self.column)
        self._place(inner, name)
        theme.changed.connect(self._draw)
        self._draw()

    def _place(self, inner: QWidget, name: str) -> None:
        centred = ScrolledPage(f"{name}_body")
        vbox(..., hbox(..., (inner, 1000), ...), ..., of=centred, margins=32)
        vbox(Scroll(centred, f"{name}_scroll"), of=self, margins=0)

    def _draw(self) -> None:
        self._mark.setPixmap(self._theme.mark(MARK, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(MARK, MARK))


def pile(widget: QWidget, *parts: QWidget, growing: QWidget) -> None:
    """Put parts into a widget, one below the other without room between; one of them grows."""
    vbox(*((part, int(part is growing)) for part in parts), of=widget, margins=0, spacing=0)
