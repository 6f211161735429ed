"""Chat with servers that speak the OpenAI protocol, on this computer or where one was set up."""

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from threading import Event

from app.domain.jobs.working import Working, WorkStage
from app.domain.model import ChatInfo
from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import ModelError
from app.providers.base import (
    ChatModel,
    Counting,
    Measured,
    ModelUse,
    PromptTurn,
    Sampling,
    too_long,
)
from app.providers.estimate import Weight, weigh, weigh_prompt
from app.providers.remote import windows
from app.providers.remote.answers import BrokeOffError, RefusedError, ServerAnswer
from app.providers.remote.dialects import Dialect, toolless
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.learnt import Known, ServerMemory
from app.providers.remote.refusals import Refusal, RefusalKind
from app.providers.thoughts import without_thoughts
from app.providers.written_calls import with_calls

log = logging.getLogger(__name__)

_MOST_LISTED = 4_000_000
_MOST_MODELS, _LONGEST_NAME = 1_000, 200
_MOST_TRIES = 8
_SHORTEST_ANSWER = 16
FILLED = 3  # so many times what a prompt is taken for may be what it has
_MAY_BE_FULL = 0.5  # of a window, by the estimate of what is in it


class OpenAIChat:
    """A chat model behind an OpenAI-compatible server.

    Args:
        endpoint: Where it is.
        model: As the server calls it.
        identity: What settings store.
        context_tokens: How much of a conversation it shall see; never more than it can.
        learnt: What is known of it from before.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        identity: str,
        context_tokens: int,
        learnt: ServerMemory | None = None,
    ) -> None:
        self._endpoint, self._model = endpoint, model
        self._learnt = learnt or ServerMemory()
        self._last_use: ModelUse | None = None
        self._to_be_asked, self._told = True, False
        self._no_room = False
        self._info = ChatInfo(identity, model, context_tokens, endpoint.local)

    @property
    def info(self) -> ChatInfo:
        """Say what this model is; the server is not asked for it."""
        most = self._info.context_tokens
        return replace(self._info, context_tokens=min(most, self._known.window or most))

    @property
    def calls_tools(self) -> bool:
        """Whether tools are offered to it: yes, until its server refused to be told of them."""
        return self._known.dialect.tools

    @property
    def last_use(self) -> ModelUse | None:
        """What the last call took, as the server counted it."""
        return self._last_use

    def count(self, text: str) -> int:
        """Return about how many tokens a text has, by what the server counted before."""
        return self._known.ratio.tokens(weigh(text))

    def measure(
        self, prompt: Sequence[PromptTurn], cancel: Event, tools: Sequence[ToolSpec] = ()
    ) -> Measured:
        """Return about how many tokens a prompt takes of the window, which the server is asked for.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        self._ask_for_window(cancel)
        tokens = self._known.ratio.tokens(self._weight(prompt, tools))
        return Measured(tokens, self.info.context_tokens, exact=False)

    def stream(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str]:
        """Yield the text of the answer piece by piece; what came before an error stays valid."""
        with closing(self.told(prompt, sampling, cancel)) as told:
            yield from (piece for piece in told if isinstance(piece, str))

    def prepared(self, cancel: Event) -> Iterator[Working]:
        """Say who is waited for; nothing else is known of what a server does."""
        yield Working(WorkStage.WAITING, self._endpoint.host)

    def told(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Generator[str | ToolCall, None, None]:
        """Do as ``stream`` does, and yield what is called; a server does not say what it is at."""
        self._last_use = None
        said = without_thoughts(self._spoken(prompt, sampling, cancel), cancel)
        return with_calls(said, [tool.name for tool in sampling.tools], cancel)

    @property
    def _known(self) -> Known:
        return self._learnt.of(self._endpoint.base_url, self._model)

    def _weight(self, prompt: Sequence[PromptTurn], tools: Sequence[ToolSpec]) -> Weight:
        return weigh_prompt(prompt, tools if self.calls_tools else ())

    def _ask_for_window(self, cancel: Event) -> None:
        """Ask once before the first answer, and where that was in vain, once after it."""
        if self._to_be_asked and not self._told:
            self._to_be_asked = False
            said = windows.ask(self._endpoint, self._model, cancel)
            self._told = said.window > 0
            self._learn(window=said.window, parameters=said.parameters)

    def _learn(
        self,
        prompt: Weight = Weight(),  # noqa: B008 - immutable
        *,
        window: int = 0,
        read: int = 0,
        dialect: Dialect | None = None,
        parameters: int = 0,
    ) -> None:
        """Keep what the server made known; 0 is what it did not say."""
        known, address = self._known, self._endpoint.base_url
        ratio = known.ratio.after(prompt, read) if read else None
        self._learnt.learn(
            address,
            self._model,
            window=window,
            ratio=ratio,
            dialect=dialect,
            parameters=parameters,
        )

    def _spoken(
        self, turns: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Generator[str | ToolCall, None, None]:
        """Ask, in other words where the server refuses the first ones."""
        dialect, begun, written = self._known.dialect, False, Weight()
        for _ in range(_MOST_TRIES):
            prompt = weigh_prompt(turns, sampling.tools if dialect.tools else ())
            try:
                for piece in self._answer(dialect, turns, sampling, cancel):
                    begun = True
                    written += weigh(piece) if isinstance(piece, str) else Weight()
                    yield piece
            except RefusedError as refused:
                refusal = refused.refusal
                other = dialect.after(refusal, sampling, turns)
                less = _shorter(refusal, sampling) or (not other and toolless(refusal, sampling))
                if begun or not (less or other):
                    raise self._final(refusal, prompt, cancel) from None
                dialect, sampling = other or dialect, less or sampling
            except BrokeOffError:
                if begun and self._fills_window(prompt, written):
                    return
                if begun or not self._leaves_no_room(prompt):
                    raise
                self._no_room = True
                raise too_long(self._model, self._known.window, self._known.window) from None
            else:
                self._no_room = False
                if not cancel.is_set():
                    self._answered(prompt, dialect)
                return
        raise self._endpoint.nonsense()

    def _answer(
        self, dialect: Dialect, turns: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str | ToolCall]:
        body = dialect.body(self._model, turns, sampling)
        answer = ServerAnswer(self._endpoint, body)
        try:
            yield from answer.pieces(cancel)
        finally:
            self._last_use = answer.use

    def _fills_window(self, prompt: Weight, written: Weight) -> bool:
        """Return whether an answer came to its end by filling the window, and learn that it did.

        Some servers then stop in the middle of a letter, and do not say why.
        """
        window, answer = self._known.window, self._known.ratio.tokens(written)
        if not 0 < window * _MAY_BE_FULL <= self._known.ratio.tokens(prompt) + answer:
            return False
        log.info("a server broke off an answer that fills its window")
        self._learn(prompt, read=max(window - answer, 0))
        return True

    def _leaves_no_room(self, prompt: Weight) -> bool:
        """Return whether an answer without a word may be for want of room, and learn that it is.

        Some servers accept a prompt that fills their window and break off at the first word. Where
        a shorter one fares no better, that is not the reason.
        """
        window = self._known.window
        if self._no_room or not window or self._known.ratio.tokens(prompt) * FILLED < window:
            self._no_room = False
            return False
        self._learn(prompt, read=window)
        return True

    def _answered(self, prompt: Weight, dialect: Dialect) -> None:
        self._to_be_asked = True
        read = self._last_use.prompt_tokens if self._last_use else 0
        self._learn(prompt, read=read, dialect=dialect)

    def _final(self, refusal: Refusal, prompt: Weight, cancel: Event) -> ModelError:
        """Return what is told of a refusal; what it says of window and tokens is kept."""
        if refusal.kind is not RefusalKind.TOO_LONG:
            return self._endpoint.refused(refusal, self._model)
        self._learn(prompt, window=refusal.window, read=refusal.tokens)
        if not refusal.window:
            self._ask_for_window(cancel)
        tokens = refusal.tokens or self._known.ratio.tokens(prompt)
        return too_long(self._model, tokens, self._known.window)


def _shorter(refusal: Refusal, sampling: Sampling) -> Sampling | None:
    """Return how to ask for a shorter answer, where the prompt alone would fit."""
    room = refusal.window - refusal.tokens
    fits = refusal.kind is RefusalKind.TOO_LONG and refusal.tokens > 0
    if not fits or not _SHORTEST_ANSWER <= room < sampling.max_tokens:
        return None
    return replace(sampling, max_tokens=room)


def list_models(endpoint: Endpoint, *, seconds: float = 10.0) -> list[str]:
    """Return the names of a server's models.

    Raises:
        EndpointError: With one sentence for the person.
    """
    found = endpoint.fetch(
        "/models", seconds=seconds, connect_seconds=min(seconds, 5.0), most=_MOST_LISTED
    )
    if not isinstance(found, dict) or not isinstance(found.get("data", 0), list | None):
        raise endpoint.nonsense()
    names = (row.get("id") for row in found["data"] or () if isinstance(row, dict))
    usable = {name for name in names if isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME}
    return sorted(usable)[:_MOST_MODELS]


def _checked(endpoint: Endpoint) -> tuple[ChatModel, Counting]:
    """Let the type checker prove that the protocols are kept."""
    return OpenAIChat(endpoint, "", "", 0), OpenAIChat(endpoint, "", "", 0)
