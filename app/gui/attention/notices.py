"""The cards of what the person should know: changes from outside, backups, a failing model."""

from collections.abc import Sequence

from PySide6.QtCore import Signal

from app.gui.attention.cards import WaitingCard
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, hbox

FOREIGN, BACKUPS, LEARNER = "foreign", "late_backups", "learner"
YOURSELF = (
    "If you put a copy in its place or let another program change it, accept it. Otherwise"
    " restore an earlier backup."
)


class NoticeCard(WaitingCard):
    """Sentences, and a button that leads to the backups."""

    backups_requested = Signal()  # the backups shall be shown

    def __init__(self, theme: Theme, name: str, sentences: Sequence[str], advice: str = "") -> None:
        super().__init__(name, sentences, "warn")
        self.body.setSpacing(10)
        for number, sentence in enumerate(sentences):
            self.body.addWidget(Label(sentence, wrap=True, name=f"{name}_{number}"))
        if advice:
            self.body.addWidget(Label(advice, "small", wrap=True, name=f"{name}_advice"))
        self.backups = Button(theme, "Show backups", f"backups_{name}", "ghost")
        self.backups.clicked.connect(self.backups_requested)
        self.row = hbox(..., self.backups)
        self.body.addLayout(self.row)


class ForeignCard(NoticeCard):
    """What something else than Loci changed, and a button that accepts it."""

    accepted = Signal()  # it may stay as it is

    def __init__(self, theme: Theme, foreign: Sequence[str]) -> None:
        super().__init__(theme, FOREIGN, foreign, YOURSELF)
        accept = Button(theme, "Accept all", f"accept_{FOREIGN}", "plain", then=self.accepted)
        accept.setAccessibleName("Accept everything that was changed outside Loci")
        self.row.addWidget(accept)


class LearnerCard(WaitingCard):
    """Why the learning model is given up, and a button that lets it try again."""

    retried = Signal()  # it shall try again

    def __init__(self, theme: Theme, sentences: Sequence[str]) -> None:
        super().__init__(LEARNER, sentences, "warn")
        self.body.setSpacing(10)
        for number, sentence in enumerate(sentences):
            self.body.addWidget(Label(sentence, wrap=True, name=f"{LEARNER}_{number}"))
        again = Button(theme, "Try again", f"retry_{LEARNER}", "plain", then=self.retried)
        again.setAccessibleName("Let the learning model try again")
        self.body.addLayout(hbox(..., again))
