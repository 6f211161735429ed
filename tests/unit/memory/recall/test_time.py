"""Questions with a time find what is of that time, and those without are not touched."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import Scope, Trust
from app.domain.reason import words
from app.domain.recall import Hit, HitKind, Query
from app.errors import ModelError
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.time import TimeStage, asks_for_all
from app.memory.when.reading import read
from tests.unit.memory.recall.conftest import NOW

MESSAGE = HitKind.MESSAGE


def dated(text, zone=UTC, now=NOW):
    return QueryContext(
        Query(text, Scope(1), now), lambda _: [], lambda q: read(q.text, q.now, zone)
    )


def at(year, month, day, hour=12):
    return datetime(year, month, day, hour, tzinfo=UTC)


def factors(hits):
    return {hit.id: round(hit.factors["time"], 2) for hit in hits}


def test_what_happened_in_the_time_asked_for_comes_first(make_hit):
    hits = [
        make_hit("long before", at=at(2024, 1, 1), score=0.9),
        make_hit("just after", at=at(2026, 4, 4), score=0.8),
        make_hit("within", at=at(2026, 3, 9), score=0.6),
    ]
    after = TimeStage(zone=UTC)(dated("What did I cook last March?"), hits)
    assert [hit.id for hit in after] == ["within", "just after", "long before"]
    assert factors(after) == {"within": 1.4, "just after": 0.87, "long before": 0.5}
    assert [*map(words, after[0].reasons)] == ["within March 2026 ×1.40"]
    assert [*map(words, after[2].reasons)] == ["790 days from March 2026 ×0.50"]
    assert after[2].dropped == ""


def test_a_memory_is_of_when_it_happened_not_of_when_it_was_told(make_hit):
    hits = [
        make_hit("told then", at=at(2026, 3, 9), occurred_at=at(2019, 5, 5, 0)),
        make_hit("happened then", at=at(2026, 5, 1), occurred_at=at(2026, 3, 31, 0)),
    ]
    found = factors(TimeStage(zone=UTC)(dated("What did I do last March?"), hits))
    assert found == {"told then": 0.5, "happened then": 1.4}
    said = factors(TimeStage(zone=UTC)(dated("What did I tell you last March?"), hits))
    assert said["told then"] == 1.4
    assert said["happened then"] < 1


def test_a_message_is_of_the_day_it_tells_of_too(make_hit):
    hits = [
        make_hit("then", "I moved house.", kind=MESSAGE, at=at(2026, 3, 9)),
        make_hit("later", "On 20 March I moved house.", kind=MESSAGE, at=at(2026, 4, 20)),
        make_hit("elsewhere", "I moved house.", kind=MESSAGE, at=at(2025, 4, 20)),
    ]
    after = factors(TimeStage(zone=UTC)(dated("What did I do last March?"), hits))
    assert after == {"then": 1.4, "later": 1.4, "elsewhere": 0.5}
    after = factors(TimeStage(zone=UTC)(dated("What did I say last March?"), hits))
    assert after["then"] == 1.4
    assert after["later"] < 1


def test_a_day_is_a_day_in_every_time_zone(make_hit):
    hits = [make_hit("day", occurred_at=at(2026, 5, 3, 0))]
    for name in ("America/Los_Angeles", "UTC", "Pacific/Auckland"):
        zone = ZoneInfo(name)
        context = dated("What did I do on 3 May 2026?", zone)
        assert factors(TimeStage(zone=zone)(context, hits)) == {"day": 1.4}
    context = dated("What did I do on 2 May 2026?", ZoneInfo("America/Los_Angeles"))
    assert factors(TimeStage(zone=UTC)(context, hits))["day"] < 1


def test_a_moment_is_of_the_day_it_was_where_the_person_is(make_hit):
    zone = ZoneInfo("America/Los_Angeles")
    hits = [make_hit("evening", at=at(2026, 5, 4, 5), kind=MESSAGE)]
    context = dated("What did I do on 3 May 2026?", zone)
    assert factors(TimeStage(zone=zone)(context, hits)) == {"evening": 1.4}


def test_a_hint_lowers_nothing(make_hit):
    hits = [make_hit("old", at=at(2020, 1, 1)), make_hit("new", at=at(2026, 5, 20))]
    after = factors(TimeStage(zone=UTC)(dated("What did I cook recently?"), hits))
    assert after == {"new": 1.1, "old": 1.0}


def test_one_of_two_times_is_enough(make_hit):
    hits = [make_hit("march", at=at(2026, 3, 9)), make_hit("april", at=at(2026, 4, 9))]
    after = factors(TimeStage(zone=UTC)(dated("What did I do in March and in April?"), hits))
    assert after == {"march": 1.4, "april": 1.4}


def test_where_all_lie_outside_they_keep_their_order_and_their_relevance(make_hit):
    hits = [
        make_hit(str(n), at=at(2015, 1, 1), score=0.9 - n / 10, relevance=0.4) for n in range(3)
    ]
    after = TimeStage(zone=UTC)(dated("What did I cook last March?"), hits)
    assert [hit.id for hit in after] == ["0", "1", "2"]
    assert {hit.relevance for hit in after} == {0.4}


def test_where_only_a_time_is_asked_for_being_of_it_is_enough(make_hit):
    hits = [
        make_hit("then", at=at(2026, 3, 9), score=0.05, relevance=0.05),
        make_hit("other", at=at(2026, 1, 9), score=0.3, relevance=0.3),
    ]
    after = TimeStage(zone=UTC)(dated("What did I do on 9 March?"), hits)
    assert [hit.id for hit in after] == ["then", "other"]
    assert [hit.relevance for hit in after] == [0.6, pytest.approx(0.15, abs=0.001)]
    asked = TimeStage(zone=UTC)(dated("What fish did I eat on 9 March?"), hits)
    assert {hit.id: hit.relevance for hit in asked} == {"then": 0.05, "other": 0.3}


@pytest.mark.parametrize("text", ["What may I eat?", "What did I do?", "Is April in?"])
def test_an_undated_question_changes_nothing(text, make_hit):
    hits = [make_hit("b", score=0.1), make_hit("a", score=0.9)]
    context = dated(text)
    assert TimeStage(zone=UTC)(context, hits) == hits
    assert not asks_for_all(context)
    assert context.topic == text


HITS = st.lists(
    st.builds(
        Hit,
        id=st.uuids().map(str),
        kind=st.sampled_from(HitKind),
        text=st.sampled_from(["tea", "Yesterday I had tea", "In 1999 I had tea"]),
        at=st.datetimes(datetime(1980, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),
        occurred_at=st.none()
        | st.datetimes(datetime(1980, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),
        score=st.floats(0, 1),
        relevance=st.none() | st.floats(0, 1),
    ),
    max_size=6,
)


@given(
    HITS,
    st.sampled_from(["in 2023", "last March", "since Tuesday", "before 2020", "recently",
                     "three weeks ago", "in the nineties", "tomorrow"]),
)  # fmt: skip
def test_no_hit_is_lost_or_dropped_and_every_factor_is_bounded_and_explained(hits, words):
    after = TimeStage(zone=UTC)(dated(f"What did I cook {words}?"), hits)
    assert sorted(hit.id for hit in after) == sorted(hit.id for hit in hits)
    for hit in after:
        assert not hit.dropped
        assert 0.5 <= hit.factors["time"] <= 1.4
        assert hit.reasons
    scores = [hit.score for hit in after]
    assert all(one >= other - 1e-8 for one, other in pairwise(scores))


# Through the vault. NOW is 1 June 2026, noon UTC; days are chosen far from where zones matter.


def day(moment):
    return (NOW - moment).total_seconds() / 86400


def test_a_time_alone_finds_what_was_said_and_done_then(world):
    world.say("The plumber mended the tap and I paid him ninety euros", days=day(at(2026, 5, 3)))
    world.say("Our neighbours have a new kitten", days=day(at(2026, 2, 3)))
    world.learn("You bought a red kettle", days=3, occurred_at=at(2026, 5, 3, 0))
    world.index()
    assert set(world.texts("What did I do on 3 May?")) == {
        "The plumber mended the tap and I paid him ninety euros",
        "You bought a red kettle",
    }


def test_without_the_setting_that_question_finds_neither(world, with_setting):
    world.say("The plumber mended the tap and I paid him ninety euros", days=day(at(2026, 5, 3)))
    world.index()
    with_setting("rag.time.enabled", False)
    assert world.texts("What did I do on 3 May?") == []


def test_of_two_answers_the_one_of_that_time_comes_first(world):
    world.say("My favourite restaurant is the Blue Lantern", days=day(at(2024, 3, 9)))
    world.say("My favourite restaurant is the Old Mill", days=day(at(2026, 3, 9)))
    world.index()
    first = "My favourite restaurant is the Blue Lantern"
    assert world.texts("What did I say was my favourite restaurant in 2024?")[0] == first
    assert world.texts("Which restaurant did I like last March?")[0] != first


def test_the_lane_says_where_it_found_them_and_keeps_to_scope_trust_and_the_visible(world):
    seen = world.say("A walk by the river in the rain", days=day(at(2026, 5, 3)))
    world.learn("You saw a heron", days=3, occurred_at=at(2026, 5, 3, 0), trust=Trust.EXTERNAL)
    found = world.say("The heron stood very still", days=day(at(2026, 5, 3)))
    world.index()
    hits = world.recall("What did I do on 3 May?", exclude={seen.id}).hits
    assert [hit.id for hit in hits] == [found.id]
    assert hits[0].lanes["time"] == 1
    assert "within 3 May 2026 ×1.40" in map(words, hits[0].reasons)
    assert not world.recall("What did I do on 3 May?", scope=Scope(2)).hits


def test_the_lane_goes_on_without_an_embedder(world):
    class Dead:
        info = world.embedder.info

        def embed(self, texts, purpose):
            raise ModelError("The embedder did not answer.")

    world.say("The heron stood very still", days=day(at(2026, 5, 3)))
    world.index()
    world.embedder = Dead()
    found = world.recall("What did I do on 3 May?")
    assert [hit.text for hit in found.hits] == ["The heron stood very still"]
    assert found.degraded == ("The embedder did not answer.",)


UNDATED = ["What may I eat?", "Did Sun Li call?", "Is April my friend's name?", "march on",
           "How does the second May work?", "When did I meet April?", "salmon",
           "What should I cook tonight?"]  # fmt: skip


@pytest.mark.parametrize("text", UNDATED)
def test_an_undated_question_recalls_the_same_with_and_without(text, world, with_setting):
    world.say("April and Sun Li had salmon in May", days=20)
    world.learn("You eat salmon in March", occurred_at=at(2026, 3, 1, 0))
    world.learn("You are allergic to walnuts")
    world.index()
    with_it = world.recall(text)
    with_setting("rag.time.enabled", False)
    without = world.recall(text)
    assert (with_it.hits, with_it.dropped) == (without.hits, without.dropped)
    assert with_it.degraded == without.degraded


def test_a_long_vault_is_asked_for_that_day_alone(world):
    for n in range(200):
        world.say(f"I went for run number {n} in the park", days=10 + n)
    world.say("Nothing but rain and a heron", days=day(NOW - timedelta(days=400)))
    world.index()
    then = NOW - timedelta(days=400)
    asked = f"What did I do on {then.day} {then:%B %Y}?"
    assert world.texts(asked)[0] == "Nothing but rain and a heron"
