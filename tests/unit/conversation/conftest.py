from datetime import UTC, datetime, timedelta

import pytest

from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.recall import Hit, HitKind

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def message():
    made = []

    def make(text, role=Role.USER, **fields):
        made.append(text)
        origin = PartOrigin.MODEL if role is Role.ASSISTANT else PartOrigin.TYPED
        name = f"m{len(made)}"
        return Message(name, "c", role, (Part(text, origin),), NOW, **fields)

    return make


@pytest.fixture
def hit():
    def make(text, name="h", days=0, **fields):
        fields.setdefault("kind", HitKind.MEMORY)
        at = datetime(2026, 1, 12, 12, tzinfo=UTC) - timedelta(days=days)
        return Hit(id=name, text=text, at=at, **{"relevance": 0.6} | fields)

    return make
