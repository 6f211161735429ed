"""The text of something that went with a message, page by page, to be read and copied."""

from collections.abc import Sequence

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.domain.conversation import Part
from app.domain.language.text import shown
from app.gui.chat.wording import extent
from app.gui.dialogs import Sheet
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, hbox, named

SHOWN = 300_000
"""Characters that are shown at once."""

LOADING = "Loading…"
OUTSIDE = "It is not learned from."
_WIDTH, _HEIGHT = 680, 560

Pages = Sequence[tuple[int, str]]


class DocumentSheet(Sheet):
    """Shows a document; of a very long one so much at once as a window can hold."""

    def __init__(self, theme: Theme, parent: QWidget, part: Part) -> None:
        super().__init__(theme, parent, part.name, "document_sheet")
        self._part = part
        self._stretches: list[Pages] = []
        self._at = 0
        self.about = Label(f"{extent(part)}. {OUTSIDE}", "secondary", name="document_about")
        self.text = named(QPlainTextEdit(), "document_text", f"Text of {part.name}")
        self.text.setReadOnly(True)
        self.text.setPlainText(LOADING)
        self.before = Button(theme, "Earlier pages", "document_before", then=lambda: self._go(-1))
        self.after = Button(theme, "Later pages", "document_after", then=lambda: self._go(1))
        self.where = Label("", "secondary", name="document_where")
        self._turning = named(QWidget(), "document_turning")
        hbox(self.before, self.where, ..., self.after, of=self._turning, margins=0, spacing=10)
        for widget in (self.about, self.text, self._turning):
            self.body.addWidget(widget)
        self._turning.hide()
        self.resize(_WIDTH, _HEIGHT)

    def show_pages(self, pages: Pages) -> None:
        """Show what stands on its pages."""
        self._stretches = _cut(pages)
        self._turning.setVisible(len(self._stretches) > 1)
        self._go(0)

    def show_failure(self, sentence: str) -> None:
        """Say why it cannot be shown."""
        self.text.setPlainText("")
        self.errors.say(sentence)

    def _go(self, step: int) -> None:
        self._at = max(0, min(self._at + step, len(self._stretches) - 1))
        pages = self._stretches[self._at] if self._stretches else ()
        self.text.setPlainText(shown("\n".join(map(self._worded, pages))))
        self.before.setEnabled(self._at > 0)
        self.after.setEnabled(self._at + 1 < len(self._stretches))
        if pages and self._part.document is not None:
            first = self._part.document.place(pages[0][0]).capitalize()
            self.where.setText(f"{first} to {pages[-1][0]:,}")

    def _worded(self, page: tuple[int, str]) -> str:
        number, text = page
        document = self._part.document
        return f"— {document.place(number)} —\n\n{text}" if document is not None else text


def _cut(pages: Pages) -> list[Pages]:
    """Return pages in stretches that a window can hold."""
    found: list[list[tuple[int, str]]] = []
    length = SHOWN
    for page in pages:
        if length + len(page[1]) > SHOWN:
            found.append([])
            length = 0
        found[-1].append(page)
        length += len(page[1])
    return list(found)
