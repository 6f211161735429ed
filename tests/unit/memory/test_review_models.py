"""The review and its model: what is believed of a reply, and what happens where none comes."""

import json
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event

import numpy as np
import pytest

from app.domain.memory import Origin, Status
from app.domain.model import ChatInfo
from app.errors import Cancelled, Hindered, ModelError, TooLong
from app.providers.judging import Task
from app.store.work.watermarks import Watermarks
from tests.fakes import kills
from tests.unit.memory.conftest import FakeChat, FakeModels
from tests.unit.memory.reviewing import BARGE, INHERITED, Unread, item

# -- what a model says ---------------------------------------------------------------------------


@pytest.mark.parametrize("wrapped", ["%s", "```json\n%s\n```", "Here you are:\n%s\nAnything else?"])
def test_replies_are_read_leniently_and_a_bad_item_costs_no_other(night, desk, wrapped):
    bad = [
        item(kind="gossip"),
        item(content=""),
        item(entities=7),
        item(content=["You", "live"]),
        "nonsense",
        {"content": INHERITED},
        item("I never said this", "You never said this"),
    ]
    good = item(entities=[{"name": "Marie"}, "uncle", 3], causes="nothing", nonsense=1, message="x")
    desk.models.model = FakeChat(wrapped % json.dumps([*bad, good]))
    night.talk(BARGE)
    night.review()
    assert desk.texts() == [INHERITED]


class Judging(Unread):
    """Says of everything that was written how likely it is supported; else as the real ones."""

    def __init__(self, supported):
        self.supported = supported

    def judge(self, task, pairs):
        if task is not Task.ENTAIL:
            return super().judge(task, pairs)
        if self.supported is None:
            raise ModelError("It does not answer.")
        return np.array([[1 - self.supported, self.supported]] * len(pairs))


@pytest.mark.parametrize(
    ("supported", "kept"), [(0.9, [INHERITED]), (0.1, []), (None, [])], ids=["yes", "no", "silent"]
)
def test_what_a_model_wrote_is_kept_only_where_the_judge_bears_it_out(night, desk, supported, kept):
    desk.models.understanding = Judging(supported)
    night.read(item())
    night.talk(BARGE)
    done = night.review()
    assert len(desk.models.model.prompts) == 1, "the model was asked and answered"
    assert [memory.text for memory in desk.all()] == kept
    assert bool(done.changes.memories) is bool(kept)


@pytest.mark.parametrize(
    ("said", "twisted"),
    [
        ("I like apples, pears and plums", "You are allergic to apples, pears and plums"),
        ("Walnuts make my throat swell", "Walnuts never make your throat swell"),
        ("Ana lent me her car for the summer", "You lent Ana your car for the summer"),
    ],
)
def test_what_a_model_twisted_is_not_kept_by_the_shipped_judge(night, desk, said, twisted):
    desk.models.understanding = Unread()
    night.read(item(said, twisted), item())
    night.talk(f"{said}.", BARGE)
    night.review()
    assert [memory.text for memory in desk.all()] == [INHERITED]


@pytest.mark.expects_warnings
def test_a_reply_that_cannot_be_read_is_told_and_not_asked_for_again(night, desk, caplog):
    desk.models.model = FakeChat("I would rather not say.")
    night.talk(BARGE, "I keep bees.")
    done = night.review()
    assert "cannot be read" in caplog.text
    assert BARGE not in caplog.text
    assert done.figures["calls"] == 1
    assert desk.texts() == ["I keep bees"]
    night.review()
    assert len(desk.models.model.prompts) == 1


def test_no_more_than_the_limit_of_one_message_are_kept(night, desk):
    class Believes(Unread):
        def judge(self, task, pairs):
            found = super().judge(task, pairs)
            return np.array([[0, 1]] * len(pairs)) if task is Task.ENTAIL else found

    desk.set("extraction.max_facts_per_turn", 2)
    desk.models.understanding = Believes()
    ways = ("You got", "You have", "You own", "You were left", "You were given")
    said = "I inherited the barge Marie from an uncle."
    night.read(*(item(said, f"{way} the barge Marie from an uncle") for way in ways))
    night.talk(said)
    night.review()
    assert len(desk.all()) == 2


