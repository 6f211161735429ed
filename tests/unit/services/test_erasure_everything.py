"""Erasing everything asks for the name, waits for others, and leaves no file."""

from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import Memory
from app.errors import Cancelled, Refused, VaultBusy
from app.settings import computer
from app.store.memories import Memories, Note
from tests.unit.services.profile import NOW, SAID, Home


def test_erasing_everything_wants_the_name_and_leaves_no_file(home, filled):
    home.exports.add("/somewhere/out.zip", 0)
    folder = home.profiles.files(home.profile.slug).folder
    inventory = home.service.of_everything()
    assert {"file", "key", "export"} <= {c.kind for c in inventory.copies}
    with pytest.raises(Refused, match="Type Ada"):
        drive(home.service.erase_everything("ada lovelace"), Event())
    assert folder.exists()
    proof = drive(home.service.erase_everything(" Ada "), Event())
    assert not folder.exists()
    assert proof.removed
    assert any("/somewhere/out.zip" in sentence for sentence in proof.remaining)


def until_waiting(home):
    """Erase everything up to where others are waited for."""
    erasing = home.service.erase_everything("Ada")
    assert [next(erasing).label, next(erasing).label.split()[0]] == [
        "Looking at what there is",
        "Waiting",
    ]
    return erasing


@pytest.fixture
def other(home, filled):
    """Another program that has the profile open."""
    vault = home.profiles.open("Ada")
    yield vault
    vault.close()


def test_others_are_asked_to_close_before_everything_is_erased(home, other):
    erasing = until_waiting(home)
    assert other.asked
    other.close()
    assert any("vault.db" in line for line in drive(erasing, Event()).removed)
    assert not home.vault.path.parent.exists()


def test_waiting_for_others_can_be_stopped_and_asks_no_more(home, other):
    erasing = until_waiting(home)
    with pytest.raises(Cancelled):
        erasing.throw(Cancelled("Stopped."))
    assert not other.asked
    assert home.memories.get("m1").text == Memories(other).get("m1").text


def test_others_who_do_not_close_in_time_keep_everything(tmp_path):
    home = Home(tmp_path, patience=0)
    other = home.profiles.open("Ada")
    home.memories.insert(Memory("m1", SAID, NOW, NOW, agent_pk=1), (), Note("user", "insert", "b1"))
    with pytest.raises(VaultBusy, match="another window"):
        drive(home.service.erase_everything("Ada"), Event())
    assert not other.asked
    assert Memories(other).get("m1").text == home.memories.get("m1").text == SAID
    other.close()
    home.vault.close()


def test_erasing_everything_clears_the_computer_of_it(home, filled):
    data = home.profiles.paths
    computer.save(data.settings, {"computer.last_profile": home.profile.slug, "computer.x": 1})
    data.logs.mkdir()
    (data.logs / "loci.log").write_text("an event\n")
    assert any(c.label.startswith("The log") for c in home.service.of_everything().copies)
    proof = drive(home.service.erase_everything("Ada"), Event())
    assert computer.load(data.settings) == {"computer.x": 1}
    assert (data.logs / "loci.log").read_text() == ""
    assert "Emptied: the log" in proof.removed
