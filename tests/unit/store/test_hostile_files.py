"""Whatever stands in the small files beside a vault: a sentence, and the others are still there."""

import json

import pytest

from app.domain.profile import SlotKind
from app.errors import AppError, VaultTooNew
from app.paths import Paths
from app.store.profiles import Profiles
from app.store.vault import keys, slots
from tests.fakes import nasty

pytestmark = pytest.mark.expects_warnings

NASTY = (
    *nasty.NASTY,
    '"x"',
    "3",
    "2.5",
    "-62135596800000",
    str(10**30),
    "9" * 5_000,
    "[" * 100_000 + "]" * 100_000,
    "[" * 500 + "]" * 500,
    '"a\\u0000b"',
    '"00"',
)


def spoiled(whole):
    """Yield a file's JSON with one field spoiled."""
    for name in whole:
        for value in NASTY:
            fields = {key: json.dumps(held) for key, held in whole.items()} | {name: value}
            yield "{" + ", ".join(f'"{key}": {held}' for key, held in fields.items()) + "}"


def test_a_spoiled_card_hides_no_profile(tmp_path):
    profiles = Profiles(Paths(tmp_path), find_keyring=lambda: None)
    for name in ("Ada", "Bob"):
        profiles.create(name)[0].close()
    card = profiles.files("ada").card
    whole = json.loads(card.read_text())
    for text in (*spoiled(whole), *NASTY):
        card.write_text(text)
        found = {profile.slug: profile for profile in profiles.list()}
        assert found["bob"].name == "Bob"
        assert found["ada"].name
        assert profiles.get(found["ada"].name).slug == "ada"
        if at := found["ada"].created_at:
            assert f"{at.astimezone():%Y}"


@pytest.fixture
def locked(profile_paths, key, monkeypatch):
    """A profile with three ways in, of which guessing one takes no time."""
    monkeypatch.setattr(keys, "_COST", 2)
    keys.create_slots(profile_paths, key)
    keys.add_slot(profile_paths, key, SlotKind.PASSPHRASE, passphrase="green apples")
    keys.add_slot(profile_paths, key, SlotKind.RECOVERY)
    return profile_paths


def all_spoiled(path):
    whole = json.loads(path.read_text())
    yield from spoiled(whole)
    for number, slot in enumerate(whole["slots"]):
        for text in spoiled(slot):
            others = [json.dumps(one) for one in whole["slots"]]
            others[number] = text
            bare = json.dumps(whole | {"slots": "HERE"})
            yield bare.replace('"HERE"', f"[{', '.join(others)}]")


def test_spoiled_ways_in(locked, key):
    """Where one copy is spoiled the other opens; where both are, a sentence says so at worst."""
    sound = locked.slots.read_text()
    for text in [*all_spoiled(locked.slots)][::9]:  # of each field two values, in turn
        for copies in ((text, sound), (text, text)):
            locked.slots.write_text(copies[0])
            slots.spare(locked).write_text(copies[1])
            try:
                found = keys.unlock(locked, passphrase="green apples")
                keys.list_slots(locked)
            except VaultTooNew:
                assert json.loads(text)["format"] > slots.FORMAT
            except AppError:
                assert copies == (text, text)
            else:
                assert found == key
