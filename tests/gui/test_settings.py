import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QSpinBox, QWidget

from app.domain.changes import Changes
from app.domain.profile import Profile, SlotKind
from app.errors import SettingsError
from app.gui.settings import model, places
from app.gui.settings.editors import make_editor, worded
from app.gui.settings.pages import SettingsPage, report_lines
from app.gui.settings.rows import SettingRow
from app.gui.settings.your_data import YourDataPage
from app.gui.widgets import Select, Switch
from app.settings.spec import Settings
from app.settings.table import entries, entry, get, pages
from app.settings.types import Level
from tests.fakes.tiny_gguf import chat_model

SHOWN = [e for e in entries() if e.row.level in (Level.BASIC, Level.ADVANCED)]


# What is shown.


def test_every_page_of_the_table_and_three_of_its_own():
    titles = list(model.page_titles())
    assert titles == [*pages(), "Shortcuts", "Your data", "About"]
    assert all(model.page_titles().values())


def test_basic_settings_at_first_the_rest_on_request():
    basic = {e.key for page in pages() for e in model.shown(page, advanced=False)}
    everything = {e.key for page in pages() for e in model.shown(page, advanced=True)}
    assert basic == {e.key for e in SHOWN if e.row.level is Level.BASIC}
    assert everything == {e.key for e in SHOWN}


def test_hidden_settings_are_never_found():
    assert model.found("welcomed") == {}


def test_a_search_wants_every_word_anywhere():
    assert [e.key for e in model.found("theme")["Appearance"]] == ["appearance.theme"]
    assert model.found("size text") == {"Appearance": [entry("appearance.text_size")]}
    assert model.found("  ") == {}
    assert model.found("no such zebra") == {}


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("dark mode", "appearance.theme"),
        ("night", "appearance.theme"),
        ("font", "appearance.text_size"),
        ("Zoom", "appearance.text_size"),
        ("system prompt", "chat.instructions"),
        ("gpu", "models.gpu_layers"),
        ("battery", "upkeep.mains_only"),
        ("budget", "upkeep.costs.monthly_cap"),
    ],
)
def test_a_setting_is_found_by_other_words_for_it(words, key):
    assert key in {e.key for found in model.found(words).values() for e in found}


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("erase", "erase_everything"),
        ("delete all data", "erase_everything"),
        ("backup", "back_up"),
        ("restore a backup", "restore_backups"),
        ("restore", "restore_backups"),
        ("password", "recovery_code"),
        ("encryption", "set_passphrase"),
        ("ollama", "show.models"),
        ("user", "profiles"),
        ("forget", "show.memory"),
        ("keyboard", "page_shortcuts"),
        ("", None),
    ],
)
def test_a_thing_to_do_is_found_by_its_name_and_other_words(words, first):
    assert next((each.id for each in places.found(words)), None) == first


def test_the_other_words_are_for_what_there_is():
    assert set(model.synonyms()["settings"]) <= {e.key for e in SHOWN}
    assert set(model.synonyms()["places"]) == {each.id for each in places.places()}
    assert {each.page for each in places.places()} <= {*model.page_titles(), ""}


@pytest.mark.parametrize("declared", SHOWN, ids=lambda e: e.key)
def test_every_setting_has_a_control_that_shows_and_tells(qtbot, theme, declared):
    told = []
    editor = make_editor(theme, declared, told.append)
    qtbot.addWidget(editor.widget)
    editor.show(declared.default)
    assert told == []
    assert editor.widget.objectName() == f"setting.{declared.key}"
    assert editor.widget.accessibleName() == declared.row.title


def test_each_kind_of_control_tells_what_the_person_gave(qtbot, theme):
    told = []

    def editor(key):
        made = make_editor(theme, entry(key), told.append)
        qtbot.addWidget(made.widget)
        made.show(entry(key).default)
        return made.widget

    editor("rag.enabled").click()
    editor("rag.max_results").setValue(12)
    editor("rag.min_score").setValue(0.25)
    theme_choice = editor("appearance.theme")
    assert theme_choice.currentText() == "Same as the system"  # stored as "system"
    theme_choice.setCurrentIndex(theme_choice.findData("dark"))
    line = editor("upkeep.review.tags")
    line.setText("night")
    line.editingFinished.emit()
    assert told == [False, 12, 0.25, "dark", "night"]


