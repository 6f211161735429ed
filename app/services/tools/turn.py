"""What a model may call while it answers one message."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.conversation.history import Entry
from app.domain.conversation import Conversation, Message
from app.domain.memory import Scope
from app.domain.prompting.agent import DEFAULT_AGENT, KEYED_TOOLS
from app.domain.prompting.context import Summary
from app.domain.sharing.rule import Shared, SharingRule
from app.services.tools.context import ContextTools
from app.services.tools.offered import MemoryToolset
from app.services.tools.toolbox import Tool, Toolbox, ToolScope
from app.settings.context import Engine
from app.settings.spec import Settings
from app.settings.tools import ToolPolicy


@dataclass(frozen=True, slots=True)
class TurnTools:
    """What may be called in a turn.

    Attributes:
        toolbox: None for nothing.
        why: Why an assistant that should have tools for memory has none, in a sentence.
    """

    toolbox: Toolbox | None = None
    why: str = ""


class ToolOffers:
    """Puts together what may be called while one message is answered.

    Args:
        context: The tools that read the conversation again.
        memory: Returns the tools for memory.
        settings: Returns the settings of the moment.
        is_small: Returns whether a chat model is known to be too small for tools.
    """

    def __init__(
        self,
        context: ContextTools,
        memory: Callable[[], MemoryToolset],
        settings: Callable[[], Settings],
        is_small: Callable[[str], bool],
    ) -> None:
        self._context = context
        self._memory = memory
        self._settings = settings
        self._is_small = is_small

    def to(
        self,
        model_id: str,
        talk: Conversation,
        question: Message,
        history: Sequence[Entry],
        rule: SharingRule | None,
    ) -> TurnTools:
        """Return what a model may call.

        Args:
            model_id: Who answers.
            talk: The conversation.
            question: The message that is answered.
            history: What the model may be shown of what was said before.
            rule: What may go to its connection; tools for memory and for other conversations are
                offered where all memories may.
        """
        all_may_go = rule is None or rule.memories is Shared.ALL
        chosen = self._settings().tools
        small = chosen.offered is ToolPolicy.LARGE and self._is_small(model_id)
        if chosen.offered is ToolPolicy.NEVER or small:
            return TurnTools()
        scope = ToolScope(talk.id, question.id, Scope(talk.agent_pk))
        tools: list[Tool] = []
        if self._reads_again(talk, history, all_may_go):
            tools += self._context.tools()
        found, why = self._for_memory(scope) if chosen.memory and all_may_go else ([], "")
        tools += found
        return TurnTools(Toolbox(tools, scope) if tools else None, why)

    def _for_memory(self, scope: ToolScope) -> tuple[list[Tool], str]:
        """Return the tools for memory; those of keyed facts are a second assistant's."""
        offered = self._memory().offered(scope)
        if scope.scope.agent_pk != DEFAULT_AGENT:
            return [*offered.tools], offered.why
        keyed = self._memory().named(KEYED_TOOLS)
        return [tool for tool in offered.tools if tool.spec.name not in keyed], ""

    def _reads_again(self, talk: Conversation, history: Sequence[Entry], others: bool) -> bool:
        """Whether there is more than the model is shown, here or in other conversations."""
        if self._settings().context.engine is Engine.PIPELINE:
            return talk.mode.reads and others
        first = history[0] if history else None
        cut = isinstance(first, Message) and first.parent_id is not None
        return cut or any(isinstance(one, Summary) for one in history)
