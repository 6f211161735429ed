"""The real reader and judge in this process: what tests understand messages with."""

from functools import cache, partial

import numpy as np

from app.assets import resource
from app.memory.change.comparing import Comparer
from app.memory.change.nearby import Nearby
from app.providers.host import ANSWERS, BUNDLED, JUDGE, LATE, READER
from app.providers.local.embedding import GgufEmbedding, UnderstandingModels
from app.store.store import Store


@cache
def worker():
    """Return the recall child's worker, loaded once."""
    names = (READER, JUDGE, ANSWERS, LATE)
    beside = UnderstandingModels(*(str(resource("models") / name) for name in names))
    return GgufEmbedding(str(resource(BUNDLED)), "mean", 1, 0, beside)


class Understanding:
    """Reads and judges without a process of its own; what it has seen before it knows at once."""

    def read(self, messages, *, urgent=False):
        return _known("read", messages, worker().read)

    def judge(self, task, pairs):
        found = _known(task, pairs, partial(worker().judge, task))
        return np.array(found, np.float32)


_seen = {}


def _known(task, asked, work):
    """Return what a model says of each; it always says the same of the same."""
    asked = [tuple(one) for one in asked]
    new = [one for one in dict.fromkeys(asked) if (task, one) not in _seen]
    if new:
        _seen.update(zip(((task, one) for one in new), work(new), strict=True))
    return [_seen[task, one] for one in asked]


def nearby(vault, embedder, clock):
    """Return what finds and compares the memories most like one, with the real judge."""
    return Nearby(Store(vault), embedder, Comparer(Understanding), clock)
