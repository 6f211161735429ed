"""How far a review has come: what its checkpoint holds."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from app.domain.jobs.upkeep import TRIES
from app.memory.review.page import ReviewStretch

FIGURES = (
    "conversations",
    "messages",
    "learned",
    "proposed",
    "set_aside",
    "seen_again",
    "refused",
    "links",
    "calls",
    "unanswered",
    "too_long",
)


@dataclass(frozen=True, slots=True)
class ReviewState:
    """A review under way.

    Attributes:
        batch: What one "Undo" undoes.
        left: Ids of the conversations still to be read, in order.
        total: How many there were.
        failed: How often in a row a model did not answer.
        aside: Rows of conversations, and of the last message of each, that a model has yet to read.
    """

    batch: str
    left: tuple[str, ...]
    total: int
    failed: int = 0
    aside: tuple[tuple[int, int], ...] = ()
    figures: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(FIGURES, 0))

    @classmethod
    def of(cls, checkpoint: Mapping[str, Any]) -> "ReviewState":
        """Return the state that a checkpoint holds."""
        aside = tuple((pk, until) for pk, until in checkpoint["aside"])
        return cls(**{**checkpoint, "left": tuple(checkpoint["left"]), "aside": aside})

    @property
    def given_up(self) -> bool:
        """Whether the model is out of reach."""
        return self.failed >= TRIES

    def as_checkpoint(self) -> dict[str, Any]:
        """Return it as JSON can carry it."""
        return asdict(self)

    def after(
        self, stretches: Sequence[ReviewStretch], answered: bool | None, found: Mapping[str, int]
    ) -> "ReviewState":
        """Return the state once a page was read.

        Args:
            stretches: What was on the page.
            answered: Whether a model answered; None where it was not asked.
            found: What was found, by the names of figures.
        """
        waits = answered is False or self.given_up
        read = {stretch.talk.id for stretch in stretches if stretch.whole or waits}
        more = {
            **found,
            "conversations": len(read),
            "messages": sum(len(stretch.heard) for stretch in stretches),
            "calls": int(answered is True),
            "unanswered": int(answered is False),
        }
        aside = tuple((stretch.talk.pk, stretch.until) for stretch in stretches if waits)
        failed = self.failed if answered is None else 0 if answered else self.failed + 1
        return replace(
            self,
            left=tuple(one for one in self.left if one not in read),
            failed=failed,
            aside=(*self.aside, *aside),
            figures={name: n + more.get(name, 0) for name, n in self.figures.items()},
        )
