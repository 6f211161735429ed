"""One find as the window shows it: what was found, and what became of it."""

from dataclasses import dataclass

from app.domain.memory import Status
from app.domain.recall import Hit


@dataclass(frozen=True, slots=True)
class TraceSource:
    """A memory, or something said before, that an answer rests on or might have.

    Attributes:
        number: The mark it has in the prompt, from 1; 0 if it did not get there.
        cited: Whether the answer refers to it.
        asked: What was asked, as far as that is known.
    """

    hit: Hit
    number: int = 0
    cited: bool = False
    asked: str = ""

    @property
    def gone(self) -> bool:
        """Whether it was forgotten since."""
        memory = self.hit.memory
        return memory is not None and memory.status is Status.FORGOTTEN
