import pytest

from app.domain.language.question import (
    asks,
    asks_in_form,
    asks_what,
    only_asks,
    questions,
    wants_work,
)


@pytest.mark.parametrize(
    "text",
    [
        "Where do I live?",
        "where do I live",
        "ok, so what is my dog called",
        "Tell me about Ruth",
        "I forgot. When is her birthday? I want to bake.",
        "你住在哪里？",
        'Did she say "maybe?"',
    ],
)
def test_asks(text):
    assert asks(text)


@pytest.mark.parametrize(
    "text", ["I live in Lisbon.", "", "hello", "My sister knows where it is", "http://a.b/?q=1"]
)
def test_does_not_ask(text):
    assert not asks(text)


@pytest.mark.parametrize(
    "text", ["Write a poem", "could you please translate this", "ok, help me plan a trip"]
)
def test_wants_work(text):
    assert wants_work(text)


@pytest.mark.parametrize("text", ["Plan B is to stay home.", "I write poems", "Where am I?"])
def test_wants_no_work(text):
    assert not wants_work(text)


@pytest.mark.parametrize(
    "text", ["Where did I park?", "Wow! Really? Who told you?", "Write a poem", "Hm. “Who?”"]
)
def test_only_asks(text):
    assert only_asks(text)


@pytest.mark.parametrize(
    "text", ["I parked on level 3. Right?", "I parked on level 3.", "", "Hello there!"]
)
def test_tells(text):
    assert not only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "Wo wohne ich",
        "und wo wohne ich",
        "Habe ich einen Hund",
        "Dónde trabajo",
        "Est-ce que j'habite à Lyon",
        "J'habite où",
        "Waar woon ik",
        "where do I live",
    ],
)
def test_what_asks_by_its_form_before_a_question_mark(text):
    assert asks_in_form(text)


@pytest.mark.parametrize(
    "text", ["Ich wohne in Kassel", "Und ich wohne in Kassel", "Weil ich krank bin", "Hallo", ""]
)
def test_what_tells_by_its_form_even_before_a_question_mark(text):
    assert not asks_in_form(text)


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        (
            "when's my mother coming and what should I not bake?",
            ["when's my mother coming", "what should I not bake?"],
        ),
        ("Where do I live? And who is my dentist?", ["Where do I live", "who is my dentist?"]),
        ("Wo wohne ich und wie heißt mein Hund?", ["Wo wohne ich", "wie heißt mein Hund?"]),
    ],
)
def test_questions_that_stand_together_are_told_apart(text, apart):
    assert questions(text) == apart


@pytest.mark.parametrize(
    "text",
    [
        "when and where do we meet",
        "Tell me when and where the meeting is",
        "I live in Ghent and when it rains I take the bus, ok?",
        "What is my name?",
        "what do I eat" + " " * 100_000 + "x",
        "",
    ],
)
def test_one_question_stays_one(text):
    assert questions(text) == [text]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Wie heißt mein Hund?", True),
        ("so what is my name", True),
        ("can you undo that?", False),
        ("", False),
    ],
)
def test_what_begins_with_a_word_that_asks_is_no_order(text, what):
    assert asks_what(text) is what
