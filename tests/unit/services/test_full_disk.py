"""A disk that is really full: each failure is told as that, and what was begun is finished."""

from contextlib import suppress

import pytest

from app.cli.program import run
from app.domain.memory import MemoryFilter
from app.errors import DiskFull, NotFound, TransferError
from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles
from app.store.vault import backup, wipe
from tests.fakes.disks import fill, may_mount, small_disk
from tests.unit.services.profile import CANARY, NOW, SAID

MEGABYTES = 12
ROOM = [0, 150_000, 300_000, 500_000, 800_000, 6_000_000]

pytestmark = pytest.mark.skipif(not may_mount(), reason="a small disk can be mounted by root only")


@pytest.fixture
def disk(tmp_path):
    try:
        with small_disk(tmp_path / "disk", MEGABYTES) as folder:
            yield folder
    except OSError as error:
        pytest.skip(f"no small disk here: {error}")


@pytest.fixture
def opened(disk):
    """A profile on a small disk that remembers a canary."""
    profiles = Profiles(Paths(disk / "loci"), lambda: NOW, lambda: None)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, lambda: NOW)
    opened.services.preferences.set("chat.model", "notebook")
    opened.services.preferences.set("models.embedder", "hash")
    opened.services.memories.add(SAID)
    run(opened.services.background.run())
    vault.checkpoint()
    yield opened
    opened.close()


def canaries(opened, path=None):
    where = path or opened.store.vault.path
    return run(wipe.scan(where, opened.store.vault.key, [CANARY.encode()])).found


@pytest.mark.expects_warnings
@pytest.mark.parametrize("left", ROOM)
def test_an_erasure_says_what_is_done_and_is_finished_once_there_is_room(opened, disk, left):
    services = opened.services
    (memory,) = services.memories.list(MemoryFilter())
    ticked = frozenset(c.key for c in services.erasure.of_memory(memory.id).copies)
    filler, proof = fill(disk, left), None
    with suppress(DiskFull):
        proof = run(services.erasure.erase_memory(memory.id, ticked))
    if proof is None:
        with pytest.raises(DiskFull, match="Nothing was erased"):
            run(services.erasure.erase_memory(memory.id, ticked))
        filler.unlink()
        assert services.memories.detail(memory.id).memory == memory
        return
    filler.unlink()
    with pytest.raises(NotFound):
        services.memories.detail(memory.id)
    assert proof.good == (not proof.owed) == (not canaries(opened))
    if proof.owed:
        assert "not finished: the disk is full, and about" in proof.owed
        assert "Nothing was lost" not in proof.owed
        problems = services.doctor.report()["problems"]["erasure"]
        assert "An erasure is not finished" in problems[0]
        run(services.background.finish_erasing())
        (told,) = services.erasure.told()
        assert "nothing was found of what was erased" in told
        assert services.erasure.told() == []
    assert canaries(opened) == 0
    assert services.doctor.report()["problems"]["erasure"] == []


@pytest.mark.expects_warnings
def test_both_happen_an_erasure_that_fails_whole_and_one_that_is_finished_later(opened, disk):
    services = opened.services
    (memory,) = services.memories.list(MemoryFilter())
    outcomes = set()
    for left in range(0, 2_000_000, 100_000):
        filler = fill(disk, left)
        try:
            outcomes.add(bool(run(services.erasure.erase_memory(memory.id, frozenset())).owed))
        except DiskFull:
            outcomes.add(None)
        finally:
            filler.unlink()
        if False in outcomes or True in outcomes:
            break
    assert outcomes == {None, True}


@pytest.mark.expects_warnings
def test_a_full_disk_costs_no_backup(opened, disk):
    services = opened.services
    copy = run(services.backups.make()).path
    (memory,) = services.memories.list(MemoryFilter())
    opened.store.vault.checkpoint()
    filler = fill(disk, opened.store.vault.path.stat().st_size + 300_000)
    proof = run(services.erasure.erase_memory(memory.id, frozenset()))
    filler.unlink()
    assert copy.exists() or proof.good
    run(services.background.finish_erasing())
    assert len(backup.copies(opened.store.vault.path)) == 1
    assert canaries(opened, backup.copies(opened.store.vault.path)[0]) == 0


def test_writing_copying_and_exporting_say_that_the_disk_is_full(opened, disk):
    services = opened.services
    opened.store.vault.checkpoint()
    fill(disk)
    with pytest.raises(DiskFull, match="The disk is full"):
        services.memories.add("I own a boat called Wren." + " It is blue." * 400)
    with pytest.raises(DiskFull, match=r"this needs about \d+ [KM]B"):
        run(services.backups.make())
    with pytest.raises((DiskFull, TransferError), match=r"[dD]isk is full"):
        run(services.transfer.export(disk / "export.zip"))
    assert not (disk / "export.zip").exists()
    with pytest.raises(Exception, match=r"[dD]isk is full"):
        services.preferences.set("appearance.theme", "dark")
    leftovers = [p.name for p in disk.rglob("*") if p.name.endswith((".new", ".part"))]
    assert leftovers == []
