"""The real reader and judge in this process: what tests understand messages with."""

from functools import cache

from app.assets import resource
from app.memory.comparing import Comparer, Nearby
from app.providers.embedding import Beside, Embedding
from app.providers.host import BUNDLED, HEADS, JUDGE, READER


@cache
def worker():
    """Return the recall child's worker, loaded once."""
    beside = Beside(*(str(resource("models") / name) for name in (READER, JUDGE, HEADS)))
    return Embedding(str(resource(BUNDLED)), "mean", 1, 0, beside)


class Understanding:
    """Reads and judges without a process of its own."""

    def read(self, messages, *, urgent=False):
        return worker().read(messages)

    def judge(self, task, pairs):
        return worker().judge(task, pairs)


def nearby(vault, embedder, clock):
    """Return what finds and compares the memories most like one, with the real judge."""
    return Nearby(vault, embedder, Comparer(Understanding), clock)
