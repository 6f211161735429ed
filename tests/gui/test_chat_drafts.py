"""What is not sent yet: drafts and attached files."""

from PySide6.QtCore import Qt

from app.domain.conversation import Part, PartOrigin
from tests.gui.talk import Talk


def test_drafts_belong_to_their_conversation_and_survive(talk, qtbot, theme):
    talk.say("First conversation.")
    first = talk.id
    qtbot.keyClicks(talk.pane.composer.text, "typed ")
    talk.paste("pasted")
    talk.screen.start_new()
    talk.settle()
    assert talk.pane.composer.text.toPlainText() == ""
    other = Talk(qtbot, theme, talk.bridge, talk.services, talk.off_gui)
    other.screen.open(first)
    other.settle()
    assert other.pane.composer.text.parts() == [
        Part("typed ", PartOrigin.TYPED),
        Part("pasted", PartOrigin.PASTED),
    ]


def test_a_sent_message_leaves_no_draft(talk, qtbot):
    talk.say("First.")
    qtbot.keyClicks(talk.pane.composer.text, "Second.")
    talk.screen._drafting.save()
    talk.settle()
    qtbot.keyClick(talk.pane.composer.text, Qt.Key.Key_Return)
    talk.settle()
    assert talk.off_gui(lambda: talk.services.conversations.draft(talk.id)) == ""


def test_files_are_attached_off_the_windows_thread(talk, tmp_path, off_gui):
    path = tmp_path / "notes.txt"
    off_gui(lambda: path.write_text("line one"))
    talk.pane.composer.files_chosen.emit([path])
    talk.settle()
    assert talk.find("attachment")[0].accessibleName() == "Attached: notes.txt"
    talk.say("Sum it up.")
    attached, typed = talk.kept()[0].parts
    assert (attached.origin, attached.name) == (PartOrigin.ATTACHED, "notes.txt")
    assert typed == Part("Sum it up.", PartOrigin.TYPED)
    assert talk.find("attached_file")
    talk.pane.composer.files_chosen.emit([tmp_path / "gone.txt"])
    talk.settle()
    assert "could not be read" in talk.find("attachment")[0].accessibleDescription()
