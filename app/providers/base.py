"""What the engine asks of a model; nothing here knows how it is run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Event
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from app.domain.jobs.working import Working
from app.domain.model import ChatInfo
from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import TooLong
from app.providers.judging import Task
from app.providers.reading import Tags

LONGEST_TEXT = 6_144  # characters of a text that are embedded

Vector = NDArray[np.float32]


class Purpose(StrEnum):
    """Why a text is embedded; some models treat questions and passages differently."""

    QUERY = "query"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True)
class Marks:
    """The tokens by which a text's sentences are told apart.

    Attributes:
        ends: Those of ``.``, ``!`` and ``?``.
        asking: That of ``?``.
        speaker: That of ``:``, the first of which ends the name of who speaks.
    """

    ends: tuple[int, ...] = ()
    asking: tuple[int, ...] = ()
    speaker: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Personal:
    """Tells a question about somebody's life from one about the world: a logistic regression.

    Attributes:
        bias: The logit of a question of which nothing else is known.
        words: What each kind of words adds (``app.memory.recall.personal.signs``).
        vector: Shape (dims,): what each dimension of the question's vector adds.
    """

    bias: float
    words: tuple[float, ...]
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """Identity of an embedder; ``id`` changes when its vectors may."""

    id: str
    name: str
    dims: int
    local: bool
    marks: Marks = Marks()
    personal: Personal | None = None


@dataclass(frozen=True, slots=True)
class PromptTurn:
    """One message of a prompt: role is ``system``, ``user``, ``assistant`` or ``tool``.

    Attributes:
        calls: The tools that a turn of the assistant called, after what it said.
        call_id: Which call a turn of the role ``tool`` answers; its content is the result.
    """

    role: str
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is drawn.

    Attributes:
        schema: A JSON schema the answer must obey, where the provider can enforce it.
        tools: What the model may call, where it can call anything; not together with a schema.
    """

    temperature: float = 0.7
    max_tokens: int = 1024
    schema: dict[str, Any] | None = None
    seed: int | None = None
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Embedding:
    """What an embedder returns for one text.

    Attributes:
        vector: Shape (dims,), float32, length 1 (all zeros for an empty text).
        token_bits: Shape (tokens, dims / 8), uint8: the sign of every dimension of every token
            vector, for late interaction; None where the embedder has no token vectors.
        token_ids: Shape (tokens,), int32: the tokens these belong to.
        token_vectors: Shape (tokens, dims), float32, each of length 1; of a question only.
        pieces: What each token of a question is written as; one that begins a word begins with ▁.
    """

    vector: Vector
    token_bits: NDArray[np.uint8] | None = None
    token_ids: NDArray[np.int32] | None = None
    token_vectors: NDArray[np.float32] | None = None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What one call of a chat model took.

    Attributes:
        prompt_tokens: Read.
        completion_tokens: Written.
        counted: Whether the provider counted them; else they are estimated.
        kept_tokens: Those of the prompt that were not read again.
        read_seconds: How long reading took; 0 where that was not measured.
        write_seconds: How long writing took; 0 where that was not measured.
    """

    prompt_tokens: int
    completion_tokens: int
    counted: bool
    kept_tokens: int = 0
    read_seconds: float = 0.0
    write_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """What a prompt takes of a model's window.

    Attributes:
        tokens: The prompt's, with what the model's template adds; rather more than less where they
            are estimated.
        window: How many the model reads at once, its answer included.
        exact: Whether the model's own tokenizer counted them.
    """

    tokens: int
    window: int
    exact: bool

    @property
    def left(self) -> int:
        """Tokens that are left for the answer; below 1 the prompt is too long."""
        return self.window - self.tokens


@runtime_checkable
class Counting(Protocol):
    """A chat model whose provider says what a call took."""

    @property
    def last_use(self) -> ModelUse | None:
        """What the last call took; None where the provider did not say."""


@runtime_checkable
class ProgressingModel(Protocol):
    """A chat model that says what it is at before it writes."""

    def prepared(self, cancel: Event) -> Iterator[Working]:
        """Get ready to answer, and say how far that is; end soon after ``cancel`` is set.

        Raises:
            ModelError: It cannot be loaded.
        """

    def told(
        self, prompt: Sequence["PromptTurn"], sampling: "Sampling", cancel: Event
    ) -> Iterator[Working | str | ToolCall]:
        """Do as ``stream`` does, and yield besides what it leaves out.

        That is what is done before the first word, and, after the last word, each tool that the
        model calls, if it was offered any. What a call got wrong stands in it; nothing is raised.
        """


@runtime_checkable
class Sharing(Protocol):
    """A chat model that can work on something else without forgetting its conversation."""

    def aside(self) -> "ChatModel":
        """Return the same model for background work; no other weights are loaded for it."""


class ChatModel(Protocol):
    """Continues a conversation."""

    @property
    def info(self) -> ChatInfo:
        """Say what this model is."""

    @property
    def calls_tools(self) -> bool:
        """Whether it can be offered tools, as far as is known; nothing is loaded or asked for it.

        One that cannot is told of none, whatever it is offered, and answers all the same.
        """

    def count(self, text: str) -> int:
        """Return the number of tokens in ``text``, at least roughly."""

    def measure(
        self, prompt: Sequence[PromptTurn], cancel: Event, tools: Sequence[ToolSpec] = ()
    ) -> Measured:
        """Return what a prompt takes, together with what the model is told of tools.

        It is exact where the model runs here, else estimated by what was learnt.

        A model of this computer is loaded for it, and a server is asked for its window. Whoever
        asks first knows before ``stream`` whether it fits, and ``count`` is as good after it.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelError: With one sentence for the person.
        """

    def stream(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str]:
        """Yield the text of the answer piece by piece; stop soon after ``cancel`` is set.

        What the model calls is left out: whoever offers it tools asks by ``told``.

        Raises:
            TooLong: The model does not read so much at once.
            ModelError: With one sentence for the person. What was yielded before stays valid.
        """


class Embedder(Protocol):
    """Turns text into vectors."""

    @property
    def info(self) -> EmbedderInfo:
        """Say what this model is."""

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Return one embedding per text.

        Raises:
            ModelError: With one sentence for the person.
        """


