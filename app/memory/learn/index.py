"""Keep every memory and message findable: embed what has no vector yet, link it to its names.

Rows are embedded by the embedder in use, oldest gap first, in small batches; each batch is
committed by itself, so the work can be stopped and taken up again at any point. Names come first:
they need no model, so they are there also where the embedder is slow or does not answer. What has
its vectors is finished, and whatever was broken off lacks them.

What an earlier embedder made is removed once nothing waits for the one in use.
"""

from collections.abc import Callable, Generator, Sequence
from threading import Event

from app.domain.jobs.progress import Progress
from app.domain.language.text import without_mark
from app.domain.model import EmbeddingStatus
from app.errors import ModelError
from app.providers.base import Embedder, Purpose
from app.store.entities import Entities
from app.store.index.vectors import Vectors

BATCH = 32
PAGE = 256
KINDS = ("memory", "message")


class Indexer:
    """Embeds what is missing.

    Args:
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

    def outdated(self) -> str:
        """Return the embedder in use where only an earlier one read some rows, else nothing."""
        info = self._embedder().info
        embedder_pk = self._vectors.use(info.id, info.dims)
        if self._vectors.alone(embedder_pk):
            return ""
        missing = any(self._vectors.missing(kind, embedder_pk, 1) for kind in KINDS)
        return info.id if missing else ""

    def run(self, cancel: Event, *, fresh: bool = False) -> Generator[Progress, None, int]:
        """Embed everything that is missing; return how many rows were embedded.

        Args:
            cancel: Set to stop early.
            fresh: Whether to leave out what an earlier embedder read.

        Raises:
            ModelError: The embedder does not answer; what was embedded so far is kept.
        """
        try:
            info = self._embedder().info
        except ModelError:
            yield from self._link_all(cancel)
            raise
        embedder_pk = self._vectors.use(info.id, info.dims)
        if self._vectors.missing("memory", embedder_pk, 1):
            yield from self._link_all(cancel)
        done = yield from self._embed(embedder_pk, cancel, fresh=fresh)
        yield from self._shed(info.id, embedder_pk, cancel)
        return done

    def _embed(
        self, embedder_pk: int, cancel: Event, *, fresh: bool
    ) -> Generator[Progress, None, int]:
        embedder = self._embedder()
        done = missing = 0
        for kind in KINDS:
            after = 0
            while not cancel.is_set():
                rows = self._vectors.missing(kind, embedder_pk, BATCH, after, fresh=fresh)
                if not rows:
                    break
                after, missing = rows[-1][0], missing or self._waiting(embedder_pk, fresh=fresh)
                texts = [text for _, text in rows]
                found = embedder.embed([*map(without_mark, texts)], Purpose.PASSAGE)
                pairs = list(zip((pk for pk, _ in rows), found, strict=True))
                if kind == "memory":
                    self._link(rows)  # what changed since all were linked
                self._vectors.put(kind, pairs, embedder_pk, texts)
                done += len(rows)
                yield Progress("Indexing by meaning", done, max(missing, done))
        return done

    def _waiting(self, embedder_pk: int, *, fresh: bool) -> int:
        _, missing, stale = self._vectors.status(embedder_pk)
        return missing - stale if fresh else missing

    def _link_all(self, cancel: Event) -> Generator[Progress, None, None]:
        """Link all memories that are new here, or have a new text, without embedding them."""
        if self._entities is None:
            return
        after = 0
        while not cancel.is_set() and (rows := self._vectors.untouched(PAGE, after)):
            after = rows[-1][0]
            self._link(rows)
            yield Progress("Linking names")

    def _link(self, rows: Sequence[tuple[int, str]]) -> None:
        """Link memories that are linked to nothing yet to the names in their text."""
        if self._entities is None:
            return
        from app.memory.text.names import mentioned

        named = [(pk, names) for pk, text in rows if (names := mentioned(text))]
        if named:
            self._entities.link_new(named)

    def _shed(
        self, embedder_id: str, embedder_pk: int, cancel: Event
    ) -> Generator[Progress, None, None]:
        """Remove what other embedders made, unless anything still waits for the one in use."""
        if self._vectors.alone(embedder_pk):
            return
        if any(self._vectors.missing(kind, embedder_pk, 1) for kind in KINDS):
            return
        while not cancel.is_set() and self._embedder().info.id == embedder_id:
            if not self._vectors.shed(embedder_pk, PAGE):
                return
            yield Progress("Removing what an earlier model had indexed")
