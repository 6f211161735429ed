"""Learning with a chat model: what is read waits for none, and what it makes up is not stored.

The model is a server that answers as each test scripts it.
"""

import json
from threading import Event

import pytest

from app.domain.events import Notice
from app.domain.jobs.kinds import INDEX, LEARN, LEARN_MORE
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter, Status
from app.domain.reply import StatementOutcome
from app.errors import SettingsError
from tests.fakes.openai_server import Reply
from tests.fakes.tiny_gguf import chat_model
from tests.unit.services.profile import learn, memories, send

HARBOUR = "Translate this for the harbour: I inherited the barge Marie from an uncle."
BARGE = {
    "quote": "I inherited the barge Marie from an uncle",
    "content": "I inherited the barge Marie from an uncle",
    "kind": "fact",
    "entities": ["Marie"],
}
TOLD = "I live in Ghent."


@pytest.fixture
def model(server):
    """The server as one that answers, and proposes what ``proposes`` says when it is to learn.

    Attributes:
        asked: What it was to learn from.
    """
    server.asked, server.proposes, server.hold = [], '{"memories": []}', None

    def respond(body):
        if "response_format" not in body:
            return Reply("Fine.")
        server.asked.append(body["messages"][-1]["content"])
        said = server.proposes
        text = said if isinstance(said, str) else json.dumps({"memories": said})
        return Reply(text, before=server.hold)

    server.respond = respond
    return server


def receipts(services, talk):
    return [[text for _, text in one.memories] for one in services.conversations.receipts(talk)]


def active(services):
    wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
    return [one.text for one in services.memories.list(wanted)]


def only(services, *kinds):
    """Do the work of some kinds alone."""
    others = [kind for kind in services.background.works if kind not in kinds]
    drive(services.background.run(without=others), Event())


# -- at once, and later ----------------------------------------------------------------------------


def test_what_is_read_is_kept_and_found_before_the_model_is_asked(services, model):
    talk, _ = send(services, TOLD)
    only(services, LEARN, INDEX)
    assert memories(services) == {"I live in Ghent"}
    assert receipts(services, talk) == [["I live in Ghent"]]
    assert model.asked == []
    only(services, LEARN_MORE)
    assert len(model.asked) == 1


def test_what_the_model_finds_has_a_receipt_and_an_undo_of_its_own(services, model):
    model.proposes = [BARGE]
    talk, _ = send(services, HARBOUR)
    only(services, LEARN)
    assert services.conversations.outcomes(services.conversations.messages(talk)) == {}
    learn(services)
    assert receipts(services, talk) == [[BARGE["content"]]]
    send(services, TOLD, talk)
    learn(services)
    first, second = services.conversations.receipts(talk)
    assert first.batch != second.batch
    services.undo.undo(first.batch)
    assert active(services) == ["I live in Ghent"]


def test_that_nothing_is_kept_is_told_once_the_model_found_nothing_either(services, model):
    talk, _ = send(services, "The kettle is boiling right now.")
    only(services, LEARN)
    outcomes = services.conversations.outcomes
    assert outcomes(services.conversations.messages(talk)) == {}
    learn(services)
    (told,) = outcomes(services.conversations.messages(talk)).values()
    assert [one.outcome for one in told] == [StatementOutcome.ONLY_HERE]


def test_a_new_message_is_read_while_the_model_still_thinks_of_the_last_one(services, model):
    model.hold = Event()
    talk, _ = send(services, TOLD)
    running = services.background.run()
    while not model.asked:
        next(running)  # the last step blocks until something more urgent waits
        if services.queue.learns_more(services.conversations.messages(talk)[0].id):
            break
    assert memories(services) == {"I live in Ghent"}
    send(services, "I'm allergic to walnuts.", talk)
    model.hold.set()
    drive(running, Event())
    assert memories(services) == {"I live in Ghent", "I'm allergic to walnuts"}
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    "said", ["What am I allergic to?", "Forget that I like tea.", "Undo that.", "Hello!"]
)
def test_questions_and_orders_are_not_given_to_the_model(services, model, said):
    send(services, said)
    learn(services)
    assert model.asked == []


def test_without_a_model_that_answers_the_answer_waits_for_none_that_learns(services, model):
    services.preferences.set("extraction.learn_from", f"server:{model.url}#fake")
    services.preferences.set("chat.model", "notebook")
    _, events = send(services, TOLD)
    assert "Remembered" in events[-1].message.text
    assert model.asked == []
    learn(services)
    assert len(model.asked) == 1


# -- what is not believed --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item",
    [
        {"quote": "<their exact words>", "content": "<one short sentence>"},
        {"content": "<one short sentence>"},
        {"content": "One short sentence from an uncle"},
        {"content": "I inherited the barge Marie from an uncle called Tom"},
        {"content": "I inherited the barge Marie from an uncle in 1987"},
        {"content": "I am allergic to walnuts"},
        {"content": "Lasting facts about the person: the barge Marie, an uncle"},
        {"quote": "I am allergic to walnuts", "content": "I am allergic to walnuts"},
    ],
)
def test_what_is_copied_or_made_up_is_not_stored(services, model, item):
    model.proposes = [{**BARGE, **item}]
    send(services, HARBOUR)
    learn(services)
    assert len(model.asked) == 1
    assert memories(services) == set()


def test_entities_that_are_made_up_are_not_stored(services, model):
    model.proposes = [{**BARGE, "entities": ["Marie", "Rotterdam", "<name>", "Captain Ahab"]}]
    send(services, HARBOUR)
    learn(services)
    assert memories(services) == {BARGE["content"]}
    named = {one.name.casefold() for one in services.entities.list()}
    assert "marie" in named
    assert not {"rotterdam", "<name>", "name", "captain ahab"} & named


