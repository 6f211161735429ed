"""Finds under one another: those that got through, and under a heading those that did not."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.ids import Clock
from app.gui.theme import Theme
from app.gui.trace.card import WhyCard
from app.gui.trace.source import Source
from app.gui.widgets import Label
from app.gui.widgets.filling import add, clear

LEFT_OUT = "Left out"
_NEXT_CARD_MS = 1  # a card is laid out in its own turn, so that many do not hold up the window


class Finds(QWidget):
    """Cards; what nobody sees, and what is there already, is not drawn.

    Signals:
        source_opened: A card was clicked; the Source, and the card.
    """

    source_opened = Signal(object, object)

    def __init__(self, theme: Theme, clock: Clock) -> None:
        super().__init__()
        self.setObjectName("finds")
        self._theme = theme
        self._clock = clock
        self._wanted: tuple[Source, ...] = ()
        self._filled: tuple[Source, ...] | None = None
        self._coming: Iterator[Source] = iter(())
        self._heads = True
        self._pace = QTimer(self)
        self._pace.setInterval(_NEXT_CARD_MS)
        self._pace.timeout.connect(self._on_card_due)
        self._cards = QVBoxLayout(self)
        self._cards.setContentsMargins(0, 0, 0, 0)
        self._cards.setSpacing(10)
        theme.changed.connect(self._on_theme_changed)

    def show_sources(self, sources: Sequence[Source]) -> None:
        """Show these finds; of those that were dropped the first stands under a heading."""
        self._wanted = tuple(sources)
        self._fill()

    def _fill(self) -> None:
        if not self.isVisible():
            self._filled = None
        elif self._wanted != self._filled:
            clear(self._cards)
            self._heads = True
            self._filled, self._coming = self._wanted, iter(self._wanted)
            self._pace.start()

    @Slot()
    def _on_card_due(self) -> None:
        source = next(self._coming, None)
        if source is None:
            self._pace.stop()
            return
        if source.hit.dropped and self._heads:
            self._heads = False
            number = sum(bool(one.hit.dropped) for one in self._wanted)
            add(self._cards, Label(f"{LEFT_OUT} · {number}", "section", name="finds_left_out"))
        card = WhyCard(self._theme, source, self._clock)
        card.opened.connect(lambda: self.source_opened.emit(source, card))
        add(self._cards, card)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._filled = None
        self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while nobody looked."""
        super().showEvent(event)
        self._fill()
