"""A file goes with the first message of a chat in the terminal."""

from tests.fakes import papers


def test_a_question_about_a_pdf_is_answered_with_its_page(loci, tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(papers.pdf(*papers.report()))
    asked = "Why was the bridge at Tiverton closed?"
    told = loci("chat", "--attach", path, "--once", asked).out
    assert told == (
        "“The bridge at Tiverton was closed in March: its northern pier had cracks”"
        " (report.pdf, page 12)\n"
    )


def test_later_lines_ask_about_it_too(loci, tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("Filler line.\n" * 2_000 + "The treasurer is Ben.\n")
    lines = b"Hello\nWho is the treasurer?\n"
    assert (
        "“The treasurer is Ben” (notes.md, part " in loci("chat", "--attach", path, say=lines).out
    )


def test_what_cannot_be_read_is_a_sentence(loci, tmp_path):
    path = tmp_path / "cat.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    done = loci("chat", "--attach", path, "--once", "Look", code=1)
    assert "“cat.png” is a picture" in done.err
    assert "Traceback" not in done.err
