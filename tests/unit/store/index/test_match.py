"""What a person types becomes a query that finds what they meant, or nothing."""

import pytest

from app.store.index import match


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("tea", '"tea"*'),
        ("green  tea ", '"green" "tea"*'),
        ('say "hi" (now) AND', '"say" """hi""" "(now)" "AND"*'),
        ("well-known -x", '"well-known" "-x"*'),
        ("tea &", '"tea"*'),
        ("a\x00b", '"a" "b"*'),
        ("\ud83d tea", '"tea"*'),
        ("", None),
        (" ?! ", None),
        ("東京", None),
        ("trip to 東京", None),
        ("Αθήνα", '"Αθήνα"*'),
    ],
)
def test_words(text, query):
    assert match.words(text) == query


def test_very_long_texts_are_cut():
    assert match.words("word " * 5000).count('"word"') == match.MAX_WORDS


def test_pieces_escape_what_like_would_read():
    assert match.pieces(r"50%  a_b \c") == [r"%50\%%", r"%a\_b%", r"%\\c%"]
    assert match.pieces(" ") == []


@pytest.mark.parametrize(
    ("text", "wanted", "marked"),
    [
        ("likes Tea a lot", "tea", "likes \u2068Tea\u2069 a lot"),
        ("likes tea", "coffee tea", "likes \u2068tea\u2069"),
        ("likes tea", "(", "likes tea"),
        ("likes tea", "", "likes tea"),
        ("İstanbul ŞEKER", "şeker", "İstanbul \u2068ŞEKER\u2069"),
    ],
)
def test_marked(text, wanted, marked):
    assert match.marked(text, wanted) == marked


def test_a_long_text_is_cut_around_the_match():
    shown = match.marked("x" * 500 + " tea " + "y" * 500, "tea")
    assert shown.startswith("…x")
    assert shown.endswith("y…")
    assert " \u2068tea\u2069 " in shown
    assert len(shown) < 100
