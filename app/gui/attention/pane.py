"""The widgets of what waits for the person: memories by conversation, then contradictions."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from app.domain.contradiction import Contradiction
from app.domain.memory import Proposal, Status
from app.gui.attention.cards import ContradictionCard, ProposalCard, WaitingCard
from app.gui.attention.notices import (
    BACKUPS,
    FOREIGN,
    LEARNER,
    ForeignCard,
    LearnerCard,
    NoticeCard,
)
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Chip,
    EmptyState,
    Header,
    Label,
    NoticeBar,
    ScrolledColumn,
    filling,
    hbox,
    named,
    pile,
)

WIDTH = 760
PART = 14
SHOWN = 200
ELSEWHERE = "From other places"


class AttentionPane(QWidget):
    """What waits for the person."""

    # ids of memories; another text for one of them, or empty
    accepted = Signal(object, str)
    rejected = Signal(object)  # ids of memories
    foreign_accepted = Signal()  # what something else than Loci changed may stay as it is
    backups_requested = Signal()  # the backups shall be shown
    learner_retried = Signal()  # the learning model that was given up shall try again
    # the Contradiction; the Settlement; a text, or empty; the id of the
    # memory that is edited, or empty
    settled = Signal(object, object, str, str)
    place_requested = Signal(str, str)  # the conversation's id; the message's id
    memory_requested = Signal(str)  # its id
    closed = Signal()  # a box was put away, so that what it held back can be shown

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._cards: dict[str, WaitingCard] = {}
        self._kept: dict[str, WaitingCard] = {}
        named(self, "attention", "To review")
        self.notice = NoticeBar(theme, "attention_notice")
        self.count = Chip("", "warn", "attention_count")
        self.count.hide()
        self.nothing = EmptyState(
            theme,
            "tray",
            "Nothing to review",
            "What Loci would like to remember, and memories that contradict each other, appear"
            " here.",
            "attention_nothing",
        )
        scrolled = ScrolledColumn("attention", WIDTH)
        self._column = scrolled.column
        self._places = named(QStackedWidget(), "attention_places")
        for place in (self.nothing, scrolled):
            self._places.addWidget(place)
        header = Header("To review", "attention_header")
        header.row.insertWidget(1, self.count)
        pile(self, header, self.notice, self._places, growing=self._places)

    def show_waiting(
        self,
        proposals: Sequence[Proposal],
        contradictions: Sequence[tuple[Contradiction, str]],
        now: datetime,
        foreign: Sequence[str] = (),
        late: Sequence[str] = (),
        given_up: Sequence[str] = (),
    ) -> None:
        """Show what waits; each contradiction comes with the text that a merge begins with.

        What something else than Loci changed comes first, in sentences, then whether backups fail
        or are late and whether the learning model is given up. A card on which the person writes
        stays as it is for as long as it has anything to say.
        """
        self._take_out()
        filling.clear(self._column)
        told = (proposals, contradictions, foreign, late, given_up)
        total = sum(len(one) for one in told)
        self.count.say(f"{total:,}")
        self.count.setVisible(total > 0)
        self._places.setCurrentIndex(int(total > 0))
        if foreign:
            self._add_foreign(foreign)
        if late:
            self._add_late(late)
        if given_up:
            self._add_given_up(given_up)
        room = SHOWN
        for title, those in _by_conversation(proposals):
            self._add_proposals(title, those, now, room)
            room = max(0, room - len(those))
        if contradictions:
            self._add_title("Contradictions", "contradictions_title")
            for pair, merge in contradictions:
                self._add_contradiction(pair, merge, now)
        self._drop()

    def first_button(self) -> QPushButton | None:
        """Return the first button of the topmost card; None where nothing waits."""
        for card in sorted(self._cards.values(), key=self._column.indexOf):
            for button in card.findChildren(QPushButton):
                if button.isVisibleTo(self) and button.isEnabled():
                    return button
        return None

    def not_saved(self) -> None:
        """Give back what was written, because it could not be saved."""
        for card in self._cards.values():
            for writing in card.writings:
                writing.is_saved = False

    def _take_out(self) -> None:
        """Take the cards out of the column, to be put back where they still fit."""
        self._kept, self._cards = self._cards, {}
        for card in self._kept.values():
            self._column.removeWidget(card)

    def _put_back(self, name: str, shown: object) -> bool:
        """Put a card back that is written on, or that shows the same; say if there is one."""
        card = self._kept.get(name)
        if card is None or (card.shown != shown and not card.typed):
            return False
        self._put(self._kept.pop(name))
        return True

    def _put_new(self, card: WaitingCard) -> None:
        for writing in card.writings:
            writing.closed.connect(self.closed)
        self._put(card)

    def _put(self, card: WaitingCard) -> None:
        self._cards[card.objectName()] = card
        filling.add(self._column, card)

    def _drop(self) -> None:
        """Delete the cards that nothing waits on any more; what was being written is not lost."""
        for card in self._kept.values():
            if card.typed:
                self.notice.say(f"This no longer needs a decision. You had written: “{card.typed}”")
            filling.drop(card)
        self._kept = {}

    def _add_title(self, title: str, name: str) -> None:
        self._part()
        filling.add(self._column, Label(title, "heading", wrap=True, name=name))

    def _part(self) -> None:
        """Leave room above a heading that something stands above."""
        if self._column.count():
            self._column.addSpacing(PART)

    def _add_proposals(
        self, title: str, those: Sequence[Proposal], now: datetime, room: int
    ) -> None:
        """Show the proposals of a conversation, at most so many of them as cards."""
        ids = [proposal.memory.id for proposal in those]
        head = named(QWidget(), f"head_{ids[0]}")
        row = hbox(
            (Label(title, "heading", wrap=True, name=f"title_{ids[0]}"), 1), of=head, margins=0
        )
        # What was set aside as suspicious is looked at one by one.
        plain = [p.memory.id for p in those if p.memory.status is Status.PROPOSED]
        for word, kind, signal, meant in (
            ("Reject all", "ghost", self.rejected.emit, ids),
            ("Accept all", "plain", lambda ids: self.accepted.emit(ids, ""), plain),
        ):
            if len(meant) > 1:
                button = Button(self._theme, word, f"{word.split()[0].lower()}_all_{ids[0]}", kind)
                button.setAccessibleName(f"{word} from {title}")
                button.clicked.connect(lambda _=False, do=signal, ids=meant: do(ids))
                row.addWidget(button)
        self._part()
        filling.add(self._column, head)
        if hidden := max(0, len(those) - room):
            are = "is" if hidden == 1 else "are"
            words = f"{hidden:,} of these {len(those):,} {are} not shown; “all” includes the rest."
            filling.add(self._column, Label(words, "small", wrap=True, name=f"hidden_{ids[0]}"))
        for proposal in those[:room]:
            if self._put_back(f"proposal_{proposal.memory.id}", (proposal, now.date())):
                continue
            card = ProposalCard(self._theme, proposal, now)
            card.accepted.connect(lambda one, text: self.accepted.emit([one], text))
            card.rejected.connect(lambda one: self.rejected.emit([one]))
            card.place_requested.connect(self.place_requested)
            self._put_new(card)

    def _add_foreign(self, foreign: Sequence[str]) -> None:
        self._add_title("Changed outside Loci", "foreign_title")
        if not self._put_back(FOREIGN, foreign):
            card = ForeignCard(self._theme, foreign)
            card.accepted.connect(self.foreign_accepted)
            card.backups_requested.connect(self.backups_requested)
            self._put_new(card)

    def _add_late(self, late: Sequence[str]) -> None:
        self._add_title("Backups", "backups_title")
        if not self._put_back(BACKUPS, late):
            card = NoticeCard(self._theme, BACKUPS, late)
            card.backups_requested.connect(self.backups_requested)
            self._put_new(card)

    def _add_given_up(self, given_up: Sequence[str]) -> None:
        self._add_title("Learning", "learner_title")
        if not self._put_back(LEARNER, given_up):
            card = LearnerCard(self._theme, given_up)
            card.retried.connect(self.learner_retried)
            self._put_new(card)

    def _add_contradiction(self, pair: Contradiction, merge: str, now: datetime) -> None:
        if self._put_back(f"contradiction_{pair.id}", (pair, merge, now.date())):
            return
        card = ContradictionCard(self._theme, pair, merge, now)
        card.settled.connect(self.settled)
        card.memory_requested.connect(self.memory_requested)
        self._put_new(card)


def _by_conversation(proposals: Sequence[Proposal]) -> list[tuple[str, list[Proposal]]]:
    """Return proposals under the title of their conversation, those of no conversation last."""
    found: dict[str, tuple[str, list[Proposal]]] = {}
    for proposal in proposals:
        said = proposal.evidence
        place = (said.conversation_id or "") if said is not None else ""
        name = (said.conversation_title or "Untitled conversation") if said and place else ELSEWHERE
        found.setdefault(place, (name, []))[1].append(proposal)
    elsewhere = found.pop("", None)
    return [*found.values(), *([elsewhere] if elsewhere else [])]
