"""A model calls tools while it answers: each call is done, kept and bounded, and none hangs."""

import json
import re
from threading import Event

import pytest

from app.domain.conversation import MessageState, Part, PartOrigin, Role
from app.domain.events import Answered, Token, ToolEvent
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter, Status
from app.domain.prompting.context import Summary
from app.services.answer.tool_rounds import DONE_ALREADY
from tests.fakes.openai_server import Reply
from tests.unit.services.profile import learn, memories, send

ACTIVE = MemoryFilter(statuses=frozenset({Status.ACTIVE}))


def told(opened, number, detail=40):
    """A conversation of so many messages, of which one has a detail."""
    talk = opened.services.conversations.create()
    with opened.store.transaction():
        for n in range(number):
            own = n % 2 == 0
            text = f"We spoke of day {n} and of the weather, which was fair over the bay. " * 2
            if n == detail:
                text = "The harbour master's phone is 0471 22 83 19, ask for Branka.\n  Mornings."
            parts = [Part(text, PartOrigin.TYPED if own else PartOrigin.MODEL)]
            opened.store.messages.add(talk.id, Role.USER if own else Role.ASSISTANT, parts)
    opened.store.jobs.enqueue("summarise", f"summarise:{talk.id}", {"conversation": talk.id})
    learn(opened.services)
    return talk.id


@pytest.fixture
def talk(opened, server):
    """A conversation that is twice as long as what its model reads."""
    opened.services.preferences.set("models.context_tokens", 8192)
    opened.services.preferences.set("context.with_model", False)
    opened.services.preferences.set("extraction.enabled", False)
    return told(opened, 400)


def call(name, **arguments):
    return (name, json.dumps(arguments))


def results(body):
    return [m["content"] for m in body["messages"] if m["role"] == "tool"]


def chats(server):
    return [r.body for r in server.requests if r.path.endswith("/chat/completions")]


def like_a_model(body):
    """Search, expand what covers the hit, and quote what is found."""
    found = results(body)
    if not found:
        return Reply("Let me look.", calls=[call("ctx_search", query="harbour master phone")])
    if len(found) == 1:
        covering = re.search(r"in summary (\S+),", found[0])[1]
        return Reply("", calls=[call("ctx_expand", id=covering)])
    number = re.search(r"\d{4} \d\d \d\d \d\d", found[-1])
    if number:
        return Reply(f"You said it is {number[0]}.")
    cursor = re.search(r"cursor (\S+)\.$", found[-1])[1]
    covering = re.search(r"in summary (\S+),", found[0])[1]
    return Reply("", calls=[call("ctx_expand", id=covering, cursor=cursor)])


def test_a_detail_of_3000_messages_ago_is_searched_expanded_and_quoted(opened, server):
    opened.services.preferences.set("models.context_tokens", 8192)
    opened.services.preferences.set("extraction.enabled", False)
    server.respond = lambda body: Reply("They spoke of days and of the weather.")
    talk = told(opened, 3000)
    assert any(isinstance(one, Summary) for one in opened.store.summaries.view(talk, 8))
    opened.services.preferences.set("rag.enabled", False)  # it is to be found by the tools alone
    server.respond = like_a_model
    server.requests.clear()
    _, events = send(opened.services, "What was the harbour master's number?", talk)
    answer = next(e for e in events if isinstance(e, Answered)).message
    assert answer.text == "Let me look.\n\nYou said it is 0471 22 83 19."
    assert "".join(e.text for e in events if isinstance(e, Token)) == answer.text
    first = chats(server)[0]
    assert "0471" not in json.dumps(first), "the view does not have it"
    offered = {tool["function"]["name"] for tool in first["tools"]}
    assert {"ctx_search", "ctx_inspect", "ctx_expand"} <= offered
    uses = opened.store.tool_calls.of_conversation(talk)[answer.id]
    assert [use.call.name for use in uses][:2] == ["ctx_search", "ctx_expand"]
    assert "0471 22 83 19, ask for Branka.\n  Mornings." in uses[-1].result.text
    assert (uses[0].letters, uses[0].round, uses[1].round) == (len("Let me look."), 0, 1)
    asked = chats(server)[1]["messages"]
    assert [m["role"] for m in asked[-2:]] == ["assistant", "tool"]
    assert asked[-1]["tool_call_id"] == asked[-2]["tool_calls"][0]["id"]
    assert [e.use.result is None for e in events if isinstance(e, ToolEvent)][:2] == [True, False]


