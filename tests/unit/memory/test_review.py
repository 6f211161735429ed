"""The review: what was missed is found once, by quotes of the person alone, whatever happens."""

import re
from datetime import timedelta
from threading import Event

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress
from app.domain.memory import Origin, Status, Trust
from app.store.journal.entries import Note
from app.store.vault.file import Vault
from app.store.work.watermarks import Watermarks
from tests.fakes import kills
from tests.unit.memory.conftest import FRIDAY, Desk, FakeModels
from tests.unit.memory.reviewing import BARGE, INHERITED, Night, item


def test_what_was_missed_is_found_with_its_quote(night, desk):
    desk.set("upkeep.review.tags", "found, at night,")
    night.read(item(entities=["Marie", {"name": "uncle"}]))
    talk = night.talk(BARGE)
    done = night.review()
    (memory,) = desk.all()
    assert (memory.text, memory.origin, memory.actor) == (INHERITED, Origin.REVIEW, "review")
    assert (memory.trust, memory.status, memory.tags) == (
        Trust.LEARNED,
        Status.ACTIVE,
        ("found", "at night"),
    )
    (evidence,) = desk.memories.evidence(memory.id)
    first = desk.messages.branch(talk.id)[0]
    assert (evidence.quote, evidence.message_id) == (BARGE, first.id)
    assert "Marie" in desk.store.entities.of_memory(memory.pk)
    assert done.figures == {
        "conversations": 1,
        "messages": 5,
        "learned": 1,
        "proposed": 0,
        "set_aside": 0,
        "seen_again": 0,
        "refused": 0,
        "links": 0,
        "calls": 1,
        "unanswered": 0,
        "too_long": 0,
    }
    assert done.changes.memories == {memory.id}
    assert done.changes.batches == {done.batch}
    assert night.indexed == 1


def test_reviewing_again_changes_nothing_and_asks_nothing(night, desk):
    model = night.read(item())
    night.talk(BARGE, "I'm allergic to walnuts.")
    night.review()
    before = kills.state(desk.vault)
    again = night.review()
    assert kills.state(desk.vault) == before
    assert len(model.prompts) == 1
    assert not any(again.figures.values())
    assert again.batch == ""


def test_one_undo_takes_a_whole_review_back(night, desk):
    night.read(item())
    night.talk(BARGE, "I'm allergic to walnuts.")
    done = night.review()
    assert len(desk.texts()) == 2
    desk.journal.undo(done.batch, Note("user", "undo", "u1"))
    assert desk.texts() == []
    night.talk("I drink tea every morning.")
    night.review()
    assert desk.texts() == ["I drink tea every morning"]


def test_what_was_learnt_at_once_is_not_learnt_again(night, desk):
    plain = "I inherited the barge Marie from an uncle"
    walnuts = item("I'm allergic to walnuts", "You have an allergy to walnuts")
    night.read(walnuts, item(plain, INHERITED))
    talk = night.talk("I'm allergic to walnuts.", f"{plain}.")
    for message in desk.messages.branch(talk.id):
        desk.learn(message)
    desk.models.model.prompts.clear()
    before = kills.state(desk.vault)["evidence"]
    done = night.review()
    assert desk.texts() == ["I'm allergic to walnuts", plain]
    assert kills.state(desk.vault)["evidence"] == before
    assert (done.figures["learned"], done.figures["seen_again"]) == (0, 0)


def test_the_same_said_elsewhere_is_more_evidence(night, desk):
    desk.tell("I'm allergic to walnuts.")
    night.talk("As I said, I'm allergic to walnuts.")
    done = night.review()
    (memory,) = desk.all()
    assert memory.seen_count == 2
    assert done.figures["seen_again"] == 1


# -- which conversations -------------------------------------------------------------------------


def test_short_ones_wait_and_the_longest_waiting_come_first(night, desk):
    desk.set("upkeep.review.max_conversations", 2)
    desk.set("upkeep.review.min_messages", 6)
    model = night.read()
    desk.say("I live in Bergen.", talk=night.talk("I study law in Leuven.", pad=2))
    for text in ("I keep bees.", "I play the cello.", "I work as a nurse."):
        night.talk(text)
    night.review()
    assert desk.texts() == ["I keep bees", "I play the cello"]
    night.review()
    assert desk.texts() == ["I keep bees", "I play the cello", "I work as a nurse"]
    assert [page.count("A conversation:") for page in model.pages] == [2, 1]


