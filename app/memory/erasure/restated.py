"""Find what says the same as a statement in other words: memories and sentences of messages.

Likeness in meaning nominates and the judge decides, as where a statement is learnt. What the judge
does not take for the same, though it is very like it, is left for the person to decide. Here every
memory counts, whatever its status and trust. Of letters that the models were not taught they tell
nothing, so that such statements are sought by their words alone.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.domain.language.text import ERASED
from app.domain.memory import Scope, Status, Trust
from app.memory.change.comparing import NOMINATED, Relation
from app.memory.change.superseding import SAYS_THE_SAME
from app.memory.text import scripts
from app.memory.text.distinctive import marks, sentences
from app.memory.text.novelty import content
from app.memory.text.whom import of_another
from app.providers.base import Embedder, Purpose, Understanding, Vector
from app.providers.judging import Task
from app.store.store import Store

MOST = 60
NEAR, MOST_NEAR = 12, 60
VERY_LIKE = 0.72
_SHORTEST = 2  # words that say something


class _Row(Protocol):
    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=_Row)


@dataclass(frozen=True, slots=True)
class Restatement:
    """A sentence that says what goes.

    Attributes:
        id: Of the message or memory that it stands in.
        message: Whether that is a message.
        text: The sentence.
        sure: Whether the judge takes it for the same.
    """

    id: str
    message: bool
    text: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Restatements:
    """What says one of some statements.

    Attributes:
        found: The sentences.
        crowded: For how many statements there were more rows close to it than were looked at.
        unread: How many statements are in letters that the models were not taught.
    """

    found: list[Restatement]
    crowded: int
    unread: int


class Restated:
    """Looks for restatements in a vault.

    Args:
        embedder, models: Return the models in use.
    """

    def __init__(
        self,
        store: Store,
        embedder: Callable[[], Embedder],
        models: Callable[[], Understanding],
        clock: Clock,
    ) -> None:
        self._vectors = store.vectors
        self._memories = store.memories
        self._holding = store.holding
        self._embedder, self._models, self._clock = embedder, models, clock

    def of(
        self, statements: Sequence[str], agent_pk: int, listed: Collection[str] = ()
    ) -> Generator[Progress, None, Restatements]:
        """Return what says one of some statements, of which only the first ``MOST`` are looked at.

        Args:
            statements: The statements.
            agent_pk: Whose rows are looked at.
            listed: Ids of rows that were found already: they keep no others from being looked at.

        Raises:
            AppError: The models do not answer.
        """
        looked_at = list(dict.fromkeys(statements))[:MOST]
        chosen = [statement for statement in looked_at if not _is_unread(statement)]
        found: list[Restatement] = []
        crowded = 0
        embedder = self._embedder()
        pk = self._vectors.use(embedder.info.id, embedder.info.dims)
        for number, statement in enumerate(chosen):
            yield Progress("Looking for the same in other words", number, len(chosen))
            vector = embedder.embed([statement], Purpose.PASSAGE)[0].vector
            near, full = self._near(vector, pk, Scope(agent_pk), listed)
            crowded += full
            found += self._judged(statement, vector, near, embedder)
        return Restatements(found, crowded, len(looked_at) - len(chosen))

    def _near(
        self, vector: Vector, embedder_pk: int, scope: Scope, listed: Collection[str]
    ) -> tuple[list[Restatement], bool]:
        """Return the sentences of the rows most like a statement, not judged yet.

        Returns:
            The sentences, and whether there may be more such rows than were looked at.
        """

        def rows(kind: str, status: Status = Status.ACTIVE) -> list[int]:
            found = self._vectors.nearest(
                kind,
                vector,
                MOST_NEAR,
                embedder_pk=embedder_pk,
                scope=scope,
                now=self._clock(),
                trusts=frozenset(Trust),
                status=status,
            )
            return [pk for pk, likeness in found if likeness >= NOMINATED]

        kept = [_first(self._memories.of_rows(rows("memory", one)), listed) for one in Status]
        messages, full = _first(self._holding.messages_of_rows(rows("message")), listed)
        return [
            *(Restatement(m.id, False, m.text, False) for found, _ in kept for m in found),
            *(
                Restatement(m.id, True, said, False)
                for m in messages
                for _, _, said in sentences(m.text)
                if ERASED not in said and len(content(said).words) >= _SHORTEST
            ),
        ], full or any(more for _, more in kept)

    def _judged(
        self, statement: str, vector: Vector, near: Sequence[Restatement], embedder: Embedder
    ) -> list[Restatement]:
        near = [one for one in near if not _is_unread(one.text)]
        if not near:
            return []
        read = embedder.embed([one.text for one in near], Purpose.PASSAGE)
        likeness = [float(one.vector @ vector) for one in read]
        asked = [(one, like) for one, like in zip(near, likeness, strict=True) if like >= NOMINATED]
        pairs = [(statement, one.text) for one, _ in asked]
        back = [(text, said) for said, text in pairs]
        if not pairs:
            return []
        chances = self._models().judge(Task.COMPARE, [*pairs, *back])
        same = [float(chance) for chance in chances[:, list(Relation).index(Relation.SAME)]]
        return [
            Restatement(one.id, one.message, one.text, sure)
            for (one, like), there, here in zip(
                asked, same[: len(asked)], same[len(asked) :], strict=True
            )
            if (sure := _same(statement, one.text, max(there, here))) or like >= VERY_LIKE
        ]


def _first(rows: Iterable[R], listed: Collection[str]) -> tuple[list[R], bool]:
    """Return rows until ``NEAR`` of them are not listed, and whether there were more."""
    found: list[R] = []
    new = 0
    for row in rows:
        new += row.id not in listed
        if new > NEAR:
            return found, True
        found.append(row)
    return found, len(found) >= MOST_NEAR


def _same(statement: str, text: str, chance: float) -> bool:
    """Return whether two sentences say the same, with the same numbers and of the same names."""
    numbers = [{w for w in content(one).words if w[0].isdigit()} for one in (statement, text)]
    alike = chance >= SAYS_THE_SAME and numbers[0] == numbers[1]
    return alike and not of_another(statement, text) and not _named_otherwise(statement, text)


def _named_otherwise(statement: str, text: str) -> bool:
    """Return whether each of two sentences has a name or a number that the other has not."""
    mine, theirs = ({mark.casefold() for mark in marks(one)} for one in (statement, text))
    return bool(mine - theirs and theirs - mine)


def _is_unread(text: str) -> bool:
    """Return whether most letters of a text are of a script that the models were not taught."""
    letters, read = (sum(map(str.isalpha, one)) for one in (text, scripts.latin(text)))
    return 2 * read < letters
