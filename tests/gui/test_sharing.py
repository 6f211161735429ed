"""What may leave this computer, as a person meets it: asked once, shown, changed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.domain.memory import MemoryType
from app.domain.sharing.rule import CAREFUL, Shared, SharingRule
from app.gui.library.controller import LibraryController
from app.gui.sharing.dialog import SharingSheet
from app.providers.remote.endpoint import Endpoint
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.gui.talk import Talk
from tests.gui.waiting import LONG, shown

ASKED = "Ask my friend Ottokar Veldhoven about the cat."


@pytest.fixture
def remote(services, off_gui, monkeypatch):
    """A server that counts as one beyond this computer, chosen to answer."""
    monkeypatch.setattr(Endpoint, "local", property(lambda self: False))
    with OpenAIServer() as server:
        server.respond = lambda body: Reply(f"Well: {body['messages'][-1]['content']}")

        def choose():
            services.preferences.set("extraction.enabled", value=False)
            services.library.choose_embedder("hash")
            services.library.choose_chat(f"server:{server.url}#fake")

        off_gui(choose)
        yield server


@pytest.fixture
def far(qtbot, theme, bridge, services, off_gui, remote):
    """The chat screen, with that server."""
    made = Talk(qtbot, theme, bridge, services, off_gui)
    yield made
    made.bridge.drain(lambda: None)


def posted(server):
    return [one.body for one in server.requests if one.path.endswith("/chat/completions")]


def sheet_of(pane):
    (sheet,) = [one for one in pane.window().findChildren(SharingSheet) if one.isVisible()]
    return sheet


def asked(far):
    far.say(ASKED)
    sheet = sheet_of(far.pane)
    far.until(lambda: sheet.accept_button.isEnabled())
    return sheet


def test_the_first_message_is_shown_as_it_would_go_and_goes_with_a_key(far, remote):
    sheet = asked(far)
    shown_text = sheet.preview.text.toPlainText()
    assert "Ask my friend" in shown_text
    assert "Veldhoven" not in shown_text
    assert not posted(remote)
    assert sheet.choice.rule == CAREFUL
    far.qtbot.keyClick(sheet.accept_button, Qt.Key.Key_Return)
    far.until(lambda: posted(remote))
    far.settle()
    assert posted(remote)[0]["messages"][-1]["content"] in shown_text
    assert far.turns()[-1] == (False, f"Well: {ASKED}")
    far.say("And the dog?")  # nobody is asked again
    assert far.turns()[-1] == (False, "Well: And the dog?")


def test_nothing_goes_where_the_person_says_no_and_it_can_be_asked_again(far, remote):
    sheet = asked(far)
    far.qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    far.settle()
    assert not posted(remote)
    (notice,) = far.find("message_failure")
    assert notice.accessibleName().startswith("Nothing was sent: 127.0.0.1")
    far.click("message_failure_button")
    assert sheet_of(far.pane).isVisible()


def test_another_choice_shows_anew_what_would_go(far, remote):
    sheet = asked(far)
    sheet.choice.stand_ins.setChecked(False)
    assert not sheet.accept_button.isEnabled()  # until it is shown
    far.until(lambda: "Veldhoven" in sheet.preview.text.toPlainText())
    sheet.choice.memories.setCurrentIndex(1)
    assert not sheet.accept_button.isEnabled()
    sheet.choice.tags.setText("work, home")
    sheet.choice.types[MemoryType.EPISODIC].setChecked(True)
    far.until(lambda: sheet.accept_button.isEnabled())
    sheet.accept_button.click()
    far.until(lambda: posted(remote))
    far.settle()
    kept = far.off_gui(lambda: far.services.sharing.current().rule)
    types, tags = frozenset({MemoryType.EPISODIC}), frozenset({"work", "home"})
    assert kept == SharingRule(Shared.SOME, types, tags)


def test_why_has_what_was_sent_word_for_word_to_copy(far, remote, opened):
    far.off_gui(lambda: far.services.sharing.share(remote.url, CAREFUL))
    far.say(ASKED)
    far.screen._page.show_why(far.kept()[-1].id)
    fold = far.pane.drawer.sent
    assert fold.isVisibleTo(far.pane)
    fold.button.click()
    far.settle()
    sent = posted(remote)[-1]["messages"]
    for turn in sent:
        assert turn["content"] in fold.view.text.toPlainText()
    fold.view.copy_button.click()
    assert QGuiApplication.clipboard().text() == fold.view.text.toPlainText()
    question = far.kept()[0].id
    far.off_gui(lambda: opened.store.messages.redact(question, [(0, 3)]))
    fold.forget()
    far.settle()
    assert "Veldhoven" not in fold.view.text.toPlainText()
    assert fold.view.text.toPlainText().startswith("It is not kept")


def test_an_answer_without_a_model_was_sent_nowhere(far, remote):
    far.off_gui(lambda: far.services.library.choose_chat("notebook"))
    far.say("I moved to Porto last spring.")
    far.screen._page.show_why(far.kept()[-1].id)
    assert not far.pane.drawer.sent.isVisibleTo(far.pane)


def test_the_models_screen_says_what_may_go_and_changes_it(
    qtbot, services, bridge, theme, servers, off_gui, remote
):
    off_gui(lambda: services.sharing.share(remote.url, CAREFUL))
    library = LibraryController(services, bridge, theme)
    bridge.changed.connect(library.apply_changes)
    shown(qtbot, library.pane, 700, 800)
    section = library.pane.sharing
    qtbot.waitUntil(section.isVisible, timeout=LONG)

    def words():
        labels = section.findChildren(object, "sharing_words_0")
        return labels[-1].text() if labels else ""

    qtbot.waitUntil(lambda: "stand-ins" in words(), timeout=LONG)
    section.findChild(object, "sharing_change_0").click()
    sheet = sheet_of(library.pane)
    assert sheet.preview.isHidden() or not sheet.preview.isVisibleTo(sheet)
    sheet.choice.memories.setCurrentIndex(2)
    qtbot.keyClick(sheet.accept_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: words().startswith("No memories may go"), timeout=LONG)
    qtbot.waitUntil(lambda: not bridge._handlers, timeout=LONG)
    assert off_gui(lambda: services.sharing.current().rule) == SharingRule(
        Shared.NONE, stand_ins=True
    )
