"""Learning from messages: only typed words, once, traceable and reversible."""

import json
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin
from app.domain.language.text import normalise
from app.domain.memory import Candidate, Origin, Trust
from app.domain.reply import Became, StatementOutcome
from app.errors import Cancelled, ModelError, NotFound
from app.memory.change.comparing import Relation
from app.providers.local.hash import HashEmbedder
from app.store.index.vectors import Vectors
from app.store.journal.entries import Note
from tests.unit.memory.conftest import FakeChat
from tests.unit.memory.judging import Told


def broken(*asked, **how):
    """A model that never answers."""
    raise ModelError("It does not answer.")


class Broken:
    """An embedder that never answers."""

    info = HashEmbedder().info
    embed = staticmethod(broken)


class Deaf:
    """Neither reads nor judges."""

    read = judge = staticmethod(broken)


def test_a_typed_fact_is_remembered_with_its_words_and_their_message(desk):
    message = desk.say("Hi there. I'm allergic to walnuts.")
    learned = desk.learn(message)
    (memory,) = desk.all()
    assert memory.text == "I'm allergic to walnuts"
    assert memory.tags == ("safety",)
    assert (memory.trust, memory.origin, memory.actor) == (
        Trust.LEARNED,
        Origin.CONVERSATION,
        "user",
    )
    (evidence,) = desk.memories.evidence(memory.id)
    assert (evidence.quote, evidence.message_id) == ("I'm allergic to walnuts", message.id)
    assert learned.changes.memories == {memory.id}
    assert learned.changes.batches == {learned.batch}
    assert learned.became == (
        Became(StatementOutcome.REMEMBERED, memory.text, memory_id=memory.id),
    )
    (receipt,) = desk.journal.receipts(desk.talk.id)
    assert (receipt.message_id, receipt.batch) == (message.id, learned.batch)


def test_the_same_thing_said_a_hundred_times_is_one_memory_with_a_hundred_evidences(desk):
    for _ in range(100):
        desk.later(minutes=1)
        desk.tell("I live in Ghent.")
    (memory,) = desk.all()
    assert memory.seen_count == 100
    assert len(desk.memories.evidence(memory.id)) == 100
    assert len(desk.journal.of_memory(memory.id)) == 1


def test_learning_twice_from_a_message_changes_nothing(desk):
    message = desk.say("I live in Ghent. My sister Ruth is a nurse.")
    desk.learn(message)
    before = desk.all()
    again = desk.learn(message)
    assert desk.all() == before
    assert again.batch == ""


def test_what_was_replaced_does_not_come_back_from_its_message(desk):
    desk.models.understanding = Told((Relation.REPLACES, "Antwerp", "Ghent"))
    message = desk.say("I live in Antwerp.")
    assert desk.learn(message).batch
    desk.later(days=1)
    desk.tell("I live in Ghent now.")
    assert desk.learn(message).batch == ""
    assert desk.texts() == ["I live in Ghent now"]


def test_what_was_undone_does_not_come_back_from_its_message(desk):
    message = desk.say("I live in Antwerp.")
    batch = desk.learn(message).batch
    desk.journal.undo(batch, Note("user", "undo", "u1"))
    assert desk.learn(message).batch == ""
    assert desk.texts() == []


@pytest.mark.parametrize(
    "origin", [PartOrigin.PASTED, PartOrigin.ATTACHED, PartOrigin.TOOL, PartOrigin.MODEL]
)
def test_only_typed_words_are_evidence(desk, origin):
    desk.tell("What do you make of this?", Part("I live in Oslo. I am a baker.", origin))
    assert desk.all() == []


def test_feedback_loop_recalled_words_in_an_answer_are_never_evidence(desk):
    desk.tell("I'm allergic to walnuts.")
    for _ in range(5):
        desk.learn(desk.answer("I'm allergic to walnuts. You are allergic to walnuts too."))
        desk.tell("Thanks!", Part("I'm allergic to walnuts", PartOrigin.PASTED))
    (memory,) = desk.all()
    assert memory.seen_count == 1
    assert len(desk.memories.evidence(memory.id)) == 1


