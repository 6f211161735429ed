"""Say which tools for memory a model has in a turn, and in words why it has none."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import Refused
from app.services.tools.keyed import KeyedTools
from app.services.tools.memories import MemoryTools
from app.services.tools.toolbox import Tool, ToolScope
from app.store.store import Store

OFF = "Memory tools are switched off for this assistant."
NOT_LISTED = "None of the tools that this assistant may use is for memory."
READS_ONLY = "Nothing new is remembered in this conversation, so its tools only read memory."
NOT_THIS = "This message is not to be remembered, so its tools only read memory."
WRITES_ONLY = "Memory is not read in this conversation, so its tools only write."
NO_MEMORY = "Memory is off in this conversation, and its tools with it."


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """What a model may call.

    Attributes:
        why: Why some or all tools for memory are missing, in a sentence; mostly empty.
    """

    tools: Sequence[Tool] = ()
    why: str = ""


class MemoryToolset:
    """Offers the tools for memory, by the rules of the agent and the mode of the conversation."""

    def __init__(self, store: Store, keyed: KeyedTools, memories: MemoryTools) -> None:
        self._agents = store.agents
        self._conversations = store.conversations
        self._messages = store.messages
        self._restriction = store.restriction
        self._families = (keyed, memories)

    def named(self, family: str) -> frozenset[str]:
        """Return the names of the tools of a family."""
        mine = (one for one in self._families if one.family == family)
        return frozenset(t.spec.name for one in mine for t in (*one.reading(), *one.writing()))

    def offered(self, turn: ToolScope) -> OfferedTools:
        """Return the tools of a turn.

        Raises:
            NotFound: The conversation or the agent no longer exists.
        """
        try:
            self._restriction.expect_none()
        except Refused as error:
            return OfferedTools(why=str(error))
        rules = self._agents.rules(turn.scope.agent_pk)
        if not rules.tools_enabled:
            return OfferedTools(why=OFF)
        mode = self._conversations.get(turn.conversation_id).mode
        aside = self._messages.get(turn.message_id).aside
        learns = mode.learns and not aside
        if not (mode.reads or learns):
            return OfferedTools(why=NO_MEMORY)
        found = [
            tool
            for family in self._families
            for tool in (
                *(family.reading() if mode.reads else ()),
                *(family.writing() if learns else ()),
            )
            if rules.allows(tool.spec.name, family.family)
        ]
        if not found:
            return OfferedTools(why=NOT_LISTED)
        missing = "" if learns else NOT_THIS if aside else READS_ONLY
        return OfferedTools(found, missing if mode.reads else WRITES_ONLY)
