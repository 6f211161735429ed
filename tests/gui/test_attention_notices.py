"""What the person should know stands first: changes from outside, late backups, failing models."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.changes import Changes
from app.domain.jobs.operation import drive
from app.domain.model import Failure
from app.store.vault.connection import READ_CACHE_KB, connect
from app.store.work.trials import Trials


@pytest.mark.tampers
def test_what_was_changed_outside_loci_stands_first_until_it_is_accepted(place):
    home = place.home
    home.remember("Ann sails.")

    def change():
        vault = home.vault
        connection = connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)
        connection.execute("UPDATE memories SET trust = 'learned', pinned = NOT pinned")
        connection.close()
        home.services.tampering.examine()

    home.off_gui(change)
    place.screen._load()
    place.wait(lambda: place.find("foreign") is not None)
    assert "The pin of the memory" in place.find("foreign_0").text()
    assert place.pane.count.text() == "1"
    asked = []
    place.pane.backups_requested.connect(lambda: asked.append(True))
    place.find("backups_foreign").click()
    assert asked
    place.find("accept_foreign").click()
    place.wait(lambda: place.find("foreign") is None)
    assert home.off_gui(home.services.tampering.examine) == []


def test_a_backup_that_is_overdue_stands_there_and_leads_to_the_backups(place):
    home = place.home
    home.now += timedelta(days=5)
    place.screen._load()
    place.wait(lambda: place.find("late_backups_0") is not None)
    assert place.find("late_backups_0").text().startswith("No backup was made since")
    assert place.pane.count.text() == "1"
    asked = []
    place.pane.backups_requested.connect(lambda: asked.append(True))
    place.press("backups_late_backups")
    assert asked

    def make():
        drive(home.services.backups.make(), Event())

    home.off_gui(make)
    place.screen.apply_changes(Changes(profile=True))
    place.wait(lambda: place.find("late_backups_0") is None and place.empty())


def test_a_learning_model_that_failed_stands_there_until_it_may_try_again(place):
    home = place.home
    trials = Trials(home.vault)

    def fail():
        home.services.preferences.set("extraction.learn_from", "server:http://127.0.0.1:9/v1#fake")
        for _ in range(3):
            trials.failed("server:http://127.0.0.1:9/v1#fake", Failure.SLOW)

    home.off_gui(fail)
    place.screen.apply_changes(Changes(profile=True))
    place.wait(lambda: place.find("learner_0") is not None)
    assert place.find("learner_0").text().startswith("fake failed three times in a row to learn")
    assert place.pane.count.text() == "1"
    assert home.off_gui(home.services.attention.counts).learner == 1
    place.press("retry_learner")
    place.wait(lambda: place.find("learner_0") is None and place.empty())
    place.wait(lambda: place.pane.notice.notice.words.text() == "The model may learn again.")
    assert home.off_gui(trials.failing) is None
