"""What a model calls is done or answered, never crashed on."""

from dataclasses import replace

import pytest

from app.domain.memory import Scope
from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import Cancelled, NotFound, Refused
from app.services.tools.toolbox import Tool, Toolbox, ToolScope

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "scope": {"type": "string", "enum": ["messages", "both"]},
        "exact": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
}
WHO = ToolScope("c1", "m1", Scope(7), ("g1",))


def box(run=lambda arguments, scope: "done"):
    return Toolbox([Tool(ToolSpec("find", "Finds.", SCHEMA), run)], WHO)


def test_a_tool_is_given_its_arguments_and_the_turns_scope():
    seen = []
    result = box(lambda a, s: seen.append((dict(a), s)) or "found").run(
        ToolCall("k", "find", {"query": "tea", "limit": 3, "scope": "both", "exact": True}), 500
    )
    assert (result.call_id, result.text, result.failed) == ("k", "found", False)
    assert seen == [
        ({"query": "tea", "limit": 3, "scope": "both", "exact": True}, replace(WHO, room=500))
    ]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (ToolCall("k", "fetch", {}), "There is no tool called 'fetch'. There are: find."),
        (ToolCall("k", "find", {}), "'query' is missing."),
        (ToolCall("k", "find", {"query": 3}), "'query' must be text."),
        (ToolCall("k", "find", {"query": "a", "limit": True}), "'limit' must be a whole number."),
        (ToolCall("k", "find", {"query": "a", "exact": 1}), "'exact' must be true or false."),
        (ToolCall("k", "find", {"query": "a", "tags": "x"}), "'tags' must be a list."),
        (
            ToolCall("k", "find", {"query": "a", "scope": "all"}),
            "'scope' must be one of: messages, both.",
        ),
        (
            ToolCall("k", "find", {"query": "a", "conversation": "c2"}),
            "There is no argument 'conversation'. There are: query, limit, scope, exact, tags.",
        ),
        (ToolCall("k", "find", {}, "{", "This is no JSON."), "This is no JSON."),
    ],
)
def test_a_call_that_makes_no_sense_is_answered_and_runs_nothing(call, told):
    result = box(lambda arguments, scope: pytest.fail("it ran")).run(call)
    assert (result.text, result.failed) == (told, True)


@pytest.mark.parametrize("error", [NotFound("There is no such summary."), Refused("No.")])
def test_a_refusal_is_told_to_the_model(error):
    def refuse(arguments, scope):
        raise error

    result = box(refuse).run(ToolCall("k", "find", {"query": "a"}))
    assert (result.text, result.failed) == (str(error), True)


def test_stopping_stops():
    def stop(arguments, scope):
        raise Cancelled

    with pytest.raises(Cancelled):
        box(stop).run(ToolCall("k", "find", {"query": "a"}))
