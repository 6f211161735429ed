"""Keep the trace of each answer: what was found, what stood in the prompt, what was cited.

Only references and numbers are stored. The texts are read where they live, so that an edited
memory shows as it is now and an erased one is gone from every trace.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.domain.ids import new_id, to_ms
from app.domain.jobs.working import Took
from app.domain.recall import Hit, HitKind, Recall, StoredRecall, TraceStep, changed
from app.errors import NotFound
from app.store import reasons
from app.store.dialect import differs, listed
from app.store.search import Hits, hits
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps, near, words

_RECALL = "SELECT r.*, x.id AS answer_id FROM recalls AS r JOIN messages AS x ON x.pk = r.answer_pk"


@dataclass(frozen=True, slots=True)
class PromptUse:
    """That an answer had something in its prompt.

    Attributes:
        number: By which number it stood there.
        cited: Whether the answer refers to it.
    """

    answer_id: str
    number: int
    cited: bool


class Recalls:
    """The traces of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def save(
        self,
        answer_id: str,
        recall: Recall,
        in_prompt_ids: Sequence[str],
        cited_ids: Sequence[str] = (),
    ) -> StoredRecall:
        """Store the trace of an answer in place of an older one.

        Raises:
            NotFound: The answer does not exist.
        """
        now = self._vault.clock()
        with self._vault.write() as connection:
            row = connection.execute(
                "SELECT pk FROM messages WHERE id = ?", (answer_id,)
            ).fetchone()
            if row is None:
                raise NotFound("This answer no longer exists.")
            connection.execute("DELETE FROM recalls WHERE answer_pk = ?", (row["pk"],))
            cursor = connection.execute(
                "INSERT INTO recalls (id, answer_pk, steps, degraded, milliseconds, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    new_id(now),
                    row["pk"],
                    dumps([*map(asdict, recall.steps), *_taken(recall.took)]),
                    dumps(list(recall.degraded)),
                    recall.milliseconds,
                    to_ms(now),
                ),
            )
            _save_hits(connection, cursor.lastrowid, recall, in_prompt_ids, frozenset(cited_ids))
        stored = self.of_answer(answer_id)
        assert stored is not None
        return stored

    def drop(self, answer_id: str, memory_id: str, why: str) -> None:
        """Note that a memory that was found for an answer is not to count, and why."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE recall_hits SET dropped = ?"
                " WHERE memory_pk = (SELECT pk FROM memories WHERE id = ?) AND recall_pk ="
                " (SELECT r.pk FROM recalls AS r JOIN messages AS x ON x.pk = r.answer_pk"
                " WHERE x.id = ?)",
                (why, memory_id, answer_id),
            )

    def of_answer(self, answer_id: str) -> StoredRecall | None:
        """Return the trace of one answer."""
        with self._vault.read() as connection:
            found = connection.execute(f"{_RECALL} WHERE x.id = ?", (answer_id,)).fetchall()
            return _stored(connection, found).get(answer_id)

    def of_conversation(self, conversation_id: str) -> dict[str, StoredRecall]:
        """Return the traces of a conversation's answers, by the answer's id."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"{_RECALL} JOIN conversations AS c ON c.pk = x.conversation_pk WHERE c.id = ?",
                (conversation_id,),
            ).fetchall()
            return _stored(connection, found)

    def used_in(self, memory_id: str, limit: int = 50) -> list[tuple[str, str, datetime]]:
        """Return conversation id, title and time of answers that had it in their prompt."""
        found = self._vault.rows(
            "SELECT c.id, c.title, x.created_at FROM memories AS m"
            " JOIN recall_hits AS h ON h.memory_pk = m.pk"
            " JOIN recalls AS r ON r.pk = h.recall_pk"
            " JOIN messages AS x ON x.pk = r.answer_pk"
            " JOIN conversations AS c ON c.pk = x.conversation_pk"
            " WHERE m.id = ? AND h.number IS NOT NULL"
            " ORDER BY x.created_at DESC, x.pk DESC LIMIT ?",
            (memory_id, limit),
        )
        return [(row[0], words(row[1]), near(row[2])) for row in found]

    def uses(self, memory_ids: Sequence[str], conversation_id: str = "") -> list[PromptUse]:
        """Return the answers that had memories, or messages of a conversation, in their prompt.

        Answers of that conversation itself are left out; of several uses by one answer, one that it
        cites counts.
        """
        found = self._vault.rows(
            "SELECT x.id, h.number, max(h.cited) AS cited FROM recall_hits AS h"
            " JOIN recalls AS r ON r.pk = h.recall_pk JOIN messages AS x ON x.pk = r.answer_pk"
            " LEFT JOIN memories AS m ON m.pk = h.memory_pk"
            " LEFT JOIN messages AS s ON s.pk = h.message_pk"
            " LEFT JOIN conversations AS c ON c.id = ?2"
            f" WHERE h.number IS NOT NULL AND {differs('x.conversation_pk', 'c.pk')}"
            f" AND (m.id IN {listed('?1')} OR s.conversation_pk = c.pk)"
            " GROUP BY x.pk ORDER BY x.pk",
            (dumps(list(memory_ids)), conversation_id),
        )
        return [PromptUse(row["id"], row["number"], bool(row["cited"])) for row in found]


