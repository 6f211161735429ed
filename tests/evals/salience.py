"""Learn what tells of a life from labelled messages; writes resources/extract/salience.json.

    python -m tests.evals.salience            # prints how well it does on messages it did not see
    python -m tests.evals.salience --write    # learns from all of them and writes the weights

A logistic regression with a Gaussian prior (ridge). Beside the traits themselves it sees what words
mean: the bundled embedder's table of token vectors, reduced to its ``DIMS`` main directions. That
part is linear too, so it is written down as one number per word.
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
from scipy import sparse
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from app.assets import resource
from app.memory.extract import doubt
from app.memory.extract.clauses import parts
from app.memory.extract.salience import HEAD, SPREAD, WEIGHTS, WIDE, Traits, traits, words_of
from app.memory.extract.salvage import put_together
from app.memory.extract.sentences import Sentence
from app.memory.extract.standing import from_now_on
from app.memory.extract.statements import said_in
from app.memory.extract.stretches import stretches

HERE = Path(__file__).parent / "statements"
LABELLED = HERE / "told.jsonl"
MODEL = "models/loci-minilm-v2-Q8_0.gguf"
DIMS, PRIOR, LIKENESS_PRIOR = 96, 1.5, 1.0
SCALE = 3.0  # of token vectors, which have length 1
SEEN = {"sign": 1, "word": 3, "pair": 3, "around": 3}  # how often, to be given a weight
AROUND = 0.7  # how much what stands around counts beside the words themselves
FOLDS = 5
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
        words = words_of(row["message"])
        for sentence in _meant(row["message"]):
            said = parts(from_now_on(sentence.text), (), [], question=sentence.question)
            for stretch in stretches(said):
                run = said[stretch.start : stretch.stop]
                text = put_together(run)
                found.append(Stretch(number, traits(run, text, words), _tells(_long(text), told)))
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


class Score:
    """A regression, learnt from stretches when it is made."""

    def __init__(self, stretches_: Sequence[Stretch], meaning: Meaning) -> None:
        self._meaning = meaning
        seen = Counter(name for one in stretches_ for name in _names(one.traits))
        kept = {name: 1.0 for name, count in seen.items() if count >= SEEN[_kind(name)]}
        self._columns = DictVectorizer().fit([kept])
        self._regression = LogisticRegression(max_iter=500, tol=1e-3)
        self._regression.fit(self._rows(stretches_), [one.tells for one in stretches_])

    def of(self, stretches_: Sequence[Stretch]) -> Matrix:
        """Return the log odds of each stretch."""
        return np.asarray(self._regression.decision_function(self._rows(stretches_)), np.float64)

    def written(self) -> dict[str, Any]:
        """Return the weights as ``salience.Weights`` has them."""
        weights = self._regression.coef_[0]
        names = self._columns.get_feature_names_out()
        named = [(name, w * _scale(name)) for name, w in zip(names, weights, strict=False)]
        like, begins, around = weights[len(names) :].reshape(3, DIMS) / LIKENESS_PRIOR**0.5

        def by(kind: str) -> dict[str, float]:
            return _kept({n.partition(" ")[2]: w for n, w in named if _kind(n) == kind})

        def alike(direction: Matrix) -> dict[str, float]:
            of = self._meaning.of
            return _kept({word: float(vector @ direction) for word, vector in of.items()}, 1)

        return {
            "bias": round(float(self._regression.intercept_[0]), 2),
            "signs": by("sign"),
            "words": by("word"),
            "pairs": by("pair"),
            "like": alike(like),
            "begins": alike(begins),
            "around": by("around"),
            "like_around": alike(around),
        }

    def _rows(self, stretches_: Sequence[Stretch]) -> sparse.csr_matrix:
        """Return a row for each."""
        named = self._columns.transform(
            [{name: _scale(name) for name in _names(one.traits)} for one in stretches_]
        )
        mean, all_ = self._meaning.mean, [one.traits for one in stretches_]
        meant = [
            (*mean(t.words, SPREAD), *mean(t.words[:HEAD], HEAD), *mean(t.around, WIDE))
            for t in all_
        ]
        return sparse.hstack([named, np.array(meant) * LIKENESS_PRIOR**-0.5]).tocsr()


def _names(seen: Traits) -> Iterator[str]:
    yield from (f"sign {sign}" for sign in seen.signs)
    yield from (f"word {word}" for word in set(seen.words))
    yield from (f"pair {pair}" for pair in set(seen.pairs))
    yield from (f"around {name}" for name in {*seen.around, *seen.pairs_around})


def _kind(name: str) -> str:
    return name.partition(" ")[0]


def _scale(name: str) -> float:
    """Return what a column is multiplied by, so that one prior does for all."""
    return PRIOR**-0.5 * (AROUND if _kind(name) == "around" else 1.0)


def _kept(weights: Mapping[str, float], digits: int = 2) -> dict[str, float]:
    rounded = {name: round(float(w), digits) for name, w in sorted(weights.items())}
    return {name: w for name, w in rounded.items() if w}


def unseen(stretches_: Sequence[Stretch], meaning: Meaning) -> tuple[Matrix, Matrix]:
    """Return the score of every stretch by weights learnt without its message, and the labels."""
    tells = np.array([one.tells for one in stretches_], np.float64)
    fold = np.array([one.message * 7919 % FOLDS for one in stretches_])
    scores = np.zeros(len(tells))
    for left_out in range(FOLDS):
        mine = [one for one, f in zip(stretches_, fold, strict=True) if f != left_out]
        others = [one for one, f in zip(stretches_, fold, strict=True) if f == left_out]
        scores[fold == left_out] = Score(mine, meaning).of(others)
    return scores, tells


def main() -> None:
    """Measure, or learn and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--labelled", type=Path, default=LABELLED)
    parser.add_argument("--to", type=Path, default=Path("resources") / WEIGHTS)
    arguments = parser.parse_args()
    meaning, found = Meaning(resource(MODEL)), labelled(arguments.labelled)
    if arguments.write:
        text = json.dumps(Score(found, meaning).written(), ensure_ascii=False, indent=0)
        arguments.to.write_text(f"{text}\n", "utf-8")
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
