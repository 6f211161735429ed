"""Stream an answer, and keep it: what a model says reaches nobody before it is looked at.

A model that repeats its notes in place of an answer is asked once more with the bare list of them;
if it does so again, the notebook quotes what is known, and it is said why. Marks are set once the
answer is whole, and it is committed together with its trace.
"""

import logging
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event

from app.conversation import citations, context, marks, notebook
from app.conversation.echo import Echo
from app.domain.conversation import Conversation, Message, MessageState, Part, PartOrigin, Role
from app.domain.events import Answered, ChatEvent, Notice, Token
from app.domain.ids import Clock
from app.domain.memory import Scope
from app.domain.recall import HitKind, Recall
from app.domain.reply import NOTEBOOK, Reply
from app.domain.working import Took, Working
from app.errors import AppError, Cancelled, ModelError
from app.memory import feedback
from app.providers.base import Sampling
from app.providers.host import ModelHost
from app.services.notebook import NotebookService
from app.services.work import LEARN
from app.settings.spec import Settings
from app.store.conversations import Conversations
from app.store.jobs import JobRows
from app.store.memories import Memories
from app.store.recalls import Recalls
from app.store.usefulness import Usefulness
from app.store.vault import Vault

log = logging.getLogger(__name__)

STOPPED = "Stopped."
ECHOED = "The model only repeated what it was given, so this is quoted from memory without a model."