def test_c8_calls_point_to_their_message_and_go_with_it(opened, server, talk):
    server.respond = like_a_model
    send(opened.services, "What was the harbour master's number?", talk)
    count = "SELECT count(*) FROM tool_calls AS t JOIN messages AS x ON x.pk = t.message_pk"
    assert opened.store.vault.row(count)[0] >= 2
    opened.store.conversations.delete(talk)
    assert opened.store.vault.row("SELECT count(*) FROM tool_calls")[0] == 0


def test_nothing_that_tools_returned_is_learnt_or_shown_again(opened, server, talk):
    opened.services.preferences.set("extraction.enabled", True)
    server.respond = like_a_model
    send(opened.services, "What was the harbour master's number?", talk)
    learn(opened.services)
    assert memories(opened.services) == set()
    server.respond = None
    server.requests.clear()
    send(opened.services, "Thanks!", talk)
    assert all(m["role"] != "tool" for m in chats(server)[0]["messages"])


MALFORMED = [
    ("ctx_search", '{"query": '),
    ("ctx_search", "[1, 2]"),
    call("ctx_search", quary="x"),
    call("ctx_search", query=7),
    call("ctx_fetch", query="x"),
    call("ctx_expand", id="nothing"),
    call(""),
]


@pytest.mark.parametrize("asked", MALFORMED, ids=[f"{n} {a}" for n, a in MALFORMED])
def test_a_malformed_call_is_answered_and_the_model_goes_on(opened, server, talk, asked):
    server.script(Reply("", calls=[asked]), Reply("Never mind: it is gone."))
    _, events = send(opened.services, "What was the number?", talk)
    answer = next(e for e in events if isinstance(e, Answered)).message
    assert (answer.text, answer.state) == ("Never mind: it is gone.", MessageState.COMPLETE)
    if uses := opened.store.tool_calls.of_conversation(talk).get(answer.id):
        assert all(use.result.failed and use.result.text for use in uses)


def test_calls_made_together_are_all_done(opened, server, talk):
    both = [call("ctx_search", query="harbour"), call("ctx_search", query="weather", limit=1)]
    server.script(Reply("", calls=both), Reply("Done."))
    server.requests.clear()
    _, events = send(opened.services, "Look twice.", talk)
    assert len(results(chats(server)[-1])) == 2
    answer = next(e for e in events if isinstance(e, Answered)).message
    uses = opened.store.tool_calls.of_conversation(talk)[answer.id]
    assert [(use.round, use.call.arguments["query"]) for use in uses] == [
        (0, "harbour"),
        (0, "weather"),
    ]


def test_a_model_that_calls_without_end_has_to_answer(opened, server, talk):
    opened.services.preferences.set("tools.most_rounds", 3)

    def for_ever(body):
        if "tools" not in body:
            return Reply("I give up.")
        return Reply("", calls=[call("ctx_search", query=f"day {len(results(body))}")])

    server.respond = for_ever
    _, events = send(opened.services, "Look.", talk)
    answer = next(e for e in events if isinstance(e, Answered)).message
    assert answer.text == "I give up."
    assert len(opened.store.tool_calls.of_conversation(talk)[answer.id]) == 3


def test_the_same_call_is_not_done_twice(opened, server, talk):
    same = [call("ctx_search", query="weather", limit=1)]
    server.script(Reply("", calls=same), Reply("", calls=same), Reply("Fair."))
    _, events = send(opened.services, "How was it?", talk)
    answer = next(e for e in events if isinstance(e, Answered)).message
    first, second = opened.store.tool_calls.of_conversation(talk)[answer.id]
    assert second.result.text.startswith(DONE_ALREADY.format(first.result.text)[:60])


def test_results_never_fill_the_window(opened, server, talk):
    opened.services.preferences.set("context.expand_tokens", 1_000_000)
    giant = "A long list of boats and their masts. " * 20_000
    said = opened.store.messages.add(talk, Role.USER, [Part(giant, PartOrigin.PASTED)])
    server.script(Reply("", calls=[call("ctx_expand", id=f"m{said.pk}")]), Reply("Long."))
    server.requests.clear()
    send(opened.services, "What is in it?", talk)
    (result,) = results(chats(server)[-1])
    assert len(result) < 4 * 8192 // 3


