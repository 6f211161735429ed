"""Learning from messages: only typed words, once, traceable and reversible."""

from threading import Event

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin
from app.domain.memory import Origin, Scope, Trust
from app.errors import Cancelled, ModelError, NotFound
from app.providers.hash import HashEmbedder
from app.store.journal import Note
from app.store.vectors import Vectors
from tests.unit.memory.conftest import FakeChat


class Broken:
    """An embedder that never answers."""

    info = HashEmbedder().info

    def embed(self, texts, purpose):
        raise ModelError("It does not answer.")


def test_a_typed_fact_is_remembered_with_its_words_and_their_message(desk):
    message = desk.say("Hi there. I'm allergic to walnuts.")
    learned = desk.learn(message)
    (memory,) = desk.all()
    assert memory.text == "You are allergic to walnuts"
    assert (memory.trust, memory.origin, memory.actor) == (
        Trust.LEARNED,
        Origin.CONVERSATION,
        "user",
    )
    (evidence,) = desk.memories.evidence(memory.id)
    assert (evidence.quote, evidence.message_id) == ("I'm allergic to walnuts.", message.id)
    assert learned.changes.memories == {memory.id}
    assert learned.changes.batches == {learned.batch}
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


def test_what_was_undone_edited_or_replaced_does_not_come_back_from_its_message(desk):
    message = desk.say("I live in Antwerp.")
    first = desk.learn(message)
    desk.later(days=1)
    desk.tell("I moved to Ghent.")
    desk.learn(message)
    assert "You live in Antwerp" not in desk.texts()
    tea = desk.say("I like tea.")
    batch = desk.learn(tea).batch
    desk.journal.undo(batch, Note("user", "undo", "u1"))
    desk.learn(tea)
    assert "You like tea" not in desk.texts()
    assert first.batch


@pytest.mark.parametrize(
    "origin", [PartOrigin.PASTED, PartOrigin.ATTACHED, PartOrigin.TOOL, PartOrigin.MODEL]
)
def test_only_typed_words_are_evidence(desk, origin):
    desk.tell("What do you make of this?", Part("I live in Oslo. I am a baker.", origin))
    assert desk.all() == []


def test_feedback_loop_recalled_words_in_an_answer_are_never_evidence(desk):
    desk.tell("I'm allergic to walnuts.")
    for _ in range(5):
        desk.learn(desk.answer("You are allergic to walnuts. I am allergic to walnuts too."))
        desk.tell("Thanks!", Part("You are allergic to walnuts", PartOrigin.PASTED))
    (memory,) = desk.all()
    assert memory.seen_count == 1
    assert len(desk.memories.evidence(memory.id)) == 1


def test_c2_history_is_kept_and_facts_only_while_remembering_is_on(desk):
    desk.set("extraction.enabled", False)
    message = desk.say("I live in Ghent.")
    assert desk.learn(message).changes.memories == frozenset()
    assert desk.all() == []
    assert [m.text for m in desk.conversations.messages(desk.talk.id)] == ["I live in Ghent."]
    desk.set("extraction.enabled", True)
    desk.learn(message)
    desk.set("extraction.enabled", False)
    desk.tell("I am vegan.")
    assert desk.texts() == ["You live in Ghent"]
    assert len(desk.conversations.messages(desk.talk.id)) == 2


@pytest.mark.parametrize("mode", list(MemoryMode))
def test_a_conversation_learns_only_in_a_mode_that_learns(desk, mode):
    talk = desk.conversations.create(mode=mode)
    desk.learn(desk.say("I live in Ghent.", talk=talk))
    assert bool(desk.all()) == mode.learns


def test_c4_extraction_failure_leaves_transcript(desk):
    desk.models.model = FakeChat(error=ModelError("It broke."))
    desk.models.embedder = Broken()
    before = [desk.say("I live in Ghent, by the way."), desk.answer("Nice!")]
    desk.learn(before[0])
    assert desk.conversations.messages(desk.talk.id) == before
    assert desk.texts() == ["You live in Ghent"]


@pytest.mark.expects_warnings
def test_c4_even_a_bug_in_a_model_costs_no_more_than_its_proposals(desk):
    desk.models.model = FakeChat(error=RuntimeError("boom"))
    desk.tell("I live in Ghent, by the way.")
    assert desk.texts() == ["You live in Ghent"]


def test_cancelling_keeps_nothing_and_says_so(desk):
    desk.models.model = FakeChat(error=Cancelled("Stopped."))
    message = desk.say("I live in Ghent, by the way.")
    with pytest.raises(Cancelled):
        desk.remember.learn(message.id, Event())
    assert desk.all() == []


def test_a_message_that_is_gone_teaches_nothing(desk):
    assert desk.remember.learn("nowhere", Event()).batch == ""
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
    desk.answer("Hello! Where do you live?")
    desk.tell("Ghent")
    assert desk.texts() == ["You live in Ghent"]


def test_a_name_learnt_before_is_known_as_a_person(desk):
    desk.tell("My niece Xanthippe plays the trumpet.")
    desk.tell("Xanthippe lives in Leuven.")
    assert "Xanthippe lives in Leuven" in desk.texts()


def test_a_model_adds_what_the_grammar_did_not_understand(desk):
    desk.models.model = FakeChat(
        '{"memories": ['
        '{"quote": "I live in Ghent", "content": "You live in Ghent", "kind": "fact"},'
        '{"quote": "The barge Marie came to me from an uncle", "content": '
        '"You inherited the barge Marie from an uncle", "kind": "fact", "entities": ["Marie"]}]}'
    )
    desk.tell("I live in Ghent. The barge Marie came to me from an uncle.")
    texts = desk.texts()
    assert "You inherited the barge Marie from an uncle" in texts
    assert len(texts) == 2
    assert len(desk.models.model.prompts) == 1
    (barge,) = desk.memories.with_entity("marie", Scope(1))[-1:]
    assert (barge.trust, barge.origin) == (Trust.LEARNED, Origin.CONVERSATION)


def test_a_new_memory_has_its_vector_at_once(desk):
    desk.tell("I live in Ghent.")
    vectors = Vectors(desk.vault)
    assert vectors.missing("memory", vectors.use("hash-32", 32), 10) == []


def test_without_an_embedder_equal_texts_are_still_the_same(desk):
    desk.models.embedder = Broken()
    desk.tell("I like tea.")
    desk.tell("I like tea!")
    desk.tell("I like coffee.")
    assert desk.texts() == ["You like tea", "You like coffee"]
    assert [m.seen_count for m in desk.all()] == [2, 1]
