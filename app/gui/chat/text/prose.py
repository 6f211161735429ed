"""Draws paragraphs, headings, lists and tables into text views."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextFrameFormat, QTextTableFormat

from app.domain.language.text import shown
from app.gui.chat.text.blocks import Block, TextRun
from app.gui.chat.text.style import TextStyle, alignment
from app.gui.chat.text.view import TextView

FULL = 6_000
"""Characters after which another view is begun, so that each stays quick to lay out."""


class Prose(TextView):
    """Paragraphs, headings and lists; the last ones may still be open and are drawn anew."""

    def __init__(self, style: TextStyle) -> None:
        super().__init__("answer_text")
        self.setAccessibleName("Text of the answer")
        self._style = style
        self._closed_end = 0
        self._closed_last: Block | None = None

    @property
    def full(self) -> bool:
        """Whether more should go into another view."""
        return self._closed_end > FULL

    def draw(self, done: Sequence[Block], still_open: Sequence[Block]) -> None:
        """Add finished blocks for good, and show the open ones after them."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(self._closed_end)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self._closed_last = self._append(cursor, done, self._closed_last)
        self._closed_end = cursor.position()
        self._append(cursor, still_open, self._closed_last)
        cursor.endEditBlock()
        self.refit()

    def _append(
        self, cursor: QTextCursor, blocks: Sequence[Block], last: Block | None
    ) -> Block | None:
        for block in blocks:
            gap = self._style.gap(last, block)
            form = self._style.paragraph(block, gap)
            if last is None:
                cursor.setBlockFormat(form)
            else:
                cursor.insertBlock(form)
            if block.marker:
                cursor.insertText(
                    f"{shown(block.marker)}\t", self._style.characters(TextRun(""), block)
                )
            insert_runs(cursor, self._style, block, block.runs)
            last = block
        return last


class Table(TextView):
    """A table with lines between its rows."""

    def __init__(self, style: TextStyle) -> None:
        super().__init__("answer_table")
        self.setAccessibleName("Table in the answer")
        self._style = style

    def draw(self, block: Block) -> None:
        """Show the table."""
        self.clear()
        columns = max(len(row) for row in block.rows)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        table = cursor.insertTable(len(block.rows), columns, self._format())
        for y, row in enumerate(block.rows):
            for x, runs in enumerate(row):
                cell = table.cellAt(y, x)
                form = cell.format().toTableCellFormat()
                form.setBottomBorder(1)
                form.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                form.setBottomBorderBrush(self._style.theme.colour("border"))
                form.setTopPadding(5)
                form.setBottomPadding(5)
                form.setRightPadding(16)
                cell.setFormat(form)
                inside = cell.firstCursorPosition()
                shape = QTextBlockFormat()
                shape.setAlignment(alignment(block.aligns[x] if x < len(block.aligns) else ""))
                inside.setBlockFormat(shape)
                head = tuple(_emboldened(run) for run in runs) if y == 0 else runs
                insert_runs(inside, self._style, block, head)
        cursor.endEditBlock()
        self.refit()

    def _format(self) -> QTextTableFormat:
        form = QTextTableFormat()
        form.setBorder(0)
        form.setCellSpacing(0)
        form.setCellPadding(0)
        form.setBorderCollapse(True)
        return form


def insert_runs(
    cursor: QTextCursor, style: TextStyle, block: Block, runs: Sequence[TextRun]
) -> None:
    """Write runs at the cursor."""
    for run in runs:
        cursor.insertText(shown(run.text), style.characters(run, block))


def _emboldened(run: TextRun) -> TextRun:
    return replace(run, bold=True)
