"""What a message states is heard in the light of what led up to it, and of nothing else."""

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.language.reading import Act
from app.domain.memory import MemoryType
from app.errors import ModelError
from tests.fakes.understanding import Understanding
from tests.unit.memory.conftest import Listening

GAME = "Let's play a game: you are a dragon and I am a knight."
ITALIAN = "Mia figlia è allergica alle noccioline e a scuola lo sanno tutti."
FOREIGN = [
    ITALIAN,
    "Papà prende due pastiglie per la pressione ogni mattina prima di colazione.",
    "Vår son pluggar juridik i Lund och kommer hem först till jul",
    "Aku nggak suka kopi pakai gula, pahit aja lebih enak.",
]


class Deaf(Understanding):
    def read(self, messages, *, urgent=False):
        raise ModelError("It does not answer.")


@pytest.fixture
def hear(desk):
    desk.models.understanding = Listening()

    def heard(message):
        return desk.remember.reader.read(desk.remember.reader.in_context(message), 1)

    return heard


def test_the_reader_is_given_what_was_asked(desk, hear):
    desk.say("My sister Ana lives in Porto.")
    desk.answer("How lovely. What does she do?")
    hear(desk.say("She works as a nurse."))
    asked = "How lovely. What does she do?"
    assert desk.models.understanding.given == [("She works as a nurse.", asked)]


@pytest.mark.parametrize("before", ["Hi.", "Thanks!", "What should I cook tonight?"])
def test_what_was_said_before_takes_nothing_from_what_is_said_now(desk, hear, before):
    desk.say(before)
    (found,) = hear(desk.say("I drive a Volvo.")).candidates
    assert found.text == "I drive a Volvo"


def test_what_is_pasted_is_given_to_nobody_as_the_persons_words(desk, hear):
    desk.say("Look: ", Part("I live in Oslo.", PartOrigin.PASTED))
    hear(desk.say("I live in Ghent.", Part("I am a baker.", PartOrigin.PASTED)))
    (given,) = desk.models.understanding.given
    assert "Oslo" not in "".join(given)
    assert "baker" not in "".join(given)


def test_what_loci_answers_without_a_model_asks_nothing(desk, hear):
    desk.messages.add(
        desk.talk.id,
        Role.ASSISTANT,
        [Part("Did you mean this as well?", PartOrigin.MODEL)],
        model="notebook",
        created_at=desk.now,
    )
    found = hear(desk.say("I'm allergic to walnuts."))
    assert desk.models.understanding.given[0][1] == ""
    assert [one.text for one in found.candidates] == ["I'm allergic to walnuts"]


def test_another_conversation_leads_up_to_nothing(desk, hear):
    desk.say("My sister Ana lives in Porto.")
    other = desk.conversations.create(1, created_at=desk.now)
    hear(desk.say("She works as a nurse.", talk=other))
    assert desk.models.understanding.given == [("She works as a nurse.", "")]


def test_a_rule_is_kept_as_it_was_said(hear, desk):
    (rule,) = hear(desk.say("From now on, always answer in Dutch.")).candidates
    assert rule.text == "From now on, always answer in Dutch"
    assert rule.type is MemoryType.PROCEDURAL
    assert rule.instruction
    assert rule.extra["explicit"]


def test_a_game_states_nothing_and_is_not_even_read(desk, hear):
    begun = hear(desk.say(GAME))
    assert begun.plays
    assert begun.candidates == ()
    desk.answer("Roar!")
    desk.models.understanding.given.clear()
    heard = hear(desk.say("I live in a castle in Wales."))
    assert (heard.typed, heard.candidates) == ("", ())
    assert desk.models.understanding.given == []


def test_another_language_states_nothing_and_what_is_done_with_the_message_is_still_told(
    desk, hear
):
    heard = [hear(desk.say(text)) for text in FOREIGN]
    assert any(one.reading.statements for one in heard), "the reader would make memories of them"
    assert all(one.foreign and one.candidates == () for one in heard)
    assert [one.typed for one in heard] == FOREIGN
    assert not hear(desk.say(f"My Italian homework: “{ITALIAN}” I got an A.")).foreign


def test_a_note_in_another_language_is_kept_as_it_stands(desk):
    note = desk.remember.reader.noted(ITALIAN, desk.now)
    assert (note.text, note.quote, note.type) == (ITALIAN, ITALIAN, MemoryType.SEMANTIC)
    assert note.extra == {"explicit": True}
    desk.remember.remember_text(ITALIAN, 1)
    desk.remember.remember_selection(desk.say("Jag tycker inte om koriander, det smakar tvål").id)
    assert desk.texts() == [ITALIAN, "Jag tycker inte om koriander, det smakar tvål"]


def test_where_the_reader_does_not_answer_that_is_said(desk, hear):
    desk.models.understanding = Deaf()
    with pytest.raises(ModelError):
        hear(desk.say("I live in Ghent."))


def test_a_note_has_the_words_it_was_written_in_and_what_was_read_of_it(desk):
    reader = desk.remember.reader
    note = reader.noted("I'm allergic to walnuts.", desk.now)
    assert (note.text, note.quote) == ("I'm allergic to walnuts.", "I'm allergic to walnuts.")
    assert note.tags == ("safety",)
    assert note.extra["explicit"]
    desk.models.understanding = Deaf()
    plain = reader.noted("I'm allergic to walnuts.", desk.now)
    assert (plain.text, plain.tags, plain.type) == (note.text, (), MemoryType.SEMANTIC)


def test_many_messages_are_heard_like_each_of_them(desk):
    messages = [
        desk.say("My sister Ana lives in Porto."),
        desk.answer("What does she do?"),
        desk.say("She is a nurse and works in a large hospital near the river."),
        desk.say(GAME),
        desk.answer("Roar!"),
        desk.say("I live in a castle in Wales."),
        desk.say("OK, back to normal. I'm allergic to walnuts."),
    ]
    reader = desk.remember.reader
    own = [said for said in reader.in_order(messages) if said.message.role is Role.USER]
    assert own == [reader.in_context(one.message) for one in own]
    each = [reader.read(said, 1) for said in own]
    assert reader.read_all([(said, 1) for said in own]) == each
    assert [bool(one.candidates) for one in each] == [True, True, False, False, True]
    assert each[0].reading.act in Act


def test_what_is_off_the_record_states_nothing_and_goes_to_no_model(desk, hear):
    found = hear(desk.say("I drive a Volvo, please don't save that."))
    assert (found.candidates, found.unkept, found.is_whole) == ((), True, True)
    assert desk.models.understanding.given[0][0] == "I drive a Volvo."


def test_an_order_alone_that_nothing_be_remembered_is_one_to_forget(desk, hear):
    desk.say("I drive a Volvo.")
    found = hear(desk.say("Please don't save that."))
    assert found.reading.act is Act.FORGET
    assert not found.candidates


def test_what_may_be_a_joke_is_in_doubt(desk, hear):
    assert hear(desk.say("I drive a Volvo. Just kidding!")).doubtful
    assert not hear(desk.say("I drive a Volvo lol")).doubtful
