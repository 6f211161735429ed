"""A judge that goes by a rule, where what becomes of its judgement is tested and not the judge."""

import re

import numpy as np

from app.memory.change.comparing import Relation
from app.providers.judging import Task
from tests.fakes.understanding import Understanding

_PLACE = re.compile(r"I (live|work as a nurse) in \w+\b.*")


class Ruling(Understanding):
    """Reads as Loci does; how two statements stand to one another a rule tells."""

    def __init__(self, rule):
        self._rule = rule

    def judge(self, task, pairs):
        if task is not Task.COMPARE:
            return super().judge(task, pairs)
        return np.array([self._chances(*pair) for pair in pairs])

    def _chances(self, older, newer):
        found = self._rule(older, newer)
        return [float(one is found) for one in Relation]


def moved(older, newer):
    """Rule that somebody lives in one place and works in one place."""
    told = _PLACE.fullmatch(older), _PLACE.fullmatch(newer)
    both = older != newer and all(told) and told[0][1] == told[1][1]
    return Relation.REPLACES if both else Relation.UNRELATED
