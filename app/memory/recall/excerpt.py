"""Cut a long message to the passage that answers, so that a page does not fill a prompt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.recall import Hit, HitKind, changed
from app.domain.text import stem
from app.memory.recall import query
from app.memory.recall.pipeline import Cue

_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+|\n+|$)\s*")


@dataclass(frozen=True, slots=True)
class Excerpts:
    """Cuts long messages to the passage that has most of the question's words."""

    characters: int
    name: str = "excerpts"

    def __call__(self, cue: Cue, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, long messages cut."""
        return [
            changed(hit, text=excerpt(hit.text, cue.text, self.characters))
            if hit.kind is HitKind.MESSAGE and len(hit.text) > self.characters
            else hit
            for hit in hits
        ]


def excerpt(text: str, question: str, characters: int) -> str:
    """Return at most ``characters`` of ``text``, around the sentence nearest to the question."""
    if len(text) <= characters:
        return text
    wanted = {stem(word) for word in query.words(question)}
    pieces = [found for found in _SENTENCE.finditer(text) if found[0].strip()]
    best = max(pieces, key=lambda found: len(wanted & query.stems(found[0])))
    room = max(0, characters - 2 - len(best[0].strip()))
    start = max(0, best.start() - room // 3)
    stop = min(len(text), start + characters - 2)
    start = max(0, min(start, stop - characters + 2))
    return _trimmed(text, start, stop)


def _trimmed(text: str, start: int, stop: int) -> str:
    """Return a slice without the half words at its ends, an ellipsis where something is cut."""
    if start > 0 and (space := re.search(r"\s", text[start : start + 40])):
        start += space.end()
    if stop < len(text) and (spaces := re.search(r"\s\S*$", text[stop - 40 : stop])):
        stop = stop - 40 + spaces.start() if stop >= 40 else stop
    head, tail = "…" if start > 0 else "", "…" if stop < len(text) else ""
    return f"{head}{text[start:stop].strip()}{tail}"
