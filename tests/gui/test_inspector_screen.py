"""The inspector on real services over a real vault: what a person does, and what is stored then."""

from datetime import UTC, datetime, timedelta
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QToolButton,
    QWidget,
)

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import new_id
from app.domain.memory import Evidence, Memory, MemoryFilter, MemoryType, Status, Trust
from app.errors import NotFound, VaultBusy
from app.gui.erasure.dialog import ErasureDialog
from app.gui.inspector.clear_dialog import ClearDialog
from app.gui.inspector.controller import InspectorController
from app.gui.inspector.loading import MemoryList
from app.gui.inspector.model import PAGE, MemoryTableModel
from app.gui.widgets import Notice
from app.jobs.operation import drive
from app.main.build import build
from app.paths import Paths
from app.providers.base import Embedding
from app.store.conversations import Conversations
from app.store.journal import Note
from app.store.memories import Memories
from app.store.profiles import Profiles
from app.store.vectors import Vectors

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Home:
    """A profile with its services; everything it does happens off the GUI thread."""

    def __init__(self, folder, off_gui):
        self.off_gui = off_gui
        self.now = NOW
        profiles = Profiles(Paths(folder), self.clock, lambda: None)

        def make():
            self.vault, self.profile = profiles.create("Ada")
            self.opened = build(profiles, self.profile, self.vault, self.clock)
            self.opened.services.preferences.set("models.embedder", "hash")

        off_gui(make)
        self.services = self.opened.services
        self.rows = Memories(self.vault)

    def clock(self):
        return self.now

    def remember(self, text, days=0, evidence=(), **more):
        at = self.now - timedelta(days=days)
        memory = Memory(new_id(at), text, at, at, **more)
        note = Note("learner", "insert", new_id(at))
        return self.off_gui(lambda: self.rows.insert(memory, evidence, note))

    def say(self, text):
        """Say something in a conversation called Cake; return message and conversation."""

        def say():
            talks = Conversations(self.vault)
            talk = talks.create(title="Cake")
            part = [Part(text, PartOrigin.TYPED)]
            return talks.add_message(talk.id, Role.USER, part), talk

        return self.off_gui(say)

    def get(self, memory_id):
        return self.off_gui(lambda: self.rows.get(memory_id))

    def texts(self, **wanted):
        found = self.off_gui(lambda: self.services.memories.list(MemoryFilter(**wanted)))
        return [memory.text for memory in found]


@pytest.fixture
def home(tmp_path, off_gui):
    home = Home(tmp_path / "data", off_gui)
    yield home
    off_gui(home.opened.close)


class Desk:
    """The screen, and what a person sees of it."""

    def __init__(self, qtbot, home, bridge, theme):
        self.qtbot, self.home = qtbot, home
        window = self.window = QWidget()  # owns the screen, as the main window does
        self.screen = InspectorController(home.services, bridge, theme, window, home.clock)
        bridge.changed.connect(self.screen.apply_changes)
        self.pane = self.screen.pane
        self.pane.setParent(window)
        window.resize(1100, 700)
        window.show()
        self.pane.resize(1100, 700)
        self.pane.show()
        qtbot.waitExposed(self.pane)

    def wait(self, condition):
        self.qtbot.waitUntil(condition, timeout=8000)

    def wait_for(self, *texts):
        self.wait(lambda: self.shown() == list(texts))

    def shown(self):
        model = self.screen.model
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def select(self, text):
        self.pane.table.select_row(self.shown().index(text))
        self.wait(lambda: self.detail_text() == text)

    def detail_text(self):
        label = self.find("detail_text")
        side = self.pane.side
        return label.text() if label and side.page is side.detail else ""

    def find(self, name):
        """Return the newest widget of a name; an older one may still be about to go."""
        found = self.pane.findChildren(QWidget, name)
        return found[-1] if found else None

    def search(self, line):
        with self.qtbot.waitSignal(self.pane.search.searched):
            self.pane.search.field.setText(line)

    def foot(self):
        return self.pane.foot.words.text()


