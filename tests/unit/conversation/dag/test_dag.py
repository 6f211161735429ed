"""Whatever is compacted: the view covers every message once, shrinks, and comes to an end."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.conversation.dag import choosing, ladder
from app.conversation.dag.choosing import Limits
from app.conversation.dag.ladder import SummaryTask
from app.domain.conversation import Role
from app.domain.prompting.context import Summary, ViewMessage, tokens

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LIMITS = Limits(window=400, chunk=120, leaf=30, condensed=40, fresh=3, reads=300)


def count(text):
    return -(-len(text) // 4)


WORDS = st.lists(
    st.sampled_from(["I", "sail.", "7", "boats", "in", "Split,", "née", "Öz", "…", "日本語"]),
    min_size=1,
).map(" ".join)
messages = st.lists(st.tuples(st.sampled_from(list(Role)), WORDS), max_size=60)


def view_of(said):
    found = []
    for number, (role, text) in enumerate(said):
        at = BEGAN + timedelta(minutes=number)
        found.append((ViewMessage(number, str(number), role, count(text), at), text))
    return [one for one, _ in found], {one.pk: text for one, text in found}


def replaced(view, covered, summary):
    at = view.index(covered[0])
    assert view[at : at + len(covered)] == covered
    return [*view[:at], summary, *view[at + len(covered) :]]


def summary_of(covered, texts, write, depth):
    told = [one.text if isinstance(one, Summary) else texts[one.pk] for one in covered]
    before = tokens(covered)
    done = ladder.summed_up(SummaryTask(told, depth, 30), before, count, write)
    if done is None:
        return None
    first, last = covered[0], covered[-1]
    assert done.tokens < before
    return Summary(
        "s",
        depth,
        first.first if isinstance(first, Summary) else first.pk,
        last.last if isinstance(last, Summary) else last.pk,
        sum(one.messages if isinstance(one, Summary) else 1 for one in covered),
        done.tokens,
        before,
        done.text,
        BEGAN,
        BEGAN,
    )


@given(messages, st.sampled_from(["none", "echo", "long", "short"]))
def test_compacting_covers_all_shrinks_and_ends(said, writer):
    view, texts = view_of(said)
    write = {
        "none": lambda task: None,
        "echo": lambda task: "\n".join(task.texts),
        "long": lambda task: "word " * 5_000,
        "short": lambda task: "They spoke.",
    }[writer]
    for _ in range(10 * len(said) + 10):
        before = tokens(view)
        covered = choosing.leaf(view, LIMITS) or choosing.run(view, LIMITS)
        if not covered:
            break
        depth = covered[0].depth + 1 if isinstance(covered[0], Summary) else 0
        made = summary_of(covered, texts, write, depth)
        assert made is not None
        view = replaced(view, covered, made)
        assert tokens(view) < before
        spans = [(i.first, i.last) if isinstance(i, Summary) else (i.pk, i.pk) for i in view]
        flat = [pk for first, last in spans for pk in range(first, last + 1)]
        assert flat == list(range(len(said)))
    else:
        raise AssertionError("compacting does not end")
