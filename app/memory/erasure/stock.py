"""Take stock of what an erasure removes: every literal copy of it, and what was drawn from it.

What is found is literal, save closing punctuation: rows that hold what a memory says or ever said,
or one of the quotes it rests on. What says the same otherwise is found by
``app.memory.erasure.elsewhere``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.domain.conversation import Message, Role
from app.domain.erasure import Copy, Inventory
from app.domain.language.text import clipped, normalise
from app.domain.memory import Memory
from app.memory.archive import excerpt, is_list
from app.memory.change.lineage import Lineage
from app.memory.text.passages import distinct, named_after, occurrences
from app.store.index.occurrences import Occurrence
from app.store.store import Store

ERASED_TITLE = "Untitled"
MOST_PASSAGES = 100  # of the documents of a conversation, that the scan looks for
_SHARED = {
    "trace": "The traces of answers that used them",
    "journal": "Their history",
}
_PIECE = re.compile(r"[^\W_]+|[^\w\s`*#>|~-]")
_SPREAD = r"[\s`*_#>|~-]*"


@dataclass(frozen=True, slots=True)
class Passages:
    """What is to be taken out of a row.

    Attributes:
        texts: Stretches of it, such as sentences.
        words: Names and numbers, wherever they stand in it as words of their own.
        others: Stretches that are plainly about somebody else, whatever they have in common.
        perhaps: Stretches that only may tell of it, beside some that surely do.
    """

    texts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()

    @property
    def stays(self) -> list[str]:
        """The stretches that stay where the rest goes."""
        return [text for text in (*self.others, *self.perhaps) if text not in self.texts]

    def __or__(self, other: "Passages") -> "Passages":
        """Return both."""
        pairs = (
            (self.texts, other.texts),
            (self.words, other.words),
            (self.others, other.others),
            (self.perhaps, other.perhaps),
        )
        return Passages(*(tuple(dict.fromkeys((*mine, *more))) for mine, more in pairs))


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What is to be erased.

    Attributes:
        inventory: What the person sees and ticks.
        texts: The statements themselves; rows that hold one are ticked.
        values: What the statements are about, such as a name; other rows may well mention it.
        whole: Whether a whole conversation goes, whose words may well stand in others.
        about: Names that are to go wherever they stand, however common.
        said: What the person stated, where that is less than the texts, by which others are known.
        heard: What answers stated that go along; what holds their words only may tell of it.
        passages: What goes out of the rows of copies, by key, beside the texts.
        marks: The names and numbers that are distinctive of it.
        blind: Why other words that say the same were not looked for; empty where they were.
    """

    inventory: Inventory
    texts: tuple[str, ...]
    values: tuple[str, ...] = ()
    whole: bool = False
    about: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    passages: Mapping[str, Passages] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    blind: str = ""

    @property
    def needles(self) -> tuple[str, ...]:
        """What the scan looks for and a redaction takes out."""
        return (*self.texts, *self.values)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of its copies."""
        return frozenset(copy.key for copy in self.inventory.copies)


class Stock:
    """Finds copies, inside one vault."""

    def __init__(self, store: Store) -> None:
        self._memories = store.memories
        self._conversations = store.conversations
        self._messages = store.messages
        self._recalls = store.recalls
        self._copies = store.occurrences
        self._journal = store.journal
        self._lineage = Lineage(store)

    def of_memory(self, memory_id: str) -> ErasurePlan:
        """Return every copy of a memory, of what it rests on, and of what was drawn from it."""
        memory = self._memories.get(memory_id)
        drawn_from = self._memories.by_ids(memory.source_ids)
        evidence = [e for m in (memory, *drawn_from) for e in self._memories.evidence(m.id)]
        past = [v for e in self._journal.of_memory(memory_id) for v in (e.before, e.after)]
        old = [str(values["text"]) for values in past if values.get("text")]
        sources = {e.message_id for e in evidence if e.message_id}
        stated = [m.text for m in drawn_from]
        drawn = self._lineage.erased_with(memory_id)
        said = distinct([memory.text, *old, *stated, *(e.quote for e in evidence)])
        told = self._told(memory, old, drawn)
        texts = list(dict.fromkeys([*said, *told, *self._as_written(said, sources)]))
        about = [v for v in (memory.value, *(p.get("value") for p in past)) if isinstance(v, str)]
        values = distinct(about, texts)
        copies = [Copy(f"memory:{memory.id}", "memory", _memory_label(memory), required=True)]
        copies += [_drawn_copy(one, "it") for one in drawn]
        ids = (memory.id, *(one.id for one in drawn))
        used = {use.answer_id: use.cited for use in self._recalls.uses(ids)}
        quoted = {e.message_id for e in evidence if e.message_id and e.quote}
        copies += self._message_copies(texts, values, quoted, used)
        copies += self._sources(sources, copies)
        copies += self._passages(texts, values)
        copies += [
            Copy(
                f"memory:{f.id}",
                "another",
                f"Another memory: “{clipped(f.text, 80)}”",
                ticked=bool(occurrences(f.text, texts)),
                why=held(f.text, texts, values),
            )
            for f in self._copies.memories([*texts, *values])
            if f.id not in ids
        ]
        copies += self._titles_and_drafts(texts, values, copies)
        if used:
            label = f"The trace of {len(used)} answer{'s' if len(used) > 1 else ''} that used it"
            copies.append(Copy("trace", "trace", label, required=True))
        copies.append(Copy("journal", "journal", "Every earlier version and change", required=True))
        return ErasurePlan(
            Inventory("Erase this memory", tuple(copies)), tuple(texts), tuple(values)
        )

    def of_memories(self, memory_ids: Sequence[str], about: Sequence[str] = ()) -> ErasurePlan:
        """Return the same of several memories as one; a copy that they share stands in it once.

        Args:
            memory_ids: The memories; those that are gone already count for nothing.
            about: The names of whom they are about, where it is that one who is to go.

        Raises:
            NotFound: All of them are gone.
        """
        there = [memory.id for memory in self._memories.by_ids(list(dict.fromkeys(memory_ids)))]
        plans = [self.of_memory(one) for one in there or memory_ids]
        if len(plans) == 1 and not about:
            return plans[0]
        copies: dict[str, Copy] = {}
        for copy in (copy for plan in plans for copy in plan.inventory.copies):
            known = copies.get(copy.key)
            if known is None or copy.required or (copy.ticked and not known.ticked):
                copies[copy.key] = replace(copy, label=_SHARED.get(copy.key, copy.label))
        return ErasurePlan(
            Inventory(_title(len(plans), about), tuple(copies.values())),
            tuple(dict.fromkeys(text for plan in plans for text in plan.texts)),
            tuple(dict.fromkeys([*(v for plan in plans for v in plan.values), *about])),
            about=tuple(about),
        )

    def _told(self, memory: Memory, old: Sequence[str], drawn: Sequence[Memory]) -> list[str]:
        """Return how lists and summaries word it or did, but for what others say too."""
        summaries = [m for m in drawn if m.proof_count is None and not is_list(m)]
        ids = {i for summary in summaries for i in summary.source_ids}
        others = {normalise(m.text) for m in self._memories.by_ids(sorted(ids))}
        worded = [m.text for m in summaries if normalise(m.text) not in others]
        begun = [excerpt(text) for text in (memory.text, *old)]
        said = [*begun, *worded, *self._lineage.said_before(memory.id)]
        return distinct(said, [memory.text, *old])

    def of_conversation(self, conversation_id: str) -> ErasurePlan:
        """Return what a conversation holds, the memories that rest on it alone, and theirs."""
        talk = self._conversations.get(conversation_id)
        title = clipped(talk.title or ERASED_TITLE, 80)
        label = f"“{title}” with {talk.message_count:,} messages, on all its branches"
        copies = [Copy(f"conversation:{talk.id}", "conversation", label, required=True)]
        learnt = self._copies.resting_on(talk.id)
        copies += [
            Copy(f"memory:{f.id}", "memory", f"What was learned here: “{clipped(f.text, 80)}”")
            for f in learnt
        ]
        copies += self.drawn_from([f.id for f in learnt], "what was learned here")
        messages = self._copies.messages_of(talk.id)
        passages = self._copies.passages_of(talk.id, MOST_PASSAGES)
        texts = distinct([talk.title, *(one.text for one in (*messages, *passages))])
        said = [*(f.text for f in learnt), *(m.text for m in messages if m.role is Role.USER)]
        heard = [m.text for m in messages if m.role is Role.ASSISTANT and m.text not in said]
        inventory = Inventory("Erase this conversation", tuple(copies))
        own, others = tuple(dict.fromkeys(said)), tuple(dict.fromkeys(heard))
        return ErasurePlan(inventory, tuple(texts), whole=True, said=own, heard=others)

    def drawn_from(self, memory_ids: Sequence[str], source: str) -> list[Copy]:
        """Return what was made of memories which may stay; it goes where one of them does."""
        if not self._lineage.erased_with(*memory_ids):
            return []
        drawn: dict[str, Memory] = {}
        leads: dict[str, set[str]] = {}
        for memory_id in memory_ids:
            for one in self._lineage.erased_with(memory_id):
                drawn[one.id] = one
                leads.setdefault(one.id, set()).add(f"memory:{memory_id}")
        return [
            replace(
                _drawn_copy(one, source),
                required=False,
                follows=frozenset(leads[one.id]),
            )
            for one in sorted(drawn.values(), key=lambda memory: memory.pk)
        ]

    def _message_copies(
        self,
        texts: Sequence[str],
        values: Sequence[str],
        quoted: set[str],
        used: Mapping[str, bool],
    ) -> list[Copy]:
        """Return messages that say it, then answers that used it in other words.

        What an answer cites was derived from it; what it only had before it perhaps was not.
        """
        found = self._copies.messages([*texts, *values])
        copies = [
            replace(
                _message_copy(f, f.id in quoted, bool(occurrences(f.text, texts)) or f.id in used),
                why="" if f.id in quoted else held(f.text, texts, values),
            )
            for f in found
        ]
        known = {f.id for f in found}
        return copies + [
            used_copy(self._messages.get(answer_id), cited)
            for answer_id, cited in used.items()
            if answer_id not in known
        ]

    def _passages(self, texts: Sequence[str], values: Sequence[str]) -> list[Copy]:
        """Return the passages of attached documents that say it."""
        return [
            passage_copy(f, bool(occurrences(f.text, texts)), held(f.text, texts, values))
            for f in self._copies.passages([*texts, *values])
        ]

    def _sources(self, sources: set[str], copies: Sequence[Copy]) -> list[Copy]:
        """Return the messages it comes from that write it as nothing else here does."""
        listed = {copy.key.partition(":")[2] for copy in copies}
        messages = [self._messages.get(source) for source in sorted(sources - listed)]
        return [
            Copy(f"whole:{m.id}", "message", f"The message it is from: “{clipped(m.text, 80)}”")
            for m in messages
            if not m.redacted
        ]

    def _as_written(self, texts: Sequence[str], sources: Iterable[str]) -> list[str]:
        """Return how the messages that texts come from write them, with line breaks and marks.

        What was kept of an answer or a document is one line of plain words.
        """
        patterns = [_SPREAD.join(map(re.escape, _PIECE.findall(text))) for text in texts]
        messages = [self._messages.get(source).text for source in sorted(sources)]
        return [
            found.group()
            for pattern in patterns
            if _SPREAD in pattern
            for message in messages
            for found in re.finditer(pattern, message)
        ]

    def _titles_and_drafts(
        self, texts: Sequence[str], values: Sequence[str], copies: Sequence[Copy]
    ) -> list[Copy]:
        """Return titles and drafts that say it, and titles that were cut from its words."""
        ids = [c.key.partition(":")[2] for c in copies if c.key.startswith("message:") and c.ticked]
        titles = {f.id: (f, bool(occurrences(f.text, texts))) for f in self._copies.titles(texts)}
        for message_id, opened in self._copies.first_of(ids).items():
            if named_after(opened.text, self._messages.get(message_id).text, texts):
                titles[opened.id] = (opened, True)
        for mention in self._copies.titles(values):
            titles.setdefault(mention.id, (mention, False))
        result = [title_copy(f, ticked) for f, ticked in titles.values()]
        for f in self._copies.drafts([*texts, *values]):
            label = f"An unsent draft in “{clipped(f.title, 60)}”"
            said = bool(occurrences(f.text, texts))
            result.append(Copy(f"draft:{f.id}", "draft", label, said))
        return result


def _title(number: int, about: Sequence[str]) -> str:
    what = f"{number:,} memories" if number > 1 else "one memory"
    return f"Erase {clipped(about[0], 40)}: {what} and every mention" if about else f"Erase {what}"


def used_copy(answer: Message, cited: bool) -> Copy:
    """Return an answer that had it before it and says it, if it does, in words of its own."""
    label = f"An answer that used it: “{clipped(answer.text, 80)}”"
    why = "was derived from it" if cited else "had it to go by, and says nothing of it in its words"
    return Copy(f"whole:{answer.id}", "answer", label, ticked=cited, why=why)


def title_copy(found: Occurrence, ticked: bool, why: str = "") -> Copy:
    """Return the title of a conversation."""
    return Copy(
        f"title:{found.id}", "title", f"The title “{clipped(found.text, 60)}”", ticked, why=why
    )


def passage_copy(found: Occurrence, ticked: bool, why: str) -> Copy:
    """Return a passage of a document, by its file and page."""
    label = f"In {clipped(found.title, 60)}: “{clipped(found.text, 80)}”"
    return Copy(f"passage:{found.id}", "document", label, ticked, why=why)


def held(text: str, texts: Sequence[str], values: Sequence[str]) -> str:
    """Say what a row that was found holds."""
    if occurrences(text, texts):
        return "quotes it"
    named = [value for value in values if occurrences(text, [value])]
    return f"holds “{clipped(named[0], 40)}”" if named else ""


def where(found: Occurrence) -> str:
    """Say in which conversation a message stands, and of when it is."""
    return f"in “{clipped(found.title or ERASED_TITLE, 40)}”, {found.at:%d %b %Y}"


def _drawn_copy(one: Memory, source: str) -> Copy:
    what = "A summary" if one.proof_count is None else "An observation"
    told = f"{what} drawn from {source}"
    if is_list(one):
        told = f"A list of archived memories, written anew without {source}"
    label = f"{told}: “{clipped(one.text, 80)}”"
    return Copy(f"memory:{one.id}", "memory", label, required=True)


def _memory_label(memory: Memory) -> str:
    return f"The memory “{clipped(memory.text, 80)}”, its words and meaning vectors"


def _message_copy(found: Occurrence, evidence: bool, ticked: bool) -> Copy:
    quote = f"“{clipped(found.text, 80)}”"
    if found.role is Role.ASSISTANT:
        kind, what = "answer", f"An answer that {'quotes' if ticked else 'mentions'} it"
    elif evidence:
        kind, what = "evidence", "Your words"
    else:
        kind, what = "message", "The same words" if ticked else "A mention"
    key = f"message:{found.id}"
    return Copy(key, kind, f"{what} {where(found)}: {quote}", ticked or evidence)
