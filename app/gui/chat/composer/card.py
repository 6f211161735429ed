"""Where a message is written: the field, what goes with it, and what the answer is made of."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QSizePolicy,
    QWidget,
)

from app.domain.conversation import MemoryMode, Part, PartOrigin
from app.domain.limits import LONGEST_DOCUMENT, LONGEST_PASTE, TOO_LONG
from app.gui.chat.cards.mode_chip import ModeChip
from app.gui.chat.composer.attached_row import AttachedRow
from app.gui.chat.composer.field import ComposerText
from app.gui.chat.composer.meter import ContextMeter
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    ErrorBar,
    IconButton,
    Label,
    hbox,
    named,
    restyled,
    vbox,
)

ATTACH = "Attach text, PDF or Word files"
RADIUS = 14
SHADOW = 14
NARROW = 480
_SHADE_LIGHT, _SHADE_DARK = 0.006, 0.03
_HINTS = {
    MemoryMode.REMEMBERS: "Write to Loci…",
    MemoryMode.READS_ONLY: "Write to Loci; it will learn nothing here…",
    MemoryMode.WRITES_ONLY: "Write to Loci; it learns here and recalls nothing…",
    MemoryMode.OFF: "Write to Loci; nothing here is remembered or recalled…",
    MemoryMode.TEMPORARY: "Write to Loci; nothing of it is kept once you leave…",
}
_ASIDE = "Write to Loci; this message will not be remembered…"


class Composer(QWidget):
    """The card at the foot of the chat."""

    sent = Signal(object)  # the person sends; the parts of the message
    stopped = Signal()  # the person wants the answer to stop
    edited = Signal()  # what is written, or goes with it, changed
    files_chosen = Signal(object)  # files are to be attached; their paths
    text_pasted = Signal(str)  # a text was pasted that is too long to stand in a message
    mode_chosen = Signal(object)  # the person chose a memory mode
    last_wanted = Signal()  # the person wants to edit the last message
    editing_cancelled = Signal()  # the person no longer wants to edit an earlier message

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "composer", "Composer")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._theme = theme
        self._busy = False
        self._mode = MemoryMode.REMEMBERS
        self._make_widgets(theme)
        self._lay_out()
        self._connect()
        self._refresh()

    def _make_widgets(self, theme: Theme) -> None:
        self.card = named(QFrame(), "composer_card", "Message to Loci")
        self.card.setProperty("surface", "composer")
        self.errors = ErrorBar(theme, "composer_error")
        self.text = ComposerText(theme)
        self._banner = named(QWidget(), "composer_banner")
        self._banner_words = Label("", "small", name="composer_banner_words")
        self.cancel_button = Button(theme, "Cancel", "composer_cancel_edit", "link")
        self.files = AttachedRow(theme)
        self.attach_button = IconButton(
            theme, "plus", "Attach text, PDF or Word files", "composer_attach"
        )
        self.mode_chip = ModeChip(theme, "composer_mode")
        self.mode_chip.offer_aside()
        self.meter = ContextMeter()
        self.send_button = IconButton(theme, "arrow-up", "Send", "send", "round")

    def _lay_out(self) -> None:
        hbox(self._banner_words, self.cancel_button, ..., of=self._banner, margins=0)
        row = hbox(self.attach_button, self.mode_chip, ..., self.meter, self.send_button, spacing=8)
        vbox(
            self._banner,
            self.files,
            self.text,
            row,
            of=self.card,
            margins=(14, 12, 14, 12),
            spacing=8,
        )
        vbox(self.errors, self.card, of=self, margins=(SHADOW, 4, SHADOW, 20), spacing=8)
        self._banner.hide()

    def _connect(self) -> None:
        self._theme.changed.connect(self.update)
        self.text.sent.connect(self._on_sent)
        self.text.edited.connect(self._on_edited)
        self.text.last_wanted.connect(self.last_wanted)
        self.text.long_pasted.connect(self._on_long_pasted)
        self.text.too_long_pasted.connect(self._on_too_long)
        self.text.files_dropped.connect(self.files_chosen)
        self.files.changed.connect(self._on_edited)
        self.files.taken_off.connect(self.focus_words)
        self.attach_button.clicked.connect(self._on_attach_clicked)
        self.mode_chip.mode_chosen.connect(self.mode_chosen)
        self.mode_chip.aside_toggled.connect(self._show_hint)
        self.send_button.clicked.connect(self._on_button_clicked)
        self.cancel_button.clicked.connect(self.editing_cancelled)

    # What is written.

    def parts(self) -> list[Part]:
        """Return the message: what goes with it first, then the words."""
        written = self.text.parts()
        if not "".join(part.text for part in written).strip():
            written = []
        gap = "\n\n" if written else ""
        files = [replace(part, text=part.text.rstrip() + gap) for part in self.files.parts()]
        return [*files, *written]

    def set_parts(self, parts: Sequence[Part]) -> None:
        """Write these words, and attach what has a name."""
        self.files.clear()
        for part in parts:
            if part.name:
                self.attach(part)
        self.text.set_parts([part for part in parts if not part.name])
        self.errors.hide()
        self._refresh()

    def attach(self, part: Part) -> None:
        """Let a text go with the message."""
        self.files.end(self.files.begin(part.name), part)

    def show_error(self, sentence: str) -> None:
        """Say what went wrong, above the card."""
        self.errors.say(sentence)

    def show_editing(self, sentence: str) -> None:
        """Say that an earlier message is being edited; nothing ends that."""
        self._banner_words.setText(sentence)
        self._banner.setVisible(bool(sentence))

    # What is going on.

    def set_busy(self, busy: bool) -> None:
        """Offer to stop instead of to send."""
        self._busy = busy
        self._refresh()

    def set_mode(self, mode: MemoryMode, *, begun: bool = False) -> None:
        """Show what the conversation may do with memory; off tints the card."""
        self._mode = mode
        self.mode_chip.set_mode(mode, begun=begun)
        self._show_hint()
        tone = "off" if mode in (MemoryMode.OFF, MemoryMode.TEMPORARY) else "plain"
        restyled(self.card, tone=tone)

    def sizeHint(self) -> QSize:
        """Ask for room for all the lines that files need at this width."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def _show_hint(self) -> None:
        self.text.setPlaceholderText(_ASIDE if self.mode_chip.aside else _HINTS[self._mode])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the meter say less where there is little room."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self.meter.set_narrow(self.width() < NARROW)

    # What the person does.

    def _on_sent(self) -> None:
        parts = self.parts()
        if parts and not self._busy and not self.files.reading:
            self.errors.hide()
            self.sent.emit(parts)

    def _on_button_clicked(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self._on_sent()
        self.focus_words()

    def focus_words(self) -> None:
        """Put the keyboard into the field."""
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_edited(self) -> None:
        self._refresh()
        self.edited.emit()

    def _on_long_pasted(self, text: str) -> None:
        length = len(text) + sum(len(part.text) for part in self.parts())
        if length > LONGEST_PASTE:
            self.text_pasted.emit(text)
        else:
            self.attach(Part(text, PartOrigin.PASTED, "Pasted text"))

    def _on_too_long(self, length: int) -> None:
        self.show_error(TOO_LONG.format(LONGEST_DOCUMENT, length))

    def _on_attach_clicked(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Attach files")
        if names:
            self.files_chosen.emit([Path(name) for name in names])

    def _refresh(self) -> None:
        if self._busy:
            self.send_button.set_icon("stop", "Stop the answer")
        else:
            self.send_button.set_icon("arrow-up", "Send")
        ready = bool(self.parts()) and not self.files.reading
        self.send_button.setEnabled(self._busy or ready)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the one soft shadow of the window, under the card."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        shade = QColor(self._theme.colour("shadow"))
        shade.setAlphaF(_SHADE_DARK if self._theme.dark else _SHADE_LIGHT)
        painter.setBrush(shade)
        box = QRectF(self.card.geometry())
        for spread in range(SHADOW, 0, -1):
            grown = box.adjusted(2 - spread, 6 - spread, spread - 2, spread + 2)
            painter.drawRoundedRect(grown, RADIUS + spread, RADIUS + spread)
