"""Forget many memories at once, by type and period; the number is shown before anything happens."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.domain.ids import Clock
from app.domain.language.text import counted, shown
from app.domain.memory import MemoryFilter, MemoryType
from app.errors import AppError
from app.gui.inspector.query import local_midnight
from app.gui.theme import Theme
from app.gui.timers import timer
from app.gui.widgets import Button, ErrorBar, Label, Select, hbox, named, vbox
from app.gui.widgets.tick_box import TickBox

_log = logging.getLogger(__name__)
PATIENCE_MS = 150
_TYPES = {
    MemoryType.SEMANTIC: "Facts and preferences",
    MemoryType.EPISODIC: "Events",
    MemoryType.PROCEDURAL: "Standing instructions",
    MemoryType.WORKING: "Passing notes",
}
_PERIODS = {
    "any": "at any time",
    "1": "in the last 24 hours",
    "7": "in the last 7 days",
    "30": "in the last 30 days",
    "dates": "between two dates",
}


class ClearDialog(QDialog):
    """Asks which memories to forget."""

    # how many would that be? Answer with ``show_count``: the MemoryFilter
    count_requested = Signal(object)
    confirmed = Signal(object)  # they should be forgotten: the MemoryFilter

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._count: int | None = None
        self._asked: MemoryFilter | None = None
        self._over = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        named(self, "clear_dialog", "Forget memories")
        self.setWindowTitle("Forget memories")
        self.setModal(True)
        self.types = {
            kind: TickBox(theme, words, f"clear_{kind.value}") for kind, words in _TYPES.items()
        }
        self.period = Select(theme, "When they were learned", "clear_period")
        for key, words in _PERIODS.items():
            self.period.addItem(shown(words.capitalize()), key)
        self.since = _date_line("clear_since", "From")
        self.until = _date_line("clear_until", "Until")
        self.error = ErrorBar(theme, "clear_error")
        self.sentence = Label("", "strong", wrap=True, name="clear_sentence")
        self.forget_button = Button(theme, "Forget", "clear_confirm", "primary")
        self.cancel_button = Button(theme, "Cancel", "clear_cancel")
        self._timer = timer(self, PATIENCE_MS, self._on_timer_ended)
        self._lay_out()
        self._connect()
        self.setMinimumWidth(theme.px(440))
        self._on_changed()

    def _lay_out(self) -> None:
        column = vbox(
            Label("Forget memories", "heading", name="clear_title"),
            of=self,
            margins=(24, 22, 24, 20),
            spacing=8,
        )
        about = (
            "What is forgotten is no longer used or shown. You can undo this. "
            "What is pinned, or trusted as your own word, stays."
        )
        column.addWidget(Label(about, "muted", wrap=True, name="clear_about"))
        column.addSpacing(4)
        column.addWidget(Label("Which", "small", name="clear_which"))
        for box in self.types.values():
            column.addWidget(box)
        column.addSpacing(4)
        column.addWidget(Label("Learned", "small", name="clear_learned"))
        column.addWidget(self.period)
        column.addLayout(hbox(self.since, self.until))
        column.addSpacing(8)
        column.addWidget(self.error)
        column.addWidget(self.sentence)
        column.addStretch(1)
        column.addLayout(hbox(..., self.cancel_button, self.forget_button))

    def _connect(self) -> None:
        changed: Callable[..., None] = self._on_changed
        for box in self.types.values():
            box.toggled.connect(changed)
        self.period.currentIndexChanged.connect(changed)
        for line in (self.since, self.until):
            line.textChanged.connect(changed)
        self.cancel_button.clicked.connect(self.reject)
        self.forget_button.clicked.connect(self._on_forget_clicked)

    def filter(self) -> MemoryFilter | None:
        """Return what is chosen, or None while it is not complete."""
        chosen = frozenset(kind for kind, box in self.types.items() if box.isChecked())
        if not chosen:
            return None
        since, until = self._bounds()
        typed = [line.text().strip() for line in (self.since, self.until)]
        if self.period.currentData() == "dates" and (
            not any(typed) or [bool(bound) for bound in (since, until)] != [bool(t) for t in typed]
        ):
            return None
        return MemoryFilter(types=chosen, since=since, until=until)

    def show_count(self, wanted: MemoryFilter, count: int) -> None:
        """Show how many memories that would be."""
        if self._over or wanted != self._asked:
            return
        self._count = count
        self.sentence.setText(
            f"This forgets {counted(count, 'memory')}." if count else "There are no such memories."
        )
        self.forget_button.setText(f"Forget {counted(count, 'memory')}" if count else "Forget")
        self.forget_button.setAccessibleName(self.forget_button.text())
        self.forget_button.setEnabled(count > 0)

    def refuse(self, error: Exception) -> None:
        """Say why it could not be done."""
        if self._over:
            return
        if not isinstance(error, AppError):
            _log.error("clearing failed", exc_info=error)
        known = isinstance(error, AppError)
        self.error.say(str(error) if known else "Something went wrong; nothing was forgotten.")
        self.forget_button.setEnabled(bool(self._count))

    def finish(self, _changes: object = None) -> None:
        """Close; it is done."""
        if not self._over:
            self.accept()

    def done(self, outcome: int) -> None:
        """Close for good; what still arrives finds nobody."""
        self._over = True
        super().done(outcome)

    def _bounds(self) -> tuple[datetime | None, datetime | None]:
        period = self.period.currentData()
        if period == "any":
            return None, None
        if period != "dates":
            return self._clock() - timedelta(days=int(period)), None
        until = local_midnight(self.until.text().strip())
        return local_midnight(self.since.text().strip()), until

    def _on_changed(self) -> None:
        dates = self.period.currentData() == "dates"
        for line in (self.since, self.until):
            line.setVisible(dates)
        self._count = self._asked = None
        self.error.hide()
        self.forget_button.setText("Forget")
        self.forget_button.setEnabled(False)
        if self.filter() is None:
            typed = any(box.isChecked() for box in self.types.values())
            self.sentence.setText(
                "Write a date, such as 2026-01 or 2026-01-31."
                if typed
                else "Choose what to forget."
            )
            self._timer.stop()
        else:
            self.sentence.setText("Counting…")
            self._timer.start()

    def _on_timer_ended(self) -> None:
        self._asked = self.filter()
        self.count_requested.emit(self._asked)

    def _on_forget_clicked(self) -> None:
        self.forget_button.setEnabled(False)
        self.confirmed.emit(self._asked)


def _date_line(name: str, title: str) -> QLineEdit:
    line = named(QLineEdit(), name, title)
    line.setPlaceholderText(f"{title} 2026-01-31" if title == "From" else f"{title} (not included)")
    return line
