"""A fold with what each step of a recall did, and how long it took."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.recall import Recall
from app.gui.theme import Theme
from app.gui.trace.bars import Bars
from app.gui.trace.wording import milliseconds, step_bars
from app.gui.widgets import Button, Label
from app.gui.widgets.filling import add, clear


class Steps(QWidget):
    """A button that folds the steps out and in; they are drawn when they are first seen.

    Signals:
        unfolded: The steps are shown now.
    """

    unfolded = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("trace_steps")
        self._theme = theme
        self._recall: Recall | None = None
        self.button = Button(theme, "Steps", "trace_steps_toggle", "fold", "caret-right")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._on_toggled)
        self._body = QVBoxLayout()
        self._body.setContentsMargins(2, 2, 2, 0)
        self._body.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.button)
        column.addLayout(self._body)
        theme.changed.connect(self._fill)
        self.hide()

    def show_recall(self, recall: Recall | None) -> None:
        """Show the steps of a recall, folded as the last one's were; or none."""
        if recall is self._recall:
            return
        self._recall = recall
        steps = recall.steps if recall else ()
        self.setVisible(bool(steps))
        if recall and steps:
            words = f"{len(steps)} steps, {milliseconds(recall.milliseconds)}"
            self.button.setText(words)
            self.button.setAccessibleName(f"{words}: show what each did")
        self._fill()

    def _on_toggled(self, open_: bool) -> None:
        self.button.set_icon("caret-down" if open_ else "caret-right")
        self._fill()
        if open_:
            self.unfolded.emit()

    def _fill(self) -> None:
        clear(self._body)
        if self._recall is None or not self.button.isChecked():
            return
        add(self._body, Bars(self._theme, step_bars(self._recall), "step_bars"))
        for step in self._recall.steps:
            if step.note:
                role = "warn" if step.note in self._recall.degraded else "small"
                add(self._body, Label(step.note, role, wrap=True, name="step_note"))
