"""Traces keep references and reasons, and show texts as they are now."""

import json
from dataclasses import replace

import pytest

from app.domain.conversation import Role
from app.domain.reason import Reason, ReasonKind, words
from app.domain.recall import Hit, HitKind, Recall, TraceStep
from app.domain.trace import REPLACED
from app.errors import NotFound
from app.store import reasons
from app.store.index.occurrences import TextOccurrences
from app.store.memories import Note
from app.store.recalls import Recalls
from app.store.search import WordSearch
from app.store.vault import migrations
from app.store.vault.rows import dumps


def place(rank):
    return Reason(ReasonKind.PLACE, "fts", (rank,))


@pytest.fixture
def recalls(vault, clock):
    return Recalls(vault)


@pytest.fixture
def scene(vault, conversations, say, remember):
    """An answer with two memories and a message found for it."""
    talk = conversations.create(1, title="Tea")
    said = say(talk, "I like tea")
    answer = say(talk, "You like tea [2]", Role.ASSISTANT)
    one, two = remember("Likes tea"), remember("Likes jam")
    found = WordSearch(vault).hydrate([one.pk, two.pk], [said.pk])
    hits = [hit.scored(0.9 - n / 10, place(n + 1)) for n, hit in enumerate(found.values())]
    return talk, answer, hits


def test_a_trace_comes_back_whole(recalls, scene):
    talk, answer, (one, two, said) = scene
    one = replace(
        one, lanes={"fts": 1, "vector": 3}, base=0.8, relevance=0.7, factors={"recency": 1.05}
    )
    lost = replace(two, dropped="below the floor")
    recall = Recall(
        hits=(one, said),
        dropped=(lost,),
        steps=(TraceStep("fts", 0, 3, 1.5, "note"),),
        degraded=("The embedder did not answer.",),
        milliseconds=12.5,
    )
    stored = recalls.save(answer.id, recall, [said.id, one.id], [one.id])
    assert stored.recall == recall
    assert (stored.answer_id, stored.in_prompt, stored.cited) == (
        answer.id,
        (said.id, one.id),
        (one.id,),
    )
    assert recalls.of_answer(answer.id) == stored
    assert recalls.of_conversation(talk.id) == {answer.id: stored}


def test_an_answer_without_a_trace_has_none(recalls, scene, conversations):
    talk, answer, _ = scene
    assert recalls.of_answer(answer.id) is None
    assert recalls.of_conversation(talk.id) == {}
    with pytest.raises(NotFound):
        recalls.save("x", Recall(), [])


def test_a_second_trace_takes_the_place_of_the_first(recalls, scene):
    talk, answer, (one, two, _) = scene
    recalls.save(answer.id, Recall(hits=[one]), [one.id])
    recalls.save(answer.id, Recall(hits=[two]), [two.id])
    assert recalls.of_answer(answer.id).in_prompt == (two.id,)
    assert len(recalls.of_conversation(talk.id)) == 1


def test_a_trace_shows_the_memory_as_it_is_now(recalls, scene, memories):
    _, answer, (one, two, said) = scene
    recalls.save(answer.id, Recall(hits=[one, two, said]), [one.id, two.id, said.id], [two.id])
    memories.update(one.id, {"text": "Loves tea"}, Note("user", "update", "b2"))
    memories.delete(two.id)
    now = recalls.of_answer(answer.id)
    assert [hit.text for hit in now.recall.hits] == ["Loves tea", "I like tea"]
    assert (now.in_prompt, now.cited) == ((one.id, "", said.id), ())


def test_a_hit_that_is_gone_by_now_is_left_out(recalls, scene, clock):
    _, answer, (one, *_) = scene
    gone = Hit("x", HitKind.MEMORY, "?", clock())
    saved = recalls.save(answer.id, Recall(hits=[gone, one]), ["x", one.id])
    assert [hit.id for hit in saved.recall.hits] == [one.id]
    assert saved.in_prompt == ("", one.id)


def test_where_a_memory_was_used(recalls, scene, conversations, say, clock):
    talk, answer, (one, two, _) = scene
    recalls.save(answer.id, Recall(hits=[one, two]), [one.id])
    clock.forward(days=1)
    other = conversations.create(1, title="Jam")
    later = say(other, "You like tea", Role.ASSISTANT)
    recalls.save(later.id, Recall(hits=[one]), [one.id])
    assert recalls.used_in(one.id) == [
        (other.id, "Jam", later.created_at),
        (talk.id, "Tea", answer.created_at),
    ]
    assert recalls.used_in(one.id, limit=1)[0][0] == other.id
    assert recalls.used_in(two.id) == []
    conversations.delete(talk.id)
    assert recalls.used_in(one.id) == [(other.id, "Jam", later.created_at)]


