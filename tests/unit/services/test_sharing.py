"""What may leave this computer: nobody is asked on it, and nothing goes beyond it unasked."""

import json
from threading import Event

import pytest

from app.domain.conversation import MessageState, Part, PartOrigin
from app.domain.events import Answered, MessageStored
from app.domain.memory import MemoryType
from app.domain.sharing.rule import CAREFUL, OPEN, Shared, SharingRule, rules, setting_of
from app.errors import Refused, Unshared
from app.providers.remote.endpoint import Endpoint
from tests.fakes.openai_server import Reply

ASKED = "Ask my friend Ottokar Veldhoven (+49 30 1234 5678) about the cat."


@pytest.fixture
def remote(server, services, monkeypatch):
    """The scripted server, which counts as one beyond this computer; it repeats what it is told."""
    monkeypatch.setattr(Endpoint, "local", property(lambda self: False))
    server.respond = lambda body: Reply(f"Well: {body['messages'][-1]['content']}")
    services.preferences.set("extraction.enabled", value=False)
    return server


def said(services, text, talk=None):
    events = list(services.chat.send(talk, [Part(text, PartOrigin.TYPED)], Event()))
    return next(one for one in events if isinstance(one, Answered))


def posted(server):
    return [one.body for one in server.requests if one.path.endswith("/chat/completions")]


def test_a_server_of_this_computer_gets_everything_as_it_is(services, server):
    services.preferences.set("extraction.enabled", value=False)
    said(services, ASKED)
    assert posted(server)[-1]["messages"][-1]["content"] == ASKED
    assert services.sharing.current().rule == OPEN


def test_nothing_goes_beyond_it_before_the_person_was_asked(services, remote):
    told = []
    with pytest.raises(Unshared) as refused:
        told.extend(services.chat.send(None, [Part(ASKED, PartOrigin.TYPED)], Event()))
    assert refused.value.address == remote.url
    assert "127.0.0.1" in str(refused.value)
    assert not posted(remote)
    (talk,) = services.conversations.list()
    assert [one.text for one in services.conversations.messages(talk.id)] == [ASKED]


def test_what_is_shown_before_is_what_is_sent_then(services, remote):
    stored = services.chat.send(None, [Part(ASKED, PartOrigin.TYPED)], Event())
    question = next(one for one in stored if isinstance(one, MessageStored)).message
    shown = services.chat.preview(question.id, CAREFUL, Event())
    assert not posted(remote)
    assert "Veldhoven" not in shown[-1][1]
    services.sharing.share(remote.url, CAREFUL)
    events = list(services.chat.retry(question.id, Event()))
    answer = next(one for one in events if isinstance(one, Answered)).message
    sent = [(one["role"], one["content"]) for one in posted(remote)[-1]["messages"]]
    assert sent == list(shown) == list(services.conversations.sent(answer.id))
    assert answer.text.startswith("Well: Ask my friend Ottokar Veldhoven (+49 30 1234 5678)")


def test_names_that_only_the_vault_knows_are_replaced(services, opened, remote):
    services.memories.add("My mentor is Hunter")
    opened.store.entities.link(1, ["Hunter"], 1, opened.store.clock())
    services.sharing.share(remote.url, CAREFUL)
    said(services, "hunter wrote to me. Why?")
    assert "hunter" not in json.dumps(posted(remote)[-1]).lower()


@pytest.mark.parametrize(
    ("rule", "goes"),
    [
        (SharingRule(), {"walnuts", "paint"}),
        (SharingRule(Shared.NONE), set()),
        (SharingRule(Shared.SOME, types=frozenset({MemoryType.PROCEDURAL})), {"paint"}),
        (SharingRule(Shared.SOME, tags=frozenset({"food"})), {"walnuts"}),
    ],
)
def test_only_the_memories_that_the_rule_names_go(services, remote, rule, goes):
    services.memories.add("I am allergic to walnuts at home", tags=("food",), pinned=True)
    services.memories.add("To paint at home, open the windows", type=MemoryType.PROCEDURAL)
    services.sharing.share(remote.url, rule)
    answer = said(services, "What about walnuts and how to paint at home?")
    before = json.dumps(posted(remote)[-1]).replace(
        "What about walnuts and how to paint at home?", ""
    )
    assert {word for word in ("walnuts", "paint") if word in before} == goes
    kept = {hit.text for hit in answer.recall.recall.dropped if hit.dropped == "kept_here"}
    assert bool(kept) == (len(goes) < 2)


def test_a_model_that_may_not_have_all_memories_does_not_learn(services, remote):
    services.preferences.set("extraction.enabled", value=True)
    assert "does not learn" in services.learners.status().sentence
    services.sharing.share(remote.url, SharingRule(Shared.NONE))
    assert "127.0.0.1" in services.learners.status().sentence
    answer = said(services, "I moved to Porto last spring.")
    assert any("does not learn" in one for one in answer.recall.recall.degraded)
    services.sharing.share(remote.url, SharingRule(stand_ins=True))
    assert services.learners.status().name == "fake"


@pytest.mark.parametrize("what", ["memory", "message"])
def test_what_was_sent_is_gone_as_soon_as_anything_is_erased(services, opened, remote, what):
    services.sharing.share(remote.url, OPEN)
    (memory,) = services.memories.add("The heron bites").memories
    answer = said(services, "Tell me of the cat.")
    other = said(services, "And of the dog.")
    assert services.conversations.sent(answer.message.id)
    if what == "memory":
        opened.store.memories.delete(memory)
    else:
        (question, _) = services.conversations.messages(answer.message.conversation_id)
        opened.store.messages.redact(question.id, [(0, 4)])
    assert not services.conversations.sent(answer.message.id)
    assert not services.conversations.sent(other.message.id)
    assert not opened.store.occurrences.places("of the dog", {"sent_texts"})


def test_an_answer_that_broke_off_keeps_its_end(services, remote):
    services.sharing.share(remote.url, CAREFUL)
    remote.respond = None
    remote.script(Reply("Hello there my good", cut_after=4))
    answer = said(services, "Tell me of the cat.").message
    assert answer.state is MessageState.PARTIAL
    assert answer.text.startswith("Hello there my")


def test_a_rule_is_kept_changed_and_forgotten(services, remote):
    with pytest.raises(Refused, match="type or a tag"):
        services.sharing.share(remote.url, SharingRule(Shared.SOME))
    services.sharing.share(remote.url, CAREFUL)
    (one,) = services.sharing.connections()
    assert (one.address, one.rule, one.model) == (remote.url, CAREFUL, "fake")
    services.sharing.ask_again(remote.url)
    assert services.sharing.current().rule is None


def test_a_rule_that_cannot_be_read_is_none():
    rule = SharingRule(Shared.SOME, frozenset({MemoryType.EPISODIC}), frozenset({"work"}), True)
    assert rules(setting_of({"a": rule})) == {"a": rule}
    for broken in ("{", "[]", '{"a": 1}', '{"a": {"memories": "most", "stand_ins": true}}'):
        assert rules(broken) == {}
