"""Say in plain words what was done to memories, and what a change made different."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.domain.history import Difference
from app.domain.ids import from_ms
from app.domain.language.text import clipped
from app.domain.memory import JournalEntry
from app.domain.trace import stored_word
from app.store.journal.entries import Gist

_LONGEST = 60
_DONE = {
    "insert": "Remembered",
    "edit": "Edited",
    "update": "Edited",
    "elevate": "Trusted",
    "pin": "Pinned",
    "unpin": "Unpinned",
    "forget": "Forgot",
    "restore": "Restored",
    "supersede": "Replaced",
    "accept": "Accepted",
    "reject": "Rejected",
    "keep_both": "Kept both",
    "keep_older": "Kept the older",
    "keep_newer": "Kept the newer",
    "merge": "Merged",
    "fold": "Renewed",
    "folded": "Folded",
    "unfold": "Unfolded",
    "redraw": "Redrawn",
    "restrict": "Began",
    "lift": "Ended",
}
_BECAME = {
    "active": "Restored",
    "proposed": "Proposed",
    "quarantined": "Set aside",
    "superseded": "Replaced",
    "forgotten": "Forgot",
    "out_of_window": "Archived",
}
# What is said of a memory once a change to it was taken back, and once it was done again.
_CHANGE = ("the change to {it}", "the change to {it}")
_IN_USE = "{it} {be} in use again"
_TURNED = {
    "insert": ("{it} {be} not remembered any more", "{it} {be} remembered again"),
    "elevate": ("{it} {be} trusted as before", "{it} {be} trusted again"),
    "pin": ("{it} {be} not pinned any more", "{it} {be} pinned again"),
    "unpin": ("{it} {be} pinned again", "{it} {be} not pinned any more"),
    "forget": (_IN_USE, "{it} {be} forgotten again"),
    "restore": ("{it} {be} out of use again", _IN_USE),
    "supersede": (_IN_USE, "{it} {be} replaced again"),
    "accept": ("{it} need{s} your review again", "{it} {be} accepted again"),
    "reject": ("{it} need{s} your review again", "{it} {be} rejected again"),
    "keep_both": ("the decision about {it}", "the decision about {it}"),
    "keep_older": ("the decision about {it}", "the decision about {it}"),
    "keep_newer": ("the decision about {it}", "the decision about {it}"),
    "merge": ("the merging of {it}", "the merging of {it}"),
    "restrict": ("processing is not restricted any more", "processing is restricted again"),
    "lift": ("processing is restricted again", "processing is not restricted any more"),
    "archive": (_IN_USE, "{it} {be} archived again"),
}
_TURNED_NEW = {
    "proposed": ("{it} no longer need{s} your review", "{it} need{s} your review again"),
    "quarantined": ("{it} {be} not set aside any more", "{it} {be} set aside again"),
}
_ERASED = "a memory that was erased"
_FIELDS = {
    "text": "text",
    "type": "type",
    "key": "key",
    "value": "value",
    "category": "category",
    "tags": "tags",
    "trust": "trust",
    "status": "status",
    "status_reason": "reason",
    "pinned": "pinned",
    "occurred_at": "date",
    "valid_to": "true until",
    "expires_at": "expires",
    "superseded_by": "replaced by",
    "conflicted": "contradicted",
    "visibility": "seen by",
    "group_pks": "groups",
    "source_ids": "drawn from",
    "proof_count": "times said",
    "confidence": "confidence",
    "consolidated_at": "folded",
}
_WORDED = ("status", "type", "trust", "key")
_USUAL = {"status": "active", "visibility": "self", "trust": "learned", "type": "semantic"}

Namer = Callable[[str], str]


def done(entry: JournalEntry, text: str, count: int = 1) -> str:
    """Return what a change did, in a few words.

    Args:
        entry: The change.
        text: What the memory says.
        count: How many changes were made with it, itself included.
    """
    more = f" and {count - 1:,} more" if count > 1 else ""
    return f"{_verb(entry)}: {clipped(text, _LONGEST)}{more}"


def done_together(gist: Gist) -> str:
    """Return what a batch that is no undo did, in a few words."""
    return done(gist.entry, gist.text, gist.alike)


def undone(sentence: str, *, again: bool) -> str:
    """Return what an undo did, or the undo of an undo."""
    return f"{'Did again' if again else 'Undid'} “{sentence}”"


def turned(
    entry: JournalEntry, text: str, count: int = 1, *, again: bool = False, back: str = ""
) -> str:
    """Return in a sentence that a change was taken back, or done again.

    Args:
        entry: The change.
        text: What the memory said after it.
        count: How many changes were made with it, itself included.
        again: Whether it was done again.
        back: What another memory says that it had replaced; empty where it did none.
    """
    more = f" and {count - 1:,} more" if count > 1 else ""
    it = f"{_quoted(text)}{more}"
    made = _sentences(entry)[again]
    said = made.format(
        it=it, be="are" if more else "is", s="" if more else "s", es="" if more else "es"
    )
    if back:
        said += f", and {_quoted(back)} is {'replaced' if again else 'in use'} again"
    return f"{'Done again' if again else 'Taken back'}: {said}."


def _sentences(entry: JournalEntry) -> tuple[str, str]:
    """Return what is said of a change that is taken back, and of one that is done again."""
    if not entry.before and entry.op != "restrict":
        return _TURNED_NEW.get(str(entry.after.get("status")), _TURNED["insert"])
    return _TURNED.get(entry.op, _CHANGE)


def _quoted(text: str) -> str:
    return f"“{clipped(text, _LONGEST)}”" if text else _ERASED


def _verb(entry: JournalEntry) -> str:
    status = entry.after.get("status")
    if not entry.before and entry.op != "restrict":
        return _BECAME.get(str(status), "Proposed") if status in _WAITING else _DONE["insert"]
    if entry.op in _DONE:
        return _DONE[entry.op]
    return _BECAME.get(str(status), "Changed")


_WAITING = ("proposed", "quarantined")


def differences(entry: JournalEntry, name: Namer) -> Sequence[Difference]:
    """Return what a change made different, field by field; of a new memory, what it says.

    Args:
        entry: The change.
        name: Returns what to call another memory by its id.
    """
    found = []
    for field, label in _FIELDS.items():
        before, after = entry.before.get(field), entry.after.get(field)
        if field not in entry.after or before == after:
            continue
        if not entry.before and after == _USUAL.get(field):
            continue
        found.append(Difference(label, _shown(field, before, name), _shown(field, after, name)))
    return found


def _shown(field: str, value: Any, name: Namer) -> str:
    """Return a value as a person reads it."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field.endswith(("_at", "_to")) and isinstance(value, int):
        moment = from_ms(value).astimezone()
        midnight = (moment.hour, moment.minute) == (0, 0)
        return f"{moment:%Y-%m-%d}" if midnight else f"{moment:%Y-%m-%d %H:%M}"
    if field == "superseded_by":
        return name(str(value))
    if field == "source_ids":
        return "; ".join(name(str(one)) for one in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {part}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(str(part) for part in value)
    if isinstance(value, float):
        return f"{value:.2f}"
    return stored_word(field, str(value)) if field in _WORDED else str(value)
