"""Read who wrote what and when, and what each memory rests on, down to the messages."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby

from app.domain.history import Burst, LineageKind, MemoryOrigin, Writer
from app.domain.ids import from_ms
from app.store.vault import rows
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault

MANY = 30
SHORT = timedelta(minutes=10)
DEEPEST = 20

_SAID = (
    "SELECT x.id, x.created_at, c.id AS conversation_id, c.title,"
    " CASE WHEN x.redacted OR e.quote = '' THEN x.text ELSE e.quote END AS text"
    " FROM evidence AS e JOIN messages AS x ON x.pk = e.message_pk"
    " JOIN conversations AS c ON c.pk = x.conversation_pk WHERE e.memory_pk = ?"
    " ORDER BY e.created_at, e.pk"
)


class Audit:
    """Who wrote the memories of a vault, and what they rest on."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def totals(self) -> tuple[int, int, int]:
        """Return how many memories there are, how many are in use, and how many changes."""
        with self._vault.read() as connection:
            memories = connection.execute(
                "SELECT count(*), coalesce(sum(status = 'active'), 0) FROM memories"
            ).fetchone()
            changes = connection.execute("SELECT count(*) FROM journal").fetchone()[0]
        return int(memories[0]), int(memories[1]), int(changes)

    def writers(self) -> Sequence[Writer]:
        """Return who wrote memories by which road, those who wrote most first."""
        found = self._vault.rows(
            "SELECT j.actor, m.origin, count(*) AS written, sum(m.status = 'active') AS active,"
            " min(j.at) AS first_at, max(j.at) AS last_at"
            " FROM journal AS j JOIN memories AS m ON m.id = j.memory_id"
            " WHERE j.before = '{}' GROUP BY 1, 2 ORDER BY written DESC, 1, 2"
        )
        return [
            Writer(
                row["actor"],
                row["origin"],
                row["written"],
                row["active"],
                from_ms(row["first_at"]),
                from_ms(row["last_at"]),
            )
            for row in found
        ]

    def bursts(self, many: int = MANY, short: timedelta = SHORT) -> Sequence[Burst]:
        """Return where others than the person wrote more than ``many`` within ``short``."""
        found = self._vault.rows(
            "SELECT actor, at, batch FROM journal WHERE before = '{}' AND actor <> 'user'"
            " ORDER BY actor, at, pk"
        )
        bursts: list[Burst] = []
        for actor, group in groupby(found, lambda row: str(row["actor"])):
            written = list(group)
            for first, last in dense([row["at"] for row in written], many, short):
                bursts.append(_burst(actor, written[first : last + 1]))
        return sorted(bursts, key=lambda burst: burst.last_at, reverse=True)

    def lineage(self, memory_id: str) -> MemoryOrigin:
        """Return what a memory rests on: other memories, and in the end messages.

        A source that was erased is named as gone. What leads back to itself ends there.
        """
        with self._vault.read() as connection:
            return _lineage(connection, memory_id, ())


def dense(times: Sequence[int], many: int, short: timedelta) -> Iterator[tuple[int, int]]:
    """Yield where more than ``many`` of some times lie within ``short``.

    Args:
        times: Milliseconds, in order.
        many: What is not yet too many.
        short: The stretch of time.

    Yields:
        The first and the last place of each run; runs do not overlap.
    """
    width, begin = short // timedelta(milliseconds=1), 0
    run: tuple[int, int] | None = None
    for end, at in enumerate(times):
        while at - times[begin] > width:
            begin += 1
        if end - begin < many:
            continue
        if run is not None and begin > run[1]:
            yield run
            run = None
        run = (begin if run is None else run[0], end)
    if run is not None:
        yield run


def _burst(actor: str, written: Sequence[Row]) -> Burst:
    batches = tuple(dict.fromkeys(row["batch"] for row in written))
    first, last = from_ms(written[0]["at"]), from_ms(written[-1]["at"])
    return Burst(actor, first, last, len(written), batches)


def _lineage(connection: Connection, memory_id: str, above: tuple[str, ...]) -> MemoryOrigin:
    row = connection.execute("SELECT * FROM memories WHERE id = ?", (memory_id,)).fetchone()
    if row is None:
        return MemoryOrigin(LineageKind.GONE, memory_id)
    below = (*above, memory_id)
    sources: list[MemoryOrigin] = []
    if len(below) < DEEPEST:
        made_of = rows.memory(row).source_ids
        sources += [_lineage(connection, one, below) for one in made_of if one not in below]
    sources += _messages(connection, row)
    return MemoryOrigin(
        LineageKind.MEMORY,
        memory_id,
        rows.words(row["text"]),
        rows.near(row["created_at"]),
        row["origin"],
        row["actor"],
        sources=tuple(sources),
    )


def _messages(connection: Connection, row: Row) -> list[MemoryOrigin]:
    """Return the messages that a memory rests on, each once, with the words it is known by."""
    found: dict[str, MemoryOrigin] = {}
    for said in connection.execute(_SAID, (row["pk"],)):
        where = (said["conversation_id"], rows.words(said["title"]))
        at = rows.near(said["created_at"])
        line = MemoryOrigin(
            LineageKind.MESSAGE, said["id"], rows.words(said["text"]), at, "", "", *where
        )
        found.setdefault(line.id, line)
    return list(found.values())