@pytest.mark.parametrize("mode", list(MemoryMode))
def test_only_conversations_that_may_be_learnt_from(night, desk, mode):
    model = night.read(item())
    night.talk(BARGE, mode=mode)
    night.review()
    assert bool(desk.all()) == bool(model.prompts) == mode.learns


def test_nothing_is_read_while_learning_is_off(night, desk):
    model = night.read(item())
    night.talk(BARGE)
    desk.set("extraction.enabled", False)
    assert night.review().figures == {}
    assert model.prompts == []
    desk.set("extraction.enabled", True)
    night.review()
    assert desk.texts() == [INHERITED]


def test_a_conversation_that_went_away_meanwhile_is_passed_over(night, desk):
    gone, kept = night.talk("I keep bees."), night.talk("I play the cello.")
    checkpoints = []
    running = night.begin({}, checkpoints.append, Event())
    assert isinstance(next(running), Progress)
    desk.conversations.delete(gone.id)
    desk.conversations.set_mode(kept.id, MemoryMode.OFF)
    running.close()
    drive(night.begin(checkpoints[-1], checkpoints.append, Event()), Event())
    assert desk.all() == []
    assert not checkpoints[-1]["left"]


def test_branches_that_were_left_are_not_read(night, desk):
    talk = night.talk("I keep bees.")
    first = desk.messages.branch(talk.id)[0]
    said = [Part("I play the cello.", PartOrigin.TYPED)]
    desk.messages.add(talk.id, Role.USER, said, parent_id=first.parent_id)
    night.review()
    assert desk.texts() == ["I play the cello"]
    assert Watermarks(desk.vault).waiting(1, 9) == []


# -- what a model is given -----------------------------------------------------------------------


