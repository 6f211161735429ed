"""An ordinary conversation without a model, in the real window: told, asked, and answered."""

import json

import pytest

LETTER = """From: Hanneke de Wit
Subject: The boiler

Dear neighbour, I am allergic to dust and my boiler is broken. Could you call me on 555 0134?
Kind regards, Hanneke"""


@pytest.fixture
def window(program):
    window = program()
    window.click("choose_notebook")
    window.click("first_run_start")
    window.wait("composer_text")
    return window


def say(window, text):
    window.type("composer_text", text)
    window.key("Return", "composer_text")


def memories(loci):
    return json.loads(loci("memories", "list", "--status", "active", "--json").stdout)


def test_a_dose_that_changes_is_answered_with_the_new_one(window, loci):
    say(window, "I take 5 mg of bisoprolol every morning.")
    window.sees("Remembered: I take 5 mg of bisoprolol every morning.")
    say(window, "The doctor put my bisoprolol up to 10 mg.")
    window.sees("Updated: ")
    (now,) = [m["text"] for m in memories(loci) if "bisoprolol" in m["text"]]
    assert "10 mg" in now
    window.key("Ctrl+N")
    say(window, "How much bisoprolol do I take?")
    window.sees("10 mg” (")
    window.sees("Before that: “I take 5 mg of bisoprolol every morning”")


def test_an_allergy_in_a_subordinate_clause_is_kept_and_answered(window, loci):
    say(window, "Since I'm allergic to penicillin, the dentist gave me clindamycin yesterday.")
    window.sees("Remembered: ")
    found = [m for m in memories(loci) if "allergic to penicillin" in m["text"]]
    assert found
    assert any("safety" in m["tags"] for m in found)
    window.key("Ctrl+N")
    say(window, "What am I allergic to?")
    window.sees("allergic to penicillin")


def test_a_pasted_letter_is_nobody_s_memory(window, loci):
    window.do("paste", name=window.wait("composer_text"), text=LETTER)
    say(window, "What does she want from me?")
    window.sees("I don’t know that.")
    window.does_not_see("you said on")
    window.key("Ctrl+N")
    say(window, "What am I allergic to?")
    window.sees("I don’t know that.")
    assert memories(loci) == []


def test_what_was_never_told_is_not_known(window, loci):
    say(window, "I live in Ghent with my sister Ana.")
    window.sees("Remembered: ")
    window.key("Ctrl+N")
    say(window, "What is the name of my dentist?")
    window.sees("I don’t know that.")


def test_an_age_that_passed_gives_way_and_a_marriage_in_doubt_waits(window, loci):
    say(window, "I'm 41 and live in Leeds with my wife.")
    window.sees("Remembered: ")
    say(window, "I turned 42 yesterday.")
    window.sees("Updated: ")
    say(window, "I've been married since 2012.")
    window.sees("Remembered: I've been married since 2012.")
    say(window, "We said we're separating first, before any divorce.")
    window.sees("It may replace another memory")
    known = memories(loci)
    assert not any("41" in m["text"] for m in known)
    assert any("Leeds" in m["text"] for m in known)
    assert sorted(m["text"] for m in known if m["conflicted"]) == [
        "I've been married since 2012",
        "We said we're separating first, before any divorce",
    ]
    window.key("Ctrl+N")
    say(window, "Am I married?")
    window.sees("Or perhaps: “I've been married since 2012”")
    say(window, "Since when am I married?")
    window.sees("“I've been married since 2012” (")
