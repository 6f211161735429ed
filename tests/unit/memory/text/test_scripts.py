import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.text import query, scripts
from app.memory.text.scripts import Term


def forms(text):
    return [term.forms for term in scripts.terms(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Какова скорость света?", ["скорость", "света"]),
        ("Где я живу?", ["живу"]),
        ("Πού μένω;", ["μένω"]),
        ("أين تدرس أختي؟", ["تدرس", "أختي"]),
        ("मैं कहाँ रहता हूँ?", ["रहता"]),
        ("나는 땅콩을 먹어요", ["땅콩을", "먹어요"]),
        ("Why is Анна late?", ["анна"]),
    ],
)
def test_words_that_hold_a_sentence_together_are_not_asked_for(text, words):
    assert forms(text) == [(word,) for word in words]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("疫苗是怎么工作的？", [("疫苗",), ("工作",)]),
        ("我的猫叫什么名字？", [("猫",), ("名字",)]),
        ("我能吃花生吗", [("吃花",), ("吃花", "花生"), ("花生",)]),
        ("私はどこに住んでいますか", [("住",)]),
        ("りんごは好きですか", [("りんご",), ("好",)]),
        ("แมวของฉันอยู่ที่ไหน", [("แมว",)]),
    ],
)
def test_scripts_without_spaces_are_read_in_pairs_or_threes(text, runs):
    assert forms(text) == runs


def test_a_character_is_had_with_one_beside_it_and_counts_as_half_a_word():
    assert scripts.terms("花生过敏") == (
        Term(("花生",), 0.5),
        Term(("花生", "生过"), 0.5),
        Term(("生过", "过敏"), 0.5),
        Term(("过敏",), 0.5),
    )
    assert scripts.terms("花生") == (Term(("花生",)),)
    assert scripts.terms("猫") == (Term(("猫",), 0.75),)


def test_the_index_is_asked_for_other_endings_and_for_words_written_onto_others():
    assert scripts.match("Где учится сестра?") == '"учит"* OR "сест"*'
    assert '"ב' in scripts.match("בנק")
    assert '"بالقاه"*' in scripts.match("القاهرة").split(" OR ")
    assert scripts.match("我住在哪里") == ""
    assert scripts.match("Где я в Paris?") == '"paris"'


def test_pieces_are_of_scripts_without_spaces_and_of_latin_words_among_them():
    assert scripts.pieces("Где учится сестра?") == ()
    assert scripts.pieces("我在Google上班吗") == ("google", "上班")
    assert (
        len(scripts.pieces("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏" * 3))
        <= query.MAX_WORDS
    )


def test_what_stands_without_spaces_is_set_apart():
    assert scripts.apart("我在Google上班").split() == ["我在", "Google", "上班"]
    assert scripts.latin("我在Google上班 и дома").split() == ["Google"]


@pytest.mark.parametrize(
    "text", ["Моя сестра", "我住在哪里", "妹はどこ", "나는 어디", "แมวของฉัน", "माँ कहाँ है", "папе"]
)
def test_a_question_may_say_whose_life_it_is_about(text):
    assert scripts.of_somebody(text) == (text != "папе")  # only as it stands in the list
    assert not scripts.of_somebody("Какова скорость света? 光速")


def test_a_question_may_ask_how_or_why():
    assert scripts.explaining("Как испечь хлеб?")
    assert scripts.explaining("怎样烤面包？")
    assert not scripts.explaining("Где хлеб?")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("القاهرة", "بالقاهرة"),
        ("בנק", "בבנק"),
        ("땅콩을", "땅콩"),
        ("부산에서", "부산"),
        ("αδερφή", "αδερφη"),
        ("мой", "мои"),
    ],
)
def test_articles_particles_and_accents_make_no_other_word(one, other):
    assert set(scripts.variants(scripts.bare(one))) & set(scripts.variants(scripts.bare(other)))


@given(st.text(alphabet=st.characters(max_codepoint=0x24F), max_size=80))
def test_what_is_written_in_latin_letters_is_read_as_ever(text):
    assert scripts.latin(text) == scripts.apart(text) == text
    assert scripts.match(text) == query.match(text)
    assert scripts.terms(text) == scripts.pieces(text) == ()


@given(st.text(max_size=200))
def test_any_text_makes_a_query_of_quoted_words(text):
    for part in scripts.match(text).split(" OR "):
        word = part.removesuffix("*")
        assert word == "" or (word[0] == word[-1] == '"' and '"' not in word[1:-1])
    assert all(term.forms and all(term.forms) for term in scripts.terms(text))
