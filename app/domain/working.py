"""What a model is at before the first word comes, and what its answer took."""

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """What a model does before it writes."""

    LOADING = "loading"
    READING = "reading"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Working:
    """How far a model is with what it does before it writes.

    Attributes:
        name: Which model loads or reads; of a server, its address.
        done: How much is done, in tokens or hundredths of the weights.
        total: How much there is; 0 when nobody knows.
        memory_bytes: About what a model that loads will take; 0 when nobody knows.
    """

    stage: Stage
    name: str = ""
    done: int = 0
    total: int = 0
    memory_bytes: int = 0

    @property
    def percent(self) -> int | None:
        """How much of it is done, in hundredths; None where nobody knows."""
        return min(100, self.done * 100 // self.total) if self.total > 0 else None


@dataclass(frozen=True, slots=True)
class Took:
    """What one answer took of its model.

    Attributes:
        prompt_tokens: Read.
        completion_tokens: Written.
        window: How many tokens the model reads at once.
        counted: Whether the model counted them; else they are estimated.
        kept_tokens: Those of the prompt that it still knew from before.
        read_seconds: How long it read; 0 where that was not measured.
        write_seconds: How long it wrote; 0 where that was not measured.
    """

    prompt_tokens: int
    completion_tokens: int
    window: int
    counted: bool
    kept_tokens: int = 0
    read_seconds: float = 0.0
    write_seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """How much of the window prompt and answer fill."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def per_second(self) -> float:
        """How many tokens it wrote each second; 0 where that was not measured."""
        return self.completion_tokens / self.write_seconds if self.write_seconds > 0 else 0.0
