"""Backups are made by themselves, checked, thinned, listed and put back."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.jobs.kinds import BACKUP
from app.domain.jobs.operation import drive
from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.domain.memory import MemoryFilter
from app.errors import Cancelled, NotFound, StoreError, VaultCorrupt
from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles
from app.store.vault import backup
from tests.unit.services.conftest import NOW
from tests.unit.store.conftest import MemoryKeyring


@pytest.fixture
def keyring():
    """The keyring there is; without its entries it has lost the key."""
    return MemoryKeyring()


@pytest.fixture
def days(tmp_path, keyring):
    """A profile whose clock is put forward by hand; returns its services after some days."""
    now = [NOW]
    profiles = Profiles(Paths(tmp_path), lambda: now[0], lambda: keyring)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, lambda: now[0])
    opened.services.preferences.set("models.embedder", "hash")

    def forward(number):
        now[0] += timedelta(days=number)
        opened.services.upkeep.tick()
        drive(opened.services.background.run(upkeep=True), Event())
        return opened.services

    yield forward
    opened.close()


def test_one_is_made_every_day_and_those_of_the_last_days_and_weeks_stay(days):
    services = days(0)
    services.preferences.set("upkeep.backups.daily", 3)
    services.preferences.set("upkeep.backups.weekly", 2)
    for _ in range(15):
        days(1)
    made = [one.made_at for one in services.backups.list()]
    assert made == sorted(made, reverse=True)
    assert len({at.date() for at in made[:3]}) == 3
    assert 3 <= len(made) <= 5
    runs = [run for run in services.upkeep.history() if run.kind == BACKUP]
    assert len(runs) == 15
    assert {run.outcome for run in runs} == {RunOutcome.DONE}
    assert services.doctor.report()["backups"]["number"] == len(made)


def test_none_is_made_where_that_is_off(days):
    days(0).preferences.set("upkeep.backups.enabled", False)
    assert days(3).backups.list() == []


def test_a_backup_is_put_in_the_place_of_the_open_vault(opened, services, tmp_path):
    services.memories.add("You like tea")
    made = drive(services.backups.make(), Event())
    services.memories.add("You like coffee")
    kept = services.backups.restore(made.path)
    assert services.backups.closed
    profiles = Profiles(Paths(tmp_path), lambda: NOW, lambda: None)
    again = build(profiles, services.profile, profiles.open("ada"), lambda: NOW)
    assert [m.text for m in again.services.memories.list(MemoryFilter())] == ["You like tea"]
    assert kept in [one.path for one in again.services.backups.list()]
    again.close()


def test_a_damaged_backup_closes_nothing(opened, services):
    made = drive(services.backups.make(), Event())
    made.path.write_bytes(b"x" * 8192)
    with pytest.raises(VaultCorrupt):
        services.backups.restore(made.path)
    with pytest.raises(NotFound):
        services.backups.restore(made.path.with_name("none.db"))
    assert not services.backups.closed
    services.memories.add("You like tea")


@pytest.mark.expects_warnings
def test_a_backup_mends_the_second_copies_of_the_keys(opened, services, tmp_path):
    paths = Profiles(Paths(tmp_path), lambda: NOW, lambda: None).files(services.profile.slug)
    paths.key_spare.unlink()
    drive(services.backups.make(), Event())
    assert paths.key_spare.read_bytes() == paths.key_file.read_bytes()
    assert len(backup.copies(paths.vault)) == 1


def test_keeping_goes_on_while_processing_is_restricted_and_stops_with_a_pause(days):
    services = days(0)
    services.restriction.restrict()
    assert services.upkeep.owes(BACKUP) is False
    assert len(days(1).backups.list()) == 1
    assert all(run.kind == BACKUP for run in services.upkeep.history())
    services.upkeep.start(BACKUP)
    days(0)
    assert len(services.backups.list()) == 2
    services.preferences.set("upkeep.paused", True)
    days(1)
    assert not services.upkeep.owes(BACKUP)
    assert len(services.backups.list()) == 2


def test_a_keyring_that_is_away_stops_no_rotation_and_is_said_once(days, keyring):
    services = days(0)
    services.preferences.set("upkeep.backups.daily", 1)
    services.preferences.set("upkeep.backups.weekly", 0)
    keyring.kept.clear()
    said = []
    for _ in range(6):
        days(1)
        said += [run.outcome for run in services.upkeep.history(1, BACKUP)]
    assert said == [RunOutcome.DONE] * 6
    assert len(services.backups.list()) == backup.NEWEST
    assert "keyring" in "".join(services.doctor.report()["problems"]["backups"])


def test_what_could_not_be_checked_is_said_by_the_first_backup_and_not_by_the_next(days, keyring):
    services = days(0)
    keyring.kept.clear()
    told = []
    for _ in range(2):
        services.queue.enqueue(BACKUP, Trigger.NOW)
        told.append(drive(services.upkeep.catch_up(BACKUP, Event()), Event()))
    assert "could not be checked" in told[0]
    assert "recovery-code" in told[0]
    assert told[1] == ""
    services.access.add_recovery_code()
    made = drive(services.backups.make(), Event())
    assert made.unchecked
    assert "recovery-code" not in made.unchecked


def test_the_doctor_tells_of_a_backup_that_failed_until_there_is_one(days, monkeypatch):
    services = days(0)
    with monkeypatch.context() as patch:
        patch.setattr(backup, "create", failing)
        days(1)
    (told,) = services.doctor.report()["problems"]["backups"]
    assert told.startswith("The last backup failed: The disk is away.")
    assert told.endswith("`loci profiles backup` makes one.")
    drive(services.backups.make(), Event())
    assert services.doctor.report()["problems"]["backups"] == []


def test_what_waits_for_the_person_tells_of_backups_that_fail_or_are_late(days, monkeypatch):
    services = days(0)
    assert services.attention.counts().backups == 0
    with monkeypatch.context() as patch:
        patch.setattr(backup, "create", failing)
        days(1)
    assert services.attention.late_backups() == ["The last backup failed: The disk is away."]
    assert services.background.left.profile, "so that it is shown at once"
    services.preferences.set("upkeep.paused", True)
    days(4)
    told = services.attention.late_backups()
    assert len(told) == services.attention.counts().backups == 2
    assert told[1].startswith("No backup was made since")
    (failed, late) = services.doctor.report()["problems"]["backups"]
    assert (failed.startswith(told[0]), late.startswith(told[1])) == (True, True)
    drive(services.backups.make(), Event())
    assert services.attention.counts().backups == 0


def test_the_doctor_tells_of_a_backup_that_is_overdue(days):
    services = days(0)
    services.preferences.set("upkeep.paused", True)
    days(4)
    (told,) = services.doctor.report()["problems"]["backups"]
    assert told.startswith("No backup was made since")
    assert "paused" in told
    services.preferences.set("upkeep.backups.enabled", False)
    assert services.doctor.report()["problems"]["backups"] == []


def test_one_that_is_stopped_is_left_for_the_day(days):
    services = days(0)
    services.queue.enqueue(BACKUP, Trigger.SCHEDULE)
    assert services.upkeep.owes(BACKUP)
    steps, stop = services.upkeep.catch_up(BACKUP, Event()), Event()
    next(steps)
    stop.set()
    with pytest.raises(Cancelled):
        drive(steps, stop)
    assert not services.upkeep.owes(BACKUP)
    assert services.backups.list() == []


def failing(*_given):
    raise StoreError("The disk is away.")
