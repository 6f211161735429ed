"""An event named in a question is looked up, and its day makes a range."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.domain.memory import Scope, Trust
from app.domain.recall import Query
from app.errors import StoreError
from app.memory.recall.timing import Times
from app.memory.when.spans import Bearing
from app.store.search import WordSearch
from tests.unit.memory.recall.conftest import NOW

BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})


@pytest.fixture
def times(world):
    return Times(WordSearch(world.vault), BOTH, zone=UTC)


def asked(text):
    return Query(text, Scope(1), NOW)


def test_the_day_of_an_event_comes_from_a_memory(world, times):
    happened = datetime(2026, 4, 11, tzinfo=UTC)
    world.learn("You went on a trip to Japan on 11 April 2026", occurred_at=happened)
    (span,) = times(asked("What did I buy before my trip to Japan?")).spans
    assert (span.range.start, span.range.last_day) == (None, date(2026, 4, 10))
    assert span.bearing is Bearing.FAVOUR
    (span,) = times(asked("What did I buy after my trip to Japan?")).spans
    assert (span.range.first_day, span.range.end) == (date(2026, 4, 12), None)


def test_the_day_of_an_event_comes_from_a_message_that_tells_it(world, times):
    world.say("The wedding yesterday was lovely", days=30)
    world.say("Was the wedding nice?", days=300)
    (span,) = times(asked("What did we do after the wedding?")).spans
    assert span.range.first_day == (NOW - timedelta(days=30)).date()


def test_what_is_said_of_the_event_besides_need_not_be_known(world, times):
    world.say("We are back from our trip.", days=30)
    (span,) = times(asked("What did I paint after the trip to relax?")).spans
    assert span.range.first_day == (NOW - timedelta(days=29)).date()


def test_an_unknown_or_doubtful_event_makes_no_range(world, times):
    question = "What did I buy before my trip?"
    assert times(asked(question)).spans == ()
    world.say("Our trip was lovely.", days=30)
    world.say("Our trip was a disaster.", days=400)
    timing = times(asked(question))
    assert (timing.spans, timing.rest) == ((), question)


def test_messages_are_not_asked_where_they_are_left_out(world):
    world.say("We are back from our trip.", days=30)
    times = Times(WordSearch(world.vault), BOTH, messages=False, zone=UTC)
    assert times(asked("What did I buy before our trip?")).spans == ()


def test_an_event_that_cannot_be_looked_up_makes_no_range(times, monkeypatch):
    def refuse(*_):
        raise StoreError("These words cannot be searched for.")

    monkeypatch.setattr(WordSearch, "memories", refuse)
    assert times(asked("What did I buy before our trip?")).spans == ()


def test_an_event_favours_its_side(world):
    world.say("I bought a rucksack", days=60)
    world.say("I bought a lamp", days=10)
    world.say("Our trip to Japan began today.", days=30)
    world.index()
    hits = world.recall("What did I buy after our trip to Japan?").hits
    lamp = next(hit for hit in hits if hit.text == "I bought a lamp")
    assert lamp.factors["time"] == pytest.approx(1.1)
