"""The dialog that erases: stock is taken first, nothing goes unseen, the proof comes last."""

from contextlib import suppress
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes
from app.domain.erasure import Copy, Inventory, Proof
from app.domain.jobs.progress import Progress
from app.errors import Cancelled, Refused, VaultBusy
from app.gui.erasure.dialog import ErasureDialog
from app.gui.erasure.inventory import SHOWN_OF_A_KIND

INVENTORY = Inventory(
    "Erase this memory",
    (
        Copy("memory:m", "memory", "“You are allergic to walnuts”", required=True),
        Copy("message:1", "evidence", "You, in “Cake”: “no walnuts”"),
        Copy("message:2", "answer", "Loci, in “Cake”: “without walnuts”"),
        Copy("message:3", "message", "You, in “Dinner”: “walnuts again”", ticked=False),
        Copy("export:/x.zip", "export", "Not erased: the export /x.zip", ticked=False),
    ),
)
PROOF = Proof(
    ("The memory", "Two messages"),
    14_200_000,
    7,
    0,
    ("The export /x.zip is yours to delete.",),
    Changes(memories=frozenset({"m"})),
)


class Work:
    """An erasure that goes on when the test says so."""

    def __init__(self, proof=PROOF, error=None):
        self.proof, self.error = proof, error
        self.calls, self.go_on, self.commit = [], Event(), Event()

    def __call__(self, ticked, typed):
        self.calls.append((ticked, typed))
        yield Progress("Looking for every copy", 3, 14)
        self.go_on.wait(10)
        yield Progress("Looking for every copy", 14, 14)
        if self.error:
            raise self.error
        with suppress(Cancelled):
            yield Progress("Erasing", stoppable=False)
        self.commit.wait(10)
        return self.proof


@pytest.fixture
def work(bridge):
    """Must let go before the bridge closes."""
    work = Work()
    yield work
    work.go_on.set()
    work.commit.set()


@pytest.fixture
def make(qtbot, theme, bridge):
    def make(erase, inventory=lambda: INVENTORY, typed_name=None):
        dialog = ErasureDialog(inventory, erase, bridge, theme, typed_name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog)
        dialog.open()
        return dialog

    return make


@pytest.fixture
def ready(qtbot, make):
    def ready(*args, **kwargs):
        dialog = make(*args, **kwargs)
        qtbot.waitUntil(lambda: dialog.inventory_view is not None)
        return dialog

    return ready


def box(dialog, key):
    return next(row.box for row in dialog.inventory_view._rows if row.copy.key == key)


def test_stock_is_shown_before_anything_happens(work, ready):
    dialog = ready(work)
    view = dialog.inventory_view
    assert view.ticked == {"memory:m", "message:1", "message:2"}
    assert not box(dialog, "memory:m").isEnabled()
    assert view.count.text() == "3 of 4 places"
    assert "cannot be undone" in view.findChild(QWidget, "erasure_warning_words").text()
    assert "[erased]" in view.findChild(QWidget, "erasure_warning_words").text()
    assert not work.calls


def test_what_is_ticked_is_what_is_erased(qtbot, work, ready):
    dialog = ready(work)
    box(dialog, "message:3").click()
    qtbot.mouseClick(dialog.findChild(QWidget, "copy_message:1_label"), Qt.MouseButton.LeftButton)
    dialog.inventory_view.erase_button.click()
    qtbot.waitUntil(lambda: bool(work.calls))
    assert work.calls == [(frozenset({"memory:m", "message:2", "message:3"}), "")]


def test_progress_then_proof_then_news(qtbot, bridge, work, ready):
    dialog = ready(work)
    published = []
    bridge.changed.connect(published.append)
    dialog.inventory_view.erase_button.click()
    progress = dialog.progress_view
    qtbot.waitUntil(lambda: progress.bar.value() == 3)
    assert progress.bar.maximum() == 14
    assert progress.stop_button.isEnabled()
    work.go_on.set()
    qtbot.waitUntil(lambda: progress.words.text() == "Erasing")
    assert not progress.stop_button.isEnabled()
    with qtbot.waitSignal(dialog.erased) as erased:
        work.commit.set()
    assert erased.args == [PROOF]
    assert published == [PROOF.changes]
    view = dialog.proof_view
    assert view.findChild(QWidget, "erasure_proof_title").text() == "Erased"
    assert "14.2 MB" in view.findChild(QWidget, "scan_sentence").text()
    assert view.findChild(QWidget, "scan_found_before").text() == "7"
    assert view.findChild(QWidget, "scan_found_after").text() == "0"
    view.copy_button.click()
    assert "The export /x.zip is yours to delete." in QGuiApplication.clipboard().text()
    with qtbot.waitSignal(dialog.accepted):
        view.done_button.click()


