"""What the person said: a soft bubble at the trailing edge."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.domain.conversation import Part, PartOrigin
from app.domain.language.text import shown
from app.gui.chat.cards.message_view import MessageView
from app.gui.chat.intents import Intents
from app.gui.chat.model import ChatTurn
from app.gui.chat.text.style import LINE
from app.gui.chat.text.view import TextView
from app.gui.chat.wording import extent
from app.gui.theme import Theme
from app.gui.widgets import Button, ElidedLabel, IconButton, Label, NoticeLine, hbox, named, vbox
from app.gui.widgets.filling import add, clear

ACTIONS = {
    "copy": ("copy", "Copy"),
    "remember": ("bookmark-simple", "Remember this"),
    "edit": ("pencil-simple", "Edit and ask again"),
}
SAFE = "Your message is safe."
ASIDE = "Not remembered"
ABOUT_ASIDE = "Nothing is learned from this message, and no other conversation recalls it."
WITHOUT = "Answer without it"
_SHARE = 0.8
_LONG, _CUT = 3_000, 1_200
_PAD_X, _PAD_TOP, _PAD_BOTTOM = 14, 7, 11


class AttachedFile(QFrame):
    """The name and size of a text that went with a message; it opens the text."""

    opened = Signal(object)  # the person wants to read it; its Part

    def __init__(self, theme: Theme, part: Part) -> None:
        super().__init__()
        self._part = part
        named(self, "attached_file", f"Attached: {part.name}")
        self.setProperty("surface", "attachment")
        name = ElidedLabel(part.name, "small", "attached_name")
        name.setSizePolicy(name.sizePolicy().Policy.Maximum, name.sizePolicy().verticalPolicy())
        hbox(
            name,
            Label(extent(part), "small", name="attached_size"),
            IconButton(theme, "eye", f"Read {part.name}", "attached_open", then=self._open),
            of=self,
            margins=(10, 2, 4, 2),
            spacing=8,
        )
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open it, wherever it is pressed."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self._open()

    def _open(self) -> None:
        self.opened.emit(self._part)


class PersonView(MessageView):
    """A message of the person's, and what kept it from being answered."""

    def __init__(self, theme: Theme, intents: Intents, turn: ChatTurn) -> None:
        super().__init__(theme, intents, turn, ACTIONS)
        self.setObjectName("person_message")
        self._whole = False
        self._bubble = named(QFrame(), "bubble")
        self._bubble.setProperty("surface", "bubble")
        self.words = TextView("person_text")
        self.words.setParent(self._bubble)
        self.words.link_clicked.connect(intents.follow_link)
        self.more_button = Button(theme, "Show all", "show_all", "link", then=self._on_more_clicked)
        self.failure = NoticeLine(theme, "message_failure", "danger")
        self.failure.close_button.hide()
        self.unanswered = Label("", "small", name="message_unanswered")
        self.retry_button = Button(theme, "Try again", "message_retry", "link")
        self.retry_button.clicked.connect(lambda: intents.retry.emit(self.turn.message.id))
        self.aside = Label(ASIDE, "small", name="message_aside")
        self.aside.setToolTip(ABOUT_ASIDE)
        self._note = named(QWidget(), "message_note")
        self.damaged = Label("", "small", wrap=True, name="message_damaged")
        self._files = QVBoxLayout()
        self._lay_out()
        self.show_turn(turn)

    def _lay_out(self) -> None:
        vbox(
            self.words,
            self.more_button,
            of=self._bubble,
            margins=(_PAD_X, _PAD_TOP, _PAD_X, _PAD_BOTTOM),
            spacing=2,
        )
        self._files.setContentsMargins(0, 0, 0, 0)
        self._files.setSpacing(4)
        trailing = Qt.AlignmentFlag.AlignRight
        self.column.addLayout(self._files)
        self.column.addWidget(self._bubble, 0, trailing)
        self.column.addWidget(self.aside, 0, trailing)
        self.column.addWidget(self.foot, 0, trailing)
        self.column.addWidget(self.damaged)
        self.column.addWidget(self._note, 0, trailing)
        self.column.addWidget(self.failure)
        hbox(self.unanswered, self.retry_button, of=self._note, margins=0, spacing=10)

    def show_turn(self, turn: ChatTurn) -> None:
        """Show another state of the message."""
        same = self.turn is not turn and self.turn.message == turn.message
        self.turn = turn
        if not same:
            self._show_files()
            self._write()
        self.aside.setVisible(turn.message.aside and not turn.message.damaged)
        total, number = turn.message.siblings
        self.foot.branches.show_version(number, total)
        self.damaged.setText(" ".join(turn.notices))
        self.damaged.setVisible(bool(turn.notices))
        self.unanswered.setText(turn.unanswered)
        self._note.setVisible(bool(turn.unanswered))
        if turn.failure:
            intent = self._intents.answer_without if turn.too_large else self._intents.retry
            again = partial(intent.emit, turn.message.id)
            title = WITHOUT if turn.too_large else "Try again"
            self.failure.say(f"{turn.failure} {SAFE}", title, again)
            self.failure.fit(self._width)
        else:
            self.failure.hide()

    def _show_files(self) -> None:
        clear(self._files)
        for part in self.turn.message.parts:
            if part.name:
                file = AttachedFile(self._theme, part)
                file.opened.connect(self._on_file_opened)
                add(self._files, file, Qt.AlignmentFlag.AlignRight)
        self._files.setContentsMargins(0, 0, 0, 6 if self._files.count() else 0)

    def _on_file_opened(self, part: Part) -> None:
        self._intents.open_file.emit(part, self.turn.message.conversation_id)

    def _written(self) -> list[Part]:
        return [part for part in self.turn.message.parts if not part.name]

    def _write(self) -> None:
        """Put the words into the bubble; what was pasted has a tint."""
        room = _LONG if self._whole else _CUT
        long = sum(len(part.text) for part in self._written()) > _LONG and not self._whole
        document = self.words.document()
        document.clear()
        document.setDefaultFont(self._theme.font("body"))
        cursor = QTextCursor(document)
        form = QTextBlockFormat()
        form.setLineHeight(
            self._theme.px(LINE), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        )
        cursor.setBlockFormat(form)
        for part in self._written():
            text = shown(part.text[:room] if long else part.text)
            cursor.insertText(text, self._format(part.origin is PartOrigin.PASTED))
            room -= len(text)
        if long:
            cursor.insertText(" …", self._format(False))
        self.more_button.setVisible(long)
        self._bubble.setVisible(bool(self._written()))
        self.words.setAccessibleName(self.turn.message.text)
        self.setAccessibleName(f"You: {self.turn.message.text[:_CUT]}")
        if self._width:
            self.fit(self._width)

    def _format(self, pasted: bool) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(self._theme.colour("text"))
        if pasted:
            made.setBackground(self._theme.colour("accent-soft"))
            made.setToolTip("Pasted: not learned from")
        return made

    def _on_more_clicked(self) -> None:
        self._whole = True
        self._write()

    def fit(self, width: int) -> None:
        """Be this wide; the bubble is as wide as its words, within limits."""
        self._width = width
        self.setFixedWidth(width)
        self.failure.fit(width)
        most = round(width * _SHARE) - 2 * _PAD_X
        self.words.document().setTextWidth(-1)
        self.words.fit(max(1, min(most, self.words.natural_width())))
        self._bubble.setFixedWidth(
            max(self.words.width(), self.more_button.isVisibleTo(self) * 80) + 2 * _PAD_X
        )

    def selected_text(self) -> str:
        """Return what is selected in it."""
        return self.words.selected_text()

    def plain_text(self) -> str:
        """Return its words, without what was attached."""
        return "".join(part.text for part in self._written())

    def menu_lines(self) -> list[tuple[str, str]]:
        """Return name and title of every line of its menu."""
        lines = [line for line in super().menu_lines() if line[0] != "copy_markdown"]
        return [*lines, ("edit", "Edit and ask again")]
