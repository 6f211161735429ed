from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.jobs.progress import Progress
from app.gui.widgets import (
    ChoiceCard,
    ElidedLabel,
    EmptyState,
    ErrorBar,
    FlowLayout,
    Label,
    MenuButton,
    ProgressFoot,
    SearchField,
    SegmentedControl,
    Select,
    Switch,
)
from app.gui.widgets.filling import clear
from tests.gui.waiting import shown

SMALL = 400, 200


def test_a_search_is_told_once_the_fingers_rest_and_at_once_with_enter(qtbot, theme):
    field = shown(qtbot, SearchField(theme, "Search", "search", "Ctrl K"), *SMALL)
    told = []
    field.searched.connect(told.append)
    QTest.keyClicks(field, "wal")
    assert told == []
    qtbot.waitUntil(lambda: told == ["wal"])
    QTest.keyClicks(field, "nut")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert told == ["wal", "walnut"]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert told == ["wal", "walnut", ""]


def test_the_shortcut_hint_makes_room_for_text(qtbot, theme):
    field = shown(qtbot, SearchField(theme, "Search", "search", "Ctrl K"), *SMALL)
    hint = field.findChild(Label, "search_shortcut")
    assert hint.isVisible()
    field.setText("x")
    assert not hint.isVisible()


def test_undo_in_a_search_is_the_screens_until_something_was_typed(qtbot, theme):
    screen, told = QWidget(), []
    field = SearchField(theme, "Search", "search")
    QVBoxLayout(screen).addWidget(field)
    for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo):
        QShortcut(key, screen, lambda key=key: told.append(key))
    shown(qtbot, screen, *SMALL)
    field.setFocus()
    QTest.keySequence(field, QKeySequence.StandardKey.Undo)
    QTest.keySequence(field, QKeySequence.StandardKey.Redo)
    assert told == [QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo]
    QTest.keyClicks(field, "walnut")
    QTest.keySequence(field, QKeySequence.StandardKey.Undo)
    assert field.text() == ""
    assert len(told) == 2


def test_segments_move_with_the_arrows(qtbot, theme):
    control = shown(
        qtbot, SegmentedControl([("a", "A"), ("b", "B"), ("c", "C")], "View", "v"), *SMALL
    )
    told = []
    control.chosen.connect(told.append)
    QTest.keyClick(control, Qt.Key.Key_Right)
    QTest.keyClick(control, Qt.Key.Key_Left)
    QTest.keyClick(control, Qt.Key.Key_Left)
    assert told == ["b", "a", "c"]
    assert control.current == "c"
    control.choose("a")
    assert told == ["b", "a", "c"]


def test_a_switch_turns_with_space_and_click(qtbot, theme):
    switch = shown(qtbot, Switch(theme, "Remember", "s"), *SMALL)
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert switch.isChecked()
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert not switch.isChecked()


def test_a_drop_down_leaves_the_wheel_to_the_page(qtbot, theme):
    select = Select(theme, "Theme", "t")
    select.addItems(["Light", "Dark"])
    shown(qtbot, select, *SMALL)
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent

    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    select.wheelEvent(event)
    assert select.currentIndex() == 0
    assert not event.isAccepted()


def test_a_menu_button_opens_with_the_keyboard(qtbot, theme):
    button = MenuButton(theme, "R&D", "m")
    shown(qtbot, button, *SMALL)
    button.menu().addAction("One")
    QTest.keyClick(button, Qt.Key.Key_Down)
    assert button.menu().isVisible()
    button.menu().close()
    assert button.text() == "R&&D"
    assert button.accessibleName() == "R&D"


def test_cards_move_with_arrows_and_choose_with_enter(qtbot, theme):
    around = QWidget()
    column = QVBoxLayout(around)
    cards = [ChoiceCard(theme, "cloud", f"Card {n}", "text", f"card{n}") for n in range(3)]
    for card in cards:
        column.addWidget(card)
    shown(qtbot, around, *SMALL)
    chosen = []
    cards[1].clicked.connect(lambda: chosen.append(1))
    cards[0].setFocus()
    QTest.keyClick(cards[0], Qt.Key.Key_Down)
    assert cards[1].hasFocus()
    QTest.keyClick(cards[1], Qt.Key.Key_Return)
    QTest.keyClick(cards[1], Qt.Key.Key_Space)
    assert chosen == [1, 1]
    QTest.keyClick(cards[1], Qt.Key.Key_Up)
    QTest.keyClick(cards[0], Qt.Key.Key_Up)
    assert cards[2].hasFocus()


