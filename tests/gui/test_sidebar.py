from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.domain.changes import Changes
from app.domain.conversation import Conversation, FoundMessage, Part, PartOrigin, Role
from app.domain.ids import new_id
from app.domain.memory import Memory
from app.domain.profile import Profile
from app.gui.sidebar.controller import SidebarController
from app.gui.sidebar.delegate import dated, unmarked
from app.gui.sidebar.model import (
    ROW,
    ConversationsModel,
    Heading,
    More,
    RowsModel,
    grouped,
    spoken,
    titled,
)
from tests.gui.waiting import shown

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def conversation(number, title="Title", hours=0.0, **fields):
    at = NOW - timedelta(hours=hours)
    return Conversation(f"c{number}", f"{title} {number}", at, at, **{"agent_pk": 1, **fields})


def said(rows):
    return [row.title for row in rows]


def test_conversations_stand_under_their_days_newest_first():
    rows = grouped(
        [
            conversation(1, hours=400, pinned=True),
            conversation(2, hours=3),
            conversation(3, hours=1),
            conversation(4, hours=24),
            conversation(5, hours=24 * 40),
            conversation(6, hours=2, archived=True),
        ],
        NOW,
    )
    assert said(rows) == [
        "Pinned", "Title 1", "Today", "Title 3", "Title 2", "Yesterday", "Title 4",
        "Earlier", "Title 5", "Archived", "Title 6",
    ]  # fmt: skip


def test_an_archived_pin_is_archived():
    rows = grouped([conversation(1, pinned=True, archived=True)], NOW)
    assert said(rows) == ["Archived", "Title 1"]


def test_a_damaged_conversation_is_said_to_be():
    assert titled(conversation(1, damaged=("created_at",))) == "Title 1 (damaged)"
    lost = replace(conversation(1, damaged=("title",)), title="(damaged)")
    assert titled(lost) == "(damaged)"


def test_a_future_date_is_today():
    assert said(grouped([conversation(1, hours=-30)], NOW)) == ["Today", "Title 1"]


@pytest.mark.parametrize(
    ("marked", "plain", "ranges"),
    [
        ("no match", "no match", []),
        ("a \u2068walnut\u2069 tree", "a walnut tree", [(2, 6)]),
        ("\u2068a\u2069\u2068b\u2069", "ab", [(0, 1), (1, 1)]),
        ("broken \u2068open", "broken open", []),
        ("\u2069stray", "stray", []),
    ],
)
def test_marks_of_a_snippet(marked, plain, ranges):
    assert unmarked(marked) == (plain, ranges)


def test_dates_are_as_short_as_they_can_be():
    here = NOW.astimezone()
    assert dated(NOW, NOW) == f"{here:%H:%M}"
    assert dated(NOW - timedelta(days=40), NOW) == "12 Oct"
    assert dated(NOW - timedelta(days=400), NOW) == "17 Oct 2025"


def test_the_models_keep_qts_rules(qtmodeltester, qtbot):
    model = ConversationsModel()
    model.replace([Heading("Today"), conversation(1), conversation(2), More("Show archived (1)")])
    qtmodeltester.check(model)


def test_headings_cannot_be_chosen_and_only_conversations_renamed():
    model = ConversationsModel()
    model.replace([Heading("Today"), conversation(1), More("More")])
    flags = [model.flags(model.index(n)) for n in range(3)]
    assert not flags[0] & Qt.ItemFlag.ItemIsSelectable
    assert flags[1] & Qt.ItemFlag.ItemIsEditable
    assert flags[2] & Qt.ItemFlag.ItemIsSelectable
    assert not flags[2] & Qt.ItemFlag.ItemIsEditable


def test_a_new_title_is_announced_once_and_never_empty(qtbot):
    model = ConversationsModel()
    model.replace([conversation(1)])
    told = []
    model.renamed.connect(lambda *args: told.append(args))
    index = model.index(0)
    model.setData(index, "  ")
    model.setData(index, "Title 1")
    model.setData(index, " New\n title ")
    assert told == [("c1", "New title")]


