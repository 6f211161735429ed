"""What judges gave an answer: each criterion with its mark and the reason."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.domain.prompting.judge import HIGHEST, AnswerScore
from app.gui.theme import Theme
from app.gui.trace.bars import Bars
from app.gui.trace.wording import Bar
from app.gui.widgets import Label, named, vbox
from app.gui.widgets.filling import add, clear


class ScoreList(QWidget):
    """The marks of one answer; nothing is seen of it where there are none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "why_scores", "Scores")
        self._theme = theme
        self._scores: Sequence[AnswerScore] = ()
        self._rows = vbox(spacing=12)
        vbox(Label("Scores", "strong", name="why_scores_title"), self._rows, of=self, margins=0)
        theme.changed.connect(self._fill)
        self.hide()

    def show_scores(self, scores: Sequence[AnswerScore]) -> None:
        """Show other marks."""
        if scores != self._scores:
            self._scores = scores
            self._fill()
        self.setVisible(bool(scores))

    def _fill(self) -> None:
        clear(self._rows)
        for one in self._scores:
            bar = Bar(one.judge, one.score / HIGHEST, mark(one.score))
            row = named(QWidget(), "score")
            inside = vbox(
                Label(one.criterion, "body", wrap=True, name="score_criterion"),
                Bars(self._theme, [bar], "score_bar"),
                of=row,
                margins=0,
                spacing=2,
            )
            if one.reasoning:
                add(inside, Label(one.reasoning, "secondary", wrap=True, name="score_reason"))
            add(self._rows, row)


def mark(score: float) -> str:
    """Return a mark as it is read: "8 of 10", "7.5 of 10"."""
    return f"{round(score, 1):g} of {HIGHEST:g}"
