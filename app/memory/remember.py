"""Learn from what the person types, and keep what they ask to be kept.

Only the person's own typed words are evidence. What the assistant said, what was pasted or
attached, and what was recalled can be understood by, but proves nothing; so no memory can confirm
itself by being quoted back. The person may still ask for such a text to be kept: it is then trusted
as far as they vouched for it, with the origin it has and a link to its message in place of a quote.

The grammar is imported where it is first needed: compiling its patterns would delay the window.
"""

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Protocol

from app.domain.changes import Changes
from app.domain.conversation import Conversation, Message, PartOrigin, Role
from app.domain.ids import Clock, new_id
from app.domain.memory import Candidate, MemoryType, Origin, Scope, Trust
from app.domain.text import clipped, normalise
from app.errors import Cancelled, ModelError, NotFound, Refused
from app.memory import novelty
from app.memory.amend import Amender
from app.memory.filing import Filed, Filing, Source
from app.memory.screen import Verdict, screen
from app.providers.base import ChatInfo, ChatModel, Embedder, Embedding, Purpose
from app.settings.spec import Settings
from app.store.conversations import Conversations
from app.store.entities import canonical_key
from app.store.journal import Journal
from app.store.memories import Memories
from app.store.tombstones import Tombstones
from app.store.vault import Vault
from app.store.vectors import Vectors

log = logging.getLogger(__name__)

_LOOKED_BACK = 200
_MOST_NAMES = 12
_LONGEST = 1000
_ERASED = "[erased]"
_ASKED = "asked to remember"
_ROADS = {
    PartOrigin.PASTED: Origin.DOCUMENT,
    PartOrigin.ATTACHED: Origin.DOCUMENT,
    PartOrigin.TOOL: Origin.TOOL,
    PartOrigin.MODEL: Origin.CONVERSATION,
}


class Models(Protocol):
    """The models that learning may use."""

    @property
    def embedder(self) -> Embedder:
        """Return the embedder in use."""

    def chat_info(self, *, learning: bool = False) -> ChatInfo:
        """Say who learns."""

    def chat(
        self, interactive: bool = True, *, learning: bool = False, cancel: Event | None = None
    ) -> AbstractContextManager[ChatModel]:
        """Lend the model that learns."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was remembered.

    Attributes:
        changes: What views should refresh; empty where nothing was learnt.
        batch: What "Undo" undoes; empty where no row was written.
    """

    changes: Changes = Changes()
    batch: str = ""


