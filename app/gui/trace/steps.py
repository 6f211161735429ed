"""A fold with what each step of a recall did, and how long it took."""

from PySide6.QtCore import Slot

from app.domain.recall import Recall
from app.gui.theme import Theme
from app.gui.trace.bars import Bars
from app.gui.trace.fold import DetailsFold
from app.gui.trace.wording import milliseconds, step_bars
from app.gui.widgets import Label
from app.gui.widgets.filling import add, clear


class Steps(DetailsFold):
    """The steps, folded at first; they are drawn when they are first seen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Steps", "trace_steps")
        self._theme = theme
        self._recall: Recall | None = None
        self.unfolded.connect(self._fill)
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

    @Slot()
    def _fill(self) -> None:
        clear(self.body)
        if self._recall is None or not self.open:
            return
        add(self.body, Bars(self._theme, step_bars(self._recall), "step_bars"))
        for step in self._recall.steps:
            if step.note:
                role = "warn" if step.note in self._recall.degraded else "small"
                add(self.body, Label(step.note, role, wrap=True, name="step_note"))