def test_dates_are_counted_from_the_message_and_only_sound_ones_kept(night, desk):
    desk.models.understanding = Unread()
    quotes = ["I walked to Rome yesterday", "The flood took our house", "We sail to Riga next year"]
    night.read(
        item(quotes[0], "You walked to Rome yesterday", kind="event"),
        item(quotes[1], "The flood took your house", kind="event", occurredAt="1066-10-14"),
        item(quotes[2], "You will sail to Riga in 2027", kind="event", occurredAt="2027-06-01"),
    )
    night.talk(*(f"{quote}." for quote in quotes))
    desk.later(days=30)
    night.review()
    rome, flood, riga = (
        next(m for m in desk.all() if word in m.text) for word in ("Rome", "flood", "Riga")
    )
    assert rome.text == "You walked to Rome yesterday [7 May 2026]"
    assert rome.occurred_at == datetime(2026, 5, 7, tzinfo=UTC)
    assert flood.occurred_at is riga.occurred_at is None


def test_a_standing_instruction_is_not_taken_from_a_model(night, desk):
    said = "I would like short answers from now on, in Dutch"
    night.read(item(said, "Answer in Dutch, and short", kind="instruction"))
    night.talk(f"{said}, if that is all right.")
    night.review()
    assert all(m.status is not Status.ACTIVE or m.origin is Origin.REVIEW for m in desk.all())
    assert not any(m.type == "procedural" and m.status is Status.ACTIVE for m in desk.all())


def test_causes_are_linked_after_the_page_is_stored(night, desk):
    desk.tell("I work as a nurse in Leeds.")
    desk.models.understanding = Unread()
    tide, roof = "The tide broke the pier", "All of us slept on the roof"
    slept = "All of you slept on the roof"
    night.read(
        item(tide, "The tide broke the pier", causes=[{"effect": slept}, {"effect": "War came"}]),
        item(roof, slept),
        item("The barge sank", "The barge sank", causes=["I work as a nurse in Leeds"]),
    )
    night.talk(f"{tide}.", f"{roof}.", "The barge sank.")
    done = night.review()
    causes = {(a, b): confidence for a, b, confidence in kills.state(desk.vault)["causes"]}
    assert set(causes) == {(tide, slept), ("The barge sank", "I work as a nurse in Leeds")}
    assert all(0.5 <= confidence <= 1 for confidence in causes.values())
    assert done.figures["links"] == 2


def test_ask_first_makes_proposals_that_change_nothing(night, desk):
    desk.tell("I live in Antwerp.")
    desk.set("extraction.ask_first", True)
    night.read(item())
    night.talk(BARGE, "I moved to Ghent.")
    done = night.review()
    assert desk.texts() == ["I live in Antwerp"]
    proposed = [m for m in desk.all() if m.status is Status.PROPOSED]
    assert INHERITED in [m.text for m in proposed]
    assert {m.status_reason for m in proposed} == {"Found in a review."}
    assert done.figures["proposed"] == len(proposed)
    assert len(desk.journal.receipts(desk.talk.id)) == 1  # of what is remembered
    assert done.figures["learned"] == 0


def test_the_reference_preset_has_its_own_likeness_of_a_duplicate(night, desk):
    desk.tell("I have two old cats called after painters.")
    desk.set("extraction.plain_threshold", True)
    desk.set("extraction.dedup_threshold", 1.0)
    desk.set("upkeep.review.dedup_threshold", 0.5)
    night.talk("I have three old cats called after painters.")
    night.review()
    assert len(desk.all()) == 1


# -- when no model answers -----------------------------------------------------------------------


def test_without_a_model_the_reader_reads_alone(night, desk):
    night.talk("I keep bees.", BARGE)
    done = night.review()
    assert desk.texts() == ["I keep bees"]
    assert (done.figures["calls"], done.figures["conversations"]) == (0, 1)
    assert not any(night.review().figures.values())


