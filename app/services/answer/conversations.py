"""The list of conversations, and what one of them holds."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from app.domain.changes import Changes
from app.domain.conversation import (
    Conversation,
    FoundMessage,
    MemoryMode,
    Message,
    Receipt,
    Standing,
)
from app.domain.jobs.kinds import BECAME, LEARN, LEARN_MORE
from app.domain.memory import DEFAULT_SCOPE, Scope
from app.domain.prompting.tools import ToolUse
from app.domain.recall import StoredRecall
from app.domain.reply import NOT_MEANT, Became, StatementOutcome
from app.errors import Refused
from app.memory.change.passing import PassingNotes
from app.services.upkeep.temporary import TemporaryTalks
from app.store.journal.sent import Turns
from app.store.store import Store

BEGUN = "Only a conversation without messages can become temporary."
KEEP_FIRST = "This conversation is temporary. Keep it before you change what it does with memory."


class ConversationsService:
    """Finds, opens and arranges conversations.

    Args:
        forget: Has models and recall drop what they keep of texts that they read.
    """

    def __init__(self, store: Store, forget: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._passing = PassingNotes(store, store.clock)
        self._temporary = TemporaryTalks(store, forget)
        self._rows = store.conversations
        self._messages = store.messages
        self._recalls = store.recalls
        self._tool_calls = store.tool_calls
        self._sent = store.sent
        self._journal = store.journal
        self._job_monitor = store.job_monitor
        self._memories = store.memories

    def list(self, archived: bool = False) -> Sequence[Conversation]:
        """Return conversations, newest first."""
        return self._rows.list(DEFAULT_SCOPE.agent_pk, archived)

    def get(self, conversation_id: str) -> Conversation:
        """Return one conversation."""
        return self._rows.get(conversation_id)

    def create(self, mode: MemoryMode = MemoryMode.REMEMBERS) -> Conversation:
        """Start an empty conversation; a temporary one is to be left with ``leave``."""
        with self._beginning(mode):
            return self._rows.create(DEFAULT_SCOPE.agent_pk, mode=mode)

    def messages(self, conversation_id: str) -> Sequence[Message]:
        """Return the current branch, oldest first."""
        return self._messages.branch(conversation_id)

    def receipts(self, conversation_id: str) -> Sequence[Receipt]:
        """Return what was remembered because of each message, where that still stands."""
        return self._journal.receipts(conversation_id)

    def outcomes(self, messages: Sequence[Message]) -> Mapping[str, Sequence[Became]]:
        """Return what became of what messages stated and no receipt tells, by their ids.

        That is what was known already, waits, was refused, or kept nowhere else. Answers without a
        model tell it themselves.
        """
        kinds = (LEARN, LEARN_MORE)
        noted = self._job_monitor.noted(
            [f"{k}:{one.id}" for one in messages for k in kinds], BECAME
        )
        ids = {memory_id for rows in noted.values() for _, memory_id, _ in rows if memory_id}
        texts = {memory.id: memory.text for memory in self._memories.by_ids([*ids])}
        found: dict[str, list[Became]] = {}
        for one in messages:
            rows = [row for kind in kinds for row in noted.get(f"{kind}:{one.id}", ())]
            if rows:
                found[one.id] = [
                    Became(StatementOutcome(outcome), texts.get(memory_id, ""), "", why, memory_id)
                    for outcome, memory_id, why in rows
                    if not memory_id or memory_id in texts
                ]
        return found

    def recalls(self, conversation_id: str) -> dict[str, StoredRecall]:
        """Return the trace of every answer, by the answer's id."""
        return self._recalls.of_conversation(conversation_id)

    def tool_uses(self, conversation_id: str) -> Mapping[str, Sequence[ToolUse]]:
        """Return what models called while they answered, by the answer's id."""
        return self._tool_calls.of_conversation(conversation_id)

    def sent(self, answer_id: str) -> Turns:
        """Return what was sent for an answer, who speaks and what; nothing where it is gone."""
        return self._sent.of_answer(answer_id)

    def leave_out(self, answer_id: str, memory_id: str) -> Changes:
        """Note that a memory which an answer took an order to mean is not meant."""
        self._recalls.drop(answer_id, memory_id, NOT_MEANT)
        answer = self._messages.get(answer_id)
        return Changes(conversations=frozenset({answer.conversation_id}))

    def search(self, text: str, limit: int = 50) -> Sequence[FoundMessage]:
        """Search the words of every conversation."""
        return self._rows.search(text, DEFAULT_SCOPE.agent_pk, limit)

    def rename(self, conversation_id: str, title: str) -> Changes:
        """Give a conversation another title."""
        return self._change(self._rows.rename, conversation_id, title.strip() or "Untitled")

    def set_mode(self, conversation_id: str, mode: MemoryMode) -> Changes:
        """Say what a conversation may do with memory.

        Raises:
            Refused: It has messages, and is temporary or would become so.
        """
        talk = self._rows.get(conversation_id)
        if talk.mode is not mode and talk.message_count:
            if talk.mode is MemoryMode.TEMPORARY:
                raise Refused(KEEP_FIRST)
            if mode is MemoryMode.TEMPORARY:
                raise Refused(BEGUN)
        with self._beginning(mode):
            return self._change(self._rows.set_mode, conversation_id, mode)

    def keep(self, conversation_id: str) -> Changes:
        """Keep a temporary conversation; it goes on neither recalling nor learning."""
        if self._rows.get(conversation_id).mode is not MemoryMode.TEMPORARY:
            return Changes()
        changes = self._change(self._rows.set_mode, conversation_id, MemoryMode.OFF)
        self._temporary.kept()
        return changes

    def leave(self, conversation_id: str) -> Changes:
        """Delete a conversation for good if it is temporary, with all that was derived from it."""
        gone = self._temporary.end(conversation_id)
        return Changes(conversations=frozenset({conversation_id} if gone else ()))

    def pin(self, conversation_id: str, on: bool) -> Changes:
        """Keep a conversation at the top, or not."""
        return self._change(self._rows.pin, conversation_id, on)

    def archive(self, conversation_id: str, on: bool) -> Changes:
        """Put a conversation away, or bring it back; passing notes of one put away are over."""
        changes = self._change(self._rows.archive, conversation_id, on)
        if not on:
            return changes
        scope = Scope(self._rows.get(conversation_id).agent_pk)
        return changes | Changes(memories=self._passing.end(conversation_id, scope))

    def draft(self, conversation_id: str) -> str:
        """Return what was typed and not sent."""
        return self._rows.draft(conversation_id)

    def set_draft(self, conversation_id: str, text: str) -> Changes:
        """Keep what was typed and not sent."""
        self._rows.set_draft(conversation_id, text)
        return Changes()

    def versions(self, message_id: str) -> Sequence[Message]:
        """Return every version of a turn, oldest first; each begins a branch."""
        message = self._messages.get(message_id)
        return self._messages.children(message.parent_id, message.conversation_id)

    def fork(self, message_id: str) -> Changes:
        """Carry a conversation on from a message in a new one, with all that was said before it.

        The copies are shown to models, but neither learnt from nor recalled: their originals are.

        Returns:
            The new conversation, alone.
        """
        last = self._messages.get(message_id)
        old = self._rows.get(last.conversation_id)
        uses = self._tool_calls.of_conversation(old.id)
        with self._beginning(old.mode), self._store.transaction():
            new = self._rows.create(old.agent_pk, old.title, old.mode)
            for message in [*self._messages.before(message_id), last]:
                copy = self._messages.add(
                    new.id,
                    message.role,
                    message.parts,
                    speaker=message.speaker,
                    model=message.model,
                    state=message.state,
                    error=message.error,
                    created_at=message.created_at,
                    standing=Standing.ASIDE if message.aside else Standing.COPY,
                )
                self._tool_calls.add(copy.id, uses.get(message.id, ()))
        return Changes(conversations=frozenset({new.id}))

    def switch_branch(self, message_id: str) -> Changes:
        """Make the branch through this message the current one."""
        message = self._messages.get(message_id)
        self._messages.switch_branch(message_id)
        return Changes(conversations=frozenset({message.conversation_id}))

    def _beginning(self, mode: MemoryMode) -> AbstractContextManager[None]:
        """Return the context in which a conversation gets a mode."""
        return self._temporary.opening() if mode is MemoryMode.TEMPORARY else nullcontext()

    @staticmethod
    def _change(method: Callable[..., object], conversation_id: str, value: object) -> Changes:
        method(conversation_id, value)
        return Changes(conversations=frozenset({conversation_id}))
