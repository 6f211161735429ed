"""Which tools a model is offered for one answer, and why it is offered none."""

from collections.abc import Callable, Sequence

from app.conversation.history import Entry
from app.domain.conversation import Conversation, Message
from app.domain.memory import Scope
from app.domain.prompting.context import Summary
from app.services.tools.context import ContextTools
from app.services.tools.toolbox import Tool, Toolbox, ToolScope
from app.settings.context import Engine
from app.settings.spec import Settings
from app.settings.tools import Offer


class OfferedTools:
    """Puts together what may be called while one message is answered.

    Args:
        context: The tools that read the conversation again.
        settings: Returns the settings of the moment.
        is_small: Returns whether a chat model is known to be too small for tools.
    """

    def __init__(
        self,
        context: ContextTools,
        settings: Callable[[], Settings],
        is_small: Callable[[str], bool],
    ) -> None:
        self._context = context
        self._settings = settings
        self._is_small = is_small

    def to(
        self, model_id: str, talk: Conversation, question: Message, history: Sequence[Entry]
    ) -> Toolbox | None:
        """Return what a model may call; None for nothing.

        Args:
            model_id: Who answers.
            talk: The conversation.
            question: The message that is answered.
            history: What the model may be shown of what was said before.
        """
        chosen = self._settings().tools.offered
        small = chosen is Offer.LARGE and self._is_small(model_id)
        if chosen is Offer.NEVER or small:
            return None
        tools: list[Tool] = []
        if self._reads_again(talk, history):
            tools += self._context.tools()
        scope = ToolScope(talk.id, question.id, Scope(talk.agent_pk))
        return Toolbox(tools, scope) if tools else None

    def _reads_again(self, talk: Conversation, history: Sequence[Entry]) -> bool:
        """Whether there is more than the model is shown."""
        if self._settings().context.engine is Engine.PIPELINE:
            return talk.mode.reads
        first = history[0] if history else None
        cut = isinstance(first, Message) and first.parent_id is not None
        return cut or any(isinstance(one, Summary) for one in history)
