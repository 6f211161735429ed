"""The dry run on real services over a real vault: what would be recalled, and why."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain import trace
from app.domain.changes import Changes
from app.domain.ids import utc_now
from app.domain.memory import Evidence, Origin, Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind
from app.errors import ModelError
from app.gui.inspector.dry_run import DryRunPage
from app.gui.trace.finds import Finds
from app.gui.trace.source import TraceSource
from tests.gui.test_every_screen import named_badly, visit
from tests.gui.waiting import LONG


@pytest.fixture
def trying(three_memories, desk):
    """The inspector with the dry run open."""
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.find("memory_try").click()
    return d


def page(d) -> DryRunPage:
    return d.pane.dry_run


def ask(d, text):
    with d.qtbot.waitSignal(page(d).asked):  # until the fingers rest, what was shown stays
        page(d).field.setText(text)
    d.wait(lambda: page(d).summary.text() not in ("", "Looking…"))
    d.wait(lambda: not page(d).finds._pace.isActive())


def texts(d, name):
    found = page(d).findChildren(QWidget, name)
    return [label.text() for label in found if label.isVisible()]


def cards(d):
    found = page(d).findChildren(QWidget, "why_card")
    return {card.hit.text: card for card in found if card.isVisible()}


def test_it_shows_what_would_be_recalled_in_order_and_why(trying):
    d = trying
    assert d.pane.trying
    ask(d, "Am I allergic to walnuts?")
    assert texts(d, "why_text")[0] == "You are allergic to walnuts"
    assert texts(d, "why_number")[0] == "1"
    (why,) = texts(d, "why_sentence")
    shared = "it shares the words “allergic” and “walnuts” with your question."
    assert why == f"You said it on 25 January; {shared}"
    assert texts(d, "why_lanes") == [], "figures stand behind Details"
    page(d).findChild(QWidget, "why_details_toggle").click()
    assert texts(d, "why_lanes")[0].startswith("Found by words #1")
    spoken = d.find("factor_bars").accessibleName()
    assert "words 1.00" in spoken
    assert "recency ×" in spoken
    assert "An answer would draw on 1 of" in page(d).summary.text()
    assert not page(d).nothing.isVisible()


def test_what_was_dropped_stands_under_a_heading_with_its_reason(trying, home):
    message, _ = home.say("I keep bees in the garden")
    said = Evidence("I keep bees in the garden", message.created_at, message.id)
    home.remember("You keep bees in the garden", evidence=[said])
    ask(trying, "Where do I keep bees?")
    dropped = texts(trying, "why_lost")
    assert texts(trying, "finds_left_out") == [f"Left out · {len(dropped)}"]
    assert "says the same as another: a memory made from it was found as well" in dropped


def test_where_nothing_passes_the_floor_it_says_so(trying):
    d = trying
    ask(d, "Which zebra lives in Antarctica?")
    assert page(d).nothing.isVisible()
    assert "The best result has " in page(d).reason.text()
    assert texts(d, "finds_left_out") == [f"Left out · {len(cards(d))}"]
    assert texts(d, "why_lost") == texts(d, "finds_why_left_out") == [], "it is said above, once"
    assert "An answer would draw on 0 of" in page(d).summary.text()
    ask(d, "quantum")
    d.wait(lambda: not cards(d))
    assert page(d).reason.text().startswith("No memory or past message")
    page(d).field.clear()
    d.wait(lambda: page(d)._hint.isVisible())


def test_of_many_left_out_it_says_how_many_there_were(trying, home):
    for n in range(30):
        home.remember(f"You ate walnuts {'and more ' * n}at table {n}")
    home.off_gui(lambda: home.services.preferences.set("rag.floor", 0))
    ask(trying, "Where did I eat walnuts?")
    (head,) = texts(trying, "finds_left_out")
    assert re.fullmatch(r"Left out · 15 of \d\d", head)
    total = int(head.split()[-1]) + 5
    assert f"draw on 5 of {total} results" in page(trying).summary.text()


def test_a_reason_that_all_share_is_said_once(qtbot, theme):
    def left_out(*reasons):
        at = utc_now()
        return [
            TraceSource(
                Hit(
                    f"m{n}",
                    HitKind.MEMORY,
                    "text",
                    at,
                    dropped="deduped",
                    reasons=(Reason(ReasonKind.SAID, text=reason),),
                )
            )
            for n, reason in enumerate(reasons)
        ]

    def said(sources, **more):
        finds.show_sources(sources, **more)
        qtbot.waitUntil(lambda: not finds._pace.isActive())
        labels = (finds.findChildren(QWidget, name) for name in ("finds_why_left_out", "why_lost"))
        return [[label.text() for label in found] for found in labels]

    finds = Finds(theme, utc_now)
    qtbot.addWidget(finds)
    finds.show()
    one, two = (f"says the same as another: {reason}" for reason in ("one", "two"))
    assert said(left_out("one", "one")) == [[one], []]
    assert said(left_out("one", "one"), told=True) == [[], []]
    assert said(left_out("one", "two")) == [[], [one, two]]
    assert said(left_out("one")) == [[], [one]]
    assert said(left_out("one", "two"), lost=9) == [[], [one, two]]
    assert finds.findChild(QWidget, "finds_left_out").text() == "Left out · 2 of 9"


def test_beside_it_stands_no_memory_that_was_chosen_before(three_memories, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.select_row(0)
    d.wait(lambda: bool(d.detail_text()))
    before, side = d.detail_text(), d.pane.side
    d.find("memory_try").click()
    assert side.page is not side.detail
    assert d.find("memory_side_hint").text() == "Choose a result to see how Loci knows it."
    ask(d, "walnuts")
    assert side.page is not side.detail
    cards(d)["You are allergic to walnuts"].opened.emit()
    d.wait(lambda: side.page is side.detail)
    assert d.detail_text() == "You are allergic to walnuts"
    d.find("memory_try").click()
    d.wait(lambda: side.page is side.detail)
    d.pane.table.select_row(0)
    d.wait(lambda: d.detail_text() == before)


def test_what_is_being_written_is_kept_while_it_is_tried(three_memories, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.screen.add_memory()
    d.pane.side.editor.text.setPlainText("Not saved yet")
    d.find("memory_try").click()
    assert d.pane.side.editing
    d.find("memory_try").click()
    assert d.pane.side.editing
    assert d.pane.side.editor.text.toPlainText() == "Not saved yet"


def test_steps_fold_out_with_their_milliseconds(trying):
    d = trying
    ask(d, "walnuts")
    steps = page(d).steps
    assert "steps, " in steps.button.text()
    assert d.find("step_bars") is None
    steps.button.click()
    spoken = d.find("step_bars").accessibleName()
    assert "words in memories 1 found · " in spoken
    assert spoken.count(" ms") > 8


def test_nothing_is_stored_and_nothing_counts_as_used(trying, home):
    def state():
        with home.vault.read() as connection:
            tables = ("recalls", "recall_hits", "messages", "conversations", "journal", "jobs")
            counts = [connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables]
            used = "SELECT access_count, last_accessed_at, revision FROM memories ORDER BY pk"
            return counts, [tuple(row) for row in connection.execute(used)]

    before = home.off_gui(state)
    ask(trying, "Am I allergic to walnuts?")
    assert cards(trying)
    assert home.off_gui(state) == before


def test_a_card_leads_to_its_memory_and_a_message_to_its_conversation(trying, qtbot, home):
    d = trying
    message, talk = home.say("The boiler was serviced in the cellar of the old house")
    ask(d, "walnuts")
    qtbot.keyClick(page(d).field, Qt.Key.Key_Down)
    card = cards(d)["You are allergic to walnuts"]
    assert card.hasFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    d.wait(lambda: d.detail_text() == "You are allergic to walnuts")
    assert d.pane.trying
    ask(d, "When was the boiler serviced?")
    d.wait(lambda: "The boiler was serviced in the cellar of the old house" in cards(d))
    with qtbot.waitSignal(d.screen.message_requested) as opened:
        cards(d)["The boiler was serviced in the cellar of the old house"].opened.emit()
    assert opened.args == [talk.id, message.id]


def test_what_changes_is_asked_for_again(trying, home):
    d = trying
    ask(d, "walnuts")
    found = cards(d)["You are allergic to walnuts"].hit
    d.screen._changes.change([found.id], "forget")
    d.wait(lambda: "You are allergic to walnuts" not in cards(d))


def test_only_the_newest_question_is_answered(trying, home, monkeypatch):
    d = trying
    asked, recall = [], home.services.memories.recall

    def noted(text):
        asked.append(text)
        return recall(text)

    monkeypatch.setattr(home.services.memories, "recall", noted)
    for text in ("walnuts", "salmon", "Ghent"):
        page(d).asked.emit(text)
    d.wait(lambda: "You live in Ghent" in cards(d))
    assert asked == ["walnuts", "Ghent"]
    assert "You are allergic to walnuts" not in cards(d)


def test_an_error_is_said_in_its_place(trying, home, monkeypatch):
    d = trying

    def fail(_text):
        raise ModelError("The model is gone.")

    monkeypatch.setattr(home.services.memories, "recall", fail)
    page(d).field.setText("walnuts")
    d.wait(lambda: page(d).problem.text() == "The model is gone.")
    monkeypatch.undo()
    d.screen.apply_changes(Changes(everything=True))
    d.wait(lambda: "You are allergic to walnuts" in cards(d))
    assert "The model is gone." not in page(d).problem.text()


def test_what_is_external_or_replaced_is_flagged(home, desk):
    home.off_gui(
        lambda: home.services.preferences.set(
            "rag.include_trust_levels", "system, learned, external"
        )
    )
    outside = home.remember(
        "The boiler needs bleeding once a year", trust=Trust.EXTERNAL, origin=Origin.WEB
    )
    new = home.remember("The boiler stands in the cellar", 1)
    home.remember("The boiler stands in the attic", 9, superseded_by=new.id)
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.screen.try_recall()
    ask(d, "boiler")
    assert texts(d, "why_external") == ["from outside"]
    assert texts(d, "why_care") == [trace.CARE]
    assert texts(d, "why_replaced") == ["replaced by “The boiler stands in the cellar”"]
    cards(d)[outside.text].opened.emit()
    d.wait(lambda: d.detail_text() == outside.text)
    assert d.find("detail_chip_trust").toolTip() == trace.CARE
    assert trace.CARE in d.find("detail_provenance").text()


def test_escape_closes_it_also_in_a_small_window(trying, qtbot):
    d = trying
    ask(d, "walnuts")
    d.pane.resize(640, 560)
    cards(d)["You are allergic to walnuts"].opened.emit()
    d.wait(lambda: d.pane.side.isVisible())
    assert d.screen.escape()
    assert d.pane.trying
    assert d.pane.focusWidget() is page(d).field
    assert d.screen.escape()
    assert not d.pane.trying
    assert not d.find("memory_try").isChecked()
    assert d.pane.focusWidget() is d.pane.search.field
    d.find("memory_try").click()
    page(d).close_button.click()
    assert not d.pane.trying


def test_it_takes_no_more_height_than_its_cards_need(trying):
    d = trying
    ask(d, "walnuts")
    inside = page(d)._scroll.widget()
    low = max(page(d).finds.geometry().bottom(), page(d).steps.geometry().bottom())
    viewport = page(d)._scroll.viewport().height()
    assert inside.height() <= max(viewport, low + 40)


def test_the_shortcut_opens_it_from_anywhere(qtbot, workspace):
    window = workspace.window()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    pane = workspace.screens.screen_named("memory").pane
    qtbot.waitUntil(lambda: pane.isVisible() and pane.dry_run.field.hasFocus(), timeout=LONG)
    pane.dry_run.field.setText("walnuts")
    qtbot.waitUntil(lambda: pane.dry_run.nothing.isVisible(), timeout=LONG)
    assert named_badly(pane) == []
    visit(qtbot, workspace, "chat")
    visit(qtbot, workspace, "memory")
    assert pane.trying
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not pane.trying
