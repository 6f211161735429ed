"""Whatever is branched, summed up and dropped: a view shows every message of a branch once."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.conversation.dag import choosing
from app.conversation.dag.choosing import Limits
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.prompting.context import Rung, Summary
from app.errors import Conflict, NotFound
from app.store.context.summaries import ContextSummaries
from app.store.conversations import Conversations
from app.store.messages import Messages

LIMITS = Limits(window=200, chunk=60, leaf=20, condensed=30, fresh=2, reads=400)
LAW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25
)
steps = st.lists(
    st.tuples(
        st.sampled_from(["say", "say", "say", "branch", "switch", "compact", "compact", "drop"]),
        st.integers(0, 30),
    ),
    max_size=40,
)


def spans(view, parents):
    found = []
    for item in view:
        if isinstance(item, Summary):
            run, at = [], item.last
            while True:
                run.append(at)
                if at == item.first:
                    break
                at = parents[at]
            assert len(run) == item.messages
            found += run[::-1]
        else:
            found.append(item.pk)
    return found


@LAW
@given(steps)
def test_a_view_shows_every_message_of_the_branch_once(vault, doing):
    talks, messages, summaries = Conversations(vault), Messages(vault), ContextSummaries(vault)
    talk = talks.create(1)
    said, parents = [], {}
    for what, number in doing:
        if what in ("say", "branch") or not said:
            parent = said[number % len(said)].id if said and what == "branch" else "tip"
            text = f"{number} " + "words of it " * (number % 9 + 1)
            role = Role.USER if number % 2 else Role.ASSISTANT
            one = messages.add(talk.id, role, [Part(text, PartOrigin.TYPED)], parent_id=parent)
            said.append(one)
            by_id = {m.id: m.pk for m in said}
            parents[one.pk] = by_id.get(one.parent_id)
        elif what == "switch":
            messages.switch_branch(said[number % len(said)].id)
        elif what == "compact":
            view = summaries.view(talk.id, LIMITS.fresh)
            covered = choosing.leaf(view, LIMITS) or choosing.run(view, LIMITS)
            if covered:
                summaries.add(talk.id, covered, "Less.", 2, Rung.EXTRACT)
        else:
            pk = said[number % len(said)].pk
            summaries.drop_covering([pk])
            for item in summaries.view(talk.id, 0):
                assert not isinstance(item, Summary) or pk not in spans([item], parents)
        branch = list(messages.branch_rows(talk.id))
        for fresh in (0, 2, 100):
            assert spans(summaries.view(talk.id, fresh), parents) == branch


def test_a_summary_of_another_conversation_does_not_exist(vault):
    talks, messages, summaries = Conversations(vault), Messages(vault), ContextSummaries(vault)
    talk, other = talks.create(1), talks.create(1)
    for n in range(12):
        messages.add(talk.id, Role.USER, [Part(f"{n} words of it, many", PartOrigin.TYPED)])
    view = summaries.view(talk.id, 0)
    made = summaries.add(talk.id, view[:5], "Five.", 2, Rung.NORMAL)
    assert summaries.get(made.pk, talk.id) == made
    with pytest.raises(NotFound):
        summaries.get(made.pk, other.id)
    with pytest.raises(NotFound):
        summaries.covered(made.pk, other.id)
    with pytest.raises(Conflict):
        summaries.add(other.id, view[6:8], "Two.", 2, Rung.NORMAL)
    with pytest.raises(Conflict):
        summaries.add(talk.id, [view[6], view[8]], "A gap.", 2, Rung.NORMAL)
