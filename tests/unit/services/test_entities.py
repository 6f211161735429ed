"""The person says which names mean one, and can take it back."""

import pytest

from app.domain.memory import MemoryFilter
from app.errors import NotFound

ALL = MemoryFilter()


@pytest.fixture
def sailors(services):
    for text in ("Bob Smith sails on Sundays", "I met Robert Smith in Ghent"):
        services.memories.add(text)
    return services.entities


def texts(services, question):
    return [hit.text for hit in services.memories.recall(question).hits]


def test_what_is_typed_is_linked_and_merged_names_lead_to_each_other(services, sailors):
    names = {one.name for one in sailors.list(1)}
    assert {"Bob Smith", "Robert Smith", "Ghent"} <= names
    changed = sailors.merge("Bob Smith", "Robert Smith", 1)
    assert len(changed.memories) == 2
    assert sailors.named("bob smith", 1).also == ("Bob Smith",)
    assert sailors.split("Bob Smith", 1).memories == changed.memories
    assert sailors.named("bob smith", 1).also == ()


def test_one_name_is_told_apart(services, sailors):
    (memory_id,) = sailors.merge("Ghent", "Robert Smith", 1).memories
    sailors.split("Ghent", 1)
    assert sailors.move("Ghent", "Ghent, Kentucky", [memory_id], 1).memories == {memory_id}
    with pytest.raises(NotFound):
        sailors.named("Ghent", 1)


def test_an_edited_text_is_linked_anew(services, sailors):
    memory = next(m for m in services.memories.list(ALL) if "Bob" in m.text)
    services.memories.edit(memory.id, memory.revision, {"text": "Zoe Adler sails on Sundays"})
    for _ in services.background.run():
        pass
    assert sailors.named("Zoe Adler", 1).mentions == 1
    with pytest.raises(NotFound):
        sailors.named("Bob Smith", 1)