def test_of_an_endless_list_no_more_is_kept_than_may_be(services, model):
    services.preferences.set("extraction.max_facts_per_turn", 2)
    model.proposes = [BARGE] * 200
    send(services, HARBOUR)
    learn(services)
    assert memories(services) == {BARGE["content"]}
    model.proposes = '{"memories": [' + json.dumps(BARGE) + "," + '{"quote": "' + "x" * 200_000
    send(services, HARBOUR)
    learn(services)
    assert memories(services) == {BARGE["content"]}


def test_the_schema_that_is_sent_bounds_every_list_and_text(services, model):
    send(services, TOLD)
    learn(services)
    (body,) = [one.body for one in model.requests if "response_format" in (one.body or {})]
    item = body["response_format"]["json_schema"]["schema"]["properties"]["memories"]
    assert item["maxItems"] == 5
    fields = item["items"]["properties"]
    assert fields["content"]["maxLength"] == 300
    assert fields["entities"]["maxItems"] < 10


# -- who learns ------------------------------------------------------------------------------------


def use(services, model, name, learns="chat"):
    services.library.choose_chat(f"server:{model.url}#{name}")
    services.preferences.set("extraction.learn_from", learns)


def test_a_small_model_answers_and_does_not_learn_and_says_so_once(services, model):
    use(services, model, "qwen2.5:0.5b")
    why = (
        "qwen2.5:0.5b is too small to learn reliably (below 3 billion parameters);"
        " Loci learns without a model."
    )
    talk, events = send(services, TOLD)
    assert why in [one.text for one in events if isinstance(one, Notice)]
    assert why in events[-1].recall.recall.degraded
    learn(services)
    assert memories(services) == {"I live in Ghent"}
    assert model.asked == []
    assert services.learners.status().sentence == why
    _, events = send(services, TOLD, talk)
    assert [one for one in events if isinstance(one, Notice)] == []


def test_a_small_model_that_was_chosen_to_learn_does(services, model):
    use(services, model, "qwen2.5:0.5b", f"server:{model.url}#qwen2.5:0.5b")
    send(services, TOLD)
    learn(services)
    assert len(model.asked) == 1
    told = services.learners.status().sentence
    assert told == "qwen2.5:0.5b learns alongside Loci’s own reader."


def test_no_model_learns_where_none_is_wanted(services, model):
    use(services, model, "fake", "none")
    send(services, TOLD)
    learn(services)
    assert model.asked == []
    assert services.learners.status().sentence == "Loci learns without a model."


def test_the_choices_are_the_chat_model_none_and_the_models_there_are(services, model):
    services.library.folder.mkdir(parents=True)
    chat_model(services.library.folder / "tiny.gguf")
    found = services.learners.choices()
    assert [*found][:2] == ["chat", "none"]
    assert found["chat"] == "The chat model, if it is large enough"
    assert found["none"] == "No model"
    assert found["file:tiny.gguf"] == "tiny (small: may learn what is not so)"
    assert found[f"server:{model.url}#fake"] == "fake"
    assert "notebook" not in found
    services.preferences.set("extraction.learn_from", "server:http://10.0.0.9/v1#other")
    assert services.learners.choices()["server:http://10.0.0.9/v1#other"] == "other"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("tiny", "is “chat” for the model that answers, “none” for no model, or the id of"),
        ("server:nowhere", "is “chat” for the model"),
        ("file:gone.gguf", "There is no chat model called 'file:gone.gguf'"),
        ("file:broken.gguf", "broken.gguf is not a GGUF model file."),
    ],
)
def test_what_is_no_model_is_refused_in_a_sentence(services, value, said):
    services.library.folder.mkdir(parents=True)
    (services.library.folder / "broken.gguf").write_text("nothing")
    with pytest.raises(SettingsError, match=said):
        services.preferences.set("extraction.learn_from", value)
    assert services.preferences.values().extraction.learn_from == "chat"


# -- giving up -------------------------------------------------------------------------------------


def told(services, model, count):
    for number in range(count):
        send(services, f"My friend number {number} is called Lea.")
        learn(services)
    return len(model.asked)


def test_garbage_three_times_gives_the_model_up_until_the_person_says_otherwise(services, model):
    model.proposes = "I am sorry, I cannot help with that."
    assert told(services, model, 2) == 2
    assert services.attention.counts().learner == 0
    assert told(services, model, 3) == 3
    assert len(memories(services)) >= 3, "what is read is kept all the same"
    (sentence,) = services.attention.given_up()
    assert sentence == (
        "fake failed three times in a row to learn from what you said (what it answered could not"
        " be read); Loci learns without a model until you let it try again."
    )
    assert services.attention.counts().learner == 1
    review = next(one for one in services.upkeep.standings() if one.kind == "review")
    assert review.without == sentence
    model.proposes = []
    services.attention.learn_again()
    assert services.attention.given_up() == ()
    assert told(services, model, 1) == 4


def test_a_model_that_cannot_be_reached_is_given_up_and_another_is_asked(services, model):
    model.respond = lambda body: (
        Reply("Broken.", status=500) if "pick out" in str(body["messages"][0]) else Reply("Fine.")
    )
    told(services, model, 3)
    assert services.learners.status().failed == "error"
    use(services, model, "fake-large")
    assert services.learners.status().given_up == ""


def test_failures_that_are_not_in_a_row_give_nothing_up(services, model):
    for _ in range(3):
        model.proposes = "Nonsense."
        told(services, model, 2)
        model.proposes = []
        told(services, model, 1)
    assert services.attention.given_up() == ()
