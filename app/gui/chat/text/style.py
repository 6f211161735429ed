"""How runs and blocks look in a text document: fonts, colours and distances from the theme."""

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextOption,
)

from app.gui.chat.text.blocks import Block, BlockKind, TextRun
from app.gui.theme import Theme
from app.gui.widgets import tip

INDENT = 20
"""Pixels by which a list is set in, at the usual text size."""

LINE = 22
CITATION = "cite:"
"""Scheme of the address under a citation's number."""

MODELS = "loci:models"
"""The address of the models screen; it leads nowhere outside Loci."""

_HEADINGS = {1: 18.0, 2: 16.0, 3: 15.0}


class TextStyle:
    """Turns runs and blocks into Qt's formats; cheap to make, made anew for each theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.body = theme.font("body")
        self.mono = theme.font("mono")
        self._made: dict[tuple[bool | int | str, ...], QTextCharFormat] = {}

    def characters(self, run: TextRun, block: Block | None = None) -> QTextCharFormat:
        """Return the format of one run."""
        level = block.level if block else 0
        looks = (run.bold, run.italic, run.strike, run.code, run.href, run.cite, level)
        if looks not in self._made:
            self._made[looks] = self._characters(run, block)
        return self._made[looks]

    def _characters(self, run: TextRun, block: Block | None) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._font(run, block))
        made.setForeground(self.theme.colour("text"))
        if run.code:
            made.setBackground(self.theme.colour("hover"))
        if run.cite:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
            made.setForeground(self.theme.colour("accent"))
            made.setAnchor(True)
            made.setAnchorHref(f"{CITATION}{run.cite}")
        elif run.href:
            made.setForeground(self.theme.colour("accent"))
            made.setFontUnderline(True)
            made.setAnchor(True)
            made.setAnchorHref(run.href)
            made.setToolTip("Choose who answers" if run.href == MODELS else tip(run.href))
        return made

    def _font(self, run: TextRun, block: Block | None) -> QFont:
        font = QFont(self.mono if run.code else self.body)
        font.setItalic(run.italic)
        font.setStrikeOut(run.strike)
        if block is not None and block.kind is BlockKind.HEADING:
            font.setPixelSize(self.theme.px(_HEADINGS.get(block.level, 14.0)))
            font.setWeight(QFont.Weight.DemiBold)
        elif run.bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def paragraph(self, block: Block, gap: int) -> QTextBlockFormat:
        """Return the format of a paragraph that stands ``gap`` pixels below the one before."""
        made = QTextBlockFormat()
        made.setTopMargin(gap)
        made.setLineHeight(
            self.theme.px(LINE), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        )
        if block.depth:
            indent = self.theme.px(INDENT)
            made.setLeftMargin(block.depth * indent)
            if block.marker:
                hang = indent if len(block.marker) < 3 else round(indent * len(block.marker) / 2.2)
                made.setLeftMargin(block.depth * indent + hang - indent)
                made.setTextIndent(-hang)
                stop = QTextOption.Tab(hang, QTextOption.TabType.LeftTab)
                made.setTabPositions([stop])
        if block.kind is BlockKind.HEADING:
            made.setHeadingLevel(block.level)
        return made

    def gap(self, before: Block | None, block: Block) -> int:
        """Return the distance between two blocks, in pixels."""
        if before is None:
            return 0
        if block.kind is BlockKind.HEADING:
            return self.theme.px(18)
        if block.tight:
            return 0
        if before.kind is BlockKind.HEADING or (block.marker and not before.depth):
            return self.theme.px(6)
        return self.theme.px(10)


def alignment(name: str) -> Qt.AlignmentFlag:
    """Return the alignment of a table's column by its Markdown name."""
    return {
        "right": Qt.AlignmentFlag.AlignRight,
        "center": Qt.AlignmentFlag.AlignHCenter,
    }.get(name, Qt.AlignmentFlag.AlignLeft)
