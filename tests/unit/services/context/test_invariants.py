"""The laws of long conversations, over random ones: said, branched, summed up and killed."""

from threading import Event

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.language.foreign import storable
from app.domain.prompting.context import Summary
from app.domain.prompting.tools import ToolCall, ToolResult, ToolUse
from app.services.context.compaction import ContextCompaction
from app.services.context.summariser import Summariser
from app.services.context.views import ContextViews
from tests.fakes.kills import Job

LAW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=25,
)
texts = st.text(max_size=200)
parts = st.lists(
    st.builds(Part, texts, st.sampled_from(list(PartOrigin)), st.text(max_size=20)),
    min_size=1,
    max_size=6,
)


def compaction(opened):
    """What sums up, made anew as after the end of the process."""
    values = opened.services.preferences.values
    summariser = Summariser(opened.host, opened.store.usage, values, opened.store.clock)
    views = ContextViews(opened.store, values)
    return ContextCompaction(opened.store, views, opened.host, summariser, values)


@LAW
@given(parts)
def test_the_parts_of_a_message_together_are_the_message(opened, said):
    talk = opened.services.conversations.create()
    kept = opened.store.messages.add(talk.id, Role.USER, said)
    (read,) = opened.store.messages.branch(talk.id)
    assert read == kept
    assert "".join(part.text for part in read.parts) == read.text
    assert [part.text for part in read.parts] == [storable(part.text) for part in said]
    assert read.text == storable("".join(part.text for part in said))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3),
    max_leaves=6,
)
uses = st.lists(
    st.builds(
        lambda name, arguments, raw, told, failed, letters: (
            name,
            arguments,
            raw,
            None if told is None else (told, failed),
            letters,
        ),
        st.text(max_size=12),
        st.dictionaries(texts, json_values, max_size=3),
        texts,
        st.none() | texts,
        st.booleans(),
        st.integers(0, 10_000),
    ),
    max_size=5,
)


@LAW
@given(uses)
def test_calls_and_results_come_back_word_for_word_paired_by_their_ids(opened, made):
    talk = opened.services.conversations.create()
    message = opened.store.messages.add(talk.id, Role.ASSISTANT, [Part("x", PartOrigin.MODEL)])
    kept = [
        ToolUse(
            ToolCall(f"c{n}", storable(name), arguments, storable(raw)),
            None if told is None else ToolResult(f"c{n}", storable(told[0]), failed=told[1]),
            letters,
            n,
        )
        for n, (name, arguments, raw, told, letters) in enumerate(made)
        if not _is_odd(arguments)
    ]
    opened.store.tool_calls.add(message.id, kept)
    assert list(opened.store.tool_calls.of_conversation(talk.id).get(message.id, ())) == kept


def _is_odd(value):
    """Whether JSON holds letters that no file of text can."""
    if isinstance(value, dict):
        return any(_is_odd(k) or _is_odd(v) for k, v in value.items())
    if isinstance(value, list):
        return any(map(_is_odd, value))
    return isinstance(value, str) and storable(value) != value


@pytest.mark.parametrize("seed", range(6))
def test_whenever_it_is_killed_the_view_shows_every_message_once(opened, seed):
    store = opened.store
    opened.services.preferences.set("models.context_tokens", 1024)
    talk = opened.services.conversations.create().id
    for n in range(200):
        said = [Part(f"Boat {n} lies at pier {n * 3 % 50} of Split, they say. ", PartOrigin.TYPED)]
        above = store.messages.branch(talk)[n // 2].id if n % 41 == 40 else "tip"
        role = Role.ASSISTANT if n % 2 else Role.USER
        store.messages.add(talk, role, said, parent_id=above)

    def begin(checkpoint, mark, cancel):
        job = store.job_monitor.by_key("summarise")
        return compaction(opened)._run(job, mark, cancel)

    job = Job(store.vault, begin, kind="summarise")
    job.jobs.enqueue("summarise", "summarise", {"conversation": talk})
    job.run_with_kills(seed)
    branch = list(store.messages.branch_rows(talk))
    shown = []
    for one in store.summaries.view(talk, 8):
        summed_up = isinstance(one, Summary)
        shown += store.summaries.covered(one.pk, talk) if summed_up else [one.pk]
        assert not summed_up or one.tokens < one.source_tokens
    assert shown == branch
    assert store.summaries.problems() == {}
    assert any(isinstance(one, Summary) for one in store.summaries.view(talk, 8))
    assert compaction(opened).step(talk, Event()) is None, "it came to its end"
