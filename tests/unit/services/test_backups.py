"""Backups are made by themselves, checked, thinned, listed and put back."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.memory import MemoryFilter
from app.domain.upkeep import Outcome
from app.errors import NotFound, VaultCorrupt
from app.jobs.operation import drive
from app.main.build import build
from app.paths import Paths
from app.services.work import BACKUP
from app.store import backup
from app.store.profiles import Profiles
from tests.unit.services.conftest import NOW


@pytest.fixture
def days(tmp_path):
    """A profile whose clock is put forward by hand; returns its services after some days."""
    now = [NOW]
    profiles = Profiles(Paths(tmp_path), lambda: now[0], lambda: None)
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
    assert {run.outcome for run in runs} == {Outcome.DONE}
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
