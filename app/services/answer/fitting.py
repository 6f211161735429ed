"""Make a prompt fit the model that answers: counted as that model counts, trimmed until it fits.

Earlier messages make room first, then memories; a giant message is shown with its head and tail. A
server that refuses all the same is asked again with less. Only where nothing is left to trim is it
said that the message is too large, and the conversation can go on without it.
"""

import logging
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Event

from app.conversation import context
from app.conversation.context import Prompt, Window
from app.conversation.history import Entry, worded
from app.domain.conversation import Message
from app.domain.prompting.tools import ToolSpec
from app.domain.recall import Hit, Recall
from app.errors import ModelError, TooLong
from app.providers.base import ChatModel, Measured, PromptTurn
from app.services.answer.attached import WithDocuments
from app.services.answer.tool_rounds import RESULT_SHARE
from app.services.tools.context import EXPAND
from app.services.tools.toolbox import Toolbox
from app.settings.spec import Settings

log = logging.getLogger(__name__)

TOO_LARGE = "Your message is about {:,} tokens; {} reads {:,} at once."
REFUSED = "Your message is about {:,} tokens, which {} refuses to read at once."
TOO_SMALL = "{} reads too little at once to answer: even a short message is too long for it."
NOT_SHOWN = "The model cannot read so much at once: {:,} characters in the middle were left out."
WITHOUT = "This is answered without {:,} characters of your message, which is too large."
TOOLS_SHARE = 4  # of the window, the most that telling of tools may take: one part in so many
_TRIES = 4
SHORTEST_ANSWER = 16
_NARROWEST = 512  # tokens, as in the settings
_SAMPLE = 400_000  # characters of a message that are counted to say how large it is


