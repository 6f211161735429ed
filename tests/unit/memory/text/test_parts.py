"""A statement that says several things is cut where each can hold without the others."""

import pytest

from app.memory.text.parts import parts, without


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "I have atrial fibrillation and for this I take apixaban, 5 mg in the morning",
            [
                "I have atrial fibrillation",
                "For this I take apixaban, 5 mg in the morning",
            ],
        ),
        (
            "I take telmisartan 40 mg for my blood pressure and glimepiride 1 mg before breakfast",
            [
                "I take telmisartan 40 mg for my blood pressure",
                "Glimepiride 1 mg before breakfast",
            ],
        ),
        ("I take 5 mg in the morning and in the evening", None),
        ("I work with Ana and Bob", None),
        ("We live in the old house, which my grandfather built", None),
    ],
)
def test_a_statement_is_cut_where_both_sides_can_stand(text, found):
    assert parts(text) == (found or [text])


def test_what_is_left_is_what_does_not_hang_on_what_is_over():
    said = ["I have a dog", "He gets tablets every day", "My sister Ana has two cats"]
    assert without(". ".join(said), said, [True, False, False]) == "My sister Ana has two cats"
    assert (
        without(". ".join(said), said, [False, True, False])
        == "I have a dog. My sister Ana has two cats"
    )


def test_where_everything_is_over_or_nothing_is_nothing_is_left():
    assert (
        without(
            ". ".join(["I have a dog", "It barks"]), ["I have a dog", "It barks"], [True, False]
        )
        == ""
    )
    assert (
        without(
            ". ".join(["I have a dog", "My cat purrs"]),
            ["I have a dog", "My cat purrs"],
            [False, False],
        )
        == ""
    )


def test_what_goes_on_about_the_same_person_after_a_comma_is_a_part():
    said = "[Ana] has epilepsy, gets 5 ml of syrup twice a day"
    assert parts(said) == ["[Ana] has epilepsy", "Gets 5 ml of syrup twice a day"]
    assert without(said, parts(said), [False, True]) == "[Ana] has epilepsy"


def test_days_of_one_time_are_no_parts():
    said = "Moira fetches Isla on Tuesdays and Thursdays, nobody else, not even my sister"
    assert all(not part.startswith("Thursdays") for part in parts(said))


def test_what_matters_for_safety_is_cut_as_finely_as_it_can_be():
    said = "She's got asthma, blue inhaler before PE and the brown one at night, two puffs"
    found = parts(said, fine=True)
    assert found == [
        "She's got asthma",
        "Blue inhaler before PE",
        "The brown one at night, two puffs",
    ]
    left = without(said, found, [False, False, True])
    assert left == "She's got asthma, blue inhaler before PE"


def test_a_word_between_commas_keeps_nothing_together_and_how_often_is_no_part():
    said = "I've got a slipped disc, L5, physio says no lifting over 5 kilos till March"
    left = without(said, parts(said, fine=True), [False, True])
    assert left == "I've got a slipped disc, L5"
    assert parts("Metformin, 500 mg, twice a day", fine=True) == ["Metformin, 500 mg, twice a day"]


def test_a_title_ends_no_part():
    said = "In 2019 Dr. Menon put in a pacemaker. MRI is forbidden"
    assert parts(said, fine=True) == ["In 2019 Dr. Menon put in a pacemaker", "MRI is forbidden"]


def test_what_points_back_to_what_is_over_goes_with_it():
    said = ["My boss is Dr Anand", "She's lovely but she never answers", "Tom Brodie takes over"]
    assert without(". ".join(said), said, [True, False, False]) == "Tom Brodie takes over"
    assert (
        without(
            ". ".join(["I take 5 mg at noon", "With food or it burns"]),
            ["I take 5 mg at noon", "With food or it burns"],
            [True, False],
        )
        == ""
    )


def test_a_question_alone_is_nothing_that_holds_on():
    said = parts("Do you live close to the hospital? Headingley with Callum. I walk to work")
    assert without(" ".join(said), said, [False, True, False]) == "I walk to work"
    assert without(" ".join(said[:2]), said[:2], [False, True]) == ""
    held = without(" ".join(said), said, [False, False, True])
    assert held == "Do you live close to the hospital? Headingley with Callum"


