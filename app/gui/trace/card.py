"""One find: its words, why an answer uses it, and behind a fold what made it score as it did."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QTextDocument
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from app.domain import trace, why
from app.domain.conversation import Role
from app.domain.ids import Clock
from app.domain.language.text import clipped
from app.domain.memory import Trust
from app.domain.recall import Hit
from app.gui.theme import Theme
from app.gui.trace.bars import Bars
from app.gui.trace.fold import DetailsFold
from app.gui.trace.source import TraceSource
from app.gui.trace.wording import bars, found_by, kind_line, noted, replaced
from app.gui.widgets import Chip, Label, fill, tip, vbox

_TEXT = 220
_READ = 4 * _TEXT
_STOPS = ".:;!?,"


def trust_chip(trust: Trust) -> Chip:
    """Return the badge of what is not the person's word; its tool tip says why that matters."""
    chip = Chip(trace.TRUSTS[trust], "warn", f"why_{trust}")
    chip.setToolTip(tip(trace.care(trust)))
    chip.setAccessibleDescription(trace.care(trust))
    return chip


class WhyCard(QFrame):
    """One find: why it is used, or why it was left out; the figures are folded away."""

    opened = Signal()  # the person wants to see the find itself

    def __init__(
        self, theme: Theme, source: TraceSource, clock: Clock, *, told: bool = False
    ) -> None:
        super().__init__()
        self.hit = hit = source.hit
        self.setObjectName("why_card")
        self.setProperty("surface", "card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        column = vbox(self._head(source), 3, of=self, margins=(12, 11, 12, 7), spacing=3)
        labels = list(_labels(source, clock, told))
        for label in labels:
            column.addWidget(label)
        if trace.care(hit.standing):
            fill(column, 4, (trust_chip(hit.standing), 0, Qt.AlignmentFlag.AlignLeading))
            if words := _care(hit):
                fill(column, 2, Label(words, "small", wrap=True, name="why_care"))
        column.addWidget(self._details(theme, clock))
        self.setAccessibleName(hit.text)
        self.setAccessibleDescription(". ".join(label.text() for label in labels))

    def _details(self, theme: Theme, clock: Clock) -> DetailsFold:
        """Return a fold with what it is, how it was found, and what made it score as it did."""
        hit, fold = self.hit, DetailsFold(theme, "Details", "why_details")
        said = [
            ("why_kind", " · ".join(_kind(hit, clock))),
            ("why_lanes", found_by(hit)),
            ("why_note", noted(hit)),
        ]
        for name, words in said:
            if words:
                fold.body.addWidget(Label(words, "small", wrap=True, name=name))
        if not hit.dropped and (lines := bars(hit)):
            fill(fold.body, 4, Bars(theme, lines, "factor_bars"))
        fold.body.setContentsMargins(0, 2, 0, 5)
        return fold

    @staticmethod
    def _head(source: TraceSource) -> QHBoxLayout:
        hit, row = source.hit, QHBoxLayout()
        row.setSpacing(8)
        if source.number:
            number = Label(str(source.number), "number", name="why_number")
            row.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
        words = clipped(_plain(hit), _TEXT)
        role = "muted" if hit.dropped else "body"
        row.addWidget(Label(words, role, wrap=True, name="why_text"), 1)
        return row

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open with a click."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self.opened.emit()


def _plain(hit: Hit) -> str:
    """Return the words of a find; those of an answer without the marks of its Markdown."""
    if hit.role is not Role.ASSISTANT:
        return hit.text
    document = QTextDocument()
    document.setMarkdown(hit.text[:_READ], QTextDocument.MarkdownFeature.MarkdownNoHTML)
    lines = filter(None, map(str.strip, document.toPlainText().splitlines()))
    return "".join(f"{line} " if line[-1] in _STOPS else f"{line} · " for line in lines).strip(" ·")


def _labels(source: TraceSource, clock: Clock, told: bool) -> Iterator[QLabel]:
    """Yield a label for each thing to say of a find, below its words."""
    hit = source.hit
    lost = "" if told else trace.lost(hit)
    said: list[tuple[str, str, str]] = [
        ("why_sentence", "secondary", why.sentence(hit, source.asked, clock())),
        ("why_lost", "warn", "forgotten since" if source.gone else lost),
        ("why_replaced", "warn", replaced(hit)),
    ]
    for name, role, words in said:
        if words:
            yield Label(words, role, wrap=True, name=name)


def _kind(hit: Hit, clock: Clock) -> list[str]:
    """Return what it is; where it is not the person's word, the badge says that already."""
    words = kind_line(hit, clock())
    flagged = trace.TRUSTS[hit.standing] if trace.care(hit.standing) else ""
    return [word for word in words if word != flagged]


def _care(hit: Hit) -> str:
    """Return why a find from outside that got through is treated with care."""
    return "" if hit.dropped else trace.care(hit.standing)