def test_an_erased_memory_leaves_its_number_empty(vault, memories, remember, conversations, say):
    """The other numbers in an old answer go on meaning what they meant."""
    first, second = remember("You like tea"), remember("You like cake")
    talk = conversations.create(1)
    answer = say(talk, "Tea [1] and cake [2].", Role.ASSISTANT)
    hits = [Hit(m.id, HitKind.MEMORY, m.text, m.created_at, pk=m.pk) for m in (first, second)]
    Recalls(vault).save(answer.id, Recall(hits=hits), [first.id, second.id], [second.id])
    memories.delete(first.id)
    stored = Recalls(vault).of_answer(answer.id)
    assert stored.in_prompt == ("", second.id)
    assert stored.cited == (second.id,)


@pytest.fixture
def disputed(recalls, vault, remember, conversations, say):
    """An answer for which an older memory lost to a newer one, as a recall noticed."""
    answer = say(conversations.create(1), "You live in Ghent [1].", Role.ASSISTANT)
    old, new = remember("You live in Bruges"), remember("You live in Ghent")
    found = WordSearch(vault).hydrate([old.pk, new.pk], [])
    loser, winner = (hit for _, hit in sorted(found.items()))
    loser = replace(
        loser, superseded_by=new.id, replaced_by=new.text, disputed=REPLACED,
        reasons=(place(2), REPLACED),
    )  # fmt: skip
    saved = recalls.save(answer.id, Recall(hits=(winner, loser)), [new.id, old.id])
    return answer, (winner, loser), saved


def test_what_was_replaced_is_told_again_with_its_day(
    recalls, vault, remember, memories, conversations, say, clock
):
    answer = say(conversations.create(1), "You live in Ghent [1].", Role.ASSISTANT)
    old, new = remember("You live in Bruges"), remember("You live in Ghent")
    filed = {"status": "superseded", "superseded_by": new.id, "valid_to": clock()}
    memories.update(old.id, filed, Note("user", "supersede", "b2"))
    (hit,) = WordSearch(vault).hydrate([old.pk], []).values()
    recall = Recall(hits=[replace(hit, disputed=REPLACED, lanes={"replaced": 1})])
    (told,) = recalls.save(answer.id, recall, [old.id]).recall.hits
    assert (told.replaced, told.replaced_at, told.replaced_by) == (True, clock(), new.text)
    assert (told.disputed, told.lanes) == (REPLACED, {"replaced": 1})


def test_how_much_was_lost_is_known_though_only_the_best_was_kept(recalls, scene):
    _, answer, (one, *_) = scene
    steps = (TraceStep("rows", 90, 90, 1.0), TraceStep("budget", 90, 1, 1.0))
    stored = recalls.save(answer.id, Recall(hits=[one], steps=steps), [])
    assert (stored.recall.lost, stored.recall.found) == (89, 90)


def test_what_was_disputed_is_told_again(recalls, disputed):
    answer, (winner, loser), saved = disputed
    assert saved.recall.hits == (winner, loser)
    assert recalls.of_answer(answer.id) == saved


def test_the_find_to_be_preferred_is_shown_as_it_is_now_and_may_be_gone(
    vault, recalls, disputed, memories
):
    answer, (winner, _), _ = disputed
    memories.update(winner.id, {"text": "You live in Ghent, Belgium"}, Note("user", "update", "b"))
    (_, told) = recalls.of_answer(answer.id).recall.hits
    assert (told.superseded_by, told.replaced_by) == (winner.id, "You live in Ghent, Belgium")
    with vault.read() as connection:
        kept = connection.execute("SELECT group_concat(reasons) FROM recall_hits").fetchone()[0]
    assert winner.id not in kept
    memories.delete(winner.id)
    (told,) = recalls.of_answer(answer.id).recall.hits
    assert (told.superseded_by, told.disputed) == (None, REPLACED)


