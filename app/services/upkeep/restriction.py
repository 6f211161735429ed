"""Restrict the processing of what is remembered, and lift that again; both can be undone."""

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.memory import DEFAULT_SCOPE, Memory, Origin, Status, Trust, Visibility
from app.memory.screen.gate import Gate
from app.store.memories import Note
from app.store.store import Store
from app.store.work.restriction import KEY

TEXT = "Processing is restricted"
CATEGORY = "gdpr"


class RestrictionService:
    """Keeps everything as it is, unused, for as long as the person wants.

    While it is restricted, nothing is recalled, put into a prompt, learnt or tidied, and no message
    is taken. What the person does with their memories themselves still works.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._restriction = store.restriction
        self._memories = store.memories
        self._gate = Gate(store)

    @property
    def is_on(self) -> bool:
        """Whether processing is restricted."""
        return self._restriction.is_on

    def expect_none(self) -> None:
        """Go on only where processing is not restricted.

        Raises:
            Refused: It is.
        """
        self._restriction.expect_none()

    def restrict(self) -> Changes:
        """Restrict processing; nothing changes where it is restricted already."""
        note = Note("user", "restrict", new_id(self._clock()))
        with self._store.transaction():
            if self._restriction.is_on:
                return Changes()
            stored = self._gate.insert(self._row(), (), note, typed=True, asked=True)
        return self._changes(stored.id, note)

    def lift(self) -> Changes:
        """Process again, beginning with what has waited."""
        note = Note("user", "lift", new_id(self._clock()))
        with self._store.transaction():
            found = self._memories.by_key(0, KEY)
            if found is None or not self._restriction.is_on:
                return Changes()
            self._memories.update(found.id, {"status": Status.FORGOTTEN}, note)
        return self._changes(found.id, note)

    def _row(self) -> Memory:
        now = self._clock()
        return Memory(
            id=new_id(now),
            text=TEXT,
            created_at=now,
            updated_at=now,
            agent_pk=DEFAULT_SCOPE.agent_pk,
            trust=Trust.SYSTEM,
            origin=Origin.USER_TYPED,
            key=KEY,
            value="true",
            category=CATEGORY,
            visibility=Visibility.GLOBAL,
        )

    def _changes(self, memory_id: str, note: Note) -> Changes:
        ids, batches = frozenset({memory_id}), frozenset({note.batch})
        return Changes(memories=ids, batches=batches, jobs=True)