def test_a_model_is_chosen_among_those_that_were_listed(qtbot, theme):
    told = []
    made = make_editor(theme, entry("extraction.learn_from"), told.append)
    qtbot.addWidget(made.widget)
    made.show("file:far.gguf")
    made.offer({"chat": "The chat model", "none": "No model", "file:a.gguf": "a"})
    names = [made.widget.itemText(n) for n in range(made.widget.count())]
    assert names == ["file:far.gguf", "The chat model", "No model", "a"]
    assert made.widget.currentData() == "file:far.gguf"
    assert told == []
    made.widget.setCurrentIndex(made.widget.findData("none"))
    made.show("chat")
    assert (told, made.widget.currentText()) == (["none"], "The chat model")


def test_long_text_is_told_when_the_person_leaves_it(qtbot, theme):
    told = []
    around = QWidget()
    qtbot.addWidget(around)
    area = make_editor(theme, entry("chat.instructions"), told.append).widget
    other = QLineEdit(around)
    area.setParent(around)
    around.show()
    around.activateWindow()
    qtbot.waitUntil(around.isActiveWindow)
    area.setFocus()
    QTest.keyClicks(area, "Be short.")
    assert told == []
    other.setFocus()
    assert told == ["Be short."]


def test_words_of_a_person():
    assert worded("system, learned") == "System, learned"
    assert worded("reads_only") == "Reads only"


# Pages.


def test_advanced_rows_and_groups_appear_with_the_switch(qtbot, theme):
    page = SettingsPage(theme, "Recall")
    qtbot.addWidget(page)
    basic = [e.key for e in model.shown("Recall", advanced=False)]
    assert list(page.shown_rows) == basic
    page.advanced.click()
    placed = [page.rows.itemAt(n).widget() for n in range(page.rows.count())]
    order = [w.declared.key for w in placed if isinstance(w, SettingRow)]
    assert order == [e.key for e in model.shown("Recall", advanced=True)]
    names = [w.objectName() for w in placed if w.objectName().startswith("group_")]
    groups = dict.fromkeys(e.group for e in model.shown("Recall", advanced=True) if e.group)
    assert names == [f"group_{group.lower()}" for group in groups]
    page.advanced.click()
    assert [k for k, row in page.shown_rows.items() if not row.isHidden()] == basic


def test_a_changed_setting_offers_its_default(qtbot, theme):
    row = SettingRow(theme, entry("rag.max_results"))
    qtbot.addWidget(row)
    row.show_value(5)
    assert row.reset_button is None
    row.show_value(7)
    assert not row.reset_button.isHidden()
    with qtbot.waitSignal(row.reset_requested) as asked:
        row.reset_button.click()
    assert asked.args == ["rag.max_results"]
    row.show_value(5)
    assert row.reset_button.isHidden()


@pytest.mark.parametrize(
    ("slots", "words", "chip"),
    [
        ((SlotKind.KEYRING,), "system keyring", "● Encrypted"),
        ((SlotKind.PASSPHRASE, SlotKind.RECOVERY), "your passphrase", "● Encrypted"),
        ((SlotKind.KEY_FILE,), "in a file beside it", "● Key in a file"),
    ],
)
def test_where_the_key_is_kept_is_said(qtbot, theme, slots, words, chip):
    page = YourDataPage(theme)
    qtbot.addWidget(page)
    page.show_profile(Profile("p", "Ruth", bytes=18_400_000), slots)
    said = page.vault_row.help.text()
    assert said.startswith("Ruth · 18.4 MB · ")
    assert words in said
    assert page.chip.text() == chip
    assert page.remove_button.isHidden() == (SlotKind.PASSPHRASE not in slots)
    assert page.decline_button.isHidden() == (SlotKind.RECOVERY in slots)


def test_a_report_as_lines():
    report = {"integrity": "ok", "a_b": {"c": None, "d": True}, "models": ["x", "y"], "none": []}
    assert report_lines(report) == [
        "integrity: ok", "a b:", "    c: unknown", "    d: yes", "models: x, y", "none: none",
    ]  # fmt: skip
    assert report_lines({"said": ["It is.", "It was."]}) == ["said:", "    It is.", "    It was."]


