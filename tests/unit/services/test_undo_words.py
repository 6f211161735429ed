"""What was taken back, or done again, is said in plain English."""

import pytest

from app.domain.memory import JournalEntry
from app.services import wording
from tests.unit.services.profile import NOW


@pytest.mark.parametrize(
    ("op", "before", "after", "back", "again"),
    [
        ("edit", {"text": "A"}, {}, "the change to “Tea”", "the change to “Tea”"),
        ("pin", {"pinned": 0}, {}, "“Tea” is not pinned any more", "“Tea” is pinned again"),
        ("unpin", {"pinned": 1}, {}, "“Tea” is pinned again", "“Tea” is not pinned any more"),
        ("elevate", {"trust": "x"}, {}, "“Tea” is trusted as before", "“Tea” is trusted again"),
        ("restore", {"text": "A"}, {}, "“Tea” is out of use again", "“Tea” is in use again"),
        ("accept", {"text": "A"}, {}, "“Tea” needs your review again", "“Tea” is accepted again"),
        ("merge", {"text": "A"}, {}, "the merging of “Tea”", "the merging of “Tea”"),
        ("keep_newer", {"text": "A"}, {}, "the decision about “Tea”", "the decision about “Tea”"),
        ("fold", {"text": "A"}, {}, "the change to “Tea”", "the change to “Tea”"),
        (
            "insert",
            {},
            {"status": "proposed"},
            "“Tea” no longer needs your review",
            "“Tea” needs your review again",
        ),
        (
            "lift",
            {"text": "A"},
            {},
            "processing is restricted again",
            "processing is not restricted any more",
        ),
    ],
)
def test_each_change_is_taken_back_in_plain_words(op, before, after, back, again):
    entry = JournalEntry("j", "b", NOW, "user", op, "m", before, after)
    assert wording.turned(entry, "Tea") == f"Taken back: {back}."
    assert wording.turned(entry, "Tea", again=True) == f"Done again: {again}."


def test_of_several_that_wait_again_the_sentence_is_in_the_plural():
    entry = JournalEntry("j", "b", NOW, "user", "reject", "m", {"text": "A"}, {})
    assert wording.turned(entry, "Tea", 4) == "Taken back: “Tea” and 3 more need your review again."
    erased = "Taken back: a memory that was erased needs your review again."
    assert wording.turned(entry, "") == erased


def test_a_change_is_told_without_stored_words():
    before = {"type": "semantic", "trust": "learned", "status": "active", "key": None}
    after = {"type": "episodic", "trust": "system", "status": "quarantined", "key": "home_city"}
    entry = JournalEntry("j", "b", NOW, "user", "edit", "m", before, after)
    told = [(one.field, one.before, one.after) for one in wording.differences(entry, str)]
    assert told == [
        ("type", "fact", "event"),
        ("key", "", "home city"),
        ("trust", "learned from you", "confirmed by you"),
        ("status", "active", "set aside"),
    ]
