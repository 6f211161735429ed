import pytest

from app.conversation.citations import cited, numbers, without


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You are allergic to walnuts [1].", [1]),
        ("Two [2], both [1, 3], again [2].", [1, 2, 3]),
        ("Side by side [1][3]", [1, 3]),
        ("Not among them [4], not zero [0], not mixed [1, 9]", []),
        ("In code `a[1]` and\n```\nb[2]\n```\nbut here [3]", [3]),
        ("Unclosed\n```\nb[2]", []),
        ("A link [1](https://example.org) and a note [2]: x", []),
        ("none", []),
    ],
)
def test_numbers(text, found):
    assert numbers(text, 3) == found


def test_cited_ids_stand_in_the_order_of_their_numbers():
    assert cited("First [2], then [1].", ["a", "b", "c"]) == ["a", "b"]
    assert cited("Nothing was given [1].", []) == []


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("No walnuts [1].", "No walnuts."),
        ("No walnuts. [1, 2] In Ghent [1][3]!", "No walnuts. In Ghent!"),
        ("- walnuts [1]\n- `a [1]`", "- walnuts\n- `a [1]`"),
        ("a[1] and a link [1](https://example.org)", "a[1] and a link [1](https://example.org)"),
        ("none", "none"),
    ],
)
def test_without(text, bare):
    assert without(text) == bare
