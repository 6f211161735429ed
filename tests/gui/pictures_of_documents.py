"""Take the pictures of attached documents, light and dark, and with large text.

Not run by ``make test``; the pictures come into the folder that ``LOCI_PICTURES`` names::

    LOCI_PICTURES=out QT_QPA_PLATFORM=offscreen .venv/bin/pytest tests/gui/pictures_of_documents.py
"""

import os
from pathlib import Path

import pytest

from app.domain.conversation import Document, Part, PartOrigin
from app.domain.jobs.progress import Progress
from app.gui.chat.document_sheet import DocumentSheet
from app.settings.spec import ColourScheme as Choice
from tests.fakes import papers
from tests.gui.talk import Talk

OUT = Path(os.environ.get("LOCI_PICTURES", "pictures"))
REPORT = Document("", "Annual report of the bridge committee.pdf", "pdf", 412_000, "ab", 31, True)


@pytest.fixture
def take(theme, qtbot):
    OUT.mkdir(parents=True, exist_ok=True)

    def both(widget, name, sizes=(14,)):
        for choice in (Choice.DARK, Choice.LIGHT):
            for size in sizes:
                theme.apply(choice, size)
                qtbot.wait(500)
                large = "-large" if size > 14 else ""
                assert widget.grab().save(str(OUT / f"{name}-{choice}{large}.png"))
        theme.apply(Choice.LIGHT, 14)
        qtbot.wait(500)

    return both


@pytest.fixture
def notebook_talk(qtbot, theme, bridge, services, off_gui):
    off_gui(lambda: services.library.choose_embedder("hash"))
    made = Talk(qtbot, theme, bridge, services, off_gui)
    yield made
    made.bridge.drain(lambda: None)


def test_composer(talk, take):
    composer = talk.pane.composer
    composer.attach(Part("x", PartOrigin.ATTACHED, REPORT.name, REPORT))
    failed = composer.files.begin("secret.pdf")
    composer.files.begin("thesis.docx").show_progress(Progress("", 12, 210))
    composer.files.fail(
        failed,
        "“secret.pdf” is protected by a password; save a copy without one and attach that.",
    )
    talk.qtbot.keyClicks(composer.text, "What do these say about Tiverton?")
    take(talk.pane, "composer", (14, 24))
    talk.screen._drafting._timer.stop()


def test_a_pdf_asked_about(notebook_talk, take, tmp_path, off_gui):
    talk = notebook_talk
    path = tmp_path / "report.pdf"
    off_gui(lambda: path.write_bytes(papers.pdf(*papers.report())))
    talk.pane.composer.files_chosen.emit([path])
    talk.settle()
    talk.say("Why was the bridge at Tiverton closed?")
    talk.click("attached_open")
    (sheet,) = talk.pane.window().findChildren(DocumentSheet)
    take(sheet, "sheet", (14, 24))
    sheet.show_pages([(n, "The committee met again.\n" * 6_000) for n in range(1, 8)])
    take(sheet, "sheet-long")
    sheet.reject()
    take(talk.pane, "asked", (14, 24))
    talk.screen._drafting._timer.stop()


def test_read_by_a_model(talk, take, brain, tmp_path, off_gui):
    path = tmp_path / "report.pdf"
    pages = [text * 4 for text in papers.report(31)]
    off_gui(lambda: path.write_bytes(papers.pdf(*pages)))
    talk.pane.composer.files_chosen.emit([path])
    talk.settle()
    brain.says = "It was closed in March because its northern pier had cracks (page 12)."
    talk.say("Why was the bridge at Tiverton closed?")
    (answer,) = [turn for turn in talk.pane.model.turns if not turn.own]
    talk.screen._page.show_why(answer.message.id)
    take(talk.pane, "model")
    talk.screen._drafting._timer.stop()
