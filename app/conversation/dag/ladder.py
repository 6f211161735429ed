"""Sum up on three rungs, of which the last needs no model and always makes it shorter.

A summary is taken only where it is smaller than what it stands for, so that compacting ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.conversation.dag.extract import extract
from app.domain.prompting.context import Rung

Count = Callable[[str], int]
Write = Callable[["SummaryTask"], str | None]
"""Asks a model; None where none is there, it failed, or it may not be asked."""

TRIES = 3
SHORT = 512  # tokens that an extract aims at, at most
LONG = 50_000  # characters of a text that the second rung leaves out


@dataclass(frozen=True, slots=True)
class SummaryTask:
    """What is to be summed up.

    Attributes:
        texts: What is covered, in order, each as the model would read it.
        depth: That of the node.
        target: Tokens to aim at.
        before: The summary before it, for continuity; empty where there is none.
        rung: On which rung it is tried.
    """

    texts: Sequence[str]
    depth: int
    target: int
    before: str = ""
    rung: Rung = Rung.NORMAL


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary and how it was come by."""

    text: str
    tokens: int
    rung: Rung


def summed_up(task: SummaryTask, covered: int, count: Count, write: Write) -> SummaryText | None:
    """Return a summary that takes fewer tokens than what it stands for; None where none does.

    Args:
        task: What is summed up.
        covered: Tokens that what it stands for takes in the view.
        count: Returns the number of tokens of a text.
        write: Asks the model.
    """
    aim = max(1, min(task.target, covered // 2))
    for rung, tries in ((Rung.NORMAL, TRIES), (Rung.AGGRESSIVE, 1)):
        texts = task.texts if rung is Rung.NORMAL else [t for t in task.texts if len(t) < LONG]
        if not texts:
            continue
        asked = SummaryTask(texts, task.depth, aim, task.before, rung)
        for _ in range(tries):
            text = write(asked)
            if text is None:
                break
            if found := _smaller(text.strip(), covered, count, rung):
                return found
    return _smaller(extract(task.texts, min(aim, SHORT), count), covered, count, Rung.EXTRACT)


def _smaller(text: str, covered: int, count: Count, rung: Rung) -> SummaryText | None:
    taken = count(text)
    return SummaryText(text, taken, rung) if text and taken < covered else None