def _taken(took: Took | None) -> Iterator[dict[str, object]]:
    """Yield what the answer took, which stands behind the steps; nothing where nobody knows."""
    if took is not None:
        yield {"took": asdict(took)}


def _save_hits(
    connection: Connection,
    recall_pk: int,
    recall: Recall,
    in_prompt_ids: Sequence[str],
    cited: frozenset[str],
) -> None:
    number = {hit_id: n for n, hit_id in enumerate(in_prompt_ids, start=1)}
    found = (*recall.hits, *recall.dropped)
    place = {hit.id: ordinal for ordinal, hit in enumerate(found)}
    for ordinal, hit in enumerate(found):
        connection.execute(
            "INSERT INTO recall_hits (recall_pk, ordinal, kind, memory_pk, message_pk, number,"
            " cited, score, base, relevance, lanes, factors, reasons, dropped) VALUES (?, ?, ?,"
            " (SELECT pk FROM memories WHERE id = ?), (SELECT pk FROM messages WHERE id = ?),"
            " ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                recall_pk,
                ordinal,
                hit.kind,
                hit.id if hit.kind is HitKind.MEMORY else None,
                hit.id if hit.kind is HitKind.MESSAGE else None,
                number.get(hit.id),
                int(hit.id in cited),
                hit.score,
                hit.base,
                hit.relevance,
                dumps(dict(hit.lanes)),
                dumps(dict(hit.factors)),
                dumps([*map(reasons.data, hit.reasons), *_settled(hit, place)]),
                hit.dropped,
            ),
        )


def _settled(hit: Hit, place: Mapping[str, int]) -> Iterator[dict[str, object]]:
    """Yield how a contradiction was settled, which stands behind the reasons; mostly nothing.

    Which find was to be preferred is said by its place, for no id may outlive what is erased.
    """
    said: dict[str, object] = {"disputed": reasons.data(hit.disputed)} if hit.disputed else {}
    heir, stored = hit.superseded_by, hit.memory.superseded_by if hit.memory else None
    if heir != stored and (heir is None or heir in place):
        said["heir"] = None if heir is None else place[heir]
    if said:
        yield said


def _stored(connection: Connection, found: Sequence[Row]) -> dict[str, StoredRecall]:
    lines = connection.execute(
        f"SELECT * FROM recall_hits WHERE recall_pk IN {listed()} ORDER BY recall_pk, ordinal",
        (dumps([row["pk"] for row in found]),),
    ).fetchall()
    known = hits(
        connection,
        sorted({line["memory_pk"] for line in lines if line["memory_pk"] is not None}),
        sorted({line["message_pk"] for line in lines if line["message_pk"] is not None}),
    )
    of_recall: dict[int, list[Row]] = {}
    for line in lines:
        of_recall.setdefault(line["recall_pk"], []).append(line)
    return {
        row["answer_id"]: _stored_one(row, of_recall.get(row["pk"], []), known) for row in found
    }


def _stored_one(row: Row, lines: Sequence[Row], known: Hits) -> StoredRecall:
    there = {line["ordinal"]: hit for line in lines if (hit := _known(line, known)) is not None}
    pairs = [(n, _hit(n, there[n["ordinal"]], there)) for n in lines if n["ordinal"] in there]
    numbered = sorted(
        ((line["number"], hit.id, line["cited"]) for line, hit in pairs if line["number"]),
    )
    places = [""] * (numbered[-1][0] if numbered else 0)
    for number, hit_id, _ in numbered:
        places[number - 1] = hit_id
    steps = json.loads(row["steps"])
    took = steps.pop()["took"] if steps and "took" in steps[-1] else None
    return StoredRecall(
        id=row["id"],
        answer_id=row["answer_id"],
        recall=Recall(
            hits=tuple(hit for _, hit in pairs if not hit.dropped),
            dropped=tuple(hit for _, hit in pairs if hit.dropped),
            steps=tuple(TraceStep(**step) for step in steps),
            degraded=tuple(json.loads(row["degraded"])),
            milliseconds=row["milliseconds"],
            took=Took(**took) if took else None,
        ),
        in_prompt=tuple(places),
        cited=tuple(hit_id for _, hit_id, was_cited in numbered if was_cited),
    )


def _known(line: Row, known: Hits) -> Hit | None:
    """Return what a line is about, as it is now; None where it is gone."""
    kind = HitKind(line["kind"])
    pk = line["memory_pk"] if kind is HitKind.MEMORY else line["message_pk"]
    return None if pk is None else known.get((kind, pk))


def _hit(line: Row, hit: Hit, there: Mapping[int, Hit]) -> Hit:
    told = json.loads(line["reasons"])
    said: dict[str, Any] = told.pop() if told and reasons.settles(told[-1]) else {}
    if "heir" in said:
        heir = there.get(said["heir"])
        hit = changed(
            hit,
            superseded_by=heir.id if heir else None,
            replaced_by=heir.text if heir else "",
        )
    return changed(
        hit,
        score=line["score"],
        base=line["base"],
        relevance=line["relevance"],
        lanes=json.loads(line["lanes"]),
        factors=json.loads(line["factors"]),
        reasons=reasons.read_all(told),
        dropped=line["dropped"],
        disputed=reasons.read(said.get("disputed")),
    )
