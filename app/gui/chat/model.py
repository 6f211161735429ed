"""The turns of one conversation, as the transcript shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.domain.conversation import Conversation, Message, Part, PartOrigin, Receipt, Role
from app.domain.prompting.judge import AnswerScore
from app.domain.prompting.tools import ToolUse
from app.domain.recall import Hit, StoredRecall
from app.domain.receipt import receipt_text
from app.domain.reply import NEEDS_MODEL, NOTEBOOK, ORDER, Became, StatementOutcome
from app.gui.chat.text.style import MODELS
from app.gui.trace.source import TraceSource

MOST_CHIPS = 6
TAKEN_BACK = "Taken back: this is not remembered any more."

_LEADING = NEEDS_MODEL.replace("Models", f"[Models]({MODELS})")

NOTHING: Mapping[str, Sequence[Became]] = {}
NO_CALLS: Mapping[str, Sequence[ToolUse]] = {}
NO_SCORES: Mapping[str, Sequence[AnswerScore]] = {}

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class TurnRole(IntEnum):
    """What the model says of a turn besides its words."""

    TURN = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One message with what belongs to it.

    Attributes:
        recall: The trace of an answer.
        receipts: What was remembered of the exchange that this answer ends.
        became: What else became of what was stated in it, where a model answered.
        notices: Sentences the person should see.
        failure: What kept this message of the person's from being answered.
        too_large: Whether that was its length, so that it can be answered without it.
        unanswered: Why it has no answer, where nothing failed.
        live: Whether this answer is being written.
        doing: What is being done before its first word comes.
        uses: What the model called while it answered.
        scores: What judges gave it.
    """

    message: Message
    recall: StoredRecall | None = None
    receipts: tuple[Receipt, ...] = ()
    became: tuple[Became, ...] = ()
    notices: tuple[str, ...] = ()
    failure: str = ""
    too_large: bool = False
    unanswered: str = ""
    live: bool = False
    doing: str = ""
    uses: tuple[ToolUse, ...] = ()
    scores: tuple[AnswerScore, ...] = ()

    @property
    def key(self) -> str:
        """What identifies it in the transcript."""
        return self.message.id

    @property
    def own(self) -> bool:
        """Whether the person said it."""
        return self.message.role is Role.USER

    @property
    def by_model(self) -> bool:
        """Whether a language model wrote it."""
        return self.message.model != NOTEBOOK

    @property
    def words(self) -> str:
        """What it says in words; what it tells on cards and in receipts is left out."""
        said = "".join(part.text for part in self.message.parts if not part.name).strip()
        return said if self.by_model else said.replace(NEEDS_MODEL, _LEADING)


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation with all its turns; a long one is put together away from the window."""

    conversation: Conversation
    turns: Sequence[ChatTurn] = ()
    draft: str = ""


def turns_of(
    messages: Sequence[Message],
    receipts: Sequence[Receipt],
    recalls: Mapping[str, StoredRecall],
    became: Mapping[str, Sequence[Became]] = NOTHING,
    uses: Mapping[str, Sequence[ToolUse]] = NO_CALLS,
    scores: Mapping[str, Sequence[AnswerScore]] = NO_SCORES,
) -> list[ChatTurn]:
    """Return the turns of a conversation; a receipt goes under the answer that follows it."""
    written: dict[str, list[Receipt]] = {}
    for receipt in receipts:
        written.setdefault(receipt.message_id, []).append(receipt)
    turns: list[ChatTurn] = []
    waiting: list[Receipt] = []
    for message in messages:
        if message.role is Role.USER:
            _settle(turns, waiting)
            waiting = written.get(message.id, [])
            turns.append(ChatTurn(message, notices=_told(message)))
        elif message.role is Role.ASSISTANT:
            own = (*waiting, *written.get(message.id, ()))
            told = () if message.model == NOTEBOOK else became.get(message.parent_id or "", ())
            recall = recalls.get(message.id)
            turn = ChatTurn(message, recall, own, tuple(told), _told(message))
            marks = tuple(scores.get(message.id, ()))
            turns.append(replace(turn, uses=tuple(uses.get(message.id, ())), scores=marks))
            waiting = []
    _settle(turns, waiting)
    return turns


def _told(message: Message) -> tuple[str, ...]:
    """Return what the person should know of a message before they read it."""
    return (message.error,) if message.damaged else ()


def _settle(turns: list[ChatTurn], waiting: list[Receipt]) -> None:
    if waiting and turns:
        turns[-1] = replace(turns[-1], receipts=tuple(waiting))


def sources(turn: ChatTurn) -> list[TraceSource]:
    """Return every find that got through: those in the prompt first, in their order."""
    if turn.recall is None:
        return []
    stored = turn.recall
    numbers = {hit_id: number for number, hit_id in enumerate(stored.in_prompt, start=1) if hit_id}
    cited = set(stored.cited)
    found = [
        TraceSource(hit, numbers.get(hit.id, 0), hit.id in cited) for hit in stored.recall.hits
    ]
    return sorted(found, key=lambda source: source.number or len(found) + 1)


def chips(turn: ChatTurn) -> tuple[list[TraceSource], int]:
    """Return what an answer used, as its chips show it, and how many more finds were considered."""
    found = sources(turn)
    shown = [source for source in found if source.cited][:MOST_CHIPS]
    lost = turn.recall.recall.lost if turn.recall else 0
    return shown, len(found) - len(shown) + lost


def meant(turn: ChatTurn) -> list[Hit] | None:
    """Return the memories that an order meant, as they are now; None where it was no order."""
    if all(part.name != ORDER for part in turn.message.parts):
        return None
    recall = turn.recall.recall if turn.recall else None
    return [*recall.hits, *recall.dropped] if recall else []


def outcomes(turn: ChatTurn) -> list[Part]:
    """Return what an answer says became of a message, where no receipt says it now."""
    told = [part for part in turn.message.parts if part.name in set(StatementOutcome)]
    told += [Part(receipt_text(one), PartOrigin.MODEL, one.outcome) for one in turn.became]
    written = [
        part
        for part in told
        if part.name in (StatementOutcome.REMEMBERED, StatementOutcome.UPDATED)
    ]
    if turn.receipts:
        return [p for p in told if p not in written and p.name != StatementOutcome.ONLY_HERE]
    taken_back = [replace(written[0], text=TAKEN_BACK)] if written else []
    return [*taken_back, *(part for part in told if part not in written)]


class TranscriptModel(QAbstractListModel):
    """The turns, oldest first; a change tells only of the rows it touches."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turns: list[ChatTurn] = []

    @property
    def turns(self) -> Sequence[ChatTurn]:
        """All turns."""
        return self._turns

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Return how many turns there are."""
        return 0 if parent.isValid() else len(self._turns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a turn's words, or the turn."""
        if not index.isValid():
            return None
        turn = self._turns[index.row()]
        if role == TurnRole.TURN:
            return turn
        if role == Qt.ItemDataRole.DisplayRole:
            return turn.message.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{'You' if turn.own else 'Loci'}: {turn.message.text}"
        return None

    def restart(self, turns: Sequence[ChatTurn]) -> None:
        """Show another conversation."""
        self.beginResetModel()
        self._turns = list(turns)
        self.endResetModel()

    def update(self, turns: Sequence[ChatTurn]) -> None:
        """Show a later state of the same conversation."""
        same = 0
        for old, new in zip(self._turns, turns, strict=False):
            if old.key != new.key:
                break
            if old != new:
                self.put(same, new)
            same += 1
        self.replace_from(same, turns[same:])

    def replace_from(self, row: int, turns: Sequence[ChatTurn]) -> None:
        """Show other turns in place of everything from a row on."""
        if row < len(self._turns):
            self.beginRemoveRows(_ROOT, row, len(self._turns) - 1)
            del self._turns[row:]
            self.endRemoveRows()
        if turns:
            self.beginInsertRows(_ROOT, row, row + len(turns) - 1)
            self._turns.extend(turns)
            self.endInsertRows()

    def put(self, row: int, turn: ChatTurn) -> None:
        """Show another state of one turn."""
        self._turns[row] = turn
        index = self.index(row)
        self.dataChanged.emit(index, index)

    def row_of(self, key: str) -> int:
        """Return the row of a turn, or -1."""
        backwards = range(len(self._turns) - 1, -1, -1)
        return next((row for row in backwards if self._turns[row].key == key), -1)