class Elsewhere(FakeModels):
    """A model that is not on this computer."""

    refused = False

    def chat_info(self, *, learning=False):
        return ChatInfo("far", "Far", 4096, local=False)

    @contextmanager
    def chat(self, interactive=True, *, learning=False, cancel=None):
        if self.refused:
            raise Hindered("Background work has reached its spending limit for this month.")
        yield self.model


def test_a_model_elsewhere_is_asked_only_where_that_is_allowed(night, desk):
    desk.models = Elsewhere()
    model = night.read(item())
    night.talk(BARGE)
    night.review()
    assert model.prompts == []
    desk.set("upkeep.costs.background", True)
    night.talk(BARGE)
    night.review()
    assert len(model.prompts) == 1
    desk.models.refused = True
    night.talk("I keep bees.")
    done = night.review()
    assert desk.texts() == [INHERITED, "I keep bees"]
    assert (done.figures["calls"], done.figures["unanswered"]) == (0, 0)
    assert Watermarks(desk.vault).waiting(1, 9) == []


def fill(night, desk, count):
    desk.set("upkeep.review.max_tokens", 256)
    for n in range(count):
        night.talk(f"Boat {n} was painted green. " * 30, "I keep bees.")


def test_what_a_model_did_not_answer_about_is_read_again(night, desk):
    fill(night, desk, 4)
    model = night.read(failing=[ModelError("No answer.")] * 9)
    done = night.review()
    assert desk.texts() == ["I keep bees"]
    assert (len(model.prompts), done.figures["unanswered"], done.figures["calls"]) == (2, 2, 0)
    assert done.figures["conversations"] == 4  # by the reader
    assert len(Watermarks(desk.vault).waiting(5, 9)) == 4
    before = kills.state(desk.vault)["evidence"]
    model.failing.clear()
    night.review()
    assert Watermarks(desk.vault).waiting(5, 9) == []
    assert set(before) <= set(kills.state(desk.vault)["evidence"])


def test_one_page_that_a_model_never_answers_about_holds_up_no_other(night, desk):
    fill(night, desk, 4)
    model = night.read(failing=[ModelError("Too long."), None, ModelError("Too long."), None])
    done = night.review()
    assert done.figures["unanswered"] == 2
    assert done.figures["calls"] == len(model.prompts) - 2 > 0
    night.review()
    assert Watermarks(desk.vault).waiting(1, 9) == []


def test_a_page_that_is_too_long_for_a_model_is_read_at_half_its_length(night, desk):
    model = night.read(item(), failing=[TooLong("Too long.")])
    night.talk(BARGE, pad=3)
    fill(night, desk, 4)
    done = night.review()
    assert INHERITED in desk.texts()
    assert len(model.pages[1]) < len(model.pages[0])
    assert (done.figures["too_long"], done.figures["unanswered"]) == (0, 0)
    assert Watermarks(desk.vault).waiting(1, 9) == []


def test_a_page_that_no_model_can_read_is_left_to_the_reader_and_that_is_told(night, desk):
    model = night.read(item(), failing=[TooLong("Too long.")] * 9)
    night.talk(BARGE, "I keep bees.")
    done = night.review()
    assert desk.texts() == ["I keep bees"]
    assert (len(model.prompts), done.figures["too_long"], done.figures["unanswered"]) == (2, 1, 0)
    assert Watermarks(desk.vault).waiting(1, 9) == [], "it is not tried for ever"


def test_whoever_needs_the_model_more_gets_it_and_the_review_goes_on_later(night, desk):
    model = night.read(item(), failing=[Cancelled("A conversation needed the model first.")])
    night.talk(BARGE)
    with pytest.raises(Cancelled):
        night.review()
    assert desk.all() == []
    night.review()
    assert desk.texts() == [INHERITED]
    assert len(model.prompts) == 2


def test_stopping_while_it_reads_keeps_nothing_of_the_page(night, desk):
    night.read(item())
    night.talk(BARGE)
    cancel = Event()
    running = night.begin({}, lambda checkpoint: None, cancel)
    next(running)
    cancel.set()
    with pytest.raises(Cancelled):
        next(running)
    assert desk.all() == []
