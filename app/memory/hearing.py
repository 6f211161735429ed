"""Hear what messages of the person state, by grammar alone, in the light of what led up to them.

What is said in a game of pretence states nothing, a short answer counts with its question, and a
name counts as somebody's once a memory has introduced them.

The grammar is imported where it is first needed, as in ``remember``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.domain.conversation import Message, Role
from app.domain.memory import Candidate, Scope
from app.store.conversations import Conversations
from app.store.entities import Entities, canonical_key
from app.store.memories import Memories
from app.store.vault import Vault

LOOKED_BACK = 200
_NEAR = 12
_BRANCHES = 512
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Said:
    """A message and what led up to it.

    Attributes:
        message: The message.
        earlier: The last few before it on its branch, oldest first.
        pretending: Whether a game of pretence is on when it begins.
    """

    message: Message
    earlier: tuple[Message, ...] = ()
    pretending: bool = False

    @property
    def asked(self) -> str:
        """What the assistant said just before."""
        last = self.earlier[-1] if self.earlier else None
        return last.text if last is not None and last.role is Role.ASSISTANT else ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a message states.

    Attributes:
        said: The message and what led up to it.
        agent_pk: Whom it was said to.
        typed: Its words that may count; empty where all of them belong to a game.
        candidates: What the words state, in order.
        plays: Whether it begins a game or a piece of fiction.
    """

    said: Said
    agent_pk: int
    typed: str = ""
    candidates: tuple[Candidate, ...] = ()
    plays: bool = False


@dataclass(slots=True)
class People:
    """Whose names are known: those that memories have introduced, and those just met.

    Attributes:
        memories: Where memories are.
        entities: The names they mention.
        scope: Whose they are.
    """

    memories: Memories
    entities: Entities
    scope: Scope
    _known: dict[str, bool] = field(default_factory=dict)

    def named_in(self, typed: str) -> frozenset[str]:
        """Return the names in a message that are known as somebody's."""
        from app.memory.extract.subjects import CAPITALISED

        names = list(dict.fromkeys(re.findall(CAPITALISED, typed)))[:_MOST_NAMES]
        new = {name: canonical_key(name) for name in names if name not in self._known}
        mentioned = self.entities.mentioned(new.values(), self.scope.agent_pk) if new else set()
        for name, key in new.items():
            about = self.memories.with_entity(key, self.scope, 20) if key in mentioned else ()
            self._known[name] = any(name in _introduced(memory.text) for memory in about)
        return frozenset(name for name in names if self._known[name])

    def meet(self, text: str) -> None:
        """Know from now on whom a statement introduces."""
        self._known |= dict.fromkeys(_introduced(text), True)


class Hearing:
    """Hears messages of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._conversations = Conversations(vault)
        self._memories = Memories(vault)
        self._entities = Entities(vault)

    def said(self, message: Message) -> Said:
        """Return a message with what led up to it."""
        from app.memory.extract.pretence import still_on

        earlier = self._conversations.before(message.id, LOOKED_BACK)
        pretending = still_on((m.role is Role.USER, _own(m)) for m in earlier)
        return Said(message, tuple(earlier[-_NEAR:]), pretending)

    def people(self, agent_pk: int) -> People:
        """Return who is known, for messages that are heard together."""
        return People(self._memories, self._entities, Scope(agent_pk))

    def heard(self, said: Said, people: People) -> Heard:
        """Return what a message states."""
        from app.memory.extract.pretence import after_the_end
        from app.memory.extract.statements import plays_a_part, statements

        typed, agent_pk = said.message.typed, people.scope.agent_pk
        if said.pretending:
            typed = after_the_end(typed)
        if not typed.strip():
            return Heard(said, agent_pk)
        at = said.message.created_at.astimezone()
        found = statements(typed, at, asked=said.asked, known=people.named_in(typed))
        for candidate in found:
            people.meet(candidate.text)
        return Heard(said, agent_pk, typed, tuple(found), plays_a_part(typed))


def in_order(messages: Iterable[Message]) -> Iterator[Said]:
    """Yield the messages of one conversation with what led up to each.

    Args:
        messages: From the first on; each after the one it answers.
    """
    from app.memory.extract.pretence import after

    left: dict[str, int] = {}
    near: dict[str, tuple[Message, ...]] = {}
    for message in messages:
        parent = message.parent_id or ""
        before, earlier = left.get(parent, 0), near.get(parent, ())
        yield Said(message, earlier, before > 0)
        person = message.role is Role.USER
        left[message.id] = after(before, person=person, text=_own(message))
        near[message.id] = (*earlier, message)[-_NEAR:]
        if len(near) > _BRANCHES:
            near.pop(next(iter(near)))


def _own(message: Message) -> str:
    return message.typed if message.role is Role.USER else message.text


def _introduced(text: str) -> frozenset[str]:
    """Return the names of people and animals that a memory introduces."""
    from app.memory.extract.subjects import CAPITALISED, people_in
    from app.memory.extract.vocabulary import PEOPLE, PETS

    own = re.sub(r"\b[Yy]our\b", "my", text)
    found = {person.name for person in people_in(own) if person.name}
    names = rf"(?P<names>{CAPITALISED}(?:(?:,| and|, and) {CAPITALISED})*)"
    for form in (
        rf"\b(?P<noun>[a-z][a-z-]*)(?:(?:,| is| are)? (?:called|named)|'s name is) {names}",
        rf"\b(?P<noun>[a-z][a-z-]*), {names}$",
        rf"^{names} (?:is|are) my (?:[a-z-]+ )?(?P<noun>[a-z-]+)\b",
    ):
        said = re.search(form, own)
        if said and said["noun"] in PEOPLE | PETS:
            found.update(re.findall(CAPITALISED, said["names"]))
    return frozenset(found)