def test_a_card_grows_with_its_words(qtbot, theme):
    short = ChoiceCard(theme, "cloud", "A", "b", "short")
    long = ChoiceCard(theme, "cloud", "A", "many words " * 30, "long")
    for card in (short, long):
        qtbot.addWidget(card)
    assert long.heightForWidth(300) > short.heightForWidth(300)


def test_wrapped_text_needs_more_height_in_less_width(qtbot, theme):
    label = Label("some words that go on and on until they do not fit any more", wrap=True)
    qtbot.addWidget(label)
    assert label.heightForWidth(120) > label.heightForWidth(600)
    label.setText("x")
    assert label.heightForWidth(120) == label.fontMetrics().height()


def test_text_is_never_taken_for_html(qtbot, theme):
    for kind in (Label, ElidedLabel):
        label = kind("<b>bold</b>")
        qtbot.addWidget(label)
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert label.accessibleName() == "<b>bold</b>"


def test_a_shortened_label_tells_the_rest_as_tool_tip(qtbot, theme):
    label = shown(qtbot, ElidedLabel("a rather long line\nwith a break " * 5), 100, 30)
    label.grab()
    assert label.toolTip() == label.text()
    assert "\n" not in label.text()
    label.setText("short")
    label.resize(300, 30)
    label.grab()
    assert label.toolTip() == ""


def test_a_notice_says_offers_and_goes(qtbot, theme):
    bar = ErrorBar(theme, "error")
    qtbot.addWidget(bar)
    assert bar.isHidden()
    done = []
    bar.say("The server did not answer.", "Try again", lambda: done.append(1))
    assert not bar.isHidden()
    assert bar.accessibleName() == "The server did not answer."
    bar.button.click()
    assert done == [1]
    assert bar.isHidden()
    bar.say("Again.")
    assert bar.button.isHidden()
    bar.close_button.click()
    assert bar.isHidden()


def test_progress_shows_how_far_and_can_be_stopped(qtbot, theme):
    foot = ProgressFoot(theme, "foot")
    qtbot.addWidget(foot)
    stopped = []
    foot.stopped.connect(lambda: stopped.append(1))
    foot.show_progress(Progress("Exporting", 30, 1200))
    assert foot.accessibleName() == "Exporting 30 of 1,200"
    foot.stop_button.click()
    assert stopped == [1]
    assert not foot.stop_button.isEnabled()
    foot.show_progress(Progress("Erasing", stoppable=False))
    assert not foot.stop_button.isEnabled()
    foot.finish()
    assert foot.isHidden()


def test_an_empty_state_teaches_and_acts(qtbot, theme):
    state = EmptyState(theme, "brain", "Nothing", "Say something.", "empty", "Add")
    qtbot.addWidget(state)
    with qtbot.waitSignal(state.acted):
        state.button.click()


def test_chips_flow_into_lines_in_both_directions(qtbot, theme):
    around = QWidget()
    qtbot.addWidget(around)
    flow = FlowLayout(around, spacing=10)
    buttons = [QWidget() for _ in range(3)]
    for button in buttons:
        button.setFixedSize(80, 20)
        flow.addWidget(button)
    assert flow.heightForWidth(270) == 20
    assert flow.heightForWidth(170) == 50
    flow.setGeometry(QRect(0, 0, 170, 100))
    assert [b.pos() for b in buttons] == [QPoint(0, 0), QPoint(90, 0), QPoint(0, 30)]
    around.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    flow.setGeometry(QRect(0, 0, 170, 100))
    assert [b.pos() for b in buttons] == [QPoint(90, 0), QPoint(0, 0), QPoint(90, 30)]
    clear(flow)
    assert flow.count() == 0


def test_no_text_turns_around_or_hides_letters_on_a_label(qtbot):
    for made in (Label("5 mg \u202e05\u202c\x1b[2J"), ElidedLabel("5 mg \u202e05\u202c\x1b[2J")):
        qtbot.addWidget(made)
        assert made.text() == made.accessibleName() == "5 mg 05\ufffd[2J"