def test_it_can_be_stopped_while_nothing_is_lost(qtbot, work, ready):
    dialog = ready(work)
    dialog.inventory_view.erase_button.click()
    qtbot.waitUntil(lambda: dialog.progress_view.bar.value() == 3)
    dialog.progress_view.stop_button.click()
    work.go_on.set()
    qtbot.waitUntil(lambda: dialog.inventory_view.isVisible())
    assert dialog._error.words.text() == "Stopped. Nothing was erased."
    assert dialog.proof_view is None


def test_past_the_point_of_no_return_neither_stop_nor_escape_help(qtbot, work, ready):
    dialog = ready(work)
    dialog.inventory_view.erase_button.click()
    work.go_on.set()
    qtbot.waitUntil(lambda: dialog.progress_view.words.text() == "Erasing")
    dialog.reject()
    dialog.close()
    assert dialog.isVisible()
    work.commit.set()
    qtbot.waitUntil(lambda: dialog.proof_view is not None)


def test_a_name_has_to_be_typed(qtbot, work, ready):
    dialog = ready(work, typed_name="Personal")
    view = dialog.inventory_view
    assert not view.erase_button.isEnabled()
    qtbot.keyClicks(view._name_field, "personal")
    assert not view.erase_button.isEnabled()
    view._name_field.clear()
    qtbot.keyClicks(view._name_field, "Personal")
    view.erase_button.click()
    qtbot.waitUntil(lambda: bool(work.calls))
    assert work.calls[0][1] == "Personal"


def test_a_refusal_comes_back_to_the_inventory(qtbot, ready):
    work = Work(error=Refused("Another window is open."))
    work.go_on.set()
    dialog = ready(work)
    dialog.inventory_view.erase_button.click()
    qtbot.waitUntil(lambda: dialog._error.isVisible())
    assert dialog._error.words.text() == "Another window is open."
    assert dialog.inventory_view.isVisible()


def test_stock_that_cannot_be_taken_erases_nothing(qtbot, work, make):
    def fail():
        raise VaultBusy("The vault is in use elsewhere.")

    dialog = make(work, fail)
    qtbot.waitUntil(lambda: dialog._error.isVisible())
    assert dialog._error.words.text() == "The vault is in use elsewhere."
    with qtbot.waitSignal(dialog.rejected):
        dialog.progress_view.stop_button.click()
    assert not work.calls


def test_closing_while_stock_is_taken_harms_nothing(qtbot, bridge, work, make):
    wait = Event()

    def slow():
        wait.wait(10)
        return INVENTORY

    dialog = make(work, slow)
    dialog.reject()
    wait.set()
    qtbot.waitUntil(lambda: not bridge._handlers)
    assert dialog.inventory_view is None


@pytest.mark.parametrize(
    ("found", "owed", "heading"),
    [
        (2, "", "Not everything could be erased"),
        (2, "The disk is full.", "Not everything is erased yet"),
        (0, "The disk is full.", "Not everything is erased yet"),
    ],
)
def test_what_is_left_over_or_owed_is_said_plainly(qtbot, ready, found, owed, heading):
    work = Work(Proof(("The memory",), 1000, 7, found, owed=owed))
    work.go_on.set()
    work.commit.set()
    dialog = ready(work)
    dialog.inventory_view.erase_button.click()
    qtbot.waitUntil(lambda: dialog.proof_view is not None)
    title = dialog.proof_view.findChild(QWidget, "erasure_proof_title")
    assert title.text() == heading
    dialog.proof_view.copy_button.click()
    assert owed in QGuiApplication.clipboard().text()


def test_what_goes_with_others_is_ticked_exactly_while_one_of_them_is(work, ready):
    leads = [Copy(f"memory:{n}", "memory", f"Memory {n}") for n in range(2)]
    follows = frozenset(copy.key for copy in leads)
    drawn = Copy("memory:drawn", "memory", "A list", follows=follows)
    dialog = ready(work, lambda: Inventory("Erase", [drawn, *leads]))
    follower, words = box(dialog, "memory:drawn"), "copy_memory:drawn_note"
    assert not follower.isEnabled()
    assert dialog.findChild(QWidget, words).text() == "goes with it"
    shown = []
    for key in ("memory:0", "memory:1", "memory:1"):
        box(dialog, key).click()
        shown.append((follower.isChecked(), dialog.inventory_view.count.text()))
    assert shown == [(True, "2 of 3 places"), (False, "0 of 3 places"), (True, "2 of 3 places")]