def test_letters_that_grow_when_made_small_move_nothing():
    text = "İpek and İrem live in İzmir now. My brother Ali sells boats. My sister Ana has two cats"
    assert without(text, parts(text), [False, False, True]) == (
        "İpek and İrem live in İzmir now. My brother Ali sells boats"
    )


@pytest.mark.parametrize(
    "text",
    [
        "My colleague Ana and I are taking 9B to the mountains",
        "I take metformin 500 mg after breakfast, again after dinner",
    ],
)
def test_what_says_nothing_alone_is_no_part(text):
    assert parts(text) == [text]


def test_another_clause_with_its_own_subject_is_a_part():
    text = "The big job is St Martin's, 1,840 pipes, and the parish wants it playing by 11 November"
    assert parts(text) == [
        "The big job is St Martin's, 1,840 pipes",
        "The parish wants it playing by 11 November",
    ]
    assert parts("I have two dogs and the cat") == ["I have two dogs and the cat"]
    assert parts("Noor plays the oboe, Wies does judo") == ["Noor plays the oboe", "Wies does judo"]
    assert parts("Felix is in Jena now, studies physics") == [
        "Felix is in Jena now",
        "Studies physics",
    ]
    assert len(parts("I collect old maps, drives and discs")) == 1
    assert len(parts("I take aspirin, works well")) == 1
    assert parts("Who is Ana? ") == ["Who is Ana?"]
    assert parts("I'm 41 and live in Leeds") == ["I'm 41", "Live in Leeds"]


def test_what_goes_on_about_somebody_goes_with_whoever_it_is_about():
    text = "Jules is my boyfriend, works at the aquarium with the penguins. Sam has a cat"
    said = parts(text)
    assert said[1] == "Works at the aquarium with the penguins"
    assert without(text, said, [True, False, False]) == "Sam has a cat"
    own = "I have atrial fibrillation and take apixaban, 5 mg"
    assert without(own, parts(own), [True, False]) == "Take apixaban, 5 mg"


def test_what_speaks_of_whom_only_the_part_that_is_over_names_goes_with_it():
    text = "My boss Graham is retiring in March and I think I might get his job"
    said = parts(text)
    assert len(said) == 2
    assert without(text, said, [True, False]) == ""
    text = "My boss Graham is retiring in March and I want my own company"
    assert without(text, parts(text), [True, False]) == "I want my own company"


def test_what_goes_on_with_the_verb_of_what_is_over_keeps_it():
    text = "I'm on naproxen 500 twice a day and omeprazole so it doesn't eat my stomach"
    rest = without(text, parts(text), [True, False])
    assert rest == "[I'm on] omeprazole so it doesn't eat my stomach"


def test_only_but_takes_somebody_out_of_what_is_said():
    assert len(parts("Nobody fetches June from school but me and Ann")) == 1
    text = "We lost the old dog Saturday, no pain in it. Emrys stood there while Steffan dug"
    assert parts(text)[-1] == "Emrys stood there while Steffan dug"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("I'm at my cousin's until June, completion is on the 11th", "Completion is on the 11th"),
        ("I lead the choir, Winifred has the low C", "Winifred has the low C"),
        ("We go on Tuesdays, twice a month", "We go on Tuesdays, twice a month"),
        ("She likes figs, ripe ones, never dry", "She likes figs, ripe ones, never dry"),
    ],
)
def test_a_clause_with_a_name_or_a_noun_and_its_verb_is_a_part(text, last):
    assert parts(text)[-1] == last


def test_what_points_back_to_what_is_over_stays_with_the_name_where_that_is_known():
    said = "Piet was a baker. He is our neighbour and he has the spare key"
    found = parts(said)
    named = ["Piet was a baker", "[Piet] is our neighbour", "[Piet] has the spare key"]
    left = without(said, found, [True, False, False], named)
    assert left == "[Piet] is our neighbour and he has the spare key"
    assert without(said, found, [True, False, False]) == ""


def test_a_date_that_was_noted_parts_no_verb_from_its_subject():
    said = "I take 40 mg every morning, and in September [September 2025] I fly to Melbourne"
    assert parts(said)[-1] == "In September [September 2025] I fly to Melbourne"
