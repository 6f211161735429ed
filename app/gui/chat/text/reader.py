"""Reads Markdown piece by piece: a text that grows while it streams, or a long one from the vault.

Each step costs milliseconds, whatever the length, and only the last block is ever read again. A
block too long for one step is torn where the rest can be read by itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from app.gui.chat.text.blocks import Block, BlockKind
from app.gui.chat.text.markdown import flattened, parser

if TYPE_CHECKING:
    from markdown_it.token import Token

SLICE_CHARS = 1_000
"""How much is read in one step: a few milliseconds."""

_LONGEST, _LONGEST_TABLE = 8_000, 4_000
"""How much is read to keep a block in one piece; beyond that it is torn."""

_MOST_CELLS = 120
_LEAST = 200


class BlockReader:
    """Reads a text that grows, and says which blocks are finished.

    Attributes:
        source: Everything fed so far.
        finished: Whether the text is complete.
    """

    def __init__(self, citations: int = 0) -> None:
        self.source = ""
        self.finished = False
        self._citations = citations
        self._at = 0
        self._env: dict[str, Any] = {}
        self._rest = _Rest()

    def feed(self, text: str) -> None:
        """Add text at the end."""
        self.source += text

    @property
    def pending(self) -> bool:
        """Whether another step is sure to finish something."""
        left = len(self.source) - self._at
        return left > 0 and (self.finished or left > SLICE_CHARS)

    def step(self) -> tuple[list[Block], list[Block]]:
        """Read on a little; return the blocks now finished, and the open ones after them.

        Whoever calls draws the finished ones for good and the open ones anew each time.
        """
        window, tokens, cut = self._parse()
        last = self._at + len(window) == len(self.source)
        placed = self._placed(tokens)
        if (last and self.finished) or (not last and not cut.token):
            self._at += len(window)
            self._rest = _rest_of(tokens, window, self._rest)
            return [block for _, block in placed], []
        if cut.token:
            lines = cut.line - self._rest.head.count("\n")
            self._at += len("".join(window.splitlines(keepends=True)[:lines]))
            self._rest = _Rest(tight=cut.tight)
        done = [block for at, block in placed if at < cut.token]
        return done, [block for at, block in placed if at >= cut.token] if last else []

    def _parse(self) -> "tuple[str, list[Token], _Cut]":
        """Read as much as holds a whole block, within limits."""
        size = SLICE_CHARS
        while True:
            window = self._window(size)
            tokens = parser().parse(self._rest.head + window, self._env)
            cut = _cut(tokens)
            cells = _cells(tokens)
            if cells > 2 * _MOST_CELLS and size > _LEAST:
                size = max(_LEAST, size * _MOST_CELLS // cells)
                continue
            whole = self._at + len(window) == len(self.source)
            if whole or cut.token or size >= _longest(tokens, window):
                return window, tokens, cut
            size *= 2

    def _window(self, size: int) -> str:
        end = self._at + size
        if end >= len(self.source):
            return self.source[self._at :]
        newline = self.source.rfind("\n", self._at, end)
        if newline < 0:
            newline = self.source.find("\n", end, end + _LONGEST)
        return self.source[self._at : newline + 1 if newline >= 0 else end]

    def _placed(self, tokens: "Sequence[Token]") -> list[tuple[int, Block]]:
        """Return the blocks with the tokens they begin at; the first may be a rest."""
        placed = list(flattened(tokens, self._citations))
        if not placed:
            return []
        at, first = placed[0]
        if self._rest.code and first.kind is BlockKind.CODE:
            placed[0] = (at, replace(first, text="\n" + first.text, continues=True))
        elif self._rest.tight:
            placed[0] = (at, replace(first, tight=True))
        elif self._rest.head and first.kind is BlockKind.TABLE and len(first.rows) == 1:
            del placed[0]
        return placed


class _Cut(NamedTuple):
    """Where the last block, still open, begins: among the tokens and among the lines.

    Attributes:
        tight: Whether it is an item of a list without gaps.
    """

    token: int
    line: int
    tight: bool = False


class _Rest(NamedTuple):
    """What the text read next is the rest of, where a long block had to be torn.

    Attributes:
        head: The lines that make it readable by itself: those above code or a table's rows.
        code: Whether it is code.
        tight: Whether it is the next item of a list without gaps.
    """

    head: str = ""
    code: bool = False
    tight: bool = False


def _cut(tokens: "Sequence[Token]") -> _Cut:
    """Find the last block; of a list, its last item."""
    starts = [i for i, t in enumerate(tokens) if t.level == 0 and t.map and t.nesting >= 0]
    if not starts:
        return _Cut(0, 0)
    at = starts[-1]
    if tokens[at].type.endswith("list_open"):
        items = [i for i in range(at, len(tokens)) if _is_outer_item(tokens[i])]
        if len(items) > 1:
            first = tokens[items[0] + 1]
            tight = first.hidden or first.type != "paragraph_open"
            return _Cut(items[-1], _line_of(tokens[items[-1]]), tight)
    return _Cut(at, _line_of(tokens[at]))


def _rest_of(tokens: "Sequence[Token]", window: str, before: _Rest) -> _Rest:
    """Say how to read on after a block was torn at the end of ``window``."""
    first = tokens[0] if tokens else None
    if first and first.type == "fence":
        return _Rest(f"{first.markup}{first.info}\n", code=True)
    if first and first.type == "table_open":
        return _Rest(before.head or "".join(window.splitlines(keepends=True)[:2]))
    return _Rest()


def _longest(tokens: "Sequence[Token]", window: str) -> int:
    """Return how much to read at most, for a block that begins like this."""
    first = tokens[0].type if tokens else "fence"
    if first == "fence" or (first == "paragraph_open" and " " not in window):
        return 0
    if first == "table_open":
        return 0 if _cells(tokens) >= _MOST_CELLS else _LONGEST_TABLE
    return _LONGEST


def _cells(tokens: "Sequence[Token]") -> int:
    if not tokens or tokens[0].type != "table_open":
        return 0
    return sum(token.type == "td_open" for token in tokens)


def _is_outer_item(token: "Token") -> bool:
    return token.type == "list_item_open" and token.level == 1


def _line_of(token: "Token") -> int:
    return token.map[0] if token.map else 0
