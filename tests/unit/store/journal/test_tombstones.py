"""What was erased is recognised without being kept."""

import os

import pytest

from app.store.journal.tombstones import Tombstones
from app.store.vault.file import Vault


@pytest.fixture
def tombstones(vault, clock):
    return Tombstones(vault)


def test_an_erased_text_is_recognised_in_any_dress(tombstones):
    assert not tombstones.has("My code is 1234.")
    tombstones.add("My code is 1234.")
    assert tombstones.has("my  CODE is 1234")
    assert not tombstones.has("My code is 1235")
    tombstones.add("my code is 1234")


def marks_and_secret(vault):
    with vault.read() as connection:
        marks = {bytes(row[0]) for row in connection.execute("SELECT hmac FROM tombstones")}
        row = connection.execute("SELECT value FROM meta WHERE key = 'tombstone_secret'").fetchone()
    return marks, bytes(row[0])


def test_nothing_of_the_text_is_kept(tombstones, everything, vault):
    tombstones.add("zanzibar", "m1", (0, 8))
    assert "zanzibar" not in everything()
    marks, secret = marks_and_secret(vault)
    assert len(marks) == 2
    assert len(secret) == 32


def test_each_vault_has_a_secret_of_its_own_and_keeps_it(tombstones, vault, tmp_path):
    """Whoever knows the marks of one vault cannot tell from them what was erased in another."""
    other = Vault(tmp_path / "other.db", os.urandom(32))
    for one in (tombstones, Tombstones(other)):
        one.add("zanzibar", content="zanzibar")
    (mine, secret), (theirs, another) = marks_and_secret(vault), marks_and_secret(other)
    assert secret != another
    assert len(mine) == len(theirs) == 2
    assert mine.isdisjoint(theirs)
    Tombstones(vault).add("madagascar")
    assert marks_and_secret(vault)[1] == secret
    assert Tombstones(vault).has("Zanzibar")
    other.close()


def test_spans_of_a_message_are_kept_in_order(tombstones):
    tombstones.add("tea", "m1", (10, 13))
    tombstones.add("jam", "m1", (2, 5))
    tombstones.add("tea", "m1", (10, 13))
    tombstones.add("tea", "m2", (0, 3))
    assert tombstones.spans("m1") == [(2, 5), (10, 13)]
    assert tombstones.spans("m2") == [(0, 3)]
    assert tombstones.spans("m3") == []


def test_a_second_erasure_of_a_text_without_a_place_adds_nothing(tombstones, vault):
    tombstones.add("tea")
    tombstones.add("Tea!")
    with vault.read() as connection:
        assert connection.execute("SELECT count(*) FROM tombstones").fetchone()[0] == 1


def test_other_words_that_say_the_same_are_recognised_where_that_is_known(tombstones):
    tombstones.add("You live in Ghent", content="ghent live")
    assert tombstones.has("Ghent is where you live", "ghent live")
    assert not tombstones.has("Ghent is where you live")
    assert not tombstones.has("You live in Lille", "lille live")
    tombstones.add("It is so")
    assert not tombstones.has("So it is", "")


def test_what_was_rejected_is_known_apart_from_what_was_erased(tombstones, everything):
    tombstones.reject("You like zanzibar", 1, "like zanzibar")
    assert tombstones.has_rejected("you like  zanzibar.", 1)
    assert tombstones.has_rejected("Zanzibar, you like it", 1, "like zanzibar")
    assert not tombstones.has("You like zanzibar", "like zanzibar")
    assert "zanzibar" not in everything()
    tombstones.add("You like zanzibar", content="like zanzibar")
    tombstones.allow("You like zanzibar", 1, "like zanzibar")
    assert not tombstones.has_rejected("You like zanzibar", 1, "like zanzibar")
    assert tombstones.has("You like zanzibar")


def test_taking_back_what_was_never_rejected_does_nothing(tombstones):
    tombstones.allow("tea", 1)
    assert not tombstones.has_rejected("tea", 1)


def test_an_erased_conversation_is_known(tombstones):
    assert not tombstones.has_conversation("c1")
    tombstones.add_conversation("c1")
    assert tombstones.has_conversation("c1")
    assert not tombstones.has_conversation("c2")
    assert tombstones.spans("c1") == []