class Remember:
    """Turns typed words into memories.

    Args:
        vault: Where everything is kept.
        models: The models in use.
        settings: Returns the settings of the moment.
        clock: The present.
    """

    def __init__(
        self, vault: Vault, models: Models, settings: Callable[[], Settings], clock: Clock
    ) -> None:
        self._vault = vault
        self._models = models
        self._settings = settings
        self._clock = clock
        self._conversations = Conversations(vault)
        self._memories = Memories(vault)
        self._journal = Journal(vault)
        self._tombstones = Tombstones(vault)
        self._vectors = Vectors(vault)
        self._filing = Filing(vault, clock)
        self._amender = Amender(vault)

    def learn(self, message_id: str, cancel: Event) -> Learned:
        """Remember what a message states; a second run changes nothing.

        A message that does not exist any more teaches nothing.

        Raises:
            Cancelled: ``cancel`` was set, or the model was needed elsewhere; nothing was kept.
        """
        try:
            message = self._conversations.message(message_id)
            talk = self._conversations.get(message.conversation_id)
        except NotFound:
            return Learned()
        if not self._may_learn(message, talk):
            return Learned()
        agent_pk = talk.agent_pk
        found = self._found(message, agent_pk, cancel)
        whole = [self._amender.completed(candidate, agent_pk) for candidate in found]
        candidates = [candidate for candidate in whole if self._may_keep(candidate, message)]
        return self._keep(candidates, message, agent_pk)

    def remember_text(
        self,
        text: str,
        *,
        type: MemoryType | None = None,  # noqa: A002 - the field's name
        key: str | None = None,
        value: Any = None,
        tags: Sequence[str] = (),
        pinned: bool = False,
    ) -> Learned:
        """Remember what the person wrote for this very purpose, as one memory.

        Raises:
            Refused: There is nothing in it, or it must not be stored.
        """
        from app.memory.extract.statements import noted

        now = self._clock()
        candidate = noted(_something(text), now.astimezone())
        if type is not None and (type is not MemoryType.SEMANTIC or candidate.key is None):
            candidate = replace(candidate, type=type)
        if key:
            candidate = replace(candidate, key=key, value=value, extra={})
        source = Source(Origin.USER_TYPED, now, new_id(now), tags=tuple(tags), pinned=pinned)
        return self._file([(candidate, source)])

    def remember_selection(self, message_id: str, selection: str = "") -> Learned:
        """Remember a message, or the part of it that was selected, because the person asked.

        What they typed is understood like a note of theirs. Any other text is kept as it stands,
        as a fact and never as an instruction.

        Raises:
            NotFound: The message does not exist any more.
            Refused: There is nothing in it, or it must not be stored.
        """
        from app.memory.extract.statements import noted, statements

        message = self._conversations.message(message_id)
        talk = self._conversations.get(message.conversation_id)
        whole = message.typed if message.typed.strip() else message.text
        words = clipped(_something(selection or whole), _LONGEST)
        origin = _origin(message, words)
        own = origin is Origin.USER_TYPED
        candidates = [Candidate(text=words, quote=words)]
        if own:
            at = message.created_at.astimezone()
            candidates = statements(words, at) or [noted(words, at)]
        source = Source(
            origin,
            message.created_at,
            new_id(self._clock()),
            message.id,
            talk.agent_pk,
            reason=_ASKED,
            quoted=own,
        )
        return self._file([(candidate, source) for candidate in candidates])

    # -- what may be learnt ------------------------------------------------------------------------

    def _may_learn(self, message: Message, talk: Conversation) -> bool:
        wanted = self._settings().extraction.enabled and talk.mode.learns
        return wanted and message.role is Role.USER and bool(message.typed.strip())

    def _may_keep(self, candidate: Candidate, message: Message) -> bool:
        """Return whether a statement was neither erased, nor taken back, nor is a secret."""
        asked = bool(candidate.extra.get("explicit"))
        verdicts = (screen(t, asked=asked) for t in (candidate.text, candidate.quote))
        if Verdict.REFUSED in verdicts or _ERASED in candidate.quote:
            return False
        if self._tombstones.has(candidate.text) or self._tombstones.has(candidate.quote):
            return False
        start = message.text.find(candidate.quote)
        end = start + len(candidate.quote)
        spans = [] if message.redacted else self._tombstones.spans(message.id)
        return not (start >= 0 and any(a < end and start < b for a, b in spans))

    # -- what a message says -----------------------------------------------------------------------

    def _found(self, message: Message, agent_pk: int, cancel: Event) -> list[Candidate]:
        from app.memory.extract.pretence import after_the_end, still_on
        from app.memory.extract.statements import plays_a_part, statements

        earlier = self._conversations.before(message.id)[-_LOOKED_BACK:]
        typed = message.typed
        if still_on((m.role is Role.USER, _own(m)) for m in earlier):
            typed = after_the_end(typed)
        if not typed:
            return []
        asked = earlier[-1].text if earlier and earlier[-1].role is Role.ASSISTANT else ""
        at = message.created_at.astimezone()
        people = self._known_people(typed, Scope(agent_pk))
        found = statements(typed, at, asked=asked, known=people)
        if plays_a_part(typed):
            return found
        if not found and (amended := self._amender.amended(typed, earlier)):
            found = [amended]
        return found + _beyond(found, self._proposed(typed, message, asked, cancel))

    def _proposed(self, typed: str, message: Message, asked: str, cancel: Event) -> list[Candidate]:
        from app.memory import llm_extract

        limit = self._settings().extraction.max_facts_per_turn
        try:
            if not self._models.chat_info(learning=True).weights:
                return []
            with self._models.chat(False, learning=True, cancel=cancel) as model:
                at = message.created_at.astimezone()
                return llm_extract.proposals(model, typed, at, limit, cancel, answer=asked)
        except Cancelled:
            raise
        except ModelError as error:
            log.info("the learning model is out of reach (%s)", type(error).__name__)
            return []

    def _known_people(self, typed: str, scope: Scope) -> frozenset[str]:
        """Return the names in a message that memories have introduced as somebody's."""
        from app.memory.extract.subjects import CAPITALISED

        names = list(dict.fromkeys(re.findall(CAPITALISED, typed)))[:_MOST_NAMES]
        return frozenset(name for name in names if self._is_known(name, scope))

    def _is_known(self, name: str, scope: Scope) -> bool:
        from app.memory.extract.subjects import people_in

        about = self._memories.with_entity(canonical_key(name), scope, 20)
        return any(
            person.name == name
            for memory in about
            for person in people_in(re.sub(r"\b[Yy]our\b", "my", memory.text))
        )

    # -- keeping it --------------------------------------------------------------------------------

    def _keep(self, candidates: Sequence[Candidate], message: Message, agent_pk: int) -> Learned:
        """File what a message states, except what was written from it before."""
        done = [
            str(entry.after.get("text", ""))
            for entry in self._journal.of_message(message.id)
            if entry.op == "insert" and entry.after.get("origin") != Origin.DOCUMENT
        ]
        batch = new_id(self._clock())
        pairs = []
        for candidate in candidates:
            if any(novelty.says_no_more(candidate.text, text) for text in done):
                continue
            explicit = candidate.extra.get("explicit") or candidate.instruction
            origin = Origin.USER_TYPED if explicit else Origin.CONVERSATION
            source = Source(origin, message.created_at, batch, message.id, agent_pk)
            pairs.append((candidate, source))
        return self._file(pairs, asked=False)

    def _file(self, pairs: Sequence[tuple[Candidate, Source]], *, asked: bool = True) -> Learned:
        if not pairs:
            return Learned()
        settings = self._settings().extraction
        embeddings, embedder_pk = self._embedded([candidate.text for candidate, _ in pairs])
        filed: list[Filed] = []
        with self._vault.write():
            for (candidate, source), embedding in zip(pairs, embeddings, strict=True):
                judged = _judged(candidate, source, asked=asked)
                near = self._filing.neighbours(embedding, embedder_pk, source.agent_pk)
                one = self._filing.file(candidate, judged, settings, near)
                self._filing.embed(one, embedding, embedder_pk)
                filed.append(one)
        return _learned(filed, pairs[0][1].batch)

    def _embedded(self, texts: Sequence[str]) -> tuple[list[Embedding | None], int]:
        """Embed statements for comparison; without an embedder only equal texts are the same."""
        try:
            embedder = self._models.embedder
            found = embedder.embed(texts, Purpose.PASSAGE)
            embedder_pk = self._vectors.use(embedder.info.id, embedder.info.dims)
        except ModelError as error:
            log.info("statements were compared by their words (%s)", type(error).__name__)
            return [None] * len(texts), 0
        return list(found), embedder_pk


