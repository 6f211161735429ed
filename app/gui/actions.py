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
class Row:
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
    Row("conversation.new", "New conversation", ("Ctrl+N",), "Conversations"),
    Row("search", "Search everything", ("Ctrl+K",), "Conversations"),
    Row("conversation.open", "Open the conversation", ("Return",), "Conversations", window=False),
    Row("conversation.rename", "Rename it", ("F2",), "Conversations", window=False),
    Row("conversation.pin", "Pin or unpin it", ("Ctrl+P",), "Conversations", window=False),
    Row(
        "conversation.archive",
        "Archive or bring it back",
        ("Ctrl+E",),
        "Conversations",
        window=False,
    ),
    Row("conversation.erase", "Erase it", ("Delete",), "Conversations", window=False),
    Row("show.chat", "Chat", ("Ctrl+1",), "Go to"),
    Row("show.memory", "Memory", ("Ctrl+2",), "Go to"),
    Row("show.timeline", "Timeline", ("Ctrl+3",), "Go to"),
    Row("show.attention", "Waiting for you", ("Ctrl+4",), "Go to"),
    Row("show.activity", "Activity", ("Ctrl+5",), "Go to"),
    Row("show.models", "Models", ("Ctrl+6",), "Go to"),
    Row("show.settings", "Settings", ("Ctrl+7", "Ctrl+,"), "Go to"),
    Row("message.send", "Send the message", ("Return",), "Writing", window=False),
    Row("message.line", "Start a new line", ("Shift+Return",), "Writing", window=False),
    Row("message.last", "Edit the last message", ("Ctrl+Up",), "Writing", window=False),
    Row("message.walk", "Go to another message", ("Alt+Up", "Alt+Down"), "Writing", window=False),
    Row("code.copy", "Copy the newest code", ("Ctrl+Shift+C",), "Writing", window=False),
    Row("memory.try", "Try what would be recalled", ("Ctrl+R",), "Memory"),
    Row("memory.search", "Search memories", ("Ctrl+F",), "Memory", window=False),
    Row("memory.edit", "Edit the memory", ("Return",), "Memory", window=False),
    Row("memory.pin", "Pin or unpin it", ("Space",), "Memory", window=False),
    Row("memory.forget", "Forget it", ("Delete",), "Memory", window=False),
    Row("memory.undo", "Undo the last change", ("Ctrl+Z",), "Memory", window=False),
    Row("memory.redo", "Do it again", ("Ctrl+Shift+Z",), "Memory", window=False),
    Row("memory.save", "Save what was edited", ("Ctrl+Return",), "Memory", window=False),
    Row("escape", "Stop the answer, close the drawer", ("Escape",), "Writing"),
    Row("text.larger", "Larger text", ("Ctrl++", "Ctrl+="), "Window"),
    Row("text.smaller", "Smaller text", ("Ctrl+-",), "Window"),
    Row("text.usual", "Usual text size", ("Ctrl+0",), "Window"),
    Row("shortcuts", "These shortcuts", ("F1", "Ctrl+/"), "Window"),
    Row("quit", "Quit", ("Ctrl+Q",), "Window"),
)


def row(action_id: str) -> Row:
    """Return the row of an action."""
    return next(r for r in TABLE if r.id == action_id)


def keys(action_id: str) -> QKeySequence:
    """Return the first shortcut of an action."""
    return QKeySequence(row(action_id).shortcuts[0])


def shown_keys(action_id: str) -> str:
    """Return the first shortcut as this system writes it, such as ``Ctrl+N`` or ``⌘N``."""
    return keys(action_id).toString(QKeySequence.SequenceFormat.NativeText)


def groups() -> dict[str, list[Row]]:
    """Return the rows under their headings, in the order of the table."""
    found: dict[str, list[Row]] = {}
    for each in TABLE:
        found.setdefault(each.group, []).append(each)
    return found


def install(window: QWidget, handlers: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Make a window answer to every shortcut of the table that is the window's.

    Args:
        window: The widget that gets the actions.
        handlers: What to do, by id; exactly the ids of the window's rows.
    """
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