def test_what_goes_with_others_shares_no_row_with_them(work, ready):
    many = [Copy(f"memory:{n}", "memory", f"Memory {n}") for n in range(SHOWN_OF_A_KIND + 1)]
    drawn = Copy("memory:drawn", "memory", "A list", follows=frozenset({"memory:0"}))
    dialog = ready(work, lambda: Inventory("Erase", [*many, drawn]))
    view = dialog.inventory_view
    assert [more.copies for more in view._hidden] == [[many[-1]]]
    assert view._rows[-1].copy == drawn


def test_past_a_number_each_place_keeps_its_own_tick_and_is_shown_on_demand(work, ready):
    many = [
        Copy(f"message:{n}", "answer", f"Answer {n}", ticked=n != SHOWN_OF_A_KIND + 7)
        for n in range(SHOWN_OF_A_KIND + 160)
    ]
    dialog = ready(work, lambda: Inventory("Erase", many))
    view = dialog.inventory_view
    ticked = {copy.key for copy in many if copy.ticked}
    assert len(view._rows) == SHOWN_OF_A_KIND
    assert view.ticked == ticked
    words = view.findChild(QWidget, "more_answer_free_label")
    assert words.text() == "and 160 more of these, of which 159 will be erased"
    button = view.findChild(QWidget, "more_answer_free")
    button.click()
    assert words.text() == "and 60 more of these, of which 60 will be erased"
    assert view.ticked == ticked
    assert not box(dialog, many[SHOWN_OF_A_KIND + 7].key).isChecked()
    box(dialog, many[SHOWN_OF_A_KIND + 3].key).click()
    button.click()
    assert button.isHidden() or not button.isVisible()
    assert [row.copy for row in view._rows] == many
    assert view.ticked == ticked - {many[SHOWN_OF_A_KIND + 3].key}
    assert view.count.text() == "198 of 200 places"


def test_what_goes_with_others_does_so_though_neither_is_shown_yet(work, ready):
    leads = [Copy(f"memory:{n}", "memory", f"Memory {n}") for n in range(SHOWN_OF_A_KIND + 2)]
    follows = [
        Copy(f"memory:drawn{n}", "memory", f"A list {n}", follows=frozenset({lead.key}))
        for n, lead in enumerate(leads)
    ]
    dialog = ready(work, lambda: Inventory("Erase", [*leads, *follows]))
    view = dialog.inventory_view
    assert view.ticked == {copy.key for copy in (*leads, *follows)}
    view._hidden[0].button.click()
    box(dialog, leads[-1].key).click()
    assert view.ticked == {copy.key for copy in (*leads[:-1], *follows[:-1])}


def test_stock_is_taken_with_progress_and_can_be_stopped(qtbot, work, make):
    seen, wait = [], Event()

    def taking():
        try:
            yield Progress("Looking for its words", 3, 9)
            wait.wait(10)
            yield Progress("Looking for its words", 4, 9)
        except Cancelled:
            seen.append("stopped")
            raise

    dialog = make(work, taking)
    qtbot.waitUntil(lambda: dialog.progress_view.bar.value() == 3)
    assert dialog.progress_view.words.text() == "Looking for its words"
    with qtbot.waitSignal(dialog.rejected):
        dialog.progress_view.stop_button.click()
    wait.set()
    qtbot.waitUntil(lambda: seen == ["stopped"])
    assert dialog.inventory_view is None
    assert not work.calls


def test_every_other_place_says_why_it_is_listed(work, ready):
    copies = (
        Copy("memory:m", "memory", "The memory", required=True),
        Copy("memory:n", "another", "Another memory", why="says the same"),
        Copy("fixed:0", "fixed", "“Ghent” stands in 300 other places too.", False, fixed=True),
    )
    dialog = ready(work, lambda: Inventory("Erase", copies))
    assert dialog.findChild(QWidget, "copy_memory:n_label_why").text() == "Says the same"
    assert "report names it" in dialog.findChild(QWidget, "erasure_elsewhere").text()
    assert dialog.findChild(QWidget, "copy_fixed:0").text().startswith("“Ghent” stands in 300")
    assert dialog.inventory_view.count.text() == "2 of 2 places"


def test_the_proof_names_what_is_left(qtbot, ready):
    work = Work(Proof(("The memory",), 1000, 7, 0, left=("You kept it: Words in “Cake”",)))
    work.go_on.set()
    work.commit.set()
    dialog = ready(work)
    dialog.inventory_view.erase_button.click()
    qtbot.waitUntil(lambda: dialog.proof_view is not None)
    dialog.proof_view.copy_button.click()
    report = QGuiApplication.clipboard().text()
    assert "Left, and why:\n- You kept it: Words in “Cake”\n" in report
