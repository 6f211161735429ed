"""What the shipped judge takes for a change, in everyday words, and what it leaves beside.

Nothing here is told to the judge. Each pair is said three months apart, and the reader, the judge
and the rules of words decide together, as they do in the program.
"""

import pytest

from app.domain.memory import Status
from app.domain.reply import StatementOutcome
from app.providers.judging import Task
from tests.fakes.understanding import Understanding


class Watched(Understanding):
    """The real judge, and what it was asked to compare."""

    def __init__(self):
        self.compared = []

    def judge(self, task, pairs):
        if task is Task.COMPARE:
            self.compared += pairs
        return super().judge(task, pairs)


@pytest.fixture
def told(desk):
    """Say one thing and later another; return what was known first, and what was learnt then."""
    desk.models.understanding = Watched()

    def tell(first, then):
        desk.tell(first)
        (old,) = desk.all()
        desk.later(days=90)
        learned = desk.tell(then)
        return desk.memories.get(old.id), learned

    return tell


CHANGES = {
    "cancelled": [
        (
            "I have a dentist appointment on 3 June.",
            "My dentist appointment on 3 June was cancelled.",
        ),
        ("Our trip to Lisbon in July is booked.", "Our trip to Lisbon in July is cancelled."),
        ("I have a gym membership at PureGym.", "I cancelled my gym membership at PureGym."),
        ("My Spanish course starts on Monday evening.", "My Spanish course was cancelled."),
        ("We're going to a concert on 12 August.", "The concert on 12 August was cancelled."),
    ],
    "moved to": [
        (
            "The team meeting is on Tuesdays at 10.",
            "The team meeting has been moved to Thursdays at 10.",
        ),
        (
            "Leo's football practice is on Wednesdays.",
            "Leo's football practice was moved to Fridays.",
        ),
        ("My knee surgery is on 4 September.", "My knee surgery was moved to 18 September."),
        ("Our flight to Oslo leaves at 9:40.", "Our flight to Oslo was moved to 11:15."),
        ("We live in Ghent.", "We moved to Antwerp and live there now."),
        (
            "My brother Tom lives in Bristol.",
            "My brother Tom has moved to Cardiff, he lives there now.",
        ),
    ],
    "I was wrong": [
        ("The wedding is on 5 May.", "I was wrong, the wedding is on 6 May."),
        ("My blood type is A positive.", "I was wrong about my blood type, it's O positive."),
        ("Our cat Minka is seven years old.", "I was wrong, our cat Minka is eight years old."),
        (
            "The spare key is under the flowerpot.",
            "I was wrong, the spare key is in the shed, not under the flowerpot.",
        ),
        ("My boss is called Petra.", "I was wrong, my boss is called Paula, not Petra."),
        ("I was born in Hull.", "I was wrong, I was born in Beverley, not in Hull."),
    ],
    "instead": [
        (
            "I take 2 units of insulin at breakfast.",
            "I take 3 units of insulin at breakfast instead of 2.",
        ),
        ("I drink coffee in the morning.", "I drink tea in the morning instead of coffee."),
        ("I go to work by car.", "I take the train to work instead of the car now."),
        ("I'm learning Italian.", "I'm learning Portuguese instead of Italian now."),
        (
            "My daughter Mia plays the piano.",
            "My daughter Mia plays the violin now instead of the piano.",
        ),
        (
            "Book club meets at Ada's house.",
            "Book club meets at Ruth's house now instead of Ada's.",
        ),
    ],
    "no longer": [
        ("I smoke ten cigarettes a day.", "I no longer smoke."),
        ("We have a dog called Rex.", "We no longer have a dog, Rex died in March."),
        ("I'm vegetarian.", "I'm no longer vegetarian."),
        (
            "My daughter goes to Hillside primary school.",
            "My daughter no longer goes to Hillside primary school.",
        ),
        ("I own a boat called Wren.", "I no longer own a boat, I sold Wren."),
        ("My therapist is Dr Kim.", "My therapist is no longer Dr Kim, it's Dr Patel."),
        ("My girlfriend is called Sam.", "Sam is no longer my girlfriend."),
    ],
    "in other words": [
        ("I'm married to Joe.", "Joe and I are divorced."),
        ("My gran lives in a care home in Hull.", "My gran died in April."),
        ("I bank with Barclays.", "I switched from Barclays to Monzo."),
        ("My rent is 850 euros.", "My rent is 900 euros now."),
        ("My phone number is 07700 900461.", "My new phone number is 07700 900555."),
        (
            "I take 5 mg of bisoprolol every morning.",
            "I take 10 mg of bisoprolol every morning now.",
        ),
    ],
}  # fmt: skip

