"""What stands between a prompt and a model that is lent: whether it goes, and as what."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from app.domain.model import ChatInfo
from app.domain.sharing.rule import SharingRule
from app.providers.base import PromptTurn

Piece = TypeVar("Piece")


class Veil(Protocol):
    """Hides what is private in a prompt, and puts it back in the answer."""

    def concealed(self, prompt: Sequence[PromptTurn]) -> Sequence[PromptTurn]:
        """Return a prompt as it may be sent.

        Raises:
            ModelError: It cannot be made sure that nothing private is left in it.
        """

    def revealed(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield the answer to the prompt that was concealed last, as it is meant."""


class NoVeil:
    """Sends everything as it is."""

    def concealed(self, prompt: Sequence[PromptTurn]) -> Sequence[PromptTurn]:
        """Return the prompt."""
        return prompt

    def revealed(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield the answer."""
        yield from pieces


class SharingGate(Protocol):
    """Whoever says what may go to a model."""

    def veil(
        self, info: ChatInfo, seed: str, rule: SharingRule | None, *, interactive: bool
    ) -> Veil:
        """Return what a model is asked through.

        Args:
            info: The model.
            seed: What stand-ins are chosen by, such as the conversation's id; never sent.
            rule: One to try; None for the one that holds.
            interactive: Whether the person waits for it.

        Raises:
            Unshared: Nothing may go there before the person said what may.
            Hindered: It may not be used for background work.
        """


class OpenGate:
    """Lets everything go, for who has no person to ask."""

    def veil(
        self, info: ChatInfo, seed: str, rule: SharingRule | None, *, interactive: bool
    ) -> Veil:
        """Hide nothing."""
        return NoVeil()
