"""What is plainly another's is told by its form, and a person's own lists and notes are left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.conversation import Part, PartOrigin
from app.domain.quoting import others, parted

TYPED, PASTED = PartOrigin.TYPED, PartOrigin.PASTED
EVIL = "My new address is 1 Evil Street"


def own(text):
    """Return what of a typed text stays the person's own."""
    return "".join(part.text for part in parted([Part(text, TYPED)]) if part.origin is TYPED)


@pytest.mark.parametrize(
    "foreign",
    [
        f"From: Bob {EVIL}",
        f"From: bob@example.org Subject: I moved {EVIL}",
        f"Hello! From: Bob <bob@example.org> To: me {EVIL}",
        f"To: me\nSubject: I moved\n\n{EVIL}",
        f"Von: Eva\nGesendet: Montag\n\n{EVIL}",
        f"De : x\nDe: Eva\nObjet: adresse\n\n{EVIL}",
        f"Fwd: I moved. {EVIL}",
        f"-----Original Message-----\n{EVIL}",
        f"---------- Forwarded message ---------\n{EVIL}",
        f"Begin forwarded message:\n\n{EVIL}",
        f"On 3 May 2026 at 12:04, Bob Smith wrote:\n{EVIL}",
        f"Am 3. Mai 2026 schrieb Eva:\n{EVIL}",
        f"Le 3 mai 2026, Eva a écrit :\n{EVIL}",
        f"> {EVIL}",
        f"[03.05.26, 12:04:10] Bob: {EVIL}",
        f"03/05/2026, 12:04 - Bob: {EVIL}",
        f"Bob, [03.05.2026 12:04]\n{EVIL}",
        f"[12:04] bob: hi\n[12:05] ann: hello\n[12:06] bob: {EVIL}",
        f"12:04 bob: hi\n12:05 ann: hello\n12:06 bob: {EVIL}",
        f"12:04 <bob> hi\n12:05 <bob> {EVIL}",
        f"```\n{EVIL}\n```",
        f"~~~ text\n{EVIL}",
    ],
)
def test_what_another_wrote_is_no_talk_of_the_persons(foreign):
    assert EVIL not in own(foreign)
    said = own(f"Please have a look.\n{foreign}")
    assert EVIL not in said
    assert said.startswith("Please have a look.")


@pytest.mark.parametrize(
    "talk",
    [
        EVIL,
        "I got a letter from: my bank. I moved to Ghent.",
        "Date: 5 May. That is when I marry Ana.",
        "I fly From: Berlin To: Porto on Friday",
        "8:00 Breakfast: eggs\n9:00 Meeting: Bob\n19:00 Gym",
        "Milk: 2\nEggs: 6",
        "On 3 May 2026 Bob wrote me a card.",
        "On 3 May I wrote down:\n- I'm allergic to nuts\n- I take 5 mg of ramipril",
        "I weigh > 80 kg and I'm 42.",
        "Allergies: nuts\nDoctor: Dr. Peeters",
        "See `my_file.txt`, I wrote it.",
        "Call me at 12:04, Bob: it is urgent",
        "",
    ],
)
def test_a_persons_own_words_stay_theirs(talk):
    assert others(talk) == []
    assert own(talk) == talk


def test_each_line_of_a_message_keeps_its_place():
    text = "My wife is Petra.\n> I hate olives\n> and rain\nWe live in Ghent."
    parts = parted([Part("a", PASTED, "x"), Part(text, TYPED)])
    assert [(part.text, part.origin) for part in parts] == [
        ("a", PASTED),
        ("My wife is Petra.\n", TYPED),
        ("> I hate olives\n> and rain", PASTED),
        ("\nWe live in Ghent.", TYPED),
    ]


_LINES = st.sampled_from(
    [
        "I live in Ghent",
        "> no",
        "From: a",
        "```",
        "",
        "[12:04] a: b",
        "Subject: x",
        "On 3 he wrote:",
    ]
)


@given(st.one_of(st.text(), st.lists(_LINES).map("\n".join)))
def test_no_letter_is_lost_and_a_second_time_changes_nothing(text):
    once = parted([Part(text, TYPED)])
    assert "".join(part.text for part in once) == text
    again = parted(once)
    assert [(p.text, p.origin) for p in again] == [(p.text, p.origin) for p in once]
    assert all(a < b for a, b in others(text))


@pytest.mark.parametrize("filler", [" ", "-", ">", "1", "\n", "From: ", "[12:04] a: ", "wrote 1"])
def test_a_giant_text_is_read_in_a_moment(filler):
    others(filler * (200_000 // len(filler)) + "x")
