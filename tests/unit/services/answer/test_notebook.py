"""Answers without a model as the person meets them: what is said to have happened did happen."""

from dataclasses import replace

import pytest

from app.conversation.notebook import (
    GREETING,
    MOST_TOLD,
    NOTHING_MEANT,
    ONLY_SAID,
    OTHER_LANGUAGES,
    UNKNOWN,
)
from app.domain.conversation import MemoryMode
from app.domain.receipt import ONLY_HERE
from app.domain.reply import NEEDS_MODEL, AnswerEvidence
from app.services.answer.notebook import NotebookService
from tests.fakes.habits import HABITS
from tests.fakes.openai_server import OpenAIServer
from tests.unit.services.notebook import CAR, NURSE, known, say, texts
from tests.unit.services.profile import learn

__all__ = ["known"]


def test_what_answers_is_quoted_in_one_line_and_numbered(known):
    answer = say(known, "Where do I work as a nurse?").text
    assert answer.startswith(f"“{NURSE}” (")
    assert answer.endswith(") [1]")
    assert "\n" not in answer


def test_what_took_the_place_of_what_answered_is_told_though_it_names_less(services):
    """Of the newer words none but the names of the older ones are in the question."""
    older, newer = "My ex, Paul, has Esme every second weekend", "Paul and I swapped, he has her"
    say(services, older)
    say(services, f"{newer} every weekend in January")
    told = say(services, "who has Esme at the weekends").text.split("\n\n")
    assert told[0].startswith(f"“{newer}")
    assert told[1].startswith(f"Before that: “{older}”")


def test_what_still_holds_of_what_changed_is_told_where_that_is_asked_for(services):
    say(services, "I'm allergic to nuts, eggs and latex.")
    say(services, "The egg allergy is gone, the test was negative.")
    assert say(services, "Am I allergic to latex?").text.startswith(
        "“I'm allergic to nuts and latex”"
    )


def test_each_of_two_questions_is_answered(services):
    say(services, "My blood group is 0 negative.")
    say(services, "I had a bad reaction to amoxicillin, hives everywhere.")
    told = say(services, "what's my blood group and what am I allergic to?").text
    assert "0 negative" in told
    assert "amoxicillin" in told


def test_how_somebody_is_asks_and_is_no_greeting(services):
    say(services, "Dad's surgery went fine, he's home since Thursday.")
    assert say(services, "how's my dad").text.startswith("“Dad's surgery went fine")


def test_a_question_right_after_an_order_takes_nothing_back(services):
    say(services, "Mein Auto, ein Passat, muss im März zum TÜV.")
    say(services, "Vergiss das mit dem Passat")
    assert texts(services) == []
    say(services, "Wie heißt mein Hund?")
    assert texts(services) == []


def test_a_correction_counts_anew_and_leaves_the_others_standing(services):
    say(services, "my niece Sofie is 7 and my nephew Bram is 4")
    say(services, "no wait, Bram is 5 already")
    kept = texts(services)
    assert any("Sofie is 7" in text for text in kept)
    assert not any("Bram is 4" in text for text in kept)


def test_of_what_somebody_moved_from_nothing_stays(services):
    sister = "My sister Clotilde sews the costumes. She lives in Dinant and has no car"
    say(services, f"{sister}, so every Friday I fetch the boxes.")
    say(services, "Clotilde has moved from Dinant to Ciney, close to the station.")
    assert not any("lives in Dinant" in text for text in texts(services))


def test_a_question_asked_before_does_not_answer_itself(services):
    asked = "quick, how many ml of epilim does Amahle get"
    say(services, "Amahle's epilim goes up to 7.5 ml twice a day from tonight.")
    first = say(services, asked).text
    assert "7.5 ml" in first
    assert say(services, asked).text == first


def test_what_was_never_told_is_not_known(services):
    assert say(services, "What is my sister called?").text == UNKNOWN


def test_what_is_of_the_persons_own_needs_no_model_to_be_unknown(services):
    assert say(services, "what's my favourite film?").text == UNKNOWN
    assert say(services, "how tall is the Eiffel tower?").text == NEEDS_MODEL


def test_what_was_said_and_never_kept_is_not_said_to_be_gone(services):
    said = "the wifi password is bluebell-7.5-otter"  # a point that ends no sentence
    assert say(services, said).text.startswith("Not kept.")
    learn(services)
    answer = say(services, "forget the wifi password")
    assert answer.text.startswith(ONLY_SAID)
    assert f"“{said}” (you said on" in answer.text


def test_forgetting_what_was_never_said_finds_nothing(known):
    assert say(known, "forget my locker code").text == NOTHING_MEANT


def test_a_name_that_stands_behind_others_words_stays_a_name(services):
    say(services, "hi! quick intro: Dave, 43, plumber in Leeds, two girls, Sophie and Chloe")
    learn(services)
    assert "dave" not in say(services, "what are my daughters called?").text


def test_a_small_vault_is_no_reason_to_tell_of_something_else(services):
    for text in ("I'm allergic to walnuts", "My sister Ana keeps bees"):
        services.memories.add(text)
    learn(services)
    assert say(services, "Where do I live?").text == UNKNOWN


def test_what_a_question_tells_by_the_way_does_not_answer_it(services):
    answer = say(services, "I've got a cold, which tablets do I have to leave alone?").text
    assert answer.startswith(UNKNOWN)


