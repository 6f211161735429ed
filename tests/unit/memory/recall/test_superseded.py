"""What was true before comes with what holds now, and takes no better find's place."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.memory import DEFAULT_SCOPE, Memory, Scope, Status, Trust
from app.domain.trace import REPLACED
from app.memory.answer.answering import Answerer
from app.memory.recall.stages import Floor
from app.memory.recall.superseded import LimitSuperseded, SupersededBeside
from app.store.memories import Note
from app.store.store import Store
from tests.fakes.understanding import Understanding
from tests.unit.memory.recall.conftest import MOVED, NOW


@pytest.fixture
def old_hit(make_hit):
    """A hit that was filed as replaced by another."""

    def make(name, heir, **fields):
        hit = make_hit(name, superseded_by=heir, **fields)
        memory = Memory(name, hit.text, hit.at, hit.at, status=Status.SUPERSEDED, agent_pk=1)
        return replace(hit, memory=memory)

    return make


def gone(hits):
    return [hit.id for hit in hits if hit.dropped]


def test_the_best_few_go_on_and_the_rest_says_why(make_hit, old_hit):
    hits = [make_hit("a"), *(old_hit(f"o{n}", "a") for n in range(4)), make_hit("b")]
    found = LimitSuperseded()(None, hits)
    assert gone(found) == ["o2", "o3"]
    assert [hit.id for hit in found] == [hit.id for hit in hits]
    assert found[3].dropped == "below_budget"


def test_what_was_replaced_gets_through_with_what_replaced_it_or_not_at_all(
    context, make_hit, old_hit
):
    new, other = make_hit("new", relevance=0.05), make_hit("other", relevance=0.05)
    old = old_hit("old", "new", relevance=0.4)
    assert gone(Floor(0.3)(context(), [old, new, other])) == ["other"]
    faint = old_hit("faint", "other", relevance=0.05)
    assert gone(Floor(0.3)(context(), [old, new, other, faint])) == ["other", "faint"]


def test_each_stands_after_its_heir_within_what_a_prompt_is_given(make_hit, old_hit):
    a, b, c = make_hit("a"), make_hit("b"), make_hit("c")
    hits = [a, b, old_hit("before a", "a"), old_hit("lost", "x"), c, old_hit("before c", "c")]
    ids = [hit.id for hit in SupersededBeside(5)(None, hits)]
    assert ids == ["a", "before a", "b", "lost", "c", "before c"]
    hits = [a, b, c, old_hit("before a", "a"), make_hit("d")]
    assert [hit.id for hit in SupersededBeside(3)(None, hits)] == ["a", "b", "c", "before a", "d"]
    assert SupersededBeside(3)(None, []) == []


@pytest.fixture
def moved(world):
    world.understanding = MOVED
    world.tell("I live in Lille.", days=300)
    world.tell("I'm allergic to walnuts.", days=150)
    world.tell("I live in Ghent now.", days=20)
    world.index()
    return world


def test_where_one_lived_before_is_known(moved):
    found = moved.recall("Where did I live before Ghent?")
    by_text = {hit.text: hit for hit in found.hits}
    old, new = by_text["I live in Lille"], by_text["I live in Ghent now"]
    assert (old.superseded_by, old.replaced_by) == (new.id, new.text)
    assert (old.disputed, old.replaced_at) == (REPLACED, NOW - timedelta(days=20))
    assert old.lanes == {"replaced": 1}
    assert new.disputed is None
    assert found.hits.index(old) == found.hits.index(new) + 1
    steps = {step.name: (step.before, step.after) for step in found.steps}
    assert steps["replaced"][1] == 1
    assert moved.memories.get(old.id).status is Status.SUPERSEDED, "nothing is written for it"


def test_asked_of_the_old_alone_what_holds_now_comes_first(moved, with_setting):
    with_setting("rag.messages", False)
    assert moved.texts("Lille?")[:2] == ["I live in Ghent now", "I live in Lille"]


def test_by_itself_it_is_not_recalled(moved):
    heir = next(m for m in moved.memories.list(DEFAULT_SCOPE) if m.text == "I live in Ghent now")
    moved.memories.update(heir.id, {"status": "forgotten"}, Note("user", "forget", "f"))
    found = moved.recall("Have I ever lived in Lille?")
    assert "I live in Lille" not in [hit.text for hit in (*found.hits, *found.dropped)]


def test_what_is_not_about_the_question_stays_away(moved):
    found = moved.recall("How do I center a div?")
    assert found.hits == ()
    dropped = {hit.text: hit.dropped for hit in found.dropped}
    assert dropped["I live in Lille"] == "below_floor"


def test_it_pushes_out_nothing_that_is_the_better_find(world, with_setting):
    """Asked of what is well known, the places are for that; the very same finds as without."""
    world.understanding = MOVED
    world.tell("I live in Lille.", days=300)
    world.tell("I live in Ghent now.", days=20)
    for n in range(8):
        world.learn(f"In Ghent I live near the harbour, at number {n}", days=n)
    world.index()
    question = "Where near the harbour of Ghent do I live?"
    with_history = world.texts(question)
    with_setting("rag.lanes.replaced.enabled", False)
    assert with_history == world.texts(question)
    assert "I live in Lille" not in with_history


def test_it_is_seen_by_whom_and_as_far_as_trusted_and_as_long_as_anything(moved):
    question = "Have I ever lived in Lille?"
    old = next(
        m for m in moved.memories.list(DEFAULT_SCOPE, limit=-1) if m.status is Status.SUPERSEDED
    )
    assert old.text in moved.texts(question)
    with moved.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    assert moved.texts(question, scope=Scope(2)) == []
    for changes in ({"trust": Trust.EXTERNAL}, {"expires_at": NOW - timedelta(days=1)}):
        was = {name: getattr(old, name) for name in changes}
        moved.memories.update(old.id, changes, Note("user", "edit", str(changes)))
        assert old.text not in moved.texts(question)
        moved.memories.update(old.id, was, Note("user", "edit", f"{changes} back"))
        assert old.text in moved.texts(question)


def test_off_it_is_not_even_looked_for(moved, with_setting):
    with_setting("rag.lanes.replaced.enabled", False)
    found = moved.recall("Have I ever lived in Lille?")
    assert "I live in Lille" not in [hit.text for hit in (*found.hits, *found.dropped)]
    assert not {"replaced", "history", "beside"} & {step.name for step in found.steps}


@pytest.mark.parametrize("question", ["Where do I live?", "Have I ever lived in Lille?"])
def test_without_a_model_it_answers_nothing_as_if_it_still_held(moved, question):
    hits = moved.recall(question).hits
    assert "I live in Lille" in [hit.text for hit in hits]
    found = Answerer(Store(moved.vault), Understanding).found(question, hits)
    assert not any("Lille" in one.text for one in (*found.told, *found.more))
