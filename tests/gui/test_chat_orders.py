"""Orders about memory in the chat: what is shown is what became of the memories."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from app.conversation.notebook import DONE_ALREADY
from app.domain.changes import Changes
from app.domain.memory import MemoryFilter
from app.domain.receipt import ONLY_HERE
from app.domain.reply import AnswerEvidence
from app.gui.chat.cards.order_view import NOTHING_LEFT
from app.gui.chat.model import TAKEN_BACK
from app.gui.erasure.dialog import ErasureDialog
from app.providers.notebook import NOTEBOOK
from app.services.answer.notebook import NotebookService

OWN, HIS = "I drive a red Skoda", "My brother Tom drives a red Skoda too"
ORDER = "Forget that I drive a red Skoda."


@pytest.fixture
def cars(talk, brain):
    """A chat without a model that knows of two cars."""
    brain.info = NOTEBOOK

    def make():
        for text in (OWN, HIS):
            talk.services.memories.add(text)

    talk.off_gui(make)
    talk.learn()
    return talk


def lines(talk, name="order_line"):
    return [line.accessibleName() for line in talk.find(name)]


def test_one_clear_match_is_forgotten_at_once_and_undone_with_all_that_is_shown(cars):
    cars.say(ORDER)
    assert lines(cars) == [f"Forgotten: {OWN}."]
    assert cars.memories() == {HIS}
    assert not cars.last().body.isVisibleTo(cars.pane), "the card says it, and nothing says it too"
    assert not cars.find("chip_1")
    cars.click("order_undo")
    assert lines(cars) == [f"In use again: {OWN}."]
    assert cars.memories() == {OWN, HIS}


def test_what_is_doubtful_is_asked_about(cars):
    cars.say(ORDER)
    (card,) = cars.find("order_card")
    assert cars.find("order_question")[0].text() == "Did you mean this as well?"
    assert [row.accessibleName() for row in cars.find("order_row")] == [HIS]
    cars.click("order_forget", card)
    assert cars.memories() == set()
    assert not cars.find("order_card")
    assert lines(cars, "order_sum") == ["Forgotten: 2 memories."]
    cars.click("order_undo_all")
    assert cars.memories() == {OWN, HIS}
    cars.click("order_leave")
    assert lines(cars) == [f"In use again: {OWN}.", f"Left as it is: {HIS}."]
    assert cars.memories() == {OWN, HIS}


def test_what_else_was_said_with_it_stays_and_is_shown(cars):
    whole = "Nurse Colleen works at the bowel clinic. My ferritin was 8 in May"
    stays = "Nurse Colleen works at the bowel clinic"
    cars.off_gui(lambda: cars.services.memories.add(whole))
    cars.learn()
    cars.say("Forget that my ferritin was 8.")
    assert lines(cars) == [f"Forgotten: {whole}.", f"Stays: {stays}."]
    assert cars.memories() == {OWN, HIS, stays}
    cars.click("order_undo")
    assert cars.memories() == {OWN, HIS, whole}
    assert lines(cars)[0] == f"In use again: {whole}."


def test_what_became_of_it_is_still_right_when_the_conversation_is_opened_again(cars):
    cars.say(ORDER)
    first = cars.id
    cars.click("order_leave")
    cars.screen.start_new()
    cars.off_gui(lambda: cars.services.undo.undo_last())
    cars.screen.open(first)
    cars.until(lambda: cars.find("order"))
    assert lines(cars) == [f"In use again: {OWN}.", f"Left as it is: {HIS}."]


def test_what_was_erased_is_claimed_by_nobody(cars):
    cars.say(ORDER)
    cars.click("order_leave")

    def erase():
        erasure = cars.services.erasure
        ids = [memory.id for memory in cars.services.memories.list(MemoryFilter())]
        list(erasure.looking_for_memories(ids))
        list(erasure.erase_memories(ids, frozenset()))

    cars.off_gui(erase)
    cars.bridge.publish(Changes(everything=True))
    cars.settle()
    assert lines(cars) == [NOTHING_LEFT]
    assert not cars.find("order_undo")


def test_erasing_takes_stock_first(cars):
    cars.say(ORDER)
    (card,) = cars.find("order_card")
    cars.click("order_erase", card)
    dialog = cars.pane.window().findChild(ErasureDialog)
    cars.until(lambda: dialog.inventory_view)
    assert HIS in cars.memories(), "nothing is erased yet"
    dialog.reject()


def test_the_keyboard_reaches_every_button_and_stays_when_one_was_pressed(cars, qtbot):
    cars.say(ORDER)
    cars.pane.activateWindow()
    names = ("order_undo", "order_erase", "order_forget", "order_leave")
    found = [button for name in names for button in cars.find(name)]
    assert all(button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in found)
    assert {button.accessibleName() for button in cars.find("order_forget")} == {f"Forget: {HIS}"}
    (undo,) = cars.find("order_undo")
    undo.setFocus()
    qtbot.keyClick(undo, Qt.Key.Key_Space)
    cars.settle()
    assert lines(cars) == [f"In use again: {OWN}."]
    assert cars.last().isAncestorOf(QApplication.focusWidget())


def test_in_a_narrow_window_the_buttons_go_below(cars):
    cars.say(ORDER)
    (row,) = cars.find("order_row")
    (text,) = cars.find("order_text")
    assert row.forget_button.geometry().left() > text.geometry().right()
    cars.pane.resize(400, 700)
    cars.until(lambda: row.forget_button.y() > text.geometry().bottom())
    assert row.leave_button.geometry().right() <= row.width()
    (line,) = cars.find("order_line")
    (undo,) = cars.find("order_undo")
    assert undo.mapTo(line, undo.rect().bottomRight()).x() <= line.width()


def test_an_order_answered_again_is_not_carried_out_again(cars):
    cars.say(ORDER)
    cars.click("order_undo")
    cars.last().act("regenerate")
    cars.settle()
    assert cars.memories() == {OWN, HIS}
    assert cars.last().body.isVisibleTo(cars.pane)
    assert cars.last().turn.words == DONE_ALREADY
    assert lines(cars) == [f"In use again: {OWN}."]


def test_copying_gives_the_words_without_marks(cars):
    cars.say("I keep the *spare* keys in drawer 2.")
    assert cars.last().plain_text() == "Remembered: “I keep the *spare* keys in drawer 2”."


def test_a_receipt_shows_once_and_says_when_it_was_taken_back(cars):
    cars.say("I work as a nurse in Leeds.")
    assert [r.accessibleName() for r in cars.find("receipt")] == [
        "Remembered: I work as a nurse in Leeds."
    ]
    assert not cars.last().body.isVisibleTo(cars.pane)
    cars.click("receipt_undo")
    assert not cars.find("receipt")
    assert lines(cars, "outcome") == [TAKEN_BACK]


def test_what_was_known_already_is_said_to_be(cars):
    cars.say(f"{OWN}.")
    assert lines(cars, "outcome") == [f"I knew that already: “{OWN}”."]
    assert not cars.find("receipt")


def test_what_is_only_here_can_be_remembered(cars):
    cars.say("The kettle is boiling right now.")
    assert lines(cars, "outcome") == [ONLY_HERE]
    cars.click("outcome_remember")
    assert not cars.find("outcome")
    assert lines(cars, "receipt") == ["Remembered: The kettle is boiling right now."]


def test_what_is_known_has_chips_and_marks_that_open_it(cars):
    cars.say("What do you know about me?")
    chip = cars.chip(OWN)
    assert chip.accessibleName().startswith("Memory ")
    cars.last().body.citation_clicked.emit(1, QPoint(10, 10))
    cars.settle()
    assert cars.pane.source_card.isVisible()


def test_a_short_answer_offers_what_else_was_found(cars, monkeypatch):
    real = NotebookService.reply

    def reply(self, talk, message):
        found = self._recaller.nominated(self._query(talk, message), 9).hits
        more = [AnswerEvidence(hit.text, hit, 0.5) for hit in found]
        return replace(real(self, talk, message), more=more)

    monkeypatch.setattr(NotebookService, "reply", reply)
    cars.say("What do you know about Tom?")
    assert [chip.text() for chip in cars.find("chip_more")] == ["1 more"]
    cars.click("chip_more")
    assert cars.pane.drawer.isVisible()
    cars.until(lambda: OWN in {label.text() for label in cars.find("why_text")})