# With the real services.


def stored(off_gui, services, key):
    return off_gui(lambda: get(services.preferences.values(), key))


def tiny(services):
    """Put a model into the models folder; return its file."""
    folder = services.library.folder
    folder.mkdir(parents=True, exist_ok=True)
    return chat_model(folder / "tiny.gguf")


def test_a_value_is_stored_and_shown_everywhere(qtbot, controller, services, off_gui):
    controller.pane.show_page("Recall")
    control = controller.pane.findChild(QWidget, "setting.rag.max_results")
    qtbot.waitUntil(lambda: control.value() == 5)
    control.setValue(9)
    qtbot.waitUntil(lambda: stored(off_gui, services, "rag.max_results") == 9)
    row = controller.pane.findChild(SettingRow, "row.rag.max_results")
    qtbot.waitUntil(lambda: row.reset_button is not None)
    reset = row.reset_button
    reset.click()
    qtbot.waitUntil(lambda: control.value() == 5)
    assert not reset.isVisible()


def test_who_learns_is_chosen_and_why_a_small_model_does_not_is_said(
    qtbot, controller, services, off_gui, bridge
):
    off_gui(lambda: tiny(services))
    controller.pane.show_page("Memory")
    controller.pane.page("Memory").advanced.click()
    select = controller.pane.findChild(Select, "setting.extraction.learn_from")
    row = controller.pane.findChild(SettingRow, "row.extraction.learn_from")
    bridge.run(lambda: services.library.choose_chat("file:tiny.gguf"))
    qtbot.waitUntil(lambda: "tiny is too small to learn reliably" in row.help.text())
    choices = [select.itemData(n) for n in range(select.count())]
    assert choices == ["chat", "none", "file:tiny.gguf"]
    assert select.currentText() == "The chat model, if it is large enough"
    select.setCurrentIndex(2)
    key = "extraction.learn_from"
    qtbot.waitUntil(lambda: stored(off_gui, services, key) == "file:tiny.gguf")
    qtbot.waitUntil(lambda: "tiny learns alongside Loci’s own reader." in row.help.text())
    row.reset_button.click()
    qtbot.waitUntil(lambda: stored(off_gui, services, key) == "chat")


def test_a_model_that_is_gone_cannot_be_chosen_to_learn(qtbot, controller, services, off_gui):
    path = off_gui(lambda: tiny(services))
    controller.pane.show_page("Memory")
    controller.pane.page("Memory").advanced.click()
    select = controller.pane.findChild(Select, "setting.extraction.learn_from")
    controller.apply_changes(Changes(models=True))
    qtbot.waitUntil(lambda: select.findData("file:tiny.gguf") >= 0)
    off_gui(path.unlink)
    select.setCurrentIndex(select.findData("file:tiny.gguf"))
    row = controller.pane.findChild(SettingRow, "row.extraction.learn_from")
    qtbot.waitUntil(lambda: row.error.startswith("There is no chat model called"))
    assert select.currentData() == stored(off_gui, services, "extraction.learn_from") == "chat"


def test_a_refused_value_is_said_under_the_row_and_taken_back(
    qtbot, controller, services, monkeypatch
):
    def refuse(key, value):
        raise SettingsError("The disk is full.")

    monkeypatch.setattr(services.preferences, "set", refuse)
    controller.pane.show_page("Recall")
    switch = controller.pane.findChild(Switch, "setting.rag.enabled")
    row = controller.pane.findChild(SettingRow, "row.rag.enabled")
    switch.click()
    qtbot.waitUntil(lambda: bool(row.error))
    assert row.error == "The disk is full."
    assert switch.isChecked()


def test_a_limit_below_its_target_is_refused_in_a_sentence_under_it(
    qtbot, controller, services, off_gui
):
    controller.pane.show_page("Memory")
    spin = controller.pane.findChild(QSpinBox, "setting.memory.compaction.threshold")
    row = controller.pane.findChild(SettingRow, "row.memory.compaction.threshold")
    spin.setValue(100)
    qtbot.waitUntil(lambda: bool(row.error))
    assert row.error == "“Most memories” must not be below “Memories left”, which is 500."
    assert spin.value() == stored(off_gui, services, "memory.compaction.threshold") == 1000


