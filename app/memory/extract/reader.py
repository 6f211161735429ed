"""Read the sentences of one message in order, remembering who was spoken of."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time

from app.domain.memory import Candidate, MemoryType
from app.memory.extract import doubt
from app.memory.extract.answers import answered, for_good
from app.memory.extract.calling import preferred_name, spelt_name
from app.memory.extract.clause_reader import ClauseReader
from app.memory.extract.clauses import Clause, Part, clauses, parts, whole_clause
from app.memory.extract.common_words import is_common_word
from app.memory.extract.dates import month_words
from app.memory.extract.joining import Kept, joined
from app.memory.extract.met import introduced
from app.memory.extract.person import second_person
from app.memory.extract.pieces import Said
from app.memory.extract.salience import words_of
from app.memory.extract.salvage import (
    leans,
    plainly_told,
    salvaged,
    tells_of_a_life,
    told_together,
)
from app.memory.extract.sentences import Sentence
from app.memory.extract.spelling import written
from app.memory.extract.standing import (
    from_now_on,
    standing_instruction,
    to_keep,
)
from app.memory.extract.stretches import LIKELY, beside, saliently_told
from app.memory.extract.subjects import CAPITALISED, Kind, Subject, people_in
from app.memory.extract.turned import Turned, turned
from app.memory.extract.vocabulary import PARTNERS, UNIQUE_PEOPLE
from app.memory.extract.wording import Wording, instruction
from app.memory.when import words as when

_OWN = re.compile(r"\b(?:I|my|we|our|me|us|mine|ours|myself)\b", re.IGNORECASE)
_CHEER = re.compile(
    r"(?:wow|that|this|it|those|these|they|you|your|sounds?|looks?|thanks?|cool|awesome|nice|great|"
    r"congrats|congratulations|keep|what|how|aww?)\b",
    re.IGNORECASE,
)
_THEIRS = re.compile(rf"{_OWN.pattern}|\d|'s\b|\b(?:{when.WEEKDAY}|{when.MONTH})\b", re.IGNORECASE)
_NAMED = re.compile(rf"(?<=[a-z,] ){CAPITALISED}(?!'s)")


class Reader:
    """Reads one message.

    Args:
        today: The day it was written.
        known: Names of people that are already remembered.
        message: All that was said.
        inferred: Names that are somebody's by the pronouns around them alone.
        fiction: Whether it speaks of made-up people.
        sums: Whether it asks for a sum of what it says.
    """

    def __init__(
        self,
        today: date,
        known: Collection[str],
        message: str = "",
        *,
        inferred: Collection[str] = (),
        fiction: bool = False,
        sums: bool = False,
    ) -> None:
        self._today = today
        self._known = frozenset(known) | frozenset(inferred)
        self._words = words_of(message)
        self._fiction = fiction
        self._sums = sums
        self._people: list[Subject] = []
        self._wording = Wording(today)
        self._clauses = ClauseReader(
            today, self._people, inferred=inferred, fiction=fiction, sums=sums
        )
        self._before = ""
        self._telling = False
        self._unread: list[Part] = []
        self._cut: tuple[str, list[Part]] = ("", [])

    def kept(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield what is explicitly to be kept: "remember that …", "from now on …"."""
        if sentence.foreign:
            return
        if order := to_keep(sentence):
            if order.instruction:
                yield instruction(order.words, sentence.quote)
            else:
                yield from self._remembered(order.words, sentence.quote)
        elif rule := standing_instruction(sentence):
            yield instruction(rule, sentence.quote)
        elif name := preferred_name(sentence):
            said = f"I like to be called {name}"
            yield self._keyed(said, sentence.quote, "preferred_name", name)
        elif spelt := spelt_name(sentence):
            yield self._keyed(f"my {spelt[0]} is {spelt[1]}", sentence.quote, *spelt)

    def stated(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield what a sentence states in passing."""
        idle = self._only_asks(sentence) or self._only_cheers(sentence)
        if sentence.foreign or idle or doubt.is_ironic(sentence):
            self._before = ""
        else:
            yield from self._read(sentence)
        if not self._fiction:  # "he" may be whom it asks about, or whose thing it speaks of
            known = {(person.noun, person.name) for person in self._people}
            spoken_of = people_in(sentence.text.replace("'s ", " "))
            self._people += [one for one in spoken_of if (one.noun, one.name) not in known]

    def _only_asks(self, sentence: Sentence) -> bool:
        """Return whether a question speaks of nobody of theirs: a look that spares most of them."""
        if not sentence.question or _OWN.search(sentence.text):
            return False
        return not _NAMED.search(sentence.text) and "," not in sentence.text

    def _only_cheers(self, sentence: Sentence) -> bool:
        """Return whether it only answers what was said before: "Wow, that's awesome!"."""
        text = sentence.text
        return bool(_CHEER.match(text)) and not (_THEIRS.search(text) or _NAMED.search(text))

    def listen(self, asked: str) -> None:
        """Note whom the assistant has just spoken of, for pronouns in the answer."""
        told = re.sub(r"\byour\b", "my", asked, flags=re.IGNORECASE)
        self._known |= frozenset(n for n in _NAMED.findall(asked) if not is_common_word(n))
        self._people += [person for person in people_in(told) if person not in self._people]

    def answer(self, asked: str, sentence: Sentence, whole: str) -> Iterator[Candidate]:
        """Yield what a short answer states, given its question.

        Args:
            asked: What the assistant said.
            sentence: The first sentence of the answer.
            whole: All of it.
        """
        if rule := for_good(asked, whole):
            yield instruction(second_person(rule), whole.strip())
            return
        statement = answered(asked, sentence.text)
        if statement is None:
            return
        if name := re.fullmatch(r"call me (.+)", statement):
            statement = f"I like to be called {name[1]}"
        clause = whole_clause(statement, self._known)
        found = list(self._clauses.by_tables(clause, sentence.quote)) if clause else []
        yield from found or [self._wording.as_said(statement, sentence.quote, "fact")]

    def as_said(self, text: str) -> Candidate:
        """Return a text as a memory, turned to the person where it speaks of "I"."""
        return self._wording.as_said(written(text), text, "fact")

    def _read(self, sentence: Sentence) -> Iterator[Candidate]:
        text, before, self._before = sentence.text, self._before, ""
        self._telling, self._unread = False, []
        if not sentence.question and (other := turned(text)):
            yield self._of_turned(other, sentence.quote)
            return
        said = parts(from_now_on(text), self._known, self._people, question=sentence.question)
        self._cut = (text, said)
        kept = self._clauses.heard(said, before, sentence.quote)
        if not (self._fiction or self._sums):
            kept = self._told_beside(said, kept, sentence.quote)
        if said and said[-1].piece.kind in (Said.STATED, Said.LOOSE):
            self._before = said[-1].piece.text
        whole = joined(kept)
        heard = {one.position for one in kept}
        self._unread = [] if len(whole) != 1 or whole[0].key else _beside(said, heard)
        yield from whole
        told = {part.piece.kind for part in said}
        self._telling = not whole and (Said.STATED in told or told == {Said.LOOSE})

    def met(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield who somebody is that a sentence only mentions: "my husband Gordon".

        Where its words likely tell of a life, it is told whole, beside a name that has a key.
        """
        somebody = introduced(sentence.text) if self._telling and not self._fiction else None
        if somebody is None:
            return
        key = f"{somebody.noun}_name" if somebody.noun in UNIQUE_PEOPLE else None
        key = "partner_name" if somebody.noun in PARTNERS else key
        cut, pieces = self._cut
        told = saliently_told(pieces, self._words, LIKELY) if cut == sentence.text else None
        if told is not None and re.search(rf"\b{re.escape(somebody.name)}\b", told):
            yield self._wording.as_said(told, sentence.quote, "fact")
            if key is None:
                return
        many = " and " in somebody.name or somebody.noun in ("twins", "kids", "children")
        said = f"{somebody.text} {'are' if many else 'is'} called {somebody.name}"
        yield self._keyed(said, sentence.quote, key, somebody.name)

    def salvage(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield a sentence as it stands, where it tells of a life and none of it was understood."""
        if sentence.foreign or self._fiction or not tells_of_a_life(sentence.text):
            return
        if self._sums or doubt.is_ironic(sentence):
            return
        said = parts(sentence.text, self._known, list(self._people), question=sentence.question)
        if said and (text := salvaged(said)):
            yield self._wording.as_said(text, sentence.quote, "fact")

    def completed(self, found: list[Candidate]) -> list[Candidate]:
        """Return what was made of a sentence, whole where a sign stands in what leans on it."""
        if len(found) != 1 or found[0].extra or not self._unread or self._fiction:
            return found
        text = told_together(self._unread, self._today)
        if text is None:
            return found
        whole = self._wording.as_said(text, found[0].quote, found[0].category)
        return [replace(found[0], text=whole.text, entities=whole.entities)]

    def told(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield what a sign shows to be told of a life, where the sentence was not understood."""
        if sentence.foreign or self._fiction or self._sums or doubt.is_ironic(sentence):
            return
        cut, said = self._cut
        if cut != sentence.text:
            return
        plain, salient = plainly_told(said, self._today), saliently_told(said, self._words)
        whole = salient is not None and (plain is None or plain in salient)
        if text := salient if whole else plain:
            yield self._wording.as_said(text, sentence.quote, "fact")

    def _told_beside(self, said: list[Part], kept: list[Kept], quote: str) -> list[Kept]:
        """Return what is kept of a sentence with the pieces that most likely tell more of it."""
        if all(one.filler for one in kept):
            return kept
        joinable = {one.position for one in kept if not one.alone}
        added = []
        for run in beside(said, {one.position for one in kept}, joinable, self._words):
            for place in run:
                part = said[place]
                clause = part.clause or Clause(Subject(Kind.SELF, "I"), part.piece.text)
                told = self._wording.as_said(part.piece.text, quote, "fact")
                shared = part.piece.own != part.piece.text  # its subject was said before
                own = second_person(part.piece.own) if shared else ""
                added.append(Kept(told, part.piece, clause, place, own))
        return sorted([*kept, *added], key=lambda one: one.position)

    def _of_turned(self, other: Turned, quote: str) -> Candidate:
        plain = self._wording.as_said(other.words, quote, other.category)
        if not other.event:
            return replace(plain, key=other.key, value=other.value)
        return replace(
            plain,
            text=f"{plain.text} around {month_words(self._today)}",
            type=MemoryType.EPISODIC,
            occurred_at=datetime.combine(self._today, time(), UTC),
        )

    def _keyed(self, said: str, quote: str, key: str | None, value: str) -> Candidate:
        """Return a memory of a name, with its key where a person has one such."""
        plain = self._wording.as_said(said, quote, "person")
        named = tuple(dict.fromkeys([*plain.entities, value]))
        return replace(plain, key=key, value=value if key else None, entities=named)

    def _remembered(self, words: str, quote: str) -> Iterator[Candidate]:
        """Keep what was asked to be kept: as facts where all of it is understood, else as said."""
        pieces = clauses(words, self._known, list(self._people))
        facts = [f for piece in pieces for f in list(self._clauses.by_tables(piece, quote))[:2]]
        understood = len({f.text for f in facts}) >= len(pieces) > 0
        if not understood or not covers(facts, words):
            facts = [self._wording.as_said(words, quote, "fact")]
        for fact in facts:
            yield replace(fact, extra={**fact.extra, "explicit": True})


def _beside(said: Sequence[Part], heard: Collection[int]) -> list[Part]:
    """Return the pieces up to one that nothing was made of, where it leans on what was heard."""
    for number, part in enumerate(said[1:], 1):
        if number not in heard and number - 1 in heard and leans(part):
            return list(said[: number + 1])
    return []


def covers(facts: list[Candidate], words: str) -> bool:
    """Return whether the facts carry the numbers and names that were to be kept."""
    kept = " ".join(fact.text for fact in facts).casefold()
    numbers = re.findall(r"\d[\w:.-]*\d|\d", words)
    return all(n in kept for n in numbers) and len(kept) * 2 > len(words)
