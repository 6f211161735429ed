"""Finds under one another: those that got through, and under a heading those that did not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.domain import trace
from app.domain.ids import Clock
from app.gui.theme import Theme
from app.gui.timers import timer
from app.gui.trace.card import WhyCard
from app.gui.trace.source import TraceSource
from app.gui.widgets import Label, vbox
from app.gui.widgets.filling import add, clear

LEFT_OUT = "Left out"
_NEXT_CARD_MS = 1  # a card is laid out in its own turn, so that many do not hold up the window


@dataclass(frozen=True, slots=True)
class _Page:
    """What is to be shown, as ``Finds.show_sources`` is given it."""

    sources: tuple[TraceSource, ...] = ()
    lost: int = 0
    told: bool = False

    @property
    def dropped(self) -> list[TraceSource]:
        """Those that did not get through."""
        return [source for source in self.sources if source.hit.dropped]

    @property
    def shared(self) -> str:
        """Why they did not, where that is the same for all and need be said only once."""
        reasons = {trace.lost(source.hit) for source in self.dropped}
        once = self.told or len(self.dropped) > 1
        return reasons.pop() if once and len(reasons) == 1 else ""


class Finds(QWidget):
    """Cards; what nobody sees, and what is there already, is not drawn."""

    source_opened = Signal(object, object)  # a card was clicked; the Source, and the card

    def __init__(self, theme: Theme, clock: Clock) -> None:
        super().__init__()
        self.setObjectName("finds")
        self._theme = theme
        self._clock = clock
        self._wanted = _Page()
        self._filled: _Page | None = None
        self._coming: Iterator[TraceSource] = iter(())
        self._heads = True
        self._pace = timer(self, _NEXT_CARD_MS, self._on_card_due, again=True)
        self._cards = vbox(of=self, margins=0, spacing=10)
        theme.changed.connect(self._on_theme_changed)

    def show_sources(
        self, sources: Sequence[TraceSource], lost: int = 0, *, told: bool = False
    ) -> None:
        """Show these finds; of those that were dropped the first stands under a heading.

        Args:
            sources: The finds.
            lost: How many were dropped in all, if not all of them are here.
            told: Whether it is said elsewhere why, where that is the same for all.
        """
        self._wanted = _Page(tuple(sources), lost, told)
        self._fill()

    def _fill(self) -> None:
        if not self.isVisible():
            self._filled = None
        elif self._wanted != self._filled:
            clear(self._cards)
            self._heads = True
            self._filled, self._coming = self._wanted, iter(self._wanted.sources)
            self._pace.start()

    @Slot()
    def _on_card_due(self) -> None:
        source = next(self._coming, None)
        if source is None:
            self._pace.stop()
            return
        if source.hit.dropped and self._heads:
            self._heads = False
            self._add_head()
        card = WhyCard(self._theme, source, self._clock, told=bool(self._wanted.shared))
        card.opened.connect(lambda: self.source_opened.emit(source, card))
        add(self._cards, card)

    def _add_head(self) -> None:
        """Head what was dropped: how much, and why, where that is the same for all."""
        page = self._wanted
        number = trace.part(len(page.dropped), page.lost)
        add(self._cards, Label(f"{LEFT_OUT} · {number}", "section", name="finds_left_out"))
        if page.shared and not page.told:
            add(self._cards, Label(page.shared, "warn", wrap=True, name="finds_why_left_out"))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._filled = None
        self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while nobody looked."""
        super().showEvent(event)
        self._fill()