@pytest.fixture
def desk(qtbot, home, bridge, theme):
    """Open the screen; afterwards let the bridge come to rest before the window goes."""
    opened, quiet = [], []

    def desk():
        opened.append(Desk(qtbot, home, bridge, theme))
        return opened[-1]

    yield desk
    bridge.drain(lambda: quiet.append(True))
    qtbot.waitUntil(lambda: bool(quiet))
    for each in opened:
        each.window.close()
        each.window.deleteLater()


@pytest.fixture
def three(home):
    home.remember("You are allergic to walnuts", 300, category="health")
    home.remember("You live in Ghent", 100, key="home_city", value="Ghent")
    home.remember("Ruth loves salmon", 1, type=MemoryType.EPISODIC)


def test_what_is_remembered_is_listed_newest_first(three, desk):
    d = desk()
    d.wait_for("Ruth loves salmon", "You live in Ghent", "You are allergic to walnuts")
    d.wait(lambda: d.pane.head.count.text() == "3 memories")
    d.wait(lambda: d.foot() == "Remembered: Ruth loves salmon")
    d.wait(lambda: d.pane.head.indexing.text() == "3 being indexed")


def test_searching_narrows_and_clearing_widens(three, desk):
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


def test_sorting_by_the_header(three, home, desk):
    found = home.off_gui(lambda: home.rows.list(MemoryFilter(text="walnuts")))
    home.off_gui(lambda: home.rows.touch([found[0].id], NOW))
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.order_chosen.emit("oldest")
    d.wait_for("You are allergic to walnuts", "You live in Ghent", "Ruth loves salmon")
    d.pane.table.order_chosen.emit("used")
    d.wait_for("You are allergic to walnuts", "Ruth loves salmon", "You live in Ghent")


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


def test_an_edit_is_stored_and_shown_and_can_be_undone(qtbot, three, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Return)
    editor = d.pane.side.editor
    assert d.pane.side.editing
    editor.text.setPlainText("You live in Bruges")
    editor.lines["value"].setText("Bruges")
    editor.save()
    d.wait(lambda: "You live in Bruges" in d.shown())
    d.wait(lambda: d.detail_text() == "You live in Bruges")
    d.wait(lambda: d.foot() == "Edited: You live in Bruges")
    (stored,) = home.off_gui(lambda: home.rows.list(MemoryFilter(keyed=True)))
    assert (stored.text, stored.value) == ("You live in Bruges", "Bruges")
    assert d.find("detail_history_0_diff") is not None
    d.find("detail_history_0_undo").click()
    d.wait(lambda: "You live in Ghent" in d.shown())
    d.wait(lambda: d.detail_text() == "You live in Ghent")
    assert home.get(stored.id).value == "Ghent"


