"""Nightly work begins when it is due and nobody is disturbed, gives way, and tells what it did."""

from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.progress import Progress
from app.domain.upkeep import Done, Outcome, Trigger
from app.errors import Cancelled, ModelError, NotFound
from app.jobs.operation import drive
from app.services.background import BackgroundService
from app.services.upkeep import UpkeepService
from app.services.work import table, upkeep
from app.settings.spec import Settings
from app.settings.table import replace
from app.store.conversations import Conversations
from app.store.vault import Vault

BEGUN = datetime(2026, 5, 1, 12).astimezone()


class House:
    """A vault with one kind of nightly work, whose clock, power and failures are set by hand."""

    def __init__(self, folder):
        self.now = BEGUN
        self.mains = True
        self.settings = replace(Settings(), "upkeep.review.enabled", True)
        self.did = []
        self.steps = 3
        self.error = None
        folder.mkdir()
        self.vault = Vault(folder / "vault.db", bytes(32), clock=self.clock)
        self.background = self.started()
        self.upkeep = UpkeepService(
            self.vault,
            self.background,
            lambda: self.settings,
            lambda: self.mains,
            BEGUN,
            self.clock,
        )

    def clock(self):
        return self.now.astimezone(UTC)

    def started(self):
        background = BackgroundService(self.vault, self.clock)
        review = upkeep(
            "review", "Review", "Reads.", self.work, lambda s: (s.upkeep.review.enabled, "02:00")
        )
        dream = upkeep("dream", "Dream", "Tidies.", self.work, lambda s: (False, "03:00"))
        background.works = table([review, dream])
        return background

    def work(self, checkpoint, mark, cancel):
        for step in range(checkpoint.get("done", 0), self.steps):
            yield Progress("Reviewing", step, self.steps)
            if self.error:
                raise self.error
            self.did.append(step)
            mark({"done": step + 1})
        return Done(figures={"steps": self.steps}, batch="b1")

    def set(self, key, value):
        self.settings = replace(self.settings, key, value)

    def night(self, days=1, hour=2, minute=5):
        self.now = (BEGUN + timedelta(days=days)).replace(hour=hour, minute=minute)
        self.upkeep.tick()

    def run(self):
        drive(self.background.run(upkeep=True), Event())

    def runs(self):
        return [(run.kind, run.trigger, run.outcome) for run in self.upkeep.history()]


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path / "ada")
    yield house
    house.vault.close()


def test_it_runs_once_each_night(house):
    for day in (1, 2):
        for minute in (5, 6, 40):
            house.night(day, minute=minute)
            house.run()
    assert house.runs() == [("review", Trigger.SCHEDULE, Outcome.DONE)] * 2
    assert house.did == [0, 1, 2] * 2


def test_missed_nights_are_made_up_for_once_at_the_next_start(house):
    house.night(6, hour=14)
    house.run()
    house.night(6, hour=15)
    house.run()
    assert house.runs() == [("review", Trigger.MISSED, Outcome.DONE)]


@pytest.mark.parametrize("why", ["writing", "battery", "paused", "off"])
def test_it_does_not_begin_at_a_bad_moment(house, why):
    house.now = BEGUN + timedelta(days=1)
    if why == "writing":
        house.now = house.now.replace(hour=2, minute=4)
        said = (Part("Good night.", PartOrigin.TYPED),)
        rows = Conversations(house.vault)
        rows.add_message(rows.create().id, Role.USER, said)
    house.mains = why != "battery"
    house.set("upkeep.paused", why == "paused")
    house.set("upkeep.review.enabled", why != "off")
    house.night()
    house.run()
    assert house.runs() == []
    (review, _) = house.upkeep.standings()
    said = {
        "writing": "It waits until nothing was written for 5 minutes.",
        "battery": "It waits for mains power.",
        "paused": "Everything is paused.",
        "off": "",
    }
    assert review.waiting == said[why]
    house.mains = True
    house.set("upkeep.paused", False)
    house.set("upkeep.review.enabled", True)
    house.night(hour=4)
    house.run()
    assert [outcome for *_, outcome in house.runs()] == [Outcome.DONE]


def test_now_means_now_whatever_the_schedule_says(house):
    house.mains = False
    house.set("upkeep.paused", True)
    house.upkeep.start("dream")
    house.run()
    assert house.runs() == [("dream", Trigger.NOW, Outcome.DONE)]
    with pytest.raises(NotFound, match="review, dream"):
        house.upkeep.start("nonsense")


def test_it_gives_way_when_the_person_writes_and_goes_on_where_it_was(house):
    house.night()
    working = house.background.run_next(Event())
    next(working)
    next(working)
    house.background.give_way()
    with pytest.raises(Cancelled):
        next(working)
    assert house.runs() == [("review", Trigger.SCHEDULE, Outcome.STOPPED)]
    house.run()
    assert house.did == [0]
    house.now += timedelta(minutes=3)
    house.run()
    assert house.did == [0, 1, 2]
    assert house.runs()[0] == ("review", Trigger.SCHEDULE, Outcome.DONE)


def test_a_run_that_died_goes_on_where_it_was(house):
    house.night()
    working = house.background.run_next(Event())
    next(working)
    next(working)
    with house.vault.write() as connection:  # what the end of a process leaves
        before = connection.execute("SELECT state, checkpoint FROM jobs").fetchone()
    working.close()
    with house.vault.write() as connection:
        connection.execute("UPDATE jobs SET state = ?, checkpoint = ?", tuple(before))
        connection.execute("UPDATE runs SET outcome = 'running', ended_at = NULL")
    house.background = house.started()
    house.background.take_over()
    house.run()
    assert house.did == [0, 1, 2]
    assert [outcome for *_, outcome in house.runs()] == [Outcome.DONE, Outcome.STOPPED]


def test_cancelled_work_does_not_come_back_until_its_next_hour(house):
    house.night()
    stop = Event()
    working = house.background.run_next(stop)
    next(working)
    house.upkeep.cancel("review")
    stop.set()
    with pytest.raises(Cancelled):
        working.throw(Cancelled("Stopped."))
    house.night(minute=30)
    house.run()
    assert house.did == []
    assert not house.upkeep.standings()[0].queued
    house.night(2)
    house.run()
    assert house.did == [0, 1, 2]


def test_a_failure_is_told_and_tried_again(house):
    house.error = ModelError("The model did not answer.")
    house.night()
    house.run()
    (run,) = house.upkeep.history()
    assert (run.outcome, run.error) == (Outcome.FAILED, "The model did not answer.")
    house.error = None
    house.now += timedelta(minutes=5)
    house.run()
    assert house.upkeep.history()[0].outcome is Outcome.DONE


def test_one_kind_at_a_time_whoever_works(house):
    house.upkeep.start("review")
    house.upkeep.start("dream")
    working = house.background.run_next(Event())
    next(working)
    assert list(house.started().run_next(Event())) == []
    working.close()


def test_commands_leave_nightly_work_to_the_window(house):
    house.upkeep.start("review")
    drive(house.background.run(), Event())
    assert house.did == []
    house.run()
    assert house.did == [0, 1, 2]


def test_what_found_nothing_to_do_says_so(house):
    house.steps = 0
    house.night()
    house.run()
    assert house.runs() == [("review", Trigger.SCHEDULE, Outcome.NOTHING)]


def test_the_standing_tells_when_it_runs_next(house):
    review, dream = house.upkeep.standings()
    assert review.enabled
    assert review.next_at == (BEGUN + timedelta(days=1)).replace(hour=2, minute=0)
    assert (dream.enabled, dream.next_at) == (False, None)
