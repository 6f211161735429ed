"""Of what was said at once that holds on of which a newer statement tells nothing."""

import pytest

from app.memory.change import superseding
from app.memory.change.comparing import Compared, Relation
from tests.unit.memory.judging import Told


def test_the_year_of_a_date_that_was_noted_is_no_slip_of_another_year(desk):
    desk.tell("Infliximab closed my throat at the clinic in 2022.")
    (old,) = desk.all()
    chances = dict.fromkeys(Relation, 0.0) | {Relation.CONTRADICTS: 0.7}
    new = "I took my last dose at the clinic yesterday [9 November 2025]"
    assert not superseding.over(new, [Compared(old, chances)], said_to_change=True)


def test_what_points_back_to_what_changed_stays_with_its_name(desk):
    desk.models.understanding = Told((Relation.REPLACES, "neighbour", "moved away"))
    desk.tell("Piet is our neighbour in Delft, he has the spare key of our house.")
    desk.tell("Piet our neighbour in Delft moved away last week.")
    assert any(text.startswith("[Piet] has the spare key") for text in desk.texts())


@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [
        (
            "I'm allergic to nuts, eggs and latex.",
            "The egg allergy is gone, the test was negative.",
            "I'm allergic to nuts and latex",
        ),
        (
            "I take 5 mg of warfarin and 500 mg of metformin.",
            "The metformin is 1000 now.",
            "I take 5 mg of warfarin",
        ),
        (
            "I take metformin and apixaban every morning.",
            "I stopped the apixaban.",
            "I take metformin",
        ),
    ],
)
def test_of_several_values_only_the_one_that_changed_goes(desk, first, then, stays):
    """Read and judged as in the program."""
    desk.tell(first)
    desk.later(days=30)
    desk.tell(then)
    assert stays in desk.texts()
    assert first.rstrip(".") not in desk.texts()


def test_who_moves_out_of_a_place_goes_on_doing_what_they_do_there(desk):
    desk.tell("I teach chemistry at a school in Leeds.")
    desk.later(days=30)
    desk.tell("Moved out of Leeds in the end, I'm in Otley now.")
    assert "I teach chemistry at a school in Leeds" in desk.texts()


def test_what_matters_for_safety_stays_even_where_it_only_points_back(desk):
    """Read and judged as in the program."""
    said = "Mum takes a blood thinner, apixaban 5 mg, which is why nobody may give her ibuprofen."
    desk.tell(said)
    desk.later(days=30)
    desk.tell("Mum's apixaban is 2.5 mg now.")
    assert any("ibuprofen" in text for text in desk.texts())
