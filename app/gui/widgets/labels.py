"""Text on the window: labels with a role of the style sheet, and labels that shorten themselves."""

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from app.domain.language.text import shown
from app.gui.widgets.foreign import tip
from app.gui.widgets.naming import named

AIRY, TIGHT = 1.38, 1.2
KEPT = 8
LARGE = frozenset({"title", "heading", "display"})


class Label(QLabel):
    """Plain text, never taken for HTML, in a role of ``style.qss`` such as small or title."""

    def __init__(
        self, text: str = "", role: str = "body", *, wrap: bool = False, name: str = ""
    ) -> None:
        super().__init__()
        self._spacing = TIGHT if role in LARGE else AIRY
        self._heights: dict[tuple[int, str], int] = {}  # by room and font
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(wrap)
        self.setObjectName(name or f"{role}_label")
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Say something else, to the eye and to the ear."""
        self._heights.clear()
        super().setText(shown(text))
        self.setAccessibleName(self.text())

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped lines at a width."""
        if not self._wraps():
            return super().heightForWidth(width)
        room = width - self._sides()
        if (known := (room, self.font().key())) not in self._heights:
            if len(self._heights) >= KEPT:
                self._heights.clear()
            self._heights[known] = self._laid_out(room)[1]
        return self._heights[known] + self._rims()

    def sizeHint(self) -> QSize:
        """Return the size of the text, in not too long lines."""
        hint = super().sizeHint()
        return QSize(hint.width(), self.heightForWidth(hint.width())) if self._wraps() else hint

    def minimumSizeHint(self) -> QSize:
        """Return the size below which words would be cut."""
        hint = super().minimumSizeHint()
        if not self._wraps():
            return hint
        return QSize(hint.width(), self.fontMetrics().height() + self._rims())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines with their space between."""
        if not self._wraps():
            super().paintEvent(event)
            return
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        room = self.contentsRect().adjusted(*([self.margin()] * 2), *([-self.margin()] * 2))
        layout, height = self._laid_out(room.width())
        top = room.top()
        if self.alignment() & Qt.AlignmentFlag.AlignVCenter:
            top += max(0, (room.height() - height) // 2)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout.draw(painter, QPointF(QPoint(room.left(), top)))

    def _wraps(self) -> bool:
        selectable = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        return self.wordWrap() and not selectable

    def _laid_out(self, width: int) -> tuple[QTextLayout, int]:
        layout = QTextLayout(self.text().replace("\n", "\u2028"), self.font(), self)
        option = QTextOption(self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setTextDirection(self.layoutDirection())
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        natural = self.fontMetrics().height()
        step, lines = round(natural * self._spacing), 0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            line.setPosition(QPointF(0, lines * step))
            lines += 1
        layout.endLayout()
        return layout, natural + max(0, lines - 1) * step

    def _sides(self) -> int:
        around = self.contentsMargins()
        return around.left() + around.right() + 2 * self.margin()

    def _rims(self) -> int:
        around = self.contentsMargins()
        return around.top() + around.bottom() + 2 * self.margin()


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
        super().setText(shown(" ".join(text.split())))
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
        room: QRect = self.contentsRect()
        fitting = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        whole = fitting == self.text()
        if self.toolTip() != (told := "" if whole else tip(self.text())):
            self.setToolTip(told)
        align = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, align, shown(fitting))


def line(name: str = "line") -> QWidget:
    """Return a horizontal line of one pixel."""
    rule = named(QWidget(), name)
    rule.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    rule.setProperty("surface", "line")
    rule.setFixedHeight(1)
    return rule
