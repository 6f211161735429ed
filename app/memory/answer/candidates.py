"""What may answer a question: memories in use, and sentences of what was said.

A memory stands within the sentence in which it was said, as passages that can each be read alone.
Of messages count the sentences of what was typed; what nobody here vouches for comes behind.
"""

import re
from collections.abc import Iterable, Sequence

from app.domain import provenance
from app.domain.conversation import Role
from app.domain.language.letters import begins_head
from app.domain.language.question import asks, only_asks, wants_work
from app.domain.language.text import ERASED, normalise, stem
from app.domain.memory import Status
from app.domain.provenance import IMPORTED, Passage
from app.domain.recall import Hit, HitKind
from app.domain.reply import AnswerEvidence
from app.errors import NotFound
from app.memory.reading.joining import passages
from app.memory.reading.own_words import speaks_of_self, unwrapped
from app.memory.reading.wording import told_from
from app.memory.text import query
from app.store.store import Store

MOST_OF_OTHERS = 16  # sentences of one text that the person did not write
LONGEST_SENTENCE = 40  # words
LONGEST_WHOLE = 30  # words
_SENTENCE = re.compile(r"(?:[^.!?…\n]|[.](?=\w))+(?:[.!?…]+(?=\s|$|[\"”')])[\"”')]*|\n|$|[.!?…])")
_SHORTEST = 3  # words
_GONE = frozenset({Status.SUPERSEDED, Status.FORGOTTEN})


class Candidates:
    """Finds what may answer among what recall nominates."""

    def __init__(self, store: Store) -> None:
        self._messages = store.messages
        self._memories = store.memories

    def of(self, question: str, hits: Sequence[Hit]) -> list[AnswerEvidence]:
        """Return what may answer: memories in use and what was typed, then what is nobody's here.

        Nothing is said twice, nor anything of which a part was erased.
        """
        seen: set[str] = set()
        kept: list[AnswerEvidence] = []
        found = [one for hit in hits if not hit.replaced for one in self._evidence(question, hit)]
        for one in own_first(found):
            said = normalise(one.text)
            if ERASED in one.text or not said or any(said in other for other in seen):
                continue
            seen.add(said)
            kept.append(one)
        return kept

    def _evidence(self, question: str, hit: Hit) -> list[AnswerEvidence]:
        if hit.kind is HitKind.MESSAGE:
            return self._said(question, hit)
        texts = _with_sentences(self._in_sentence(hit))
        return [AnswerEvidence(text.strip(), hit, 0.0) for text in texts]

    def _in_sentence(self, hit: Hit) -> str:
        """Return a memory within the sentence in which it was said, whose rest explains it.

        Nothing of what a question or an order for work said, nor of what was forgotten or replaced.
        """
        memory = hit.memory
        evidence = self._memories.evidence(memory.id) if memory is not None else []
        said = next((one for one in evidence if one.quote and one.message_id), None)
        if said is None or said.message_id is None:
            return hit.text
        try:
            typed = self._messages.get(said.message_id).typed
        except NotFound:
            return hit.text
        start = typed.find(said.quote)
        end = start + len(said.quote)
        around = next((m for m in _SENTENCE.finditer(typed) if m.start() <= start < m.end()), None)
        if start < 0 or around is None or around.end() < end:
            return hit.text
        whole, after = around[0], typed[end : around.end()]
        if "?" in whole or len(whole.split()) > LONGEST_SENTENCE or ERASED in whole:
            return hit.text
        gone = self._gone(said.message_id)
        if any(quote in normalise(whole) for quote in gone):
            return hit.text
        told = told_from(typed, around.start(), around.end())
        before = typed[told:start]  # behind "please remember that"
        if asks(whole) or wants_work(whole):
            before = ""
        begin = typed[start] if typed[start].lower() == hit.text[:1].lower() else hit.text[:1]
        text = begin + hit.text[1:] if before.strip() else hit.text
        return f"{before}{text if before else hit.text}{after}".strip()

    def _gone(self, message_id: str) -> list[str]:
        """Return the words of a message that were forgotten or replaced since."""
        return [
            normalise(evidence.quote)
            for memory in self._memories.resting_on(message_id)
            if memory.status in _GONE
            for evidence in self._memories.evidence(memory.id)
            if evidence.quote
        ]

    def _said(self, question: str, hit: Hit) -> list[AnswerEvidence]:
        """Return the sentences of a message that may tell something, each with whence it comes."""
        if hit.role is Role.ASSISTANT:
            return []
        try:
            message = self._messages.get(hit.id)
        except NotFound:
            return []
        gone = self._gone(message.id)
        told: list[AnswerEvidence] = []
        for passage in provenance.of(message):
            text = unwrapped(passage.text) if passage.whence else passage.text
            said = [one.strip() for one in _SENTENCE.findall(text) if _may_tell(one, gone)]
            if passage.whence:
                said = _of_others(question, passage, said)
            else:
                said = [one[told_from(one, 0, len(one)) :] for one in said]
            told += [AnswerEvidence(one, hit, 0.0, passage.whence) for one in said]
        return told


def own_first(found: Iterable[AnswerEvidence]) -> list[AnswerEvidence]:
    """Return evidence in order, what nobody here vouches for last, however well it answers."""
    return sorted(found, key=lambda one: not one.own)


def _may_tell(text: str, gone: Sequence[str]) -> bool:
    """Return whether a sentence may tell something, and nothing that was taken back since."""
    said = normalise(text)
    if only_asks(text) or len(text.split()) < _SHORTEST:
        return False
    return not any(quote in said or said in quote for quote in gone)


def _of_others(question: str, passage: Passage, said: Sequence[str]) -> list[str]:
    """Return those sentences of what the person did not write that may answer a question of theirs.

    "I" in a letter is whoever wrote it, so that it tells nothing of whoever asks about themselves.
    In an imported conversation it is who asked there, most likely the same person.
    """
    said = [one for one in said if not begins_head(one)]
    if passage.whence != IMPORTED and speaks_of_self(question):
        said = [one for one in said if not speaks_of_self(one)]
    return _nearest(question, said)


def _nearest(question: str, said: Sequence[str]) -> list[str]:
    """Return those of many sentences that have most of the question's words, in order."""
    wanted = {stem(word) for word in query.words(question)}
    shared = {one: len(wanted & query.stems(one)) for one in said}
    best = frozenset(sorted(shared, key=lambda one: -shared[one])[:MOST_OF_OTHERS])
    return [one for one in said if one in best]


def _with_sentences(text: str) -> list[str]:
    """Return a memory of several sentences as those that stand alone, and a short one whole."""
    found = passages(text)
    if len(found) < 2:
        return [text]
    return [*found, text] if len(text.split()) <= LONGEST_WHOLE else found
