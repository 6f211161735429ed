"""What the detail view tells of a memory's past, and of the words it rests on."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from app.domain.ids import to_ms
from app.domain.memory import JournalEntry, Memory, MemoryDetail, Origin
from app.gui.inspector.history import history_lines
from app.gui.inspector.markup import diff_html, quote_html
from app.gui.inspector.wording import long_date, short_date
from app.gui.trace.wording import listed

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
BORN = datetime(2026, 1, 12, 17, 4, tzinfo=UTC)


def entry(number, before, after, *, actor="user", op="edit", undone=False):
    at = BORN + timedelta(days=number)
    return JournalEntry(
        f"j{number}", f"b{number}", at, actor, op, "m", before, after, undone=undone
    )


def detail(*entries, **more):
    memory = Memory("m", "You are allergic to walnuts", BORN, BORN, **{"agent_pk": 1, **more})
    return MemoryDetail(memory, history=entries)


def test_a_life_is_told_newest_first():
    lines = history_lines(
        detail(
            entry(0, {}, {"text": "Allergic"}, actor="learner", op="insert"),
            entry(50, {"pinned": 0, "revision": 1}, {"pinned": 1, "revision": 2}),
            entry(60, {"text": "Allergic"}, {"text": "You are allergic"}),
            entry(70, {"status": "active"}, {"status": "forgotten"}),
        ),
        NOW,
    )
    assert [line.sentence for line in lines] == [
        "forgotten by you",
        "edited by you",
        "pinned by you",
        "learned from a conversation",
    ]
    assert (lines[1].before, lines[1].after) == ("Allergic", "You are allergic")
    assert lines[2].when == "3 Mar"
    assert lines[3].when == "12 Jan"


def changes(*texts):
    """A memory that was edited again and again, the way the journal tells it."""
    steps = [entry(0, {}, {"text": texts[0], "revision": 1}, op="insert")]
    for number, (old, new) in enumerate(pairwise(texts), start=1):
        before, after = {"text": old, "revision": number}, {"text": new, "revision": number + 1}
        steps.append(entry(number, before, after))
    return steps


def test_only_the_last_change_offers_undo():
    lines = history_lines(detail(*changes("a", "b", "c"), revision=3), NOW)
    assert [line.batch for line in lines] == ["b2", "", ""]
    assert not lines[0].redoes


def test_how_it_began_is_not_undone_but_forgotten():
    lines = history_lines(detail(*changes("a"), revision=1), NOW)
    assert [line.batch for line in lines] == [""]


def test_a_change_that_the_journal_does_not_know_of_forbids_undo():
    lines = history_lines(detail(*changes("a", "b"), revision=9), NOW)
    assert [line.batch for line in lines] == ["", ""]


def test_an_undone_change_says_so_and_can_be_done_again():
    born, edit = changes("a", "b")
    edit = replace(edit, undone=True)
    undo = entry(2, {"text": "b", "revision": 2}, {"text": "a", "revision": 3}, op="undo")
    lines = history_lines(detail(born, edit, undo, revision=3), NOW)
    assert [line.sentence for line in lines[:2]] == [
        "a change was undone by you",
        "edited by you (undone)",
    ]
    assert [line.batch for line in lines] == ["b2", "", ""]
    assert lines[0].redoes


def test_other_columns_are_named():
    before = {
        "type": "semantic",
        "trust": "learned",
        "tags": [],
        "occurred_at": None,
        "category": "fact",
    }
    moment = to_ms(datetime(2026, 3, 4).astimezone(UTC))
    after = {"type": "episodic", "trust": "system", "tags": ["food", "safety"]}
    after["occurred_at"] = moment
    (line, _) = history_lines(detail(entry(1, before, after)), NOW)
    assert "type set to event" in line.sentence
    assert "trust set to “confirmed by you”" in line.sentence
    assert "tags set to food and safety" in line.sentence
    assert "date set to 4 Mar 2026" in line.sentence
    assert "category removed" in line.sentence


def test_a_memory_without_journal_still_has_a_beginning_and_its_uses():
    one = detail(origin=Origin.IMPORT)
    used = MemoryDetail(one.memory, used_in=[("c1", "Dinner", NOW - timedelta(days=1))])
    lines = history_lines(used, NOW)
    assert [(line.when, line.sentence) for line in lines] == [
        ("yesterday", "used in “Dinner”"),
        ("12 Jan", "imported"),
    ]
    assert lines[0].conversation_id == "c1"


def test_several_uses_in_one_conversation_on_one_day_are_one_line():
    one = detail(origin=Origin.IMPORT)
    hours = [timedelta(hours=h) for h in (30, 29, 80)]
    uses = [("c1", "Dinner", NOW - h) for h in hours] + [("c2", "Lunch", NOW - hours[0])]
    lines = history_lines(MemoryDetail(one.memory, used_in=uses), NOW)
    assert sorted(line.sentence for line in lines[:3]) == [
        "used 2 times in “Dinner”",
        "used in “Dinner”",
        "used in “Lunch”",
    ]


def test_matching_words_of_a_quote_are_bold_and_the_rest_is_escaped():
    html = quote_html(
        "<and> no walnut please, I am allergic to walnuts.", "You are allergic to walnuts"
    )
    assert html == ("&lt;and&gt; no <b>walnut</b> please, I am <b>allergic to walnuts</b>.")


def test_small_words_alone_are_not_bold():
    assert "<b>" not in quote_html("I have to go to the town", "You have to be the one")


def test_a_long_quote_is_cut_around_what_matters():
    html = quote_html("word " * 200 + "walnuts " + "word " * 200, "walnuts")
    assert html.startswith("…word")
    assert "<b>walnuts</b>" in html
    assert html.endswith("…")
    assert len(html) < 320


def test_a_diff_shows_what_went_and_what_came():
    html = diff_html("You live in Antwerp", "You live in Ghent & Bruges", "#111", "#222")
    assert '<s style="color:#111">Antwerp</s>' in html
    assert "Ghent" in html
    assert "&amp;" in html
    assert html.startswith("You live in ")


@pytest.mark.parametrize(
    ("days", "said"), [(0, "today"), (1, "yesterday"), (30, "22 Oct"), (400, "17 Oct 2025")]
)
def test_dates_are_short(days, said):
    assert short_date(NOW - timedelta(days=days), NOW) == said


def test_dates_in_full_leave_midnight_out():
    day = datetime(2026, 3, 4).astimezone()
    assert long_date(day) == "4 Mar 2026"
    assert long_date(day + timedelta(hours=9)) == "4 Mar 2026, 09:00"


def test_lists_read_as_sentences():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_being_folded_is_told_and_not_undone_from_here():
    before, after = {"consolidated_at": None, "revision": 1}, {"consolidated_at": 7, "revision": 2}
    folded = entry(1, before, after, actor="consolidate", op="folded")
    (line, *_) = history_lines(detail(folded, revision=2), NOW)
    assert (line.sentence, line.batch) == ("folded into an observation", "")
