from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.memory import SAFETY, Memory, Status, Trust
from app.domain.provenance import Passage
from app.domain.reason import RERANKED, measure, words
from app.domain.recall import Hit, HitKind
from app.memory.recall.stages import (
    Budget,
    Dedup,
    Evident,
    Floor,
    LineFloor,
    Questions,
    SafetyFirst,
    TrustWall,
)
from tests.unit.memory.recall.conftest import NOW


def kept(hits):
    return [hit.id for hit in hits if not hit.dropped]


def dropped(hits):
    return {hit.id: hit.dropped for hit in hits if hit.dropped}


def test_floor_lets_nothing_through_when_the_best_is_not_about_it(make_hit, context):
    hits = [make_hit("a", relevance=0.29, score=0.99), make_hit("b", relevance=0.1)]
    after = Floor(0.3)(context(), hits)
    assert dropped(after) == {"a": "below_floor", "b": "below_floor"}
    assert [*map(words, after[0].reasons)] == ["the best result has 0.29 of the 0.30 needed"]


def test_floor_keeps_the_rest_where_one_reaches_it_but_not_what_is_far_below(make_hit, context):
    hits = [make_hit(name, relevance=r) for name, r in (("a", 0.3), ("b", 0.2), ("c", 0.1))]
    assert kept(Floor(0.3)(context(), hits)) == ["a", "b"]


def test_floor_reads_the_score_where_only_ranks_are_known(make_hit, context):
    assert kept(Floor(0.3)(context(), [make_hit(score=0.4)])) == ["m"]


LINES = LineFloor(0.75, frozenset({"fts", "vector"}))


def test_the_line_floor_drops_what_is_far_less_about_it_than_what_stands_first(make_hit, context):
    places = (("a", 0.8), ("b", 0.2), ("c", 0.61), ("d", 0.59))
    hits = [make_hit(name, relevance=r) for name, r in places]
    after = LINES(context(), hits)
    assert dropped(after) == {"d": "below_floor"}, "the second stays, as it often answers"
    assert words(after[3].reasons[-1]) == "relevance 0.59 is below 0.75 of the first result's 0.80"
    assert kept(LINES(context(), hits[::-1])) == ["d", "c", "a"], "the order says which is first"
    assert LINES(context(), []) == []


def test_the_line_floor_spares_safety_what_replaced_a_find_and_other_ways_of_finding(
    make_hit, context
):
    tags = {"created_at": NOW, "updated_at": NOW, "tags": (SAFETY,)}
    old = Memory("o", "Old", NOW, NOW, status=Status.SUPERSEDED, superseded_by="n", agent_pk=1)
    hits = [
        make_hit("o", relevance=0.8, memory=old, superseded_by="n"),
        make_hit("2", relevance=0.8),
        make_hit("n", relevance=0.1),
        make_hit("s", relevance=0.1, memory=Memory("s", "x", **{"agent_pk": 1, **tags})),
        make_hit("t", relevance=0.1, lanes={"fts": 1, "time": 3}),
        make_hit("f", relevance=0.1, lanes={"fts": 1}),
    ]
    assert kept(LINES(context(), hits)) == ["o", "2", "n", "s", "t"]


def test_a_stranger_who_repeats_the_question_crowds_nothing_out(make_hit, context):
    theirs = make_hit("x", relevance=1.0, trust=Trust.EXTERNAL)
    pasted = make_hit("p", relevance=1.0, passages=(Passage("x", "in something you pasted"),))
    own = [make_hit(name, relevance=r) for name, r in (("a", 0.4), ("b", 0.2), ("c", 0.35))]
    assert kept(LINES(context(), [theirs, pasted, *own])) == ["x", "p", "a", "b", "c"]


def test_what_a_reranker_read_is_judged_by_it_alone(make_hit, context):
    hits = [make_hit(n, relevance=r) for n, r in (("a", 0.8), ("b", 0.8), ("c", 0.1))]
    assert kept(LINES(context(), hits)) == ["a", "b"]
    read = [hit.scored(hit.score, measure(RERANKED, 0.9)) for hit in hits]
    assert kept(LINES(context(), read)) == ["a", "b", "c"]


