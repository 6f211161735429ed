"""What is erased goes out of attached documents as well, and a conversation takes its own along."""

from threading import Event

from app.domain.conversation import Document, Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.store.store import Store
from tests.unit.services.profile import CANARY, SAID, erase

AROUND = "Of pets and their keepers."


def attach(home, talk, *pages):
    document = Document("", "pets.pdf", "pdf", 9, "ab" * 32, len(pages), True, pages)
    part = Part("pets.pdf, 2 pages", PartOrigin.ATTACHED, "pets.pdf", document)
    (kept,) = home.messages.add(talk, Role.USER, (part,)).parts
    return kept.document.id


def test_a_memory_is_erased_out_of_a_document_too(home, filled):
    talk = home.talks.create(1).id
    one = attach(home, talk, AROUND, f"{AROUND} {SAID} {AROUND}")
    (listed,) = [c for c in home.service.of_memory("m1").copies if c.kind == "document"]
    assert listed.label.startswith("In pets.pdf, page 2: “")
    assert listed.ticked
    proof = erase(home)
    assert proof.good
    assert any("pets.pdf" in line for line in proof.removed)
    assert home.found(CANARY).found == 0
    pages = dict(Store(home.vault).documents.pages(one, talk))
    assert pages == {1: f"{AROUND}\n", 2: f"{AROUND} [erased]. {AROUND}\n"}


def test_a_document_that_the_person_keeps_is_told_of(home, filled):
    talk = home.talks.create(1).id
    attach(home, talk, SAID)
    key = next(c.key for c in home.service.of_memory("m1").copies if c.kind == "document")
    proof = erase(home, untick={key})
    assert any(line.startswith("You kept it: In pets.pdf, page 1") for line in proof.left)


def test_erasing_a_conversation_erases_its_documents_and_the_scan_looks_for_them(home):
    talk = home.talks.create(1, title="Pets").id
    attach(home, talk, AROUND, SAID)
    assert home.found(CANARY).found > 0
    copies = home.service.of_conversation(talk).copies
    ticked = frozenset(copy.key for copy in copies)
    proof = drive(home.service.erase_conversation(talk, ticked), Event())
    assert proof.good
    assert proof.found_before > 0
    assert home.found(CANARY, AROUND).found == 0


def test_a_name_is_erased_out_of_a_document_that_says_something_else_of_it(home, filled):
    talk = home.talks.create(1).id
    one = attach(home, talk, f"Nobody has seen a {CANARY}, says {CANARY} weekly.")
    proof = erase(home)
    assert proof.good
    assert home.found(CANARY).found == 0
    (text,) = dict(Store(home.vault).documents.pages(one, talk)).values()
    assert text == "Nobody has seen a [erased], says [erased] weekly.\n"


def test_spans_that_overlap_are_taken_out_once(home):
    talk = home.talks.create(1).id
    one = attach(home, talk, "A canary called Tweety.")
    documents = Store(home.vault).documents
    documents.redact(f"{one}/0", [(2, 15), (9, 22), (0, 1)])
    assert documents.passage(f"{one}/0").text == "[erased] [erased].\n"