BESIDE = {
    "two children": [
        ("My daughter Mia is seven.", "My son Leo is nine."),
        (
            "My daughter Mia plays the piano.",
            "My son Leo plays the violin now instead of the trumpet.",
        ),
        ("Mia is allergic to peanuts.", "Leo is allergic to eggs."),
        (
            "My daughter Mia has swimming lessons on Mondays.",
            "My son Leo's swimming lessons were moved to Thursdays.",
        ),
        (
            "My daughter Mia goes to Hillside primary school.",
            "My son Leo no longer goes to Hillside primary school.",
        ),
    ],
    "one more": [
        (
            "Only Signe, me and Birgit may collect Oskar from the kindergarten.",
            "Jesper, the boyfriend, may now fetch Oskar as well, on Tuesdays only.",
        ),
    ],
    "two jobs": [
        ("I work at the bakery in the mornings.", "I work at the library in the evenings."),
        (
            "I work at the bakery in the mornings.",
            "I no longer work at the library in the evenings.",
        ),
        ("My first job is at the bakery.", "My second job is at the library."),
        ("My wife works as a nurse.", "I work as a teacher."),
    ],
    "two medicines": [
        (
            "I take 5 mg of bisoprolol every morning.",
            "I take 500 mg of metformin every evening.",
        ),
        (
            "I take 5 mg of bisoprolol every morning.",
            "I take 1000 mg of metformin now instead of 500 mg.",
        ),
        ("I take 5 mg of bisoprolol every morning.", "I no longer take metformin."),
        ("Mum takes 75 mg of aspirin a day.", "Dad takes 5 mg of warfarin a day."),
        ("My wife takes 75 mg of aspirin a day.", "My father takes 100 mg of aspirin a day now."),
        ("I'm allergic to penicillin.", "I was wrong, I'm not allergic to latex."),
    ],
    "what a medicine did, and the end of another": [
        (
            "Infliximab closed my throat and tanked my blood pressure in 2022.",
            "I took my last prednisone yesterday.",
        ),
    ],
    "whom to call, and what they may do": [
        (
            "My emergency contact is my brother Sipho, 071 555 0163.",
            "My brother Sipho may fetch her now, he has his own car.",
        ),
    ],
    "two of other things": [
        ("I have a dentist appointment on 3 June.", "My eye appointment on 10 June was cancelled."),
        ("Our trip to Lisbon is in July.", "Our trip to Oslo in December was cancelled."),
        (
            "The team meeting is on Tuesdays at 10.",
            "The choir practice was moved to Thursdays at 7.",
        ),
        ("Our dog Rex is five years old.", "I was wrong, our cat Minka is six years old."),
        ("My brother works at Siemens.", "My sister no longer works at Bosch."),
        ("My sister Ana lives in Porto.", "My brother Tom lives in Bristol."),
        ("I drive a red Skoda.", "My husband drives a blue Fiat."),
        ("My birthday is on 5 May.", "Mia's birthday is on 6 May."),
        ("Netflix costs me 12 euros a month.", "Spotify costs me 10 euros a month."),
        ("Mum's phone number is 07700 900461.", "Dad's phone number is 07700 900555."),
        ("I rent a garage in Leeds.", "I gave up the office in York."),
        ("I speak Dutch.", "I speak French."),
    ],
}  # fmt: skip


def each(pairs):
    return [
        pytest.param(*pair, id=f"{kind}-{number}")
        for kind, all_ in pairs.items()
        for number, pair in enumerate(all_)
    ]


@pytest.mark.parametrize(("first", "then"), each(CHANGES))
def test_what_is_said_to_have_changed_takes_the_place_of_what_was(desk, told, first, then):
    old, learned = told(first, then)
    assert (old.status, old.valid_to) == (Status.SUPERSEDED, desk.now)
    assert old.text not in desk.texts()
    updated = [one for one in learned.became if one.outcome is StatementOutcome.UPDATED]
    assert [one.was for one in updated] == [old.text]
    assert old.superseded_by in {memory.id for memory in desk.all() if memory.text in desk.texts()}


