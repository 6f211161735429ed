"""The activity screen: what runs by itself, what ran, what it took, and everything to press."""

from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.changes import Changes
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress
from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobResult, JobRun, Planned, RunOutcome, Trigger
from app.domain.model import ChatInfo
from app.errors import ModelError
from app.gui.activity import wording
from app.gui.activity.controller import ActivityController
from app.providers.base import ModelUse
from app.services.upkeep.upkeep import JobStatus
from app.services.upkeep.work import Work, table, upkeep
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState
from tests.gui.desk import NOW, Shown

AWAY = ChatInfo("server:https://example.org/v1#big", "big", 8192, local=False)


class Place(Shown):
    """The screen on a profile that has one kind of nightly work."""

    def __init__(self, qtbot, home, bridge, theme):
        self.qtbot, self.home = qtbot, home
        self.error, self.late = None, False
        dream = upkeep(
            "dream",
            "Dream",
            "Tidies what is remembered.",
            self.work,
            lambda s: (s.upkeep.dream.enabled, s.upkeep.dream.at),
            preview=self.foreseen,
        )
        works = home.services.background.works
        kept = [work for work in works.values() if not work.nightly]
        home.services.background.works = table([*kept, dream])
        window = self.window = QWidget()
        self.screen = ActivityController(home.services, bridge, theme, window, home.clock)
        bridge.changed.connect(self.screen.apply_changes)
        self.pane = self.screen.pane
        self.pane.setParent(window)
        self.pane.resize(900, 700)
        window.resize(900, 700)
        window.show()
        self.wait(lambda: self.find("work_dream") is not None)

    def work(self, checkpoint, mark, cancel):
        yield Progress("Dreaming", 0, 1)
        if self.error and not self.late:
            raise self.error
        memory = self.home.services.memories.add("I own a boat.")
        (batch,) = memory.batches
        mark({"batch": batch, "figures": {"entries_pruned": 1}})
        if self.error:
            raise self.error
        return JobResult(memory, {"entries_pruned": 1}, batch)

    def foreseen(self):
        return [Planned("Forget", memory.text, (memory,)) for memory in self.home.memories()]

    def press(self, name):
        self.wait(lambda: self.find(name) is not None)
        self.find(name).click()

    def words(self, name):
        labels = [self.find(f"{name}_{part}") for part in ("words", "more")]
        return " ".join(label.text() for label in labels if label)

    def begin(self):
        """Press the button, and let what it asked for be in the queue."""
        self.press("run_dream")
        self.wait(lambda: self.find("stop_dream") is not None)

    def run(self):
        home = self.home
        changes = home.off_gui(lambda: drive(home.services.background.run(upkeep=True), Event()))
        self.screen.apply_changes(changes)


@pytest.fixture
def place(placed):
    return placed(Place)


def test_it_tells_what_runs_by_itself_and_when(place):
    assert "Not scheduled" in place.words("work_dream")
    place.home.off_gui(lambda: place.home.services.preferences.set("upkeep.dream.enabled", True))
    place.screen._load()
    place.wait(lambda: "Next run " in place.words("work_dream"))
    assert "03:00" in place.words("work_dream")


def test_pausing_is_one_switch(place):
    place.pane.pause.click()
    settings = place.home.services.preferences
    place.wait(lambda: place.home.off_gui(settings.values).upkeep.paused)
    place.pane.pause.click()
    place.wait(lambda: not place.home.off_gui(settings.values).upkeep.paused)


def test_work_begins_now_tells_what_it_did_and_is_undone(place):
    place.begin()
    assert place.find("run_dream") is None
    place.run()
    place.wait(lambda: place.find("run_dream") is not None)
    (run,) = place.home.off_gui(place.home.services.upkeep.history)
    assert "Forgotten as stale: 1" in place.words(f"run_{run.id}")
    place.press(f"see_{run.id}")
    changes = place.pane.changes
    place.wait(changes.isVisible)
    assert place.find("changes_sentence").text() == "1 change."
    (memory_id,) = [memory.id for memory in place.home.memories()]
    assert place.find(f"text_{memory_id}").text() == "I own a boat."
    with place.qtbot.waitSignal(place.screen.memory_requested) as asked:
        place.press(f"show_{memory_id}")
    assert asked.args == [memory_id]
    changes.undo.click()
    place.wait(lambda: "All of it was undone." in place.find("changes_sentence").text())
    assert not changes.undo.isVisible()
    assert place.screen.escape()
    assert not changes.isVisible()
    assert place.home.get_status() == ["forgotten"]