def test_what_another_part_stored_is_shown(qtbot, controller, services, bridge):
    controller.pane.show_page("Appearance")
    select = controller.pane.findChild(Select, "setting.appearance.theme")
    bridge.run(lambda: services.preferences.set("appearance.theme", "dark"))
    qtbot.waitUntil(lambda: select.currentData() == "dark")


def test_the_reference_preset_and_back(qtbot, controller, services, off_gui):
    controller.pane.show_page("Recall")
    controller.pane.findChild(QPushButton, "use_reference").click()
    sheet = controller.pane.findChild(QDialog, "reference")
    assert "for good" in sheet.findChild(QWidget, "reference_sentence").text()
    assert stored(off_gui, services, "rag.floor") == entry("rag.floor").default
    sheet.accept_button.click()
    qtbot.waitUntil(lambda: stored(off_gui, services, "rag.floor") == 0.0)
    controller.pane.findChild(QPushButton, "use_defaults").click()
    default = entry("rag.floor").default
    qtbot.waitUntil(lambda: stored(off_gui, services, "rag.floor") == default)


def test_the_search_shows_rows_of_all_pages_and_leaves_with_escape(qtbot, controller):
    controller.pane.show_page("Chat")
    QTest.keyClicks(controller.pane.search, "memories")
    qtbot.waitUntil(lambda: controller.pane._stack.currentWidget() is controller.pane._found)
    keys = set(controller.pane._found.shown_rows)
    assert {"rag.max_results", "chat.block_after_history"} <= keys
    assert controller.escape()
    assert controller.pane._stack.currentWidget() is controller.pane.page("Chat")
    assert not controller.escape()


def test_a_found_setting_can_be_changed_there(qtbot, controller, services, off_gui):
    controller.pane.search.setText("memories per answer")
    qtbot.waitUntil(lambda: controller.pane._found is not None)
    qtbot.waitUntil(lambda: "rag.max_results" in controller.pane._found.shown_rows)
    control = controller.pane._found.findChild(QWidget, "setting.rag.max_results")
    control.setValue(3)
    qtbot.waitUntil(lambda: stored(off_gui, services, "rag.max_results") == 3)


def test_typing_erase_leads_to_the_button_that_erases(qtbot, controller):
    QTest.keyClicks(controller.pane.search, "erase")
    go = "go.erase_everything"
    qtbot.waitUntil(lambda: controller.pane.findChild(QPushButton, go) is not None)
    button = controller.pane.findChild(QPushButton, go)
    assert button.accessibleName() == "Go to Erase everything"
    QTest.keyClick(controller.pane.search, Qt.Key.Key_Down)
    assert button.hasFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert controller.pane.search.text() == ""
    erase = controller.pane.page("Your data").erase_button
    qtbot.waitUntil(erase.hasFocus)
    qtbot.waitUntil(lambda: not erase.visibleRegion().isEmpty())


@pytest.mark.parametrize("there", [p for p in places.places() if p.page], ids=lambda p: p.id)
def test_every_place_is_on_its_page(qtbot, controller, there):
    controller.pane.go(there)
    assert controller.pane.shown == there.page
    control = controller.pane.page(there.page).findChild(QWidget, f"{there.id}")
    assert there.id == "page_shortcuts" or control is not None


def test_pages_are_walked_with_arrows(qtbot, controller):
    controller.pane.show_page("Chat")
    button = controller.pane.findChild(QPushButton, "settings_show_chat")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Down)
    assert controller.pane.shown == "Models"


def test_about_shows_and_copies_the_report(qtbot, controller):
    controller.pane.show_page("About")
    page = controller.pane.page("About")
    qtbot.waitUntil(lambda: "sqlcipher" in page._report.text(), timeout=20_000)
    page.findChild(QPushButton, "copy_report").click()
    assert QGuiApplication.clipboard().text() == page._report.text()


def test_defaults_are_shown_before_anything_is_loaded(qtbot, theme):
    page = SettingsPage(theme, "Recall")
    qtbot.addWidget(page)
    page.show_values(Settings())
    assert page.findChild(QWidget, "setting.rag.max_results").value() == 5