def test_c2_history_is_kept_and_facts_only_while_remembering_is_on(desk):
    desk.set("extraction.enabled", False)
    message = desk.say("I live in Ghent.")
    assert desk.learn(message).changes.memories == frozenset()
    assert desk.all() == []
    assert [m.text for m in desk.messages.branch(desk.talk.id)] == ["I live in Ghent."]
    desk.set("extraction.enabled", True)
    desk.learn(message)
    desk.set("extraction.enabled", False)
    desk.tell("I love green tea.")
    assert desk.texts() == ["I live in Ghent"]
    assert len(desk.messages.branch(desk.talk.id)) == 2


@pytest.mark.parametrize("mode", list(MemoryMode))
def test_a_conversation_learns_only_in_a_mode_that_learns(desk, mode):
    talk = desk.conversations.create(1, mode=mode)
    desk.learn(desk.say("I live in Ghent.", talk=talk))
    assert bool(desk.all()) == mode.learns


def test_c4_extraction_failure_leaves_transcript(desk):
    desk.models.model = FakeChat(error=ModelError("It broke."))
    desk.models.embedder = Broken()
    before = [desk.say("By the way: I live in Ghent."), desk.answer("Nice!")]
    desk.learn(before[0])
    assert desk.messages.branch(desk.talk.id) == before
    assert desk.texts() == ["I live in Ghent"]


def test_c4_what_cannot_be_read_teaches_nothing_and_is_read_another_time(desk):
    reads, desk.models.understanding = desk.models.understanding, Deaf()
    message = desk.say("By the way: I live in Ghent.")
    with pytest.raises(ModelError):
        desk.learn(message)
    assert desk.all() == []
    assert desk.messages.branch(desk.talk.id) == [message]
    desk.models.understanding = reads
    desk.learn(message)
    assert desk.texts() == ["I live in Ghent"]


@pytest.mark.expects_warnings
def test_c4_even_a_bug_in_a_model_costs_no_more_than_its_proposals(desk):
    desk.models.model = FakeChat(error=RuntimeError("boom"))
    desk.tell("By the way: I live in Ghent.")
    assert desk.texts() == ["I live in Ghent"]


def test_what_is_read_is_kept_before_a_model_is_asked_at_all(desk):
    desk.models.model = FakeChat(error=Cancelled("Stopped."))
    message = desk.say("By the way: I live in Ghent.")
    learned = desk.remember.learn(message.id)
    assert (desk.texts(), learned.more) == (["I live in Ghent"], True)
    assert desk.models.model.prompts == []
    with pytest.raises(Cancelled):
        desk.remember.learn_more(message.id, Event())
    assert desk.texts() == ["I live in Ghent"]
    assert desk.journal.last_batch() == learned.batch
    desk.models.model = FakeChat()
    desk.learn(message)
    assert len(desk.models.model.prompts) == 1
    assert desk.texts() == ["I live in Ghent"]


@pytest.mark.parametrize(
    "said",
    ["What am I allergic to?", "who wrote dune", "Wie alt bin ich?", "Où est-ce que j'habite ?"],
)
def test_no_model_is_asked_what_a_mere_question_states(desk, said):
    desk.models.model = FakeChat()
    desk.tell(said)
    assert desk.models.model.prompts == []
    desk.tell("My son is diabetic, what should he eat for breakfast?")
    desk.tell("Write a cover letter for my job at Siemens in Leeds.")
    desk.tell("Which tea do I like? For that, refer to the list of Ana in place of mine.")
    assert len(desk.models.model.prompts) == 3


def test_a_message_that_is_gone_teaches_nothing(desk):
    assert desk.remember.learn("nowhere").batch == ""
    with pytest.raises(NotFound):
        desk.remember.remember_selection("nowhere")


def test_c5_novelty_threshold_in_the_vault(desk):
    desk.tell("I have two old cats called after painters.")
    desk.set("extraction.plain_threshold", True)
    desk.set("extraction.dedup_threshold", 0.5)
    desk.tell("I have three old cats called after painters.")
    assert len(desk.all()) == 1
    desk.set("extraction.plain_threshold", False)
    desk.tell("I have four old cats called after painters.")
    assert len(desk.all()) == 2


