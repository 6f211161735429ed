"""How the rows of the sidebar are drawn."""

from datetime import datetime

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.domain.conversation import Conversation, FoundMessage
from app.domain.ids import Clock
from app.domain.language.text import shown
from app.gui.sidebar.model import OPEN, ROW, Heading, Index, More, Row, words
from app.gui.theme import Theme
from app.gui.widgets import named

MARGIN, RADIUS = 8, 8
ISOLATE, POP = "\u2068", "\u2069"
_STATE = QStyle.StateFlag


class ConversationDelegate(QStyledItemDelegate):
    """Draws conversations and their headings, all of one height."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row."""
        return QSize(0, self._theme.px(32))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return the line in which a conversation is renamed."""
        return named(QLineEdit(parent), "rename_conversation", "New title")

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Lay the line over the row."""
        editor.setGeometry(_rect(option))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row: Row = index.data(ROW)
        rect = _rect(option)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Heading):
            draw_heading(painter, self._theme, rect, row.title)
        else:
            frame(painter, self._theme, rect, option, shown=bool(index.data(OPEN)))
            self._draw_title(painter, rect.adjusted(MARGIN, 0, -MARGIN, 0), row)
        painter.restore()

    def _draw_title(self, painter: QPainter, room: QRect, row: Row) -> None:
        theme = self._theme
        suffix = " · archived" if isinstance(row, Conversation) and row.archived else ""
        small = theme.font("small")
        after = QFontMetrics(small).horizontalAdvance(suffix)
        font = small if isinstance(row, More) else theme.font()
        metrics = QFontMetrics(font)
        text = metrics.elidedText(
            words(row), Qt.TextElideMode.ElideRight, max(0, room.width() - after)
        )
        painter.setFont(font)
        painter.setPen(theme.colour("accent" if isinstance(row, More) else "text"))
        painter.drawText(room, _leading(), shown(text))
        if suffix:
            painter.setFont(small)
            painter.setPen(theme.colour("muted"))
            width = metrics.horizontalAdvance(text)
            beside = QRect(room.left() + width, room.top(), after, room.height())
            painter.drawText(
                QStyle.visualRect(painter.layoutDirection(), room, beside), _leading(), suffix
            )


class FoundDelegate(QStyledItemDelegate):
    """Draws what a search found: where it is, when, and the words around the match."""

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row: a line for a heading or title, more for longer words."""
        row = index.data(ROW)
        if isinstance(row, Heading | Conversation):
            return QSize(0, self._theme.px(32))
        text = unmarked(row.snippet)[0] if isinstance(row, FoundMessage) else words(row)
        view: QWidget = option.widget
        room = max(1, view.width() - 4 * MARGIN)
        metrics = QFontMetrics(self._theme.font("secondary"))
        lines = 1 if metrics.horizontalAdvance(" ".join(text.split())) <= room else 2
        title = self._theme.px(20) if isinstance(row, FoundMessage) else 0
        return QSize(0, title + lines * metrics.height() + 2 * MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row, rect = index.data(ROW), _rect(option)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Heading):
            draw_heading(painter, self._theme, rect, row.title)
        else:
            frame(painter, self._theme, rect, option, shown=False)
            room = rect.adjusted(MARGIN, MARGIN - 2, -MARGIN, 2 - MARGIN)
            if isinstance(row, FoundMessage):
                self._draw_message(painter, room, row)
            elif isinstance(row, Conversation):
                painter.setFont(self._theme.font())
                painter.setPen(self._theme.colour("text"))
                text = painter.fontMetrics().elidedText(
                    words(row), Qt.TextElideMode.ElideRight, room.width()
                )
                painter.drawText(room, _leading(), shown(text))
            else:
                self._draw_snippet(painter, room, words(row), "text")
        painter.restore()

    def _draw_message(self, painter: QPainter, room: QRect, row: FoundMessage) -> None:
        theme, line = self._theme, self._theme.px(18)
        when = dated(row.at, self._clock())
        top = QRect(room.left(), room.top(), room.width(), line)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("muted"))
        width = painter.fontMetrics().horizontalAdvance(when)
        painter.drawText(top, _trailing(), shown(when))
        painter.setFont(theme.font("secondary", QFont.Weight.DemiBold))
        painter.setPen(theme.colour("text"))
        title = painter.fontMetrics().elidedText(
            words(row), Qt.TextElideMode.ElideRight, top.width() - width - 8
        )
        painter.drawText(top, _leading(), shown(title))
        self._draw_snippet(painter, room.adjusted(0, line + 2, 0, 0), row.snippet, "muted")

    def _draw_snippet(self, painter: QPainter, room: QRect, marked: str, token: str) -> None:
        text, ranges = unmarked(" ".join(marked.split()))
        layout = QTextLayout(text, self._theme.font("secondary"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats([_strong(start, length, self._theme) for start, length in ranges])
        layout.beginLayout()
        y = 0.0
        for _ in range(2):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, y))
            y += line.height()
        layout.endLayout()
        painter.setPen(self._theme.colour(token))
        layout.draw(painter, QPointF(room.topLeft()))


def draw_heading(painter: QPainter, theme: Theme, rect: QRect, title: str) -> None:
    """Draw a group's title at the foot of its row."""
    painter.setFont(theme.font("small"))
    painter.setPen(theme.colour("muted"))
    room = rect.adjusted(MARGIN, theme.px(8), -MARGIN, 0)
    painter.drawText(room, _leading(), shown(title))


def frame(
    painter: QPainter, theme: Theme, rect: QRect, option: QStyleOptionViewItem, *, shown: bool
) -> None:
    """Draw what lies behind a row: open, under the mouse, or under the keyboard."""
    state: QStyle.StateFlag = option.state
    view: QWidget = option.widget
    focus = bool(state & _STATE.State_Selected) and view.hasFocus()
    fill: QColor | None = None
    if shown:
        fill = theme.colour("surface")
    elif state & (_STATE.State_MouseOver | _STATE.State_Selected):
        fill = theme.colour("hover") if state & _STATE.State_MouseOver or focus else None
    edge = theme.colour("accent" if focus else "border") if shown or focus else None
    if fill is None and edge is None:
        return
    painter.setPen(QPen(edge, 1.0) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(fill or Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a snippet without its marks, and where the matches were: (start, length)."""
    plain: list[str] = []
    ranges: list[tuple[int, int]] = []
    at, start = 0, -1
    for letter in text:
        if letter == ISOLATE:
            start = at
        elif letter == POP:
            if start >= 0:
                ranges.append((start, at - start))
            start = -1
        else:
            seen = shown(letter)
            plain.append(seen)
            at += len(seen)
    return "".join(plain), ranges


def dated(moment: datetime, now: datetime) -> str:
    """Return a moment as shortly as it can be said: a time, a day, or a day and year."""
    here, today = moment.astimezone(), now.astimezone()
    if here.date() == today.date():
        return f"{here:%H:%M}"
    day = f"{here.day} {here:%b}"
    return day if here.year == today.year else f"{day} {here.year}"


def _strong(start: int, length: int, theme: Theme) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, length
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.DemiBold)
    look.setForeground(theme.colour("accent"))
    found.format = look
    return found


def _leading() -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading


def _trailing() -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTrailing


def _rect(option: QStyleOptionViewItem) -> QRect:
    rect: QRect = option.rect
    return rect
