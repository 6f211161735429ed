from dataclasses import replace

from app.domain.memory import Memory, Trust
from app.domain.reason import words
from app.memory.recall.observed import Observed
from tests.unit.memory.recall.conftest import NOW

STATION = "You live in Ghent near the station"


def drawn(make_hit, name="o", text=STATION, sources=("a", "b"), **fields):
    memory = Memory(name, text, NOW, NOW, proof_count=len(sources), source_ids=sources, agent_pk=1)
    return make_hit(name, text, proof_count=len(sources), memory=memory, **fields)


def after(context, *hits):
    found = Observed()(context(), hits)
    return [h.id for h in found if not h.dropped], {h.id for h in found if h.dropped}


def test_an_observation_stands_for_what_it_was_drawn_from(make_hit, context):
    hits = [make_hit("a", "You live in Ghent", score=0.9), drawn(make_hit, score=0.5)]
    hits += [make_hit("c", "You live in Ghent", score=0.8)]
    assert after(context, *hits) == (["o", "c"], {"a"})
    best = next(hit for hit in Observed()(context(), hits) if hit.id == "o")
    assert best.score == 0.9
    assert words(best.reasons[-1]) == "stands for 1 of what it was drawn from"


def test_nothing_is_lost_that_the_observation_does_not_say(make_hit, context):
    observation = drawn(make_hit, sources=("a", "b", "c", "d"))
    more = make_hit("a", f"{STATION} since 2019")
    pinned = make_hit("b", "You live in Ghent", pinned=True)
    surer = make_hit("c", "You live in Ghent", trust=Trust.SYSTEM)
    other = make_hit("d", "You live in Lille")
    assert after(context, observation, more, pinned, surer, other)[1] == set()


def test_without_observations_every_hit_stays_as_it_is(make_hit, context):
    hits = [make_hit("a", score=0.9), make_hit("b", score=0.5)]
    assert Observed()(context(), hits) == hits
    assert after(context, replace(hits[0], proof_count=2)) == (["a"], set())
