"""Orders about memory and updates, in the real window: what is shown is what the vault holds."""

import json

import pytest

from tests.end2end.program import wait_for

OWN, HIS = "I drive a 2015 Skoda Octavia", "My brother Tom drives a Skoda too"
TWO, THREE = "I take 2 units of insulin at breakfast", "I take 3 units of insulin now instead of 2"


@pytest.fixture
def window(program, loci):
    """The window of a profile that knows of two cars."""
    for text in (OWN, HIS):
        loci("remember", text)
    window = program()
    window.click("choose_notebook")
    window.click("first_run_start")
    window.wait("composer_text")
    return window


def say(window, text):
    window.type("composer_text", text)
    window.key("Return", "composer_text")


@pytest.fixture
def texts(loci):
    """Return the texts of the memories of a status."""

    def texts(status="active"):
        found = json.loads(loci("memories", "list", "--status", status, "--json").stdout)
        return {memory["text"] for memory in found}

    return texts


def test_forgetting_by_words_and_what_may_be_meant_besides(window, program, texts, loci):
    say(window, "Forget that I drive a Skoda.")
    window.sees(f"Forgotten: {OWN}.")
    window.sees("Did you mean this as well?")
    assert texts() == {HIS}, "what is doubtful is asked about"

    window.click("order_undo")
    window.sees(f"In use again: {OWN}.")
    assert texts() == {OWN, HIS}
    window.click("order_forget")  # beside the line of what came back
    window.sees(f"Forgotten: {OWN}.")
    assert texts() == {HIS}

    window.click("order_leave")
    window.sees(f"Left as it is: {HIS}.")
    assert texts() == {HIS}

    window.kill()
    loci("memories", "undo")
    window = program()
    window.click_row("conversations", "Forget that I drive")
    window.sees(f"In use again: {OWN}.")
    window.sees(f"Left as it is: {HIS}.")


def test_a_doubtful_memory_is_forgotten_or_erased_only_when_that_is_pressed(window, texts):
    say(window, "Forget that I drive a Skoda.")
    window.sees("Did you mean this as well?")
    window.key("Space", "order_forget")
    window.sees(f"Forgotten: {HIS}.")
    assert texts() == set()
    window.click("order_undo_all")
    window.sees(f"In use again: {OWN}.")
    assert texts() == {OWN, HIS}
    window.click("order_erase")
    window.wait("erasure_confirm")
    window.click("erasure_confirm")
    window.click("erasure_done")
    window.does_not_see(HIS)
    assert texts() == {OWN}


def test_an_update_is_told_once_and_undone(window, texts):
    say(window, f"{TWO}.")
    window.sees(f"Remembered: {TWO}.")
    say(window, f"{THREE}.")
    window.sees(f"Updated: {THREE} (was “{TWO}”).")
    shown = [t for t in window.do("texts") if "Updated:" in t]
    assert len(shown) == 1
    assert THREE in texts()
    assert TWO not in texts()
    window.do("click", name="receipt_undo", number=-1)
    window.sees("Taken back: this is not remembered any more.")
    wait_for(lambda: TWO in texts(), "the older dose")
    assert THREE not in texts()


def test_what_is_kept_nowhere_else_can_be_kept(window, texts):
    say(window, "The kettle is boiling right now.")
    window.sees("Kept in this conversation only.")
    window.click("outcome_remember")
    window.sees("Remembered: The kettle is boiling right now.")
    window.does_not_see("Kept in this conversation only.")
    assert "The kettle is boiling right now." in texts()
