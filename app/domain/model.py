"""What a model is called, where it runs, and what it can do; "model" means neural weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.jobs.working import memory


class ModelRole(StrEnum):
    """What a model is for."""

    CHAT = "chat"
    EMBED = "embed"
    RERANK = "rerank"


class ModelPlace(StrEnum):
    """Where a model runs."""

    BUNDLED = "bundled"
    FILE = "file"
    SERVER = "server"
    BUILT_IN = "built_in"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One line of the model picker.

    Attributes:
        id: What settings store: ``notebook``, ``file:NAME.gguf``, ``server:BASE_URL#MODEL``,
            ``bundled``, ``hash``, ``openai:MODEL`` or ``voyage:MODEL``.
        detail: Where it runs and how big it is.
        bytes: Size of the file; 0 for servers.
        parameters: How many numbers it is made of; 0 where that is not known.
        memory_bytes: About what it needs in memory with all of its context; 0 for servers.
        problem: A sentence on why it cannot be used, or empty.
        warning: What a person should know before choosing it, or empty.
        loaded_bytes: What it takes in memory now, 0 while it is not loaded; None where it is not in
            use, or does not run here.
        added: It is a file that the person put on the list, and can take off it.
    """

    id: str
    name: str
    role: ModelRole
    place: ModelPlace
    detail: str = ""
    bytes: int = 0
    parameters: int = 0
    memory_bytes: int = 0
    problem: str = ""
    warning: str = ""
    added: bool = False
    loaded_bytes: int | None = None

    @property
    def state(self) -> str:
        """Whether a model that is in use takes memory now, in a sentence; else empty."""
        if self.loaded_bytes is None:
            return ""
        return f"Loaded, {memory(self.loaded_bytes)}" if self.loaded_bytes else "Not loaded"


@dataclass(frozen=True, slots=True)
class ChatInfo:
    """Identity of a chat model.

    Attributes:
        id: What settings store (see :class:`ModelChoice`).
        name: What the person sees.
        context_tokens: How much it can read at once.
        local: Whether the text stays on this computer.
        weights: Whether there is a language model at all (the notebook has none).
    """

    id: str
    name: str
    context_tokens: int
    local: bool
    weights: bool = True


@dataclass(frozen=True, slots=True)
class OtherProgramsModels:
    """The chat models that other programs keep on this computer.

    Attributes:
        cut_short: In whose folders there was more than is looked at, in a sentence; or empty.
    """

    choices: Sequence[ModelChoice] = ()
    cut_short: str = ""


class Failure(StrEnum):
    """How a model that was to learn failed."""

    ERROR = "error"
    UNREADABLE = "unreadable"
    SLOW = "slow"


_FAILED = {
    Failure.ERROR: "it did not answer",
    Failure.UNREADABLE: "what it answered could not be read",
    Failure.SLOW: "it took more than a minute for one message",
}


@dataclass(frozen=True, slots=True)
class LearnerStatus:
    """Who learns beside Loci's own reader.

    Attributes:
        id: What settings call it; ``notebook`` where no model learns.
        name: What a person calls it; empty where no model learns.
        why: Why the model that answers does not learn, in a sentence, or empty.
        failed: How the model failed for which it is given up; None where it is not.
    """

    id: str
    name: str = ""
    why: str = ""
    failed: Failure | None = None

    @property
    def given_up(self) -> str:
        """Why the model is given up, in a sentence; empty where it is not."""
        if self.failed is None:
            return ""
        return (
            f"{self.name} failed three times in a row to learn from what you said"
            f" ({_FAILED[self.failed]}); Loci learns without a model until you let it try again."
        )

    @property
    def sentence(self) -> str:
        """Who learns, or why no model does."""
        learns = f"{self.name} learns alongside Loci’s own reader." if self.name else ""
        return self.given_up or self.why or learns or "Loci learns without a model."


@dataclass(frozen=True, slots=True)
class FoundServer:
    """An OpenAI-compatible server that answered on loopback."""

    name: str
    base_url: str
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RerankerStatus:
    """Whether finds are re-ordered by a reranker, and what it would need.

    Attributes:
        file: Name of its file.
        present: Whether that file is on this computer.
        on: Whether the settings turn it on.
        bytes: Size of the file; where it is not present, of the download.
        offered: Whether the file can be downloaded.
        fetched: How many bytes a download brought that was not finished.
        problem: A sentence on why it is on and cannot work, or empty.
    """

    file: str
    present: bool
    on: bool
    bytes: int = 0
    offered: bool = False
    fetched: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class EmbeddingStatus:
    """How many rows the embedder in use has still to embed.

    Attributes:
        embedder: Its id.
        total: Rows that should have a vector.
        missing: Rows that have none by this embedder (they stay findable by words).
        stale: Of these, rows that have one by another embedder.
    """

    embedder: str
    total: int
    missing: int
    stale: int
