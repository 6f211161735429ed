"""Answers that stop or fail: what came is kept, and what happened is said."""

from app.domain.conversation import MessageState
from app.errors import EndpointError, TooLong


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


def silent(prompt, sampling, cancel):
    """Never say a word, like a model that reads a long prompt, until it is stopped."""
    assert cancel.wait(20)
    yield from ()


def test_a_stop_before_the_first_word_is_a_note_and_no_failure(talk, brain):
    brain.stream = silent
    talk.say("Count.", wait=False)
    talk.until(lambda: talk.screen._page.live is not None and talk.screen._page.live.recall)
    assert talk.screen.escape()
    talk.settle()
    (note,) = talk.find("message_unanswered")
    assert note.text() == "Stopped before the answer began."
    assert not talk.find("message_failure")
    assert [m.text for m in talk.kept()] == ["Count."]
    del brain.stream
    talk.click("message_retry")
    assert talk.turns() == [(True, "Count."), (False, "Fine.")]
    assert not talk.find("message_unanswered")


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


def refusing_digits(brain):
    """Return how a model answers that refuses whatever holds certain digits."""
    answer = brain.stream

    def stream(prompt, sampling, cancel):
        if any("31415" in turn.content for turn in prompt):
            raise TooLong("This is more than Scripted 1B reads at once.")
        yield from answer(prompt, sampling, cancel)

    return stream


def test_a_message_that_no_model_reads_can_be_answered_without_it(talk, brain):
    brain.stream = refusing_digits(brain)
    talk.paste("31415 " * 3000)
    talk.say(" What is this?")
    (notice,) = talk.find("message_failure")
    assert notice.accessibleName() == (
        "Your message is about 4,522 tokens, which Scripted 1B refuses to read at once."
        " Your message is safe."
    )
    assert notice.words.height() >= notice.words.heightForWidth(notice.words.width()) > 30
    assert notice.button.text() == "Answer without it"
    talk.click("message_failure_button")
    assert not talk.find("message_failure")
    assert talk.turns()[-1] == (False, "Fine.")
    assert "18,001 characters is left out" in brain.prompts[-1][-1].content
    assert any("without 18,001 characters" in line for line in talk.last().turn.notices)
    talk.say("And now?")
    assert talk.turns()[-1] == (False, "Fine.")


def test_after_a_message_that_was_too_large_another_one_can_simply_be_sent(talk, brain):
    brain.stream = refusing_digits(brain)
    talk.paste("31415 " * 3000)
    talk.say(" What is this?")
    assert talk.find("message_failure")
    talk.say("Never mind.")
    assert talk.turns()[-1] == (False, "Fine.")


def test_an_answer_cut_off_keeps_what_came_and_can_be_asked_again(talk, brain):
    brain.says, brain.fails = "Half an", EndpointError("The connection broke.")
    talk.say("Tell me.")
    (notice,) = talk.find("answer_failure")
    assert "The connection broke. What had arrived is kept." in notice.accessibleName()
    assert talk.turns()[-1] == (False, "Half an")
    brain.says, brain.fails = "A whole answer.", None
    talk.click("answer_failure_button")
    assert talk.turns()[-1] == (False, "A whole answer.")
    assert talk.last().turn.message.siblings == (2, 2)


def test_a_long_failure_is_read_to_its_end(talk, brain):
    brain.says, brain.fails = "Half an", EndpointError("The connection broke. " * 9)
    talk.say("Tell me.")
    (notice,) = talk.find("answer_failure")
    assert notice.words.height() >= notice.words.heightForWidth(notice.words.width()) > 50


def test_a_message_left_without_an_answer_can_be_retried_later(talk, brain, qtbot):
    brain.says, brain.fails = "", EndpointError("Gone.")
    talk.say("Hello there.")
    here = talk.id
    talk.screen.start_new()
    talk.screen._page._failures.clear()
    talk.screen.open(here)
    talk.settle()
    assert not talk.find("message_failure"), "whether it failed or was stopped is not known"
    (note,) = talk.find("message_unanswered")
    assert note.text() == "This message has no answer yet."


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


def test_a_message_that_another_program_damaged_is_said_to_be(talk, brain, opened, off_gui):
    brain.says = "Good morning."
    talk.say("Hello there.")
    here = talk.id

    def bend():
        with opened.store.vault.write() as connection:
            connection.execute("UPDATE messages SET created_at = 'once'")

    off_gui(bend)
    talk.screen.start_new()
    talk.screen.open(here)
    talk.settle()
    assert talk.turns() == [(True, "Hello there."), (False, "Good morning.")]
    said = [
        label.text() for name in ("message_damaged", "answer_notice") for label in talk.find(name)
    ]
    assert len(said) == 2
    assert all("is damaged (created at): restore an earlier backup" in one for one in said)
