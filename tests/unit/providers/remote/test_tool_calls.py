"""Servers whose models call tools: what they are told, and whatever way they answer in."""

import json
from threading import Event

import pytest

from app.domain.prompting.tools import ToolCall
from app.errors import EndpointError
from app.providers.base import PromptTurn, Sampling
from app.providers.lending import Lent
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.learnt import ServerMemory
from app.providers.remote.openai import OpenAIChat
from app.providers.written_calls import CUT_OFF, MOST_CALLS, NO_ARGUMENTS, NO_NAME, TOO_LARGE
from tests.fakes import nasty
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.fakes.some_tools import SEARCH, TOOLS

ASK = [PromptTurn("system", "Be brief."), PromptTurn("user", "What did I say of the boiler?")]
BOILER = '{"query": "boiler"}'
OFFERED = Sampling(tools=TOOLS)
CALLED = [
    *ASK,
    PromptTurn("assistant", "", (ToolCall("c1", "forget", {"kind": "a"}),)),
    PromptTurn("tool", "Done.", call_id="c1"),
]


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def chat(server, learnt=None):
    return OpenAIChat(Endpoint(server.url), "fake", "server:x", 8192, learnt or ServerMemory())


def answered(model, prompt=ASK, sampling=OFFERED):
    """Return what was said, and what was called after it."""
    told = list(model.told(prompt, sampling, Event()))
    calls = [one for one in told if isinstance(one, ToolCall)]
    assert told[len(told) - len(calls) :] == calls, "after the last word"
    return "".join(one for one in told if isinstance(one, str)), calls


def arguments(calls):
    return [(call.name, dict(call.arguments)) for call in calls]


def test_tools_and_what_was_called_before_are_sent_as_the_protocol_says(server):
    call = ToolCall("c1", "ctx_search", {"query": "é"}, '{"query":"é"}')
    turns = [*ASK, PromptTurn("assistant", "", (call,)), PromptTurn("tool", "Nothing.", (), "c1")]
    answered(chat(server), turns)
    (request,) = server.requests
    assert request.body["tools"][0] == {
        "type": "function",
        "function": {
            "name": "ctx_search",
            "description": SEARCH.description,
            "parameters": SEARCH.parameters,
        },
    }
    asked, told = request.body["messages"][-2:]
    (sent,) = asked.pop("tool_calls")
    assert json.loads(sent["function"].pop("arguments")) == {"query": "é"}
    assert sent == {"id": "c1", "type": "function", "function": {"name": "ctx_search"}}
    assert told == {"role": "tool", "content": "Nothing.", "tool_call_id": "c1"}


@pytest.mark.parametrize("size", [0, 1, 4])
@pytest.mark.parametrize("ids", [True, False], ids=["ids", "no ids"])
@pytest.mark.parametrize("numbered", [True, False], ids=["numbered", "not numbered"])
def test_calls_are_whole_however_they_come(server, size, ids, numbered):
    several = (("ctx_search", BOILER), ("forget", '{"kind": "a"}'), ("forget", "{}"))
    reply = Reply("Let me look.", calls=several, size=size, ids=ids, numbered=numbered)
    server.script(reply, Reply(body=reply.unstreamed()))
    for _ in range(2):
        said, calls = answered(chat(server))
        assert said == "Let me look."
        assert arguments(calls) == [
            ("ctx_search", {"query": "boiler"}),
            ("forget", {"kind": "a"}),
            ("forget", {}),
        ]
        assert calls[0].raw == BOILER
        assert not any(call.problem for call in calls)
        assert len({call.id for call in calls}) == 3
        assert [call.id for call in calls] == ["call_0", "call_1", "call_2"] or not ids


