"""Ask a model for one answer, and pass on what it says once that was looked at.

The model is lent once: it says what fits, reads the prompt, and answers. A model that repeats its
notes in place of an answer is asked once more with the bare list of them, and one that refuses a
prompt as too long is asked again with a shorter one.
"""

import logging
from collections.abc import Generator, MutableMapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event

from app.conversation.context import Prompt
from app.conversation.echo import Echo
from app.domain.conversation import Conversation, Message, MessageState
from app.domain.events import ChatEvent, Notice, Recalled, Token
from app.domain.jobs.working import Took, Working
from app.domain.prompting.tools import ToolCall, ToolUse
from app.domain.recall import Recall
from app.domain.reply import NOTEBOOK, Reply
from app.errors import Cancelled, ModelError, TooLong
from app.providers.base import PromptTurn, Sampling
from app.providers.host import ModelHost
from app.providers.lending import Lent
from app.services.answer.fitting import SHORTEST_ANSWER, Fitted, Fitting, Material
from app.services.answer.tool_rounds import ToolRounds
from app.settings.spec import Settings

log = logging.getLogger(__name__)

BETWEEN = "\n\n"  # what is said before and after a call


@dataclass(slots=True)
class AnswerDraft:
    """An answer in the making.

    Attributes:
        took: What it took of the model.
        uses: What the model called.
        sent: What was sent for it.
    """

    pieces: list[str] = field(default_factory=list)
    state: MessageState = MessageState.COMPLETE
    error: str = ""
    took: Took | None = None
    uses: list[ToolUse] = field(default_factory=list)
    sent: tuple[PromptTurn, ...] = ()

    @property
    def text(self) -> str:
        """What there is of it."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class AnswerTurn:
    """All that one answer is made from.

    Attributes:
        notes: Sentences that its trace says, whoever answers.
        chosen: The model that was asked for this one answer; empty for who answers always.
    """

    talk: Conversation
    question: Message
    settings: Settings
    notes: tuple[str, ...] = ()
    recall: Recall = field(default_factory=Recall)
    prompt: Prompt = field(default_factory=Prompt)
    reply: Reply | None = None
    model_id: str = NOTEBOOK
    chosen: str = ""

    def replied(self, reply: Reply) -> "AnswerTurn":
        """Return the turn as it is answered without a model."""
        quoted = {hit.id for hit in reply.hits}
        more = {e.hit.id: e.hit for e in reply.more if e.hit.id not in quoted}
        recall = replace(Recall(), hits=(*reply.hits, *more.values()))
        prompt = Prompt(hits=tuple(reply.hits), lines=len(reply.hits))
        return replace(self, recall=recall, prompt=prompt, reply=reply, model_id=NOTEBOOK)

    def asked(self, recall: Recall, fitted: Fitted) -> "AnswerTurn":
        """Return the turn as a model is asked."""
        turn = replace(self, prompt=fitted.prompt, recall=fitted.prompt.told(recall))
        return turn.noting(*fitted.notes, *self.notes)

    def noting(self, *sentences: str) -> "AnswerTurn":
        """Return the turn with sentences that its trace says too."""
        degraded = (*self.recall.degraded, *sentences)
        return replace(self, recall=replace(self.recall, degraded=degraded))

    def announced(self) -> Generator[ChatEvent, None, None]:
        """Tell what was found for it, and what is to be known of that."""
        yield Recalled(self.recall, self.prompt.hits)
        for sentence in self.recall.degraded:
            yield Notice(sentence)


class ModelCall:
    """Asks a model for one answer.

    Args:
        turn: What the answer is made from; what is found for it is added.
        draft: Where what the model says is put.
        narrow: How little models read (see ``Fitting``).
        cancel: Stops it.
    """

    def __init__(
        self,
        host: ModelHost,
        turn: AnswerTurn,
        draft: AnswerDraft,
        narrow: MutableMapping[str, int],
        cancel: Event,
    ) -> None:
        self._host = host
        self.turn = turn
        self._draft = draft
        self._narrow = narrow
        self._cancel = cancel
        self._rounds = ToolRounds(None, 0, cancel)
        self._calls: list[ToolCall] = []
        self._between = ""

    def run(self, material: Material) -> Generator[ChatEvent, None, bool]:
        """Ask the model; return whether it only repeated its notes.

        Raises:
            Cancelled: It was stopped.
            TooLong: The message is more than the model reads at once, even shortened.
            ModelError: The model did not answer, or broke off.
        """
        begun = self.turn
        lent = self._host.chat(cancel=self._cancel, choice=begun.chosen, seed=begun.talk.id)
        with lent as model:
            yield from model.prepared(self._cancel)
            fitting = Fitting(model, material, self._narrow, self._cancel)
            fitted = fitting.fitted()
            while True:
                self.turn = begun.asked(fitting.recall, fitted)
                yield from self.turn.announced()
                self._rounds = self._tools(fitting)
                try:
                    only_echo = yield from self._asked(model, fitted)
                    fitting.answered()
                    return only_echo
                except TooLong as error:
                    if self._draft.text.strip() or self._draft.uses:
                        raise
                    fitted = fitting.after(fitted, error)

    def _asked(self, model: Lent, fitted: Fitted) -> Generator[ChatEvent, None, bool]:
        """Ask in other words if need be; return whether nothing but notes came."""
        prompts = (fitted.prompt, fitted.prompt.bare())
        for number, prompt in enumerate(prompts, start=1):
            last = number == len(prompts)
            only_echo = yield from self._in_rounds(model, prompt, fitted.answer, last=last)
            if not only_echo or self._cancel.is_set():
                return False
            log.info("a model repeated what it was given in place of an answer")
        return True

    def _tools(self, fitting: Fitting) -> ToolRounds:
        """Return the calls of this answer, anew for a prompt that is asked anew."""
        most = self.turn.settings.tools.most_rounds
        rounds = ToolRounds(fitting.toolbox, most, self._cancel)
        self._draft.uses = rounds.uses
        return rounds

    def _in_rounds(
        self, model: Lent, prompt: Prompt, most: int, *, last: bool
    ) -> Generator[ChatEvent, None, bool]:
        """Let a model answer, calling what it may; return whether only notes came of it."""
        draft, turns = self._draft, [*prompt.turns]
        draft.pieces.clear()
        self._between = ""
        while True:
            said, self._calls = len(draft.text), []
            only_echo = yield from self._told(
                model, replace(prompt, turns=tuple(turns)), most, last
            )
            if not self._calls or self._cancel.is_set():
                return only_echo and not draft.uses
            text = draft.text[said:].strip()
            turns += yield from self._rounds.run(model, self._calls, text, len(draft.text))
            left = model.measure(turns, self._cancel, self._rounds.specs).left
            most = max(SHORTEST_ANSWER, min(most, left))
            self._between = BETWEEN if draft.text.strip() else ""

    def _told(
        self, model: Lent, prompt: Prompt, most: int, last: bool
    ) -> Generator[ChatEvent, None, bool]:
        """Pass on what a model says to a prompt; return whether nothing is left of it."""
        known, draft = f"{self.turn.prompt.known}\n{prompt.known}".strip(), self._draft
        echo = Echo(known, labels=not last)
        with closing(self._pieces(model, prompt, most)) as pieces:
            try:
                for piece in pieces:
                    if isinstance(piece, Working):
                        yield piece
                    elif isinstance(piece, ToolCall):
                        self._calls.append(piece)
                    elif shown := echo.passed(piece):
                        yield self._said(shown)
                    elif echo.lost > len(prompt.known) and not draft.pieces:
                        break
            except (Cancelled, ModelError):
                draft.pieces.append(echo.rest())
                raise
        if shown := echo.rest():
            yield self._said(shown)
        return bool(echo.lost) and not draft.text.strip() and not self._calls

    def _said(self, shown: str) -> Token:
        """Put a piece of the answer behind what was said before a call."""
        piece, self._between = f"{self._between}{shown}", ""
        self._draft.pieces.append(piece)
        return Token(piece)

    def _pieces(
        self, model: Lent, prompt: Prompt, most: int
    ) -> Generator[Working | str | ToolCall, None, None]:
        temperature, tools = self.turn.settings.chat.temperature, self._rounds.specs
        sampling = Sampling(temperature=temperature, max_tokens=most, tools=tools)
        try:
            with closing(model.told(prompt.turns, sampling, self._cancel)) as told:
                yield from told
        finally:
            self._draft.took, self._draft.sent = model.took, model.sent
