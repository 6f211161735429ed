"""Markdown as flat blocks of styled runs.

Safe by construction: raw HTML comes out as the text it is, pictures come out as their caption, and
only web and mail addresses become links, and the one of the models screen.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from app.gui.chat.text.blocks import Block, BlockKind, Cell, TextRun
from app.gui.chat.text.style import MODELS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LINKS = ("https://", "http://", "mailto:")
_CITATION = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`]+[^\s<>\"'`.,;:!?)\]}]")
_BREAKING = str.maketrans(dict.fromkeys("\n\r\x0b\x0c\x85\u2029\ufdd0\ufdd1", "\u2028"))


@cache
def parser() -> "MarkdownIt":
    """Return the parser; it is made at the first text, because that takes a while."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = _is_link  # type: ignore[method-assign]
    return parser


def _is_link(url: str) -> bool:
    return url == MODELS or url.strip().lower().startswith(_LINKS)


@dataclass(slots=True)
class _Place:
    """Where in lists and quotes the walk is."""

    counters: list[int | None] = field(default_factory=list)
    quote: int = 0
    marker: str = ""
    tight: bool = False

    def take(self, block: Block) -> Block:
        """Return ``block`` put in its place; the marker goes to the first that asks."""
        if self.counters or self.quote:
            block = replace(
                block,
                depth=len(self.counters),
                marker=self.marker,
                quote=self.quote,
                tight=self.tight,
            )
            self.marker, self.tight = "", False
        return block

    def item(self, token: "Token", tight: bool) -> None:
        """Begin a list item."""
        number = self.counters[-1]
        self.marker = "•" if number is None else f"{number}."
        self.tight = tight
        if number is not None:
            self.counters[-1] = number + 1


def flattened(tokens: "Sequence[Token]", citations: int) -> Iterator[tuple[int, Block]]:
    """Yield the blocks in order, each with the token it begins at."""
    place, i = _Place(), 0
    while i < len(tokens):
        token = tokens[i]
        if token.type == "table_open":
            end = next(j for j in range(i, len(tokens)) if tokens[j].type == "table_close")
            yield i, place.take(_table(tokens[i:end], citations))
            i = end
        else:
            for block in _walked(token, tokens, i, place, citations):
                yield i, block
        i += 1


def _walked(
    token: "Token", tokens: "Sequence[Token]", i: int, place: _Place, citations: int
) -> Iterator[Block]:
    match token.type:
        case "bullet_list_open":
            place.counters.append(None)
        case "ordered_list_open":
            place.counters.append(int(token.attrs.get("start", 1)))
        case "bullet_list_close" | "ordered_list_close":
            place.counters.pop()
        case "list_item_open":
            place.item(token, _follows_closely(tokens, i))
        case "blockquote_open":
            place.quote += 1
        case "blockquote_close":
            place.quote -= 1
        case "inline":
            opener = tokens[i - 1]
            heading = opener.type == "heading_open"
            kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
            level = int(opener.tag[1:]) if heading else 0
            yield place.take(Block(kind, _runs(token, citations), level=level))
        case "fence" | "code_block":
            language = token.info.strip().split(" ")[0]
            text = token.content.removesuffix("\n")
            yield place.take(Block(BlockKind.CODE, text=text, language=language))
        case "hr":
            yield place.take(Block(BlockKind.RULE))


def _follows_closely(tokens: "Sequence[Token]", i: int) -> bool:
    """Whether a list item stands close to what is above: in tight lists, but for the first."""
    first = i + 1 < len(tokens) and tokens[i + 1]
    tight = bool(first and (first.hidden or first.type != "paragraph_open"))
    opens_outer_list = tokens[i - 1].type.endswith("list_open") and tokens[i].level <= 1
    return tight and not opens_outer_list


def _table(tokens: "Sequence[Token]", citations: int) -> Block:
    rows: list[tuple[Cell, ...]] = []
    cells: list[Cell] = []
    aligns: list[str] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(_runs(token, citations))
        elif token.type == "th_open":
            aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "tr_close":
            rows.append(tuple(cells))
            cells = []
    return Block(BlockKind.TABLE, rows=tuple(rows), aligns=tuple(aligns))


def _runs(token: "Token", citations: int) -> tuple[TextRun, ...]:
    style, found = TextRun(""), list[TextRun]()
    for child in token.children or ():
        match child.type:
            case "text":
                found += _linked(style, child.content, citations)
            case "code_inline":
                found.append(style.saying(_line(child.content), code=True))
            case "softbreak" | "hardbreak":
                found.append(style.saying("\u2028"))
            case "image":
                caption = _line(child.content) or "picture"
                source = str(child.attrs.get("src", ""))
                found.append(replace(style, text=f"[{caption}]", italic=True, href=source))
            case _:
                style = _styled(style, child)
    return tuple(found)


def _styled(style: TextRun, child: "Token") -> TextRun:
    on = child.nesting > 0
    match child.tag:
        case "strong":
            return replace(style, bold=on)
        case "em":
            return replace(style, italic=on)
        case "s":
            return replace(style, strike=on)
        case "a":
            return replace(style, href=str(child.attrs.get("href", "")) if on else "")
    return style


def _linked(style: TextRun, text: str, citations: int) -> Iterator[TextRun]:
    """Split a text at bare addresses and at marks that refer to memories."""
    at = 0
    if not style.href and "://" in text:
        for match in _ADDRESS.finditer(text):
            yield from _cited(style, text[at : match.start()], citations)
            yield style.saying(match[0], href=match[0])
            at = match.end()
    yield from _cited(style, text[at:], citations)


def _cited(style: TextRun, text: str, citations: int) -> Iterator[TextRun]:
    at = 0
    if citations and not style.href and "[" in text:
        for match in _CITATION.finditer(text):
            numbers = [int(n) for n in match[1].split(",")]
            if not all(1 <= n <= citations for n in numbers):
                continue
            if before := text[at : match.start()].rstrip(" "):
                yield style.saying(_line(before))
            for position, number in enumerate(numbers):
                yield style.saying(f"{', ' if position else ''}{number}", cite=number)
            at = match.end()
    if rest := text[at:]:
        yield style.saying(_line(rest))


def _line(text: str) -> str:
    return text.translate(_BREAKING)
