"""The field a message is written in; it knows which words were typed and which were pasted."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QRect, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
)
from PySide6.QtWidgets import QTextEdit, QToolTip

from app.domain.conversation import Part, PartOrigin
from app.domain.limits import LONGEST_DOCUMENT
from app.gui.chat.composer import drafts
from app.gui.dropping import model_file
from app.gui.theme import Theme
from app.gui.widgets import named

MOST_LINES = 8
LINE = 22
LONG_PASTE = 6_000
"""A pasted text of more characters becomes a chip instead of filling the field."""

PASTED = int(QTextFormat.Property.UserProperty) + 1
_PASTED_TIP = "Pasted: not learned from"


class ComposerText(QTextEdit):
    """A plain text field that grows with what is written."""

    sent = Signal()  # enter was pressed
    edited = Signal()  # the text changed, by whomever
    long_pasted = Signal(str)  # a long text was pasted, and left out
    too_long_pasted = Signal(int)  # a text was pasted that is too long for a message; its length
    files_dropped = Signal(object)  # files were pasted or dropped; their paths
    last_wanted = Signal()  # the person wants to edit the last message

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "composer_text", "Message")
        self.setProperty("composer", "true")
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._grow())
        self.textChanged.connect(self._on_text_changed)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    # What was written.

    def parts(self) -> list[Part]:
        """Return the text as runs of typed and pasted words."""
        runs: list[tuple[str, bool]] = []
        for fragment in _fragments(self.document()):
            if fragment is None:
                _join(runs, "\n", bool(runs and runs[-1][1]))
            else:
                text = fragment.text().replace("\u2028", "\n")
                _join(runs, text, _is_pasted(fragment.charFormat()))
        origins = {True: PartOrigin.PASTED, False: PartOrigin.TYPED}
        return [Part(text, origins[pasted]) for text, pasted in runs if text]

    def set_parts(self, parts: Sequence[Part]) -> None:
        """Show these words, keeping apart what was pasted."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setBlockFormat(self._block_format())
        for part in parts:
            cursor.insertText(part.text, self._format(part.origin is PartOrigin.PASTED))
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.document().clearUndoRedoStacks()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste or drop: text is marked as not typed, files are offered as attachments."""
        paths = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        if paths:
            self.files_dropped.emit(paths)
            return
        text = source.text()
        if len(text) > LONGEST_DOCUMENT:
            self.too_long_pasted.emit(len(text))
            return
        text = drafts.clean(text)
        if len(text) > LONG_PASTE:
            self.long_pasted.emit(text)
        elif text:
            self.textCursor().insertText(text, self._format(True))
            self.ensureCursorVisible()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take text and files; a model file that is dropped is the window's."""
        return model_file(source) is None and (source.hasText() or source.hasUrls())

    # What is typed is typed, also beside or over pasted words.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send with Enter, begin a line with Shift+Enter, fetch the last message with Ctrl+Up."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Up and control:
            self.last_wanted.emit()
        else:
            if event.text() and not control:
                self._type_plainly()
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Take what an input method composes as typed."""
        if event.commitString():
            self._type_plainly()
        super().inputMethodEvent(event)

    def _type_plainly(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection():
            cursor.removeSelectedText()
            self.setTextCursor(cursor)
        if _is_pasted(cursor.charFormat()):
            self.setCurrentCharFormat(self._format(False))

    # How it looks.

    def event(self, event: QEvent) -> bool:
        """Say of pasted words that they are not learnt from."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cursor = self.cursorForPosition(self.viewport().mapFrom(self, event.pos()))
            told = _PASTED_TIP if _is_pasted(cursor.charFormat()) else ""
            QToolTip.showText(event.globalPos(), told, self, QRect())
            return True
        return super().event(event)

    def _on_text_changed(self) -> None:
        self._tint()
        self.edited.emit()

    def _on_theme_changed(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        self.document().setDefaultFont(self._theme.font("body"))
        cursor.setBlockFormat(self._block_format())
        self._tint()
        self._grow()

    def _tint(self) -> None:
        """Lay a tint under pasted words."""
        found: list[QTextEdit.ExtraSelection] = []
        for fragment in _fragments(self.document()):
            if fragment is not None and _is_pasted(fragment.charFormat()):
                tinted = QTextEdit.ExtraSelection()
                tinted.cursor = QTextCursor(self.document())
                tinted.cursor.setPosition(fragment.position())
                end = fragment.position() + fragment.length()
                tinted.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                tinted.format.setBackground(self._theme.colour("accent-soft"))
                found.append(tinted)
        self.setExtraSelections(found)

    def _grow(self) -> None:
        line = self._theme.px(LINE)
        wanted = round(self.document().size().height())
        most = MOST_LINES * line
        self.setFixedHeight(max(line, min(wanted, most)) + 2)
        policy = Qt.ScrollBarPolicy
        too_tall = wanted > most + 1
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if too_tall else policy.ScrollBarAlwaysOff
        )

    def _block_format(self) -> QTextBlockFormat:
        """Return a format whose first line stands where the placeholder does."""
        made = QTextBlockFormat()
        between = self._theme.px(LINE) - QFontMetrics(self._theme.font("body")).height()
        distance = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value
        made.setLineHeight(max(0, between), distance)
        return made

    @staticmethod
    def _format(pasted: bool) -> QTextCharFormat:
        made = QTextCharFormat()
        if pasted:
            made.setProperty(PASTED, True)
        return made


def _is_pasted(form: QTextCharFormat) -> bool:
    return bool(form.property(PASTED))


def _fragments(document: QTextDocument) -> Iterator[QTextFragment | None]:
    """Yield every stretch of one format, and None for each line break."""
    block = document.firstBlock()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            yield iterator.fragment()
            iterator += 1
        block = block.next()
        if block.isValid():
            yield None


def _join(runs: list[tuple[str, bool]], text: str, pasted: bool) -> None:
    if runs and runs[-1][1] == pasted:
        runs[-1] = (runs[-1][0] + text, pasted)
    else:
        runs.append((text, pasted))