def test_calls_that_all_have_the_same_number_or_id_are_told_apart(server):
    def chunk(**call):
        return f"data: {json.dumps({'choices': [{'delta': {'tool_calls': [call]}}]})}\n\n".encode()

    def function(kind):
        return {"name": "forget", "arguments": {"kind": kind}}

    end = b"data: [DONE]\n\n"
    same_number = chunk(index=0, id="x", function=function("a")) + chunk(
        index=0, id="y", function=function("b")
    )
    same_id = chunk(index=0, id="x", function=function("a")) + chunk(
        index=1, id="x", function=function("b")
    )
    neither = chunk(index=0, function=function("a")) + chunk(index=0, function=function("b"))
    for raw in (same_number, same_id, neither):
        server.script(Reply(raw=raw + end))
        _, calls = answered(chat(server))
        assert [call.arguments["kind"] for call in calls] == ["a", "b"]
        assert len({call.id for call in calls}) == 2


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ('{"query": boiler}', NO_ARGUMENTS),
        ("boiler", NO_ARGUMENTS),
        ('["boiler"]', NO_ARGUMENTS),
        ('{"query": "boi', NO_ARGUMENTS),
        ("[" * 100_000, NO_ARGUMENTS),
        ("[" * 350_000 + "," * 300_000, TOO_LARGE),
        (json.dumps("boiler"), NO_ARGUMENTS),
    ],
    ids=["no json", "a word", "a list", "half", "deep", "crowded", "a text"],
)
def test_arguments_that_make_no_sense_are_a_problem_and_nothing_raises(server, raw, problem):
    server.script(Reply("", calls=(("ctx_search", raw),), size=0))
    if len(raw) > 400_000:
        with pytest.raises(EndpointError, match="more than an answer can be"):
            answered(chat(server))
        return
    _, (call,) = answered(chat(server))
    assert (call.name, call.problem, call.raw) == ("ctx_search", problem, raw)
    assert call.arguments == {}
    server.script(Reply("Sorry."))
    again = [*ASK, PromptTurn("assistant", "", (call,)), PromptTurn("tool", problem, (), call.id)]
    assert answered(chat(server), again)[0] == "Sorry."
    sent = server.requests[-1].body["messages"][2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {}, "servers refuse what they cannot read"


def test_no_arguments_are_none_and_a_call_of_nothing_is_a_problem(server):
    server.script(Reply("", calls=(("forget", ""), ("forget", "null"), ("", "{}"))))
    _, calls = answered(chat(server))
    assert [(dict(call.arguments), call.problem) for call in calls] == [
        ({}, ""),
        ({}, ""),
        ({}, NO_NAME),
    ]


def test_a_call_that_the_longest_answer_cuts_off_is_said_to_be(server):
    calls = (("forget", "{}"), ("ctx_search", '{"query": "the boi'))
    server.script(Reply("", calls=calls, finish="length"))
    _, found = answered(chat(server))
    assert [call.problem for call in found] == ["", CUT_OFF]


def test_an_answer_that_breaks_off_in_a_call_calls_nothing(server):
    server.script(Reply("Wait.", calls=(("ctx_search", BOILER),), done=False))
    came = []
    with pytest.raises(EndpointError, match="broke off"):
        came.extend(chat(server).told(ASK, OFFERED, Event()))
    assert "".join(came) == "Wait."


def test_an_answer_that_breaks_off_in_a_call_had_room_for_it(server):
    learnt = ServerMemory()
    learnt.learn(server.url, "fake", window=512)
    server.script(Reply("", calls=(("ctx_search", BOILER),), done=False))
    with pytest.raises(EndpointError, match="broke off"):
        answered(chat(server, learnt), [PromptTurn("user", "word " * 300)])


def test_after_a_stop_nothing_is_called(server):
    cancel = Event()
    server.script(Reply("Wait.", calls=(("ctx_search", BOILER),), between=Event(), free=3))
    told = chat(server).told(ASK, OFFERED, cancel)
    assert next(told) == "Wait."
    cancel.set()
    assert list(told) == []


def test_no_more_is_called_than_a_loop_can_do(server):
    server.script(Reply("", calls=(("forget", "{}"),) * (MOST_CALLS + 5), size=0))
    assert len(answered(chat(server))[1]) == MOST_CALLS


def test_a_server_that_passes_on_what_a_model_writes_is_understood(server):
    server.script(Reply(f'I look. <tool_call>{{"name": "ctx_search", "arguments": {BOILER}}}'))
    said, calls = answered(chat(server))
    assert said == "I look. "
    assert arguments(calls) == [("ctx_search", {"query": "boiler"})]


def test_a_thought_before_a_call_is_no_part_of_the_answer(server):
    server.script(
        Reply("<think> Hm. </think>", calls=(("forget", "{}"),)),
        Reply("<think> Hm.", calls=(("forget", "{}"),)),
    )
    for _ in range(2):
        said, calls = answered(chat(server))
        assert (said, len(calls)) == ("", 1)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "registry.ollama.ai/library/fake does not support tools"),
        (400, "Unsupported parameter: 'tools'"),
        (422, "tools: Extra inputs are not permitted"),
        (422, "Extra inputs are not permitted"),
        (500, "tools param requires --jinja flag"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice to be set'),
        (404, "No endpoints found that support tool use."),
        (400, "Function calling is not enabled for this model"),
    ],
)
def test_a_server_that_refuses_tools_answers_without_and_that_is_remembered(server, status, words):
    learnt = ServerMemory()
    server.no_tools = Reply(words, status=status)
    server.default = Reply("Fine.")
    model = chat(server, learnt)
    assert model.calls_tools
    assert answered(model) == ("Fine.", [])
    assert ["tools" in request.body for request in server.requests] == [True, False]
    assert not model.calls_tools
    assert not chat(server, learnt).calls_tools, "and for the next conversation"
    assert not Lent(model, Event()).calls_tools
    assert answered(model, CALLED) == ("Fine.", [])
    last = server.requests[-1].body
    assert "tools" not in last
    told = "What did I say of the boiler?\n\nThe tool forget returned:\nDone."
    assert last["messages"][1:] == [{"role": "user", "content": told}]
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "Tool call id was c1 but must have a length of 9"),
        (400, "Bad request"),
        (422, "Unprocessable"),
        (500, "Failed to parse tool call arguments as JSON"),
        (500, "it broke"),
    ],
)
def test_a_refusal_of_one_call_is_answered_without_tools_and_they_stay(server, status, words):
    server.no_tools = Reply(words, status=status)
    server.default = Reply("Fine.")
    model = chat(server)
    assert answered(model, CALLED) == ("Fine.", [])
    assert ["tools" in request.body for request in server.requests] == [True, False]
    assert model.calls_tools


