"""Let memories into the vault, and nothing past the screen: the only hand that writes their words.

Whatever learns, reviews, folds, summarises, imports or edits calls ``insert`` and ``update`` here
in place of those of ``Memories``; ``tests/architecture`` holds that. What is suspicious is kept as
external, with a tag and the reason, and set aside unless the person typed it and asked for it. What
must not be stored is refused with a sentence. Secrets and personal numbers are left out. Tools and
other programs are bound by guardrails as well, and what holds a secret is refused to them.

The patterns are imported where they are first needed: compiling them would delay the window.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.memory import Evidence, Memory, MemoryType, Origin, Status, Trust
from app.domain.reply import NOT_TRUSTED, SET_ASIDE
from app.errors import Refused
from app.memory.archive import listed
from app.memory.screen.grounds import NOT_DRAWN, Grounds, drawn_from
from app.memory.screen.guardrails import MemoryGuard, is_bound
from app.memory.screen.words import ScreenedWords
from app.store.memories import Note
from app.store.store import Store

TAINTED = "security-tainted"
TYPED = frozenset({Origin.USER_TYPED, Origin.USER_EDITED})
_UNVERIFIED = frozenset({Origin.DOCUMENT, Origin.WEB, Origin.TOOL})
_WORDS = frozenset({"text", "value", "type", "source_ids"})
_KINDS = {"type": MemoryType, "trust": Trust, "status": Status, "tags": tuple, "source_ids": tuple}

NOT_TYPED = "a standing instruction that you did not type"


@dataclass(frozen=True, slots=True)
class Screening:
    """What the screen makes of the words of a memory.

    Attributes:
        words: Them, without what must not be stored.
        suspicions: Why they may be an attack; empty where nothing speaks for it.
        left_out: What was left out of them.
    """

    words: ScreenedWords
    suspicions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Screened:
    """A memory as it may be stored.

    Attributes:
        names: The entities it mentions.
        suspicions: What speaks against it.
        said: What the person should know about it, in a sentence; mostly empty.
        left_out: What was left out of its words.
    """

    memory: Memory
    evidence: tuple[Evidence, ...] = ()
    names: tuple[str, ...] = ()
    suspicions: tuple[str, ...] = ()
    said: str = ""
    left_out: tuple[str, ...] = ()


class Gate:
    """Writes memories, once they are screened."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memories = store.memories
        self._grounds = Grounds(store.messages)
        self._guard = MemoryGuard(store)

    def insert(
        self,
        memory: Memory,
        evidence: Sequence[Evidence],
        note: Note,
        *,
        typed: bool | None = None,
        asked: bool = False,
        suspicions: Sequence[str] = (),
        said: str = "",
    ) -> Memory:
        """Store a new memory, as far as the screen lets it in; the journal says what it did.

        Args:
            memory: What is to be stored. Its trust is lowered to that of its sources, and to what
                its origin deserves; it is never raised.
            evidence: What it rests on. A quote of a message must be what the person typed there.
            note: What the journal says.
            typed: Whether it is in the person's own words, put in order by rules alone; None for
                what its origin says. A model's words are never typed.
            asked: Whether the person asked for exactly this to be kept. Then it may hold a
                password, and is not set aside if they also typed it.
            suspicions: What speaks against it already.
            said: What an earlier screening of it said.

        Raises:
            Refused: It must not be stored.
            Conflict: The same text, or the same key, is there already.
        """
        bound = is_bound(note)
        if bound:
            self._guard.expect_new(memory, note)
        screened = self.screened(memory, evidence, typed=typed, asked=asked, suspicions=suspicions)
        note = _noting(note, said or screened.said)
        if not bound:
            return self._memories.insert(screened.memory, screened.evidence, note)
        _expect_no_secret(screened)
        with self._store.transaction():
            self._guard.make_room(screened.memory, note)
            return self._memories.insert(screened.memory, screened.evidence, note)

    def update(
        self,
        memory_id: str,
        changes: Mapping[str, Any],
        note: Note,
        expected_revision: int | None = None,
        *,
        evidence: Sequence[Evidence] = (),
        typed: bool = False,
        asked: bool = False,
    ) -> Memory:
        """Give fields of a memory new values; words among them are screened like a new memory's.

        Args:
            memory_id: Which.
            changes: The new values, by field. A trust among them is the person's own decision.
            note: What the journal says.
            expected_revision: The revision they were made for.
            evidence: What new words rest on, which is kept with them.
            typed: Whether the new words are the person's own.
            asked: Whether the person asked for exactly these to be kept.

        Raises:
            Refused: It must not be stored.
            NotFound: It does not exist.
            Conflict: It was changed since, or another one has that text or key.
        """
        if not _WORDS & changes.keys():
            return self._memories.update(memory_id, changes, note, expected_revision)
        with self._store.transaction():
            old = self._memories.get(memory_id)
            new = replace(old, **{n: _KINDS.get(n, _same)(v) for n, v in changes.items()})
            unchanged = "text" not in changes and old.origin in TYPED
            bound = is_bound(note)
            if bound:
                self._guard.expect_changed(old, new, note)
            screened = self.screened(new, evidence, typed=typed or unchanged, asked=asked)
            if bound:
                _expect_no_secret(screened)
                if old.status is not Status.ACTIVE:
                    self._guard.make_room(screened.memory, note)
            for item in screened.evidence:
                self._memories.add_evidence(memory_id, item)
            wanted = {**changes, **_different(screened.memory, new)}
            if typed and note.actor == "user" and "trust" in changes:
                wanted["trust"] = changes["trust"]
            note = _noting(note, screened.said)
            return self._memories.update(memory_id, wanted, note, expected_revision)

    def screened(
        self,
        memory: Memory,
        evidence: Sequence[Evidence] = (),
        *,
        names: Sequence[str] = (),
        typed: bool | None = None,
        asked: bool = False,
        suspicions: Sequence[str] = (),
    ) -> Screened:
        """Return a memory as it may be stored, without storing it; arguments as in ``insert``.

        Raises:
            Refused: It must not be stored.
        """
        own = memory.origin in TYPED if typed is None else typed
        words = ScreenedWords(
            memory.text,
            tuple(item.quote for item in evidence),
            memory.value,
            memory.key,
            memory.tags,
            tuple(names),
            self._grounds.around(evidence),
        )
        screening = screen(words, typed=own, asked=asked)
        against = dict.fromkeys((*suspicions, *screening.suspicions))
        if memory.type == MemoryType.PROCEDURAL and not (own and memory.origin in TYPED):
            against[NOT_TYPED] = None
        if not own and memory.origin is not Origin.IMPORT:
            against |= dict.fromkeys(self._grounds.against(memory.text, evidence))
        sources = self._memories.by_ids(memory.source_ids) if memory.source_ids else []
        if sources and not own and not _says_what_they_say(memory.text, sources):
            against[NOT_DRAWN] = None
        clean = _with(memory, screening.words)
        clean = _no_more_than_due(clean, sources, evidence, own=own, asked=asked)
        if against:
            active = own and asked and NOT_TYPED not in against
            clean = _set_aside(clean, _each_once(against), active=active)
        quoted = zip(evidence, screening.words.quotes, strict=True)
        return Screened(
            clean,
            tuple(replace(item, quote=quote) for item, quote in quoted),
            screening.words.names,
            tuple(against),
            _said(clean.status_reason if against else "", screening.left_out),
            screening.left_out,
        )