@dataclass(slots=True)
class Draft:
    """An answer in the making.

    Attributes:
        took: What it took of the model.
    """

    pieces: list[str] = field(default_factory=list)
    state: MessageState = MessageState.COMPLETE
    error: str = ""
    took: Took | None = None

    @property
    def text(self) -> str:
        """What there is of it."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Turn:
    """All that one answer is made from."""

    talk: Conversation
    question: Message
    settings: Settings
    recall: Recall = field(default_factory=Recall)
    prompt: context.Prompt = field(default_factory=context.Prompt)
    reply: Reply | None = None
    model_id: str = NOTEBOOK

    def replied(self, reply: Reply) -> "Turn":
        """Return the turn as it is answered without a model."""
        quoted = {hit.id for hit in reply.hits}
        more = {e.hit.id: e.hit for e in reply.more if e.hit.id not in quoted}
        recall = replace(Recall(), hits=(*reply.hits, *more.values()))
        prompt = context.Prompt(hits=tuple(reply.hits), lines=len(reply.hits))
        return replace(self, recall=recall, prompt=prompt, reply=reply, model_id=NOTEBOOK)

    def noting(self, *sentences: str) -> "Turn":
        """Return the turn with sentences that its trace says too."""
        degraded = (*self.recall.degraded, *sentences)
        return replace(self, recall=replace(self.recall, degraded=degraded))


class Answering:
    """Streams answers and keeps them."""

    def __init__(
        self, vault: Vault, host: ModelHost, notebook: NotebookService, clock: Clock
    ) -> None:
        self._vault = vault
        self._host = host
        self._notebook = notebook
        self._clock = clock
        self._conversations = Conversations(vault)
        self._recalls = Recalls(vault)
        self._usefulness = Usefulness(vault)
        self._memories = Memories(vault)
        self._jobs = JobRows(vault)

    def streamed(self, turn: Turn, draft: Draft, cancel: Event) -> Generator[ChatEvent, None, Turn]:
        """Fill the draft; return the turn as it was answered in the end.

        An answer that needs no model is whole at once: nothing of it comes in pieces. A model that
        fails after it began leaves a partial answer.

        Raises:
            ModelError: The model did not answer at all.
        """
        if turn.reply is not None:
            draft.pieces.extend(part.text for part in notebook.parts(turn.reply))
            return turn
        try:
            only_echo = yield from self._asked(turn, draft, cancel)
            stopped = cancel.is_set()
        except Cancelled:
            only_echo, stopped = False, True
        except ModelError as error:
            if not draft.text.strip():
                self._hasten_learning(turn.question)
                raise
            draft.state, draft.error = MessageState.PARTIAL, str(error)
            return turn
        if stopped:
            draft.state, draft.error = MessageState.PARTIAL, STOPPED
        elif only_echo:
            return (yield from self._quoted(turn, draft))
        return turn

    def _asked(self, turn: Turn, draft: Draft, cancel: Event) -> Generator[ChatEvent, None, bool]:
        """Ask the model, in other words if need be; return whether it only repeated its notes."""
        for prompt in (turn.prompt, turn.prompt.bare()):
            only_echo = yield from self._told(turn, prompt, draft, cancel)
            if not only_echo or cancel.is_set():
                return False
            log.info("a model repeated what it was given in place of an answer")
        return True

    def _told(
        self, turn: Turn, prompt: context.Prompt, draft: Draft, cancel: Event
    ) -> Generator[ChatEvent, None, bool]:
        """Pass on what a model says to a prompt; return whether nothing is left of it."""
        echo = Echo(f"{turn.prompt.known}\n{prompt.known}".strip())
        draft.pieces.clear()
        with closing(self._pieces(turn, prompt, draft, cancel)) as pieces:
            try:
                for piece in pieces:
                    if isinstance(piece, Working):
                        yield piece
                    elif shown := echo.passed(piece):
                        draft.pieces.append(shown)
                        yield Token(shown)
                    elif echo.lost > len(prompt.known) and not draft.pieces:
                        break
            except (Cancelled, ModelError):
                draft.pieces.append(echo.rest())
                raise
        if shown := echo.rest():
            draft.pieces.append(shown)
            yield Token(shown)
        return bool(echo.lost) and not draft.text.strip()

    def _pieces(
        self, turn: Turn, prompt: context.Prompt, draft: Draft, cancel: Event
    ) -> Generator[Working | str, None, None]:
        chat = turn.settings.chat
        sampling = Sampling(temperature=chat.temperature, max_tokens=chat.max_answer_tokens)
        with ExitStack() as stack:
            model = stack.enter_context(self._host.chat(interactive=True, cancel=cancel))
            try:
                yield from model.prepared(cancel)
                yield from model.told(prompt.turns, sampling, cancel)
            finally:
                draft.took = model.took

    def _quoted(self, turn: Turn, draft: Draft) -> Generator[ChatEvent, None, Turn]:
        """Answer without the model, and say so."""
        reply = self._notebook.quoted(turn.talk, turn.question)
        draft.pieces[:] = [part.text for part in notebook.parts(reply)]
        yield Notice(ECHOED)
        return turn.replied(reply).noting(*turn.recall.degraded, ECHOED)

    def kept(self, turn: Turn, draft: Draft) -> Answered | None:
        """Commit the answer with its trace; learning may begin now, where it is not done.

        Returns:
            The answer; None where there is nothing of it.
        """
        if turn.reply is not None and turn.reply.heard:
            self._jobs.settle(f"{LEARN}:{turn.question.id}")
        else:
            self._hasten_learning(turn.question)
        if not draft.text.strip():
            return None
        parts = _parts(turn, draft)
        in_prompt = [hit.id for hit in turn.prompt.hits]
        with self._vault.write():
            answer = self._conversations.add_message(
                turn.talk.id,
                Role.ASSISTANT,
                parts,
                parent_id=turn.question.id,
                model=turn.model_id,
                state=draft.state,
                error=draft.error,
            )
            cited = citations.cited(answer.text, in_prompt[: turn.prompt.lines])
            cited = cited or [*feedback.attribution(_given(turn), draft.text).used]
            recall = replace(turn.recall, took=draft.took) if turn.reply is None else turn.recall
            stored = self._recalls.save(answer.id, recall, in_prompt, cited)
            if turn.reply is None or turn.reply.meant is None:
                used = [h.id for h in turn.prompt.hits if h.kind is HitKind.MEMORY]
                self._memories.touch(used, self._clock())
        return Answered(answer, stored)

    def note_what_helped(self, turn: Turn, draft: Draft) -> None:
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
        self._jobs.hasten(f"{LEARN}:{question.id}")


def _parts(turn: Turn, draft: Draft) -> tuple[Part, ...]:
    """Return an answer as it is kept: a model's with its marks."""
    if turn.reply is not None:
        return notebook.parts(turn.reply)
    lines = [hit.text for hit in turn.prompt.hits[: turn.prompt.lines]]
    likeness = partial(feedback.told, asked=turn.question.text)
    return (Part(marks.marked(draft.text, lines, likeness), PartOrigin.MODEL),)


def _given(turn: Turn, *kinds: HitKind) -> list[tuple[str, str]]:
    """Return the id and text of what stood in the prompt, of some kinds or of all."""
    return [(h.id, h.text) for h in turn.prompt.hits if h.kind in (kinds or HitKind)]
