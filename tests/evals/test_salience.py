"""The score is learnt from what is labelled, and only from that."""

import json

import pytest

from app.assets import resource
from app.memory.extract.salience import WEIGHTS, Traits, Weights
from tests.evals.salience import LABELLED, MODEL, Meaning, Score, Stretch, labelled


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


def test_what_is_learnt_is_what_is_written():
    said = {"we keep bees": True, "we keep waiting": False, "bees keep waiting": False}
    found = [
        Stretch(number, Traits(text.split(), ("stated",)), tells)
        for number, (text, tells) in enumerate(said.items())
        for _ in range(5)
    ]
    score = Score(found, Meaning(resource(MODEL)))
    assert [odds > 0 for odds in score.of(found[::5])] == list(said.values())
    written = Weights(**score.written())
    for one, odds in zip(found, score.of(found), strict=True):
        assert written.score(one.traits) == pytest.approx(odds, abs=0.2)  # it is rounded


@pytest.mark.parametrize("name", ["unread", "unread2"])
def test_nothing_of_an_unread_half_is_learnt_from(name):
    unread = json.loads((LABELLED.parent / f"{name}.json").read_text("utf-8"))
    learnt = {json.loads(line)["message"] for line in LABELLED.read_text("utf-8").splitlines()}
    assert learnt.isdisjoint(one["said"] for one in unread)
    assert json.loads(resource(WEIGHTS).read_text("utf-8"))["signs"]
