"""Of several things that were said at once, those hold on that a newer statement is not about."""

import pytest

from app.memory.change.remainder import without_items
from app.memory.text.things import things


@pytest.mark.parametrize(
    ("older", "newer", "left"),
    [
        ("I'm allergic to nuts, eggs and latex", "The egg allergy is gone", "nuts and latex"),
        ("I take 5 mg of warfarin and 500 mg of metformin", "Metformin is 1000 now", "of warfarin"),
        ("I take 5 mg of warfarin and 500 mg of metformin", "Warfarin is 7 now", "of metformin"),
        ("I take metformin and apixaban every morning", "I stopped the metformin", "every morning"),
        (
            "Only Grandma Ruth or my brother Dan may pick her up",
            "Dan can't",
            "Ruth may pick her up",
        ),
        ("Call Jill on 555-0101 or Bob on 555-0102", "Bob's number is 555-0199", "on 555-0101"),
        ("Call Jill on 555-0101 or Bob on 555-0102", "Jill has moved", "Bob on 555-0102"),
        ("I have two cats, Milo and Otis", "Otis died", "cats, Milo"),
        ("My kids are Ida (9) and Jon (5)", "Jon is 6 now", "My kids are Ida (9)"),
        ("I play the viola and the piano", "I gave up the viola", "I play the piano"),
        ("Eggs and latex", "The egg allergy is gone", "Latex"),
        (
            "Team: Priya (design), Sam (backend), Oli (QA)",
            "Priya left",
            "Team: Sam (backend), Oli (QA)",
        ),
    ],
)
def test_what_the_newer_one_is_not_about_stays(older, newer, left):
    found = without_items(older, things(newer), things)
    assert found.endswith(left)
    assert not things(newer) & things(found)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I take apixaban, 5 mg in the morning and 5 mg in the evening", "Apixaban is 2.5 mg now"),
        ("My sister Ana, a nurse, and her husband Rui moved to Porto", "Ana lives in Lisbon now"),
        ("My doctor is Dr Pilch and my dentist is Dr Pilarska", "Dr Pilch retired"),
        ("I work at Acme and live in Ghent", "I left Acme"),
        ("I take metformin and apixaban", "I stopped smoking"),
        ("I take metformin and apixaban", "I stopped metformin and apixaban"),
        ("I live in Leeds", "I left Leeds"),
        ("My address: Elm Street 5, Ghent, Belgium", "I live in Oak Street 9, Ghent now"),
        ("Our dentist: Haddad, Ghent", "Our dentist is Lee in Ghent now"),
    ],
)
def test_what_is_no_list_or_goes_as_a_whole_is_left_to_others(older, newer):
    assert without_items(older, things(newer), things) == ""
