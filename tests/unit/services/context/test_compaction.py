"""A conversation that outgrows its model is summed up in the background, and nothing is lost."""

from threading import Event

import pytest

from app.conversation.history import EARLIER
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.prompting.context import Rung, Summary
from app.services.context.breaker import FAILURES, REST_SECONDS, CircuitBreaker
from app.store.index.occurrences import TextOccurrences
from tests.fakes.openai_server import Reply, prompt_tokens
from tests.unit.services.profile import learn, send

WINDOW = 2048
SUMMED_UP = "They spoke of boats. More on: masts."


@pytest.fixture
def talk(opened, server):
    """A conversation of three hundred messages with a model that reads 2,048 tokens."""
    server.window, server.manner = None, None
    opened.services.preferences.set("models.context_tokens", WINDOW)
    opened.services.preferences.set("chat.max_answer_tokens", 256)
    opened.services.preferences.set("extraction.enabled", False)
    return filled(opened, 300)


def filled(opened, number):
    talk = opened.services.conversations.create()
    for n in range(number):
        role = Role.USER if n % 2 == 0 else Role.ASSISTANT
        origin = PartOrigin.TYPED if n % 2 == 0 else PartOrigin.MODEL
        text = f"Boat {n} of the fleet has a mast of {n + 7} metres and sails to Split in May."
        opened.store.messages.add(talk.id, role, [Part(text, origin)])
    return talk.id


def view(opened, talk):
    return opened.store.summaries.view(talk, 8)


def spans(opened, talk):
    """Return the rows of the messages that a view shows, itself or through summaries."""
    found = []
    for one in view(opened, talk):
        summed_up = isinstance(one, Summary)
        found += opened.store.summaries.covered(one.pk, talk) if summed_up else [one.pk]
    return found


def chats(server):
    return [r.body for r in server.requests if r.path.endswith("/chat/completions")]


def summing(body):
    return "sum up" in body["messages"][0]["content"] or "join" in body["messages"][0]["content"]


def answering(body):
    return Reply(SUMMED_UP if summing(body) else "Aye.")


def test_a_small_window_holds_a_long_conversation(opened, server, talk):
    server.respond = answering
    send(opened.services, "Which boat is fastest?", talk)
    said = list(opened.store.messages.branch_rows(talk))
    learn(opened.services)
    summaries = [one for one in view(opened, talk) if isinstance(one, Summary)]
    assert summaries
    assert {one.rung for one in summaries} == {Rung.NORMAL}
    assert max(one.depth for one in summaries) > 0
    assert sum(one.tokens for one in view(opened, talk)) <= 0.75 * WINDOW
    assert spans(opened, talk) == said == list(opened.store.messages.branch_rows(talk))

    server.requests.clear()
    send(opened.services, "And which one is slowest?", talk)
    (asked,) = chats(server)
    assert prompt_tokens(asked) < WINDOW
    text = "\n".join(m["content"] for m in asked["messages"])
    assert EARLIER in text
    assert SUMMED_UP in text
    assert "Boat 299" in text
    assert "Which boat is fastest?" in text
    assert asked["messages"][0]["role"] == "system"


def test_the_answer_is_there_before_anything_is_summed_up(opened, server, talk):
    server.respond = answering
    send(opened.services, "Which boat is fastest?", talk)
    assert not any(map(summing, chats(server)))
    assert not any(isinstance(one, Summary) for one in view(opened, talk))


def test_without_a_model_excerpts_stand_for_what_is_older(opened, server, talk):
    opened.services.preferences.set("extraction.learn_from", "none")
    send(opened.services, "Which boat is fastest?", talk)
    server.requests.clear()
    learn(opened.services)
    assert chats(server) == []
    summaries = [one for one in view(opened, talk) if isinstance(one, Summary)]
    assert {one.rung for one in summaries} == {Rung.EXTRACT}
    texts = {one.text for one in opened.store.messages.branch(talk)}
    lines = summaries[0].text.splitlines()
    assert lines
    assert {line.partition(": ")[2] for line in lines} <= texts
    assert spans(opened, talk) == list(opened.store.messages.branch_rows(talk))


def test_a_model_that_fails_is_left_alone_and_excerpts_are_taken(opened, server, talk):
    send(opened.services, "Which boat is fastest?", talk)
    server.requests.clear()
    server.default = Reply("It broke.", status=500)
    learn(opened.services)
    assert len(chats(server)) <= FAILURES * 4  # each is asked again before it counts
    summaries = [one for one in view(opened, talk) if isinstance(one, Summary)]
    assert {one.rung for one in summaries} == {Rung.EXTRACT}


