"""The chat screen over a real vault and real services; only the language model is a stand-in."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QTextEdit, QWidget

from app.domain.changes import Changes
from app.domain.conversation import MemoryMode, MessageState, Part, PartOrigin, Role
from app.domain.memory import MemoryFilter, Status
from app.errors import EndpointError, NotFound
from app.gui.chat.controller import ChatController
from app.providers.base import ChatInfo

TYPED = PartOrigin.TYPED
WAIT = 20_000
KNOWN = "You are allergic to walnuts"


class Scripted:
    """A chat model that says what the test tells it to, when the test lets it."""

    info = ChatInfo("scripted", "Scripted 1B", 8192, True)

    def __init__(self):
        self.says = "Fine."
        self.fails = None
        self.gate = threading.Event()
        self.gate.set()
        self.prompts = []

    def count(self, text):
        return len(text) // 4

    def stream(self, prompt, sampling, cancel):
        self.prompts.append(prompt)
        if self.fails and not self.says:
            raise self.fails
        for word in self.says.split(" "):
            yield word + " "
            while not self.gate.wait(0.01):
                if cancel.is_set():
                    return
        if self.fails:
            raise self.fails


@pytest.fixture
def brain(opened, monkeypatch):
    model = Scripted()

    @contextmanager
    def chat(*_args, **_kwargs):
        yield model

    monkeypatch.setattr(opened.host, "chat", chat)
    monkeypatch.setattr(opened.host, "chat_info", lambda **_kwargs: model.info)
    return model


class Talk:
    """The screen, and the hands and eyes of a person at it."""

    def __init__(self, qtbot, theme, bridge, services, off_gui):
        self.qtbot, self.bridge, self.off_gui = qtbot, bridge, off_gui
        self.services = services
        self.screen = ChatController(services, bridge, theme)
        self.pane = self.screen.pane
        bridge.changed.connect(self.screen.apply_changes)
        qtbot.addWidget(self.pane)
        self.pane.resize(1000, 800)
        self.pane.show()
        self.settle()

    def settle(self):
        self.qtbot.waitUntil(lambda: not self.bridge._handlers, timeout=WAIT)

    def until(self, condition):
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT)

    def say(self, text, *, wait=True):
        field = self.pane.composer.text
        field.setFocus()
        self.qtbot.keyClicks(field, text)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)
        if wait:
            self.settle()

    def paste(self, text):
        data = QMimeData()
        data.setText(text)
        self.pane.composer.text.insertFromMimeData(data)

    def learn(self):
        """Let the background do what it has to do."""

        def work():
            run = self.services.background.run()
            while True:
                try:
                    next(run)
                except StopIteration as stop:
                    return stop.value

        self.bridge.publish(self.off_gui(work))
        self.settle()

    @property
    def id(self):
        return self.screen._page.id

    def kept(self):
        return self.off_gui(lambda: self.services.conversations.messages(self.id))

    def memories(self):
        wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
        return {m.text for m in self.off_gui(lambda: self.services.memories.list(wanted))}

    def turns(self):
        return [(turn.own, turn.message.text.strip()) for turn in self.pane.model.turns]

    def last(self):
        return self.pane.transcript.views[-1]

    def find(self, name, within=None):
        found = (within or self.pane).findChildren(QWidget, name)
        return [w for w in found if w.isVisibleTo(self.pane)]

    def chip(self, text):
        return next(
            w
            for number in range(1, 6)
            for w in self.find(f"chip_{number}")
            if w.text().startswith(text)
        )

    def click(self, name, within=None):
        (button, *_) = self.find(name, within)
        assert isinstance(button, QAbstractButton)
        assert button.isEnabled()
        button.click()
        self.settle()


@pytest.fixture
def talk(qtbot, theme, bridge, services, off_gui, brain):
    off_gui(lambda: services.library.choose_embedder("hash"))
    made = Talk(qtbot, theme, bridge, services, off_gui)
    yield made
    made.bridge.drain(lambda: None)


def test_a_message_is_kept_shown_and_answered(talk, qtbot):
    with qtbot.waitSignal(talk.screen.conversation_opened) as opened:
        talk.say("I live in Ghent.")
    assert talk.turns() == [(True, "I live in Ghent."), (False, "Fine.")]
    question, answer = talk.kept()
    assert question.parts == (Part("I live in Ghent.", TYPED),)
    assert (answer.role, answer.state) == (Role.ASSISTANT, MessageState.COMPLETE)
    assert opened.args == [question.conversation_id]
    assert talk.pane.composer.text.toPlainText() == ""
    assert talk.pane.header.title.label.text() == "I live in Ghent"


def test_only_typed_words_are_stored_as_typed_and_learnt_from(talk):
    talk.pane.composer.text.setFocus()
    talk.qtbot.keyClicks(talk.pane.composer.text, "She wrote: ")
    talk.paste("I am allergic to peanuts.")
    talk.say(" I am allergic to walnuts.")
    origins = [part.origin for part in talk.kept()[0].parts]
    assert origins == [TYPED, PartOrigin.PASTED, TYPED]
    talk.learn()
    assert not any("peanuts" in text for text in talk.memories())


def test_a_receipt_appears_when_something_was_written_and_undo_takes_it_back(talk):
    talk.say("I am allergic to walnuts.")
    assert not talk.find("receipt")
    talk.learn()
    (receipt,) = talk.find("receipt")
    assert receipt.accessibleName() == "Remembered: You are allergic to walnuts."
    talk.click("receipt_undo")
    assert not talk.find("receipt")
    assert talk.memories() == set()


def test_a_receipt_names_what_it_replaces(talk):
    talk.say("I live in Ghent.")
    talk.learn()
    talk.say("I moved to Bruges.")
    talk.learn()
    receipts = [receipt.accessibleName() for receipt in talk.find("receipt")]
    assert any("in answers; both stay in the history." in words for words in receipts)


def test_a_receipt_can_be_edited_in_place(talk):
    talk.say("I am allergic to walnuts.")
    talk.learn()
    talk.click("receipt_edit")
    card = talk.pane.source_card
    talk.until(card.editor.isVisible)
    card.editor.setPlainText("You are allergic to hazelnuts")
    talk.click("source_save")
    assert talk.memories() == {"You are allergic to hazelnuts"}
    assert not card.isVisible()
    assert "hazelnuts" in talk.find("receipt")[0].accessibleName()


def test_chips_name_what_the_answer_rests_on(talk, brain):
    talk.say("I am allergic to walnuts.")
    talk.learn()
    talk.screen.start_new()
    talk.say("Am I allergic to walnuts?")
    talk.chip(KNOWN).click()
    talk.settle()
    card = talk.pane.source_card
    assert card.isVisible()
    assert "Found by" in talk.find("source_why")[0].text()
    assert "“I am allergic to walnuts.”" in talk.find("source_quote")[0].text()
    talk.click("source_forget")
    assert talk.memories() == set()
    assert talk.chip(KNOWN).toolTip() == "Forgotten since"
    talk.click("chat_notice_button")
    assert talk.memories() == {KNOWN}
    assert talk.chip(KNOWN).toolTip() != "Forgotten since"


def test_what_an_answer_cites_is_told_from_what_it_was_given(talk, brain):
    talk.off_gui(lambda: talk.services.preferences.set("rag.floor", 0))
    talk.say("I am allergic to walnuts. I live in Ghent. I love cycling.")
    talk.learn()
    talk.screen.start_new()
    brain.says = "That is this [1]."
    talk.say("Tell me about walnuts, Ghent and cycling.")
    assert len(talk.last().turn.recall.in_prompt) > 1
    assert len(talk.last().turn.recall.cited) == 1
    assert talk.find("chip_1")
    assert not talk.find("chip_2")
    assert "more considered" in talk.find("chip_more")[0].text()
    talk.click("chip_more")
    assert talk.pane.drawer.isVisible()


def test_a_chip_leads_to_where_it_was_said(talk, qtbot, brain):
    talk.say("I am allergic to walnuts.")
    first = talk.id
    talk.learn()
    talk.screen.start_new()
    talk.say("Am I allergic to walnuts?")
    talk.chip(KNOWN).click()
    talk.settle()
    talk.click("source_place")
    talk.until(lambda: talk.id == first and talk.pane.transcript.views)
    assert (True, "I am allergic to walnuts.") in talk.turns()


def test_the_drawer_says_why(talk):
    talk.say("I am allergic to walnuts.")
    talk.learn()
    talk.screen.start_new()
    talk.say("Am I allergic to walnuts?")
    talk.pane.header.why_button.click()
    assert talk.pane.drawer.isVisible()
    assert KNOWN in {label.text() for label in talk.find("why_text")}
    assert talk.find("why_foot")[0].text().startswith("Recall took")
    assert talk.screen.escape()
    assert not talk.pane.drawer.isVisible()
    assert not talk.screen.escape()


def test_stopping_keeps_what_came(talk, brain):
    brain.says = "one two three four"
    brain.gate.clear()
    talk.say("Count.", wait=False)
    talk.until(lambda: talk.screen._page.live is not None and talk.screen._page.live.pieces)
    assert talk.pane.composer.send_button.accessibleName() == "Stop the answer"
    assert talk.screen.escape()
    talk.settle()
    assert talk.kept()[-1].text.strip() == "one"
    assert talk.kept()[-1].state is MessageState.PARTIAL
    assert talk.turns()[-1] == (False, "one")
    assert talk.last().stopped.isVisible()
    brain.gate.set()
    talk.say("Go on.")
    assert talk.turns()[-1] == (False, "one two three four")


def test_a_failure_says_what_happened_and_what_is_safe(talk, brain):
    brain.says, brain.fails = "", EndpointError("The server does not answer.")
    talk.say("Hello there.")
    (notice,) = talk.find("message_failure")
    assert notice.accessibleName() == "The server does not answer. Your message is safe."
    assert [m.text for m in talk.kept()] == ["Hello there."]
    brain.says, brain.fails = "Back again.", None
    talk.click("message_failure_button")
    assert talk.turns() == [(True, "Hello there."), (False, "Back again.")]
    assert not talk.find("message_failure")


def test_an_answer_cut_off_keeps_what_came_and_can_be_asked_again(talk, brain):
    brain.says, brain.fails = "Half an", EndpointError("The connection broke.")
    talk.say("Tell me.")
    (notice,) = talk.find("answer_failure")
    assert "The connection broke. What came is kept." in notice.accessibleName()
    assert talk.turns()[-1] == (False, "Half an")
    brain.says, brain.fails = "A whole answer.", None
    talk.click("answer_failure_button")
    assert talk.turns()[-1] == (False, "A whole answer.")
    assert talk.last().turn.message.siblings == (2, 2)


def test_a_message_left_without_an_answer_can_be_retried_later(talk, brain, qtbot):
    brain.says, brain.fails = "", EndpointError("Gone.")
    talk.say("Hello there.")
    here = talk.id
    talk.screen.start_new()
    talk.screen._page._failures.clear()
    talk.screen.open(here)
    talk.settle()
    (notice,) = talk.find("message_failure")
    assert notice.accessibleName().startswith("This message has no answer yet.")


def test_answering_again_makes_another_version_to_switch_between(talk, brain):
    talk.say("Name a colour.")
    brain.says = "Blue."
    talk.click("message_regenerate", talk.last())
    assert talk.turns()[-1] == (False, "Blue.")
    assert talk.find("branch_where")[0].text() == "2/2"
    talk.click("branch_before")
    assert talk.turns()[-1] == (False, "Fine.")
    assert talk.find("branch_where")[0].text() == "1/2"


def test_editing_a_message_makes_a_branch_and_keeps_the_draft(talk, brain, qtbot):
    talk.say("My name is Bob.")
    field = talk.pane.composer.text
    qtbot.keyClicks(field, "half a thought")
    qtbot.keyClick(field, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert field.toPlainText() == "My name is Bob."
    assert talk.find("composer_banner")
    field.selectAll()
    brain.says = "Hello Rob."
    talk.say("My name is Rob.")
    assert talk.turns() == [(True, "My name is Rob."), (False, "Hello Rob.")]
    assert field.toPlainText() == "half a thought"
    assert talk.pane.transcript.views[0].turn.message.siblings == (2, 2)


def test_escape_leaves_the_editing_of_a_message(talk, qtbot):
    talk.say("My name is Bob.")
    qtbot.keyClick(talk.pane.composer.text, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert talk.screen.escape()
    assert talk.pane.composer.text.toPlainText() == ""
    assert not talk.find("composer_banner")


def test_remember_this_works_on_a_message_and_on_a_selection(talk, brain):
    brain.says = "Water boils at 100 degrees. Ice melts at zero."
    talk.say("Tell me something.")
    view = talk.last()
    talk.until(lambda: not view.body.busy)
    view.body.text_views()[0].select(0, 27)
    assert view.selected_text() == "Water boils at 100 degrees."
    assert ("remember", "Remember this selection") in view.menu_lines()
    view.act("remember")
    talk.settle()
    assert any("Water boils at 100 degrees" in text for text in talk.memories())
    assert not any("Ice" in text for text in talk.memories())
    talk.click("chat_notice_button")
    assert talk.memories() == set()


def test_copying(talk, brain):
    brain.says = "Some **bold** words.\n\n```py\nx = 1\n```"
    talk.say("Code, please.")
    view = talk.last()
    talk.until(lambda: view.code_views() and not view.body.busy)
    view.act("copy")
    assert QGuiApplication.clipboard().text() == "Some bold words.\n\nx = 1"
    view.act("copy_markdown")
    assert QGuiApplication.clipboard().text().strip() == brain.says
    talk.pane.copy_last_code()
    assert QGuiApplication.clipboard().text().strip() == "x = 1"


def test_drafts_belong_to_their_conversation_and_survive(talk, qtbot, theme):
    talk.say("First conversation.")
    first = talk.id
    qtbot.keyClicks(talk.pane.composer.text, "typed ")
    talk.paste("pasted")
    talk.screen.start_new()
    talk.settle()
    assert talk.pane.composer.text.toPlainText() == ""
    other = Talk(qtbot, theme, talk.bridge, talk.services, talk.off_gui)
    other.screen.open(first)
    other.settle()
    assert other.pane.composer.text.parts() == [
        Part("typed ", TYPED),
        Part("pasted", PartOrigin.PASTED),
    ]


def test_a_sent_message_leaves_no_draft(talk, qtbot):
    talk.say("First.")
    qtbot.keyClicks(talk.pane.composer.text, "Second.")
    talk.screen._drafting.save()
    talk.settle()
    qtbot.keyClick(talk.pane.composer.text, Qt.Key.Key_Return)
    talk.settle()
    assert talk.off_gui(lambda: talk.services.conversations.draft(talk.id)) == ""


def test_the_title_is_changed_in_place(talk, qtbot):
    talk.say("Hello there.")
    title = talk.pane.header.title
    qtbot.mouseClick(title.label, Qt.MouseButton.LeftButton)
    assert title.field.isVisible()
    title.field.setText("  A better   title ")
    qtbot.keyClick(title.field, Qt.Key.Key_Return)
    talk.settle()
    assert talk.off_gui(lambda: talk.services.conversations.get(talk.id)).title == "A better title"
    assert title.label.text() == "A better title"


def test_a_mode_chosen_before_the_first_message_holds(talk):
    talk.pane.composer.mode_chip._actions[MemoryMode.OFF].trigger()
    assert talk.pane.composer.card.property("tone") == "off"
    talk.say("I am allergic to walnuts.")
    conversation = talk.off_gui(lambda: talk.services.conversations.get(talk.id))
    assert conversation.mode is MemoryMode.OFF
    talk.learn()
    assert talk.memories() == set()
    talk.pane.header.mode_chip._actions[MemoryMode.READS_ONLY].trigger()
    talk.settle()
    conversation = talk.off_gui(lambda: talk.services.conversations.get(talk.id))
    assert conversation.mode is MemoryMode.READS_ONLY


def test_another_conversation_can_be_read_while_an_answer_comes(talk, brain):
    talk.say("First conversation.")
    first = talk.id
    talk.screen.start_new()
    brain.says = "slow answer here"
    brain.gate.clear()
    talk.say("Second conversation.", wait=False)
    talk.until(lambda: talk.screen._page.live is not None and talk.screen._page.live.pieces)
    second = talk.id
    talk.screen.open(first)
    talk.until(lambda: talk.turns() == [(True, "First conversation."), (False, "Fine.")])
    assert talk.pane.composer.send_button.accessibleName() == "Send"
    talk.screen.open(second)
    talk.until(lambda: len(talk.turns()) == 2)
    assert talk.last().turn.live
    brain.gate.set()
    talk.settle()
    assert talk.turns() == [(True, "Second conversation."), (False, "slow answer here")]


def test_a_conversation_left_while_it_was_fetched_opens_again(talk):
    talk.say("First conversation.")
    first = talk.id
    talk.screen._fetch(first)
    talk.screen.start_new()
    talk.settle()
    talk.screen.open(first)
    talk.settle()
    assert talk.turns() == [(True, "First conversation."), (False, "Fine.")]


def test_a_conversation_that_is_gone_leaves_an_empty_page(talk, qtbot, services, monkeypatch):
    talk.say("First conversation.")
    qtbot.keyClicks(talk.pane.composer.text, "draft")
    conversation = talk.id

    def gone(*_args):
        raise NotFound("This conversation does not exist any more.")

    monkeypatch.setattr(services.conversations, "get", gone)
    talk.bridge.publish(Changes(conversations=frozenset({conversation})))
    talk.settle()
    assert talk.turns() == []
    assert talk.id == ""
    assert talk.pane.composer.text.toPlainText() == ""


def test_what_cannot_be_kept_is_not_shown_as_sent(talk, services, monkeypatch):
    from app.errors import DiskFull

    def full(*_args, **_kwargs):
        raise DiskFull("There is no room left on the disk.")

    monkeypatch.setattr(services.chat, "send", full)
    talk.say("Precious words.")
    assert talk.turns() == []
    assert talk.pane.composer.text.toPlainText() == "Precious words."
    assert "no room left" in talk.pane.composer.errors.accessibleName()
    assert talk.pane.composer.send_button.accessibleName() == "Send"


def test_files_are_attached_off_the_windows_thread(talk, tmp_path, off_gui):
    path = tmp_path / "notes.txt"
    off_gui(lambda: path.write_text("line one"))
    talk.pane.composer.files_chosen.emit([path])
    talk.settle()
    assert talk.find("attachment")[0].accessibleName() == "Attached: notes.txt"
    talk.say("Sum it up.")
    attached, typed = talk.kept()[0].parts
    assert (attached.origin, attached.name) == (PartOrigin.ATTACHED, "notes.txt")
    assert typed == Part("Sum it up.", TYPED)
    assert talk.find("attached_file")
    talk.pane.composer.files_chosen.emit([tmp_path / "gone.txt"])
    talk.settle()
    assert "could not be read" in talk.pane.composer.errors.accessibleName()


def test_a_long_conversation_opens_at_its_end_and_grows_upwards(talk, services, off_gui):
    def fill():
        from app.store.conversations import Conversations

        rows = Conversations(services.chat._vault)
        conversation = rows.create(title="Long")
        for number in range(150):
            rows.add_message(conversation.id, Role.USER, [Part(f"question {number}", TYPED)])
        return conversation.id, rows.messages(conversation.id)[3].id

    conversation, early = off_gui(fill)
    talk.screen.open(conversation)
    view = talk.pane.transcript
    talk.until(lambda: len(view.views) == 60 and not view._slices.busy)
    assert view.views[-1].turn.message.text == "question 149"
    bar = view.verticalScrollBar()
    talk.until(lambda: bar.value() == bar.maximum() > 0)
    seen = view.views[0]
    bar.setValue(10)
    talk.until(lambda: len(view.views) == 120 and not view._slices.busy)
    assert view.views[60] is seen
    assert bar.value() > 10
    talk.screen.open(conversation, early)
    talk.until(lambda: view.view_of(early) is not None and not view._slices.busy)
    talk.until(lambda: view.view_of(early).hasFocus())
    view.to_newest()
    talk.until(lambda: view.views[-1].turn.message.text == "question 149")


def test_the_model_and_its_place_stand_in_the_header(talk, qtbot):
    assert talk.pane.header.model_chip.accessibleName() == (
        "Who answers: Scripted 1B · on this computer"
    )
    with qtbot.waitSignal(talk.screen.models_requested):
        talk.pane.header.model_chip.click()


def test_every_widget_is_named(talk, brain):
    brain.says = "Text, `code` [1].\n\n```py\nx = 1\n```\n\n| a |\n|---|\n| b |"
    talk.say("I am allergic to walnuts.")
    talk.learn()
    talk.pane.show_why(True)
    talk.until(lambda: not talk.last().body.busy)
    for widget in talk.pane.findChildren(QWidget):
        inner = widget.objectName().startswith("qt_") or widget.metaObject().className() in (
            "QScrollBar",
            "QWidgetTextControl",
        )
        assert inner or widget.objectName(), widget
        hidden = not widget.isVisibleTo(talk.pane)
        if not (inner or hidden) and isinstance(widget, QAbstractButton | QLineEdit | QTextEdit):
            assert widget.accessibleName(), widget.objectName()


def test_the_keyboard_reaches_everything_that_matters(talk, qtbot):
    talk.say("I am allergic to walnuts.")
    talk.learn()
    reached, widget = set(), talk.pane.composer.text
    for _ in range(80):
        reached.add(widget.objectName())
        widget = widget.nextInFocusChain()
        while not (
            widget.isVisibleTo(talk.pane)
            and widget.isEnabled()
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        ):
            widget = widget.nextInFocusChain()
    assert reached >= {
        *("chat_title_label", "header_mode", "model_chip", "why_toggle", "transcript"),
        *("receipt_undo", "receipt_edit", "composer_text", "composer_attach", "composer_mode"),
        *("message_copy", "message_regenerate", "message_remember"),
    }


def test_messages_are_walked_through_with_alt_and_the_arrows(talk, qtbot):
    talk.say("One.")
    talk.say("Two.")
    view = talk.pane.transcript
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert view.views[-1].hasFocus()
    qtbot.keyClick(view.views[-1], Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert view.views[-2].hasFocus()
    assert replace(view.views[-2].turn).own