def test_fresh_content_of_the_same_rows_keeps_the_views_place(qtbot):
    model = ConversationsModel()
    model.replace([Heading("Today"), conversation(1)])
    with qtbot.waitSignal(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        model.replace([Heading("Today"), conversation(1, "Other")])
    with qtbot.waitSignal(model.modelReset):
        model.replace([Heading("Today"), conversation(2)])


def test_what_a_screen_reader_says():
    assert spoken(conversation(1, archived=True)) == "Title 1, archived"
    found = FoundMessage("m", "c", "", "a \u2068b\u2069", NOW, Role.USER)
    assert spoken(found) == "New conversation: a b"
    assert spoken(Memory("m", "You like tea", NOW, NOW, agent_pk=1)) == "You like tea"


def test_ten_thousand_conversations_are_drawn_as_a_screenful(qtbot, theme):
    from app.gui.sidebar.lists import ConversationList

    model, reads = ConversationsModel(), []
    model.replace(grouped([conversation(n, hours=n / 10) for n in range(10_000)], NOW))
    view = ConversationList(theme, model)
    qtbot.addWidget(view)
    view.resize(240, 600)
    read = model.data
    model.data = lambda index, role=0: reads.append(index.row()) or read(index, role)
    view.show()
    view.grab()
    assert len(set(reads)) < 100


# With the real services.


@pytest.fixture
def controller(qtbot, services, bridge, theme):
    made = SidebarController(services, bridge, theme)
    bridge.changed.connect(made.apply_changes)
    shown(qtbot, made.pane, 256, 800)
    return made


@pytest.fixture
def three(services, opened, off_gui):
    from app.store.conversations import Conversations
    from app.store.messages import Messages

    def add():
        rows = Conversations(opened.store.vault)
        messages = Messages(opened.store.vault)
        made = []
        for title, text in (
            ("Cake", "nothing with walnuts please"),
            ("Garden", "beds along the wall"),
            ("Kitten", "a name for the kitten"),
        ):
            one = rows.create(1, title=title)
            messages.add(one.id, Role.USER, [Part(text, PartOrigin.TYPED)])
            made.append(one)
        return made

    return off_gui(add)


def titles(controller):
    model = controller.pane.list.model()
    rows = [model.index(n, 0).data(ROW) for n in range(model.rowCount())]
    return [row.title for row in rows]


def choose(controller, conversation_id):
    view = controller.pane.list
    view.setFocus()
    view.setCurrentIndex(view.model().index_of(conversation_id))


def test_an_empty_vault_says_what_will_be_here(qtbot, controller):
    controller.refresh()
    qtbot.waitUntil(lambda: "will be listed" in controller.pane._empty.text())
    assert controller.pane._empty.isVisible()


def test_the_list_shows_what_is_stored(qtbot, controller, three):
    controller.refresh()
    qtbot.waitUntil(lambda: titles(controller) == ["Today", "Kitten", "Garden", "Cake"])


def test_rename_in_place_with_f2(qtbot, controller, three):
    controller.refresh()
    qtbot.waitUntil(lambda: len(titles(controller)) == 4)
    choose(controller, three[1].id)
    QTest.keyClick(controller.pane.list, Qt.Key.Key_F2)
    editor = controller.pane.list.findChild(QLineEdit, "rename_conversation")
    assert editor.text() == "Garden"
    QTest.keyClicks(editor, "Beds")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Beds" in titles(controller))


def test_pin_archive_and_bring_back_with_the_keyboard(qtbot, controller, three):
    controller.refresh()
    qtbot.waitUntil(lambda: len(titles(controller)) == 4)
    choose(controller, three[0].id)
    QTest.keyClick(controller.pane.list, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: titles(controller)[:2] == ["Pinned", "Cake"])
    choose(controller, three[1].id)
    QTest.keyClick(controller.pane.list, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: titles(controller)[-1] == "Show archived (1)")
    assert "Garden" not in titles(controller)
    view = controller.pane.list
    view.setCurrentIndex(view.model().index(view.model().rowCount() - 1))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert titles(controller)[-3:] == ["Archived", "Garden", "Hide archived (1)"]
    choose(controller, three[1].id)
    QTest.keyClick(controller.pane.list, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Archived" not in titles(controller))
    assert "Garden" in titles(controller)


def test_delete_asks_for_the_erasure_of_that_conversation(qtbot, controller, three):
    controller.refresh()
    qtbot.waitUntil(lambda: len(titles(controller)) == 4)
    choose(controller, three[2].id)
    with qtbot.waitSignal(controller.erase_requested) as asked:
        QTest.keyClick(controller.pane.list, Qt.Key.Key_Delete)
    assert asked.args[0].id == three[2].id


def test_the_menu_offers_the_same_things(qtbot, controller, three):
    controller.refresh()
    qtbot.waitUntil(lambda: len(titles(controller)) == 4)
    choose(controller, three[2].id)
    menu = controller.pane.list._menu
    assert [a.objectName() for a in menu.actions() if not a.isSeparator()] == [
        "action.conversation.open",
        "action.conversation.rename",
        "action.conversation.pin",
        "action.conversation.archive",
        "action.conversation.erase",
    ]
    with qtbot.waitSignal(controller.pane.conversation_opened) as opened:
        controller.pane.list.findChild(QAction, "action.conversation.open").trigger()
    assert opened.args == [three[2].id]


def test_enter_and_click_open(qtbot, controller, three):
    controller.refresh()
    qtbot.waitUntil(lambda: len(titles(controller)) == 4)
    choose(controller, three[0].id)
    view = controller.pane.list
    with qtbot.waitSignal(controller.pane.conversation_opened) as opened:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == [three[0].id]
    spot = view.visualRect(view.model().index_of(three[1].id)).center()
    with qtbot.waitSignal(controller.pane.conversation_opened) as opened:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert opened.args == [three[1].id]


def test_one_search_finds_titles_messages_and_memories(qtbot, controller, three, services, off_gui):
    off_gui(lambda: services.memories.add("You are allergic to walnuts"))
    controller.refresh()
    qtbot.waitUntil(lambda: len(titles(controller)) == 4)
    found = controller.pane.results.model()
    QTest.keyClicks(controller.pane.search, "walnuts")
    qtbot.waitUntil(lambda: found.rowCount() == 4)
    rows = [found.index(n, 0).data(ROW) for n in range(4)]
    assert [type(row) for row in rows] == [Heading, FoundMessage, Heading, Memory]
    assert controller.pane.results.isVisible()
    QTest.keyClick(controller.pane.search, Qt.Key.Key_Down)
    with qtbot.waitSignal(controller.pane.message_opened) as opened:
        QTest.keyClick(controller.pane.results, Qt.Key.Key_Return)
    assert opened.args == [three[0].id, rows[1].message_id]
    controller.pane.search.setText("garden")
    qtbot.waitUntil(lambda: found.rowCount() == 2 and found.index(1, 0).data() == "Garden")
    QTest.keyClick(controller.pane.search, Qt.Key.Key_Escape)
    assert controller.pane.list.isVisible()


def test_a_search_without_result_says_so(qtbot, controller, three):
    controller.pane.search.setText('zzz "unbalanced OR (')
    qtbot.waitUntil(lambda: "Nothing found for" in controller.pane._empty.text())
    assert controller.pane._empty.isVisible()


def test_changes_elsewhere_reach_the_list(qtbot, controller, services, bridge, off_gui):
    made = off_gui(services.conversations.create)
    bridge.publish(Changes(conversations=frozenset({made.id})))
    qtbot.waitUntil(lambda: titles(controller) == ["Today", ""])
    assert controller.pane.list.model().index(1, 0).data() == "New conversation"


def test_what_waits_is_counted_beside_memory(qtbot, controller, opened, off_gui):
    from app.domain.memory import Status
    from app.store.journal.entries import Note
    from app.store.memories import Memories

    def propose():
        row = Memory(new_id(NOW), "You may like tea", NOW, NOW, status=Status.PROPOSED, agent_pk=1)
        Memories(opened.store.vault).insert(row, (), Note("user", "add", "b1"))

    off_gui(propose)
    controller.refresh()
    button = controller.pane.pages["attention"]
    qtbot.waitUntil(lambda: button.accessibleName() == "To review, 1")


def test_the_recovery_code_is_asked_for_until_it_is_made_or_declined(
    qtbot, controller, services, bridge
):
    controller.refresh()
    button = controller.pane.pages["settings"]
    qtbot.waitUntil(lambda: button.accessibleName() == "Settings, Recovery code")
    bridge.run(lambda: services.preferences.set("computer.recovery_declined", True))
    qtbot.waitUntil(lambda: button.accessibleName() == "Settings")


def test_the_profile_menu(qtbot, controller):
    mine, other = Profile("personal", "Personal"), Profile("work", "R&D")
    controller.pane.show_profiles([mine, other], mine)
    menu = controller.pane.profile_button.menu()
    actions = [a for a in menu.actions() if not a.isSeparator()]
    assert [a.text() for a in actions] == [
        "Personal", "R&&D", "New profile…", "Rename this profile…", "Manage profiles…",
    ]  # fmt: skip
    assert [a.isChecked() for a in actions[:2]] == [True, False]
    with qtbot.waitSignal(controller.pane.profile_chosen) as chosen:
        actions[1].trigger()
    assert chosen.args == ["work"]
    with qtbot.waitSignal(controller.pane.profile_requested) as asked:
        actions[4].trigger()
    assert asked.args == ["manage"]


def test_the_pages_at_the_foot(qtbot, controller):
    with qtbot.waitSignal(controller.pane.page_chosen) as chosen:
        controller.pane.pages["models"].click()
    assert chosen.args == ["models"]
    controller.pane.show_page("settings")
    assert [p for p, b in controller.pane.pages.items() if b.isChecked()] == ["settings"]
    controller.pane.show_page("chat")
    assert not any(b.isChecked() for b in controller.pane.pages.values())


def test_rows_of_any_kind_are_drawn(qtbot, theme):
    from app.gui.sidebar.lists import FoundList

    model = RowsModel()
    found = FoundMessage("m", "c", "Title " * 20, "a \u2068b\u2069 " * 60, NOW, Role.USER)
    model.replace([Heading("Found"), conversation(1, archived=True), found,
                   Memory("m", "You like tea", NOW, NOW, agent_pk=1)])  # fmt: skip
    view = FoundList(theme, model, lambda: NOW)
    qtbot.addWidget(view)
    view.resize(240, 400)
    assert not view.grab().isNull()