def screen(words: ScreenedWords, *, typed: bool, asked: bool = False) -> Screening:
    """Look at the words of a memory.

    Args:
        words: The words.
        typed: Whether they are the person's own, put in order by rules alone.
        asked: Whether the person asked for exactly this to be kept.

    Raises:
        Refused: They must not be stored.
    """
    from app.memory.screen import redaction
    from app.memory.screen.verdict import Verdict, judge

    clean, left_out = redaction.without_secrets(words, asked=asked)
    if clean.text != words.text and not redaction.says_something(clean.text):
        what = redaction.listed(left_out)
        raise Refused(f"Loci does not store this: without {what} it says nothing.")
    judgement = judge((clean.text, *clean.quotes, *_said_in(clean.value)), typed=typed)
    if judgement.verdict is Verdict.REFUSED:
        raise Refused(f"Loci does not store this: it reads like {judgement.names[0]}.")
    return Screening(clean, judgement.names, left_out)


def is_clean(text: str, *, typed: bool = False) -> bool:
    """Say whether a text may be stored as it is, and nothing speaks against it."""
    try:
        found = screen(ScreenedWords(text), typed=typed)
    except Refused:
        return False
    return not found.suspicions and not found.left_out


def _says_what_they_say(text: str, sources: Sequence[Memory]) -> bool:
    said = [source.text for source in sources]
    return text == listed(sources) or drawn_from(text, said)


