"""Keep the marks that judges gave answers, with the answers: they go with them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from app.domain.ids import new_id, to_ms
from app.domain.language.foreign import number_of, storable
from app.domain.prompting.judge import HIGHEST, LOWEST, AnswerScore, ScoredDay
from app.store.vault import rows
from app.store.vault.connection import Row
from app.store.vault.file import Vault


class AnswerScores:
    """The marks of a vault's answers."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def put(self, message_id: str, judge: str, scores: Sequence[AnswerScore]) -> None:
        """Keep what a judge says of an answer, in place of what it said before.

        Of an answer that is gone nothing is kept.
        """
        now = self._vault.clock()
        with self._vault.write() as connection:
            connection.execute(
                "DELETE FROM scores WHERE judge = ?"
                " AND message_pk = (SELECT pk FROM messages WHERE id = ?)",
                (storable(judge), message_id),
            )
            connection.executemany(
                "INSERT INTO scores (id, message_pk, judge, judge_model, criterion, score,"
                " reasoning, created_at) SELECT ?, pk, ?, ?, ?, ?, ?, ? FROM messages WHERE id = ?",
                [(new_id(now), *_columns(one), to_ms(now), message_id) for one in scores],
            )

    def of_conversation(self, conversation_id: str) -> Mapping[str, Sequence[AnswerScore]]:
        """Return the marks of every answer of a conversation, by the answer's id."""
        found: dict[str, list[AnswerScore]] = {}
        for row in self._vault.rows(
            "SELECT s.*, x.id AS message_id FROM scores AS s"
            " JOIN messages AS x ON x.pk = s.message_pk"
            " JOIN conversations AS c ON c.pk = x.conversation_pk"
            " WHERE c.id = ? ORDER BY s.message_pk, s.pk",
            (conversation_id,),
        ):
            found.setdefault(row["message_id"], []).append(_score(row))
        return found

    def by_day(self, since: datetime) -> Sequence[ScoredDay]:
        """Return what the answers given since a moment were marked, by agent and local day."""
        marks: dict[tuple[str, date], list[float]] = {}
        answers: dict[tuple[str, date], set[int]] = {}
        for row in self._vault.rows(
            "SELECT s.score, s.message_pk, x.created_at, a.name FROM scores AS s"
            " JOIN messages AS x ON x.pk = s.message_pk JOIN agents AS a ON a.pk = x.agent_pk"
            " WHERE x.created_at >= ? ORDER BY x.agent_pk, x.created_at",
            (to_ms(since),),
        ):
            day = rows.near(row["created_at"]).astimezone().date()
            key = rows.words(row["name"]), day
            marks.setdefault(key, []).append(_mark(row))
            answers.setdefault(key, set()).add(row["message_pk"])
        return [
            ScoredDay(*key, sum(found) / len(found), len(answers[key]))
            for key, found in marks.items()
        ]


def _columns(one: AnswerScore) -> tuple[object, ...]:
    texts = one.judge, one.model, one.criterion
    return (*map(storable, texts), one.score, storable(one.reasoning))


def _score(row: Row) -> AnswerScore:
    return AnswerScore(
        rows.words(row["judge"]),
        rows.words(row["criterion"]),
        _mark(row),
        rows.words(row["reasoning"]),
        rows.words(row["judge_model"]),
    )


def _mark(row: Row) -> float:
    """Return a mark, also where something else than Loci put another value there."""
    try:
        return min(HIGHEST, max(LOWEST, float(number_of(row["score"]))))
    except ValueError:
        return LOWEST