def test_small_talk_finds_nothing(make_hit, context):
    assert kept(Floor(0.3)(context("Thanks a lot!"), [make_hit(relevance=1.0)])) == []


def test_a_message_that_asks_weighs_less_than_one_that_tells(make_hit, context):
    said = {"kind": HitKind.MESSAGE}
    hits = [
        make_hit("asked", "Wow! Do you like salmon?", score=0.8, relevance=1.0, **said),
        make_hit("ending", "I like salmon a lot. And you?", score=0.52, relevance=0.6, **said),
        make_hit("told", "I like salmon. Why? No reason at all.", score=0.5, **said),
        make_hit("work", "Write a poem about salmon", score=0.6, **said),
        make_hit("memory", "Is it a question?", score=0.51, relevance=0.6),
    ]
    after = Questions()(context(), hits)
    assert [hit.id for hit in after] == ["memory", "told", "ending", "asked", "work"]
    assert [hit.relevance for hit in after] == [0.6, None, 0.6, 0.3, None]
    assert after[3].factors == {"question": 0.5}
    assert [*map(words, after[3].reasons)] == ["only asks ×0.5"]


def test_trust_wall_drops_what_slipped_in(make_hit, context):
    hits = [make_hit("in"), make_hit("out", trust=Trust.EXTERNAL)]
    after = TrustWall(frozenset({Trust.SYSTEM, Trust.LEARNED}))(context(), hits)
    assert dropped(after) == {"out": "trust_filtered"}


def test_dedup_prefers_trust_then_the_newer_and_keeps_the_order(make_hit, context):
    hits = [
        make_hit("old", "You like tea.", days=9),
        make_hit("other", "You like coffee."),
        make_hit("external", "you  LIKE tea", days=1, trust=Trust.EXTERNAL),
        make_hit("new", "You like tea", days=2),
    ]
    after = Dedup()(context(), hits)
    assert kept(after) == ["other", "new"]
    assert dropped(after) == {"old": "deduped", "external": "deduped"}


def test_dedup_reads_the_whole_text(make_hit, context):
    start = "x" * 250
    hits = [make_hit("a", f"{start} one"), make_hit("b", f"{start} two")]
    assert kept(Dedup()(context(), hits)) == ["a", "b"]


def test_a_memory_stands_for_the_message_it_came_from(make_hit, context):
    hits = [
        make_hit("said", kind=HitKind.MESSAGE, score=0.7, relevance=0.6),
        make_hit("fact", source="said", score=0.5, relevance=0.58),
        make_hit("unrelated", score=0.6),
    ]
    after = Evident()(context(), hits)
    assert kept(after) == ["fact", "unrelated"]
    assert dropped(after) == {"said": "deduped"}
    fact = next(hit for hit in after if hit.id == "fact")
    assert fact.score == 0.7
    assert [*map(words, fact.reasons)] == ["the message it was learned from was found as well"]


def test_a_message_that_says_more_stays_beside_its_memory(make_hit, context):
    hits = [
        make_hit(
            "said", "I moved to Leeds, Ruth drove the van", kind=HitKind.MESSAGE, relevance=0.6
        ),
        make_hit("fact", "You live in Leeds", source="said", score=0.3, relevance=0.2),
    ]
    assert kept(Evident()(context(), hits)) == ["said", "fact"]


def test_a_message_whose_words_the_memory_has_is_not_shown_twice(make_hit, context):
    hits = [
        make_hit("said", "My dog is called Biscuit.", kind=HitKind.MESSAGE, relevance=0.6),
        make_hit("fact", "Your dog is called Biscuit", source="said", score=0.3, relevance=0.4),
    ]
    assert kept(Evident()(context(), hits)) == ["fact"]