def _said_in(value: Any) -> list[str]:
    """Return the texts of a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [t for v in inner for t in _said_in(v)] if isinstance(value, dict | list | tuple) else []


def _with(memory: Memory, words: ScreenedWords) -> Memory:
    value = words.value if words.key == memory.key else None
    return replace(memory, text=words.text, value=value, key=words.key, tags=words.tags)


def _no_more_than_due(
    memory: Memory,
    sources: Sequence[Memory],
    evidence: Sequence[Evidence],
    *,
    own: bool,
    asked: bool,
) -> Memory:
    """Lower the trust to that of the sources, and to what the origin deserves.

    What is brought in and rests on no message that is here is somebody's claim.
    """
    trusts, tags = [memory.trust, *(source.trust for source in sources)], memory.tags
    if any(TAINTED in source.tags for source in sources):
        tags = tuple(dict.fromkeys((*tags, TAINTED)))
    if not sources and not own:
        typed = any(item.quote and item.message_id for item in evidence)
        waits = memory.status is Status.PROPOSED
        vouched = memory.origin is Origin.TOOL and (typed or waits)  # by words, or by the person
        unverified = memory.origin in _UNVERIFIED and not (asked or vouched)
        trusts.append(Trust.EXTERNAL if unverified else Trust.LEARNED)
        said = asked or memory.pk or any(item.message_id for item in evidence)
        if memory.origin is Origin.IMPORT and not said:
            trusts.append(Trust.CLAIMED)
    return replace(memory, trust=min(trusts, key=lambda trust: trust.rank), tags=tags)


def _set_aside(memory: Memory, suspicions: Sequence[str], *, active: bool) -> Memory:
    """Return a suspicious memory with what that means for it."""
    holds = _joined(suspicions)
    live = memory.status in (Status.ACTIVE, Status.PROPOSED, Status.QUARANTINED)
    aside = live and not active
    return replace(
        memory,
        type=MemoryType.SEMANTIC if memory.type == MemoryType.PROCEDURAL else memory.type,
        trust=Trust.EXTERNAL,
        tags=tuple(dict.fromkeys((*memory.tags, TAINTED))),
        pinned=memory.pinned and active,
        status=Status.QUARANTINED if aside else memory.status,
        status_reason=f"{SET_ASIDE if aside else NOT_TRUSTED}it holds {holds}.",
    )


def _expect_no_secret(screened: Screened) -> None:
    """Go on only where nothing had to be left out of what a program writes.

    Raises:
        Refused: It holds a secret or a personal number.
    """
    from app.memory.screen.redaction import listed

    if screened.left_out:
        raise Refused(f"Loci does not store {listed(screened.left_out)}.")


def _different(new: Memory, old: Memory) -> dict[str, Any]:
    """Return what the screen changed."""
    names = ("text", "value", "key", "type", "trust", "tags", "pinned", "status", "status_reason")
    return {n: getattr(new, n) for n in names if getattr(new, n) != getattr(old, n)}


def _same(value: Any) -> Any:
    return value


def _noting(note: Note, said: str) -> Note:
    return replace(note, reason="; ".join(part for part in (note.reason, said) if part))


def _said(reason: str, left_out: Sequence[str]) -> str:
    from app.memory.screen.redaction import listed

    sentences = [reason] if reason else []
    if left_out:
        verb = "was" if len(left_out) == 1 else "were"
        what = listed(left_out)
        sentences.append(f"{what[:1].upper()}{what[1:]} {verb} left out.")
    return " ".join(sentences)


def _each_once(names: Iterable[str]) -> list[str]:
    """Return names but for those that another one begins with and says more exactly."""
    found = list(names)
    return [name for name in found if not any(n != name and n.startswith(name) for n in found)]


def _joined(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
