"""Stream an answer, and keep it, whoever gives it.

Where a model only repeats its notes, the notebook quotes what is known, and it is said why. Marks
are set once the answer is whole, and it is committed together with its trace.
"""

import logging
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from threading import Event

from app.conversation import citations, marks, notebook
from app.domain.conversation import Message, MessageState, Part, PartOrigin, Role, Standing
from app.domain.events import Answered, ChatEvent, Notice
from app.domain.ids import Clock
from app.domain.jobs.kinds import LEARN
from app.domain.memory import Scope
from app.domain.recall import HitKind
from app.errors import AppError, Cancelled, ModelError
from app.memory.answer import feedback
from app.providers.host import ModelHost
from app.services.answer.asking import AnswerDraft, AnswerTurn, ModelCall
from app.services.answer.fitting import Material
from app.services.answer.notebook import NotebookService
from app.store.store import Store

log = logging.getLogger(__name__)

STOPPED = "Stopped."
ECHOED = "The model only repeated what it was given, so this is quoted from memory without a model."


class Answering:
    """Streams answers and keeps them."""

    def __init__(
        self, store: Store, host: ModelHost, notebook: NotebookService, clock: Clock
    ) -> None:
        self._store = store
        self._host = host
        self._notebook = notebook
        self._clock = clock
        self._messages = store.messages
        self._tool_calls = store.tool_calls
        self._recalls = store.recalls
        self._sent = store.sent
        self._usefulness = store.usefulness
        self._memories = store.memories
        self._jobs = store.jobs
        self._narrow: dict[str, int] = {}

    def replied(self, turn: AnswerTurn, draft: AnswerDraft) -> Generator[ChatEvent, None, None]:
        """Fill the draft with an answer that needs no model: nothing of it comes in pieces."""
        yield from turn.announced()
        if turn.reply is not None:
            draft.pieces.extend(part.text for part in notebook.parts(turn.reply))

    def streamed(
        self, turn: AnswerTurn, material: Material, draft: AnswerDraft, cancel: Event
    ) -> Generator[ChatEvent, None, AnswerTurn]:
        """Fill the draft with what a model says; return the turn as it was answered in the end.

        A model that fails after it began leaves a partial answer.

        Raises:
            TooLong: The message is more than the model reads at once, even shortened.
            ModelError: The model did not answer at all.
        """
        asking = ModelCall(self._host, turn, draft, self._narrow, cancel)
        try:
            only_echo = yield from asking.run(material)
            stopped = cancel.is_set()
        except Cancelled:
            only_echo, stopped = False, True
        except ModelError as error:
            if not draft.text.strip():
                self._hasten_learning(turn.question)
                raise
            draft.state, draft.error = MessageState.PARTIAL, str(error)
            return asking.turn
        if stopped:
            draft.state, draft.error = MessageState.PARTIAL, STOPPED
        elif only_echo:
            return (yield from self._quoted(asking.turn, draft))
        return asking.turn

    def _quoted(
        self, turn: AnswerTurn, draft: AnswerDraft
    ) -> Generator[ChatEvent, None, AnswerTurn]:
        """Answer without the model, and say so."""
        reply = self._notebook.quoted(turn.talk, turn.question)
        draft.pieces[:] = [part.text for part in notebook.parts(reply)]
        yield Notice(ECHOED)
        return turn.replied(reply).noting(*turn.recall.degraded, ECHOED)

    def kept(self, turn: AnswerTurn, draft: AnswerDraft) -> Answered | None:
        """Commit the answer with its trace; learning may begin now, where it is not done.

        Returns:
            The answer; None where there is nothing of it.
        """
        if turn.reply is not None and turn.reply.heard:
            self._jobs.settle(f"{LEARN}:{turn.question.id}")
        else:
            self._hasten_learning(turn.question)
        if not draft.text.strip() and not draft.uses:
            return None
        parts = _parts(turn, draft)
        in_prompt = [hit.id for hit in turn.prompt.hits]
        with self._store.transaction():
            answer = self._messages.add(
                turn.talk.id,
                Role.ASSISTANT,
                parts,
                parent_id=turn.question.id,
                model=turn.model_id,
                state=draft.state,
                error=draft.error,
                standing=Standing.ASIDE if turn.question.aside else Standing.OWN,
            )
            cited = citations.cited(answer.text, in_prompt[: turn.prompt.lines])
            cited = cited or [*feedback.attribution(_given(turn), draft.text).used]
            self._tool_calls.add(answer.id, draft.uses)
            recall = replace(turn.recall, took=draft.took) if turn.reply is None else turn.recall
            stored = self._recalls.save(answer.id, recall, in_prompt, cited)
            if turn.reply is None:
                self._sent.save(answer.id, [(one.role, one.content) for one in draft.sent])
            if turn.reply is None or turn.reply.meant is None:
                used = [h.id for h in turn.prompt.hits if h.kind is HitKind.MEMORY]
                self._memories.touch(used, self._clock())
        return Answered(answer, stored)

    def note_what_helped(self, turn: AnswerTurn, draft: AnswerDraft) -> None:
        """Count which memories a whole answer of a model used, where that is wanted."""
        whole = draft.state is MessageState.COMPLETE and turn.reply is None
        if not (whole and turn.settings.rag.feedback.enabled):
            return
        found = feedback.attribution(_given(turn, HitKind.MEMORY), draft.text)
        scope = Scope(turn.talk.agent_pk)
        try:
            self._usefulness.add(found.used, found.ignored, scope, self._clock())
        except AppError as error:
            log.info("it was not noted which memories helped: %s", type(error).__name__)

    def _hasten_learning(self, question: Message) -> None:
        self._jobs.run_now(f"{LEARN}:{question.id}")


def _parts(turn: AnswerTurn, draft: AnswerDraft) -> tuple[Part, ...]:
    """Return an answer as it is kept: a model's with its marks."""
    if turn.reply is not None:
        return notebook.parts(turn.reply)
    lines = [hit.text for hit in turn.prompt.hits[: turn.prompt.lines]]
    likeness = partial(feedback.told, asked=turn.question.text)
    return (Part(marks.marked(draft.text, lines, likeness), PartOrigin.MODEL),)


def _given(turn: AnswerTurn, *kinds: HitKind) -> list[tuple[str, str]]:
    """Return the id and text of what stood in the prompt, of some kinds or of all."""
    return [(h.id, h.text) for h in turn.prompt.hits if h.kind in (kinds or HitKind)]
