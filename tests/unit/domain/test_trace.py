from dataclasses import replace

import pytest

from app.domain import trace
from app.domain.ids import utc_now
from app.domain.memory import Trust
from app.domain.provenance import Passage
from app.domain.reason import Reason, ReasonKind, factor, measure
from app.domain.recall import Hit, HitKind, TraceStep

FOUND = Hit(
    "m",
    HitKind.MEMORY,
    "You live in Ghent",
    utc_now(),
    lanes={"fts": 2, "vector": 1},
    factors={"recency": 1.1, "newest_thing": 0.9},
    reasons=(
        Reason(ReasonKind.PLACE, "fts", (2,)),
        Reason(ReasonKind.PLACE, "vector", (1,)),
        Reason(ReasonKind.FUSED, numbers=(0.871,)),
        *(measure("meaning", 0.44), measure("words", 0.39), measure("relevance", 0.42)),
        *(measure("sparkle", 0.9), factor("recency", 1.1), factor("newest_thing", 0.9)),
        Reason(ReasonKind.UNKNOWN, text="Bob"),
    ),
)


def test_places_are_told_in_the_words_of_the_window_or_by_their_names():
    assert trace.places(FOUND) == ["words #2", "meaning #1"]
    assert trace.places(FOUND, names=True) == ["fts #2", "vector #1"]
    assert trace.places(replace(FOUND, lanes={"some_lane": 3})) == ["some lane #3"]


def test_what_was_measured_is_read_from_the_reasons_also_what_is_new():
    expected = {"words": "0.39", "meaning": "0.44", "relevance": "0.420", "sparkle": "0.90"}
    assert trace.measures(FOUND) == expected
    assert list(trace.measures(FOUND)) == list(expected)
    assert trace.measures(replace(FOUND, relevance=0.314))["relevance"] == "0.31"
    assert trace.measures(replace(FOUND, reasons=(), relevance=0.3)) == {}


def test_notes_are_what_nothing_else_tells():
    assert trace.notes(FOUND) == ["nothing is known of Bob"]
    lost = replace(FOUND, dropped="below_floor")
    assert trace.notes(lost) == []
    assert trace.lost(lost) == "not about this: nothing is known of Bob"


@pytest.mark.parametrize(
    ("step", "name", "count"),
    [
        (TraceStep("fts", 0, 12, 1.0), "words in memories", "12 found"),
        (TraceStep("vector", 0, 0, 1.0), "meaning of memories", ""),
        (TraceStep("floor", 12, 9, 1.0), "floor", "12 → 9"),
        (TraceStep("in_time", 9, 9, 1.0), "weigh the time", "9"),
        (TraceStep("a_new_step", 9, 9, 1.0), "a new step", "9"),
    ],
)
def test_steps_are_told_also_those_without_a_name(step, name, count):
    assert (trace.step_name(step), trace.step_count(step)) == (name, count)


@pytest.mark.parametrize(
    ("shown", "total", "words"), [(15, 160, "15 of 160"), (3, 3, "3"), (3, 0, "3"), (0, 0, "0")]
)
def test_a_part_is_told_with_the_whole(shown, total, words):
    assert trace.part(shown, total) == words


def test_what_did_not_fit_the_prompt_says_so():
    full = replace(
        FOUND,
        dropped=trace.NO_ROOM,
        reasons=(*FOUND.reasons, Reason(ReasonKind.SAID, text="it was full")),
    )
    assert trace.lost(full) == "no room in the prompt: it was full"


def test_only_what_is_not_the_persons_word_is_told_with_care():
    assert trace.care(Trust.EXTERNAL) == trace.CARE
    assert trace.care(Trust.CLAIMED).startswith("Claimed by an import")
    assert not trace.care(FOUND.trust) + trace.care(Trust.SYSTEM)


def test_words_that_nobody_here_said_are_told_and_minded_like_what_is_from_outside():
    pasted = Passage("Rent is due", "in something you pasted, not verified")
    said = replace(FOUND, kind=HitKind.MESSAGE, passages=(Passage("Look:"), pasted))
    assert said.told == said.passages
    assert trace.care(said.standing) == trace.CARE
    claim = replace(FOUND, trust=Trust.CLAIMED)
    assert claim.told == (Passage(FOUND.text, "claimed by an import, not verified"),)
    assert (claim.standing, claim.unverified) == (Trust.CLAIMED, False)
    assert (FOUND.told, FOUND.standing) == ((Passage(FOUND.text),), Trust.LEARNED)
