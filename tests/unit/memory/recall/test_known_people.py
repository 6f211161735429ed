"""A question that speaks of "my husband" is understood once it is known what he is called."""

from datetime import timedelta

import pytest

from app.domain.memory import Scope, Status, Trust, Visibility
from app.domain.recall import Query
from app.memory.recall.known_people import KnownPeople
from app.memory.recall.pipeline import Trace
from app.memory.recall.timing import Times
from app.settings.table import reference
from app.store.entities import Entities
from app.store.search import WordSearch
from tests.unit.memory.recall.conftest import HOME, NOW


@pytest.fixture
def understood(world):
    """Return a question as it is understood."""
    people = KnownPeople(WordSearch(world.vault), Entities(world.vault), frozenset({Trust.LEARNED}))

    def understand(text, scope=HOME):
        return people(Trace(), Query(text, scope, NOW)).text

    return understand


def test_what_is_known_of_somebody_by_name_answers_for_the_husband(world):
    job = "Pieter works for a publisher in Roubaix"
    for text in (
        "My husband's name is Pieter",
        job,
        "I work night shifts at Saint Lucas hospital",
        "My sister works at a bank",
        "Femke works as a baker",
    ):
        world.learn(text)
    world.index()
    assert job in world.texts("Where does my husband work?")[:2]
    assert job in world.texts("What is my husband's job?")[:2]
    step = next(s for s in world.recall("Where does my husband work?").steps if s.name == "people")
    assert step.note == "Understood as “husband Pieter”."


@pytest.mark.parametrize(
    ("told", "asked", "meant"),
    [
        ("Pieter is my husband", "What does my husband eat?", "What does my husband Pieter eat?"),
        ("My husband is called Pieter", "my husband's job?", "my husband Pieter's job?"),
        ("My husband is called Pieter", "Is my partner well?", "Is my partner Pieter well?"),
        ("My sister Eva lives in Antwerp", "How old is my sister?", "How old is my sister Eva?"),
        ("We adopted a dog called Waffle", "What does our dog eat?", "our dog Waffle eat"),
        ("My boss is called Ingrid", "When did my boss call?", "my boss Ingrid call"),
        ("My mother's name is Ruth", "Where does my mum live?", "my mum Ruth live"),
        ("My dentist is Dr. Maes", "When is my dentist in?", "my dentist Maes in"),
        ("My older sister is called Eva", "Is my older sister tall?", "my older sister Eva tall"),
    ],
)
def test_the_name_joins_the_question(world, understood, told, asked, meant):
    world.learn(told)
    assert meant in understood(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "What is my husband's name?",
        "What is my husband called?",
        "Who is my husband?",
        "Where does my husband Pieter work?",
        "What did Pieter give my husband?",
        "What is my wife's job?",
        "What is my mother tongue?",
        "Where does my sister-in-law work?",
        "Where does a husband work?",
        "Where do I work?",
    ],
)
def test_every_other_question_stays_as_it_was(world, understood, asked):
    world.learn("My husband is called Pieter")
    world.learn("My mother is called Ruth")
    world.learn("My sister is called Eva")
    if "wife" in asked:
        world.memories.delete("memory-1")
    assert understood(asked) == asked


def test_of_two_brothers_nobody_knows_which(world, understood):
    world.learn("My brother Tom lives in Oslo")
    world.learn("My brother Jan lives in Ghent")
    assert understood("Where does my brother work?") == "Where does my brother work?"


def test_who_it_is_now_counts(world, understood):
    new = world.learn("My boss is called Olaf", days=10)
    over = {"status": Status.SUPERSEDED, "superseded_by": new.id, "valid_to": new.created_at}
    world.learn("My boss is called Ingrid", days=20, **over)
    assert understood("Is my boss nice?") == "Is my boss Olaf nice?"


def test_a_name_that_is_a_month_asks_for_no_time(world, understood):
    world.learn("My wife is called April", key="partner_name", value="April")
    assert understood("What did my wife eat?") == "What did my wife April eat?"
    asked = Query("What did my wife April eat?", HOME, NOW)
    assert Times(WordSearch(world.vault), frozenset(Trust))(asked).spans == ()


def test_only_what_the_question_may_recall_says_who_somebody_is(world, understood):
    world.learn("My wife is called Ada", trust=Trust.EXTERNAL)
    world.learn("My boss is called Olaf", expires_at=NOW - timedelta(days=1))
    world.learn("My dog is called Rex", agent_pk=1)
    assert understood("Where is my wife?") == "Where is my wife?"
    assert understood("Where is my boss?") == "Where is my boss?"
    assert understood("Where is my dog?") == "Where is my dog Rex?"
    assert understood("Where is my dog?", Scope(2)) == "Where is my dog?"
    world.learn("My cat is called Muis", visibility=Visibility.GLOBAL)
    assert understood("Where is my cat?", Scope(2)) == "Where is my cat Muis?"


def test_two_names_that_the_person_made_one_are_one(world, understood):
    world.learn("Mum came to see us in Lyon")
    world.learn("Ruth sings in a choir")
    world.index()
    entities = Entities(world.vault)
    if "mum" not in entities.mentioned(["mum"], 1):
        entities.link(1, ["Mum"], 1, NOW)
    entities.merge("Mum", "Ruth", 1)
    assert understood("Where does my mum sing?") == "Where does my mum Ruth sing?"


def test_the_reference_asks_as_it_was_asked(world):
    world.learn("My husband is called Pieter")
    world.index()
    world.settings = reference()
    steps = world.recall("Where does my husband work?").steps
    assert "people" not in [step.name for step in steps]