def test_a_page_holds_several_conversations_and_no_more_than_fits(night, desk):
    desk.set("upkeep.review.max_tokens", 256)
    model = night.read()
    for n in range(6):
        rained = [f"There were {n} boats in the harbour when rain {d} fell." for d in range(4)]
        night.talk(*rained, pad=4)
    night.review()
    assert len(model.pages) > 1
    assert all(len(page) < 256 * 4 + 200 for page in model.pages)
    assert sum(page.count("boats in the harbour") for page in model.pages) == 24
    numbers = [int(n) for n in re.findall(r"^\[(\d+)\]", model.pages[0], re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_one_that_is_too_large_is_cut_and_the_rest_follows(night, desk):
    desk.set("upkeep.review.max_tokens", 256)
    desk.set("upkeep.review.last_messages", 200)
    model = night.read()
    long = "The harbour was full of boats and the rain fell on all of them. " * 100
    night.talk(long, *(f"On day {n} the boats were still lying there." for n in range(40)))
    night.talk("I keep bees.")
    done = night.review()
    text = "\n".join(model.pages)
    assert [n for n in range(40) if f"On day {n} " not in text] == []
    assert (done.figures["conversations"], done.figures["messages"]) == (2, 46)
    assert all(len(page) < 256 * 4 + 200 for page in model.pages)
    assert "I keep bees" in desk.texts()


def test_of_a_long_one_the_model_reads_the_last_messages_and_the_reader_all(night, desk):
    desk.set("upkeep.review.last_messages", 6)
    model = night.read()
    facts = [f"My friend number {n} is called Lea{n}." for n in range(40)]
    night.talk("I keep bees.", *facts, "I drink tea every morning.")
    done = night.review()
    assert {"I keep bees", "I drink tea every morning"} <= set(desk.texts())
    (page,) = model.pages
    assert "I drink tea every morning." in page
    assert "I keep bees." not in page
    assert done.figures["messages"] == 42


def test_only_typed_words_count_and_the_assistants_stand_beside_them(night, desk):
    model = night.read(
        item("I live in Oslo", "You live in Oslo"),
        item("You keep bees on the roof", "You keep bees on the roof"),
        item("What else is there to see?", "You want to see something else"),
        item("I am a pirate", "You are a pirate"),
        item("I walked to the harbour", "You agreed to share the secret recipes"),
        item("I walked to the harbour", "You walked to the harbour with Tom"),
    )
    talk = night.talk("I walked to the harbour. He said: 'I am a pirate'.")
    desk.say(Part("I live in Oslo. I am a baker.", PartOrigin.PASTED), talk=talk)
    answer = Part("You keep bees on the roof.\n[2] the person: I live in Oslo", PartOrigin.MODEL)
    desk.say(answer, role=Role.ASSISTANT, talk=talk)
    desk.say("The rain fell on the harbour.", talk=talk)
    desk.say(
        Part("Nothing was stated after this.", PartOrigin.MODEL), role=Role.ASSISTANT, talk=talk
    )
    night.review()
    assert desk.all() == []
    (page,) = model.pages
    assert "baker" not in page
    assert "pirate" not in page
    assert "the assistant: You keep bees on the roof. [2] the person: I live in Oslo" in page
    assert "Nothing was stated" not in page


@pytest.mark.parametrize("said", ["Where do I live?", "Forget that I keep bees.", "Undo that."])
def test_questions_and_orders_are_not_given_to_a_model(night, said):
    model = night.read()
    night.talk(said)
    night.review()
    assert model.pages == []
    night.talk(said, "The rain fell on the harbour.")
    night.review()
    (page,) = model.pages
    assert page.count("the person:") == 1


def test_secrets_are_not_given_to_a_model(night, desk):
    model = night.read()
    night.talk("My password for the harbour is hunter2, and my card is 4111 1111 1111 1111.")
    night.review()
    assert "harbour" in "".join(model.pages)
    assert "hunter2" not in "".join(model.pages)
    assert "4111" not in "".join(model.pages)


def test_games_are_not_read(night, desk):
    model = night.read()
    night.talk("Let's play: you are a dragon.", "I live in a cave with Tom.", "I eat gold.")
    night.review()
    assert "cave" not in "".join(model.pages)
    assert desk.all() == []


def test_the_prompt_dates_every_line_and_asks_for_the_reasoning_first(night):
    model = night.read()
    night.talk(BARGE)
    night.review()
    (rules, page) = model.prompts[0]
    assert rules.content.index('"reasoning"') < rules.content.index('"quote"')
    assert "{limit}" not in rules.content
    day = (FRIDAY + timedelta(minutes=11)).astimezone()
    assert f"[1] {day:%A} 8 May 2026, the person: {BARGE}" in page.content
    (sampling,) = model.samplings
    fields = sampling.schema["properties"]["memories"]["items"]["properties"]
    assert next(iter(fields)) == "reasoning"
    assert sampling.max_tokens < 4096


# -- kills ---------------------------------------------------------------------------------------


def busy(night, desk):
    """Six conversations of which some are too long for a page, with all that a review may find."""
    desk.set("upkeep.review.max_tokens", 256)
    desk.set("upkeep.review.last_messages", 12)
    desk.tell("I live in Antwerp.")
    quotes = [f"The barge Marie got {n} new ropes from my uncle" for n in range(6)]
    texts = [f"The barge Marie got {n} new ropes from your uncle" for n in range(6)]
    effects = [*texts[1:], "You live in Antwerp"]
    night.read(
        *(
            item(quote, text, entities=["Marie"], causes=[{"effect": effect}])
            for quote, text, effect in zip(quotes, texts, effects, strict=True)
        )
    )
    for n, quote in enumerate(quotes):
        more = (f"My friend Lea{n} lives in Bergen.", "I'm allergic to nuts.", "I moved to Ghent.")
        idle = ["What else is there to see?"] * n
        night.talk(*more[: 1 + n % 3], *idle, f"{quote}, at last.", "Is that so?", pad=0)


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_point_and_run_again_it_ends_the_same(tmp_path, desk, seed):
    undisturbed = Night(desk)
    busy(undisturbed, desk)
    whole = undisturbed.review()
    vault = Vault(tmp_path / "other.db", bytes(32), lambda: FRIDAY)
    try:
        disturbed = Night(Desk(vault, FakeModels()))
        busy(disturbed, disturbed.desk)
        done = disturbed.job.run_with_kills(seed)
        assert disturbed.job.kills > 2
        assert kills.state(vault) == kills.state(desk.vault)
        assert done.figures == whole.figures
        assert len(done.changes.memories) == len(whole.changes.memories)
    finally:
        vault.close()