@pytest.mark.parametrize(("first", "then"), each(BESIDE))
def test_what_is_said_of_another_replaces_nothing(desk, told, first, then):
    old, learned = told(first, then)
    assert desk.models.understanding.compared, "the judge was asked about the two"
    assert (old.status, old.valid_to, old.conflicted) == (Status.ACTIVE, None, False)
    (new,) = [memory for memory in desk.all() if memory.id != old.id]
    assert (new.status, new.conflicted) == (Status.ACTIVE, False)
    assert [one.outcome for one in learned.became] == [StatementOutcome.REMEMBERED]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I take 5 mg of lisinopril every morning.", "It is 10 mg of lisinopril every day."),
        ("My insulin is 2 units at breakfast.", "My insulin is 3 units at breakfast."),
        ("My son Leo is 6.", "Leo turned 7 on Sunday."),
        ("Married since 2012 to Anja.", "Anja and I are separating."),
    ],
)
def test_the_newer_of_two_that_cannot_both_hold_is_right_though_it_says_no_change(
    told, first, then
):
    old, _ = told(first, then)
    assert old.status is Status.SUPERSEDED


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I've been married since 2012.", "We said we're separating first, before any divorce."),
        ("I'm single.", "I got engaged last week."),
        ("I'm single.", "I'm married to Jonas."),
        ("I have no dog.", "I have a dog."),
    ],
)
def test_of_what_may_be_over_both_stay_and_the_person_is_asked(desk, told, first, then):
    old, learned = told(first, then)
    new = next(memory for memory in desk.all() if memory.id != old.id)
    for memory in (old, new):
        assert (memory.status, memory.conflicted) == (Status.ACTIVE, True)
    assert learned.became[0].outcome is StatementOutcome.REMEMBERED


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I've been married since 2012.", "My parents are separating."),
        ("I'm married to Tom.", "My sister is divorced."),
        ("I was married to Ana until 2009.", "I'm single."),
        ("I'm 41.", "My sister is 39."),
        ("I'm 41.", "I ran 42 km on Sunday."),
        ("I'm 41.", "My dose is 10 now."),
        ("My daughter Lea is 6.", "My daughter Mia is 8."),
        ("I'm married to Tom.", "I have a single bed."),
        ("I didn't smoke.", "I smoke."),
    ],
)
def test_what_is_told_of_somebody_else_or_of_the_past_speaks_against_nothing(told, first, then):
    old, _ = told(first, then)
    assert (old.status, old.conflicted) == (Status.ACTIVE, False)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Grandma may collect Mia from school.", "Aunt Ruth may collect Mia from school."),
        ("My emergency contact is Ana, 0721 555 010.", "My emergency contact is Tom Berger."),
        ("I'm allergic to penicillin.", "I'm allergic to walnuts."),
        ("I take aspirin in the morning.", "I take metformin in the morning."),
        (
            "I take 100 mcg of levothyroxine on weekdays.",
            "I take 150 mcg of levothyroxine on weekends.",
        ),
        ("My insulin is 4 units at breakfast.", "My insulin is 6 units at dinner."),
        (
            "Mia takes 5 ml of amoxicillin in the morning.",
            "Mia takes 10 ml of amoxicillin in the evening.",
        ),
        ("I take 1 tablet of metformin at breakfast.", "I take 2 tablets of metformin at dinner."),
        ("Aunt Ruth may collect Mia at 3.", "Grandma may collect Mia at 5."),
        ("My prednisone is 20 mg on Mondays.", "My prednisone is 10 mg on Tuesdays."),
    ],
)
def test_what_matters_for_safety_gives_way_to_no_other_that_does_not_say_so(told, first, then):
    old, _ = told(first, then)
    assert old.status is Status.ACTIVE


@pytest.mark.parametrize(
    ("first", "then", "status"),
    [
        ("I also have a dentist in Lille, Dr. Claes.", "Dr. Maes is my dentist.", Status.ACTIVE),
        ("I work at the bakery as well.", "I work at the library.", Status.ACTIVE),
        (
            "I also have a dentist in Lille, Dr. Claes.",
            "My dentist in Lille is no longer Dr. Claes but Dr. Roux.",
            Status.SUPERSEDED,
        ),
        (
            "I also have a dentist in Lille, Dr. Claes.",
            "My dentist in Lille is Dr. Roux.",
            Status.SUPERSEDED,
        ),
        ("My sister also works at Acme.", "My sister works at KBC.", Status.SUPERSEDED),
        (
            "I also take 5 mg of lisinopril every morning.",
            "It is 10 mg of lisinopril every day.",
            Status.SUPERSEDED,
        ),
    ],
)
def test_what_came_beside_gives_way_only_to_what_says_so_or_names_it(told, first, then, status):
    old, _ = told(first, then)
    assert old.status is status


def test_what_names_the_same_thing_is_found_however_little_it_is_like_it(desk, told):
    old, learned = told(
        "My back is shot from the wheel, the doctor said L5, I'm on naproxen 500 twice a day and"
        " omeprazole so it doesn't eat my stomach.",
        "The naproxen is now only once a day, in the evening.",
    )
    assert old.status is Status.SUPERSEDED
    assert [one.was for one in learned.became if one.outcome is StatementOutcome.UPDATED] == [
        old.text
    ]
    (rest,) = [text for text in desk.texts() if "omeprazole" in text]
    assert "L5" in rest
    assert "twice" not in rest


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My blood type is O negative by the way", "correct that: it's A negative"),
        ("The spare key is with the neighbours.", "sorry, it's with Farhad"),
        ("My dentist is Dr Kim.", "No wait, that's wrong. It's Dr Kimmel."),
    ],
)
def test_what_was_just_said_is_put_right(desk, first, then):
    desk.models.understanding = Understanding()
    desk.tell(first)
    (old,) = desk.all()
    learned = desk.tell(then)
    assert desk.memories.get(old.id).status is Status.SUPERSEDED
    assert [one.outcome for one in learned.became] == [StatementOutcome.UPDATED]


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        (
            "Noor plays the oboe, Wies does judo on Thursdays.",
            "Wies quit judo, he wants to do climbing.",
            "Noor plays the oboe",
        ),
        (
            "Our son Felix is at uni in Jena, studies physics.",
            "Felix switched from physics to computer science.",
            "Our son Felix is at uni in Jena",
        ),
    ],
)
def test_what_was_said_beside_what_changed_stays(desk, told, first, then, left):
    old, _ = told(first, then)
    assert old.status is Status.SUPERSEDED
    assert left in desk.texts()
