"""Text on the window: labels with a role of the style sheet, and labels that shorten themselves."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget


class Label(QLabel):
    """Plain text in one of the roles of the style sheet, such as small, muted or title.

    Args:
        text: What it says; never taken for HTML.
        role: How it looks; see ``style.qss``.
        wrap: Whether long text breaks into lines.
    """

    def __init__(
        self, text: str = "", role: str = "body", *, wrap: bool = False, name: str = ""
    ) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(wrap)
        self.setObjectName(name or f"{role}_label")
        if wrap:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Say something else, to the eye and to the ear."""
        super().setText(text)
        self.setAccessibleName(text)


class ElidedLabel(QLabel):
    """One line that ends in … when there is no room; the whole text is its tool tip then."""

    def __init__(self, text: str = "", role: str = "body", name: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setObjectName(name or f"elided_{role}_label")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Say something else; line breaks become spaces."""
        super().setText(" ".join(text.split()))
        self.setAccessibleName(self.text())

    def minimumSizeHint(self) -> QSize:
        """Return room for a few letters."""
        margins = self.contentsMargins()
        return QSize(
            self.fontMetrics().averageCharWidth() * 4 + margins.left() + margins.right(),
            super().minimumSizeHint().height(),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much of the text as there is room for."""
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        whole = shown == self.text()
        if self.toolTip() != ("" if whole else self.text()):
            self.setToolTip("" if whole else self.text())
        align = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, align, shown)


def line(name: str = "line") -> QWidget:
    """Return a horizontal line of one pixel."""
    rule = QWidget()
    rule.setObjectName(name)
    rule.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    rule.setProperty("surface", "line")
    rule.setFixedHeight(1)
    return rule
