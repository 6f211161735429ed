"""The inspector on real services over a real vault: what it lists, finds and shows."""

from datetime import timedelta
from threading import Event
from types import SimpleNamespace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QToolButton,
)

from app.domain.ids import new_id
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Evidence, Memory, MemoryFilter, Status
from app.gui.inspector.model import PAGE, MemoryTableModel
from app.gui.inspector.reading import MemoryList
from app.gui.widgets import NoticeLine
from app.providers.base import Embedding
from app.store.index.vectors import Vectors
from app.store.journal.entries import Note
from tests.gui.desk import NOW


def test_what_is_remembered_is_listed_newest_first(three_memories, desk):
    d = desk()
    d.wait_for("Ruth loves salmon", "You live in Ghent", "You are allergic to walnuts")
    d.wait(lambda: d.pane.head.count.text() == "3 memories")
    d.wait(lambda: d.foot() == "Remembered: Ruth loves salmon")
    d.wait(lambda: d.pane.head.indexing.text() == "3 being indexed")


def test_searching_narrows_and_clearing_widens(three_memories, desk):
    d = desk()
    d.search("walnut")
    d.wait_for("You are allergic to walnuts")
    d.wait(lambda: d.pane.head.count.text() == "1 of 3 memories")
    d.search("type:episodic")
    d.wait_for("Ruth loves salmon")
    d.search("zebra")
    d.wait(lambda: d.pane.nothing.isVisible())
    d.pane.nothing.button.click()
    d.wait(lambda: len(d.shown()) == 3 and d.pane.table.isVisible())


def test_sorting_by_the_header(three_memories, home, desk):
    found = home.off_gui(lambda: home.rows.list(DEFAULT_SCOPE, MemoryFilter(text="walnuts")))
    home.off_gui(lambda: home.rows.touch([found[0].id], NOW))
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.order_chosen.emit("oldest")
    d.wait_for("You are allergic to walnuts", "You live in Ghent", "Ruth loves salmon")
    d.pane.table.order_chosen.emit("used")
    d.wait_for("You are allergic to walnuts", "Ruth loves salmon", "You live in Ghent")


def test_find_goes_to_the_search_line(qtbot, three_memories, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.select_row(0)
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(d.pane.focusWidget(), "salmon")
    d.wait_for("Ruth loves salmon")
    qtbot.keyClick(d.pane.search.field, Qt.Key.Key_Down)
    assert d.pane.focusWidget() is d.pane.table


def test_from_the_search_line_down_and_return_edit_the_only_memory(qtbot, home, desk):
    home.remember("You live in Ghent")
    d = desk()
    d.wait(lambda: len(d.shown()) == 1)
    qtbot.keyClick(d.pane.search.field, Qt.Key.Key_Down)
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Return)
    d.wait(lambda: d.pane.side.editing)


def test_a_memory_tells_how_it_is_known(qtbot, home, desk):
    message, talk = home.say("nothing with walnuts please, I am allergic to walnuts")
    quote = Evidence("I am allergic to walnuts", message.created_at, message.id)
    home.remember("You are allergic to walnuts", evidence=[quote])
    d = desk()
    d.wait(lambda: len(d.shown()) == 1)
    d.select("You are allergic to walnuts")
    assert "Cake" in d.find("detail_evidence_0_source").text()
    with qtbot.waitSignal(d.screen.message_requested) as opened:
        d.find("detail_evidence_0").click()
    assert opened.args == [talk.id, message.id]


def test_a_memory_can_be_shown_from_elsewhere(three_memories, home, desk):
    d = desk()
    d.search("salmon")
    d.wait_for("Ruth loves salmon")
    (other,) = home.off_gui(lambda: home.rows.list(DEFAULT_SCOPE, MemoryFilter(text="walnuts")))
    d.screen.show_memory(other.id)
    d.wait(lambda: d.detail_text() == "You are allergic to walnuts")


def test_a_long_list_is_fetched_where_it_is_looked_at(home, desk):
    def fill():
        with home.vault.write():
            for n in range(PAGE * 2 + 50):
                at = NOW - timedelta(minutes=n)
                memory = Memory(new_id(at), f"Fact {n}", at, at, agent_pk=1)
                home.rows.insert(memory, [], Note("learner", "insert", new_id(at)))

    home.off_gui(fill)
    d = desk()
    table, model = d.pane.table, d.screen.model
    d.wait(lambda: model.rowCount() == 450)
    assert model.memory(440) is None
    table.scrollToBottom()
    d.wait(lambda: model.memory(440) is not None)
    assert model.memory(440).text == "Fact 440"
    table.scrollToTop()
    table.selectAll()
    d.wait(lambda: d.pane.bulk.isVisible())
    assert d.pane.bulk.words.text() == "450 selected"
    d.pane.bulk.buttons["forget"].click()
    d.wait(lambda: d.pane.empty.isVisible() or model.rowCount() == 0)
    assert (
        home.off_gui(
            lambda: home.rows.count(DEFAULT_SCOPE, MemoryFilter(statuses={Status.FORGOTTEN}))
        )
        == 450
    )
    d.wait(lambda: d.foot().endswith("and 449 more"))
    d.pane.foot.undo_button.click()
    d.wait(lambda: model.rowCount() == 450)


