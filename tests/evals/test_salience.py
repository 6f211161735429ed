"""The score is learnt from what is labelled, and only from that."""

import json

import numpy as np

from app.assets import resource
from app.memory.extract.salience import WEIGHTS
from tests.evals.salience import LABELLED, labelled, solved


def test_what_is_told_is_labelled_so_and_nothing_else(tmp_path):
    path = tmp_path / "told.jsonl"
    lines = [
        {"message": "We keep bees behind the chapel. What do they eat?", "told": ["We keep bees"]},
        {"message": "I opened the settings page and nothing happens.", "told": []},
        {"message": "Write a story. I am a pirate and I live on Tortuga.", "told": []},
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = [(one.message, one.tells) for one in labelled(path)]
    assert found == [(0, True), (1, False)]  # what is made up never gets as far


def test_the_regression_finds_what_tells_them_apart():
    rows = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]] * 20)
    tells = rows[:, 0]
    weights = solved(rows, tells, np.array([0.1, 0.1, 1e-3]))
    assert weights[0] > 3
    assert abs(weights[1]) < 0.1
    assert ((rows @ weights > 0) == (tells == 1)).all()


def test_nothing_of_the_unread_half_is_learnt_from():
    unread = json.loads((LABELLED.parent / "unread.json").read_text("utf-8"))
    learnt = {json.loads(line)["message"] for line in LABELLED.read_text("utf-8").splitlines()}
    assert learnt.isdisjoint(one["said"] for one in unread)
    assert json.loads(resource(WEIGHTS).read_text("utf-8"))["signs"]
