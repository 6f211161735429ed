"""Text as rich text: the words of a quote that carried the memory, and what an edit changed.

Pure functions over strings; everything that came from outside is escaped.
"""

import difflib
import re
from html import escape
from itertools import pairwise

from app.domain.language.text import stem

_WORD = re.compile(r"\w+", re.UNICODE)
_PIECE = re.compile(r"\s+|\w+|[^\w\s]", re.UNICODE)
_SMALL = frozenset(
    _WORD.findall(
        "a an and are as at be but by for from has have i in is it its me my of on or our she he "
        "so that the their them they this to was we were with you your"
    )
)
_QUOTE_LENGTH = 280
_ALIKE = 0.5


def quote_html(quote: str, memory_text: str) -> str:
    """Return a quote, cut around what matters, with the words of the memory in bold."""
    pieces = _marked(quote, memory_text)
    cut = _around_first_mark(pieces)
    return "".join(f"<b>{escape(text)}</b>" if bold else escape(text) for text, bold in cut)


def diff_html(before: str, after: str, removed: str, added: str) -> str:
    """Return one line in which words that went are struck and words that came are bold.

    Colours are written ``#rrggbb``.
    """
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    if difflib.SequenceMatcher(None, old, new, False).ratio() < _ALIKE:
        return f'<s style="color:{removed}">{escape(before)}</s><br>{escape(after)}'
    out = []
    for gone, come in _changes(old, new):
        if gone == come:
            out.append(escape(gone))
            continue
        parts = [f'<s style="color:{removed}">{escape(gone.strip())}</s>'] if gone.strip() else []
        parts += [f'<b style="color:{added}">{escape(come.strip())}</b>'] if come.strip() else []
        edge = come or gone
        lead, tail = edge[:1].isspace(), edge[-1:].isspace() and edge.strip()
        out.append(f"{' ' if lead else ''}{' '.join(parts)}{' ' if tail else ''}")
    return "".join(out)


def _changes(old: list[str], new: list[str]) -> list[tuple[str, str]]:
    """Return runs of old and new text; two changes with only a space between them are one."""
    runs: list[tuple[str, str]] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        run = "".join(old[i1:i2]), "".join(new[j1:j2])
        bridge = len(runs) > 1 and not runs[-1][0].strip() and runs[-1][0] == runs[-1][1]
        if tag != "equal" and bridge:
            space, (gone, come) = runs.pop()[0], runs.pop()
            runs.append((gone + space + run[0], come + space + run[1]))
        else:
            runs.append(run)
    return runs


def _marked(quote: str, memory_text: str) -> list[tuple[str, bool]]:
    """Split a quote into runs; a small word is bold only between two words that match."""
    wanted = {stem(word.casefold()) for word in _WORD.findall(memory_text)}
    pieces = _PIECE.findall(quote)
    strong = [_matches(piece, wanted, small=False) for piece in pieces]
    bold = list(strong)
    marks = [at for at, matched in enumerate(strong) if matched]
    for left, right in pairwise(marks):
        between = range(left + 1, right)
        if all(pieces[at].isspace() or _matches(pieces[at], wanted, small=True) for at in between):
            bold[left + 1 : right] = [True] * len(between)
    return _runs(pieces, bold)


def _runs(pieces: list[str], bold: list[bool]) -> list[tuple[str, bool]]:
    runs: list[tuple[str, bool]] = []
    for piece, mark in zip(pieces, bold, strict=True):
        if runs and runs[-1][1] == mark:
            runs[-1] = (runs[-1][0] + piece, mark)
        else:
            runs.append((piece, mark))
    return runs


def _matches(piece: str, wanted: set[str], *, small: bool) -> bool:
    word = piece.casefold()
    return (word in _SMALL) == small and stem(word) in wanted


def _around_first_mark(runs: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    if sum(len(text) for text, _ in runs) <= _QUOTE_LENGTH:
        return runs
    first = next((at for at, (_, bold) in enumerate(runs) if bold), 0)
    lead = "".join(text for text, _ in runs[:first])
    kept = [(_tail(lead, _QUOTE_LENGTH // 3), False)] if lead else []
    room = _QUOTE_LENGTH - sum(len(text) for text, _ in kept)
    for text, bold in runs[first:]:
        if len(text) > room:
            kept.append((text[:room].rstrip() + "…", bold))
            break
        kept.append((text, bold))
        room -= len(text)
    return kept


def _tail(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[-length:]
    return "…" + (cut.split(" ", 1)[1] if " " in cut else cut)
