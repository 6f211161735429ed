"""The chat screen's widgets put together: header, transcript, composer, drawer and cards."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent, QShortcut
from PySide6.QtWidgets import QGridLayout, QWidget

from app.domain.conversation import MemoryMode
from app.domain.ids import Clock
from app.gui import actions
from app.gui.chat.cards.link_card import LinkCard
from app.gui.chat.cards.source_card import SourceCard
from app.gui.chat.composer.card import Composer
from app.gui.chat.header import ChatHeader
from app.gui.chat.intents import Intents
from app.gui.chat.model import ChatTurn, TranscriptModel, sources
from app.gui.chat.transcript import COLUMN, Transcript
from app.gui.chat.why_drawer import WIDTH, WhyDrawer
from app.gui.chat.wording import KEEP, TEMPORARY
from app.gui.theme import Theme
from app.gui.trace.source import TraceSource
from app.gui.widgets import EmptyState, NoticeLine, hbox, line, named, vbox

ROOMY = 800
"""From this width on the drawer stands beside the conversation, else over it."""

_EDGE = 12
_WELCOME = "Say something about yourself; Loci remembers it and brings it up when it helps."
_MODE_WELCOME = {
    MemoryMode.READS_ONLY: "Loci uses what it knows here, and learns nothing new.",
    MemoryMode.WRITES_ONLY: "Loci learns from you here, and uses nothing of what it knows.",
    MemoryMode.OFF: "Nothing said here is remembered, and nothing remembered is used.",
    MemoryMode.TEMPORARY: "Nothing of this conversation is kept once you leave it.",
}


class ChatPane(QWidget):
    """The chat screen; it says what the person wants and knows nothing of how it is done.

    Attributes:
        model: The turns on the page.
        intents: What the person wants of a message.
    """

    why_shown = Signal(bool)  # the drawer was opened or closed
    keep_wanted = Signal()  # the person wants a temporary conversation to be kept

    def __init__(self, theme: Theme, clock: Clock) -> None:
        super().__init__()
        named(self, "chat_pane", "Chat")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "chat")
        self.model = TranscriptModel(self)
        self.intents = Intents(self)
        self.header = ChatHeader(theme)
        self.transcript = Transcript(theme, self.model, self.intents, clock)
        self.empty = EmptyState(theme, "diamond", "A place that remembers", _WELCOME, "chat_empty")
        self.notice = NoticeLine(theme, "chat_notice", "warn")
        self.temporary = NoticeLine(theme, "chat_temporary", "warn")
        self.temporary.close_button.hide()
        self.composer = Composer(theme)
        self.drawer = WhyDrawer(theme, self, clock)
        self.source_card = SourceCard(theme, self, clock)
        self.link_card = LinkCard(theme, self)
        self._drawer_line = line("why_line")
        self._loading = False
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        body = QGridLayout()
        body.addWidget(self.transcript, 0, 0)
        body.addWidget(self.empty, 0, 0)
        shelf = (self.notice, self.temporary, self.composer)
        for widget in shelf:
            widget.setMaximumWidth(COLUMN + 28)
        self._column = vbox(self.header, (body, 1), of=self, margins=0, spacing=0)
        for widget in shelf:
            row = hbox(..., (widget, 1000), ..., margins=(_EDGE, 0, _EDGE, 0))
            self._column.addLayout(row)
        self.setMinimumWidth(360)
        self._drawer_line.setParent(self)
        self._drawer_line.hide()

    def _connect(self) -> None:
        self.header.why_toggled.connect(self.show_why)
        for chip in (self.header.mode_chip, self.composer.mode_chip):
            chip.keep_chosen.connect(self.keep_wanted)
        self.drawer.closed.connect(lambda: self.show_why(False))
        self.drawer.source_opened.connect(self.open_source)
        self.intents.show_source.connect(self.open_source)
        self.intents.show_citation.connect(self._on_show_citation)
        self.intents.edit_memory.connect(self._on_edit_memory)
        self.intents.follow_link.connect(self.link_card.ask)
        self.link_card.opened.connect(lambda href: QDesktopServices.openUrl(QUrl(href)))
        self.transcript.moved.connect(self._close_cards)
        for signal in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(self._show_body)
        copy_code = QShortcut(actions.keys("code.copy"), self)
        copy_code.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy_code.activated.connect(self.copy_last_code)
        self._show_body()

    # What is shown.

    def show_loading(self, loading: bool) -> None:
        """Show nothing while a conversation is fetched."""
        self._loading = loading
        self._show_body()

    def set_mode(self, mode: MemoryMode, *, begun: bool = False) -> None:
        """Show everywhere what the conversation may do with memory.

        Args:
            mode: Which.
            begun: Whether there is anything that could be kept.
        """
        passing = mode is MemoryMode.TEMPORARY
        self.header.set_mode(mode, begun=begun)
        self.composer.set_mode(mode, begun=begun)
        if passing:
            self.temporary.say(TEMPORARY, KEEP if begun else "", self.keep_wanted.emit)
            self._fit_temporary()
        else:
            self.temporary.hide()
        title = "A conversation that is not kept" if passing else "A place that remembers"
        self.empty.say(title, _MODE_WELCOME.get(mode, _WELCOME))

    def _show_body(self) -> None:
        self.empty.setVisible(not self._loading and not self.model.rowCount())

    # The drawer.

    @property
    def why_open(self) -> bool:
        """Whether the drawer is open."""
        return not self.drawer.isHidden()

    def show_why(self, shown: bool) -> None:
        """Open or close the drawer."""
        if shown == self.why_open:
            return
        self.drawer.setVisible(shown)
        self._drawer_line.setVisible(shown)
        self.header.why_button.setChecked(shown)
        self._place_drawer()
        self.why_shown.emit(shown)

    def _place_drawer(self) -> None:
        beside = self.why_open and self.width() >= ROOMY
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        room = WIDTH if beside else 0
        self._column.setContentsMargins(room if mirrored else 0, 0, 0 if mirrored else room, 0)
        left = 0 if mirrored else self.width() - WIDTH
        self.drawer.setGeometry(left, 0, WIDTH, self.height())
        edge = left + WIDTH if mirrored else left - 1
        self._drawer_line.setGeometry(edge, 0, 1, self.height())
        self._fit_temporary()
        for widget in (self.drawer, self._drawer_line):
            widget.raise_()

    def _fit_temporary(self) -> None:
        """Show the whole sentence, however narrow the window is."""
        margins = self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right() - 2 * _EDGE
        self.temporary.fit(min(room, self.temporary.maximumWidth()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the drawer at the edge."""
        super().resizeEvent(event)
        self._place_drawer()
        self._close_cards()

    # The cards.

    def open_source(self, source: TraceSource, asked_from: QWidget) -> None:
        """Open the card of a find beside what it was asked from."""
        where = QRect(asked_from.mapToGlobal(QPoint(0, 0)), asked_from.size())
        self.source_card.open_source(source, where, asked_from)

    def _on_show_citation(self, turn: ChatTurn, number: int, where: QPoint) -> None:
        found = next((source for source in sources(turn) if source.number == number), None)
        if found is not None:
            self.source_card.open_source(found, QRect(where, QSize(1, 10)), None)

    def _on_edit_memory(self, memory_id: str, text: str, asked_from: QWidget) -> None:
        where = QRect(asked_from.mapToGlobal(QPoint(0, 0)), asked_from.size())
        self.source_card.open_memory(memory_id, text, where, asked_from)

    def _close_cards(self) -> None:
        self.source_card.close_card()
        self.link_card.close_card()

    # The keyboard.

    def copy_last_code(self) -> None:
        """Put the newest piece of code on the clipboard."""
        if (code := self.transcript.last_code()) is not None:
            code.copy()

    def close_card(self) -> bool:
        """Close a card; say whether any was open."""
        was_open = self.source_card.isVisible() or self.link_card.isVisible()
        self._close_cards()
        return was_open

    def close_drawer(self) -> bool:
        """Close the drawer; say whether it was open."""
        was_open = self.why_open
        self.show_why(False)
        return was_open
