"""What the model sees: summaries that fold out, down to every word."""

import pytest
from PySide6.QtCore import Qt

from app.domain.conversation import Part, PartOrigin, Role
from app.gui.chat.context_browser import NOTHING, READING, ContextBrowser
from app.gui.chat.wording import day
from tests.gui.waiting import LONG


@pytest.fixture
def browse(talk, opened, qtbot, theme, bridge, off_gui):
    """Open the browser on a conversation of so many messages."""

    def browse(number):
        def fill():
            new = opened.services.conversations.create()
            for n in range(number):
                own = n % 2 == 0
                text = f"Boat {n} lies in Split,\nat pier {n + 7}. " * 4
                parts = [Part(text, PartOrigin.TYPED)]
                role = Role.USER if own else Role.ASSISTANT
                opened.store.messages.add(new.id, role, parts)
            opened.store.jobs.enqueue("summarise", "summarise", {"conversation": new.id})
            return new.id

        made = off_gui(fill)
        talk.learn()
        shown = ContextBrowser(opened.services, bridge, theme, made, talk.pane)
        qtbot.addWidget(shown)
        with qtbot.waitSignal(shown.filled, timeout=LONG):
            shown.open()
        return shown

    return browse


def lines(item):
    return [item.child(n).text(0) for n in range(item.childCount())]


def test_a_summary_folds_out_down_to_the_words(browse, qtbot):
    shown = browse(240)
    root = shown.tree.invisibleRootItem()
    top = lines(root)
    assert top[0].startswith(("Summary of ", "Excerpts of "))
    assert top[-1].startswith("Loci: Boat 239 lies in Split, at pier 246.")
    assert "summaries of what was said before" in shown.told.text()
    item = root.child(0)
    while not item.text(0).startswith(("You: ", "Loci: ")):
        with qtbot.waitSignal(shown.filled, timeout=LONG):
            item.setExpanded(True)
        item = item.child(0)
    shown.tree.setCurrentItem(item)
    assert "Boat 0 lies in Split,\nat pier 7." in shown.text.toPlainText()


def test_a_short_conversation_is_seen_word_for_word(browse):
    shown = browse(4)
    assert shown.told.text().startswith("The model sees this conversation word for word: 4 mess")
    assert len(lines(shown.tree.invisibleRootItem())) == 4


def test_an_empty_conversation_says_so(browse):
    assert browse(0).told.text() == NOTHING


def test_the_meter_opens_it_by_mouse_and_by_keyboard(talk, brain, qtbot):
    talk.say("Good morning!")
    meter = talk.pane.composer.meter
    for press in (
        lambda: qtbot.mouseClick(meter, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(meter, Qt.Key.Key_Return),
    ):
        press()
        (shown,) = talk.pane.findChildren(ContextBrowser)
        talk.until(lambda shown=shown: shown.told.text() != READING)
        shown.accept()
        talk.until(lambda: not talk.pane.findChildren(ContextBrowser))


def test_a_day_is_written_in_english():
    from datetime import datetime

    assert day(datetime(2026, 9, 3, 12).astimezone()) == "3 Sep 2026"
