"""Keep every memory and message findable: embed what has no vector yet, link it to its names.

Rows are embedded by the embedder in use, oldest gap first, in small batches; each batch is
committed by itself, so the work can be stopped and taken up again at any point. Names come before
vectors: what has its vectors is finished, and whatever was broken off lacks them.
"""

from collections.abc import Callable, Generator, Sequence
from threading import Event

from app.domain.model import EmbeddingStatus
from app.domain.progress import Progress
from app.providers.base import Embedder, Purpose
from app.store.entities import Entities
from app.store.vectors import Vectors

BATCH = 32
KINDS = ("memory", "message")


class Indexer:
    """Embeds what is missing.

    Args:
        vectors: Where vectors are kept.
        embedder: Returns the embedder in use.
        entities: Where the names that memories mention are kept; None to read no names.
    """

    def __init__(
        self,
        vectors: Vectors,
        embedder: Callable[[], Embedder],
        entities: Entities | None = None,
    ) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._entities = entities

    def status(self) -> EmbeddingStatus:
        """Return how much the embedder in use has still to do."""
        info = self._embedder().info
        total, missing, stale = self._vectors.status(self._vectors.use(info.id, info.dims))
        return EmbeddingStatus(info.id, total, missing, stale)

    def run(self, cancel: Event) -> Generator[Progress, None, int]:
        """Embed everything that is missing; return how many rows were embedded.

        Raises:
            ModelError: The embedder does not answer; what was embedded so far is kept.
        """
        embedder = self._embedder()
        info = embedder.info
        embedder_pk = self._vectors.use(info.id, info.dims)
        done = missing = 0
        for kind in KINDS:
            after = 0
            while not cancel.is_set():
                rows = self._vectors.missing(kind, embedder_pk, BATCH, after)
                if not rows:
                    break
                after, missing = rows[-1][0], missing or self._vectors.status(embedder_pk)[1]
                texts = [text for _, text in rows]
                found = embedder.embed(texts, Purpose.PASSAGE)
                pairs = list(zip((pk for pk, _ in rows), found, strict=True))
                self._link(kind, rows)
                self._vectors.put(kind, pairs, embedder_pk, texts)
                done += len(rows)
                yield Progress("Indexing by meaning", done, max(missing, done))
        return done

    def _link(self, kind: str, rows: Sequence[tuple[int, str]]) -> None:
        """Link memories that are new here, or have a new text, to the names in it."""
        if self._entities is None or kind != "memory":
            return
        from app.memory.extract.mentions import mentioned

        self._entities.link_new((pk, mentioned(text)) for pk, text in rows)