def test_who_saves_second_sees_the_other_text(three, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    d.pane.table.wanted.emit("edit")
    editor = d.pane.side.editor
    editor.text.setPlainText("You live in Bruges")
    memory = editor.memory
    home.off_gui(lambda: home.services.memories.edit(memory.id, 1, {"text": "You live in Gent"}))
    editor.save()
    d.wait(lambda: d.find("editor_conflict").isVisible())
    assert d.find("editor_other_text").text() == "“You live in Gent”"
    d.find("editor_keep_mine").click()
    d.wait(lambda: "You live in Bruges" in d.shown())
    assert home.get(memory.id).text == "You live in Bruges"


def test_raised_trust_is_the_persons_own_word(home, desk):
    told = home.remember("Bleed the radiators once a year", trust=Trust.EXTERNAL)
    d = desk()
    d.wait(lambda: len(d.shown()) == 1)
    d.select("Bleed the radiators once a year")
    d.find("detail_edit").click()
    editor = d.pane.side.editor
    editor.trust.setCurrentIndex(editor.trust.findData("system"))
    editor.own_word.click()
    editor.save()
    d.wait(lambda: not d.pane.side.editing)
    d.wait(lambda: home.get(told.id).trust is Trust.SYSTEM)


def test_words_that_were_not_saved_are_not_lost(three, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    d.pane.table.wanted.emit("edit")
    d.pane.side.editor.text.setPlainText("half a thou")
    d.pane.table.select_row(0)
    assert d.pane.side.editing
    assert d.pane.side.editor.error.words.text() == "Save this or cancel it first."
    d.pane.side.editor.cancel_button.click()
    d.wait(lambda: d.detail_text() == "Ruth loves salmon")


def test_forgetting_and_undoing_by_keyboard(qtbot, three, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Delete)
    d.wait_for("Ruth loves salmon", "You are allergic to walnuts")
    d.wait(lambda: d.foot() == "Forgot: You live in Ghent")
    d.wait(lambda: d.pane.head.count.text() == "2 memories")
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    d.wait_for("Ruth loves salmon", "You live in Ghent", "You are allergic to walnuts")


def test_what_was_forgotten_can_be_found_and_restored(three, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    d.find("detail_forget").click()
    d.wait(lambda: len(d.shown()) == 2)
    d.search("Ghent")
    d.wait(lambda: d.pane.notice.isVisible())
    assert d.pane.notice.words.text() == "1 forgotten memory matches."
    d.pane.notice.button.click()
    d.wait_for("You live in Ghent")
    d.select("You live in Ghent")
    d.find("detail_restore").click()
    d.wait(lambda: home.texts(text="Ghent", statuses=frozenset({Status.ACTIVE})) != [])


def test_space_pins(qtbot, three, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.select("You live in Ghent")
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Space)
    d.wait(lambda: home.texts(pinned=True) == ["You live in Ghent"])
    d.wait(lambda: d.pane.side.detail.buttons["unpin"].isVisible())
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Space)
    d.wait(lambda: home.texts(pinned=True) == [])


def test_the_first_memory_is_written_from_the_empty_state(home, desk):
    d = desk()
    d.wait(lambda: d.pane.empty.isVisible())
    assert not d.pane.side.isVisible()
    d.pane.empty.button.click()
    editor = d.pane.side.editor
    assert editor.isVisible()
    editor.text.setPlainText("Tea, not coffee")
    editor.lines["tags"].setText("food")
    editor.save()
    d.wait_for("Tea, not coffee")
    d.wait(lambda: d.detail_text() == "Tea, not coffee")
    assert home.texts() == ["Tea, not coffee"]


def test_a_long_list_is_fetched_where_it_is_looked_at(home, desk):
    def fill():
        with home.vault.write():
            for n in range(PAGE * 2 + 50):
                at = NOW - timedelta(minutes=n)
                memory = Memory(new_id(at), f"Fact {n}", at, at)
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
    assert home.off_gui(lambda: home.rows.count(MemoryFilter(statuses={Status.FORGOTTEN}))) == 450
    d.wait(lambda: d.foot().endswith("and 449 more"))
    d.pane.foot.undo_button.click()
    d.wait(lambda: model.rowCount() == 450)


def test_several_rows_are_pinned_at_once(qtbot, three, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.selectAll()
    assert not d.pane.bulk.buttons["restore"].isVisible()
    d.pane.bulk.buttons["pin"].click()
    d.wait(lambda: len(home.texts(pinned=True)) == 3)
    d.pane.bulk.close_button.click()
    assert d.pane.foot.isVisible()


def test_clearing_counts_first(three, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.search.clear_requested.emit()
    dialog = d.window.findChild(ClearDialog)
    dialog.types[MemoryType.EPISODIC].click()
    d.wait(lambda: dialog.forget_button.text() == "Forget 1 memory")
    dialog.forget_button.click()
    d.wait_for("You live in Ghent", "You are allergic to walnuts")


def test_erasing_redacts_the_message_and_proves_it(home, desk):
    message, talk = home.say("nothing with walnuts please, I am allergic to walnuts")
    quote = Evidence("I am allergic to walnuts", message.created_at, message.id)
    memory = home.remember("You are allergic to walnuts", evidence=[quote])
    d = desk()
    d.wait(lambda: len(d.shown()) == 1)
    d.select("You are allergic to walnuts")
    d.find("detail_erase").click()
    dialog = d.window.findChild(ErasureDialog)
    d.wait(lambda: dialog.inventory_view is not None)
    assert f"message:{message.id}" in dialog.inventory_view.ticked
    dialog.inventory_view.erase_button.click()
    d.wait(lambda: dialog.proof_view is not None)
    assert dialog.findChild(QWidget, "erasure_proof_title").text() == "Erased"
    assert int(dialog.findChild(QWidget, "scan_found_before").text()) > 0
    dialog.proof_view.done_button.click()
    d.wait(lambda: d.pane.empty.isVisible())
    assert not d.detail_text()
    with pytest.raises(NotFound):
        home.get(memory.id)
    (left,) = home.off_gui(lambda: home.services.conversations.messages(talk.id))
    assert "walnuts" not in left.text.partition("please")[2]
    assert "[erased]" in left.text


def test_vectors_of_another_embedder_are_offered_for_re_embedding(qtbot, three, home, desk):
    def other_embedder():
        vectors = Vectors(home.vault)
        pk = vectors.use("older", 8)
        pks = [m.pk for m in home.rows.list(MemoryFilter())]
        one = Embedding(np.ones(8, dtype=np.float32) / np.float32(8**0.5))
        vectors.put("memory", [(row, one) for row in pks], pk)

    home.off_gui(other_embedder)
    d = desk()
    d.wait(lambda: d.pane.reembed.isVisible())
    assert d.pane.reembed.words.text().startswith("3 memories and messages need re-embedding")
    with qtbot.waitSignal(d.screen.reembed_requested):
        d.pane.reembed.button.click()
    d.wait(lambda: d.pane.head.indexing.text() == "3 being re-embedded")
    changes = home.off_gui(lambda: drive(home.services.background.run(), Event()))
    d.screen.apply_changes(changes)
    d.wait(lambda: not d.pane.head.indexing.isVisible())
    assert not d.pane.reembed.isVisible()


def test_another_process_changes_a_row_and_only_that_is_refreshed(three, home, desk):
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


def test_a_memory_can_be_shown_from_elsewhere(three, home, desk):
    d = desk()
    d.search("salmon")
    d.wait_for("Ruth loves salmon")
    (other,) = home.off_gui(lambda: home.rows.list(MemoryFilter(text="walnuts")))
    d.screen.show_memory(other.id)
    d.wait(lambda: d.detail_text() == "You are allergic to walnuts")


def test_without_room_the_detail_lies_over_the_table(three, desk):
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


def test_find_goes_to_the_search_line(qtbot, three, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.select_row(0)
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(d.pane.focusWidget(), "salmon")
    d.wait_for("Ruth loves salmon")
    qtbot.keyClick(d.pane.search.field, Qt.Key.Key_Down)
    assert d.pane.focusWidget() is d.pane.table


def test_a_failure_is_a_sentence_in_its_place(three, home, desk, monkeypatch):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)

    def fail(*_):
        raise VaultBusy("The vault is in use by another program.")

    monkeypatch.setattr(type(home.services.memories), "forget", fail)
    d.select("You live in Ghent")
    d.find("detail_forget").click()
    d.wait(lambda: d.pane.notice.isVisible())
    assert d.pane.notice.words.text() == "The vault is in use by another program."
    assert len(d.shown()) == 3


def test_every_control_has_a_name_for_code_and_one_for_the_ear(three, desk):
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
    silent = [w for w in controls if isinstance(w.parentWidget(), Notice)]  # says nothing yet
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
        return [Memory(wanted.text, wanted.text, NOW, NOW)]


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
    assert SimpleNamespace(rows=rows.filter.text).rows == "new"
