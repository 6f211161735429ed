"""Messages as the shipped reader reads them: plain sentences, and any text at all."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.language.reading import Act, Change, StatementKind
from app.errors import ModelError
from app.memory.reading.reader import LONGEST, Reader
from tests.fakes.understanding import Understanding
from tests.unit.memory.reading.tagged import FRIDAY, said, tagged


def read(*messages):
    return Reader(Understanding).read([said(m) if isinstance(m, str) else m for m in messages])


def stated(message):
    return [one.text for one in read(message)[0].statements]


class Marked:
    """A network that says what it is told to, and remembers what it read."""

    def __init__(self, *marked, **more):
        self.marked, self.more, self.read_ = marked, more, []

    def read(self, messages):
        self.read_ += messages
        ones = [said(text, asked) for text, asked in messages]
        return [tagged(one, *self.marked, **self.more) for one in ones]


# -- plain sentences -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to walnuts",
        "I’m allergic to walnuts",
        "I work as a nurse in Leeds",
        "My sister Ana lives in Porto",
        "I'm diabetic",
        "My mother died in 2019",
        "J'habite à Lyon avec mon mari",
        "Je travaille comme infirmière à Paris",
        "Je suis allergique aux arachides",
        "Soy alérgica a los cacahuetes",
        "Vivo en Sevilla con mi marido",
        "Mi hermana se llama Ana",
        "Ich wohne mit meiner Frau in Leipzig",
        "Ich arbeite als Lehrerin in Hamburg",
        "Ich bin allergisch gegen Erdnüsse",
        "Ik woon met mijn vriend in Gent",
        "Ik werk als verpleegster in Utrecht",
        "Ik ben allergisch voor pinda's",
    ],
)
def test_a_plain_sentence_is_stated_in_its_own_words(text):
    assert stated(f"{text}.") == [text]


@pytest.mark.parametrize(
    "text",
    [
        "How tall is the Eiffel tower?",
        "Hello there!",
        "Thanks, that was helpful.",
        "Write a poem about the sea.",
        "Wie hoch ist der Eiffelturm?",
        "Danke, das hilft mir sehr!",
        "Hoe hoog is de Eiffeltoren?",
        "Bedankt, dat helpt me echt!",
        "¿Qué altura tiene la torre Eiffel?",
        "Escríbeme un poema sobre el mar.",
        "Quelle est la hauteur de la tour Eiffel ?",
        "Merci, ça m'aide beaucoup !",
        "",
        "   \n",
    ],
)
def test_what_tells_of_nobody_states_nothing(text):
    assert stated(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "i'm allergic to penicillin, can i take amoxicillin",
            ["I'm allergic to penicillin"],
        ),
        ("I moved to Ghent, where can I register my car", ["I moved to Ghent"]),
        ("how many of us at lunch on the 28th", []),
    ],
)
def test_of_what_asks_without_a_mark_only_what_it_tells_is_stated(text, told):
    assert stated(text) == told


def test_several_things_are_stated_each_as_a_whole_clause():
    text = "I'm vegetarian and my husband Joe is allergic to peanuts, can you suggest a dinner?"
    assert stated(text) == ["I'm vegetarian", "My husband Joe is allergic to peanuts"]


def test_an_allergy_is_a_matter_of_safety_and_a_job_is_not():
    allergy, job = read("I'm allergic to walnuts.", "I work as a nurse in Leeds.")
    assert [one.safety for one in (*allergy.statements, *job.statements)] == [True, False]
    assert all(one.kind is StatementKind.FACT for one in job.statements)


def test_an_allergy_among_other_things_is_a_matter_of_safety():
    text = "I'm Dara, 41, I teach maths in Cork and I'm allergic to shellfish."
    (reading,) = read(text)
    assert [one.safety for one in reading.statements] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I take 5 mg of lisinopril every morning",
        "I take metformin 500 mg twice a day",
        "My daughter has type 1 diabetes",
        "I have asthma",
        "My son Leo is allergic to peanuts",
        "My emergency contact is my sister Ana, 07700 900461",
        "If anything happens to me, call my brother Tom on 07700 900123",
        "In an emergency call my sister Ana on 07700 900461",
        "Nobody but me or Grandma is allowed to collect Mia from nursery",
        "Apart from us only Grandma may collect Mia from school",
        "My ex is not allowed to pick up Mia from school",
        "Ich bin allergisch gegen Erdnüsse",
        "Ik ben allergisch voor pinda's",
        "Soy alérgica a los cacahuetes",
        "Je suis allergique aux arachides",
    ],
)
def test_what_harm_may_come_of_is_marked(text):
    (reading,) = read(f"{text}.")
    assert [(one.text, one.safety) for one in reading.statements] == [(text, True)]


@pytest.mark.parametrize(
    "text",
    [
        "My favourite tea is Earl Grey",
        "I work as a nurse in Leeds",
        "I live in Ghent",
        "My sister Ana lives in Porto",
        "I play the viola in an amateur orchestra",
        "I own a boat called Wren",
        "Ich arbeite als Lehrerin in Hamburg",
        "Ik woon met mijn vriend in Gent",
        "Mi hermana se llama Ana",
    ],
)
def test_what_is_plainly_no_matter_of_safety_is_not_marked(text):
    (reading,) = read(f"{text}.")
    assert [(one.text, one.safety) for one in reading.statements] == [(text, False)]


def test_a_rule_is_one():
    (reading,) = read("From now on answer in short sentences.")
    assert reading.act is Act.INSTRUCT
    assert [one.kind for one in reading.statements] == [StatementKind.RULE]


def test_an_order_names_what_it_is_about():
    (reading,) = read("Forget about my allergy to walnuts.")
    assert reading.act is Act.FORGET
    assert reading.target == "my allergy to walnuts"


def test_acts_stand_in_order_and_their_chances_make_one():
    for reading in read("I work as a nurse in Leeds.", "Where do I live?", ""):
        chances = [chance for _, chance in reading.acts]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1, abs=1e-3)
        assert {act for act, _ in reading.acts} == set(Act)


def test_a_name_that_was_asked_about_stands_in_brackets():
    one = said("She is allergic to penicillin.", asked="So Mia starts school soon.")
    assert stated(one) == ["[Mia] is allergic to penicillin"]


def test_a_plan_for_tomorrow_has_its_date():
    (reading,) = read("I have a dentist appointment tomorrow at 3pm.")
    (one,) = reading.statements
    assert one.text == "I have a dentist appointment tomorrow [9 May 2026] at 3pm"
    assert one.occurred_at is not None
    assert one.occurred_at.date().isoformat() == "2026-05-09"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("How many children do you have?", "Two of them, Bo and Finn"),
        ("Where do you live?", "In Leeds, with my wife Petra"),
        ("What are you allergic to?", "Walnuts"),
    ],
)
def test_a_short_answer_follows_its_question(asked, answer):
    assert stated(said(f"{answer}.", asked=asked)) == [f"{asked} {answer}"]


def test_of_a_long_answer_the_question_at_its_end_is_read():
    recipe = "Mix the flour, the eggs and the sugar, then add the butter and bake it. " * 90
    one = said("Two of them, Bo and Finn.", asked=f"{recipe}How many children do you have?")
    assert stated(one) == ["How many children do you have? Two of them, Bo and Finn"]


def test_a_name_far_back_in_a_long_message_before_is_the_right_one():
    asked = f"{'We talked about the garden. ' * 300}My daughter Mia starts school."
    one = said("She is allergic to penicillin", asked=asked)
    models = Marked(one.text, refers=[("She", "My daughter Mia")])
    (reading,) = Reader(lambda: models).read([one])
    (found,) = reading.statements
    assert found.text == "[My daughter Mia] is allergic to penicillin"


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("No, wait, do keep the knee operation. I'd only forget it myself.", Act.UNDO),
        ("how many days a week do i work at the cafe now", Act.ASK),
        ("Keep in mind that I don't eat pork", Act.REMEMBER),
    ],
)
def test_what_is_taken_back_or_asked_states_nothing(text, act):
    (reading,) = Reader(Understanding).read([said(text)])
    assert reading.act is act
    assert bool(reading.statements) is (act is Act.REMEMBER)


# -- material --------------------------------------------------------------------------------------

FACT = "I live in Porto and I am allergic to walnuts."


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{FACT}\n```",
        f"> {FACT}",
        f"From: Ana\nTo: Bob\nSubject: hello\n\n{FACT}",
        f"def f(x):\n    return g(x == 1)  # {FACT}",
        f"2026-05-08 10:00:01 ERROR {FACT}",
        f"Can you fix this?\n\n```python\nprint('{FACT}')\n```",
        f"The poster says “{FACT}” in red.",
    ],
)
def test_code_and_mails_state_nothing_even_where_they_are_marked(text):
    assert stated(text) == []
    (reading,) = Reader(lambda: Marked(FACT.rstrip("."))).read([said(text)])
    assert reading.statements == ()


def test_what_is_typed_beside_material_counts():
    assert stated(f"My wife is called Petra.\n\n> {FACT}") == ["My wife is called Petra"]


def test_no_statement_is_widened_over_what_others_said():
    said = 'My wife Petra works in Leeds, and she wrote "I am leaving you tomorrow" on the wall'
    assert stated(said) == ["My wife Petra works in Leeds"]


def test_of_a_stretch_with_a_quotation_the_clauses_before_it_are_stated():
    text = "I live in Ghent, and she wrote “I am leaving you tomorrow” on the wall"
    (reading,) = Reader(lambda: Marked(text)).read([said(text)])
    assert [one.text for one in reading.statements] == ["I live in Ghent"]


# -- what becomes of marks -------------------------------------------------------------------------


def test_a_statement_carries_what_was_marked_and_where_it_stands():
    text = "Well, I gave up smoking yesterday, at last."
    models = Marked("I gave up smoking yesterday", kind=StatementKind.EVENT, change=Change.ENDS)
    (reading,) = Reader(lambda: models).read([said(text)])
    (one,) = reading.statements
    assert one.quote == text[one.start : one.end] == "I gave up smoking yesterday, at last"
    assert one.text == "I gave up smoking yesterday [7 May 2026], at last"
    assert (one.kind, one.change, one.safety) == (StatementKind.EVENT, Change.ENDS, False)
    assert one.occurred_at == FRIDAY.replace(day=7, hour=0)


def test_a_fact_has_no_day_of_its_own():
    text = "I have lived in Ghent since 2019"
    (reading,) = Reader(lambda: Marked(text)).read([said(text)])
    assert [(one.text, one.occurred_at) for one in reading.statements] == [(text, None)]


def test_only_the_beginning_of_a_message_and_the_end_of_what_came_before_are_read():
    models = Marked()
    long = "He is " + "a" * 9_000
    Reader(lambda: models).read([said(long, "b" * 9_000 + "?")])
    ((text, asked),) = models.read_
    assert len(text) == LONGEST
    assert asked[-1] == "?"
    assert len(asked) < LONGEST


def test_the_sentence_of_a_reader_that_is_missing_is_passed_on():
    class Missing:
        def read(self, messages):
            raise ModelError("The model that reads messages is missing.")

    with pytest.raises(ModelError, match="missing"):
        Reader(Missing).read([said("I live in Ghent.")])


# -- laws ------------------------------------------------------------------------------------------

SENTENCES = st.sampled_from(
    [
        "I'm allergic to walnuts.",
        "My sister Ana lives in Porto, she works as a nurse!",
        "well i moved to ghent yesterday and then i met him",
        "Ich wohne in Leipzig und arbeite als Lehrerin.",
        "Soy alérgica a los cacahuetes y vivo en Sevilla.",
        "J’habite à Lyon avec mon mari, il s’appelle Zoël.",
        "Ik woon in Gent.",
        "我住在上海,我对花生过敏。",
        "Я живу в Москве с сестрой Аней.",
        "أعيش في القاهرة مع أختي",
        "İstanbul'da yaşıyorum.",
        "저는 서울에 살아요.",
        "```code```",
        "> quoted",
        "34, on Monday (next week",
        "'",
        "“",
        "\n\n",
        "🦊🦊",
        "\u200b\u0301",
    ]
)
GARBAGE = st.text(alphabet=st.characters(), max_size=40)
TEXTS = st.lists(SENTENCES | GARBAGE, max_size=5).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_is_read_and_what_is_stated_stands_in_it(text, asked):
    (reading,) = read(said(text, asked))
    last = 0
    for one in reading.statements:
        assert one.quote == text[one.start : one.end]
        assert one.quote.strip()
        assert one.text.strip()
        assert last <= one.start
        last = one.end
        assert 0 < one.sure <= 1
    assert isinstance(reading.target, str)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.data())
def test_quotes_stand_in_the_message_whatever_is_marked(text, data):
    words = [word for word in text.split() if word.isalpha()]
    marked = data.draw(st.lists(st.sampled_from(words), max_size=4)) if words else []
    kind = data.draw(st.sampled_from(StatementKind))
    (reading,) = Reader(lambda: Marked(*marked, kind=kind)).read([said(text, "Who?")])
    for one in reading.statements:
        assert one.quote == text[one.start : one.end]
        assert one.quote in text


def test_messages_are_read_together_as_they_are_alone():
    ones = [
        said("I work as a nurse in Leeds."),
        said(""),
        said("Walnuts.", asked="What are you allergic to?"),
        said("She is allergic to penicillin.", asked="So Mia starts school soon."),
    ]
    alone = [read(one)[0] for one in ones]
    for one, together in zip(alone, read(*ones), strict=True):
        assert [s.text for s in one.statements] == [s.text for s in together.statements]
        assert one.act == together.act or replace(one, acts=()) == replace(together, acts=())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("please forget my ferritin was 8", True),
        ("Forget that my sister is called Ana", True),
        ("Vergiss bitte, dass ich in Leipzig wohne", True),
        ("Don't forget that my ferritin was 8", False),
        ("Kindly do not forget for me that the locker at the bank has the number 318.", False),
        ("I forget names all the time", False),
    ],
)
def test_whoever_begins_with_forget_wants_something_forgotten(text, wanted):
    (reading,) = Reader(Understanding).read([said(text)])
    assert (reading.act in (Act.FORGET, Act.DELETE_ABOUT)) is wanted
    assert not (wanted and reading.statements)
    assert sum(chance for _, chance in reading.acts) == pytest.approx(1, abs=1e-3)
