"""How much of the model's window the conversation takes, and how fast the model writes."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from app.domain.jobs.working import WorkStage
from app.gui.chat.cards.live import Live
from app.gui.chat.model import ChatTurn
from app.gui.chat.wording import tokens
from app.gui.widgets import Label, hbox, named, restyled
from app.gui.widgets.foreign import tip
from app.services.answer.estimating import estimated

NEARLY_FULL = 0.9
_TO_FILL = 8  # letters for each token of the window: a longer text fills it in any case
_BAR = 60
_COUNTED = "The conversation takes up {:,} of the {:,} tokens that the model reads at once; it"
_CLICK = "Click to see what it reads."
_BY_MODEL, _ESTIMATED = "counted them itself.", "has not counted them, so they are estimated."


@dataclass(frozen=True, slots=True)
class Filling:
    """What the meter shows.

    Attributes:
        used: How many tokens the conversation takes.
        window: How many the model reads at once; 0 where nobody counts.
        counted: Whether the model counted them; else they are estimated.
        per_second: How many tokens come each second; 0 where none come.
    """

    used: int = 0
    window: int = 0
    counted: bool = False
    per_second: float = 0.0


def filling(turns: Sequence[ChatTurn], live: Live | None, model: str, window: int) -> Filling:
    """Return how far a conversation fills the window, in tokens, of the model of this id."""
    written, pace = (len(live.pieces), live.per_second) if live else (0, 0.0)
    if live is not None and live.working is not None and live.working.stage is WorkStage.READING:
        return Filling(min(live.working.total + written, window), window, True, pace)
    later = 0
    for turn in reversed(turns):
        took = turn.recall.recall.took if turn.recall else None
        if took is not None and turn.message.model == model:
            used = took.tokens + later + written
            counted = took.counted and not later
            return Filling(min(used, took.window), took.window, counted, pace)
        later += 0 if turn.live else estimated(turn.message.text[: window * _TO_FILL])
        if later >= window:
            break
    return Filling(min(later + written, window), window, False, pace)


class ContextMeter(QWidget):
    """A slim bar and its figures, which open what the model sees; nothing where no model reads."""

    opened = Signal()  # the person wants to see what the model sees

    def __init__(self) -> None:
        super().__init__()
        named(self, "context_meter", "Context used")
        self._bar = named(QProgressBar(), "context_bar", "Context used")
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(_BAR)
        self._figures = Label("", "small", name="context_figures")
        hbox(self._bar, self._figures, of=self, margins=0, spacing=8)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._filling = Filling()
        self._narrow = False
        self.show_filling(Filling())

    def show_filling(self, found: Filling) -> None:
        """Show how full the window is."""
        self._filling = found
        shown = found.window > 0 and found.used > 0
        self._figures.setText(" · ".join(self._pieces()))
        by = _BY_MODEL if found.counted else _ESTIMATED
        told = f"{_COUNTED.format(found.used, found.window)} {by} {_CLICK}" if shown else ""
        self.setToolTip(tip(told))
        self.setAccessibleDescription(told)
        tone = "full" if shown and found.used >= NEARLY_FULL * found.window else "plain"
        if tone != self._bar.property("tone"):
            restyled(self._bar, tone=tone)
        self._bar.setVisible(shown)
        self._bar.setMaximum(max(1, found.window))
        self._bar.setValue(min(found.used, max(1, found.window)))
        self.setVisible(bool(self._figures.text()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open what the model sees."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.opened.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open what the model sees with Return, Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def set_narrow(self, narrow: bool) -> None:
        """Say less where there is little room."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.show_filling(self._filling)

    def _pieces(self) -> list[str]:
        found = self._filling
        pieces = []
        if found.window > 0 and found.used > 0:
            unit = "" if self._narrow else " tokens"
            pieces.append(f"{tokens(found.used)} of {tokens(found.window)}{unit}")
        if found.per_second >= 0.1 and not self._narrow:
            pace = f"{found.per_second:.0f}" if found.per_second >= 1 else "< 1"
            pieces.append(f"{pace} tok/s")
        return pieces
