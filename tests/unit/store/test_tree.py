"""Laws of the message tree: every branch can be reached, and redaction removes what it names."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.conversation import Part, PartOrigin, Role
from app.store import tree

quick = settings(
    max_examples=25,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@quick
@given(st.lists(st.integers(0, 30), max_size=12))
def test_every_message_can_be_brought_to_the_front(conversations, messages, parents):
    """Whatever the tree, switching to a message shows a root-to-leaf path through it."""
    talk = conversations.create(1)
    made = []
    for n, choice in enumerate(parents):
        parent = None if not made or choice == 0 else made[choice % len(made)].id
        part = Part(str(n), PartOrigin.TYPED)
        made.append(messages.add(talk.id, Role.USER, [part], parent_id=parent))
    for message in made:
        messages.switch_branch(message.id)
        path = messages.branch(talk.id)
        assert message.id in [m.id for m in path]
        assert path[0].parent_id is None
        assert [m.parent_id for m in path[1:]] == [m.id for m in path[:-1]]
        assert messages.children(path[-1].id, talk.id) == []
        assert [messages.before(m.id) for m in path] == [path[:n] for n in range(len(path))]
        for step in path:
            family = [m.id for m in messages.children(step.parent_id, talk.id)]
            assert step.siblings == (len(family), family.index(step.id) + 1)


words = st.text("abc ", max_size=8)
spans = st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 30)), max_size=4)


@given(st.lists(words, max_size=4), spans)
def test_redaction_removes_exactly_the_spans(texts, spans):
    parts = [Part(text, PartOrigin.TYPED, str(n)) for n, text in enumerate(texts)]
    joined = "".join(texts)
    hidden = {n for start, end in spans for n in range(max(0, start), min(end, len(joined)))}
    left = [letter for n, letter in enumerate(joined) if n not in hidden]
    after = tree.redacted(parts, spans)
    assert "".join(p.text for p in after).replace(tree.ERASED, "") == "".join(left)
    assert [(p.origin, p.name) for p in after] == [(p.origin, p.name) for p in parts]
    runs = sum(1 for n in hidden if n - 1 not in hidden)
    assert sum(p.text.count(tree.ERASED) for p in after) <= max(runs, len(spans))
    assert bool(hidden) == any(tree.ERASED in p.text for p in after)


def test_a_span_over_two_parts_leaves_one_mark():
    parts = [Part("abc", PartOrigin.TYPED), Part("def", PartOrigin.PASTED)]
    assert [p.text for p in tree.redacted(parts, [(1, 5)])] == ["a[erased]", "f"]
