"""What a message tells along with what it asks or wants done is stated, and what it asks is not."""

import pytest

from app.domain.language.reading import Act, StatementKind
from app.memory.reading.reader import Reader
from tests.fakes.understanding import Understanding
from tests.unit.memory.reading.tagged import FRIDAY, said


def read(text):
    (reading,) = Reader(Understanding).read([said(text, at=FRIDAY)])
    return reading


def stated(text):
    return [one.text for one in read(text).statements]


# -- beside a question -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Is there a train to Ghent at 8? I have a job interview there on Monday", "interview"),
        ("Which vaccine does a puppy need? We got one last week, Pepper, a whippet", "Pepper"),
        ("how do i get red wine out of a carpet? spilled it on my landlord's rug", "landlord"),
        ("Any idea how to descale a Jura E8? Mine is five years old", "five years old"),
        ("Welche Bücher mag ein Neunjähriger? Mein Sohn Jonas liest gerade viel", "Jonas"),
        ("yo is creatine slecht? heb zelf maar 1 nier", "1 nier"),
    ],
)
def test_a_sentence_that_leans_on_a_question_is_not_lost_with_it(text, told):
    (one,) = stated(text)
    assert told in one


def test_it_keeps_the_question_that_says_what_is_meant():
    text = "does a fitbit work w a defibrillator in the chest? they put mine in in 2022"
    (one,) = stated(text)
    assert "defibrillator" in one
    assert "2022" in one


@pytest.mark.parametrize(
    "text",
    [
        "What is the boiling point of water? I forgot",
        "Who wrote Middlemarch? I think it was George Eliot",
        "Can you write a limerick? It should be about a frog",
        "How do planes fly? I mean really, not the school version",
        "Where do I live? And who is my dentist?",
    ],
)
def test_what_only_asks_states_nothing_however_many_sentences_it_has(text):
    assert stated(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What can I cook for my mother who is diabetic?", "My mother who is diabetic"),
        (
            "what's a good school near Rotterdam for my daughter with dyslexia?",
            "My daughter with dyslexia",
        ),
    ],
)
def test_whom_a_question_describes_is_stated(text, told):
    assert stated(text) == [told]


@pytest.mark.parametrize(
    "text",
    [
        "Kann mein Bruder die Tabletten nehmen?",
        "Darf meine Tochter die Nüsse essen?",
        "Can I leave my car with the dealer?",
        "Please remember I'm vegan. Is Joel allergic to nuts?",
    ],
)
def test_what_is_asked_of_somebody_is_not_said_of_them(text):
    assert not any("?" in one or "Bruder" in one or "Joel" in one for one in stated(text))
    assert len(stated(text)) == text.startswith("Please")


# -- requests --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Could you note that I'm allergic to penicillin?", "I'm allergic to penicillin"),
        ("Would you keep in mind that I don't eat pork?", "I don't eat pork"),
        ("Can you please save that my shoe size is 44?", "My shoe size is 44"),
        (
            "Please remember my locker code is at the gym reception, I always forget",
            "My locker code is at the gym reception, I always forget",
        ),
    ],
)
def test_a_polite_order_to_remember_is_carried_out(text, told):
    reading = read(text)
    assert reading.act is Act.REMEMBER
    assert [one.text for one in reading.statements] == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Can you write to my boss Petra that I'm off next week because my wife has surgery?",
            "[To my boss Petra] I'm off next week because my wife has surgery",
        ),
        (
            "Could you write to my boss Mrs. Daly that I'm off next week for my knee surgery?",
            "[To my boss Mrs. Daly] I'm off next week for my knee surgery",
        ),
        (
            "Write a text to Ana saying I can't come because my mother is in hospital",
            "[To Ana] I can't come because my mother is in hospital",
        ),
    ],
)
def test_what_a_letter_is_to_say_is_told_without_the_request(text, told):
    assert stated(text) == [told]


@pytest.mark.parametrize(
    "text",
    [
        "Email is the only way that I can reach my son",
        "Write a complaint about my landlord: he never fixes the heating in our flat",
        "Draft a card for my mum's 70th: she loves roses and lives in Bath",
    ],
)
def test_what_is_written_to_nobody_is_told_whole(text):
    assert stated(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Can you write me a poem about a man who lost his dog?",
        'Can you translate "my sister is ill" into French?',
        "Can you check whether I need a visa for Japan?",
    ],
)
def test_what_is_only_to_be_done_tells_nothing(text):
    assert stated(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Remember the Skoda? Forget it.",
        "Remember my job? Delete it",
        "You remember my old address. Delete it.",
        "Remember I told you about my ex. Forget all of it.",
        "Note: delete all you know about my ex.",
    ],
)
def test_an_order_to_forget_that_begins_with_remember_stays_one(text):
    assert read(text).act in (Act.FORGET, Act.DELETE_ABOUT)


def test_a_question_mark_within_a_word_stays():
    (one,) = stated("Please remember my network is sun?flower9")
    assert one == "My network is sun?flower9"


# -- reminders -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Remind me to buy stamps on Monday", "stamps"),
        ("Can you remind me tomorrow to call the vet about Nala's stitches?", "stitches"),
        ("Erinnere mich daran, dass ich Tom anrufe", "Tom"),
    ],
)
def test_what_one_wants_to_be_reminded_of_is_a_plan(text, told):
    reading = read(text)
    (one,) = reading.statements
    assert reading.act is Act.REMEMBER
    assert one.kind is StatementKind.PLAN
    assert told in one.text
    assert "?" not in one.text


@pytest.mark.parametrize(
    "text",
    [
        "remind me what's my landlord called",
        "remind me when I see the dentist",
        "remind me which pills to take",
        "Remind me if I have to take it with food",
        "Can you remind me again what to bring on Friday?",
    ],
)
def test_who_asks_to_be_reminded_what_was_said_asks(text):
    reading = read(text)
    assert reading.act is Act.ASK
    assert not reading.statements
