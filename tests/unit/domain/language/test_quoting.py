"""What is plainly another's is told by its form, and a person's own lists and notes are left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.conversation import Part, PartOrigin
from app.domain.language.quoting import doubtful, others, parted

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
        f"fyi: From: Karel <k@x.org> {EVIL}",
        f"fyi: from: karel <k@x.org> {EVIL}",
        f"From : Karel. {EVIL}",
        f"From:Karel {EVIL}",
        f"**From:** Karel {EVIL}",
        f"Message-ID: <a@b.c> {EVIL}",
        f"Da: Karel {EVIL}",
        f"От: Карел {EVIL}",
        f"Absender: Karel {EVIL}",
        f"Von: Karel Betreff: Umzug {EVIL}",
        f"De : Karel Objet : adresse {EVIL}",
        f"De: Karel Asunto: casa {EVIL}",
        f"Van: Karel Onderwerp: huis {EVIL}",
        f"On Mon, 3 May 2026 at 12:04, Bob <b@x.org> wrote: {EVIL}",
        f"Karel wrote on Monday: {EVIL}",
        f"Karel schrieb am Montag: {EVIL}",
        f"Eva hat mir geschrieben: {EVIL}",
        f"Karel a écrit : {EVIL}",
        f"Karel escribió ayer: {EVIL}",
        f"Karel schreef gisteren: {EVIL}",
        f"Karel ha scritto: {EVIL}",
        f"Карел написал: {EVIL}",
        f"Here is the letter I got: {EVIL}",
        f"Here's the text message I got from Karel at 12:04: {EVIL}",
        f"This is the mail that came today:\n\n{EVIL}",
        f"Hier ist der Brief, den ich bekam: {EVIL}",
        f"Voici la lettre que j'ai reçue : {EVIL}",
        f"Esta es la carta que recibí: {EVIL}",
        f"Hier is de brief die ik kreeg: {EVIL}",
        f"Ecco la lettera che ho ricevuto: {EVIL}",
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
        "8:00 Breakfast: eggs\n9:00 Meeting: Bob\n19:00 Gym",
        "Milk: 2\nEggs: 6",
        "On 3 May 2026 Bob wrote me a card.",
        "On 3 May I wrote down:\n- I'm allergic to nuts\n- I take 5 mg of ramipril",
        "I weigh > 80 kg and I'm 42.",
        "Allergies: nuts\nDoctor: Dr. Peeters",
        "See `my_file.txt`, I wrote it.",
        "Call me at 12:04, Bob: it is urgent",
        "From: now on I eat no meat",
        "I wrote: I am vegan",
        "I have just written: I am vegan",
        "Ich schrieb: ich wohne in Gent",
        "Gestern schrieb ich: ich wohne in Gent",
        "J'ai écrit : je suis végane",
        "As I said to Bob: I live in Ghent",
        "Here is the letter I sent: I live in Ghent",
        "Here's a note for you: I live in Ghent",
        "Dear Loci, I live in Ghent",
        "Hi Loci, I live in Ghent",
        "My message is short: I live in Ghent",
        "",
    ],
)
def test_a_persons_own_words_stay_theirs(talk):
    assert others(talk) == [] == doubtful(talk)
    assert own(talk) == talk


@pytest.mark.parametrize(
    "talk",
    [
        f"Dear Anna, {EVIL}",
        f"Please look.\nLiebe Anna,\n{EVIL}",
        f"Chère Anna, {EVIL}",
        f"Dear customer, {EVIL}",
        f"Subject: moving. {EVIL}",
        f"Oggetto: casa. {EVIL}",
        f"Тема: дом. {EVIL}",
        f"Re: moving. {EVIL}",
        f"I fly From: Berlin To: Porto. {EVIL}",
        f"Here is the mail I received. {EVIL}",
        f"I got a text: {EVIL}",
        f"Bob said: {EVIL}",
        f"My sister wrote a book: {EVIL}",
    ],
)
def test_what_may_be_anybodys_stays_in_the_message_and_is_in_doubt(talk):
    assert own(talk) == talk
    at = talk.index(EVIL)
    assert any(start <= at < end for start, end in doubtful(talk))


def test_what_follows_a_quotation_in_marks_is_the_persons_own():
    assert own('Karel wrote: "I hate olives." I live in Ghent.') == "Karel wrote: I live in Ghent."


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


@pytest.mark.parametrize(
    "filler", [" ", "-", ">", "1", "\n", "From: ", "[12:04] a: ", "wrote 1", "a wrote: "]
)
def test_a_giant_text_is_read_in_a_moment(filler):
    others(filler * (200_000 // len(filler)) + "x")


@pytest.mark.parametrize(
    "text",
    [
        "Hi Tom, I've moved to 8 Elm Road. Love, Auntie Jean",
        "Hi Tom,\n\nI've moved to 8 Elm Road.\n\nBest wishes\nJean",
        "Hey Mum and Dad, I moved to Ghent! Love Sophie xx",
        "Hallo Eva, ich wohne jetzt in Kassel. Liebe Grüße, Oma",
        "Hola Marta, ahora vivo en Porto. Un abrazo, Luis",
        "Coucou Léa, j'habite à Lyon. Bisous, Mamie",
        "Hoi Piet, ik woon nu in Gent. Groetjes, Oma",
    ],
)
def test_what_greets_one_name_and_is_signed_with_another_may_be_a_letter(text):
    assert doubtful(text) == [(0, len(text))]
    assert others(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Hi Loci, I live in Ghent. Thanks, Tom",
        "Hi, I'm Tom and I live in Ghent. Thanks!",
        "Hi there, I moved to Ghent. Cheers, Tom",
        "Hi Tom, I live in Ghent.",
        "I like three things: Peace. Love, Music",
    ],
)
def test_a_greeting_or_a_name_alone_makes_no_letter(text):
    assert doubtful(text) == []
