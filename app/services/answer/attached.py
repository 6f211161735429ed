"""What of attached documents a prompt holds: all where it fits, else what the question is about.

The documents of a conversation are those that messages on its branch name. What is read of them
stands in the newest message, between lines that say whose words they are, and is chosen anew for
each; so an earlier message only names its document, and how long one is makes no difference.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.conversation.clip import MOST_PER_TOKEN
from app.conversation.context import Window
from app.conversation.history import Entry
from app.domain.conversation import Document, Message, Part
from app.memory.text import scripts
from app.store.documents import DocumentPassage, Documents
from app.store.messages import Messages

SHARE = 0.5
"""Of the room for a prompt, the most that documents take."""

ONLY = "Only {:,} of {:,} pages of {} were read for this answer."
ONLY_PART = "Only parts of {:,} of {:,} pages of {} were read for this answer."
SHARE_READ = "Only about {} % of {} was read for this answer."
NOT_READ = "Nothing of {} was read for this answer."
NO_TEXT = "{:,} of {:,} pages of {} have no text that could be read."
_MOST = 200
_MARK = "— {} —"
_PER_MARK = 8  # tokens
_RECENT = 4  # messages in which a document that was attached is still what is talked about


@dataclass(frozen=True, slots=True)
class WithDocuments:
    """A message with what of its documents is read.

    Attributes:
        message: The message.
        notes: What was left out, in sentences.
    """

    message: Message
    notes: tuple[str, ...] = ()


class AttachedDocuments:
    """Chooses what of the documents of a conversation is read for a message."""

    def __init__(self, documents: Documents, messages: Messages) -> None:
        self._documents = documents
        self._messages = messages

    def read(self, question: Message, history: Sequence[Entry], window: Window) -> WithDocuments:
        """Return a message with what of its conversation's documents answers it.

        Args:
            question: The new message.
            history: What was said before it on its branch, oldest first, in part in summaries.
            window: What the model can hold.
        """
        own, earlier = named([question]), named(self._messages.with_documents(question.id))
        parts = {**earlier, **own}
        if not parts:
            return WithDocuments(question)
        room = int(window.room * SHARE)
        chosen = self._all(list(parts), room, window)
        whole = chosen is not None
        if chosen is None:
            latest = [one for one in history[-_RECENT:] if isinstance(one, Message)]
            recent = own.keys() | named(latest).keys()
            ranked = self.about(question, list(parts)) or []
            chosen = _fitting(self._ordered(ranked, list(recent)), room, window)
        told = _by_document(chosen)
        notes = [
            note
            for one in parts
            if one in own or one in told
            for note in self._left_out(_document(parts[one]), told.get(one, []), whole)
        ]
        return WithDocuments(_holding(question, parts, told), tuple(notes))

    def about(self, question: Message, ids: Sequence[str]) -> list[DocumentPassage]:
        """Return the passages that have words of a message, best first."""
        asked = question.typed or question.text
        match = scripts.match(asked)
        found = self._documents.found(ids, match, _MOST) if match else []
        for piece in scripts.pieces(asked) if not found else ():  # of scripts without spaces
            found += self._documents.holding(ids, piece, _MOST)
        return found

    def _all(self, ids: Sequence[str], room: int, window: Window) -> list[DocumentPassage] | None:
        """Return everything, where that fits."""
        if self._documents.length(ids) > room * MOST_PER_TOKEN:
            return None
        found = self._documents.passages(ids)
        return found if window.count(_worded(found, {})) <= room else None

    def _ordered(
        self, ranked: Sequence[DocumentPassage], recent: Sequence[str]
    ) -> Iterable[DocumentPassage]:
        """Yield what is about the question, then what stands around that, then beginnings."""
        yield from ranked
        for best in ranked[:8]:
            yield from self._documents.passages([best.document], max(0, best.ordinal - 1), 3)
        yield from self._documents.passages(recent, 0, _MOST)

    def _left_out(
        self, document: Document, read: Sequence[DocumentPassage], whole: bool
    ) -> Iterable[str]:
        """Yield what is to be said of what was not read of a document."""
        pages = {one.page for one in read}
        if whole:
            if document.paged and len(pages) < document.pages:
                missing = document.pages - len(pages)
                yield NO_TEXT.format(missing, document.pages, document.name)
        elif not read:
            yield NOT_READ.format(document.name)
        elif document.paged:
            there = self._documents.passages([document.id])
            missed = {one.id for one in there} - {one.id for one in read}
            in_part = any(one.page in pages for one in there if one.id in missed)
            told = ONLY_PART if in_part else ONLY
            yield told.format(len(pages), document.pages, document.name)
        else:
            share = sum(len(one.text) for one in read) / self._documents.length([document.id])
            yield SHARE_READ.format(max(1, round(100 * share)), document.name)


def named(messages: Sequence[Message]) -> dict[str, Part]:
    """Return the parts of messages that have a document, by its id; the first of each."""
    found: dict[str, Part] = {}
    for part in (part for message in messages for part in message.parts):
        if part.document is not None:
            found.setdefault(part.document.id, part)
    return found


def _document(part: Part) -> Document:
    assert part.document is not None
    return part.document


def _fitting(
    passages: Iterable[DocumentPassage], room: int, window: Window
) -> list[DocumentPassage]:
    """Return the passages that fit, the first of them before the others."""
    chosen: dict[str, DocumentPassage] = {}
    pages: set[tuple[str, int]] = set()
    for one in passages:
        if one.id in chosen:
            continue
        cost = window.count(one.text) + _PER_MARK * ((one.document, one.page) not in pages)
        if cost > room:
            if room < _PER_MARK * 8:
                break
            continue
        room -= cost
        chosen[one.id] = one
        pages.add((one.document, one.page))
        if len(chosen) >= _MOST:
            break
    return list(chosen.values())


def _by_document(passages: Iterable[DocumentPassage]) -> dict[str, list[DocumentPassage]]:
    """Return passages by their document, in the order in which they stand there."""
    found: defaultdict[str, list[DocumentPassage]] = defaultdict(list)
    for one in sorted(passages, key=lambda one: one.ordinal):
        found[one.document].append(one)
    return found


def _holding(
    question: Message, parts: Mapping[str, Part], told: Mapping[str, Sequence[DocumentPassage]]
) -> Message:
    """Return a message with what is read in the place of what only names it, or before all."""
    read = {
        one: replace(part, text=f"{part.text.strip()}\n{_worded(told[one], parts)}\n\n")
        for one, part in parts.items()
        if told.get(one)
    }
    own = [part.document.id for part in question.parts if part.document is not None]
    before = [part for one, part in read.items() if one not in own]
    here = [read.get(p.document.id, p) if p.document else p for p in question.parts]
    return replace(question, parts=(*before, *here))


def _worded(passages: Sequence[DocumentPassage], parts: Mapping[str, Part]) -> str:
    """Return passages as a model reads them, with their pages and where something is missing."""
    lines: list[str] = []
    last: DocumentPassage | None = None
    for one in passages:
        part = parts.get(one.document)
        if last is None or one.page != last.page:
            place = _document(part).place(one.page) if part else f"page {one.page}"
            lines.append(("\n" if lines else "") + _MARK.format(place) + "\n")
        elif one.ordinal != last.ordinal + 1:
            lines.append("[…]\n")
        lines.append(one.text)
        last = one
    return "".join(lines).strip()
