"""Files become pages of text; whatever is wrong with one is said in a sentence."""

import os
import tracemalloc
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress, outcome
from app.errors import Cancelled, TransferError
from app.providers.documents import reading as rooms
from app.providers.documents.reading import reading
from tests.fakes import papers

RED = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def read(tmp_path):
    def read_file(data, name="paper.pdf", **given):
        path = tmp_path / name
        path.write_bytes(data)
        return outcome(reading(path, **given))

    return read_file


def test_a_pdf_has_its_pages(read):
    found = read(papers.pdf("The first page.", "The second (and last)."))
    assert (found.kind, found.pages, found.paged) == ("pdf", 2, True)
    assert [text.strip() for text in found.texts] == ["The first page.", "The second (and last)."]
    assert (found.counted(), found.place(2)) == ("2 pages", "page 2")
    assert len(found.digest) == 64


def test_a_word_file_has_the_pages_that_word_noted(read):
    found = read(papers.docx("Bees &amp; wasps\nA line", "The second"), "bees.docx")
    assert (found.kind, found.pages, found.paged) == ("docx", 2, True)
    assert found.texts == ("Bees & wasps\nA line\n", "The second\n\n")


def test_a_word_file_without_pages_has_parts(read):
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    table = f"<w:tbl><w:tr>{cell.format('Dose')}{cell.format('5 mg')}</w:tr></w:tbl>"
    found = read(papers.docx("One page.", body=table), "dose.docx")
    assert (found.pages, found.paged, found.place(1)) == (1, False, "part 1")
    assert "Dose \t5 mg" in found.texts[0]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("# Käse\r\nund Brot".encode(), "# Käse\nund Brot"),
        ("# Käse".encode("utf-8-sig"), "# Käse"),
        ("# Käse".encode("utf-16"), "# Käse"),
        (b"a,b\n1,2", "a,b\n1,2"),
    ],
)
def test_plain_text_says_how_it_is_written(read, data, text):
    found = read(data, "list.md")
    assert (found.texts, found.note) == ((text,), "")


def test_old_text_is_read_and_the_guess_is_told(read):
    found = read("Käse für 5 €".encode("cp1252"), "old.txt")
    assert found.texts == ("Käse für 5 €",)
    assert "Western European" in found.note


def test_long_text_is_cut_into_parts_that_are_all_of_it(read):
    text = "".join(f"Sentence number {n} is here.\n" for n in range(2_000))
    found = read(text.encode(), "long.txt")
    assert found.pages > 10
    assert "".join(found.texts) == text


@pytest.mark.parametrize(
    ("data", "name", "told"),
    [
        (papers.locked_pdf, "secret.pdf", "is protected by a password"),
        (lambda: papers.pdf("", ""), "scan.pdf", "only pictures of pages"),
        (lambda: papers.pdf("Hello")[:120], "half.pdf", "is damaged"),
        (lambda: b"%PDF-1.7\n" + os.urandom(5_000), "noise.pdf", "is damaged"),
        (lambda: papers.docx("Hello")[:-40], "half.docx", "is damaged"),
        (lambda: papers.archive({"a.txt": b"x"}), "a.zip", "is damaged"),
        (lambda: b"\xd0\xcf\x11\xe0" + bytes(600), "old.doc", "of an old kind"),
        (lambda: papers.docx(""), "empty.docx", "no text"),
        (lambda: RED, "red.png", "is a picture"),
        (lambda: os.urandom(3_000) + b"\0", "noise.bin", "is not text"),
        (lambda: b"  \n", "empty.txt", "no text"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(read, data, name, told):
    with pytest.raises(TransferError) as error:
        read(data(), name)
    assert told in str(error.value)
    assert f"“{name}”" in str(error.value)
    assert str(error.value).count(".") <= 3


def test_folders_and_missing_files_are_a_sentence(tmp_path):
    for path in (tmp_path, tmp_path / "none.pdf"):
        with pytest.raises(TransferError, match=r"could not be read: .+"):
            outcome(reading(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TransferError, match="it is not an ordinary file"):
        outcome(reading(tmp_path / "pipe"))


def test_entities_are_no_bomb(read):
    laughs = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    with pytest.raises(TransferError, match="damaged"):
        read(papers.docx("&b;", doctype=laughs), "laugh.docx")


def test_a_zip_bomb_is_refused_and_takes_no_memory_here(read):
    inside = papers.docx_text(" " * 30_000_000)
    bomb = papers.archive({"word/document.xml": inside})
    del inside
    tracemalloc.start()
    with pytest.raises(TransferError, match="more than 10,000,000 characters"):
        read(bomb, "bomb.docx")
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_pdf_that_unpacks_to_gigabytes_ends_in_a_sentence(read):
    with pytest.raises(TransferError):
        read(papers.bomb_pdf(), "bomb.pdf")


def readers():
    """Return the processes that read; a model of another test may have one as well."""
    there = rooms.multiprocessing.active_children()
    return [one for one in there if one.name == "loci-document"]


def test_a_page_that_never_ends_is_stopped(read, monkeypatch):
    monkeypatch.setattr(rooms.child, "read", papers.forever)
    clock = iter(range(0, 10_000, 50))
    with pytest.raises(TransferError, match="too long"):
        read(papers.pdf("Hello"), now=lambda: next(clock))
    assert readers() == []


def test_a_reader_that_dies_is_a_sentence(read, monkeypatch):
    monkeypatch.setattr(rooms.child, "read", papers.dies)
    with pytest.raises(TransferError, match="is damaged"):
        read(papers.pdf("Hello"))


def test_a_page_that_wants_all_memory_is_a_sentence(read, monkeypatch):
    monkeypatch.setattr(rooms.child, "read", papers.greedy)
    with pytest.raises(TransferError, match="more memory"):
        read(papers.pdf("Hello"))


def test_reading_can_be_stopped_and_leaves_no_process(tmp_path):
    path = tmp_path / "long.pdf"
    path.write_bytes(papers.pdf(*papers.report(40)))
    stop, heard = Event(), []

    def hear(event):
        heard.append(event)
        if event.done:
            stop.set()

    with pytest.raises(Cancelled):
        drive(reading(path), stop, hear)
    assert heard[-1] == Progress("Reading long.pdf", heard[-1].done, 40)
    assert readers() == []


def test_a_file_larger_than_the_limit_is_refused(read, monkeypatch):
    monkeypatch.setattr(rooms, "LARGEST_DOCUMENT", 10)
    with pytest.raises(TransferError, match="is larger than 100 MB"):
        read(b"Twelve bytes and more", "large.txt")
