"""Fill a vault for measurements of speed, with text of the word frequencies of real conversations.

The first and the last rows go through the code that stores what people say; the many between are
written in bulk. Where there are too many to embed, vectors and their tokens are noise around those
of real sentences.
"""

import random
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from app.assets import resource
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import new_id
from app.domain.jobs.progress import Progress
from app.domain.memory import DEFAULT_SCOPE, Memory, Origin
from app.providers.base import Embedding, Purpose
from app.services.services import Services
from app.store.memories import Note
from app.store.store import Store
from app.store.work import bulk

REAL_UP_TO = 20_000
MESSAGES_UP_TO = 10_000
TIMED = 10_000
SEEDS = 512
PAGE = 1_000
CHUNK = 10_000
VECTORS = 4_000
NOISE = 0.03
LENGTHS = {"memory": (3, 7), "message": (8, 40)}
YEARS = timedelta(days=3 * 365)
LAST_DAY = datetime(2026, 11, 1, tzinfo=UTC)

Filling = Generator[Progress, None, float]


def fill(store: Store, memories: int) -> None:
    """Write memories and a few conversations, for measurements of the window."""
    draw = Draw(7)
    for _ in _memories(store, draw, 0, memories):
        pass
    for _ in _messages(store, draw, 200):
        pass


def fill_all(store: Store, draw: "Draw", memories: int, messages: int) -> Filling:
    """Write memories and messages; return how many a second were stored as the product does it."""
    in_bulk = max(0, memories - TIMED)
    if in_bulk:
        bulk.widen(store.vault)
    for start in range(0, in_bulk, CHUNK):
        yield Progress("Writing memories", start, memories)
        size = min(CHUNK, in_bulk - start)
        texts = draw.sentences(size, 5, 14)
        bulk.memories(
            store.vault,
            [
                (f"{text} {n}", LAST_DAY - YEARS * (1 - n / memories))
                for n, text in enumerate(texts, start)
            ],
        )
    started = perf_counter()
    yield from _memories(store, draw, in_bulk, memories)
    yield from _messages(store, draw, messages)
    return (memories - in_bulk + messages) / (perf_counter() - started)


def made_up_vectors(
    services: Services, store: Store, draw: "Draw", total: int
) -> Generator[Progress, None, None]:
    """Give every row a vector near that of a real sentence, and the tokens of that sentence."""
    vectors, info = store.vectors, services.runtime.embedder_info()
    embedder_pk = vectors.use(info.id, info.dims)
    done = 0
    for kind, (low, high) in LENGTHS.items():
        made = MadeUp(services.runtime.embed(draw.sentences(SEEDS, low, high), Purpose.PASSAGE))
        after = 0
        while rows := vectors.missing(kind, embedder_pk, VECTORS, after):
            after = rows[-1][0]
            pks = [pk for pk, _ in rows]
            vectors.put(kind, list(zip(pks, made.draw(len(pks)), strict=True)), embedder_pk)
            done += len(pks)
            yield Progress("Writing vectors", done, total)


class Draw:
    """Draws text with the word frequencies of real conversations."""

    def __init__(self, seed: int) -> None:
        lines = resource("bench/words.tsv").read_text("utf-8").splitlines()
        pairs = [line.split("\t") for line in lines]
        self._words = [word for word, _ in pairs]
        self._bounds = np.cumsum([int(n) for _, n in pairs])
        self._numbers = np.random.default_rng(seed)
        self.chance = random.Random(seed)

    def sentence(self, low: int, high: int) -> str:
        """Return between ``low`` and ``high`` words."""
        return self.sentences(1, low, high)[0]

    def sentences(self, count: int, low: int, high: int) -> list[str]:
        """Return sentences of between ``low`` and ``high`` words each."""
        lengths = self._numbers.integers(low, high + 1, count)
        at = self._numbers.integers(0, self._bounds[-1], int(lengths.sum()))
        words = [self._words[n] for n in np.searchsorted(self._bounds, at, side="right").tolist()]
        ends = np.cumsum(lengths).tolist()
        return [
            " ".join(words[end - length : end])
            for end, length in zip(ends, lengths.tolist(), strict=True)
        ]

    def moment(self) -> datetime:
        """Return a time within the last three years."""
        return LAST_DAY - timedelta(minutes=self.chance.randrange(YEARS // timedelta(minutes=1)))


class MadeUp:
    """Embeddings that look like those of real sentences."""

    def __init__(self, real: Sequence[Embedding]) -> None:
        self._vectors = np.stack([one.vector for one in real])
        self._real = real
        self._numbers = np.random.default_rng(7)

    def draw(self, count: int) -> Iterator[Embedding]:
        """Yield embeddings, each near a real one drawn at random."""
        picked = self._numbers.integers(0, len(self._real), count)
        shape = (count, self._vectors.shape[1])
        near = self._vectors[picked] + self._numbers.normal(0, NOISE, shape).astype(np.float32)
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        for vector, number in zip(near, picked.tolist(), strict=True):
            seed = self._real[number]
            yield Embedding(vector, self._flipped(seed.token_bits), seed.token_ids)

    def _flipped(self, bits: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
        """Return token vectors with some of their signs turned."""
        if bits is None:
            return None
        mask = self._numbers.integers(0, 256, (3, *bits.shape), np.uint8)
        return np.asarray(bits ^ (mask[0] & mask[1] & mask[2]), np.uint8)


def _pages(first: int, last: int) -> Iterator[range]:
    for start in range(first, last, PAGE):
        yield range(start, min(start + PAGE, last))


def _memories(store: Store, draw: Draw, first: int, last: int) -> Generator[Progress, None, None]:
    rows = store.memories
    for page in _pages(first, last):
        yield Progress("Writing memories", page.start, last)
        with store.transaction():
            for number in page:
                at = draw.moment()
                memory = Memory(
                    id=new_id(at),
                    text=f"{draw.sentence(5, 14)} {number}",
                    created_at=at,
                    updated_at=at,
                    agent_pk=DEFAULT_SCOPE.agent_pk,
                    origin=Origin.USER_TYPED,
                )
                note = Note(actor="user", op="insert", batch=f"bench-{page.start}")
                rows.insert(memory, (), note)


def _messages(store: Store, draw: Draw, total: int) -> Generator[Progress, None, None]:
    rows = store.conversations
    for page in _pages(0, total):
        yield Progress("Writing messages", page.start, total)
        with store.transaction():
            talk = rows.create(DEFAULT_SCOPE.agent_pk, created_at=draw.moment())
            for _ in page:
                part = Part(draw.sentence(8, 40), PartOrigin.TYPED)
                store.messages.add(talk.id, Role.USER, (part,), created_at=draw.moment())
