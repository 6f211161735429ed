"""The reader: marks in a message what it states, and tells what the person does with it.

A small network over the token vectors of a BERT of its own, which was taught along with it. It runs
inside the recall child, the BERT in llama.cpp and the network in numpy; their weights are
``resources/models/loci-reader-v5``, and ``packaging/models/understanding`` trains them.

The network: the token's vector in context, a learnt vector of the token itself and a few signs of
writing are added up; two blocks of convolution, attention and a feed-forward layer follow
(pre-norm, tanh-approximated GELU, relative positions clipped at 16).
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

SIGNS = 12
SEGMENTS = 5
LONGEST = 320
CONTEXT = 72
REACH = 16
OWN = (-1, -1)
_QUOTES = '“”"«»„'


@dataclass(frozen=True, slots=True)
class Piece:
    """A text as the reader's BERT read it.

    Attributes:
        text: The text.
        ids: Shape (tokens,), the model's own first and last among them.
        states: Shape (tokens, dims), the vectors of its tokens.
        spans: Where each token stands in the text; ``OWN`` for the model's own.
    """

    text: str
    ids: NDArray[np.int32]
    states: Matrix
    spans: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Tags:
    """What the reader says of one message; all numbers are logits.

    Attributes:
        spans: Shape (tokens, 2): where each token of the message stands in it.
        statement: Shape (tokens, 3): outside, begins, goes on.
        kind: Shape (tokens, kinds).
        safety, own: Shape (tokens,).
        change: Shape (tokens, 3): none, new, ends.
        target: Shape (tokens, 3): what an order is about, as ``statement``.
        refers: Shape (tokens, 2, context + tokens): to which token what stands for something begins
            and ends; the first token of the message means nothing.
        act: Shape (acts,).
        several: Whether a question asks for all that qualifies rather than for one thing.
        leans: Shape (tokens, 2): whether a sentence says little without what stands before it, by
            its first words and by all of it.
        context: Texts before the message, and where their tokens stand: (text, span) per token.
    """

    spans: NDArray[np.int32]
    statement: Matrix
    kind: Matrix
    safety: Matrix
    own: Matrix
    change: Matrix
    target: Matrix
    refers: Matrix
    act: Matrix
    leans: Matrix
    several: float = -10.0
    context: Sequence[tuple[int, int, int]] = ()


def plain(letter: str) -> str:
    """Return a letter as WordPiece sees it: small, without accents."""
    parts = unicodedata.normalize("NFD", letter.lower())
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")


def aligned(text: str, pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each token, by its piece, stands in a text; ``OWN`` if none can tell."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for one in plain(letter):
            letters.append(one)
            places.append(place)
    flat, at, found = "".join(letters), 0, []
    for piece in pieces:
        written = piece.replace("▁", "").strip()
        start = flat.find(written, at, at + 200) if written else -1
        if start < 0:
            found.append(OWN)
            continue
        at = start + len(written)
        found.append((places[start], places[at - 1] + 1))
    return found


def signs(text: str, spans: Sequence[tuple[int, int]]) -> Matrix:
    """Return how each token is written, shape (tokens, SIGNS)."""
    out = np.zeros((len(spans), SIGNS), np.float32)
    quoted, inside = [], False
    for letter in text:
        inside ^= letter in _QUOTES
        quoted.append(inside)
    before, first, size = 0, True, max(1, len(text))
    for row, (start, end) in zip(out, spans, strict=True):
        if start < 0:
            row[0] = 1
            continue
        word, gap = text[start:end], text[before:start]
        row[1:] = (
            word[:1].isupper(),
            word.isupper() and len(word) > 1,
            any(letter.isdigit() for letter in word),
            quoted[start],
            "\n" in gap,
            bool(gap) or first,
            start / size,
            (size - end) / size,
            min(1.0, size / 600),
            first,
            any(ord(letter) > 127 for letter in word),
        )
        before, first = end, False
    return out


@dataclass(frozen=True, slots=True)
class Inputs:
    """A message with its context, as the network reads it.

    Attributes:
        ids: Shape (tokens,).
        states: Shape (tokens, dims).
        signs: Shape (tokens, SIGNS + SEGMENTS).
        start: The first token of the message; the question stands before it.
        places: (text, start, end) per token: text 0 is the message, 1 the question.
    """

    ids: NDArray[np.int32]
    states: Matrix
    signs: Matrix
    start: int
    places: Sequence[tuple[int, int, int]]


def inputs(message: Piece, asked: Piece | None = None) -> Inputs:
    """Put a message behind what was asked before it."""
    parts = [(1, asked, -CONTEXT), (0, message, 0)]
    ids, states, rows = [], [], []
    places: list[tuple[int, int, int]] = []
    start = 0
    for number, piece, cut in parts:
        if piece is None:
            continue
        keep = slice(cut, None) if cut else slice(0, LONGEST)
        spans = list(piece.spans)[keep]
        segment = np.zeros((len(spans), SEGMENTS), np.float32)
        segment[:, number] = 1  # the fifth marks texts whose labels are of another kind
        segment[:, 3] = asked is not None
        rows.append(np.hstack([signs(piece.text, spans), segment]))
        ids.append(piece.ids[keep])
        states.append(piece.states[keep])
        start = len(places)
        places += [(number, *span) for span in spans]
    return Inputs(
        np.concatenate(ids),
        np.concatenate(states).astype(np.float32),
        np.concatenate(rows),
        start,
        places,
    )


class ReaderNetwork:
    """The weights, and what they make of inputs."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self._w = {name: stored[name].astype(np.float32) for name in stored.files}
        self._blocks = sum(name.endswith("qkv.weight") for name in self._w)

    def vectors(self, given: Inputs) -> Matrix:
        """Return the vectors of the tokens of a message and its context, shape (tokens, dims)."""
        x = self._linear("inp", self._norm("nin", given.states))
        x = x + self._linear("emb_in", self._w["emb.weight"][given.ids])
        x = x + self._linear("fin", given.signs)
        for number in range(self._blocks):
            x = self._block(f"blocks.{number}.", x)
        return self._norm("nout", x)

    def read(self, given: Inputs) -> Tags:
        """Return what the network says of a message."""
        x = self.vectors(given)
        own = x[given.start :]
        spans = np.array([place[1:] for place in given.places[given.start :]], np.int32)
        words = spans[:, 0] >= 0
        whole = self._whole(own, words)
        return Tags(
            spans=spans,
            statement=self._linear("bio", own),
            kind=self._linear("kind", own),
            safety=self._linear("safe", own)[:, 0],
            own=self._linear("me", own)[:, 0],
            change=self._linear("change", own),
            target=self._linear("target", own),
            refers=self._refers(x, given.start),
            act=self._linear("act", whole),
            several=float(self._linear("many", whole)[0]),
            leans=self._linear("leans", own),
            context=tuple(given.places[: given.start]),
        )

    def _whole(self, own: Matrix, words: NDArray[np.bool_]) -> Matrix:
        """Return the vector of the whole message: what weighs most in it, and the mean."""
        seen = own[words] if words.any() else own
        weight = self._linear("pool", seen)[:, 0]
        weight = np.exp(weight - weight.max())
        pooled = (weight / weight.sum()) @ seen
        return np.asarray(np.concatenate([pooled, seen.mean(0)]), np.float32)

    def _refers(self, x: Matrix, start: int) -> Matrix:
        asking = self._linear("ref_q", x[start:]).reshape(len(x) - start, 2, -1)
        named = self._linear("ref_k", x).reshape(len(x), 2, -1)
        found = np.einsum("tsd,jsd->tsj", asking, named)
        return np.asarray(found / asking.shape[-1] ** 0.5, np.float32)

    def _block(self, name: str, x: Matrix) -> Matrix:
        x = x + _gelu(self._convolved(name, self._norm(name + "n1", x)))
        x = x + self._attended(name, self._norm(name + "n2", x))
        inner = _gelu(self._linear(name + "f1", self._norm(name + "n3", x)))
        return x + self._linear(name + "f2", inner)

    def _convolved(self, name: str, x: Matrix) -> Matrix:
        """A convolution over five tokens, in groups of channels."""
        weight, bias = self._w[name + "conv.weight"], self._w[name + "conv.bias"]
        out, part, width = weight.shape
        groups, tokens = x.shape[1] // part, len(x)
        padded = np.pad(x, ((width // 2, width // 2), (0, 0)))
        window = np.stack([padded[k : k + tokens] for k in range(width)], 2)
        window = window.reshape(tokens, groups, part * width).transpose(1, 0, 2)
        kernel = weight.reshape(groups, out // groups, part * width).transpose(0, 2, 1)
        found = (window @ kernel).transpose(1, 0, 2).reshape(tokens, out)
        return np.asarray(found + bias, np.float32)

    def _attended(self, name: str, x: Matrix) -> Matrix:
        relative = self._w[name + "rel"]
        heads, (tokens, dims) = len(relative), x.shape
        three = self._linear(name + "qkv", x).reshape(tokens, 3, heads, dims // heads)
        asking, key, value = three.transpose(1, 2, 0, 3)
        place = np.arange(tokens)
        apart = np.clip(place[None] - place[:, None], -REACH, REACH) + REACH
        weight = asking @ key.transpose(0, 2, 1) / np.float32((dims // heads) ** 0.5)
        weight = weight + relative[:, apart]
        weight = np.exp(weight - weight.max(-1, keepdims=True))
        weight /= weight.sum(-1, keepdims=True)
        mixed = (weight @ value).transpose(1, 0, 2).reshape(tokens, dims)
        return self._linear(name + "o", mixed)

    def _linear(self, name: str, x: Matrix) -> Matrix:
        return np.asarray(x @ self._w[name + ".weight"].T + self._w[name + ".bias"], np.float32)

    def _norm(self, name: str, x: Matrix) -> Matrix:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
        return np.asarray(x * self._w[name + ".weight"] + self._w[name + ".bias"], np.float32)


def _gelu(x: Matrix) -> Matrix:
    inner = np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)
    return np.asarray(0.5 * x * (1 + np.tanh(inner)), np.float32)