class Understanding(Protocol):
    """Reads messages, and judges how two texts stand to one another."""

    def read(self, messages: Sequence[tuple[str, str]], *, urgent: bool = False) -> Sequence[Tags]:
        """Return the marks of messages, each given with what was asked before it.

        Raises:
            ModelError: With one sentence for the person.
        """

    def judge(self, task: Task, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the chances of each class of a task, shape (pairs, classes).

        Raises:
            ModelError: With one sentence for the person.
        """


class Reranker(Protocol):
    """Judges how well texts answer a question by reading each together with it."""

    def score(self, query: str, texts: Sequence[str], seconds: float) -> Sequence[float]:
        """Return how well texts answer, from 0 to 1, in their order.

        Where the time does not suffice for all of them, only the first ones are judged, so that
        there may be fewer numbers than texts.

        Raises:
            ModelLate: No answer came within ``seconds``; one that comes later is dropped.
            ModelError: With one sentence for the person.
        """


def too_long(model: str, tokens: int, window: int) -> TooLong:
    """Return what is told of a prompt of more tokens than a window; 0 where nobody knows."""
    numbers = f" ({tokens:,} tokens of at most {window:,})" if tokens and window else ""
    return TooLong(f"This is more than {model} reads at once{numbers}.", tokens, window)


def rough_count(text: str) -> int:
    """Return about how many tokens a text has, where no tokenizer is at hand.

    Four bytes a token: right for English, and not far off where a letter takes three bytes.
    """
    return -(-len(text.encode("utf-8", "replace")) // 4)