def test_what_was_found_not_to_be_replaced_is_not_told_to_be(
    recalls, vault, remember, memories, conversations, say
):
    answer = say(conversations.create(1), "You live in Ghent [1].", Role.ASSISTANT)
    old, new = remember("You live in Bruges"), remember("You live in Ghent")
    memories.update(new.id, {"superseded_by": old.id}, Note("user", "update", "b2"))
    (hit,) = WordSearch(vault).hydrate([new.pk], []).values()
    assert hit.superseded_by == old.id
    stored = recalls.save(answer.id, Recall(hits=[hit]), [])
    assert stored.recall.hits[0].replaced_by == "You live in Bruges"
    stored = recalls.save(answer.id, Recall(hits=[replace(hit, superseded_by=None)]), [])
    assert stored.recall.hits[0].superseded_by is None


def test_a_trace_stored_before_contradictions_were_kept_reads_as_it_did(recalls, disputed, vault):
    answer, (winner, _), _ = disputed
    with vault.write() as connection:
        connection.execute("UPDATE recall_hits SET reasons = '[\"fts #2\"]'")
    first, second = recalls.of_answer(answer.id).recall.hits
    assert (first.id, [*map(words, first.reasons)]) == (winner.id, ["fts #2"])
    assert (second.disputed, second.superseded_by) == (None, None)


OLD = [
    *("fts #2", "message_vector #11", "fused 0.871", "meaning 0.44", "own words 0.31"),
    *("relevance 0.420", "late interaction 0.444", "recency ×1.100", "usefulness ×0.975"),
    *("within 3 May 2026 ×1.40", "790 days from March 2026 ×0.50", "nothing is known of Bob"),
    *("shares names with another find 0.46", "3 days from another find 0.87", "pinned 1.00"),
    *("only asks ×0.5", "meant by what you asked", "a newer one answers this now"),
    *("relevance 0.12 is below 0.30", "sparkle 0.9", "fts #x", "within"),
]
NOW = [one.replace("another find", "another result") for one in OLD]  # what is worded otherwise now


def test_a_trace_of_an_older_version_says_the_same_after_its_migration(recalls, disputed, vault):
    """Whatever words it holds; what has values has them by then."""
    answer, _, _ = disputed
    script = (migrations.FOLDER / "m0007_typed_reasons.sql").read_text("utf-8")
    settled = {"disputed": "replaced since", "heir": 0}
    for _ in range(2):  # what was migrated already stays as it is
        with vault.write() as connection:
            if settled:
                told = dumps([*OLD, settled])
                connection.execute("UPDATE recall_hits SET reasons = ? WHERE ordinal = 1", (told,))
            for statement in migrations.statements(script):
                connection.execute(statement)
        winner, loser = recalls.of_answer(answer.id).recall.hits
        assert [*map(words, loser.reasons)] == NOW
        assert (loser.disputed, loser.superseded_by) == (REPLACED, winner.id)
        assert loser.reasons[0] == place(2)
        assert loser.reasons[9] == Reason(ReasonKind.IN_TIME, "", (1.4,), "3 May 2026")
        said = [words(one) for one in loser.reasons if one.kind is ReasonKind.SAID]
        assert said == OLD[-4:]
        settled = {}


@pytest.mark.parametrize(
    "told", [[1], [None, {"kind": "of a later version"}], [{"kind": "place", "numbers": "x"}]]
)
def test_a_reason_that_cannot_be_read_is_left_out(recalls, disputed, vault, told):
    answer, *_ = disputed
    with vault.write() as connection:
        connection.execute("UPDATE recall_hits SET reasons = ?", (dumps(told),))
    assert [hit.reasons for hit in recalls.of_answer(answer.id).recall.hits] == [(), ()]


def test_an_erasure_takes_the_words_of_a_question_out_of_a_reason(recalls, scene, vault):
    _, answer, (one, *_) = scene
    why = (place(1), Reason(ReasonKind.UNKNOWN, text="Bob, Ana"))
    recalls.save(answer.id, Recall(hits=[replace(one, reasons=why)]), [])
    TextOccurrences(vault).redact_told(["Bob", "unknown", "place", "fts"], "[erased]")
    (hit,) = recalls.of_answer(answer.id).recall.hits
    assert hit.reasons == (place(1), Reason(ReasonKind.UNKNOWN, text="[erased], Ana"))


@pytest.mark.parametrize("kind", ReasonKind)
def test_every_reason_is_worded_and_kept(kind):
    reason = Reason(kind, "fts", (3, 0.5, 0.25), "March 2026")
    assert words(reason)
    assert words(Reason(kind, text="x", name="x")), "also where figures are lost"
    assert reasons.read(json.loads(dumps(reasons.data(reason)))) == reason
