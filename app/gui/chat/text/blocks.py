"""Blocks of styled runs: what an answer says, before any widget draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CODE = "code"
    TABLE = "table"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of text in one style.

    Attributes:
        href: Where it leads, for links; always http, https or mailto.
        cite: The number of the memory it refers to, or 0.
    """

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    href: str = ""
    cite: int = 0

    def saying(self, text: str, *, href: str = "", cite: int = 0, code: bool = False) -> "TextRun":
        """Return other words in the same style."""
        return TextRun(
            text, self.bold, self.italic, self.strike, code, href or self.href, cite or self.cite
        )


Cell = tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, piece of code, table or rule.

    Attributes:
        level: Of a heading, 1 to 6.
        depth: How many lists it lies in.
        marker: What stands before it ("•", "3."): only on the first block of a list item.
        quote: How many quotations it lies in.
        tight: Whether it follows its predecessor closely, as the items of a plain list do.
        language: Of code, as the author named it.
        rows: Of a table; the first row is its head.
        aligns: Of a table's columns: "left", "right", "center" or "".
        continues: Whether its text goes on right where the code block before it ended.
    """

    kind: BlockKind
    runs: tuple[TextRun, ...] = ()
    level: int = 0
    depth: int = 0
    marker: str = ""
    quote: int = 0
    tight: bool = False
    text: str = ""
    language: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    aligns: tuple[str, ...] = ()
    continues: bool = False

    @property
    def plain(self) -> str:
        """Its words without any style."""
        if self.kind is BlockKind.CODE:
            return self.text
        if self.kind is BlockKind.TABLE:
            return "\n".join("\t".join(words(cell) for cell in row) for row in self.rows)
        return words(self.runs)


def words(runs: Sequence[TextRun]) -> str:
    """Return the bare text of ``runs``."""
    return "".join(run.text for run in runs)
