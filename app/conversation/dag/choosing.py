"""Choose what is summed up next: the oldest messages, or the deepest run of summaries.

Choosing the deepest run, not the shallowest, lets the tree grow: new leaves would else keep its
lowest level busy for ever.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.conversation.dag.steps import Step, parted, steps
from app.domain.prompting.context import Summary, View, ViewItem, ViewMessage, tokens

LEAST_FANOUT = 2
LEAST_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Limits:
    """How a view is compacted.

    Attributes:
        window: Tokens that the model reads at once.
        threshold: The share of the window above which a view is compacted.
        fresh: Steps at the end that are always shown as they are.
        chunk: Tokens of messages that a leaf sums up at most.
        leaf, condensed: Tokens that a leaf and a condensed node aim at.
        fanout: Summaries in a row that are condensed; fewer when the view is too large.
        reads: Tokens that who writes the summary reads at once, its answer included.
    """

    window: int
    threshold: float = 0.75
    fresh: int = 8
    chunk: int = 20_000
    leaf: int = 1_200
    condensed: int = 2_000
    fanout: int = 4
    reads: int = 1_000_000

    def crowded(self, view: View) -> bool:
        """Whether a view takes more of the window than it should."""
        return tokens(view) > self.threshold * self.window


def leaf(view: View, limits: Limits) -> list[ViewMessage]:
    """Return the messages that a leaf covers next, whole steps; empty where there are too few.

    They are the oldest run before the fresh tail, as much of it as a leaf may read, but so much
    that something can be left out of it.
    """
    before, _ = parted(view, limits.fresh)
    for messages, run_steps in groupby(steps(before), lambda step: not _summed_up(step)):
        chosen = _chunk(run_steps, limits) if messages else []
        if tokens(chosen) >= LEAST_TOKENS:
            return chosen
    return []


def _chunk(run_steps: Iterable[Step], limits: Limits) -> list[ViewMessage]:
    most = min(limits.chunk, limits.reads - limits.leaf)
    chosen: list[ViewMessage] = []
    for step in run_steps:
        longer = [*chosen, *(item for item in step if isinstance(item, ViewMessage))]
        if tokens(chosen) >= LEAST_TOKENS and tokens(longer) > most:
            break
        chosen = longer
    return chosen


def _summed_up(step: Step) -> bool:
    return isinstance(step[0], Summary)


def run(view: View, limits: Limits) -> list[Summary]:
    """Return the summaries that a condensed node covers next; empty where no run is long enough.

    It is the deepest run, the oldest of these, and of it as many as who writes can read.
    """
    least = LEAST_FANOUT if limits.crowded(view) else max(LEAST_FANOUT, limits.fanout)
    long = [found for found in _runs(view) if len(found) >= least]
    for found in sorted(long, key=lambda row: -row[0].depth):
        if taken := _read_at_once(found, limits.reads - limits.condensed):
            return taken
    return []


def _runs(view: Sequence[ViewItem]) -> list[list[Summary]]:
    """Return the maximal rows of summaries of one depth, oldest first."""
    grouped = groupby(view, lambda item: item.depth if isinstance(item, Summary) else None)
    return [
        [item for item in items if isinstance(item, Summary)]
        for depth, items in grouped
        if depth is not None
    ]


def _read_at_once(summaries: Sequence[Summary], most: int) -> list[Summary]:
    taken: list[Summary] = []
    for one in summaries:
        if tokens([*taken, one]) > most:
            break
        taken.append(one)
    return taken if len(taken) >= LEAST_FANOUT else []
