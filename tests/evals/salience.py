"""Learn what tells of a life from labelled messages; writes resources/extract/salience.json.

    python -m tests.evals.salience            # prints how well it does on messages it did not see
    python -m tests.evals.salience --write    # learns from all of them and writes the weights

A logistic regression with a Gaussian prior (ridge), solved by Newton's method. Beside the traits
themselves it sees what words mean: the bundled embedder's table of token vectors, reduced to its
``DIMS`` main directions. That part is linear too, so it is written down as one number per word.
"""

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader, dequantize
from numpy.typing import NDArray

from app.assets import resource
from app.memory.extract import doubt
from app.memory.extract.clauses import parts
from app.memory.extract.salience import HEAD, SPREAD, WEIGHTS, Traits, traits
from app.memory.extract.salvage import put_together
from app.memory.extract.sentences import Sentence
from app.memory.extract.standing import from_now_on
from app.memory.extract.statements import said_in
from app.memory.extract.stretches import stretches

HERE = Path(__file__).parent / "statements"
LABELLED = HERE / "told.jsonl"
MODEL = "models/loci-minilm-v2-Q8_0.gguf"
DIMS, PRIOR, LIKENESS_PRIOR = 96, 3.0, 1.0
SCALE = 3.0  # of token vectors, which have length 1
SEEN_WORDS, SEEN_PAIRS, FOLDS = 3, 4, 5
MEANT = 0.6  # the share of words that a stretch and its label must have in common
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a labelled message."""

    message: int
    traits: Traits
    tells: bool


def labelled(path: Path) -> list[Stretch]:
    """Return every stretch of the messages of a file, ``{"message": …, "told": […]}`` a line."""
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        told = [set(_long(part)) for part in row["told"]]
        for sentence in _meant(row["message"]):
            said = parts(from_now_on(sentence.text), (), [], question=sentence.question)
            for stretch in stretches(said):
                run = said[stretch.start : stretch.stop]
                text = put_together(run)
                found.append(Stretch(number, traits(run, text), _tells(_long(text), told)))
    return found


def _tells(words: Sequence[str], told: Sequence[Collection[str]]) -> bool:
    """Return whether a stretch holds most of what is told, or is held by it."""
    said = set(words)
    return any(
        len(said & set(part)) > MEANT * min(len(said), len(part)) for part in told if said and part
    )


def _meant(message: str) -> Iterator[Sentence]:
    """Yield the sentences of a message that are no play, fiction or text to be worked on."""
    said = said_in(message)
    if doubt.sets_a_scene(said) or doubt.mentions_fiction(said):
        return
    if any(doubt.asks_for_a_sum(sentence) for sentence in said):
        return
    for sentence in said:
        if doubt.begins_play(sentence) or doubt.begins_material(sentence):
            return
        if not (sentence.foreign or doubt.is_ironic(sentence)):
            yield sentence


def _long(text: str) -> list[str]:
    return [w for w in "".join(c if c.isalnum() else " " for c in text.lower()).split() if w[3:]]


class Meaning:
    """The main directions of the embedder's token vectors."""

    def __init__(self, path: Path) -> None:
        reader = GGUFReader(path)
        table = next(tensor for tensor in reader.tensors if tensor.name == "token_embd.weight")
        vectors = dequantize(table.data, table.tensor_type)
        tokens = reader.fields["tokenizer.ggml.tokens"].contents()
        words = [n for n, token in enumerate(tokens) if token[0] == "▁" and token[1:].isalpha()]
        vectors = vectors[words] - vectors[words].mean(axis=0)
        *_, directions = np.linalg.svd(vectors, full_matrices=False)
        low = vectors @ directions[:DIMS].T
        low = SCALE * low / np.maximum(np.linalg.norm(low, axis=1, keepdims=True), 1e-6)
        self.of = {tokens[n][1:]: low[row] for row, n in enumerate(words)}

    def mean(self, words: Sequence[str], least: int) -> Matrix:
        """Return the mean vector of words, where they are fewer than ``least`` of so many."""
        total = sum((self.of[word] for word in words if word in self.of), np.zeros(DIMS))
        return np.asarray(total / max(least, len(words)), np.float64)


