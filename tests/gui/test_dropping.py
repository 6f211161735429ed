"""A model file that is dropped on the window is offered; other files stay attachments."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from app.gui.dropping import model_file
from tests.fakes.tiny_gguf import chat_model, header
from tests.gui.waiting import LONG


def mime(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def enter(widget, data):
    """Hold something over a widget; return whether it would take it."""
    event = QDragEnterEvent(
        QPointF(5, 5).toPoint(),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def drop(widget, data):
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


@pytest.fixture
def tiny(tmp_path, off_gui):
    return off_gui(lambda: chat_model(tmp_path / "tiny.gguf"))


def test_one_model_file_is_told_from_anything_else(tmp_path):
    one = tmp_path / "A.GGUF"
    assert model_file(mime(one)) == one
    assert model_file(mime(one, tmp_path / "b.gguf")) is None
    assert model_file(mime(tmp_path / "notes.txt")) is None
    remote = QMimeData()
    remote.setUrls([QUrl("https://a.b/x.gguf")])
    assert model_file(remote) is None
    assert model_file(QMimeData()) is None


def test_a_model_is_offered_and_used_only_after_a_click(qtbot, workspace, tiny, off_gui):
    notice = workspace.notice.notice
    assert enter(workspace, mime(tiny))
    hint = workspace._dropped._drop.hint
    assert hint.isVisible()
    assert hint.width() > workspace.width() * 0.9
    drop(workspace, mime(tiny))
    assert not hint.isVisible()
    qtbot.waitUntil(notice.isVisible, timeout=LONG)
    assert notice.words.text().startswith("tiny: On this computer, ")
    assert notice.button.text() == "Use this model"
    library = workspace._services.library
    assert off_gui(library.current).id == "notebook"
    notice.button.click()
    said = "tiny answers from now on."
    qtbot.waitUntil(lambda: notice.words.text() == said, timeout=LONG)
    assert off_gui(library.current).id == f"file:{tiny}"


def test_the_hint_goes_when_the_file_is_taken_away_again(workspace, tiny):
    enter(workspace, mime(tiny))
    QApplication.sendEvent(workspace, QDragLeaveEvent())
    assert not workspace._dropped._drop.hint.isVisible()


def test_what_is_no_model_is_said_in_a_sentence(qtbot, workspace, tmp_path, off_gui):
    notice = workspace.notice.notice
    text, finds = tmp_path / "text.gguf", tmp_path / "finds.gguf"
    off_gui(lambda: text.write_text("nothing"))
    off_gui(lambda: finds.write_bytes(header(llama__pooling_type=1)))
    enter(workspace, mime(text))
    drop(workspace, mime(text))
    qtbot.waitUntil(notice.isVisible, timeout=LONG)
    assert "not a GGUF" in notice.words.text()
    enter(workspace, mime(finds))
    drop(workspace, mime(finds))
    qtbot.waitUntil(lambda: "finds by meaning" in notice.words.text(), timeout=LONG)


def test_other_files_are_still_the_composers(talk, tmp_path, tiny, off_gui):
    field = talk.pane.composer.text
    note = tmp_path / "note.txt"
    off_gui(lambda: note.write_text("a note"))
    assert field.canInsertFromMimeData(mime(note))
    assert not field.canInsertFromMimeData(mime(tiny))
    assert field.canInsertFromMimeData(mime(tiny, note))
