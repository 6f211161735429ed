"""Calls that a model writes into its answer, and answers that only look like some."""

import json
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.limits import LONGEST_ANSWER
from app.domain.prompting.tools import ToolCall
from app.providers.written_calls import (
    CUT_OFF,
    MOST_CALLS,
    NO_ARGUMENTS,
    NO_JSON,
    NO_NAME,
    TOO_LARGE,
    tool_call,
    with_calls,
)
from tests.fakes.some_tools import NAMES

CALL = '<tool_call>\n{"name": "ctx_search", "arguments": {"query": "the boiler"}}\n</tool_call>'
ROOF = ("ctx_search", {"query": "the roof"})
MISTRAL = '[TOOL_CALLS][{"name": "ctx_search", "arguments": {"query": "the boiler"}}]'
NAMED = '[TOOL_CALLS]ctx_search[CALL_ID]abc123DEF[ARGS]{"query": "the boiler"}'
LLAMA = '{"name": "ctx_search", "parameters": {"query": "the boiler"}}'
GIVEN = '<tool_call>{"name": "ctx_search", "arguments": %s}</tool_call>'
ROOFS = LLAMA.replace("boiler", "roof")
OTHER = CALL.replace("boiler", "roof")
SEARCHED = ("ctx_search", {"query": "the boiler"})


def read(pieces, names=NAMES, cancel=None):
    """Return the text of an answer, and what is called in it."""
    told = list(with_calls((piece for piece in pieces), names, cancel or Event()))
    calls = [one for one in told if isinstance(one, ToolCall)]
    assert told[len(told) - len(calls) :] == calls
    return "".join(one for one in told if isinstance(one, str)), calls


def called(pieces):
    text, calls = read(pieces)
    return text, [(call.name, dict(call.arguments)) for call in calls]


@pytest.mark.parametrize(
    ("said", "text", "calls"),
    [
        (CALL, "", [SEARCHED]),
        (f"\n\n{CALL}", "", [SEARCHED]),
        (f"I look.\n{CALL}", "I look.\n", [SEARCHED]),
        (f"{CALL}\n{OTHER}", "", [SEARCHED, ROOF]),
        (f"{CALL}<tool_response>All is well.</tool_response> All is well.", "", [SEARCHED]),
        (CALL.replace("</tool_call>", "<tool_call>"), "", [SEARCHED]),
        (CALL.replace("</tool_call>", ""), "", [SEARCHED]),
        (CALL.replace("}}", "}"), "", [SEARCHED]),
        (CALL.replace("}}", "}}}"), "", [SEARCHED]),
        (f"<tool_call>[{LLAMA}, {ROOFS}]</tool_call>", "", [SEARCHED, ROOF]),
        (f'<tool_call>{{"type": "function", "function": {LLAMA}}}</tool_call>', "", [SEARCHED]),
        ('<tool_call>{"name": "forget"}</tool_call>', "", [("forget", {})]),
        ('<tool_call>{"name": "other", "arguments": {}}</tool_call>', "", [("other", {})]),
        (MISTRAL, "", [SEARCHED]),
        (MISTRAL.replace("][", "] ["), "", [SEARCHED]),
        (f"I look. {MISTRAL}", "I look. ", [SEARCHED]),
        (NAMED, "", [SEARCHED]),
        (NAMED.replace("[CALL_ID]abc123DEF", ""), "", [SEARCHED]),
        (NAMED + NAMED.replace("boiler", "roof"), "", [SEARCHED, ROOF]),
        (LLAMA, "", [SEARCHED]),
        (f"{LLAMA}; {ROOFS}", "", [SEARCHED, ROOF]),
        (f"[{LLAMA}]", "", [SEARCHED]),
        (f"```json\n{LLAMA}\n```", "", [SEARCHED]),
        (f'{{"type": "function", "name": {LLAMA[9:]}', "", [SEARCHED]),
        ('{"name": "hello", "arguments": {}}', "", [("hello", {})]),
        (f"{LLAMA}\nThis looks for it.", "", [SEARCHED]),
    ],
)
def test_calls_are_found_in_the_ways_that_models_write_them(said, text, calls):
    assert called([said]) == (text, calls)
    assert called(said) == (text, calls), "letter by letter"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Hello.",
        " \n ",
        "a < b, and <tool is no mark",
        "It ends in <tool_ca",
        "[TOOL",
        "The mark `<tool_call>` begins a call.",
        'Write "<tool_call>", then JSON.',
        '{"name": "Anna", "age": 3}',
        '{"name": "Anna", "parameters": 3}',
        '{"name": "Anna", "parameters": {}, "age": 3}',
        '{"a": 1}',
        '{"parameters": 1}',
        "{}",
        "{",
        "[1, 2]",
        "[",
        '```python\nprint("a")\n```',
        '```json\n{"name": "Anna"}\n```',
        "```",
        f"Like this: {LLAMA}",
        '{"name": 5, "parameters": {}}',
        '{"name": ["ctx_search"]}',
    ],
)
def test_what_is_no_call_is_shown_as_it_is(said):
    assert called([said]) == (said, [])
    assert called(said) == (said, [])


