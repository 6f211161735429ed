"""A judge that finds what it is told, where what follows from it is tested and not the judge."""

import numpy as np

from app.memory.change.comparing import Relation
from app.memory.text.novelty import content
from app.providers.judging import Task
from tests.fakes.understanding import Understanding


class Told(Understanding):
    """Compares two texts by what stands in them; a fake for the judge, the reader is the real one.

    What is written is supported where each word that means something was typed.

    Args:
        rules: Each a relation, and what the older and the newer text must hold.
    """

    def __init__(self, *rules):
        self.rules = rules

    def judge(self, task, pairs):
        if task is Task.ENTAIL:
            held = [content(written).words <= content(typed).words for typed, written in pairs]
            return np.array([[0.05, 0.95] if one else [0.95, 0.05] for one in held])
        if task is not Task.COMPARE:
            return super().judge(task, pairs)
        found = [self._relation(*pair) for pair in pairs]
        return np.array([[0.95 if one is at else 0.01 for one in Relation] for at in found])

    def _relation(self, older, newer):
        fitting = (at for at, before, after in self.rules if before in older and after in newer)
        return next(fitting, Relation.UNRELATED)
