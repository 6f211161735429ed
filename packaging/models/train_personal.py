"""Fit what tells a question about somebody's life from one about the world.

usage: train_personal.py EMBEDDER.gguf DATA_DIR OUT.txt

A logistic regression over the question's sentence vector and the words of
``app.memory.recall.personal``: all questions of ``train_*.json`` against ``unrelated_train.json``,
both classes weighing the same. OUT is what make_gguf.py writes into the embedder's header. Prints
how many questions of ``test_*.json`` and ``unrelated_test.json`` fall on the wrong side.

Run it with Loci's own packages: ``.venv/bin/python packaging/models/train_personal.py …``.
"""

import base64
import json
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from app.memory.recall.personal import signs
from app.memory.text.query import names
from app.providers.base import Purpose
from app.providers.local.llamacpp import LlamaEmbedder

RIDGE, SCALE, STEPS = 1e-5, 0.3, 30
HOW = re.compile(
    r"how (?:(?:do|can|should|would|does) (?:you|one|someone|people)|to) (.+?)\??", re.I
)
TASK = re.compile(
    r"(write|draft|give|summari[sz]e|explain|translate|list|suggest) (?!me)(.+?)\.?", re.I
)


def own(folder: Path, pattern: str) -> list[str]:
    """Return the questions about somebody's life."""
    talks = [
        t for path in sorted(folder.glob(pattern)) for t in json.loads(path.read_text("utf-8"))
    ]
    return [
        q for talk in talks for q in (*(q["q"] for q in talk["questions"]), *talk.get("none", ()))
    ]


def asked_for_oneself(question: str) -> list[str]:
    """Return a question as people ask it of an assistant: "How do I …", "Can you … for me"."""
    if how := HOW.fullmatch(question):
        return [f"How do I {how[1]}?", f"how can i {how[1]}"]
    if task := TASK.fullmatch(question):
        return [f"Can you {task[1].lower()} {task[2]} for me?"]
    return []


def inputs(embedder: LlamaEmbedder, questions: list[str], *, about_somebody: bool) -> np.ndarray:
    """Return what is known of each question, shape (questions, 1 + kinds + dims)."""
    vectors = np.array([e.vector for e in embedder.embed(questions, Purpose.PASSAGE)])
    words = [signs(q, known=about_somebody and bool(names(q))) for q in questions]
    return np.concatenate([np.ones((len(questions), 1)), SCALE * np.array(words), vectors], axis=1)


def fitted(x: np.ndarray, personal: np.ndarray) -> np.ndarray:
    """Return the weights, by Newton's method."""
    share = personal.mean()
    weight = np.where(personal > 0, 0.5 / share, 0.5 / (1 - share)) / len(x)
    ridge = np.full(x.shape[1], 2 * RIDGE)
    ridge[0] = 1e-9
    found = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ found))
        slope = x.T @ (weight * (chance - personal)) + ridge * found
        curve = (x * (weight * chance * (1 - chance))[:, None]).T @ x + np.diag(ridge)
        found = found - np.linalg.solve(curve, slope)
    return found


def main(model: str, data: str, out: str) -> None:
    """Fit, tell how well, and write."""
    folder, embedder = Path(data), LlamaEmbedder(Path(model), "embedder")
    unrelated = json.loads((folder / "unrelated_train.json").read_text("utf-8"))
    unrelated += [variant for question in unrelated for variant in asked_for_oneself(question)]
    ours = inputs(embedder, own(folder, "train_*.json"), about_somebody=True)
    others = inputs(embedder, unrelated, about_somebody=False)
    kinds = np.concatenate([np.ones(len(ours)), np.zeros(len(others))])
    found = fitted(np.concatenate([ours, others]), kinds)
    held = json.loads((folder / "unrelated_test.json").read_text("utf-8"))
    wrong = (inputs(embedder, own(folder, "test_*.json"), about_somebody=True) @ found < 0).mean()
    missed = (inputs(embedder, held, about_somebody=False) @ found > 0).mean()
    print(f"personal taken for unrelated {wrong:.3f}, unrelated taken for personal {missed:.3f}")
    kinds_end = ours.shape[1] - len(embedder.embed(["a"], Purpose.PASSAGE)[0].vector)
    found[1:kinds_end] *= SCALE
    Path(out).write_bytes(base64.b64encode(found.astype(np.float16).tobytes()))
    embedder.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