@pytest.mark.parametrize(
    ("said", "name", "problem"),
    [
        ("<tool_call>ctx_search the boiler</tool_call>", "", NO_JSON),
        (GIVEN % '{boiler}', "ctx_search", NO_JSON),
        (GIVEN % '"boiler"', "ctx_search", NO_ARGUMENTS),
        (GIVEN % '["x"]', "ctx_search", NO_ARGUMENTS),
        ('<tool_call>{"arguments": {"query": "x"}}</tool_call>', "", NO_NAME),
        ("<tool_call>[]</tool_call>", "", NO_JSON),
        (CALL[:60], "ctx_search", CUT_OFF),
        ("I look. <tool_call>", "", None),
        ("<tool_call>" + "[" * 2_000 + "</tool_call>", "", NO_JSON),
        ('[TOOL_CALLS][{"name": "ctx_search", "arguments": {"query": "the', "ctx_search", CUT_OFF),
        ('[TOOL_CALLS]ctx_search[ARGS]{"query": "the', "ctx_search", CUT_OFF),
        ('{"name": "ctx_search", "parameters": {"query": "the', "ctx_search", CUT_OFF),
        ('[{"name": "ctx_search", "parameters": {"query": "the', "ctx_search", CUT_OFF),
    ],
)  # fmt: skip
def test_a_call_that_makes_no_sense_is_a_problem_and_no_text(said, name, problem):
    for pieces in ([said], said):
        text, calls = read(pieces)
        assert "{" not in text
        assert "<" not in text
        assert [(call.name, call.problem) for call in calls] == [(name, problem)] * bool(problem)
        assert all(not call.arguments for call in calls if call.problem != NO_NAME)


def test_arguments_are_kept_as_they_were_written():
    body = '{"query":  "caf\\u00e9\n", "n": 1.0}'
    for said in (
        f'<tool_call>{{"name": "ctx_search", "arguments": {body}}}</tool_call>',
        f"[TOOL_CALLS]ctx_search[ARGS]{body}",
        f'<tool_call>{{"name": "ctx_search", "arguments": {json.dumps(body)}}}</tool_call>',
    ):
        _, (call,) = read([said])
        assert call.raw == body
        assert call.arguments == {"query": "café\n", "n": 1.0}


def test_ids_tell_the_calls_of_an_answer_apart():
    _, calls = read([CALL.replace("boiler", str(number)) for number in range(5)])
    assert len({call.id for call in calls}) == 5
    assert all(len(call.id) == 9 and call.id.isalnum() for call in calls)


def test_no_more_is_called_than_a_loop_can_do():
    many = [CALL.replace("boiler", str(number)) for number in range(MOST_CALLS + 9)]
    assert len(read(many)[1]) == MOST_CALLS


