"""The detail view: everything about one memory, and the ways on from there."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.memory import (
    Evidence,
    JournalEntry,
    Memory,
    MemoryDetail,
    Origin,
    Status,
    Trust,
)
from app.gui.inspector.cards import EvidenceCard
from app.gui.inspector.detail import DetailView
from tests.gui.waiting import shown

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
AT = datetime(2026, 1, 12, 17, 4, tzinfo=UTC)


def memory(**more):
    return Memory("m", "You are allergic to walnuts", AT, AT, **{"agent_pk": 1, **more})


def quotes(number):
    return [
        Evidence(f"No walnuts, please ({n}).", AT + timedelta(days=n), f"x{n}", "c1", "Cake ideas")
        for n in range(number)
    ]


@pytest.fixture
def view(qtbot, theme):
    view = DetailView(theme)
    return shown(qtbot, view, 316, 800)


def child(view, name, kind=QWidget):
    """Return the newest widget of a name; an older one may still be about to go."""
    found = view.findChildren(kind, name)
    return found[-1] if found else None


def texts(view, start):
    found = [w for w in view.findChildren(QWidget) if w.objectName().startswith(start)]
    return [w.text() for w in found if hasattr(w, "text")]


def test_words_and_properties(view):
    view.show_detail(
        MemoryDetail(memory(pinned=True, category="health", tags=("food",), trust=Trust.EXTERNAL)),
        NOW,
    )
    assert child(view, "detail_text").text() == "You are allergic to walnuts"
    assert texts(view, "detail_chip_") == ["fact", "from outside", "pinned", "health", "#food"]
    assert child(view, "detail_chip_trust").property("tone") == "warn"


def test_a_safety_fact_is_shown_as_such_and_says_what_that_means(view):
    view.show_detail(MemoryDetail(memory(tags=("safety", "food"))), NOW)
    assert texts(view, "detail_chip_") == ["fact", "learned from you", "safety", "#food"]
    assert "never thinned out" in child(view, "detail_chip_safety").toolTip()


def test_a_keyed_memory_shows_its_key_and_value(view):
    view.show_detail(MemoryDetail(memory(key="home_city", value="Ghent")), NOW)
    assert child(view, "detail_chip_key").text() == "home city: Ghent"


def test_a_quote_opens_its_message(qtbot, view):
    view.show_detail(MemoryDetail(memory(), quotes(1)), NOW)
    card = child(view, "detail_evidence_0", EvidenceCard)
    assert "No walnuts, please" in card.accessibleName()
    assert "<b>walnuts</b>" in child(view, "detail_evidence_0_quote").text()
    with qtbot.waitSignal(view.message_opened) as opened:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert opened.args == ["c1", "x0"]
    with qtbot.waitSignal(view.message_opened):
        qtbot.keyClick(card, Qt.Key.Key_Return)


def test_what_others_wrote_is_not_quoted_as_the_persons_words_but_opens(qtbot, view):
    link = Evidence("", AT, "x1", "c1", "Orchids")
    view.show_detail(MemoryDetail(memory(), [link]), NOW)
    card = child(view, "detail_evidence_0", EvidenceCard)
    assert "“" not in card.accessibleName()
    assert "you asked to remember" in child(view, "detail_evidence_0_kept").text()
    assert child(view, "detail_provenance").text() == "Came from an answer."
    with qtbot.waitSignal(view.message_opened) as opened:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert opened.args == ["c1", "x1"]


def test_evidence_without_a_message_opens_nothing(view):
    view.show_detail(MemoryDetail(memory(), [Evidence("Typed here.", AT)]), NOW)
    assert not child(view, "detail_evidence_0").isEnabled()


def test_many_quotes_are_shown_a_few_at_a_time(qtbot, view):
    view.show_detail(MemoryDetail(memory(seen_count=100), quotes(100)), NOW)
    more = child(view, "detail_more_evidence", QPushButton)
    assert more.text() == "and 97 more"
    assert child(view, "detail_evidence_3") is None
    more.click()
    assert child(view, "detail_evidence_22") is not None
    assert child(view, "detail_more_evidence").text() == "and 77 more"
    assert "Came up 100 times." in child(view, "detail_provenance").text()


def test_where_it_comes_from_is_said_in_a_sentence(view):
    happened = datetime(2026, 3, 4).astimezone()
    view.show_detail(MemoryDetail(memory(origin=Origin.IMPORT, occurred_at=happened)), NOW)
    assert child(view, "detail_provenance").text() == (
        "Came in with an imported file. It happened on 4 Mar 2026."
    )


def test_what_is_still_to_come_has_not_happened(view):
    expires = datetime(2027, 7, 2).astimezone()
    view.show_detail(MemoryDetail(memory(origin=Origin.IMPORT, occurred_at=expires)), NOW)
    assert child(view, "detail_provenance").text() == (
        "Came in with an imported file. It is dated 2 Jul 2027."
    )


def test_the_last_change_offers_undo(qtbot, view):
    entries = [
        JournalEntry("1", "b1", AT, "learner", "insert", "m", {}, {"revision": 1}),
        JournalEntry(
            "2",
            "b2",
            AT + timedelta(days=1),
            "user",
            "edit",
            "m",
            {"text": "Allergic to nuts", "revision": 1},
            {"text": "You are allergic to walnuts", "revision": 2},
        ),
    ]
    view.show_detail(MemoryDetail(memory(revision=2), (), entries), NOW)
    assert child(view, "detail_history_0_diff") is not None
    with qtbot.waitSignal(view.undo_requested) as undone:
        child(view, "detail_history_0_undo").click()
    assert undone.args == ["b2"]
    assert child(view, "detail_history_1_undo") is None


def test_where_it_was_used_can_be_opened(qtbot, view):
    view.show_detail(MemoryDetail(memory(), used_in=[("c7", "Dinner", NOW)]), NOW)
    link = child(view, "detail_history_0_open", QPushButton)
    assert link.text() == "today · used in “Dinner”"
    with qtbot.waitSignal(view.message_opened) as opened:
        link.click()
    assert opened.args == ["c7", ""]


def test_a_long_title_ends_in_dots_and_is_read_out_in_full(qtbot, view):
    title = "Ruth and the kids are coming on Friday & what I could cook for all of them"
    view.show_detail(MemoryDetail(memory(), replaced_by=("m2", title)), NOW)
    link = child(view, "detail_link_0")
    qtbot.waitUntil(lambda: link.text().endswith("…"))
    assert link.fontMetrics().horizontalAdvance(link.text()) <= link.width()
    assert link.toolTip() == title
    assert link.accessibleName() == f"Replaced by: {title}"


def test_what_replaced_it_is_one_click_away(qtbot, view):
    view.show_detail(
        MemoryDetail(
            memory(status=Status.SUPERSEDED),
            replaces=[("m0", "You eat everything")],
            replaced_by=("m2", "You outgrew the allergy"),
        ),
        NOW,
    )
    assert texts(view, "detail_link_") == ["You outgrew the allergy", "You eat everything"]
    with qtbot.waitSignal(view.memory_opened) as opened:
        child(view, "detail_link_0").click()
    assert opened.args == ["m2"]


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({}, {"edit", "pin", "erase", "forget"}),
        ({"pinned": True}, {"edit", "unpin", "erase", "forget"}),
        ({"status": Status.FORGOTTEN}, {"restore", "erase"}),
    ],
)
def test_actions_fit_the_memory(qtbot, view, more, shown):
    view.show_detail(MemoryDetail(memory(**more)), NOW)
    assert {wish for wish, button in view.buttons.items() if button.isVisible()} == shown
    for wish in shown:
        with qtbot.waitSignal(view.wanted) as wanted:
            view.buttons[wish].click()
        assert wanted.args == [wish]


def test_showing_the_same_memory_again_keeps_the_place(qtbot, view):
    view.resize(316, 300)
    view.show_detail(MemoryDetail(memory(), quotes(100)), NOW)
    child(view, "detail_more_evidence").click()
    area = view.findChild(QWidget, "memory_detail_area")
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 200)
    area.verticalScrollBar().setValue(150)
    view.show_detail(MemoryDetail(memory(pinned=True), quotes(100)), NOW)
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() == 150)
    assert child(view, "detail_evidence_22") is not None
