"""Which tools a model has, and the reason in words where it has none."""

import pytest

from app.domain.conversation import MemoryMode
from app.services.tools import offered

READING = {"recallMemories", "searchMemory", "memory_search", "memory_get"}
KEYED = {"rememberFact", "recallMemories", "searchMemory", "forgetFact"}
WRITING = {
    "rememberFact",
    "forgetFact",
    "memory_store",
    "memory_update",
    "memory_delete",
    "memory_clear",
}


def names(home):
    turn = home.turn("Hello")
    found = home.services.memory_tools.offered(turn.scope)
    return {tool.spec.name for tool in found.tools}, found.why


def test_e8_all_tools_are_there_by_default(home):
    assert names(home) == (READING | WRITING, "")


@pytest.mark.parametrize(
    ("tools", "wanted"),
    [
        (("usermemory",), KEYED),
        (("memory",), (READING | WRITING) - KEYED),
        (("usermemory", "memory_get"), KEYED | {"memory_get"}),
        (("rememberFact",), {"rememberFact"}),
        (("calculator",), set()),
        ((), set()),
    ],
)
def test_e8_a_list_of_tools_says_which_are_there(home, tools, wanted):
    home.rule(tools=tools)
    assert names(home) == (wanted, "" if wanted else offered.NOT_LISTED)


def test_e8_an_agent_without_memory_tools_says_why(home):
    home.rule(tools_enabled=False)
    assert names(home) == (set(), offered.OFF)
    told = home.turn("I drink tea.").call("rememberFact", key="drink", value="tea")
    assert told.failed
    assert home.rows() == []


@pytest.mark.parametrize(
    ("mode", "wanted", "why"),
    [
        (MemoryMode.REMEMBERS, READING | WRITING, ""),
        (MemoryMode.READS_ONLY, READING, offered.READS_ONLY),
        (MemoryMode.WRITES_ONLY, WRITING, offered.WRITES_ONLY),
        (MemoryMode.OFF, set(), offered.NO_MEMORY),
        (MemoryMode.TEMPORARY, set(), offered.NO_MEMORY),
    ],
)
def test_the_mode_of_the_conversation_decides_too(home, mode, wanted, why):
    home.turn("Hello")
    home.store.conversations.set_mode(home.talk["Loci"].id, mode)
    assert names(home) == (wanted, why)


def test_while_processing_is_restricted_there_are_none(home):
    home.services.restriction.restrict()
    found, why = names(home)
    assert found == set()
    assert why.startswith("Processing is restricted")


def test_no_tool_takes_an_identity(home):
    turn = home.turn("Hello")
    for tool in turn.tools:
        taken = set(tool.spec.parameters["properties"])
        assert not taken & {"agent", "user", "scope", "conversation", "group", "groups"}
        assert not taken & {"agent_id", "user_id", "conversation_id", "group_id", "trust"}
