"""The text of an answer: Markdown that may be complete, or arrive word by word."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.gui.chat.pacing import Pacer, Slices
from app.gui.chat.text.blocks import Block
from app.gui.chat.text.code import CodeView
from app.gui.chat.text.reader import BlockReader
from app.gui.chat.text.segment import Segment
from app.gui.chat.text.selection import SpanSelection
from app.gui.chat.text.style import TextStyle
from app.gui.chat.text.view import TextView
from app.gui.theme import Theme

_AT_ONCE = 16
"""Blocks that are drawn between two pauses."""


class AnswerBody(QWidget):
    """Draws Markdown in pieces; only the last, open block is ever drawn twice.

    Attributes:
        citations: How many memories its marks may refer to.

    Signals:
        link_clicked: An address was clicked; the address and where, on the screen.
        citation_clicked: The number of a memory was clicked; the number and where.
    """

    link_clicked = Signal(str, QPoint)
    citation_clicked = Signal(int, QPoint)

    def __init__(self, theme: Theme, pacer: type[Pacer] = Pacer) -> None:
        super().__init__()
        self.setObjectName("answer_body")
        self.setAccessibleName("Answer")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._style = TextStyle(theme)
        self._reader = BlockReader()
        self.citations = 0
        self._width = 0
        self._segments: list[Segment] = []
        self._closed = 0
        self._last: Block | None = None
        self._slices = Slices(self)
        self._pacer = pacer(self._on_beat, lambda ms, beat: QTimer.singleShot(ms, self, beat))
        self.selection = SpanSelection(self.text_views, self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    @property
    def source(self) -> str:
        """The Markdown."""
        return self._reader.source

    @property
    def busy(self) -> bool:
        """Whether more is still to be drawn."""
        return self._slices.busy

    def text_views(self) -> list[TextView]:
        """Return the texts that can be selected, top to bottom."""
        return [view for segment in self._segments if (view := segment.text_view) is not None]

    def code_views(self) -> list[CodeView]:
        """Return the pieces of code, top to bottom."""
        found = (segment.content for segment in self._segments)
        return [content for content in found if isinstance(content, CodeView)]

    def set_text(self, source: str, citations: int) -> None:
        """Show a complete text; a long one appears from the top in slices."""
        if source == self.source and citations == self.citations and self._reader.finished:
            return
        if self.source and source == self.source and citations == self.citations:
            self._reader.finished = True
        else:
            self.begin(citations)
            self._reader.feed(source)
            self._reader.finished = True
        self._slices.start(self._steps())

    def begin(self, citations: int) -> None:
        """Start over with nothing, for a text that will arrive in pieces."""
        self._slices.stop()
        self._pacer.cancel()
        self._reader = BlockReader(citations)
        self.citations = citations
        self._drop_from(0)
        self._closed, self._last = 0, None

    def append(self, text: str) -> None:
        """Add the next piece of the text; it shows at the next beat."""
        self._reader.feed(text)
        self._pacer.ask()

    def fit(self, width: int) -> None:
        """Be this wide."""
        if width == self._width:
            return
        self._width = width
        self.setFixedWidth(width)
        for segment in self._segments:
            segment.fit(width)

    def _on_beat(self) -> None:
        if not self._reader.finished and not self._slices.busy:
            self._slices.start(self._steps())

    def _steps(self) -> Iterator[None]:
        """Read a little, draw a little; each yield is a pause."""
        while True:
            done, still_open = self._reader.step()
            yield
            while len(done) > _AT_ONCE:
                self._draw(done[:_AT_ONCE], ())
                del done[:_AT_ONCE]
                yield
            self._draw(done, still_open)
            if not self._reader.pending:
                return
            yield

    def _draw(self, done: Sequence[Block], still_open: Sequence[Block]) -> None:
        """Put blocks into segments: what is done for good, what is open for now."""
        index, last = self._closed - 1, self._last
        shares: dict[int, tuple[list[Block], list[Block]]] = {}
        if index >= 0:
            shares[index] = ([], [])
        for number, block in enumerate((*done, *still_open)):
            if index < 0 or not self._segments[index].takes(block):
                index += 1
                self._prepare(index, block, last)
            finished, unfinished = shares.setdefault(index, ([], []))
            last = block
            if number < len(done):
                finished.append(block)
                self._closed, self._last = index + 1, block
            else:
                unfinished.append(block)
        for at, (finished, unfinished) in shares.items():
            self._segments[at].draw(finished, unfinished)
        self._drop_from(index + 1)

    def _prepare(self, index: int, block: Block, before: Block | None) -> None:
        """Have a segment for ``block`` at ``index``: the one that is there, or a new one."""
        if index < len(self._segments) and self._segments[index].resembles(block, before):
            return
        self._drop_from(index)
        segment = Segment(self._style, block, before)
        if (view := segment.text_view) is not None:
            view.link_clicked.connect(self.link_clicked)
            view.citation_clicked.connect(self.citation_clicked)
            self.selection.watch(view)
        self._segments.append(segment)
        self._column.addWidget(segment)
        if self._width:
            segment.fit(self._width)

    def _drop_from(self, index: int) -> None:
        for segment in self._segments[index:]:
            self._column.removeWidget(segment)
            segment.hide()
            segment.deleteLater()
        del self._segments[index:]
