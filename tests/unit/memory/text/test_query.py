import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assets import resource
from app.memory.text import query


def test_only_content_words_are_looked_for_each_once():
    assert query.words("What is the name of my dog, the dog I walk?") == ["name", "dog", "walk"]
    assert query.match("Where's Ruth's salmon?") == '"s" OR "ruth" OR "salmon"'


def test_nothing_left_means_no_query():
    assert query.match("What is it that you do?") == ""
    assert query.match("?!") == ""


def test_quotes_and_operators_of_the_index_are_only_words():
    assert query.match('say "NEAR(a b)" AND x* -y ^z:') == (
        '"say" OR "near" OR "b" OR "x" OR "y" OR "z"'
    )


def test_other_scripts_keep_their_words():
    assert (
        query.match("Что я говорил о Берлине?") == '"что" OR "я" OR "говорил" OR "о" OR "берлине"'
    )
    assert query.words("cafe\u0301") == ["café"]


@given(st.text(max_size=300))
def test_any_text_makes_a_query_of_quoted_words(text):
    for part in query.match(text).split(" OR "):
        assert part == "" or (part[0] == part[-1] == '"' and '"' not in part[1:-1])
    assert len(query.words(text)) <= query.MAX_WORDS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What is keeping Keisha up?", ["Keisha"]),
        ("Did Anna, Ben or Anna call?", ["Anna", "Ben"]),
        ("What did I do last March in English?", []),
        ("Keisha is where?", []),
        ("WHERE DOES KEISHA LIVE", []),
        ("Welche Farbe hat mein Auto?", []),
        ("where does keisha live", []),
        ("What Is My Dog Called", []),
    ],
)
def test_names_are_read_from_capitals_inside_an_english_sentence(text, names):
    assert query.names(text) == names


@pytest.mark.parametrize("text", ["hi", "Thanks!", "ok great, thank you so much", "Good morning"])
def test_small_talk(text):
    assert query.is_small_talk(text)


@pytest.mark.parametrize("text", ["Who am I?", "thanks for the walnuts", "", "Where do I live?"])
def test_not_small_talk(text):
    assert not query.is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "what do you remember",
        "Who am I?",
        "Tell me about myself.",
        "What have I told you so far?",
        "Hey, what have you learned about me?",
    ],
)
def test_overview(text):
    assert query.is_overview(text)


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about Rome?",
        "What have I told you about me and Ruth?",
        "Who am I meeting?",
        "Tell me about Ruth",
    ],
)
def test_no_overview(text):
    assert not query.is_overview(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("walks", "walking"),
        ("walked", "walk"),
        ("parties", "party"),
        ("liked", "like"),
        ("loving", "loves"),
        ("stopped", "stop"),
        ("allergies", "allergy"),
        ("glasses", "glass"),
        ("moved", "moving"),
    ],
)
def test_forms_of_a_word_share_a_stem(one, other):
    assert query.stems(one) == query.stems(other)


def test_the_stems_wanted_are_those_of_a_texts_words():
    words = [w for name in ("bench/words.tsv", "reading/comparing.toml") for w in every(name)]
    words += ["dying", "lying", "skies", "cries", "by", "early", "aed", "yes", "'em", "é", "hoping"]
    text = " ".join(words)
    stems = query.stems(text)
    assert query.stems_among(stems, text) == stems
    for word in words:
        wanted = query.stems(word)
        assert query.stems_among(wanted, word) == wanted
        assert query.stems_among(["walk", "die"], word) == wanted & {"walk", "die"}


def every(name):
    return query.every_word(resource(name).read_text("utf-8"))
