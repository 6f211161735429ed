"""Names are found in a text without any model, and words that merely open a sentence are not."""

import pytest

from app.memory.text.names import READ, mentioned


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("You met Ana Souza in Ghent", ("user", "Ana Souza", "Ghent")),
        ("Met Ana Souza today. Then Ruth called.", ("Ana Souza", "Ruth")),
        ("But we left. The train was late!", ()),
        ("Ana's brother works at Hilltop Bakery", ("Ana", "Hilltop Bakery")),
        ("my handle is @ruth_k, or write to ruth@example.org.", ("@ruth_k", "ruth@example.org")),
        ("he plays in “cold feet” and I saw \"the green door\"", ("cold feet", "the green door")),
        ("it's 5' 3\" and \"nobody has ever heard of so very long a thing\"", ()),
        ("the flat is free on 7 May 2026 or 2026-05-08", ("7 May 2026", "8 May 2026")),
        ("see you on 31 February 2026", ("user",)),
        ("Élodie und Zoë aßen", ("Zoë",)),
        ("ana and ruth", ()),
        ("I said I would", ()),
        ("", ()),
    ],
)  # fmt: skip
def test_mentioned(text, names):
    assert mentioned(text) == names


def test_a_name_is_listed_once_and_a_long_text_is_read_in_part():
    assert mentioned("saw Ana, told Ana") == ("Ana",)
    assert mentioned("word " * READ + "saw Ana") == ()
    assert len(mentioned(" and ".join(f"Ana{n}x" for n in range(99)))) <= 32
