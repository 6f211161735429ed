"""A person attaches documents, sees them being read, asks about them and opens them again."""

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from app.domain.conversation import Document, Part, PartOrigin
from app.gui.chat.document_sheet import SHOWN, DocumentSheet
from app.gui.dialogs import Sheet
from app.gui.widgets import Label
from app.settings.spec import ColourScheme
from tests.fakes import papers
from tests.gui.waiting import shown

ASKED = "Why was the bridge at Tiverton closed?"


@pytest.fixture
def file(tmp_path, off_gui):
    def write(name, data):
        path = tmp_path / name
        off_gui(lambda: path.write_bytes(data))
        return path

    return write


def drop(talk, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    talk.pane.composer.text.insertFromMimeData(data)


def said(widget, name):
    return widget.findChild(Label, name).text()


def sheets(talk):
    return talk.pane.window().findChildren(Sheet)


def test_a_pdf_is_dropped_asked_about_and_read_again(talk, file, brain):
    drop(talk, file("report.pdf", papers.pdf(*papers.report())))
    (chip,) = talk.find("attachment")
    assert said(chip, "attachment_size") == "Reading…"
    talk.settle()
    assert said(chip, "attachment_size").startswith("31 pages, ")
    talk.say(ASKED)
    sent = "\n".join(turn.content for turn in brain.prompts[-1])
    assert "its northern pier had cracks" in sent
    assert talk.find("attachment") == []
    (attached,) = talk.find("attached_file")
    assert said(attached, "attached_size").startswith("31 pages, ")
    talk.click("attached_open")
    (sheet,) = sheets(talk)
    text = sheet.findChild(QPlainTextEdit).toPlainText()
    assert text.startswith("— page 1 —\n\nChapter 1")
    assert "— page 12 —" in text
    sheet.reject()


def test_the_whole_chip_opens_a_short_text(talk, file, qtbot):
    drop(talk, file("notes.md", b"# Notes\n<b>bold</b>"))
    talk.settle()
    talk.say("Thanks")
    qtbot.mouseClick(talk.find("attached_file")[0], Qt.MouseButton.LeftButton)
    (sheet,) = sheets(talk)
    assert sheet.findChild(QPlainTextEdit).toPlainText() == "# Notes\n<b>bold</b>\n\n"
    sheet.reject()


def test_a_picture_is_refused_in_its_chip(talk, file):
    drop(talk, file("cat.png", b"\x89PNG\r\n\x1a\n" + bytes(40)))
    talk.settle()
    (chip,) = talk.find("attachment")
    assert said(chip, "attachment_error") == (
        "“cat.png” is a picture; Loci reads no pictures yet, only text, PDF and Word files."
    )
    assert chip.accessibleDescription() == said(chip, "attachment_error")


def test_leaving_a_conversation_stops_reading(talk, file):
    drop(talk, file("report.pdf", papers.pdf(*papers.report(200))))
    talk.screen.start_new()
    talk.settle()
    assert talk.find("attachment") == []


def test_five_megabytes_are_pasted_sent_and_the_conversation_goes_on(talk):
    talk.paste("Nothing much happened that day at the ledger office.\n" * 100_000)
    talk.settle()
    (chip,) = talk.find("attachment")
    assert "parts" in said(chip, "attachment_size")
    talk.say("What happened?")
    talk.say("And then?")
    assert len(talk.kept()) == 4


def test_a_very_long_document_is_turned_in_stretches(qtbot, theme, talk):
    document = Document("a", "long.txt", "text", 9, "ab", 3, False)
    part = Part("long.txt (3 parts)", PartOrigin.ATTACHED, "long.txt", document)
    sheet = DocumentSheet(theme, talk.pane, part)
    qtbot.addWidget(sheet)
    sheet.show_pages([(1, "a" * SHOWN), (2, "b"), (3, "c")])
    assert "bbb" not in sheet.text.toPlainText()
    assert not sheet.before.isEnabled()
    sheet.after.click()
    assert sheet.text.toPlainText() == "— part 2 —\n\nb\n— part 3 —\n\nc"
    assert sheet.where.text() == "Part 2 to 3"
    assert not sheet.after.isEnabled()


@pytest.mark.parametrize("size", [14, 28])
def test_chips_fit_at_every_size_of_text(qtbot, theme, talk, size):
    theme.apply(ColourScheme.LIGHT, size)
    composer = talk.pane.composer
    shown(qtbot, talk.pane, 900, 600)
    document = Document("", "a" * 80 + ".pdf", "pdf", 412_000, "ab", 31, True, ("x",) * 31)
    composer.attach(Part("x", PartOrigin.ATTACHED, document.name, document))
    failed = composer.files.begin("secret.pdf")
    composer.files.fail(failed, "“secret.pdf” is protected by a password; save a copy.")
    qtbot.waitUntil(lambda: failed.height() > 20)
    for chip in talk.find("attachment"):
        assert composer.card.rect().contains(chip.mapTo(composer.card, chip.rect().bottomRight()))
        for button in chip.findChildren(QAbstractButton):
            assert chip.rect().contains(button.geometry().center())
