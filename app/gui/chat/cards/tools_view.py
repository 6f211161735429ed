"""What a model called while it answered: a line, and behind it each call with what came of it."""

from collections.abc import Sequence

from app.domain.language.text import clipped
from app.domain.prompting.tools import ToolUse
from app.gui.theme import Theme
from app.gui.trace.fold import DetailsFold
from app.gui.widgets import Label
from app.gui.widgets.filling import add, clear

HEADLINE, LINE, LINES = 80, 240, 12  # characters of a line, lines of a result
WORKING, STOPPED, FAILED, MORE = "…", "Stopped.", "Refused: {}", "… and {:,} more lines"


class ToolsView(DetailsFold):
    """The calls of an answer, folded at first; hidden where there are none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", "answer_tools")
        self._uses: Sequence[ToolUse] = ()
        self._live = False
        self.body.setContentsMargins(2, 2, 2, 10)
        self.body.setSpacing(4)
        self.unfolded.connect(self._fill)
        self.hide()

    def show_uses(self, uses: Sequence[ToolUse], *, live: bool) -> None:
        """Show what was called so far."""
        if (tuple(uses), live) == (tuple(self._uses), self._live):
            return
        self._uses, self._live = uses, live
        if uses:
            words = headline(uses, live=live)
            self.button.setText(clipped(words, HEADLINE))
            self.button.setAccessibleName(f"{words}: show what the model called")
        self.setVisible(bool(uses))
        self._fill()

    def _fill(self) -> None:
        clear(self.body)
        if not self.open:
            return
        for use in self._uses:
            add(self.body, Label(use.words, "row", wrap=True, name="tool_call"))
            for line in self._outcome(use):
                add(self.body, Label(line, "small", wrap=True, name="tool_result"))

    def _outcome(self, use: ToolUse) -> list[str]:
        """Return what came of a call, line by line, as far as anybody would read it."""
        if use.result is None:
            return [WORKING if self._live else STOPPED]
        lines = [clipped(line, LINE) for line in use.result.text.splitlines() if line.strip()]
        rest = [MORE.format(len(lines) - LINES)] if len(lines) > LINES else []
        shown = [*lines[:LINES], *rest]
        return [FAILED.format(" ".join(shown))] if use.result.failed else shown

    def fit(self, width: int) -> None:
        """Be this wide."""
        self.setFixedWidth(width)


def headline(uses: Sequence[ToolUse], *, live: bool) -> str:
    """Return in a line what was called: the last of it while the answer is in the making."""
    if len(uses) == 1 or live:
        return f"{uses[-1].words}{'…' if live and uses[-1].result is None else ''}"
    return f"{uses[0].words}, and {len(uses) - 1} more"
