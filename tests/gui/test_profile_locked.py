"""Another program wants the profile alone, or erases in it: the window gives way, and sees it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest
from PySide6.QtCore import QPersistentModelIndex
from PySide6.QtWidgets import QAbstractButton, QDialog, QWidget

from app.domain.changes import Changes
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.memory import Evidence, Memory
from app.gui.bridge import WorkQueue
from app.main.program import Program
from app.store.conversations import Conversations
from app.store.memories import Memories, Note
from app.store.messages import Messages
from tests.gui.waiting import LONG, Endless

SAID = "I keep a Quetzalcoatlus in the cellar."


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Look more often than every second."""
    for module in ("app.gui.watching", "app.gui.profiles.locked"):
        monkeypatch.setattr(f"{module}.LOOK_MS", 20)


@pytest.fixture
def window(start, welcomed):
    application, page = start()
    assert page == "workspace"
    return application


@contextmanager
def asking(store, off_gui):
    """Ask, as another program, that the profile be closed."""
    vault = off_gui(lambda: store.open("personal"))
    request = vault.asking()
    off_gui(request.__enter__)
    try:
        yield vault
    finally:
        off_gui(lambda: request.__exit__(None, None, None))
        off_gui(vault.close)


def until_alone(qtbot, vault):
    """Wait, as another program, until nobody else has the vault open; the window goes on."""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: list(vault.expect_alone()))
        qtbot.waitUntil(waiting.done, timeout=LONG)
        waiting.result()


def erase_elsewhere(paths):
    """Erase everything as ``loci erase`` does."""
    with closing(Program().unlock(paths, "personal")) as opened:
        return drive(opened.services.erasure.erase_everything("Personal"), threading.Event())


def test_the_window_gives_way_to_an_erasure_and_begins_anew(qtbot, window, paths, off_gui):
    pages = []
    window.ready.connect(pages.append)
    with ThreadPoolExecutor(1) as pool:
        erasing = pool.submit(erase_elsewhere, paths)
        qtbot.waitUntil(lambda: len(pages) == 2, timeout=LONG)
        proof = erasing.result()
    assert pages == ["aside", "first_run"]
    assert any("vault.db" in line for line in proof.removed)
    assert off_gui(window._opened.services.conversations.list) == []


def test_it_says_so_and_opens_again_when_the_other_gives_up(qtbot, window, store, off_gui):
    before = window._opened
    with qtbot.waitSignal(window.ready, timeout=LONG) as ready, asking(store, off_gui) as other:
        qtbot.waitUntil(lambda: window._opened is None, timeout=LONG)
        assert window.window.page.title.text() == "Personal is closed for now"
        until_alone(qtbot, other)
        assert ready.args == ["aside"]
        assert window._opened is None
    with qtbot.waitSignal(window.ready, timeout=LONG) as ready:
        pass
    assert ready.args == ["workspace"]
    assert window._opened is not before
    assert window.window.windowTitle() == "Personal – Loci"


def test_what_runs_is_stopped_and_dialogs_are_put_away(qtbot, window, store, off_gui):
    endless = Endless()
    window._bridge.submit(endless, lane=WorkQueue.INTERACTIVE)
    qtbot.waitUntil(endless.started.is_set)
    QDialog(window.window).open()
    with asking(store, off_gui):
        qtbot.waitUntil(endless.stopped.is_set, timeout=LONG)
        qtbot.waitUntil(lambda: not window.window.findChildren(QDialog), timeout=LONG)


def test_words_written_last_are_kept(qtbot, window, store, off_gui):
    talk = off_gui(lambda: window._opened.services.conversations.create())
    screen = window.window.page.screens.screen_named("chat")
    screen.open(talk.id)
    qtbot.waitUntil(lambda: screen._page.shown, timeout=LONG)
    qtbot.keyClicks(screen.pane.composer.text, "Half a sent")
    with asking(store, off_gui) as other:
        qtbot.waitUntil(lambda: window._opened is None, timeout=LONG)
        until_alone(qtbot, other)
        assert "Half a sent" in off_gui(lambda: Conversations(other).draft(talk.id))


def test_it_can_be_left_meanwhile(qtbot, window, store, off_gui):
    with asking(store, off_gui):
        qtbot.waitUntil(lambda: window._opened is None, timeout=LONG)
        with qtbot.waitSignal(window.finished, timeout=LONG):
            window.window.page.findChild(QAbstractButton, "aside_quit").click()


def test_the_first_run_gives_way_too(qtbot, start, store, off_gui):
    application, page = start()
    assert page == "first_run"
    with asking(store, off_gui), qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        pass
    assert ready.args == ["aside"]


def test_what_is_erased_elsewhere_disappears_from_every_screen(qtbot, window, paths, off_gui):
    workspace, services = window.window.page, window._opened.services

    def prepare():
        vault = window._opened.store.vault
        talk = Conversations(vault).create(1, title=SAID)
        part = Part(SAID, PartOrigin.TYPED)
        said = Messages(vault).add(talk.id, Role.USER, (part,))
        for name, text in (("m2", "You like tea"), ("m1", SAID)):
            at = vault.clock()
            evidence = (Evidence(SAID, at, said.id),) if name == "m1" else ()
            note = Note("user", "insert", name)
            Memories(vault).insert(Memory(name, text, at, at, agent_pk=1), evidence, note)
        return talk

    talk = off_gui(prepare)
    chat, memory = workspace.screens.screen_named("chat"), workspace.screens.screen_named("memory")
    chat.open(talk.id)
    memory.show_memory("m1")
    qtbot.waitUntil(lambda: memory.model.rowCount() == 2, timeout=LONG)
    qtbot.waitUntil(lambda: memory.pane.side.detail.memory is not None, timeout=LONG)
    qtbot.waitUntil(lambda: chat._page.shown, timeout=LONG)
    qtbot.waitUntil(lambda: not window._bridge._handlers, timeout=LONG)

    def erase():
        with closing(Program().unlock(paths, "personal")) as opened:
            erasure = opened.services.erasure
            ticked = frozenset(c.key for c in erasure.of_memory("m1").copies if c.ticked)
            assert drive(erasure.erase_memory("m1", ticked), threading.Event()).found_after == 0

    off_gui(erase)
    qtbot.waitUntil(lambda: memory.model.ids() == {"m2"}, timeout=LONG)
    qtbot.waitUntil(lambda: memory.pane.side.detail.memory is None, timeout=LONG)
    titles = workspace.sidebar.pane.list.model()
    qtbot.waitUntil(lambda: titles.index(1, 0).data() == "Untitled", timeout=LONG)
    shown = chat.pane.transcript
    qtbot.waitUntil(lambda: "[erased]" in _texts(shown), timeout=LONG)
    qtbot.waitUntil(lambda: SAID not in _texts(shown), timeout=LONG)
    assert off_gui(lambda: services.memories.detail("m2")).memory.text == "You like tea"


def test_a_row_keeps_its_place_when_one_above_was_erased_elsewhere(home, desk, bridge):
    gone = home.remember("You live in Ghent", 1)
    home.remember("You like tea", 2)
    d = desk()
    d.wait_for("You live in Ghent", "You like tea")
    stays = QPersistentModelIndex(d.screen.model.index(1, 0))
    home.off_gui(lambda: home.rows.delete(gone.id))
    bridge.publish(Changes(everything=True))
    d.wait_for("You like tea")
    assert stays.row() == 0


def _texts(widget):
    found = []
    for child in widget.findChildren(QWidget):
        for name in ("toPlainText", "text"):
            if hasattr(child, name):
                found.append(str(getattr(child, name)()))
    return "\n".join(found)
