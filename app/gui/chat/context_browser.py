"""What the model sees of a conversation: summaries and messages, down to the words.

A summary folds out into the summaries that it was made of, and these into messages; each is fetched
when it is first folded out.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.domain.conversation import Message, Role
from app.domain.language.text import clipped, counted, shown
from app.domain.prompting.context import Rung, Summary
from app.gui.bridge import Bridge
from app.gui.chat.wording import day
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, NoticeLine, hbox, named, vbox

if TYPE_CHECKING:
    from app.services.context.browsing import ContextView
    from app.services.services import Services

TITLE = "What the model sees"
WHOLE = "The model sees this conversation word for word: {}, about {:,} tokens."
IN_PART = (
    "Of {}, the model sees the last {} word for word, and summaries of what was said before: about"
    " {:,} tokens. Every word is kept; open a summary to read what it stands for."
)
NOTHING = "There is nothing in this conversation yet."
GONE = "This could not be read. What is stored is safe."
READING = "Reading…"
LINE = 90  # characters of a message in the tree
_ENTRY = Qt.ItemDataRole.UserRole


class ContextBrowser(QDialog):
    """A tree of what the model sees, and beside it the words of what is chosen."""

    filled = Signal()  # what was asked for is in the tree

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        conversation_id: str,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        named(self, "context_browser", TITLE)
        self.setWindowTitle(TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._services, self._bridge, self._theme = services, bridge, theme
        self._conversation = conversation_id
        self.told = Label(READING, "secondary", wrap=True, name="context_told")
        self.notice = NoticeLine(theme, "context_notice", "danger")
        self.notice.hide()
        self.tree = named(QTreeWidget(), "context_tree", TITLE)
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.text = named(QPlainTextEdit(), "context_text", "Its words")
        self.text.setReadOnly(True)
        close = Button(theme, "Close", "context_close", then=self.accept)
        split = named(QSplitter(Qt.Orientation.Horizontal), "context_split")
        split.addWidget(self.tree)
        split.addWidget(self.text)
        split.setSizes([theme.px(380), theme.px(360)])
        split.setChildrenCollapsible(False)
        vbox(self.told, self.notice, (split, 1), hbox(..., close), of=self, margins=20, spacing=12)
        self.resize(theme.px(780), theme.px(540))
        self.tree.itemExpanded.connect(self._on_expanded)
        self.tree.currentItemChanged.connect(self._on_chosen)
        self._fetch()

    def _fetch(self) -> None:
        self._bridge.run(
            lambda: self._services.context.view(self._conversation),
            self._on_fetched,
            lambda _error: self.notice.say(GONE),
        )

    def _on_fetched(self, view: "ContextView") -> None:
        self.told.setText(headline(view))
        self._add(self.tree.invisibleRootItem(), view.entries)
        first = self.tree.topLevelItem(0)
        if first is not None:
            self.tree.setCurrentItem(first)
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.filled.emit()

    def _add(self, parent: QTreeWidgetItem, entries: Sequence[Message | Summary]) -> None:
        for entry in entries:
            item = QTreeWidgetItem([shown(line(entry))])
            item.setData(0, _ENTRY, entry)
            if isinstance(entry, Summary):
                show = QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator
                item.setChildIndicatorPolicy(show)
            parent.addChild(item)

    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        """Fetch what a summary stands for, once."""
        entry = item.data(0, _ENTRY)
        if not isinstance(entry, Summary) or item.childCount():
            return
        self._bridge.run(
            partial(self._below, entry),
            partial(self._on_below, item),
            lambda _error: self.notice.say(GONE),
        )

    def _below(self, summary: Summary) -> Sequence[Message | Summary]:
        return self._services.context.below(summary, self._conversation)

    def _on_below(self, item: QTreeWidgetItem, entries: Sequence[Message | Summary]) -> None:
        if not item.childCount():
            self._add(item, entries)
        self.filled.emit()

    def _on_chosen(self, item: QTreeWidgetItem | None, _before: object = None) -> None:
        entry = item.data(0, _ENTRY) if item is not None else None
        self.text.setPlainText("" if entry is None else shown_whole(entry))


def headline(view: "ContextView") -> str:
    """Return in a sentence or two what is shown of a conversation."""
    total = counted(view.messages, "message")
    if not view.entries:
        return NOTHING
    last = sum(not isinstance(one, Summary) for one in view.entries)
    if last == len(view.entries):
        return WHOLE.format(total, view.tokens)
    return IN_PART.format(total, f"{last:,}", view.tokens)


def line(entry: Message | Summary) -> str:
    """Return what stands in the tree for something that is shown."""
    if isinstance(entry, Summary):
        what = "Excerpts" if entry.rung is Rung.EXTRACT else "Summary"
        return f"{what} of {counted(entry.messages, 'message')}, {_days(entry)}"
    return f"{_speaker(entry)}: {clipped(' '.join(entry.text.split()), LINE)}"


def shown_whole(entry: Message | Summary) -> str:
    """Return the words of something, line breaks and all, with nothing hidden in them."""
    text = "\n".join(shown(one) for one in entry.text.split("\n"))
    if isinstance(entry, Summary):
        return f"{line(entry)}\n\n{text}"
    return f"{_speaker(entry)}, {day(entry.created_at)}\n\n{text}"


def _speaker(message: Message) -> str:
    if message.speaker:
        return shown(message.speaker)
    return "You" if message.role is Role.USER else "Loci"


def _days(summary: Summary) -> str:
    begun, ended = day(summary.earliest), day(summary.latest)
    return begun if begun == ended else f"{begun} to {ended}"