def _own(message: Message) -> str:
    return message.typed if message.role is Role.USER else message.text


def _something(text: str) -> str:
    if not text.strip():
        raise Refused("There is nothing to remember in an empty text.")
    return text.strip()


def _origin(message: Message, words: str) -> Origin:
    """Say by which road words of a message came in."""
    said = normalise(words)
    if message.role is Role.USER and said in normalise(message.typed):
        return Origin.USER_TYPED
    others = [part for part in message.parts if part.origin is not PartOrigin.TYPED]
    holding = [part for part in others if said in normalise(part.text)] or others
    return _ROADS[holding[0].origin] if holding else Origin.CONVERSATION


def _judged(candidate: Candidate, source: Source, *, asked: bool) -> Source:
    """Return the source with the trust that the text deserves.

    Raises:
        Refused: The text must not be stored, and the person should know.
    """
    asked = asked or bool(candidate.extra.get("explicit"))
    verdict = screen(f"{candidate.text}\n{candidate.quote}", asked=asked)
    if verdict is Verdict.REFUSED:
        raise Refused("This looks like a key or a harmful command; Loci does not store such texts.")
    return replace(source, trust=Trust.EXTERNAL) if verdict is Verdict.SUSPICIOUS else source


def _beyond(plain: Sequence[Candidate], proposed: Sequence[Candidate]) -> list[Candidate]:
    """Return the proposals that say more than the grammar understood of the same words."""
    new: list[Candidate] = []
    for candidate in proposed:
        quote = normalise(candidate.quote)
        same = [p for p in plain if quote in normalise(p.quote) or normalise(p.quote) in quote]
        known = frozenset[str]().union(*(novelty.content(p.text).words for p in same))
        words = novelty.content(candidate.text).words
        if not words or 2 * len(words & known) >= len(words):
            continue
        new.append(candidate)
    return new


def _learned(filed: Sequence[Filed], batch: str) -> Learned:
    written = any(one.written for one in filed)
    touched = {one.memory.id for one in filed} | {i for one in filed for i in one.replaced}
    batches = frozenset({batch}) if written else frozenset[str]()
    return Learned(Changes(memories=frozenset(touched), batches=batches), batch if written else "")
