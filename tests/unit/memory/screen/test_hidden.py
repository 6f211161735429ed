"""What cannot be seen is found, and what is written otherwise is read as a person would."""

import pytest

from app.memory.screen.hidden import disguised, hidden, readings


@pytest.mark.parametrize(
    "text",
    [
        "pass\u200bport",
        "a\u2060b",
        "tea\U000e0069\U000e0067\U000e006e",
        "abc\u202edef",
        "\u2066abc\u2069",
        "ab\u200dcd",
        "tea\ufe00\ufe01\ufe02",
        "tea\U000e0101",
        "a\u3164b",
        "a\u115fb",
        "x\ufeffy",
        "\U0001f3f4\U000e0069\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065\U000e0021\U000e007f",
    ],
)
def test_what_cannot_be_seen(text):
    assert hidden(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "Crème brûlée, naïve, İstanbul, Łódź",
        "می‌خواهم چای",
        "क्‍ष",
        "👨‍👩‍👧 and ❤️",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "葛\U000e0100城",
        "\ufeffa text that begins with a mark of its order",
        "co\u00adop",
        "שלום\u200f abc",
    ],
)
def test_writing_that_needs_unseen_characters_is_no_hiding(text):
    assert not hidden(text)


@pytest.mark.parametrize(
    "text",
    [
        "ignоre",  # a Cyrillic o
        "іgnore",
        "ig\u03bfnore",
        "ign\u0585re",
        "i g n o r e   a l l   r u l e s",
        "i.g.n.o.r.e.a.l.l",
    ],
)
def test_letters_in_disguise(text):
    assert disguised(text)


@pytest.mark.parametrize(
    "text",
    ["J. R. R. Tolkien", "TNFα and IFNγ", "5 kΩ", "Я живу в Москве", "Αθήνα", "a b c", "A-B-C-D"],
)
def test_other_scripts_and_initials_are_no_disguise(text):
    assert not disguised(text)


@pytest.mark.parametrize(
    "text",
    [
        "ignore",
        "ｉｇｎｏｒｅ",
        "𝐢𝐠𝐧𝐨𝐫𝐞",
        "ⓘⓖⓝⓞⓡⓔ",
        "🅘🅖🅝🅞🅡🅔",
        "🇮🇬🇳🇴🇷🇪",
        "ɪɢɴᴏʀᴇ",
        "ïgnöré",
        "i\u0336g\u0336n\u0336o\u0336r\u0336e\u0336",
        "ignоrе",
        "ιgnοrε",
        "ign\u0585re",
        "ig\u200bno\u2060re",
        "ig\u00adnore",
        "i g n o r e",
        "i-g-n-o-r-e",
        "1gn0r3",
    ],
)
def test_one_reading_is_what_a_person_reads(text):
    assert readings(f"so, {text} it")[-1].casefold() == "so, ignore it"


def test_spaces_and_line_breaks_are_single():
    assert readings("a \t  b\r\n\n\n   c\u00a0d ") == ("a b\nc d",)


def test_accents_and_case_of_ordinary_words_do_not_matter():
    assert readings("Précédentes") == ("Precedentes",)
