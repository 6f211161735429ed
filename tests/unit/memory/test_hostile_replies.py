"""Whatever a model writes in a field of its reply, no work ends by it."""

from datetime import UTC, datetime

import pytest

from app.memory.consolidate import wording
from app.memory.dream import summary
from app.memory.learn.replies import EvidenceWords, candidate, effects, parsed
from tests.fakes import nasty

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
SAID = "I live in Ghent."
NASTY = (
    *nasty.NASTY,
    "9" * 400,
    "9" * 5_000,
    "[" * 100_000 + "]" * 100_000,
    "[" * 500 + "]" * 500,
    '"a\\u0000b"',
    '"0001-01-01"',
    '"9999-12-31T23:59:59-12:00"',
)
FIELDS = ("content", "quote", "kind", "occurred_at", "entities", "causes")
WHOLE = {
    "content": '"I live in Ghent"',
    "quote": '"I live in Ghent"',
    "kind": '"fact"',
    "occurred_at": '"2026-01-01"',
    "entities": '["Ghent"]',
    "causes": "[]",
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", NASTY, ids=lambda value: value[:12])
def test_a_spoiled_proposal(field, value):
    held = ", ".join(f'"{name}": {one}' for name, one in (WHOLE | {field: value}).items())
    for item in parsed(f'{{"memories": [{{{held}}}]}}') or ():
        effects_of(item)
        try:
            found = candidate(item, EvidenceWords(SAID, AT))
        except (TypeError, ValueError):
            continue  # whoever reads proposals leaves it out
        if found is not None:
            found.text.encode()


def effects_of(item):
    try:
        return effects(item)
    except (TypeError, ValueError):
        return ()


@pytest.mark.parametrize("value", NASTY, ids=lambda value: value[:12])
def test_a_spoiled_observation(value):
    texts = ["You live in Ghent", "You live in Ghent, near the station"]
    for reply in (
        f'{{"content": "You live in Ghent, near the station", "confidence": {value}}}',
        f'{{"content": {value}, "confidence": 1}}',
        value,
    ):
        found = wording.believed(wording._parsed(reply), texts)
        assert found is None or 0 <= found.confidence <= 1


@pytest.mark.parametrize("value", NASTY, ids=lambda value: value[:12])
def test_a_spoiled_summary(value):
    for reply in (f'{{"summaries": [{{"content": {value}}}]}}', f'{{"summaries": {value}}}'):
        assert all(isinstance(text, str) for text in summary._texts(reply))
