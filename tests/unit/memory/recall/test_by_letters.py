import numpy as np
import pytest

from app.memory.recall.by_letters import (
    SAMPLE,
    TextWords,
    alike,
    in_fragments,
    shared,
    unread,
    with_letters,
)
from app.memory.recall.late import Likeness
from app.memory.text.scripts import Term
from app.providers.base import Purpose


def pieces(embedder, text):
    return embedder.embed([text], Purpose.QUERY)[0].pieces


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("сестра", "сестрой", True),
        ("живу", "живет", True),
        ("море", "морковь", False),
        ("кот", "котлета", False),
        ("он", "она", False),
        ("он", "он", True),
    ],
)
def test_words_are_the_same_where_most_letters_are(one, other, same):
    assert alike(one, other) == alike(other, one) == same


def test_a_text_has_a_word_in_any_form():
    said = TextWords("Живём с СЕСТРОЙ в Казани, рядом Google上班")
    assert said.has(Term(("сестра",)))
    assert said.has(Term(("上班",)))
    assert not said.has(Term(("брат",)))
    assert said.has_latin("google")
    assert not TextWords("what is it").has_latin("what")


@pytest.mark.parametrize(
    "text",
    [
        "Какова скорость света?", "疫苗是怎么工作的？", "我是中国人吗？", "大学はどこですか",
        "나는 어디에 살아요?", "ฉันอยู่ที่ไหน", "أين أسكن؟", "Πού μένω;", "मैं कहाँ रहता हूँ?",
    ],
)  # fmt: skip
def test_the_bundled_embedder_cannot_read_other_scripts(embedder, text):
    flags = unread(pieces(embedder, text), lambda: pieces(embedder, SAMPLE))
    assert flags is not None
    assert flags.any()


def test_latin_words_beside_others_are_read(embedder):
    found = pieces(embedder, "Где Anna?")
    flags = unread(found, tuple)
    assert [piece for piece, no in zip(found, flags, strict=True) if not no] == ["▁anna", "▁?"]


@pytest.mark.parametrize(
    "spelled",
    [
        ("▁Какова", "▁скорость", "▁света", "?"),
        ("▁", "疫苗", "是", "怎么", "工作", "的", "？"),
        ("疫", "苗", "工", "作"),
        ("▁나는", "▁어디", "에", "▁살", "아", "요"),
        (),
    ],
)
def test_an_embedder_that_knows_the_script_is_trusted(spelled):
    assert unread(spelled, lambda: tuple(SAMPLE)) is None


def test_languages_that_the_embedder_hardly_knows_are_told_from_english(embedder):
    for text in ("Gdzie mieszkam?", "Aşılar nasıl çalışır?", "Tôi sống ở đâu?"):
        assert in_fragments(text, pieces(embedder, text)), text
    for text in (
        "Who is Krzysztof Wójcik?", "latest ordering day", "x86 vs arm64", "who is Beryl to me",
        "Siobhán Nguyễn?", "", "😀", "Где Anna?", "Comment fonctionnent les vaccins ?",
    ):  # fmt: skip
        assert not in_fragments(text, pieces(embedder, text)), text


def test_words_are_shared_in_any_form():
    found = shared("Gdzie studiuje moja siostra?", ["Moja siostra studiuje", "Z siostrą", "x"])
    assert found == pytest.approx([0.75, 0.25, 0])


def test_a_text_that_has_a_word_is_as_like_as_can_be(make_hit):
    hits = [make_hit(text="Где кот? У Anna кот."), make_hit(text="Где собака?")]
    known = np.full((1, 2), 0.25, np.float32)
    like = with_letters(
        Likeness(known, known, known), ["anna"], [Term(("кот",)), Term(("собака",))], hits
    )
    assert like.said.tolist() == [[1, 0.25], [1, 0], [0, 1]]
    assert like.told.tolist() == [[1, 0.25], [1, 0], [0, 0]]
    assert like.asked.tolist() == [[0.25, 0.25], [1, 0], [0, 1]]
