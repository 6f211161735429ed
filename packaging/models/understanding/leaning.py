"""The head of the reader that tells whether a sentence says little without the one before it.

``train_reader.py CACHE READER.npz --leans`` trains it, the last step of the reader.

``data/leans_*.jsonl`` names sentences of messages, with their number among those of the message that say
something, and the first sentence that each needs: itself, where it stands alone. A logistic regression
(ridge, by Newton's method) reads the network's vectors, averaged over the sentence's first four tokens and
over all of them; since both are linear, it becomes a head of two outputs for each token, ``leans``. What
it reaches on the lives kept aside and a tenth of the rest is printed, and the head is written into
READER.npz.
"""

import hashlib
import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
from app.assets import resource
from app.memory.reading.joining import FIRST
from app.providers.local.embedding import _Model, _pieces
from app.providers.host import READER
from app.providers.reading import ReaderNetwork, inputs

RIDGE = 100.0
TOGETHER = 16  # texts


def train(weights: Path) -> None:
    """Train on what the reader sees, and write the head beside the others."""
    network, model = ReaderNetwork(weights), _Model(str(resource("models") / f"{READER}-Q8_0.gguf"), 1, 0)
    rows = [
        json.loads(line)
        for path in sorted((HERE / "data").glob("leans_*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    seen: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    texts = sorted({row["said"] for row in rows}, key=len)
    for at in range(0, len(texts), TOGETHER):
        for piece in _pieces(model, texts[at : at + TOGETHER]):
            seen[piece.text] = (np.array(piece.spans), network.vectors(inputs(piece)))
    found = []
    for row in rows:
        said = row["said"]
        spans, states = seen[said]
        start = said.find(row["sentence"])
        end = start + len(row["sentence"])
        states = states[(spans[:, 0] >= start) & (spans[:, 1] <= end)]
        if len(states):
            given = np.concatenate([states[:FIRST].mean(0), states.mean(0)])
            kept = row.get("aside", False) or _tenth(said)
            found.append((given, row["needs"] < row["number"], kept))
    x, y, held = (np.array(column) for column in zip(*found, strict=True))
    mean, spread = x[~held].mean(0), x[~held].std(0) + 1e-6
    fitted = _fitted((x[~held] - mean) / spread, y[~held])
    w, b = fitted[:-1] / spread, fitted[-1] - float((fitted[:-1] * mean / spread).sum())
    odds, true = x[held] @ w + b, y[held]
    auc = float((odds[true][:, None] > odds[~true][None]).mean())
    print(f"{len(y)} sentences, {y.mean():.2f} lean; kept aside {held.sum()}: area {auc:.3f}")
    for limit in (-1.2, -0.6, 0.0):
        over = odds > limit
        print(f"over {limit}: precision {true[over].mean():.2f}, recall {over[true].mean():.2f}")
    with np.load(weights, allow_pickle=False) as stored:
        everything = dict(stored)
    everything["leans.weight"] = w.reshape(2, -1).astype(np.float16)
    everything["leans.bias"] = np.array([b / 2, b / 2], np.float16)
    np.savez_compressed(weights, **everything)


def _tenth(said: str) -> bool:
    return int(hashlib.md5(said.encode()).hexdigest(), 16) % 10 == 0


def _fitted(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the weights of a logistic regression, its intercept last."""
    x = np.hstack([x, np.ones((len(x), 1))])
    w, ridge = np.zeros(x.shape[1]), np.eye(x.shape[1]) * RIDGE
    ridge[-1, -1] = 1e-6
    for _ in range(25):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (p - y) + ridge @ w
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, slope)
        w -= step
        if np.abs(step).max() < 1e-5:
            break
    return w