def test_what_it_would_do_is_shown_first_and_done_from_there(place):
    place.press("preview_dream")
    changes = place.pane.changes
    place.wait(changes.isVisible)
    assert "change nothing" in place.find("changes_sentence").text()
    assert place.find("changes_start") is None
    place.screen.escape()
    place.begin()
    place.run()
    place.press("preview_dream")
    place.wait(changes.isVisible)
    assert "1 change would be made now" in place.find("changes_sentence").text()
    assert place.find("changes_undo") is None
    place.press("changes_start")
    place.wait(lambda: place.find("stop_dream") is not None)
    assert not changes.isVisible()


def test_a_line_says_that_its_work_runs_as_soon_as_it_does(place):
    place.begin()
    background = place.home.services.background
    work = background.run(Event(), upkeep=True)
    try:
        place.home.off_gui(lambda: next(work))
        place.screen.show_progress(Progress("Dreaming", 0, 1))
        place.wait(lambda: "Running now" in place.words("work_dream"))
    finally:
        place.home.off_gui(work.close)


def test_a_run_is_undone_in_its_line(place):
    place.begin()
    place.run()
    (run,) = place.home.off_gui(place.home.services.upkeep.history)
    assert place.home.texts() == ["I own a boat."]
    place.press(f"undo_{run.id}")
    place.wait(lambda: place.home.get_status() == ["forgotten"])
    place.wait(lambda: place.find(f"outcome_{run.id}").text() == "Undone")
    place.wait(lambda: place.find(f"undo_{run.id}") is None)
    assert place.find(f"see_{run.id}") is not None


def test_a_second_undo_says_that_nothing_is_left(place):
    place.begin()
    place.run()
    (run,) = place.home.off_gui(place.home.services.upkeep.history)
    place.press(f"undo_{run.id}")
    place.wait(lambda: place.home.get_status() == ["forgotten"])
    place.pane.undo_requested.emit(run.batch)  # pressed before the line was drawn anew
    place.wait(lambda: "nothing left to undo" in place.pane.notice.notice.words.text())


def test_stopping_takes_it_out_of_the_queue(place):
    place.begin()
    asked = []
    place.screen.stop_requested.connect(lambda: asked.append(True))
    place.press("stop_dream")
    place.wait(lambda: place.find("run_dream") is not None)
    assert asked == []  # whatever else runs goes on
    place.run()
    assert place.home.off_gui(place.home.services.upkeep.history) == []


def test_a_run_that_failed_after_changing_memories_is_seen_and_undone(place):
    place.error, place.late = ModelError("The model did not answer."), True
    place.begin()
    place.run()
    (run,) = place.home.off_gui(place.home.services.upkeep.history)
    place.wait(lambda: place.find(f"see_{run.id}") is not None)
    assert "The model did not answer." in place.words(f"run_{run.id}")
    assert "Forgotten as stale: 1" in place.words(f"run_{run.id}")
    place.press(f"undo_{run.id}")
    place.wait(lambda: place.home.get_status() == ["forgotten"])


def test_what_waits_can_be_begun_or_taken_out_of_the_queue(place):
    services = place.home.services

    def queue():
        services.preferences.set("upkeep.paused", True)
        return services.queue.enqueue("dream", Trigger.SCHEDULE)

    place.screen.apply_changes(place.home.off_gui(queue))
    place.wait(lambda: "Everything is paused" in place.words("work_dream"))
    assert place.find("stop_dream") is not None
    place.press("run_dream")
    place.wait(lambda: "Waiting for its turn" in place.words("work_dream"))
    assert place.find("run_dream") is None
    place.run()
    assert place.home.texts() == ["I own a boat."]


def test_what_only_an_import_begins_is_not_offered(place):
    reading = Work(
        "read", "Read", "Reads.", place.work, nightly=True, trigger="Then.", per_item=True
    )
    works = place.home.services.background.works
    place.home.services.background.works = table([*works.values(), reading])
    place.screen._load()
    place.wait(lambda: place.find("work_read") is not None)
    assert "Then" in place.words("work_read")
    assert "Not scheduled" not in place.words("work_read")
    assert place.find("run_read") is None
    assert place.find("stop_read") is None


