"""What memories come from, and what forgetting a source would concern."""

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.history import MemorySource, SourceKind
from app.domain.memory import Evidence, Origin, Status, Trust
from app.store.journal.entries import Note
from app.store.journal.sources import Sources


@pytest.fixture
def sources(vault, clock):
    return Sources(vault)


@pytest.fixture
def learnt(remember, clock):
    """Store a memory that rests on a message."""

    def store(text, message, *more, quote=None, **fields):
        quotes = [(message, text if quote is None else quote), *((m, text) for m in more)]
        evidence = [Evidence(words, clock(), m.id) for m, words in quotes]
        return remember(text, evidence=evidence, **fields)

    return store


def test_every_kind_of_source_is_listed_with_what_rests_on_it(
    sources, learnt, remember, memories, conversations, messages, say, clock
):
    talk, other = conversations.create(1, title="Tea"), conversations.create(1, title="Rain")
    said = say(talk, "I like tea")
    parts = [Part("Look:", PartOrigin.TYPED), Part("…", PartOrigin.ATTACHED, "report.pdf")]
    sent = messages.add(other.id, Role.USER, parts)
    first = clock()
    tea = learnt("Likes tea", said, actor="user")
    memories.update(tea.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "f"))
    learnt("Likes rain", sent, actor="user")
    learnt("Rain falls", sent, quote="", origin=Origin.DOCUMENT, actor="user")
    clock.forward(days=1)
    remember("Imported", origin=Origin.IMPORT, actor="import", batch="i1")
    learnt("Reviewed", said, origin=Origin.REVIEW, actor="review", batch="r1")
    remember("Told", origin=Origin.CLIENT, actor="robot", batch="c1")
    clock.forward(days=1)
    remember("Told more", origin=Origin.CLIENT, actor="robot", batch="c2")
    found = {s.name: (s.title, s.count, s.active) for s in sources.list()}
    assert found == {
        f"conversation:{talk.id}": ("Tea", 2, 1),
        f"conversation:{other.id}": ("Rain", 2, 2),
        f"document:{sent.id}": ("report.pdf", 1, 1),
        "import:i1": ("", 1, 1),
        "job:r1": ("review", 1, 1),
        "client:robot": ("robot", 2, 2),
    }
    assert [s.name for s in sources.list(1)] == ["client:robot"]
    one = sources.get(SourceKind.CONVERSATION, talk.id)
    assert (one.first_at, one.count) == (first, 2)
    assert sources.get(SourceKind.JOB, "nothing") is None


def test_what_was_said_elsewhere_too_stays(sources, learnt, conversations, say):
    talk, other = conversations.create(1), conversations.create(1)
    here, there = say(talk, "I like tea"), say(other, "I like tea")
    both, alone = learnt("Likes tea", here, there), learnt("Likes jam", here)
    holding = sources.holding(MemorySource(SourceKind.CONVERSATION, talk.id))
    assert (holding.memories, holding.elsewhere) == ((alone.id,), (both.id,))


def test_what_an_import_claimed_and_the_person_said_stays(
    sources, learnt, remember, say, conversations, memories, clock
):
    said = say(conversations.create(1), "I like tea")
    fields = {"origin": Origin.IMPORT, "actor": "import", "batch": "i1"}
    tea, jam = remember("Likes tea", **fields), remember("Likes jam", **fields)
    memories.add_evidence(tea.id, Evidence("I like tea", clock(), said.id))
    holding = sources.holding(MemorySource(SourceKind.IMPORT, "i1"))
    assert (holding.memories, holding.elsewhere) == ((jam.id,), (tea.id,))


def test_what_a_job_wrote_rests_on_nothing_else(sources, learnt, conversations, say):
    said = say(conversations.create(1), "I like tea")
    seen = learnt("Likes tea", said, origin=Origin.REVIEW, actor="review", batch="r1")
    assert sources.holding(MemorySource(SourceKind.JOB, "r1")).memories == (seen.id,)


def test_what_is_protected_is_named_and_stays_unless_asked_for(
    sources, learnt, memories, conversations, say
):
    talk = conversations.create(1)
    said = say(talk, "So many things")
    plain = learnt("plain", said)
    pinned, fixed = learnt("pinned", said, pinned=True), learnt("fixed", said, trust=Trust.SYSTEM)
    gone = learnt("gone", said)
    memories.update(gone.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "f"))
    source = MemorySource(SourceKind.CONVERSATION, talk.id)
    holding = sources.holding(source)
    assert holding.memories == (plain.id,)
    assert holding.forgotten == (gone.id,)
    assert holding.protected == ((pinned.id, "pinned"), (fixed.id, "fixed"))
    assert sources.holding(source, protected=True).memories == (plain.id, pinned.id, fixed.id)


def test_what_was_drawn_from_it_is_named(sources, learnt, remember, conversations, say):
    talk = conversations.create(1)
    one = learnt("one", say(talk, "one"))
    drawn = remember("ones", source_ids=(one.id, "x"), origin=Origin.CONSOLIDATION, proof_count=2)
    remember("others", source_ids=("y",), origin=Origin.CONSOLIDATION, proof_count=2)
    assert sources.holding(MemorySource(SourceKind.CONVERSATION, talk.id)).derived == (drawn.id,)
