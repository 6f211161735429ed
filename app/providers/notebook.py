"""No language model at all: says so, and refuses to write.

The answers of this mode are made of the person's own memories by ``app.conversation.notebook``.
"""

from collections.abc import Iterator, Sequence
from threading import Event

from app.domain.model import ChatInfo
from app.domain.prompting.tools import ToolSpec
from app.errors import ModelError
from app.providers.base import ChatModel, Measured, PromptTurn, Sampling, rough_count

NOTEBOOK = ChatInfo("notebook", "No model", 8192, local=True, weights=False)


class NoModel:
    """Stands where a chat model would."""

    @property
    def info(self) -> ChatInfo:
        """Say that there is none."""
        return NOTEBOOK

    @property
    def calls_tools(self) -> bool:
        """Call nothing."""
        return False

    def count(self, text: str) -> int:
        """Return about how many tokens a model would see."""
        return rough_count(text)

    def measure(
        self, prompt: Sequence[PromptTurn], cancel: Event, tools: Sequence[ToolSpec] = ()
    ) -> Measured:
        """Return about what a model would see; nothing is too long for none."""
        tokens = sum(self.count(turn.content) for turn in prompt)
        return Measured(tokens, max(tokens + 1, NOTEBOOK.context_tokens), exact=False)

    def stream(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str]:
        """Refuse."""
        raise ModelError("No language model is chosen.")


def _checked() -> ChatModel:
    """Let the type checker prove that the protocol is kept."""
    return NoModel()
