"""The chat screen over a real vault and real services; only the language model is a stand-in."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QTextEdit, QWidget

from app.domain.changes import Changes
from app.domain.conversation import MemoryMode, MessageState, Part, PartOrigin, Role
from app.errors import NotFound


def test_a_message_is_kept_shown_and_answered(talk, qtbot):
    with qtbot.waitSignal(talk.screen.conversation_opened) as opened:
        talk.say("I live in Ghent.")
    assert talk.turns() == [(True, "I live in Ghent."), (False, "Fine.")]
    question, answer = talk.kept()
    assert question.parts == (Part("I live in Ghent.", PartOrigin.TYPED),)
    assert (answer.role, answer.state) == (Role.ASSISTANT, MessageState.COMPLETE)
    assert opened.args == [question.conversation_id]
    assert talk.pane.composer.text.toPlainText() == ""
    assert talk.pane.header.title.label.text() == "I live in Ghent"


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
    talk.say("I'm allergic to walnuts.")
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
        raise NotFound("This conversation no longer exists.")

    monkeypatch.setattr(services.conversations, "get", gone)
    talk.bridge.publish(Changes(conversations=frozenset({conversation})))
    talk.settle()
    assert talk.turns() == []
    assert talk.id == ""
    assert talk.pane.composer.text.toPlainText() == ""


def test_a_long_conversation_opens_at_its_end_and_grows_upwards(talk, services, off_gui):
    def fill():

        store = services.chat._store
        conversation = store.conversations.create(1, title="Long")
        for number in range(150):
            store.messages.add(
                conversation.id, Role.USER, [Part(f"question {number}", PartOrigin.TYPED)]
            )
        return conversation.id, store.messages.branch(conversation.id)[3].id

    conversation, early = off_gui(fill)
    talk.screen.open(conversation)
    view = talk.pane.transcript
    talk.until(lambda: len(view.views) == 60 and not view.stretch.busy)
    assert view.views[-1].turn.message.text == "question 149"
    bar = view.verticalScrollBar()
    talk.until(lambda: bar.value() == bar.maximum() > 0)
    seen = view.views[0]
    bar.setValue(10)
    talk.until(lambda: len(view.views) == 120 and not view.stretch.busy)
    assert view.views[60] is seen
    assert bar.value() > 10
    talk.screen.open(conversation, early)
    talk.until(lambda: view.stretch.view_of(early) is not None and not view.stretch.busy)
    talk.until(lambda: view.stretch.view_of(early).hasFocus())
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
    talk.say("I'm allergic to walnuts.")
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
    talk.say("I'm allergic to walnuts.")
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