@dataclass(frozen=True, slots=True)
class Material:
    """What a prompt is made of, once it is known how much fits.

    Attributes:
        question: The new message.
        history: What was said before it on its branch, oldest first, in part in summaries.
        settings: Those of the moment.
        pinned: Memories that stand in every prompt.
        recalled: Returns what is recalled, given the messages that stand in the prompt.
        without: Whether the long parts of the new message are left out.
        toolbox: What the model may call, where it can call anything; None for nothing.
        attached: Returns the new message with what of documents is read, given what was said before
            it and the window.
    """

    question: Message
    history: Sequence[Entry]
    settings: Settings
    pinned: Sequence[Hit]
    recalled: Callable[[Sequence[Message]], Recall]
    without: bool = False
    toolbox: Toolbox | None = None
    attached: Callable[[Message, Sequence[Entry], Window], WithDocuments] | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt that fits.

    Attributes:
        tokens: How many it has.
        answer: How many the answer may have.
        notes: What was left out of the new message, in sentences.
    """

    prompt: Prompt
    tokens: int
    answer: int
    notes: tuple[str, ...] = ()


class Fitting:
    """Fits one prompt to a model, for as long as that is lent.

    Args:
        model: Who will read it.
        material: What it is made of.
        narrow: How little models read that refused more without saying how much they read, by their
            ids; what is found out here is added.
        cancel: Stops it.

    Attributes:
        recall: What was recalled; there once something was fitted.
    """

    def __init__(
        self,
        model: ChatModel,
        material: Material,
        narrow: MutableMapping[str, int],
        cancel: Event,
    ) -> None:
        self._model, self._material = model, material
        self._narrow, self._cancel = narrow, cancel
        self._question, self._left_out = material.question, 0
        self._bare_question = material.question
        self._not_read: tuple[str, ...] = ()
        self._most, self._guessed = 0, False
        self._tools: tuple[ToolSpec, ...] = ()
        self._refusals = 0
        self.recall = Recall()

    def fitted(self) -> Fitted:
        """Recall, and return the prompt.

        Raises:
            Cancelled: It was stopped.
            TooLong: The new message is too large.
            ModelError: The model cannot be loaded, or reads too little for anything.
        """
        self._model.measure(
            [PromptTurn("user", "?")], self._cancel
        )  # it is loaded, or asked, by that
        whole = self._whole()
        self._tools = self._affordable(whole)
        if self._material.without:
            least = min(context.ASKED_LEAST, whole.tokens // 8)
            short = context.shortened(self._material.question, least, self._model.count)
            self._bare_question, self._left_out = short
        made = self._material
        self._attach(whole)
        self.recall = made.recalled(
            context.visible(made.history, whole, self._question, made.settings, made.pinned)
        )
        return self._trimmed(whole)

    def after(self, refused: Fitted, error: TooLong) -> Fitted:
        """Return a shorter prompt in place of one that the model refused.

        What the model's server said of its window and of the prompt is learnt by then. Where it
        said nothing, or its numbers were of no use, half as much is tried.

        Raises:
            Cancelled: It was stopped.
            TooLong: The new message is too large.
            ModelError: Even a short one is.
        """
        self._refusals += 1
        log.info("a prompt was refused as too long (%d)", self._refusals)
        if self._refusals > _TRIES:
            raise self._hopeless(error.window)
        if not error.window or self._refusals > 1:
            tried = min(self._whole().tokens, refused.tokens + refused.answer)
            least = min(_NARROWEST, self._model.info.context_tokens // 4)
            self._most = max(least, tried // 2)
            self._guessed |= not error.window
        self._attach(self._whole())
        return self._trimmed(self._whole())

    def answered(self) -> None:
        """Keep for the next message how much was read, where nobody but this trial says it."""
        if self._guessed:
            self._narrow[self._model.info.id] = self._most

    def _whole(self) -> Window:
        """Return the window as it is known now, with a count that is as good as that."""
        info = self._model.info
        known = (info.context_tokens, self._narrow.get(info.id, 0), self._most)
        answer = self._material.settings.chat.max_answer_tokens
        count = lru_cache(maxsize=None)(self._model.count)
        return Window(min(tokens for tokens in known if tokens), answer, count)

    @property
    def toolbox(self) -> Toolbox | None:
        """What the model may call; None where it cannot call, or reads too little for it."""
        box = self._material.toolbox
        return box.first(len(self._tools)) if box is not None and self._tools else None

    def _affordable(self, whole: Window) -> tuple[ToolSpec, ...]:
        """Return the first tools, as many as can be told of in a share of the window."""
        box = self._material.toolbox
        if box is None or not self._model.calls_tools:
            return ()
        turn, tools = [PromptTurn("user", "?")], tuple(box.specs)
        bare = self._model.measure(turn, self._cancel).tokens
        while tools:
            told = self._model.measure(turn, self._cancel, tools).tokens - bare
            if told <= whole.tokens // TOOLS_SHARE:
                break
            tools = tools[:-1]
        return tools

    def _attach(self, whole: Window) -> None:
        """Let the new message hold what of documents is read for it."""
        made, self._question = self._material, self._bare_question
        if made.attached is not None and not made.without:
            rest = replace(whole, spared=self._spared(whole))
            found = made.attached(self._bare_question, made.history, rest)
            self._question, self._not_read = found.message, found.notes

    def _spared(self, whole: Window) -> int:
        """Return the tokens that stay free for what tools will return."""
        return whole.tokens // RESULT_SHARE if self._tools else 0

    def _trimmed(self, whole: Window) -> Fitted:
        spared = self._spared(whole)
        for _ in range(_TRIES):
            prompt = self._built(replace(whole, spared=spared))
            measured = self._model.measure(prompt.turns, self._cancel, self._tools)
            if measured.tokens <= whole.room or _suffices(prompt, measured, whole):
                return self._as_fitted(prompt, measured, whole)
            spared += measured.tokens - whole.room
        return self._bare(replace(whole, spared=spared))

    def _built(self, window: Window) -> Prompt:
        made = self._material
        return context.build(
            self._question,
            made.history,
            self.recall.hits,
            made.settings,
            window,
            pinned=made.pinned,
            expandable=any(tool.name == EXPAND.name for tool in self._tools),
        )

    def _bare(self, window: Window) -> Fitted:
        """Return the new message alone, as much of it as is shown in any case."""
        plain = replace(self._material.settings.chat, instructions="")
        settings = replace(self._material.settings, chat=plain)
        prompt = context.build(self._bare_question, (), (), settings, window)
        measured = self._model.measure(prompt.turns, self._cancel)
        if measured.tokens + SHORTEST_ANSWER > window.tokens:
            raise self._hopeless(window.tokens)
        return self._as_fitted(prompt, measured, window)

    def _as_fitted(self, prompt: Prompt, measured: Measured, window: Window) -> Fitted:
        left = max(SHORTEST_ANSWER, window.tokens - measured.tokens)
        notes = [NOT_SHOWN.format(prompt.left_out)] if prompt.left_out else []
        notes += self._not_read
        notes += [WITHOUT.format(self._left_out)] if self._left_out else []
        return Fitted(prompt, measured.tokens, min(window.answer, left), tuple(notes))

    def _hopeless(self, window: int) -> ModelError:
        """Return what is told where nothing is left to trim."""
        tokens, name = self._asked_tokens(), self._model.info.name
        if tokens <= max(context.ASKED_LEAST, window // 4):
            return ModelError(TOO_SMALL.format(name))
        told = TOO_LARGE if tokens > window > 0 else REFUSED
        return TooLong(told.format(tokens, name, window), tokens, window)

    def _asked_tokens(self) -> int:
        """Return about how many tokens the new message has."""
        text = worded(self._bare_question)
        sample = text[:_SAMPLE]
        return round(self._model.count(sample) * len(text) / max(1, len(sample)))


def _suffices(prompt: Prompt, measured: Measured, window: Window) -> bool:
    """Whether a prompt of which only memories could go leaves enough for a shorter answer."""
    least = min(window.answer, max(SHORTEST_ANSWER, window.tokens // 16))
    whole = not prompt.used_message_ids and not prompt.left_out
    return whole and measured.tokens + least <= window.tokens
