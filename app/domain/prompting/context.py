"""What a model is shown of a conversation: messages, and summaries that stand for runs of them.

A summary covers a run of a branch and is named by its two ends. Since a message has one parent, the
run is the same on every branch that passes through its end: a summary is never moved, and switching
branches changes which summaries are seen, not what they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from app.domain.conversation import Role

MESSAGE, SUMMARY = "m", "s"  # with a row behind, what a model calls a message or a summary by


class Rung(IntEnum):
    """How a summary came into being, from the best to what always works."""

    NORMAL = 1
    AGGRESSIVE = 2
    EXTRACT = 3


@dataclass(frozen=True, slots=True)
class ViewMessage:
    """A message in the view.

    Attributes:
        tokens: About how many it takes.
        result: Whether it answers a tool call, and so belongs to the message before it.
    """

    pk: int
    id: str
    role: Role
    tokens: int
    at: datetime
    untrusted: bool = False

    @property
    def result(self) -> bool:
        """Whether it is the result of a tool call of the message before it."""
        return self.role is Role.TOOL


@dataclass(frozen=True, slots=True)
class Summary:
    """A text that stands for a run of a branch.

    Attributes:
        depth: 0 for a leaf, which covers messages; a condensed node covers summaries one less deep.
        first, last: The pks of the messages at its ends; ``last`` is the later one.
        messages: How many messages it covers.
        tokens: About how many its text takes.
        source_tokens: About how many what it covers took.
        earliest, latest: When the first and last of its messages were written.
        untrusted: Whether any of what it covers came from outside.
    """

    id: str
    depth: int
    first: int
    last: int
    messages: int
    tokens: int
    source_tokens: int
    text: str
    earliest: datetime
    latest: datetime
    rung: Rung = Rung.NORMAL
    untrusted: bool = False
    pk: int = 0

    @property
    def handle(self) -> str:
        """What a model calls it by, within its conversation."""
        return f"{SUMMARY}{self.pk}"


ViewItem = ViewMessage | Summary
View = Sequence[ViewItem]


def tokens(view: View) -> int:
    """Return about how many tokens a view takes."""
    return sum(item.tokens for item in view)
