"""How models of this computer are told of tools, and of what they called."""

import json
from threading import Event

import pytest

from app.domain.prompting.tools import ToolCall
from app.providers.base import PromptTurn
from app.providers.local.chat_template import ChatTemplate, speaks_of_tools
from app.providers.written_calls import with_calls
from tests.fakes.some_tools import NAMES, TOOLS
from tests.fakes.tiny_gguf import NO_SYSTEM_TEMPLATE, TEMPLATE
from tests.fakes.tool_templates import (
    HERMES_WITHOUT_RESULTS,
    LLAMA,
    MISTRAL,
    OTHER_FORM,
    QWEN,
)

CALL = ToolCall("call_7f3a", "ctx_search", {"query": "the boiler"})
SECOND = ToolCall("call_7f3b", "forget", {"kind": "a"})
ASK = [PromptTurn("system", "Be kind."), PromptTurn("user", "What of the boiler?")]
CALLED = [
    *ASK,
    PromptTurn("assistant", "I look.", (CALL,)),
    PromptTurn("tool", "It was mended.", call_id=CALL.id),
]


def rendered(source, turns=CALLED, tools=TOOLS):
    return ChatTemplate(source, "<s>", "</s>").render(turns, tools)


def calls_in(text):
    """Return what a text would call if a model had written it."""
    found = with_calls((piece for piece in [text]), NAMES, Event())
    return [(one.name, one.arguments) for one in found if isinstance(one, ToolCall)]


@pytest.mark.parametrize("source", [QWEN, LLAMA, MISTRAL], ids=["Qwen", "Llama", "Mistral"])
def test_a_template_that_knows_tools_is_given_them(source):
    template = ChatTemplate(source, "<s>", "</s>")
    assert template.knows_tools
    said = template.render(CALLED, TOOLS)
    for tool in TOOLS:
        assert json.dumps(tool.description) in said
    assert "It was mended." in said
    assert "You can use these tools" not in said
    assert speaks_of_tools(source)


def test_tools_calls_and_results_have_the_form_that_the_template_gives_them():
    tools = "".join(
        "\n" + json.dumps({"type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        }})
        for tool in TOOLS
    )  # fmt: skip
    assert rendered(QWEN) == (
        f"<|system|>Be kind.\n<tools>{tools}\n</tools></s><|user|>What of the boiler?</s>"
        '<|assistant|>I look.\n<tool_call>\n{"name": "ctx_search", "arguments":'
        ' {"query": "the boiler"}}\n</tool_call></s>'
        "<|user|><tool_response>\nIt was mended.\n</tool_response></s><|assistant|>"
    )


def test_ids_have_the_form_that_some_templates_ask_for_and_stay_what_they_were():
    more = [
        *CALLED,
        PromptTurn("assistant", "Yes."),
        PromptTurn("user", "Again?"),
        PromptTurn("assistant", "", (CALL, SECOND)),
        PromptTurn("tool", "One.", call_id=CALL.id),
        PromptTurn("tool", "Two.", call_id=SECOND.id),
    ]
    first, later = rendered(MISTRAL), rendered(MISTRAL, more)
    assert '"id": "call00001"' in first
    assert "It was mended.call00001[" in first
    assert "One.call00002[" in later
    assert "Two.call00003[" in later
    assert later.startswith(first), "what was read before is not read again"


@pytest.mark.parametrize(
    "source",
    [TEMPLATE, NO_SYSTEM_TEMPLATE, OTHER_FORM, HERMES_WITHOUT_RESULTS],
    ids=["no tools", "no system", "another form", "no results"],
)
def test_a_model_whose_template_does_not_know_tools_is_told_in_words(source):
    template = ChatTemplate(source, "<s>", "</s>")
    assert not template.knows_tools
    said = template.render(CALLED, TOOLS)
    assert "- ctx_search: Searches what was said before." in said
    assert "  - query: text. Words to look for." in said
    assert "  - kind: one of a, b" in said
    assert "The tool ctx_search returned:\nIt was mended." in said
    assert (
        'this:\n<tool_call>{"name": "ctx_search", "arguments": {"query": "…"}}</tool_call>' in said
    )
    written = said[said.index("I look.") :]
    assert calls_in(written) == [(CALL.name, CALL.arguments)], "as it is to write them"


def test_without_a_system_turn_the_tools_are_told_all_the_same():
    said = rendered(TEMPLATE, ASK[1:])
    assert said.startswith("<s><|system|>You can use these tools:")


def test_a_template_that_drops_the_system_in_silence_tells_of_tools_to_the_person():
    source = "{% for m in messages if m.role != 'system' %}{{ m.content }}|{% endfor %}"
    said = rendered(source, ASK[1:])
    assert said.startswith("You can use these tools:")
    assert said.endswith("What of the boiler?|")


def test_a_template_that_takes_one_call_at_a_time_is_told_of_several_in_words():
    turns = [
        *ASK,
        PromptTurn("assistant", "", (CALL, SECOND)),
        PromptTurn("tool", "One.", call_id=CALL.id),
        PromptTurn("tool", "Two.", call_id=SECOND.id),
    ]
    said = rendered(LLAMA, turns)
    assert "The tool forget returned:\nTwo." in said
    assert "You can use these tools" in said


@pytest.mark.parametrize("source", [QWEN, LLAMA, MISTRAL, TEMPLATE, NO_SYSTEM_TEMPLATE, None])
def test_without_tools_nothing_is_shown_of_calls_but_what_was_found(source):
    template = ChatTemplate(source, "", "")
    assert "tool" not in template.render(ASK)
    said = template.render(CALLED, ())
    assert "It was mended." in said
    assert "I look." in said
    assert CALL.name not in said.replace("The tool ctx_search returned", "")
    assert "query" not in said


@pytest.mark.parametrize(
    ("source", "speaks"),
    [
        (TEMPLATE, False),
        ("{{ messages }} {# tools #} {{ 'tools' }}", False),
        ("{% if tools %}{{ 9 ** 9 ** 9 ** 9 }}{% endif %}", True),
        ("{% for tool in tools %}{{ tool }}{% endfor %}", True),
    ],
)
def test_whether_a_template_speaks_of_tools_is_seen_without_computing_it(source, speaks):
    assert speaks_of_tools(source) is speaks
