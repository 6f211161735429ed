"""One piece of an answer in its place: set in as its list is, with a bar for each quotation."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.gui.chat.text.blocks import Block, BlockKind
from app.gui.chat.text.code import CodeView
from app.gui.chat.text.prose import Prose, Table
from app.gui.chat.text.style import INDENT, TextStyle
from app.gui.chat.text.view import TextView
from app.gui.widgets import line

QUOTE = 14
_BAR = 3.0


class Segment(QWidget):
    """Consecutive blocks that one widget can draw."""

    def __init__(self, style: TextStyle, first: Block, before: Block | None) -> None:
        super().__init__()
        self.setObjectName("answer_segment")
        self._style = style
        self._first = first
        self._place = _place(style, first, before)
        self._left, self._top = self._place[-2:]
        self._width = 0
        self.content: Prose | Table | CodeView | QWidget = self._made(first)
        self.content.setParent(self)

    def _made(self, first: Block) -> Prose | Table | CodeView | QWidget:
        match first.kind:
            case BlockKind.CODE:
                return CodeView(self._style, first.language)
            case BlockKind.TABLE:
                return Table(self._style)
            case BlockKind.RULE:
                return line("answer_rule")
        return Prose(self._style)

    @property
    def text_view(self) -> TextView | None:
        """The text in it that can be selected."""
        if isinstance(self.content, CodeView):
            return self.content.view
        return self.content if isinstance(self.content, TextView) else None

    def takes(self, block: Block) -> bool:
        """Whether a further block belongs in here."""
        if isinstance(self.content, CodeView):
            return block.continues
        if not isinstance(self.content, Prose) or self.content.full:
            return False
        return (
            block.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING)
            and block.quote == self._first.quote
        )

    def resembles(self, first: Block, before: Block | None) -> bool:
        """Whether it would be the same, had it been made for this block."""
        return self._place == _place(self._style, first, before)

    def draw(self, done: Sequence[Block], still_open: Sequence[Block]) -> None:
        """Add finished blocks for good, and show the open ones after them."""
        if isinstance(self.content, Prose):
            self.content.draw(done, still_open)
        elif isinstance(self.content, CodeView):
            self.content.draw(*("".join(b.text for b in blocks) for blocks in (done, still_open)))
        elif isinstance(self.content, Table) and (blocks := (*done, *still_open)):
            self.content.draw(blocks[-1])
        self._settle()

    def fit(self, width: int) -> None:
        """Be this wide."""
        self._width = width
        room = width - self._left
        if isinstance(self.content, Prose | Table | CodeView):
            self.content.fit(room)
        else:
            self.content.setFixedWidth(room)
        self._settle()

    def _settle(self) -> None:
        """Be as tall as what is in it; no layout is asked, there may be a thousand segments."""
        if self._width:
            left = self._left
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                left = self._width - self._left - self.content.width()
            self.content.move(left, self._top)
            self.resize(self._width, self._top + self.content.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars of quotations."""
        if not self._first.quote:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._style.theme.colour("track"))
        for depth in range(self._first.quote):
            left = self._style.theme.px(depth * QUOTE)
            box = QRectF(left, self._top, _BAR, self.height() - self._top)
            painter.drawRoundedRect(box, _BAR / 2, _BAR / 2)


def _place(style: TextStyle, first: Block, before: Block | None) -> tuple[str, str, int, int, int]:
    """Return what decides how a segment is made; its left and top margins come last."""
    text = first.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING)
    kind = BlockKind.PARAGRAPH if text else first.kind
    left = first.quote * QUOTE + (0 if text else first.depth * INDENT)
    return kind, first.language, first.quote, style.theme.px(left), style.gap(before, first)