def test_stopping_during_a_call_keeps_what_was_said_and_done(opened, server, talk):
    stop = Event()
    calls = [call("ctx_search", query="weather")]
    server.script(Reply("Let me look.", calls=calls), Reply("Fair."))

    def hear(event):
        if isinstance(event, ToolEvent) and event.use.result is not None:
            stop.set()

    _, events = send(opened.services, "How was it?", talk, stop, hear)
    answer = next(e for e in events if isinstance(e, Answered)).message
    assert answer.state is MessageState.PARTIAL
    assert answer.text.startswith("Let me look.")
    assert len(opened.store.tool_calls.of_conversation(talk)[answer.id]) == 1


def test_a_model_that_refuses_tools_answers_without(opened, server, talk):
    refused = {"error": {"message": "fake does not support tools", "type": "api_error"}}
    server.no_tools = Reply(status=400, body=json.dumps(refused).encode())
    _, events = send(opened.services, "How was it?", talk)
    answer = next(e for e in events if isinstance(e, Answered)).message
    assert answer.state is MessageState.COMPLETE
    assert answer.text == "Hello from the fake server."


@pytest.mark.parametrize("offered", ["never", "large"])
def test_who_is_not_offered_tools_is_told_of_none(opened, server, talk, offered):
    opened.services.preferences.set("tools.offered", offered)
    if offered == "large":
        opened.services.library.choose_chat(f"server:{server.url}#tiny-0.5b")
    server.requests.clear()
    send(opened.services, "How was it?", talk)
    assert all("tools" not in body for body in chats(server))


def test_a_short_conversation_is_told_of_no_tools_that_read_it_again(opened, server):
    server.requests.clear()
    send(opened.services, "Good morning!")
    (body,) = chats(server)
    names = {tool["function"]["name"] for tool in body["tools"]}
    assert not any(name.startswith("ctx_") for name in names)
    assert not any(name.endswith("Fact") for name in names), "these are a second assistant's"


def test_a_run_that_breaks_off_between_calls_leaves_the_conversation_open(opened, server, talk):
    calls = [call("ctx_search", query="weather")]
    server.script(Reply("", calls=calls), Reply(status=500, text="It broke."))
    server.default = Reply(status=500, text="It broke.")
    stop = Event()
    with pytest.raises(Exception, match=r"\w"):
        drive(
            opened.services.chat.send(talk, [Part("Look.", PartOrigin.TYPED)], stop),
            stop,
            lambda event: None,
        )
    server.default = Reply("Fair.")
    _, events = send(opened.services, "Again?", talk)
    assert next(e for e in events if isinstance(e, Answered)).message.text == "Fair."


def test_a_memory_is_kept_by_a_call_with_a_receipt_that_undoes_it(opened, server):
    opened.services.preferences.set("extraction.enabled", False)
    server.script(
        Reply("", calls=[call("memory_store", content="My dentist is Dr Vos.")]), Reply("I did.")
    )
    talk, events = send(opened.services, "My dentist is Dr Vos.")
    assert any(isinstance(e, Answered) for e in events)
    (kept,) = memories(opened.services)
    assert "Vos" in kept
    (receipt,) = opened.services.conversations.receipts(talk)
    assert [text for _, text in receipt.memories] == [kept]
    opened.services.undo.undo(receipt.batch)
    assert opened.services.memories.list(ACTIVE) == []


def test_what_nobody_said_is_not_kept_by_a_call(opened, server):
    opened.services.preferences.set("extraction.enabled", False)
    server.script(
        Reply("", calls=[call("memory_store", content="The user is allergic to bees.")]),
        Reply("Ok."),
    )
    talk, _ = send(opened.services, "What is the weather like?")
    assert opened.services.memories.list(ACTIVE) == []
    assert opened.services.conversations.receipts(talk) == []


def test_tools_for_memory_can_be_switched_off(opened, server):
    opened.services.preferences.set("tools.memory", False)
    send(opened.services, "Good morning!")
    assert all("tools" not in body for body in chats(server))


def test_a_small_window_is_told_of_fewer_tools(opened, server, talk):
    opened.services.preferences.set("models.context_tokens", 4096)
    server.requests.clear()
    send(opened.services, "How was it?", talk)
    small = [tool["function"]["name"] for tool in chats(server)[-1]["tools"]]
    opened.services.preferences.set("models.context_tokens", 16_384)
    send(opened.services, "And today?", talk)
    large = [tool["function"]["name"] for tool in chats(server)[-1]["tools"]]
    assert small[:3] == ["ctx_search", "ctx_inspect", "ctx_expand"]
    assert len(small) < len(large) == 9
