"""Commits that are no longer there are noticed, said, and accepted by the person."""

import shutil
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.memory import MemoryFilter
from app.main.build import build
from app.paths import Paths
from app.store.conversations import Conversations
from app.store.profiles import Profiles
from app.store.vault import backup, mark
from tests.unit.services.profile import NOW


def texts(services):
    return {m.text for m in services.memories.list(MemoryFilter())}


@pytest.fixture
def profiles(tmp_path):
    return Profiles(Paths(tmp_path / "data"), lambda: NOW, lambda: None)


def start(profiles):
    profile = profiles.list()[0]
    return build(profiles, profile, profiles.open(profile.slug), lambda: NOW)


def as_killed(profiles, folder):
    """Return the same profile as a process that was killed would have left it."""
    shutil.copytree(profiles.paths.root, folder)
    return Profiles(Paths(folder), lambda: NOW, lambda: None)


@pytest.fixture
def killed(profiles, tmp_path):
    """A profile with a checkpoint, then commits that lie in its log alone."""
    profiles.create("Ada")[0].close()
    opened = start(profiles)
    opened.services.memories.add("I own a boat called Wren.")
    opened.store.vault.checkpoint()
    opened.services.memories.add("I am allergic to walnuts.")
    Conversations(opened.store.vault).create(1, title="Boats")
    found = as_killed(profiles, tmp_path / "killed")
    opened.close()
    return found


def test_nothing_is_missing_after_a_kill(killed):
    with closing(start(killed)) as opened:
        assert opened.services.losses.standing() == []
        assert len(texts(opened.services)) == 2


def remove(log):
    log.unlink()


def cut(log):
    log.write_bytes(log.read_bytes()[:-5000])


def flip(log):
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)


@pytest.mark.expects_warnings
@pytest.mark.parametrize("spoil", [remove, cut, flip])
def test_a_lost_end_of_the_log_is_noticed_and_said_until_it_is_accepted(killed, spoil):
    folder = killed.files(killed.list()[0].slug)
    log = folder.vault.with_name("vault.db-wal")
    spoil(log)
    with closing(start(killed)) as opened:
        (sentence,) = opened.services.losses.standing()
        assert "missing" in sentence
        assert "loci doctor --accept" in sentence
        opened.services.memories.add("I like tea.")  # later changes do not hide it
    with closing(start(killed)) as opened:
        services = opened.services
        assert services.losses.standing() == [sentence]
        assert services.doctor.report()["problems"]["missing"] == [sentence]
        assert not services.doctor.report()["ok"]
        services.losses.accept()
        assert services.losses.standing() == []
        assert services.doctor.report()["problems"]["missing"] == []
    with closing(start(killed)) as opened:
        assert opened.services.losses.standing() == []


@pytest.mark.expects_warnings
def test_an_older_copy_in_the_vaults_place_is_noticed(profiles):
    profiles.create("Ada")[0].close()
    paths = profiles.files(profiles.list()[0].slug)
    old = paths.vault.read_bytes()
    with closing(start(profiles)) as opened:
        opened.services.memories.add("I own a boat called Wren.")
    paths.vault.write_bytes(old)
    with closing(start(profiles)) as opened:
        assert "missing" in opened.services.losses.standing()[0]


def test_a_backup_that_is_restored_misses_nothing(profiles):
    profiles.create("Ada")[0].close()
    with closing(start(profiles)) as opened:
        vault = opened.store.vault
        copy = backup.create(vault.path, vault.key, lambda: NOW)
        opened.services.memories.add("I own a boat called Wren.")
    profiles.restore(profiles.list()[0].slug, copy)
    with closing(start(profiles)) as opened:
        assert opened.services.losses.standing() == []
        opened.services.memories.add("I own a boat called Merel.")
    with closing(start(profiles)) as opened:
        assert opened.services.losses.standing() == []


@given(data=st.binary(max_size=40))
@settings(max_examples=50, deadline=None)
def test_a_damaged_mark_counts_as_none(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("mark") / "vault.mark"
    path.write_bytes(data)
    assert mark.read(path, bytes(32)) is None


def test_two_programs_that_write_keep_one_count(profiles):
    profiles.create("Ada")[0].close()
    slug = profiles.list()[0].slug
    with closing(profiles.open(slug)) as one, closing(profiles.open(slug)) as other:
        for vault in (one, other, other, one):
            Conversations(vault).create(1)
        first = mark.read(profiles.files(slug).mark, one.key)
        with closing(profiles.open(slug)) as third, third.read() as connection:
            assert mark.lost(connection) is None
        Conversations(one).create(1)
        assert mark.read(profiles.files(slug).mark, one.key).count == first.count + 1
