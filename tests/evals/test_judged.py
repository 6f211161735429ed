import numpy as np

from app.memory.change.comparing import Relation
from app.providers.judging import Task
from tests.evals import judged


class Judge:
    """Takes every pair for a replacement, and every rewording for faithful."""

    def read(self, messages, *, urgent=False):
        raise AssertionError

    def judge(self, task, pairs):
        if task is Task.ENTAIL:
            return np.tile([0.0, 1.0], (len(pairs), 1))
        row = [float(relation is Relation.REPLACES) for relation in Relation]
        return np.tile(row, (len(pairs), 1))


def test_pairs_are_counted_by_relation():
    pairs = [{"a": "I own a cat", "b": "I own a dog now", "label": one} for one in Relation]
    figures = judged.compared(Judge(), pairs)
    assert figures == {"right": 0.167, **{one: float(one is Relation.REPLACES) for one in Relation}}


def test_what_breaks_a_rule_is_not_accepted_whatever_the_judge_says():
    said = "I take 20 mg."
    pairs = [
        {"said": said, "written": "You take 20 mg", "label": "faithful"},
        {"said": said, "written": "You take 30 mg", "label": "twisted"},
        {"said": said, "written": "You take 20 mg daily", "label": "twisted"},
    ]
    assert judged.reworded(Judge(), pairs) == {"twisted_accepted": 0.5, "faithful_refused": 0.0}
