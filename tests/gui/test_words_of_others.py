"""What others wrote is shown in the window as words: no markup, no keys, nothing turned around."""

import pytest
from PySide6.QtWidgets import QLabel

from app.domain.profile import Profile
from app.gui.activity.changes import ChangeCard
from app.gui.chat.cards.receipt_view import NoteLine
from app.gui.inspector.cards import LongLink
from app.gui.library.service_form import ServiceForm
from app.gui.profiles.pages import fill_menu
from app.gui.widgets import Button, Chip, ChipButton, ElidedLabel, MenuButton, caption, rich, tip

EVIL = "<b>Ann</b> & \u202egnp\u2066\x1b[2J <img src='file:///etc/passwd'>"
FIT = "<b>Ann</b> & gnp\ufffd[2J <img src='file:///etc/passwd'>"
KEYLESS = FIT.replace("&", "&&")


@pytest.mark.parametrize("text", ["<b>x</b>", "x <a href='y'>z</a>", "<!doctype html>", "&lt;b>"])
def test_a_tool_tip_with_a_tag_in_it_says_the_tag(text):
    html = tip(text)
    assert html.startswith("<p "), "markup of ours, in which theirs is escaped"
    assert html.removesuffix("</p>").split(">", 1)[1] == (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;")
    )


def test_a_plain_tool_tip_stays_as_it_is():
    assert tip("Tom & Ann, 5 < 6\nand more") == "Tom & Ann, 5 < 6\nand more"


def test_a_caption_has_no_keys():
    assert caption("Tom &Ann\tCtrl+Q\u202e") == "Tom &&Ann Ctrl+Q"


def test_buttons_and_chips(qtbot, theme):
    for made in (
        Button(theme, EVIL, "button"),
        ChipButton(theme, EVIL, "chip_button"),
        MenuButton(theme, EVIL, "menu_button"),
    ):
        qtbot.addWidget(made)
        assert made.text() == KEYLESS
    chip = Chip(EVIL)
    qtbot.addWidget(chip)
    assert chip.text() == FIT


def test_a_receipt(qtbot, theme):
    line = NoteLine(theme, [("Remembered: ", False), (EVIL, True)], "note")
    qtbot.addWidget(line)
    assert line.words.document().toPlainText() == f"Remembered: {FIT}"
    assert line.accessibleName() == f"Remembered: {FIT}"


def test_a_link_and_a_label_without_room(qtbot, theme):
    for made in (LongLink(theme, EVIL, "link"), ElidedLabel(EVIL)):
        qtbot.addWidget(made)
        made.resize(30, 20)
        made.show()
        made.grab()
        assert made.toolTip() == tip(EVIL)


def test_rich_text(qtbot):
    label = rich("<i>one\u202e</i>", "quote", "quote", "one\u202e")
    qtbot.addWidget(label)
    assert (label.text(), label.accessibleName()) == ("<i>one</i>", "one")


def test_what_became_of_a_memory(qtbot, theme):
    card = ChangeCard(theme, "1", "Merged", "neutral")
    qtbot.addWidget(card)
    card.add_text("Ann sails.", f"Ann sails {EVIL}.")
    (label,) = [made for made in card.findChildren(QLabel) if made.objectName() == "text_1"]
    assert "\u202e" not in label.text()
    assert "<img" not in label.text()


def test_a_menu_of_profiles(qtbot, theme):
    button = MenuButton(theme, "Profile", "profile")
    qtbot.addWidget(button)
    fill_menu(button, [Profile("ann", EVIL, ())], None)
    assert [action.text() for action in button.menu().actions()] == [KEYLESS]


def test_a_model_keeps_its_name_though_it_is_shown_otherwise(qtbot, theme):
    form = ServiceForm(theme)
    qtbot.addWidget(form)
    chosen = []
    form.chosen.connect(lambda model, _key: chosen.append(model))
    form.address.setText("http://127.0.0.1:9/v1")
    form.show_models([EVIL])
    assert form.models.currentText() == FIT
    form.use_button.click()
    assert chosen[0].endswith(f"#{EVIL}")
    form.fail("It did not answer.")
    form.models.setEditText("another")
    form.use_button.click()
    assert chosen[1].endswith("#another")
