from datetime import timedelta

import pytest

from app.domain.memory import Scope, Trust
from app.store.memories import Note
from app.store.superseded import Replaced

HOME = Scope(1)
BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})


@pytest.fixture
def by(vault, clock):
    def by(*heirs, scope=HOME, trusts=BOTH):
        return Replaced(vault).by([heir.pk for heir in heirs], scope, trusts, clock())

    return by


@pytest.fixture
def replace(memories, clock):
    def replace(old, new, **more):
        changes = {"status": "superseded", "superseded_by": new.id, "valid_to": clock()}
        memories.update(old.id, changes | more, Note("user", "supersede", f"{old.id}{more}"))

    return replace


def test_each_memory_comes_with_what_it_replaced_last(by, remember, replace, clock):
    first, second, third = (remember(f"lives in {town}") for town in ("Lille", "Bonn", "Ghent"))
    other = remember("likes tea")
    assert by(third, other) == {}
    replace(second, third)
    clock.forward(days=1)
    replace(first, third)
    assert by(third, other) == {third.pk: first.pk}
    assert by() == {}


def test_only_what_went_before_directly_and_may_be_seen(by, remember, replace, memories, clock):
    first, second, third = (remember(f"lives in {town}") for town in ("Lille", "Bonn", "Ghent"))
    replace(first, second)
    replace(second, third)
    assert by(third) == {third.pk: second.pk}
    assert by(third, scope=Scope(2)) == {}
    assert by(third, trusts={Trust.SYSTEM}) == {}
    replace(second, third, expires_at=clock() - timedelta(days=1))
    assert by(third) == {}
    replace(second, third, expires_at=None, status="forgotten")
    assert by(third) == {}
