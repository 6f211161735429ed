"""What is private is replaced, nothing of it is left, and all of it is put back."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.conversation.standins.atoms import atoms
from app.conversation.standins.standins import StandIns

KNOWN = ("Anna Kowalski", "Porto", "Will", "王小明")
PRIVATE = (
    "Anna", "ANNA", "Anna's", "the Kowalskis", "Ottokar Veldhoven", "McAllister", "Will said so",
    "+49 30 1234 5678", "030/1234567", "DE89 3704 0044 0532 0130 00", "DE89370400440532013000",
    "4111 1111 1111 1111", "o.veldhoven@gmx.net", "C01X00T47", "@anna_k", "@tarnwick_79", "王小明",
    "born on 14 March 1988", "my birthday is 14.03.1988", "my PIN is 4821",
    "14 Tarnow Street", "10437 Berlin", "my password is hunter2!",
)  # fmt: skip
PLAIN = (
    "I met", "yesterday.", "\n", "Python 3.11", "on 2026-11-28", "costs 1,000,000", "12.50",
    "and", "—", "said", "Monday", "x = 3", "```code```", "Is that so?", "Fernley", "Marlow",
)  # fmt: skip
TEXTS = st.lists(
    st.lists(
        st.one_of(st.sampled_from(PRIVATE), st.sampled_from(PLAIN), st.text(max_size=12)),
        max_size=12,
    ).map(" ".join),
    min_size=1,
    max_size=4,
)


@given(TEXTS, st.text(max_size=8))
@settings(max_examples=300, deadline=None)
def test_what_is_replaced_is_restored(texts, seed):
    stand_ins = StandIns(seed, KNOWN)
    sent = stand_ins.concealed(texts)
    assert [stand_ins.restored(text) for text in sent] == texts


@given(TEXTS, st.lists(st.integers(1, 7), min_size=1, max_size=9))
@settings(max_examples=200, deadline=None)
def test_an_answer_is_restored_however_it_is_split(texts, lengths):
    stand_ins = StandIns("talk", KNOWN)
    answer = " ".join(stand_ins.concealed(texts))
    pieces, at = [], 0
    while at < len(answer):
        length = lengths[len(pieces) % len(lengths)]
        pieces.append(answer[at : at + length])
        at += length
    assert "".join(stand_ins.revealed(pieces)) == stand_ins.restored(answer)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_a_stand_in_is_no_word_of_the_text(texts):
    stand_ins = StandIns("talk", KNOWN)
    said = {atom.text.casefold() for text in texts for atom in atoms(text) if atom.kind == "word"}
    sent = stand_ins.concealed([*texts, "I asked Anna and Ottokar Veldhoven."])
    for name in re.findall(r"[A-Z]\w+", sent[-1].removeprefix("I asked")):
        assert name.casefold() not in said


@pytest.mark.parametrize("private", PRIVATE)
def test_nothing_private_is_left(private):
    text = f"Please note that {private}. It matters."
    (sent,) = StandIns("talk", KNOWN).concealed([text])
    secret = re.search(
        r"anna|kowalski|veldhoven|mcallister|Will|1234|3704|4111|gmx|C01X|王|1988|4821|tarnow|10437"
        r"|hunter2",
        sent,
        re.IGNORECASE if "Will" not in private else 0,
    )
    assert secret is None, sent


def test_forms_of_a_name_stay_forms_of_one_name():
    (sent,) = StandIns("talk", KNOWN).concealed(["Anna's cat likes ANNA, said anna. Anna!"])
    name = sent.partition("'")[0]
    assert sent == f"{name}'s cat likes {name.upper()}, said {name.lower()}. {name}!"


def test_names_in_other_forms_than_were_sent_are_put_back():
    stand_ins = StandIns("talk", KNOWN)
    (sent,) = stand_ins.concealed(["Where does Anna live? Call +49 30 1234 5678."])
    name, number = sent.split()[2], sent.partition("+")[2].rstrip(".")
    answer = f"{name}s home; {name.upper()}’s number is {number.replace(' ', '')}."
    assert stand_ins.restored(answer) == "Annas home; ANNA’s number is 493012345678."


def test_the_same_stands_for_the_same_in_a_conversation_and_for_another_in_the_next():
    first = "My neighbour Ottokar called +49 30 1234 5678."
    (once,) = StandIns("talk", KNOWN).concealed([first])
    (again, _) = StandIns("talk", KNOWN).concealed([first, "Anna said hello to Ottokar."])
    (other,) = StandIns("another", KNOWN).concealed([first])
    assert once == again != other


@pytest.mark.parametrize(
    "text",
    [
        "How do I install Python 3.11 on Ubuntu? It was released on 2022-10-24.",
        "Ich habe den Termin beim Zahnarzt und muss nicht auf die Straße.",
        "On Monday 28 November 2026 it cost 1,000,000 or 12.50, between 1990-2000.",
        "Today is 28 Nov 2026. Is NASA in Germany?\n\n```\nMyClass = Thing()\n```",
        "Known about the user:\n1. 12 Jan 2026: I like salmon",
    ],
)
def test_what_is_nobodys_goes_as_it_is(text):
    assert StandIns("talk", KNOWN).concealed([text]) == [text]