def test_what_asks_for_all_of_something_unsurely_is_answered_as_a_question(services):
    services.memories.add("I drive the Laredo run")
    learn(services)
    assert "Laredo" in say(services, "what run am i on right now").text


def test_a_conversation_that_does_not_read_is_told_nothing(known):
    talk = known.conversations.create(MemoryMode.OFF)
    assert NURSE not in say(known, "Where do I work as a nurse?", talk.id).text


def test_an_answer_does_not_repeat_the_order_to_remember_it(services):
    say(services, "Please remember that my locker code is 4711.")
    learn(services)
    assert say(services, "What is my locker code?").text.startswith("“My locker code is 4711”")


def test_work_needs_a_model(services):
    assert say(services, "Write me a poem about the autumn, please.").text == NEEDS_MODEL


def test_all_that_is_known_is_listed(known):
    answer = say(known, "What do you know about me?").text
    assert answer.startswith("What I know:")
    assert all(f"- “{text}” (" in answer for text in (CAR, NURSE))


def test_what_matters_for_safety_comes_first_of_all_that_is_known(known):
    known.memories.add("I'm allergic to penicillin.")
    known.memories.add("I sing in a choir on Mondays.")
    answer = say(known, "What do you know about me?").text
    assert answer.index("penicillin") < min(answer.index(text) for text in (CAR, NURSE, "choir"))


def test_a_model_is_not_asked_to_carry_out_an_order(known):
    with OpenAIServer() as server:
        known.library.choose_chat(f"server:{server.url}#fake")
        server.requests.clear()
        answer = say(known, "Forget that I drive a red Skoda.")
        assert answer.text.startswith(f"Forgotten: “{CAR}”")
        assert answer.model == "notebook"
        assert not [r for r in server.requests if r.path.endswith("/chat/completions")]
    assert texts(known) == [NURSE]


def test_no_other_order_is_left_to_a_model(known):
    """All that is known, all about somebody, and undo; the model would only claim to do it."""
    with OpenAIServer() as server:
        known.library.choose_chat(f"server:{server.url}#fake")
        server.requests.clear()
        told = say(known, "What do you know about me?")
        assert CAR in told.text
        about = say(known, "Delete everything you know about the Skoda.")
        assert texts(known) == [NURSE]
        undone = say(known, "Undo that.")
        assert {*texts(known)} == {CAR, NURSE}
        assert {told.model, about.model, undone.model} == {"notebook"}
        assert not [r for r in server.requests if r.path.endswith("/chat/completions")]


def test_questions_and_notes_in_another_language_are_taken_as_ever(services):
    italian = "Mio marito si chiama Paolo e fa l'idraulico da vent'anni."
    services.memories.add(italian)
    assert texts(services) == [italian]
    answer = say(services, "¿Cómo se llama mi marido? ¿Y come si chiama mio marito Paolo?").text
    assert OTHER_LANGUAGES not in answer


def test_what_is_known_is_cited_and_the_rest_is_found(services):
    for fact in HABITS[: MOST_TOLD + 2]:
        services.memories.add(fact)
    answer = say(services, "What do you know about me?")
    stored = services.conversations.recalls(answer.conversation_id)[answer.id]
    assert len(stored.cited) == len(stored.in_prompt) == MOST_TOLD
    assert len(stored.recall.hits) == MOST_TOLD + 2
    assert "[1]" in answer.text


def test_further_evidence_is_kept_with_the_answer_and_not_told(known, monkeypatch):
    real = NotebookService.reply

    def reply(self, talk, message):
        found = self._recaller.nominated(self._query(talk, message), 9).hits
        more = [AnswerEvidence(hit.text, hit, 0.5) for hit in found]
        return replace(real(self, talk, message), more=more)

    monkeypatch.setattr(NotebookService, "reply", reply)
    answer = say(known, "Where do I work as a nurse?")
    stored = known.conversations.recalls(answer.conversation_id)[answer.id]
    assert CAR not in answer.text
    assert [hit.text for hit in stored.recall.hits if hit.id in stored.in_prompt] == [NURSE]
    assert len({hit.id for hit in stored.recall.hits}) == len(stored.recall.hits) > 1


def test_a_vague_wish_to_be_told_something_is_no_order(known):
    assert "What I know" not in say(known, "Tell me something.").text
    assert "What I know" in say(known, "Show me everything you know.").text


def test_what_is_off_the_record_may_still_ask(known):
    answer = say(known, "Off the record, where do I work as a nurse?").text
    assert f"“{NURSE}” (" in answer
    assert ONLY_HERE in answer


def test_a_question_in_any_language_is_no_fact_and_is_answered(services):
    say(services, "Ich wohne in Kassel.")
    for _ in range(2):
        assert say(services, "Wo wohne ich?").text.startswith("“Ich wohne in Kassel” (")
    assert texts(services) == ["Ich wohne in Kassel"]


@pytest.mark.parametrize(
    "text", ["¿Dónde trabajo?", "Wouldn't it be funny if I were the King of France?"]
)
def test_a_question_is_not_greeted(services, text):
    assert say(services, text).text in (UNKNOWN, NEEDS_MODEL)
    assert texts(services) == []


def test_a_polite_question_is(services):
    assert say(services, "Hi, how are you today?").text == GREETING
