"""Cut a long message to the passage that answers, so that a page does not fill a prompt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.language.text import stem
from app.domain.provenance import Passage
from app.domain.recall import Hit, HitKind, changed
from app.memory.recall.pipeline import QueryContext
from app.memory.text import query

_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+|\n+|$)\s*")


@dataclass(frozen=True, slots=True)
class Excerpts:
    """Cuts long messages to the passage that has most of the question's words."""

    characters: int
    name: str = "excerpts"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, long messages cut."""
        return [
            _cut(hit, context.text, self.characters)
            if hit.kind is HitKind.MESSAGE and len(hit.text) > self.characters
            else hit
            for hit in hits
        ]


def _cut(hit: Hit, question: str, characters: int) -> Hit:
    """Return a message cut to what is nearest to the question; its passages are cut along."""
    start, stop = _nearest(hit.text, question, characters)
    kept, at = list[Passage](), 0
    for passage in hit.passages:
        first, last = max(start - at, 0), min(stop - at, len(passage.text))
        if first < last and (text := _marked(passage.text, first, last)).strip("… \n"):
            kept.append(replace(passage, text=text))
        at += len(passage.text)
    text = _marked(hit.text, start, stop)
    if hit.passages and not kept:  # never the person's own for want of words
        kept = [replace(max(hit.passages, key=lambda one: bool(one.whence)), text=text)]
    return changed(hit, text=text, passages=tuple(kept))


def excerpt(text: str, question: str, characters: int) -> str:
    """Return at most ``characters`` of ``text``, around the sentence nearest to the question."""
    if len(text) <= characters:
        return text
    return _marked(text, *_nearest(text, question, characters))


def _nearest(text: str, question: str, characters: int) -> tuple[int, int]:
    """Return where so much of a text stands, around the sentence nearest to the question."""
    wanted = {stem(word) for word in query.words(question)}
    pieces = [found for found in _SENTENCE.finditer(text) if found[0].strip()]
    best = max(pieces, key=lambda found: len(wanted & query.stems(found[0])))
    room = max(0, characters - 2 - len(best[0].strip()))
    start = max(0, best.start() - room // 3)
    stop = min(len(text), start + characters - 2)
    start = max(0, min(start, stop - characters + 2))
    return _trimmed(text, start, stop)


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return the ends of a slice without the half words there."""
    if start > 0 and (space := re.search(r"\s", text[start : start + 40])):
        start += space.end()
    if stop < len(text) and (spaces := re.search(r"\s\S*$", text[stop - 40 : stop])):
        stop = stop - 40 + spaces.start() if stop >= 40 else stop
    return start, stop


def _marked(text: str, start: int, stop: int) -> str:
    """Return a slice, with an ellipsis where something is cut."""
    head, tail = "…" if start > 0 else "", "…" if stop < len(text) else ""
    return f"{head}{text[start:stop].strip()}{tail}"
