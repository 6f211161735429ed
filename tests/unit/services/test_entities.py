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
    names = {one.name for one in sailors.list()}
    assert {"Bob Smith", "Robert Smith", "Ghent"} <= names
    changed = sailors.merge("Bob Smith", "Robert Smith")
    assert len(changed.memories) == 2
    assert sailors.named("bob smith").also == ("Bob Smith",)
    assert sailors.split("Bob Smith").memories == changed.memories
    assert sailors.named("bob smith").also == ()


def test_one_name_is_told_apart(services, sailors):
    (memory_id,) = sailors.merge("Ghent", "Robert Smith").memories
    sailors.split("Ghent")
    assert sailors.move("Ghent", "Ghent, Kentucky", [memory_id]).memories == {memory_id}
    with pytest.raises(NotFound):
        sailors.named("Ghent")


def test_an_edited_text_is_linked_anew(services, sailors):
    memory = next(m for m in services.memories.list(ALL) if "Bob" in m.text)
    services.memories.edit(memory.id, memory.revision, {"text": "Zoe Adler sails on Sundays"})
    for _ in services.background.run():
        pass
    assert sailors.named("Zoe Adler").mentions == 1
    with pytest.raises(NotFound):
        sailors.named("Bob Smith")
