"""The text of an answer: Markdown that may be complete, or arrive word by word."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.domain.language.text import shown
from app.gui.chat.pacing import Pacer, Slices, Steps
from app.gui.chat.text.blocks import Block
from app.gui.chat.text.code import CodeView
from app.gui.chat.text.reader import BlockReader
from app.gui.chat.text.segment import Segment
from app.gui.chat.text.selection import SpanSelection
from app.gui.chat.text.style import TextStyle
from app.gui.chat.text.view import TextView
from app.gui.theme import Theme
from app.gui.widgets import named
from app.gui.widgets.filling import drop

_AT_ONCE = 16
"""Blocks that are drawn between two pauses."""


class AnswerBody(QWidget):
    """Draws Markdown in pieces; only the last, open block is ever drawn twice.

    Attributes:
        citations: How many memories its marks may refer to.
    """

    # an address was clicked; the address and where, on the screen
    link_clicked = Signal(str, QPoint)
    # the number of a memory was clicked; the number and where
    citation_clicked = Signal(int, QPoint)

    def __init__(self, theme: Theme, pacer: type[Pacer] = Pacer) -> None:
        super().__init__()
        named(self, "answer_body", "Answer")
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
        self._undrawn: tuple[list[Block], list[Block]] | None = None
        self._fresh = False
        self._slices.finished.connect(self._on_drawn)

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
        source = shown(source)
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
        self._undrawn, self._fresh = None, False
        self._arrange()

    def append(self, text: str) -> None:
        """Add the next piece of the text; it shows at the next beat."""
        self._reader.feed(shown(text))
        self._fresh = True
        self._pacer.ask()

    def fit(self, width: int) -> None:
        """Be this wide."""
        if width != self._width:
            self._width = width
            for segment in self._segments:
                segment.fit(width)
            self._arrange()

    def _on_beat(self) -> None:
        if not self._reader.finished and not self._slices.busy:
            self._slices.start(self._steps())

    def _on_drawn(self) -> None:
        """Go on, where more came in while the last piece was drawn."""
        if self._fresh:
            self._pacer.ask()

    def _steps(self) -> Steps:
        """Read a little, draw a little; each yield is a pause, after which others may go on."""
        while True:
            if self._undrawn is None:
                self._fresh = False
                self._undrawn = self._reader.step()
                yield
            done, still_open = self._undrawn
            while len(done) > _AT_ONCE:
                self._draw(done[:_AT_ONCE], ())
                del done[:_AT_ONCE]
                yield
            self._undrawn = None
            self._draw(done, still_open)
            if not self._reader.pending:
                return
            yield

    def _draw(self, done: Sequence[Block], still_open: Sequence[Block]) -> None:
        """Put blocks into segments: what is done for good, what is open for now."""
        first = index = self._closed - 1
        last = self._last
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
        self._arrange(max(0, first))

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
        segment.setParent(self)
        if self._width:
            segment.fit(self._width)
        segment.show()

    def _arrange(self, first: int = 0) -> None:
        """Put the segments below one another; no layout is asked, there may be a thousand."""
        if not self._width:
            return
        top = self._segments[first - 1].geometry().bottom() + 1 if first else 0
        for segment in self._segments[first:]:
            segment.move(0, top)
            top += segment.height()
        self.setFixedSize(self._width, top)

    def shed(self) -> bool:
        """Let go of a few of many segments; say whether the rest is too many to go at once."""
        self._slices.stop()
        self._drop_from(max(0, len(self._segments) - _AT_ONCE))
        return len(self._segments) > _AT_ONCE

    def _drop_from(self, index: int) -> None:
        drop(*self._segments[index:])
        del self._segments[index:]