@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_a_refusal_for_another_reason_says_nothing_of_tools(server, status):
    server.default = Reply("no tools for you", status=status)
    model = chat(server)
    with pytest.raises(EndpointError):
        answered(model)
    assert len(server.requests) == 1
    assert model.calls_tools


def test_a_request_that_is_refused_without_tools_as_well_says_nothing_of_them(server):
    server.default = Reply("too hot", status=400)
    model = chat(server)
    with pytest.raises(EndpointError, match="too hot"):
        answered(model)
    assert model.calls_tools


def test_calls_of_a_model_that_was_offered_nothing_are_left_out(server):
    server.script(Reply("Hello.", calls=(("ctx_search", BOILER),)))
    assert answered(chat(server), sampling=Sampling()) == ("Hello.", [])
    assert "tools" not in server.requests[0].body


def test_a_stream_for_text_alone_has_no_calls_in_it(server):
    server.script(Reply("Let me look.", calls=(("ctx_search", BOILER),)))
    assert "".join(chat(server).stream(ASK, OFFERED, Event())) == "Let me look."


def test_tools_and_calls_take_room_and_are_measured(server):
    model, call = chat(server), ToolCall("c1", "ctx_search", {"query": "boiler " * 40})
    plain = model.measure(ASK, Event()).tokens
    assert model.measure(ASK, Event(), TOOLS).tokens > plain + 50
    assert model.measure([*ASK, PromptTurn("assistant", "", (call,))], Event()).tokens > plain + 60
    server.no_tools = Reply("does not support tools", status=400)
    answered(model)
    assert model.measure(ASK, Event(), TOOLS).tokens == plain, "it is told of none"


def test_what_a_server_counts_with_tools_does_not_spoil_the_estimate(server):
    server.counts, model = True, chat(server)
    before = model.count("word " * 300)
    answered(model)
    assert model.count("word " * 300) <= before


@pytest.mark.parametrize(
    "form",
    [
        '"tool_calls": %s',
        '"tool_calls": [%s]',
        '"tool_calls": [{"index": %s, "id": %s, "function": {"name": "forget"}}]',
        '"tool_calls": [{"function": %s}]',
        '"tool_calls": [{"function": {"name": %s, "arguments": %s}}]',
    ],
)
def test_a_spoiled_call(server, form):
    model = chat(server)
    for value in (
        *nasty.NASTY,
        '"x"',
        "2.5",
        "9" * 400,
        "[" * 500 + "]" * 500,
        '"a\\u0000\\u001b"',
    ):
        chunk = f'{{"choices": [{{"delta": {{{form.replace("%s", value)}}}}}]}}'
        server.script(
            Reply(raw=f"data: {chunk}\n\ndata: [DONE]\n\n".encode()),
            Reply(body=chunk.replace('"delta"', '"message"').encode()),
        )
        for _ in range(2):
            try:
                _, calls = answered(model)
            except EndpointError:
                continue
            for call in calls:
                assert isinstance(call.name, str)
                assert isinstance(call.arguments, dict)
                assert f"{call.id}{call.name}{call.raw}{call.arguments}".encode()
