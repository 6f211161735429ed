"""The trace of one recall, for a terminal of 100 columns."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from unicodedata import east_asian_width

from app.cli.text import day, on_one_line
from app.domain import trace, why
from app.domain.ids import utc_now
from app.domain.language.text import counted, shown
from app.domain.reason import words
from app.domain.recall import Hit, Recall, TraceStep

COLUMNS = 100
_HEAD = "  #  score  date        kind     text"
_INDENT = 12
_LABEL = 10
_STAYS = "\u00a0"


def listed(hit: Hit) -> str:
    """Return a hit as ``recall`` lists it."""
    told = f"  (replaced {_replaced(hit)})" if hit.superseded_by else ""
    return f"{hit.score:.3f}  {day(hit.at)}  {hit.kind:7}  {_by_origin(hit)}{told}"


def _by_origin(hit: Hit) -> str:
    """Return the words of a hit, those that nobody here said with where they come from."""
    told = [f"({one.whence}:) {one.text}" if one.whence else one.text for one in hit.told]
    return on_one_line(" ".join(told))


def as_lines(found: Recall, query: str = "") -> Iterator[str]:
    """Yield a recall as a table: what was found, what was dropped, and the steps."""
    took = f"{found.milliseconds:,.1f} ms"
    if found.hits:
        yield f"Recalled ({counted(len(found.hits), 'hit')}, {took})"
        yield _HEAD
        yield from _rows(found.hits, query)
    else:
        yield f"Nothing relevant is remembered ({took})"
    if found.dropped:
        yield ""
        yield f"Dropped ({trace.part(len(found.dropped), found.lost)})"
        yield _HEAD
        yield from _rows(found.dropped, query)
    yield ""
    yield "Steps" + " " * 28 + "before     after            ms"
    for step in found.steps:
        yield from _step(step)
    for sentence in found.degraded:
        yield ""
        yield from _folded("Degraded", sentence, 0)


def _line(hit: Hit, number: int) -> str:
    """Return a hit on one line of at most 100 columns."""
    head = f"{number:3}  {hit.score:.3f}  {day(hit.at)}  {hit.kind:7}  "
    return head + fitted(on_one_line(hit.text), COLUMNS - len(head))


def _rows(hits: Sequence[Hit], query: str) -> Iterator[str]:
    for number, hit in enumerate(hits, start=1):
        yield _line(hit, number)
        told = [("why", why.sentence(hit, query, utc_now())), *_details(hit)]
        for label, said in told:
            if said:
                yield from _folded(label, said)


def _details(hit: Hit) -> Iterator[tuple[str, str]]:
    yield "because", trace.lost(hit)
    yield "found by", ", ".join(trace.places(hit, names=True))
    measured = [f"{name} {value}" for name, value in trace.measures(hit).items()]
    yield "measured", _kept_whole([*measured, f"base {hit.base:.3f}"])
    yield "factors", _kept_whole([f"{name} ×{by:.3f}" for name, by in hit.factors.items()])
    yield "notes", "; ".join(trace.notes(hit))
    yield "from", "; ".join(map(on_one_line, trace.whence(hit)))
    yield str(hit.standing), trace.care(hit.standing)
    yield "replaced", _replaced(hit) if hit.superseded_by else ""
    told = hit.superseded_by and hit.disputed == trace.REPLACED
    yield "disputed", words(hit.disputed) if hit.disputed and not told else ""


def _replaced(hit: Hit) -> str:
    """Return when something took the place of a hit, and what, as far as that is known."""
    since = f"on {day(hit.replaced_at)}" if hit.replaced_at else ""
    heir = f"by “{on_one_line(hit.replaced_by)}”" if hit.replaced_by else ""
    return " ".join(filter(None, (since, heir))) or "since"


def _step(step: TraceStep) -> Iterator[str]:
    yield f"  {step.name:22.22} {step.before:14,} {step.after:9,} {step.milliseconds:13,.2f}"
    if step.note:
        yield from _folded("", step.note)


def _kept_whole(parts: Sequence[str]) -> str:
    """Return parts in a row, none of which is to be broken in two."""
    return ", ".join(part.replace(" ", _STAYS) for part in parts)


def _folded(label: str, words: str, indent: int = _INDENT) -> list[str]:
    """Return words in lines of at most 100 columns, with a label before the first."""
    first = f"{'':{indent}}{label:{_LABEL}}"
    words = fitted(shown(words), 4 * COLUMNS)
    lines = wrap(words, COLUMNS, initial_indent=first, subsequent_indent=" " * len(first))
    return [line.replace(_STAYS, " ") for line in lines]


def fitted(text: str, columns: int) -> str:
    """Return a text cut to so many columns; Chinese or Korean letters take two each."""
    wide = [2 if east_asian_width(letter) in "WF" else 1 for letter in text]
    if sum(wide) <= columns:
        return text
    room, end = columns - 1, 0
    while wide[end] <= room:
        room -= wide[end]
        end += 1
    return f"{text[:end].rstrip()}…"
