"""Text to vectors inside the recall child process; imported by nothing but that process.

The context runs without pooling, so one pass gives the vector of every token: their mean is the
text's vector, and their signs are kept for late interaction. Several texts share one batch.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.errors import ModelError
from app.providers.base import LONGEST_TEXT, Marks
from app.providers.judging import (
    Heads,
    Task,
    WordByWord,
    agreed,
    alone,
    completed,
    likeliest,
    paired,
    units,
)
from app.providers.local.native import fill, forget, library, loaded, piece, silence, tokens
from app.providers.reading import Piece, ReaderNetwork, Tags, aligned, inputs

MOST_TOKENS = 512
BATCH_TOKENS = 256
MOST_TEXTS = 64
SHORT_TOKENS = 64
MOST_KNOWN = 512  # texts: about 15 MB

Halves = NDArray[np.float16]
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbeddingAbout:
    """What the worker says of the embedder it loaded."""

    sha256: str
    dims: int
    token_vectors: bool
    marks: Marks


@dataclass(frozen=True, slots=True)
class PackedEmbeddings:
    """Answers for several texts, packed for the pipe.

    Attributes:
        vectors: Shape (texts, dims), float32, rows of length 1 (or 0 for an empty text).
        counts: Shape (texts,): how many of the tokens below belong to each text.
        bits: Shape (all tokens, dims / 8), uint8, or None.
        tokens: Shape (all tokens,), int32, or None.
        states: Shape (all tokens, dims), float32, rows of length 1; of questions only.
        pieces: What each token is written as; of questions only.
    """

    vectors: Matrix
    counts: NDArray[np.int32]
    bits: NDArray[np.uint8] | None
    tokens: NDArray[np.int32] | None
    states: Matrix | None = None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnderstandingModels:
    """The models that understand messages, whichever embedder is in use.

    Attributes:
        reader: A model that marks what a message states; its path without the ending.
        judge: A model that tells how two texts stand to one another; its path without the ending.
        answers: One that tells whether a text answers a question, likewise.
        late: One that tells that of each text read alone, likewise.
    """

    reader: str = ""
    judge: str = ""
    answers: str = ""
    late: str = ""

    def reading(self) -> tuple[Path, Path]:
        """Return the model that reads messages, and what makes marks of what it reads.

        Raises:
            ModelError: A file is missing.
        """
        return _files(self.reader, "reads messages")

    def judging(self, task: Task) -> tuple[Path, Path]:
        """Return the model for a task, and what makes chances of what it reads.

        Raises:
            ModelError: A file is missing.
        """
        return _files(self.answers if task is Task.ANSWER else self.judge)

    def comparing(self) -> tuple[Path, Path]:
        """Return the model that reads each text alone, and what makes odds of what it reads.

        Raises:
            ModelError: A file is missing.
        """
        return _files(self.late)


def _files(stem: str, does: str = "compares statements") -> tuple[Path, Path]:
    files = Path(f"{stem}-Q8_0.gguf"), Path(f"{stem}.npz")
    if not all(file.is_file() for file in files):
        raise ModelError(f"The model that {does} is missing.")
    return files


def build(
    path: str,
    pooling: str,
    threads: int,
    gpu_layers: int,
    beside: UnderstandingModels = UnderstandingModels(),
) -> "GgufEmbedding":
    """Load the embedder; the recall child's worker."""
    return GgufEmbedding(path, pooling, threads, gpu_layers, beside)