class Design:
    """Turns stretches into rows of numbers."""

    def __init__(self, stretches_: Sequence[Stretch], meaning: Meaning) -> None:
        signs = Counter(sign for one in stretches_ for sign in one.traits.signs)
        words = Counter(word for one in stretches_ for word in set(one.traits.words))
        pairs = Counter(pair for one in stretches_ for pair in set(one.traits.pairs))
        self.signs = sorted(signs)
        self.words = sorted(word for word, count in words.items() if count >= SEEN_WORDS)
        self.pairs = sorted(pair for pair, count in pairs.items() if count >= SEEN_PAIRS)
        names = [("sign", n) for n in self.signs] + [("word", n) for n in self.words]
        names += [("pair", n) for n in self.pairs]
        self.places = {name: place for place, name in enumerate(names)}
        self.meaning = meaning

    def rows(self, stretches_: Sequence[Stretch]) -> Matrix:
        """Return one row each; the last column is 1."""
        count = len(self.places)
        rows = np.zeros((len(stretches_), count + 2 * DIMS + 1))
        for row, one in zip(rows, stretches_, strict=True):
            seen = one.traits
            named = [("sign", s) for s in seen.signs] + [("word", w) for w in seen.words]
            for name in (*named, *(("pair", p) for p in seen.pairs)):
                if (place := self.places.get(name)) is not None:
                    row[place] = 1
            row[count : count + DIMS] = self.meaning.mean(seen.words, SPREAD)
            row[count + DIMS : -1] = self.meaning.mean(seen.words[:HEAD], HEAD)
        rows[:, -1] = 1
        return rows

    def prior(self) -> Matrix:
        """Return how strongly each weight is held at 0."""
        prior = np.full(len(self.places) + 2 * DIMS + 1, PRIOR)
        prior[len(self.places) : -1] = LIKENESS_PRIOR
        prior[-1] = 1e-3
        return prior

    def written(self, weights: Matrix) -> dict[str, Any]:
        """Return the weights as ``salience.Weights`` has them."""
        count = len(self.places)
        by = {name: float(weights[place]) for name, place in self.places.items()}
        like, begins = weights[count : count + DIMS], weights[count + DIMS : -1]
        vectors = self.meaning.of
        return {
            "bias": round(float(weights[-1]), 2),
            "signs": _kept({name: by["sign", name] for name in self.signs}),
            "words": _kept({name: by["word", name] for name in self.words}),
            "pairs": _kept({name: by["pair", name] for name in self.pairs}),
            "like": _kept({word: float(vector @ like) for word, vector in vectors.items()}, 1),
            "begins": _kept({word: float(vector @ begins) for word, vector in vectors.items()}, 1),
        }


def _kept(weights: Mapping[str, float], digits: int = 2) -> dict[str, float]:
    return {name: round(w, digits) for name, w in sorted(weights.items()) if round(w, digits)}


def solved(rows: Matrix, tells: Matrix, prior: Matrix) -> Matrix:
    """Return the weights of the regression; shape (columns,)."""
    weights = np.zeros(rows.shape[1])
    for _ in range(12):
        likely = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (likely - tells) + prior * weights
        bend = (rows * (likely * (1 - likely))[:, None]).T @ rows + np.diag(prior)
        weights -= np.linalg.solve(bend, slope)
    return weights


def unseen(stretches_: Sequence[Stretch], meaning: Meaning) -> tuple[Matrix, Matrix]:
    """Return the score of every stretch by weights learnt without its message, and the labels."""
    tells = np.array([one.tells for one in stretches_], np.float64)
    fold = np.array([one.message * 7919 % FOLDS for one in stretches_])
    scores = np.zeros(len(tells))
    for left_out in range(FOLDS):
        mine = [one for one, f in zip(stretches_, fold, strict=True) if f != left_out]
        others = [one for one, f in zip(stretches_, fold, strict=True) if f == left_out]
        design = Design(mine, meaning)
        weights = solved(design.rows(mine), tells[fold != left_out], design.prior())
        scores[fold == left_out] = design.rows(others) @ weights
    return scores, tells


def main() -> None:
    """Measure, or learn and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    meaning, found = Meaning(resource(MODEL)), labelled(LABELLED)
    if arguments.write:
        design = Design(found, meaning)
        tells = np.array([one.tells for one in found], np.float64)
        weights = solved(design.rows(found), tells, design.prior())
        text = json.dumps(design.written(weights), ensure_ascii=False, indent=0)
        (Path("resources") / WEIGHTS).write_text(f"{text}\n", "utf-8")
        return
    scores, tells = unseen(found, meaning)
    print(f"{len(found)} stretches, {int(tells.sum())} of them tell of a life")
    for wrong in (0.1, 0.05, 0.02, 0.01):
        at = np.quantile(scores[tells == 0], 1 - wrong)
        print(
            f"at {at:5.2f}: {wrong:.0%} of the others pass, {(scores[tells == 1] > at).mean():.1%}"
        )


if __name__ == "__main__":
    main()
