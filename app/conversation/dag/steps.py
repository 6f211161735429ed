"""Group what a view shows into steps, which are never split."""

from collections.abc import Sequence

from app.domain.prompting.context import Summary, View, ViewItem

Step = Sequence[ViewItem]


def steps(view: View) -> list[Step]:
    """Return a view in steps: a message with the results of its tool calls, or one summary."""
    found: list[list[ViewItem]] = []
    for item in view:
        if found and not isinstance(item, Summary) and item.result and _takes(found[-1]):
            found[-1].append(item)
        else:
            found.append([item])
    return list(found)


def parted(view: View, fresh: int) -> tuple[list[ViewItem], list[ViewItem]]:
    """Return what is before the fresh tail, and the tail: the last ``fresh`` steps of messages.

    The tail ends where a summary stands, however short it is then.
    """
    tail: list[ViewItem] = []
    for step in reversed(steps(view)):
        if fresh <= 0 or isinstance(step[0], Summary):
            break
        tail = [*step, *tail]
        fresh -= 1
    return list(view[: len(view) - len(tail)]), tail


def _takes(step: Step) -> bool:
    """Whether a result that follows may belong to this step."""
    return not isinstance(step[0], Summary)