@pytest.mark.parametrize("key", ["context.hourly_tokens", "context.daily_tokens"])
def test_nothing_is_asked_beyond_what_may_be_spent(opened, server, talk, key):
    send(opened.services, "Which boat is fastest?", talk)
    opened.services.preferences.set(key, 0)
    server.requests.clear()
    learn(opened.services)
    assert chats(server) == []
    assert any(isinstance(one, Summary) for one in view(opened, talk))


def test_a_model_that_repeats_all_of_it_is_not_believed(opened, server, talk):
    server.respond = lambda body: Reply("m" * 8_000 if summing(body) else "Aye.")
    send(opened.services, "Which boat is fastest?", talk)
    learn(opened.services)
    for one in view(opened, talk):
        assert not isinstance(one, Summary) or one.tokens < one.source_tokens


def test_latest_messages_only_shows_no_summary(opened, server, talk):
    send(opened.services, "Which boat is fastest?", talk)
    learn(opened.services)
    opened.services.preferences.set("context.engine", "pipeline")
    server.requests.clear()
    send(opened.services, "And which one is slowest?", talk)
    (asked,) = chats(server)
    text = "\n".join(m["content"] for m in asked["messages"])
    assert EARLIER not in text
    assert "Boat 299" in text


def test_what_is_erased_from_a_message_is_gone_from_its_summaries(opened, server, talk):
    opened.services.preferences.set("extraction.learn_from", "none")
    send(opened.services, "Which boat is fastest?", talk)
    learn(opened.services)
    leaf = next(one for one in view(opened, talk) if isinstance(one, Summary))
    word = leaf.text.splitlines()[0]
    first = opened.store.messages.branch(talk)[0]
    assert TextOccurrences(opened.store.vault).places(word) != []
    opened.store.messages.redact(first.id, [(0, len(first.text))])
    assert all(one.first != first.pk for one in view(opened, talk) if isinstance(one, Summary))
    assert spans(opened, talk) == list(opened.store.messages.branch_rows(talk))


def test_a_conversation_takes_its_summaries_along(opened, server, talk):
    send(opened.services, "Which boat is fastest?", talk)
    learn(opened.services)
    opened.store.conversations.delete(talk)
    for rows in ("summaries", "summary_children", "summaries_fts WHERE text MATCH 'boat'"):
        assert opened.store.vault.row(f"SELECT count(*) FROM {rows}")[0] == 0


def test_a_giant_message_is_summed_up_as_well(opened, server, talk):
    opened.services.preferences.set("extraction.learn_from", "none")
    giant = "Line 7 of it says that the harbour of Vis is shallow. " * 6_000
    send(opened.services, [Part(giant, PartOrigin.PASTED)], talk)
    for n in range(10):
        send(opened.services, f"And boat {n}?", talk)
    learn(opened.services)
    assert sum(one.tokens for one in view(opened, talk)) <= WINDOW
    assert spans(opened, talk) == list(opened.store.messages.branch_rows(talk))


def test_what_does_not_fit_its_messages_is_found_and_made_again(opened, server, talk):
    opened.services.preferences.set("extraction.learn_from", "none")
    send(opened.services, "Which boat is fastest?", talk)
    learn(opened.services)
    assert opened.store.summaries.problems() == {}
    with opened.store.vault.write() as connection:
        connection.execute("UPDATE summaries SET messages = messages + 1 WHERE depth = 0")
    assert opened.store.summaries.problems()
    assert opened.store.summaries.mend() > 0
    assert opened.store.summaries.problems() == {}
    assert spans(opened, talk) == list(opened.store.messages.branch_rows(talk))


def test_a_breaker_opens_after_failures_and_lets_one_try_after_a_rest():
    now = [0.0]
    breaker = CircuitBreaker(lambda: now[0])
    for _ in range(FAILURES):
        assert breaker.allows()
        breaker.failed()
        now[0] += 1
    assert not breaker.allows()
    now[0] += REST_SECONDS
    assert breaker.allows()
    assert not breaker.allows(), "one may try, not all"
    breaker.worked()
    assert breaker.allows()


def test_failures_that_are_far_apart_open_nothing():
    now = [0.0]
    breaker = CircuitBreaker(lambda: now[0])
    for _ in range(3 * FAILURES):
        breaker.failed()
        now[0] += 20
    assert breaker.allows()


def test_stopping_leaves_the_view_as_it_was(opened, server, talk):
    stop = Event()
    stop.set()
    before = view(opened, talk)
    running = opened.services.background.run(stop)
    assert list(running) == []
    assert view(opened, talk) == before