class GgufEmbedding:
    """A GGUF embedder in this process."""

    def __init__(
        self,
        path: str,
        pooling: str,
        threads: int,
        gpu_layers: int,
        beside: UnderstandingModels = UnderstandingModels(),
    ) -> None:
        self._beside, self._threads = beside, threads
        self._reader: tuple[_Model, ReaderNetwork] | None = None
        self._judges: dict[Path, tuple[_Model, Heads]] = {}
        self._late: tuple[_Model, WordByWord] | None = None
        self._known: dict[str, Halves] = {}  # what may answer, the last that was asked about last
        self._pooling = pooling if pooling in ("cls", "last") else "mean"
        self._model = _Model(path, threads, gpu_layers)
        self._special = {self._model.first, self._model.last} - {-1}
        self.about = EmbeddingAbout(
            _sha256(path), self._model.dims, self._pooling == "mean", self._model.marks()
        )

    def work(self, method: str, argument: Any, cancel: Event) -> Iterator[Any]:
        """Answer ``embed`` or, for questions, ``ask``: one Embedded for the texts given.

        ``read`` takes messages with what was asked before and gives their Tags; ``judge`` takes a
        task and pairs of texts and gives chances, shape (pairs, classes). ``forget`` drops what was
        kept of texts.
        """
        if method == "read":
            yield self.read(argument)
        elif method == "judge":
            yield self.judge(Task(argument[0]), argument[1])
        elif method == "forget":
            self._known.clear()
            yield True
        else:
            yield self._embed(argument, asked=method == "ask")

    def read(self, messages: Sequence[tuple[str, str]]) -> list[Tags]:
        """Return the marks of messages, each given with what was asked before it."""
        if self._reader is None:
            path, weights = self._beside.reading()
            self._reader = _Model(str(path), self._threads, 0), ReaderNetwork(weights)
        model, network = self._reader
        texts = list(dict.fromkeys(text for parts in messages for text in parts))
        known = dict(zip(texts, _pieces(model, texts), strict=True))
        return [
            network.read(inputs(known[said], known[asked] if asked.strip() else None))
            for said, asked in messages
        ]

    def judge(self, task: Task, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """Return the chances of each pair, shape (pairs, classes).

        Of what may answer one question, only what is likeliest word by word is read together with
        it; the rest is no likelier than the least likely of that.
        """
        if task is not Task.ANSWER:
            return np.array(self._together(task, pairs), np.float32)
        odds = self._late_odds(pairs)
        likely = likeliest([question for question, _ in pairs], odds)
        together = self._together(task, [pairs[n] for n in likely])
        both = {n: agreed(chances, odds[n]) for n, chances in zip(likely, together, strict=True)}
        return np.array(completed(pairs, odds, both), np.float32)

    def _together(self, task: Task, pairs: Sequence[tuple[str, str]]) -> list[Matrix]:
        """Return the chances of each pair, read in one pass."""
        path, heads_path = self._beside.judging(task)
        if path not in self._judges:
            self._judges[path] = _Model(str(path), self._threads, 0), Heads(heads_path)
        model, heads = self._judges[path]
        read = model.read([paired(model, one, other) for one, other in pairs])
        return [heads.chances(task, states) for states in read]

    def _late_odds(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the log odds that the second text of each pair answers the first."""
        if self._late is None:
            path, scale_path = self._beside.comparing()
            self._late = _Model(str(path), self._threads, 0), WordByWord(scale_path)
        model, late = self._late
        questions = list(dict.fromkeys(question for question, _ in pairs))
        texts = list(dict.fromkeys(text for _, text in pairs))
        new = [*questions, *(text for text in texts if text not in self._known)]
        read = model.read([alone(model, text) for text in new])
        asked = dict(zip(questions, read, strict=False))
        found = zip(new[len(questions) :], read[len(questions) :], strict=True)
        known = self._known | {text: states.astype(np.float16) for text, states in found}
        odds = [late.odds(asked[question], known[text]) for question, text in pairs]
        others = [text for text in known if text not in set(texts)]
        self._known = {text: known[text] for text in [*others, *texts][-MOST_KNOWN:]}
        return odds

    def _embed(self, texts: Sequence[str], *, asked: bool = False) -> PackedEmbeddings:
        found = [self._model.tokens(text[:LONGEST_TEXT]) if text.strip() else [] for text in texts]
        vectors = np.zeros((len(texts), self._model.dims), dtype=np.float32)
        counts = np.zeros(len(texts), dtype=np.int32)
        bits = [np.zeros((0, self._model.dims // 8), dtype=np.uint8)]
        words = [np.zeros(0, dtype=np.int32)]
        whole = [np.zeros((0, self._model.dims), dtype=np.float32)]
        for batch in _batches([len(ids) for ids in found]):
            rows = self._model.run([found[i] for i in batch])
            for i, states in zip(batch, rows, strict=True):
                vectors[i] = self._pooled(states)
                if self.about.token_vectors:
                    ids = np.asarray(found[i], dtype=np.int32)
                    word = ~np.isin(ids, list(self._special))
                    counts[i] = int(word.sum())
                    bits.append(np.packbits(states[word] > 0, axis=1))
                    words.append(ids[word])
                    whole.append(states[word])
        if not self.about.token_vectors:
            return PackedEmbeddings(vectors, counts, None, None)
        packed, ids = np.concatenate(bits), np.concatenate(words)
        if not asked:
            return PackedEmbeddings(vectors, counts, packed, ids)
        pieces = tuple(self._model.piece(token) for token in ids.tolist())
        return PackedEmbeddings(vectors, counts, packed, ids, units(np.concatenate(whole)), pieces)

    def _pooled(self, states: Matrix) -> Matrix:
        if self._pooling == "mean":
            pooled = states.mean(axis=0)
        else:
            pooled = states[0 if self._pooling == "cls" else -1]
        pooled = np.asarray(pooled, dtype=np.float32)
        length = float(np.linalg.norm(pooled))
        if not np.isfinite(length):
            raise ModelError("The embedding model returned no numbers; its file may be damaged.")
        return (pooled / (length or 1.0)).astype(np.float32)


def _pieces(model: "_Model", texts: Sequence[str]) -> list[Piece]:
    """Return texts as the reader's model read them."""
    own = {model.first, model.last}
    found = [model.tokens(text[:LONGEST_TEXT]) for text in texts]
    read = []
    for text, ids, states in zip(texts, found, model.read(found), strict=True):
        written = ["" if token in own else model.piece(token) for token in ids]
        read.append(Piece(text, np.asarray(ids, np.int32), states, aligned(text, written)))
    return read


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield indexes of texts that go into one pass together, in order; empty texts are left out."""
    batch: list[int] = []
    total = 0
    for i, length in enumerate(lengths):
        if not length:
            continue
        if batch and (total + length > BATCH_TOKENS or len(batch) == MOST_TEXTS):
            yield batch
            batch, total = [], 0
        batch.append(i)
        total += length
    if batch:
        yield batch


def _sha256(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Model:
    """The few calls of llama.cpp that an embedder needs."""

    def __init__(self, path: str, threads: int, gpu_layers: int) -> None:
        native = library()
        self._native = native
        silence(native)
        self._threads = threads
        native.llama_backend_init()
        self._weights = loaded(native, path, gpu_layers, "an embedding model")
        self.vocabulary = native.llama_model_get_vocab(self._weights)
        self.dims = int(native.llama_model_n_embd(self._weights))
        self.first = int(native.llama_vocab_bos(self.vocabulary))
        self.last = self._closing()
        self.longest = min(MOST_TOKENS, int(native.llama_model_n_ctx_train(self._weights)) or 512)
        self._context = self._opened()
        self._batch = native.llama_batch_init(MOST_TOKENS, 0, 1)

    def _closing(self) -> int:
        """Return the token that ends every text of this model, or -1."""
        native, vocabulary = self._native, self.vocabulary
        separator = int(native.llama_vocab_sep(vocabulary))
        if separator >= 0 and native.llama_vocab_get_add_sep(vocabulary):
            return separator
        return int(native.llama_vocab_eos(vocabulary))

    def _opened(self) -> Any:
        wanted = self._native.llama_context_default_params()
        wanted.n_ctx = wanted.n_batch = wanted.n_ubatch = MOST_TOKENS
        wanted.n_seq_max = MOST_TEXTS
        wanted.kv_unified = True
        wanted.embeddings = True
        wanted.pooling_type = self._native.LLAMA_POOLING_TYPE_NONE
        wanted.flash_attn_type = self._native.LLAMA_FLASH_ATTN_TYPE_ENABLED
        wanted.n_threads = wanted.n_threads_batch = 1
        context = self._native.llama_init_from_model(self._weights, wanted)
        if not context:
            raise ModelError("The embedding model could not be loaded; is there enough memory?")
        return context

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text with the model's own first and last, cut to its length."""
        found = tokens(self._native, self.vocabulary, text, ends=True)
        if len(found) > self.longest:
            closed = found[-1] == self.last
            found = found[: self.longest - closed] + found[-1:] * closed
        return found

    def marks(self) -> Marks:
        """Return the tokens of what ends a sentence."""
        stop, shout, ask, colon = (
            tokens(self._native, self.vocabulary, mark)[-1:] for mark in (".", "!", "?", ":")
        )
        return Marks((*stop, *shout, *ask), tuple(ask), tuple(colon))

    def piece(self, token: int) -> str:
        """Return what a token is written as."""
        return piece(self._native, self.vocabulary, token)

    def read(self, texts: Sequence[Sequence[int]]) -> list[Matrix]:
        """Return the token vectors of each of any number of texts, none of them empty."""
        lengths = [len(ids) for ids in texts]
        return [one for batch in _batches(lengths) for one in self.run([texts[i] for i in batch])]

    def run(self, texts: Sequence[Sequence[int]]) -> list[Matrix]:
        """Return the token vectors of each text, shape (tokens, dims)."""
        total = fill(self._batch, texts)
        forget(self._native, self._context)
        threads = 1 if total <= SHORT_TOKENS else self._threads
        self._native.llama_set_n_threads(self._context, threads, threads)
        if self._native.llama_decode(self._context, self._batch) != 0:
            raise ModelError("The embedding model could not read the text.")
        found = self._native.llama_get_embeddings(self._context)
        states = np.ctypeslib.as_array(found, shape=(total, self.dims)).copy()
        ends = np.cumsum([len(ids) for ids in texts])[:-1]
        return np.split(states, ends)