def test_budget_counts_and_measures(make_hit, context):
    hits = [make_hit(str(n), "x" * 30) for n in range(5)]
    assert kept(Budget(3, 1000)(context(), hits)) == ["0", "1", "2"]
    assert kept(Budget(5, 60)(context(), hits)) == ["0", "1"]
    assert kept(Budget(5, None)(context(), hits)) == ["0", "1", "2", "3", "4"]
    assert kept(Budget(0, 1000)(context(), hits)) == []


def test_budget_stops_at_the_first_that_does_not_fit(make_hit, context):
    hits = [make_hit("a", "x" * 30), make_hit("big", "x" * 100), make_hit("c", "x")]
    after = Budget(5, 60)(context(), hits)
    assert dropped(after) == {"big": "below_budget", "c": "below_budget"}


@example([(False, 2), (True, 1)], 1, 1)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(1, 40)), max_size=12),
    st.integers(0, 6),
    st.none() | st.integers(0, 150),
)
def test_safety_facts_take_the_room_of_the_last_others_and_never_of_the_best(
    made, most, most_chars
):
    hits = [
        Hit(
            str(n), HitKind.MEMORY, "x" * length, NOW, pk=n,
            memory=Memory(str(n), "x", NOW, NOW, tags=(SAFETY,) if vital else (), agent_pk=1),
        )
        for n, (vital, length) in enumerate(made)
    ]  # fmt: skip
    room = Budget(most, most_chars)
    after = SafetyFirst(room)(None, hits)
    assert sorted(hit.pk for hit in after) == list(range(len(hits))), "none is lost"
    assert [hit.pk for hit in after[:1]] == [hit.pk for hit in hits[:1]]
    before, now = hits[: room.fitting(hits)], after[: room.fitting(after)]
    vital, were = ({hit.pk for hit in some if hit.vital} for some in (now, before))
    assert were <= vital, "what had room keeps it"
    if most_chars is None and len(before) == most:
        waiting = sum(hit.vital for hit in hits[most:])
        others = sum(not hit.vital for hit in before[1:])
        assert len(vital) == len(were) + min(waiting, max(1, most // 3), others)


def test_of_what_a_stranger_wrote_and_what_was_replaced_no_safety_is_made(make_hit, context):
    safe = Memory("m", "x", NOW, NOW, tags=(SAFETY,), agent_pk=1)
    hits = [
        make_hit("best"),
        make_hit("second"),
        make_hit("stranger", memory=safe, trust=Trust.EXTERNAL),
        make_hit("old", memory=safe, superseded_by="new"),
        make_hit("allergy", memory=safe),
    ]
    after = SafetyFirst(Budget(2, None))(context(), hits)
    assert [hit.id for hit in after] == ["best", "allergy", "second", "stranger", "old"]


HITS = st.lists(
    st.builds(
        Hit,
        id=st.text("abcdef", min_size=1, max_size=3),
        kind=st.sampled_from(HitKind),
        text=st.sampled_from(["tea", "Tea.", "coffee?", "walnuts"]),
        at=st.just(NOW),
        score=st.floats(0, 1),
        trust=st.sampled_from(Trust),
        relevance=st.none() | st.floats(0, 1),
        source=st.none() | st.text("abcdef", min_size=1, max_size=3),
    ),
    max_size=8,
)


@given(HITS)
def test_no_stage_invents_or_loses_a_hit(hits):
    from app.domain.memory import Scope
    from app.domain.recall import Query
    from app.memory.recall.pipeline import QueryContext

    asked = QueryContext(Query("tea?", Scope(1), NOW), lambda _: [])
    for stage in (
        Floor(0.3),
        Questions(),
        TrustWall(frozenset({Trust.LEARNED})),
        Dedup(),
        Evident(),
        Budget(3, 20),
    ):
        after = stage(asked, hits)
        assert sorted((h.id, h.kind, h.text) for h in after) == sorted(
            (h.id, h.kind, h.text) for h in hits
        )
        assert all(hit.reasons for hit in after if hit.dropped)
