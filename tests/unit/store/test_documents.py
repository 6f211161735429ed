"""A document lies beside its message, page by page, and goes with its conversation."""

import pytest

from app.domain.conversation import Document, Part, PartOrigin, Role
from app.errors import NotFound
from app.store.index.match import either
from app.store.store import Store
from tests.fakes import papers


def attached(*pages, name="report.pdf"):
    document = Document("", name, "pdf", 900, "ab" * 32, len(pages), True, tuple(pages))
    return Part(f"{name}, {document.counted()}", PartOrigin.ATTACHED, name, document)


@pytest.fixture
def store(vault):
    return Store(vault)


@pytest.fixture
def talk(store):
    return store.conversations.create(1).id


def add(store, talk, *parts):
    return store.messages.add(talk, Role.USER, parts)


def count(store, table):
    return store.archive.count(table)


def test_a_message_names_its_document_and_the_text_lies_beside_it(store, talk):
    said = add(store, talk, attached(*papers.report(31)), Part("What?", PartOrigin.TYPED))
    (part, _) = store.messages.get(said.id).parts
    assert part.document.id
    assert (part.document.pages, part.document.texts, part.document.paged) == (31, (), True)
    assert "Tiverton" not in said.text
    pages = dict(store.documents.pages(part.document.id, talk))
    assert list(pages) == list(range(1, 32))
    assert pages[12] == papers.report(31)[11].rstrip() + "\n"
    assert store.documents.length([part.document.id]) == sum(map(len, pages.values()))


def test_passages_are_found_with_their_page_in_these_documents_alone(store, talk):
    one = add(store, talk, attached(*papers.report())).parts[0].document.id
    other = add(store, talk, attached("Tiverton again.", name="b.pdf")).parts[0].document.id
    best = store.documents.found([one], either(["tiverton", "pier"]), 5)
    assert [found.page for found in best] == [12]
    assert store.documents.found([other], either(["pier"]), 5) == []
    assert len(store.documents.found([one, other], either(["tiverton"]), 5)) == 2
    assert [p.page for p in store.documents.holding([one], "northern pier", 5)] == [12]


def test_a_page_without_words_has_no_passage(store, talk):
    one = add(store, talk, attached("First.", "  \n", "Third.")).parts[0].document.id
    assert store.documents.pages(one, talk) == [(1, "First.\n"), (3, "Third.\n")]


def test_another_conversation_is_told_nothing(store, talk):
    one = add(store, talk, attached("First.")).parts[0].document.id
    with pytest.raises(NotFound):
        store.documents.pages(one, store.conversations.create(1).id)


def test_a_document_goes_with_its_conversation_and_out_of_the_index(store, talk):
    one = add(store, talk, attached("A canary called Tweety.")).parts[0].document.id
    store.conversations.delete(talk)
    assert count(store, "documents") == count(store, "document_passages") == 0
    assert store.documents.found([one], either(["tweety"]), 5) == []
    assert not store.occurrences.occurs("Tweety")


def test_the_same_document_is_kept_once_in_a_conversation_and_copied_into_another(store, talk):
    part = add(store, talk, attached("A canary.")).parts[0]
    again = add(store, talk, part).parts[0]
    assert again == part
    elsewhere = store.conversations.create(1).id
    copied = add(store, elsewhere, part).parts[0]
    assert copied.document.id != part.document.id
    store.conversations.delete(talk)
    assert store.documents.pages(copied.document.id, elsewhere) == [(1, "A canary.\n")]


def test_redacting_a_message_leaves_its_document_and_a_passage_can_be_redacted(store, talk):
    said = add(store, talk, attached("A canary called Tweety sings."), Part("Hi", PartOrigin.TYPED))
    store.messages.redact(said.id, [(0, 6)])
    part = store.messages.get(said.id).parts[0]
    (passage,) = store.documents.passages([part.document.id])
    assert store.documents.redact(passage.id, [(16, 22)]) == talk
    assert "Tweety" not in store.documents.passage(passage.id).text
    assert store.documents.found([part.document.id], either(["tweety"]), 5) == []
    assert store.documents.found([part.document.id], either(["sings"]), 5)


def test_the_search_over_all_conversations_finds_pages(store, talk):
    said = add(store, talk, attached(*papers.report()))
    (found,) = store.conversations.search("northern pier", 1, 50)
    assert found.message_id == said.id
    assert found.snippet.startswith("report.pdf, page 12: ")
    assert store.conversations.search("northern pier", 2, 50) == []


def test_what_was_erased_of_a_document_is_found_by_no_word(store, talk):
    one = add(store, talk, attached("A canary called Tweety sings.")).parts[0].document.id
    store.documents.redact(f"{one}/0", [(16, 22)])
    assert store.conversations.search("erased", 1, 50) == []
    assert len(store.conversations.search("canary", 1, 50)) == 1


@pytest.mark.tampers
def test_a_document_that_something_else_bent_leaves_its_message_readable(store, talk, vault):
    said = add(store, talk, attached("First."), Part("Hi", PartOrigin.TYPED))
    with vault.write() as connection:
        connection.execute("UPDATE documents SET digest = x'00'")
        connection.execute("UPDATE document_passages SET page = 'one'")
    assert [part.document for part in store.messages.get(said.id).parts] == [None, None]
