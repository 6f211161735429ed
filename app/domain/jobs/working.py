"""What a model is at before the first word comes, and what its answer took."""

from dataclasses import dataclass
from enum import StrEnum


class WorkStage(StrEnum):
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

    stage: WorkStage
    name: str = ""
    done: int = 0
    total: int = 0
    memory_bytes: int = 0

    @property
    def words(self) -> str:
        """What is being done, for the person; empty where only thinking is left."""
        if self.stage is WorkStage.WAITING:
            return f"Waiting for {self.name}…"
        if self.stage is WorkStage.LOADING:
            needs = f" ({memory(self.memory_bytes)})" if self.memory_bytes else ""
            return f"Loading {self.name}… {self.percent or 0}%{needs}"
        return f"Reading… {self.percent}%" if self.total and self.done < self.total else ""

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

    @property
    def words(self) -> str:
        """What the answer took, in sentences for the person."""
        about = "" if self.counted else "about "
        kept = f" ({self.kept_tokens:,} of them still known)" if self.kept_tokens else ""
        took = f" in {seconds(self.read_seconds)}" if self.read_seconds else ""
        pace = f" at {rate(self.per_second)}" if self.per_second else ""
        return (
            f"The model read {about}{self.prompt_tokens:,} tokens{kept}{took}"
            f" and wrote {about}{self.completion_tokens:,}{pace}."
        )


def rate(per_second: float) -> str:
    """Return how fast a model writes: "0.4 tokens/s", "13 tokens/s"."""
    return f"{per_second:,.{0 if per_second >= 10 else 1}f} tokens/s"


def seconds(count: float) -> str:
    """Return a time: "0.4 s", "27 s"."""
    return f"{count:.{0 if count >= 10 else 1}f} s"


def memory(count: int) -> str:
    """Return an amount of memory: "786 MB", "2.1 GB"."""
    return f"{count / 1e9:.1f} GB" if count >= 1_000_000_000 else f"{max(1, round(count / 1e6))} MB"