@pytest.mark.parametrize("junk", ["x", "[", "{", '"', '{"a": ['])
def test_a_call_without_end_ends(junk):
    endless = ["<tool_call>", *[junk * 4_000] * (LONGEST_ANSWER // 4_000 + 2)]
    text, calls = read(endless)
    assert text == ""
    assert [call.problem for call in calls] == [TOO_LARGE]
    assert len(calls[0].raw) <= LONGEST_ANSWER


def test_nothing_more_is_read_after_what_follows_a_call():
    read_on = []

    def pieces():
        yield CALL
        yield "\nAll is well."
        read_on.append(True)
        yield "And more."

    assert called(pieces()) == ("", [SEARCHED])
    assert not read_on


@pytest.mark.parametrize("begin", ["<tool_call>\n", ""], ids=["marked", "bare"])
def test_a_model_that_goes_round_in_circles_without_an_end_is_stopped(begin):
    read_on = []

    def pieces():
        yield from f"{begin}{LLAMA}\n{ROOFS}\n{LLAMA}"
        read_on.append(True)
        yield "\n"

    assert called(pieces()) == ("", [SEARCHED, ROOF])
    assert not read_on


def test_lines_of_data_that_repeat_are_no_circle():
    lines = '{"type": "a"}\n' * 3
    assert called(lines) == (lines, [])


def test_a_model_that_goes_round_in_circles_is_stopped():
    read_on = []

    def pieces():
        yield CALL + OTHER
        yield OTHER
        read_on.append(True)
        yield CALL

    assert called(pieces()) == ("", [SEARCHED, ROOF])
    assert not read_on


def test_a_stop_in_a_call_drops_it():
    cancel = Event()

    def pieces():
        yield "I look. "
        yield CALL[:40]
        cancel.set()

    assert read(pieces(), cancel=cancel) == ("I look. ", [])


def test_text_comes_at_once_and_is_held_back_only_where_a_call_may_begin():
    told = list(
        with_calls((piece for piece in ["One ", "two <", "b> ", "th<tool", "s"]), NAMES, Event())
    )
    assert told == ["One ", "two ", "<b> ", "th", "<tools"]


def test_without_tools_an_answer_is_what_it_is():
    assert read([CALL], names=()) == (CALL, [])


def test_calls_found_by_others_are_passed_on_after_the_text():
    given = ToolCall("c1", "forget")
    assert read(["I look <tool", given, "late", ToolCall("c2", "forget")]) == (
        "I look <tool",
        [given, ToolCall("c2", "forget")],
    )


PIECES = [
    "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[ARGS]", "<tool", "_call>", "[", "]", "{", "}",
    '"name"', ": ", '"ctx_search"', '"arguments"', ", ", '"', "`", "```json", " ", "\n", "a", LLAMA,
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_it_does_not_matter_how_an_answer_arrives_and_no_mark_is_shown(pieces):
    def plain(found):
        text, calls = found
        return text, [(call.name, call.arguments, call.raw, call.problem) for call in calls]

    said = "".join(pieces)
    whole, parts = plain(read([said])), plain(read(pieces))
    assert whole == parts == plain(read(said))
    text = whole[0]
    for mark in ("<tool_call>", "[TOOL_CALLS]"):
        at = text.find(mark)
        assert at < 0 or text[at - 1] in "`\"'", "only one that is spoken of"
    assert said.lstrip().startswith(text.lstrip()[:1])


@given(st.text(max_size=60), st.text(max_size=200))
def test_whatever_the_arguments_are_nothing_raises(name, raw):
    call = tool_call("c1", name, raw)
    assert isinstance(call.arguments, dict)
    assert call.problem or (call.name and (not raw.strip() or call.raw == raw))


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=20) | st.integers() | st.booleans()))
def test_arguments_come_back_as_they_were(arguments):
    said = json.dumps({"name": "ctx_search", "arguments": arguments}, ensure_ascii=False)
    if "tool_call>" not in said:
        _, (call,) = read([f"<tool_call>{said}</tool_call>"])
        assert call.arguments == arguments