def test_a_short_answer_counts_with_its_question(desk):
    desk.say("Hello!")
    desk.answer("Hello! What are you allergic to?")
    desk.tell("walnuts and shrimp")
    (memory,) = desk.all()
    assert memory.text == "What are you allergic to? Walnuts and shrimp"
    assert desk.memories.evidence(memory.id)[0].quote == "walnuts and shrimp"


BARGE = "I inherited the barge Marie from my uncle"
PROPOSED = {
    "memories": [
        {"quote": "I live in Ghent", "content": "You live in Ghent", "kind": "fact"},
        {"quote": BARGE, "content": "You inherited the barge Marie", "kind": "fact"},
        {"quote": BARGE, "content": "You inherited 3 barges from your uncle", "kind": "fact"},
    ]
}


@pytest.mark.parametrize(
    ("judge", "believed"),
    [
        (lambda _, pairs: np.array([[0.1, 0.9]] * len(pairs)), True),
        (lambda _, pairs: np.array([[0.9, 0.1]] * len(pairs)), False),
        (broken, False),
    ],
    ids=["affirms", "denies", "broken"],
)
def test_a_model_adds_what_was_passed_over_where_the_judge_bears_it_out(desk, judge, believed):
    desk.models.model = FakeChat(json.dumps(PROPOSED))
    message = desk.say(f"I live in Ghent. {BARGE}.")
    heard = desk.remember.reader.read(desk.remember.reader.in_context(message), 1)
    heard = replace(heard, candidates=heard.candidates[:1])
    desk.models.understanding.judge = judge
    desk.remember.reader.read = lambda *_: heard
    desk.learn(message)
    home, *barge = desk.all()
    assert normalise(home.text) == "i live in ghent"
    assert [one.text for one in barge] == ["You inherited the barge Marie"] * believed
    assert len(desk.models.model.prompts) == 1
    for one in barge:
        assert "Marie" in desk.store.entities.of_memory(one.pk)
        assert (one.trust, one.origin) == (Trust.LEARNED, Origin.CONVERSATION)


def test_what_a_model_finds_besides_is_undone_by_itself(desk):
    desk.models.model = FakeChat(json.dumps({"memories": PROPOSED["memories"][:2]}))
    message = desk.say(f"I live in Ghent. {BARGE}.")
    heard = desk.remember.reader.read(desk.remember.reader.in_context(message), 1)
    heard = replace(heard, candidates=heard.candidates[:1])
    desk.remember.reader.read = lambda *_: heard
    desk.models.understanding.judge = lambda _, pairs: np.array([[0.1, 0.9]] * len(pairs))
    read = desk.remember.learn(message.id)
    assert len(desk.texts()) == 1
    more = desk.remember.learn_more(message.id, Event())
    assert "You inherited the barge Marie" in desk.texts()
    assert more.batch not in ("", read.batch)
    desk.journal.undo(more.batch, Note("user", "undo", "u1"))
    assert [normalise(text) for text in desk.texts()] == ["i live in ghent"]


def test_of_another_language_no_model_is_asked_and_none_is_believed(desk):
    proposed = {
        "memories": [{"text": "You inherited the barge Marie", "quote": "la chiatta Marie"}]
    }
    desk.models.model = FakeChat(json.dumps(proposed))
    desk.models.understanding.judge = lambda _, pairs: np.array([[0.1, 0.9]] * len(pairs))
    learned = desk.tell("Mio zio mi ha lasciato la chiatta Marie, adesso è ormeggiata a Venezia.")
    assert learned.heard.foreign
    said = [Candidate(text="You inherited the barge Marie", quote="la chiatta Marie")]
    assert desk.remember.believed(said, learned.heard) == []
    assert desk.remember.believed(said, replace(learned.heard, foreign=False)) == said
    assert desk.models.model.prompts == []
    assert desk.all() == []


def test_a_new_memory_has_its_vector_at_once(desk):
    desk.tell("I live in Ghent.")
    vectors = Vectors(desk.vault)
    assert vectors.missing("memory", vectors.use("hash-32", 32), 10) == []


def test_without_an_embedder_equal_texts_are_still_the_same(desk):
    desk.models.embedder = Broken()
    desk.tell("I love green tea.")
    desk.tell("I love green tea!")
    desk.tell("I love black coffee.")
    assert desk.texts() == ["I love green tea", "I love black coffee"]
    assert [m.seen_count for m in desk.all()] == [2, 1]
