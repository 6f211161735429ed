"""A name counts as somebody's once a memory has said whose it is, in whatever words."""

import pytest


@pytest.mark.parametrize(
    "introduction",
    [
        "My sister Zibo is a nurse.",
        "My best friend is called Zibo.",
        "My husband's name is Zibo.",
        "We have two children, Lotte and Zibo.",
        "We adopted a dog called Zibo.",
        "Zibo is my best friend.",
    ],
)
def test_who_was_introduced_is_known_from_then_on(desk, introduction):
    desk.tell("Zibo is afraid of thunder.")
    assert not any("thunder" in text for text in desk.texts())
    desk.tell(introduction)
    desk.tell("Zibo is afraid of thunder.")
    assert "Zibo is afraid of thunder" in desk.texts()


def test_what_only_stands_beside_a_person_is_no_name_of_theirs(desk):
    desk.tell("My sister moved to a town called Ghent.")
    desk.tell("Ghent is afraid of thunder.")
    assert not any("thunder" in text for text in desk.texts())