def test_vectors_of_another_embedder_are_offered_for_re_embedding(
    qtbot, three_memories, home, desk
):
    def other_embedder():
        vectors = Vectors(home.vault)
        pk = vectors.use("older", 8)
        pks = [m.pk for m in home.rows.list(DEFAULT_SCOPE, MemoryFilter())]
        one = Embedding(np.ones(8, dtype=np.float32) / np.float32(8**0.5))
        vectors.put("memory", [(row, one) for row in pks], pk)

    home.off_gui(other_embedder)
    d = desk()
    d.wait(lambda: d.pane.reembed.isVisible())
    assert d.pane.reembed.words.text().startswith("3 memories and messages need indexing again")
    with qtbot.waitSignal(d.screen.reembed_requested):
        d.pane.reembed.button.click()
    d.wait(lambda: d.pane.head.indexing.text() == "3 being indexed again")
    home.off_gui(lambda: home.services.preferences.set("upkeep.paused", True))  # it is begun now
    changes = home.off_gui(lambda: drive(home.services.background.run(upkeep=True), Event()))
    d.screen.apply_changes(changes)
    d.wait(lambda: not d.pane.head.indexing.isVisible())
    assert not d.pane.reembed.isVisible()


def test_another_process_changes_a_row_and_only_that_is_refreshed(three_memories, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    memory = d.pane.table.current()
    changes = home.off_gui(
        lambda: home.services.memories.edit(memory.id, memory.revision, {"text": "You left Ghent"})
    )
    d.screen.apply_changes(changes)
    d.wait(lambda: d.shown()[1] == "You left Ghent")
    d.wait(lambda: d.detail_text() == "You left Ghent")
    assert d.pane.table.current().id == memory.id


def test_without_room_the_detail_lies_over_the_table(three_memories, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.resize(640, 560)
    assert d.pane.side.floating
    assert not d.pane.side.isVisible()
    d.pane.table.select_row(1)
    d.pane.table.opened.emit()
    d.wait(lambda: d.pane.side.isVisible())
    assert d.pane.side.geometry().right() == d.pane.width() - 1
    assert d.screen.escape()
    assert not d.pane.side.isVisible()
    assert not d.screen.escape()
    d.pane.resize(1100, 700)
    assert d.pane.side.isVisible()


def test_every_control_has_a_name_for_code_and_one_for_the_ear(three_memories, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractItemView)
    controls = [w for kind in kinds for w in d.pane.findChildren(kind)]
    assert len(controls) > 30
    inside = (
        QToolButton,
        QScrollBar,
        QAbstractButton,
    )  # parts of a line or an area; Qt names what they do
    silent = [w for w in controls if isinstance(w.parentWidget(), NoticeLine)]  # says nothing yet
    own = [w for w in controls if type(w) not in inside and w not in silent]
    nameless = [w for w in own if not (w.objectName() and w.accessibleName())]
    names = [f"{type(w).__name__} {w.objectName()} in {w.parent().objectName()}" for w in nameless]
    assert not names


class SlowMemories:
    """Answers a search only when told to."""

    def __init__(self):
        self.gates = {"old": Event(), "new": Event()}

    def count(self, wanted):
        self.gates[wanted.text].wait(10)
        return 1

    def list(self, wanted, offset, limit):
        return [Memory(wanted.text, wanted.text, NOW, NOW, agent_pk=1)]


def test_the_answer_to_an_older_search_is_dropped(qtbot, bridge):
    slow, model = SlowMemories(), MemoryTableModel(clock=lambda: NOW)
    rows = MemoryList(slow, bridge, model, model)
    rows.show(MemoryFilter(text="old"))
    rows.show(MemoryFilter(text="new"))
    with qtbot.waitSignal(rows.loaded):
        slow.gates["new"].set()
    slow.gates["old"].set()
    qtbot.waitUntil(lambda: not bridge._handlers)
    assert model.memory(0).id == "new"
    assert SimpleNamespace(rows=rows._filter.text).rows == "new"
