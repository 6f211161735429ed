"""What was brought in is learnt from in the background; nobody else's words are."""

from datetime import UTC, datetime
from threading import Event

import pytest

from app.bench.read import conversations, message, read_speed
from app.domain.jobs.kinds import READ, REVIEW
from app.domain.jobs.operation import drive
from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.domain.memory import MemoryFilter, Origin
from app.domain.sharing.rule import OPEN, setting_of
from app.errors import Refused

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)
TURNS = [
    ("1", "a", "User", AT, "I'm allergic to walnuts."),
    ("2", "a", "Assistant", AT, "I live in Oslo."),
]


def work(services):
    drive(services.background.run(upkeep=True), Event())


def texts(services):
    return [m.text for m in services.memories.list(MemoryFilter())]


def test_an_import_of_their_own_words_is_read_as_one_run(services):
    services.transfer.add_transcript(TURNS, own=True)
    work(services)
    (memory,) = services.memories.list(MemoryFilter())
    assert (memory.text, memory.origin) == ("I'm allergic to walnuts", Origin.IMPORT)
    (run,) = services.upkeep.history()
    assert (run.kind, run.trigger, run.outcome) == (READ, Trigger.EVENT, RunOutcome.DONE)
    assert run.figures["learned"] == 1
    services.undo.undo(run.batch)
    assert [m.status for m in services.memories.list(MemoryFilter())] == ["forgotten"]


def test_what_others_say_is_not_read(services):
    services.transfer.add_transcript(TURNS)
    work(services)
    assert texts(services) == []
    assert services.upkeep.history() == []


def test_each_import_is_read(services):
    services.transfer.add_transcript(TURNS, own=True)
    services.transfer.add_transcript([("3", "b", "User", AT, "I play the piano.")], own=True)
    work(services)
    assert sorted(texts(services)) == ["I play the piano", "I'm allergic to walnuts"]


def test_an_export_that_is_brought_back_is_not_learnt_from_again(services, tmp_path):
    services.transfer.add_transcript(TURNS, own=True)
    file = tmp_path / "export.zip"
    drive(services.transfer.export(file), Event())
    (talk,) = services.conversations.list()
    opened = services.conversations.messages(talk.id)
    work(services)
    drive(services.transfer.import_file(file), Event())
    work(services)
    assert len(services.upkeep.history()) == 1
    assert services.conversations.messages(talk.id) == opened


def standing(services, kind=READ):
    return next(one for one in services.upkeep.standings() if one.kind == kind)


def test_reading_that_was_stopped_is_not_lost_and_begins_again_when_asked(services):
    services.transfer.add_transcript(TURNS, own=True)
    assert standing(services).queued
    services.upkeep.cancel(READ)
    work(services)
    assert texts(services) == []
    assert standing(services).startable
    services.upkeep.start(READ)
    work(services)
    assert texts(services) == ["I'm allergic to walnuts"]
    assert services.upkeep.history()[0].trigger is Trigger.NOW
    assert not standing(services).startable


def test_reading_is_not_offered_where_there_is_nothing_to_read(services):
    assert not standing(services).startable
    assert standing(services).trigger == "Starts when you import conversations."
    with pytest.raises(Refused, match="Read has nothing to do"):
        services.upkeep.start(READ)
    work(services)
    assert services.upkeep.history() == []


def test_reading_waits_while_everything_is_paused(services):
    services.preferences.set("upkeep.paused", True)
    services.transfer.add_transcript(TURNS, own=True)
    work(services)
    assert texts(services) == []
    assert standing(services).waiting == "Everything is paused."
    services.preferences.set("upkeep.paused", False)
    work(services)
    assert texts(services) == ["I'm allergic to walnuts"]


def test_the_review_can_be_started_and_is_scheduled(services):
    titles = {standing.kind: standing.enabled for standing in services.upkeep.standings()}
    assert titles[REVIEW]
    assert not titles[READ]
    services.upkeep.start(REVIEW)
    work(services)
    assert services.upkeep.history()[0].outcome is RunOutcome.NOTHING


def test_the_review_says_what_keeps_it_from_a_model_elsewhere(services):
    assert standing(services, REVIEW).without == ""
    services.preferences.set("chat.model", "server:https://example.org/v1#big")
    assert "example.org" in standing(services, REVIEW).without, "nothing may go there yet"
    services.preferences.set("models.sharing", setting_of({"https://example.org/v1": OPEN}))
    assert "Settings, Upkeep allows it" in standing(services, REVIEW).without
    services.preferences.set("upkeep.costs.background", True)
    assert "set what it charges in Settings, Upkeep" in standing(services, REVIEW).without
    services.preferences.set("upkeep.costs.prompt_price", 2.0)
    assert standing(services, REVIEW).without == ""


def test_the_measurement_of_reading_counts_what_the_job_did(opened):
    from contextlib import contextmanager

    @contextmanager
    def temporary(_clock):
        yield opened.services, opened.store.vault

    figures = drive(read_speed(40, temporary), Event())
    assert figures["messages"] == 40
    assert figures["memories"] == figures["learned"] + figures["set_aside"] > 5
    read, embedded = (figures[f"{one}_messages_per_second"] for one in ("read", "embedder"))
    assert read > 0
    assert figures["ratio"] == pytest.approx(read / embedded, abs=0.002)


def test_the_made_up_messages_are_the_same_every_time():
    import json
    import random

    from app.assets import resource

    first, second = (list(conversations(50, random.Random(3))) for _ in range(2))
    assert first == second
    assert len(first) == 100
    sayings = json.loads(resource("bench/messages.json").read_text("utf-8"))
    assert "{" not in "".join(message(sayings, random.Random(n)) for n in range(200))