def test_a_failure_is_told_in_its_line(place):
    place.error = ModelError("The model did not answer.")
    place.begin()
    place.run()
    place.wait(lambda: bool(place.home.off_gui(place.home.services.upkeep.history)))
    (run,) = place.home.off_gui(place.home.services.upkeep.history)
    place.wait(lambda: "The model did not answer." in place.words(f"run_{run.id}"))
    assert place.find(f"outcome_{run.id}").text() == "Failed"


def test_what_models_took_is_told_with_its_price(place):
    services = place.home.services

    def spend():
        services.preferences.set("upkeep.costs.prompt_price", 2.0)
        services.spending.note(True, AWAY, ModelUse(1_500_000, 10, counted=True))

    assert place.find("spent_none").text() == "No model was used."
    place.home.off_gui(spend)
    place.screen._load()
    place.wait(lambda: place.find("cost_0") is not None)
    assert place.find("cost_0").text() == "3.00"
    assert "1,500,000 tokens read, 10 written" in place.words("spent_0")


def test_every_button_is_told_apart_by_its_spoken_name(place):
    buttons = [b for b in place.pane.findChildren(QPushButton) if b.isVisibleTo(place.pane)]
    names = [b.accessibleName() for b in buttons]
    assert all(names)
    assert len(set(names)) == len(names)


def test_what_could_not_be_done_is_told_and_tried_again_or_left(place):
    assert place.find("set_aside_title") is None
    message, _ = place.home.say("I own a boat.")
    rows = JobQueue(place.home.vault)
    monitor = JobMonitor(place.home.vault)

    def give_up(key, payload):
        rows.enqueue("learn", key, payload)
        job = rows.claim(NOW)
        rows.fail(job.id, "It broke.")
        return job.id

    first = place.home.off_gui(lambda: give_up("one", {"message": message.id}))
    second = place.home.off_gui(lambda: give_up("two", {"message": "gone"}))
    place.screen.apply_changes(Changes(jobs=True))
    place.wait(lambda: place.find(f"retry_{first}") is not None)
    assert place.find("set_aside_title").text() == "Could not be done"
    assert place.words(f"aside_{first}").startswith("“I own a boat.” It broke. Last tried today")
    place.press(f"retry_{first}")
    place.wait(lambda: place.find(f"retry_{first}") is None)
    assert place.home.off_gui(lambda: monitor.by_key("one")).state is JobState.QUEUED
    place.press(f"leave_{second}")
    place.wait(lambda: place.find("set_aside_title") is None)
    assert place.home.off_gui(lambda: monitor.by_key("two")).state is JobState.CANCELLED


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"running": True}, "Running now"),
        ({"queued": True}, "Waiting for its turn"),
        ({"queued": True, "waiting": "It waits for mains power."}, "It waits for mains power"),
        ({"trigger": "Starts when you import conversations."}, "Starts when you import"),
        ({"without": "Set a price."}, "Not scheduled. Set a price."),
        ({"waiting": "It waits for mains power."}, "Due. It waits for mains power"),
        ({}, "Not scheduled"),
    ],
)
def test_how_work_stands(more, words):
    plain = {"waiting": "", "queued": False, "running": False}
    one = JobStatus("dream", "Dream", "", True, True, None, last=None, **(plain | more))
    assert wording.standing_words(one, NOW).startswith(words)


@pytest.mark.parametrize(
    ("days", "words"),
    [(0, "today at"), (1, "tomorrow at"), (-1, "yesterday at"), (3, "on Tuesday at"), (40, "2026")],
)
def test_when_is_said_as_a_person_says_it(days, words):
    assert words in wording.moment(NOW + timedelta(days=days), NOW)


def test_a_run_says_when_why_and_how_long():
    began = datetime(2026, 11, 21, 2, tzinfo=UTC)
    run = JobRun(
        "r", "dream", Trigger.MISSED, began, began + timedelta(seconds=30), RunOutcome.DONE
    )
    told = wording.circumstances(run, NOW)
    assert "in 30 s" in told
    assert "making up for a missed run" in told
    assert told.startswith(("Today at", "Yesterday at"))


def test_no_price_is_no_promise():
    one = Spent("chat", "big", False, 1, 10, 10, True, 0.0)
    assert wording.cost_words(one) == "No price set"
