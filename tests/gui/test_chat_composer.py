"""The composer knows which words were typed and which were not, and what the keys mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QKeySequence, QTextCursor

from app.domain.conversation import Document, MemoryMode, Part, PartOrigin
from app.domain.jobs.progress import Progress
from app.domain.limits import LONGEST_DOCUMENT, LONGEST_PASTE
from app.gui.chat.composer import drafts
from app.gui.chat.composer.card import Composer
from app.gui.chat.composer.field import LONG_PASTE, MOST_LINES
from app.gui.chat.composer.meter import Filling
from app.gui.widgets import Label

TYPED, PASTED, ATTACHED = PartOrigin.TYPED, PartOrigin.PASTED, PartOrigin.ATTACHED


@pytest.fixture
def composer(qtbot, theme):
    made = Composer(theme)
    qtbot.addWidget(made)
    made.resize(700, 200)
    made.show()
    return made


@pytest.fixture
def field(composer):
    composer.text.setFocus()
    return composer.text


def paste(field, text):
    data = QMimeData()
    data.setText(text)
    field.insertFromMimeData(data)


def runs(field):
    return [(part.origin, part.text) for part in field.parts()]


def test_typed_words_are_typed(qtbot, field):
    qtbot.keyClicks(field, "Ruth loves salmon")
    assert runs(field) == [(TYPED, "Ruth loves salmon")]


def test_pasted_words_between_typed_ones(qtbot, field):
    qtbot.keyClicks(field, "He said: ")
    paste(field, "I live in Ghent\nand in Bruges")
    qtbot.keyClicks(field, " is that so?")
    assert runs(field) == [
        (TYPED, "He said: "),
        (PASTED, "I live in Ghent\nand in Bruges"),
        (TYPED, " is that so?"),
    ]


def test_what_is_typed_inside_pasted_words_is_typed(qtbot, field):
    paste(field, "abcdef")
    cursor = field.textCursor()
    cursor.setPosition(3)
    field.setTextCursor(cursor)
    qtbot.keyClicks(field, "XY")
    assert runs(field) == [(PASTED, "abc"), (TYPED, "XY"), (PASTED, "def")]


def test_what_is_typed_over_pasted_words_is_typed(qtbot, field):
    paste(field, "abcdef")
    cursor = field.textCursor()
    cursor.setPosition(2)
    cursor.setPosition(4, QTextCursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)
    qtbot.keyClicks(field, "Z")
    assert runs(field) == [(PASTED, "ab"), (TYPED, "Z"), (PASTED, "ef")]


def test_what_an_input_method_composes_is_typed(field):
    paste(field, "abc")
    event = QInputMethodEvent()
    event.setCommitString("é")
    field.inputMethodEvent(event)
    assert runs(field) == [(PASTED, "abc"), (TYPED, "é")]


def test_a_new_line_after_pasted_words_does_not_make_more_of_them(qtbot, field):
    paste(field, "abc")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "mine")
    assert runs(field) == [(PASTED, "abc"), (TYPED, "\nmine")]


def test_undo_brings_back_who_wrote_what(qtbot, field):
    paste(field, "abc")
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    assert field.parts() == []
    qtbot.keySequence(field, QKeySequence(QKeySequence.StandardKey.Undo))
    assert runs(field) == [(PASTED, "abc")]


def test_pasted_words_are_tinted_and_only_they(qtbot, field):
    qtbot.keyClicks(field, "ab")
    paste(field, "cd")
    assert [s.cursor.selectedText() for s in field.extraSelections()] == ["cd"]


def test_pasted_formats_and_marks_are_left_behind(field):
    data = QMimeData()
    data.setHtml("<b>bold</b><img src='file:///x'>")
    data.setText("bo\u2068ld\u2069\r\nline\0")
    field.insertFromMimeData(data)
    assert runs(field) == [(PASTED, "bold\nline")]


def test_a_long_paste_becomes_a_chip(composer, field):
    paste(field, "word " * LONG_PASTE)
    assert field.parts() == []
    (part,) = composer.parts()
    assert (part.origin, part.name) == (PASTED, "Pasted text")


def test_a_paste_that_is_too_long_for_a_message_is_refused_in_a_sentence(composer, field):
    paste(field, "x" * (LONGEST_DOCUMENT + 1))
    assert composer.parts() == []
    assert "at most 10,000,000 characters; this one has 10,000,001" in composer.errors.words.text()


def test_a_giant_paste_is_to_be_kept_beside_the_message(qtbot, composer, field):
    with qtbot.waitSignal(composer.text_pasted) as pasted:
        paste(field, "x" * (LONGEST_PASTE + 1))
    assert len(pasted.args[0]) == LONGEST_PASTE + 1
    assert composer.parts() == []


def test_nothing_is_sent_while_a_file_is_read_and_it_can_be_stopped(qtbot, composer, field):
    stopped = []
    chip = composer.files.begin("report.pdf")
    chip.stop = lambda: stopped.append(True)
    qtbot.keyClicks(field, "Sum it up")
    chip.show_progress(Progress("Reading report.pdf", 12, 31))
    assert chip.findChild(Label, "attachment_size").text() == "Reading page 12 of 31"
    assert not composer.send_button.isEnabled()
    with qtbot.assertNotEmitted(composer.sent):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    remove = chip.findChild(type(composer.send_button), "attachment_remove")
    assert remove.accessibleName() == "Stop reading report.pdf"
    remove.click()
    assert stopped == [True]
    assert composer.send_button.isEnabled()


def test_what_cannot_be_read_is_said_in_its_chip_and_holds_nothing_up(qtbot, composer, field):
    chip = composer.files.begin("secret.pdf")
    composer.files.fail(chip, "“secret.pdf” is protected by a password.")
    assert chip.findChild(Label, "attachment_error").text().endswith("a password.")
    qtbot.keyClicks(field, "Hello")
    with qtbot.waitSignal(composer.sent) as sent:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert sent.args == [[Part("Hello", TYPED)]]
    composer.files.begin("other.pdf")
    assert "secret.pdf" not in [one.accessibleName() for one in composer.findChildren(type(chip))]


def test_a_document_is_sent_by_its_name_and_shown_with_its_pages(composer):
    document = Document("", "report.pdf", "pdf", 412_000, "ab", 31, True, ("x",) * 31)
    composer.attach(Part("report.pdf (31 pages)", ATTACHED, "report.pdf", document))
    assert composer.findChild(Label, "attachment_size").text() == "31 pages, 412 KB"
    (part,) = composer.parts()
    assert part.document is document


def test_enter_sends_and_shift_enter_does_not(qtbot, composer, field):
    qtbot.keyClicks(field, "one")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "two")
    with qtbot.waitSignal(composer.sent) as sent:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert sent.args == [[Part("one\ntwo", TYPED)]]


def test_nothing_is_not_sent(qtbot, composer, field):
    qtbot.keyClicks(field, "  ")
    with qtbot.assertNotEmitted(composer.sent):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not composer.send_button.isEnabled()


def test_while_an_answer_comes_the_button_stops_it(qtbot, composer, field):
    qtbot.keyClicks(field, "next")
    composer.set_busy(True)
    assert composer.send_button.accessibleName() == "Stop the answer"
    with qtbot.assertNotEmitted(composer.sent):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    with qtbot.waitSignal(composer.stopped):
        composer.send_button.click()
    composer.set_busy(False)
    assert composer.send_button.accessibleName() == "Send"
    assert field.toPlainText() == "next"


def test_ctrl_up_asks_for_the_last_message(qtbot, composer, field):
    with qtbot.waitSignal(composer.last_wanted):
        qtbot.keyClick(field, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)


def test_the_field_grows_to_eight_lines(qtbot, field, theme):
    one = field.height()
    for _ in range(3):
        qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    four = field.height()
    for _ in range(20):
        qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert one < four < field.height() <= MOST_LINES * theme.px(22) + 2


def test_attached_texts_go_first_and_can_be_taken_off(qtbot, composer, field):
    composer.attach(Part("notes\n", ATTACHED, "notes.txt"))
    qtbot.keyClicks(field, "Sum it up")
    assert composer.parts() == [
        Part("notes\n\n", ATTACHED, "notes.txt"),
        Part("Sum it up", TYPED),
    ]
    composer.findChild(type(composer.send_button), "attachment_remove").click()
    assert composer.parts() == [Part("Sum it up", TYPED)]


def test_dropped_files_are_offered_not_read(qtbot, composer, field, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    with qtbot.waitSignal(composer.files_chosen) as chosen:
        field.insertFromMimeData(data)
    assert chosen.args == [[tmp_path / "a.txt"]]
    assert field.toPlainText() == ""


def test_off_tints_the_card_and_says_so(composer):
    composer.set_mode(MemoryMode.OFF)
    assert composer.card.property("tone") == "off"
    assert "nothing here is remembered" in composer.text.placeholderText()
    composer.set_mode(MemoryMode.REMEMBERS)
    assert composer.card.property("tone") == "plain"


def test_the_meter_says_how_much_and_how_fast(composer):
    meter = composer.meter
    meter.show_filling(Filling(2_800, 8_192, counted=True, per_second=14.2))
    assert meter._figures.text() == "2.8k of 8k tokens · 14 tok/s"
    assert "2,800 of the 8,192 tokens" in meter.toolTip()
    assert "counted them itself" in meter.toolTip()
    meter.show_filling(Filling(2_800, 8_192))
    assert "estimated" in meter.toolTip()
    assert meter._bar.property("tone") == "plain"
    meter.show_filling(Filling(7_900, 8_192))
    assert meter._bar.property("tone") == "full"
    meter.show_filling(Filling())
    assert meter.isHidden()


PARTS = st.lists(
    st.builds(
        Part,
        st.text(st.characters(exclude_characters="\u2068\u2069\r\0", codec="utf-8"), min_size=1),
        st.sampled_from([TYPED, PASTED]),
    ),
    max_size=6,
)


def joined(parts):
    found = []
    for part in parts:
        if found and found[-1][0] is part.origin:
            found[-1] = (part.origin, found[-1][1] + part.text)
        else:
            found.append((part.origin, part.text))
    return found


@given(PARTS)
def test_a_draft_keeps_typed_and_pasted_apart(parts):
    assert joined(drafts.decode(drafts.encode(parts))) == joined(parts)


def test_a_draft_reads_like_the_message():
    draft = drafts.encode([Part("He said: ", TYPED), Part("I live in Ghent", PASTED)])
    assert "I live in Ghent" in draft
    assert drafts.decode("plain old draft") == [Part("plain old draft", TYPED)]
    assert drafts.decode("cut \u2068off") == [Part("cut ", TYPED), Part("off", PASTED)]


def test_a_restored_message_keeps_who_wrote_what(field):
    parts = [Part("mine ", TYPED), Part("theirs\nlines", PASTED), Part(" mine", TYPED)]
    field.set_parts(parts)
    assert field.parts() == parts
