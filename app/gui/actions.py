"""The one table of what the keyboard and the menus can do.

From it come the window's shortcuts, the tool tips that mention them and the page of shortcuts; an
action is declared here or it does not exist.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.gui.widgets import caption


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One thing a person can do.

    Attributes:
        id: What code calls it.
        title: What a person calls it.
        shortcuts: Keys, the first of which is shown.
        group: Under which heading it is listed.
        window: Whether the window answers to the keys; else the widget that has the focus does,
            and the row only tells of it.
    """

    id: str
    title: str
    shortcuts: tuple[str, ...]
    group: str
    window: bool = True


TABLE = (
    ActionRow("conversation.new", "New conversation", ("Ctrl+N",), "Conversations"),
    ActionRow("search", "Search everything", ("Ctrl+K",), "Conversations"),
    ActionRow(
        "conversation.open", "Open the conversation", ("Return",), "Conversations", window=False
    ),
    ActionRow("conversation.rename", "Rename it", ("F2",), "Conversations", window=False),
    ActionRow("conversation.pin", "Pin or unpin it", ("Ctrl+P",), "Conversations", window=False),
    ActionRow(
        "conversation.archive",
        "Archive it or bring it back",
        ("Ctrl+E",),
        "Conversations",
        window=False,
    ),
    ActionRow("conversation.erase", "Erase it", ("Delete",), "Conversations", window=False),
    ActionRow("show.chat", "Chat", ("Ctrl+1",), "Go to"),
    ActionRow("show.memory", "Memory", ("Ctrl+2",), "Go to"),
    ActionRow("show.timeline", "Timeline", ("Ctrl+3",), "Go to"),
    ActionRow("show.attention", "To review", ("Ctrl+4",), "Go to"),
    ActionRow("show.activity", "Activity", ("Ctrl+5",), "Go to"),
    ActionRow("show.models", "Models", ("Ctrl+6",), "Go to"),
    ActionRow("show.settings", "Settings", ("Ctrl+7", "Ctrl+,"), "Go to"),
    ActionRow("message.send", "Send the message", ("Return",), "Writing", window=False),
    ActionRow("message.line", "Start a new line", ("Shift+Return",), "Writing", window=False),
    ActionRow("message.last", "Edit the last message", ("Ctrl+Up",), "Writing", window=False),
    ActionRow(
        "message.walk", "Go to another message", ("Alt+Up", "Alt+Down"), "Writing", window=False
    ),
    ActionRow("code.copy", "Copy the newest code", ("Ctrl+Shift+C",), "Writing", window=False),
    ActionRow("memory.try", "See what would be recalled", ("Ctrl+R",), "Memory"),
    ActionRow("memory.search", "Search memories", ("Ctrl+F",), "Memory", window=False),
    ActionRow("memory.edit", "Edit the memory", ("Return",), "Memory", window=False),
    ActionRow("memory.pin", "Pin or unpin it", ("Space",), "Memory", window=False),
    ActionRow("memory.forget", "Forget it", ("Delete",), "Memory", window=False),
    ActionRow("memory.undo", "Undo the last change", ("Ctrl+Z",), "Memory", window=False),
    ActionRow("memory.redo", "Redo the last change", ("Ctrl+Shift+Z",), "Memory", window=False),
    ActionRow("memory.save", "Save what was edited", ("Ctrl+Return",), "Memory", window=False),
    ActionRow("escape", "Stop the answer, close the drawer", ("Escape",), "Writing"),
    ActionRow("text.larger", "Larger text", ("Ctrl++", "Ctrl+="), "Window"),
    ActionRow("text.smaller", "Smaller text", ("Ctrl+-",), "Window"),
    ActionRow("text.usual", "Normal text size", ("Ctrl+0",), "Window"),
    ActionRow("shortcuts", "These shortcuts", ("F1", "Ctrl+/"), "Window"),
    ActionRow("quit", "Quit", ("Ctrl+Q",), "Window"),
)


def row(action_id: str) -> ActionRow:
    """Return the row of an action."""
    return next(r for r in TABLE if r.id == action_id)


def keys(action_id: str) -> QKeySequence:
    """Return the first shortcut of an action."""
    return QKeySequence(row(action_id).shortcuts[0])


def shown_keys(action_id: str) -> str:
    """Return the first shortcut as this system writes it, such as ``Ctrl+N`` or ``⌘N``."""
    return keys(action_id).toString(QKeySequence.SequenceFormat.NativeText)


def groups() -> dict[str, list[ActionRow]]:
    """Return the rows under their headings, in the order of the table."""
    found: dict[str, list[ActionRow]] = {}
    for each in TABLE:
        found.setdefault(each.group, []).append(each)
    return found


def install(window: QWidget, handlers: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Make a window answer to every shortcut of the table that is its; one handler for each id."""
    made: dict[str, QAction] = {}
    for each in TABLE:
        if not each.window:
            continue
        action = QAction(caption(each.title), window)
        action.setObjectName(f"action.{each.id}")
        action.setShortcuts([QKeySequence(key) for key in each.shortcuts])
        handler = handlers[each.id]
        action.triggered.connect(lambda _checked=False, handler=handler: handler())
        window.addAction(action)
        made[each.id] = action
    return made
