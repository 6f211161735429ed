"""Hand the mark of safety on when memories become one, unless the person took it away."""

from collections.abc import Sequence

from app.domain.memory import SAFETY, JournalEntry, Memory, is_safety


def handed_on(tags: Sequence[str], over: Sequence[Memory]) -> tuple[str, ...]:
    """Return the tags of a memory, marked too where what it takes the place of was."""
    marked = [SAFETY] if any(old.safety for old in over) else []
    return tuple(dict.fromkeys([*tags, *marked]))


def was_taken_away(history: Sequence[JournalEntry]) -> bool:
    """Return whether the person themselves took the mark off a memory."""
    return any(
        entry.actor == "user"
        and not entry.undone
        and is_safety(entry.before.get("tags", ()))
        and not is_safety(entry.after.get("tags", ()))
        for entry in history
    )
