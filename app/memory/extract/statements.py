"""Find what a message says about the person and their people, by grammar alone.

Only what is plainly stated counts: every doubt yields nothing, since a wrong memory costs more
than a missing one, and the message itself can still be found.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from app.domain.memory import Candidate
from app.memory.extract import doubt
from app.memory.extract.address import without_address
from app.memory.extract.answers import begins_an_answer
from app.memory.extract.context import placed
from app.memory.extract.naming import NOT_ENTITIES, entities
from app.memory.extract.proofreading import proofread
from app.memory.extract.reader import Reader, covers
from app.memory.extract.sentences import Sentence, sentences
from app.memory.extract.spelling import written
from app.memory.extract.standing import parted
from app.memory.extract.starts import has_verb
from app.memory.extract.wholes import people_of, wholes

__all__ = ("NOT_ENTITIES", "entities", "noted", "plays_a_part", "statements")

_LONGEST_MESSAGE = 20_000
_LONGEST_SENTENCE = 600
_CRY = 5  # words
_LONGEST_ANSWER = 3  # sentences


def statements(
    text: str, at: datetime, *, asked: str = "", known: Collection[str] = ()
) -> list[Candidate]:
    """Return what a message states, in order, without repetition.

    Args:
        text: Words the person typed.
        at: When, in the person's own time zone; relative dates count from there.
        asked: What the assistant said just before, for short answers.
        known: Names of people that are already remembered.
    """
    text = text[:_LONGEST_MESSAGE]
    said = said_in(text, known)
    if doubt.sets_a_scene(said):
        return []
    sums = any(doubt.asks_for_a_sum(sentence) for sentence in said)
    fiction = doubt.mentions_fiction(said)
    reader = Reader(at.date(), known, text, inferred=people_of(said), fiction=fiction, sums=sums)
    reader.listen(asked)
    found: list[Candidate] = []
    met: list[Candidate] = []
    read: list[Sentence] = []
    learnt = False
    for number, sentence in enumerate(said):
        tells_when = bool(asked) and sentence is said[0] and not has_verb(sentence.text)
        kept = [] if tells_when else list(reader.kept(sentence))
        if not kept and (doubt.begins_play(sentence) or doubt.begins_material(sentence)):
            break
        if doubt.asks_of_others(sentence, known):
            continue
        read.append(sentence)
        if any(_is_ironic_cry(beside) for beside in (*read[-2:-1], *said[number + 1 : number + 2])):
            continue
        if sentence is said[0] and asked and begins_an_answer(asked, sentence.text):
            kept = kept or list(reader.answer(asked, sentence, text))
        told = list(proofread(kept or reader.completed(list(reader.stated(sentence)))))
        told = told or list(proofread(reader.told(sentence)))
        before = said[number - 1] if number else None
        answer, new = bool(asked) and number == 1, not learnt
        told = [placed(one, sentence, before, answer=answer, new=new) for one in told]
        learnt = bool(told)
        found += told
        met += [] if told else reader.met(sentence)
    if not found and asked and 0 < len(said) <= _LONGEST_ANSWER:
        found += reader.answer(asked, said[0], text)
    if not found:
        found = [one for s in read for one in proofread(reader.salvage(s))][:1] or met
    return list({candidate.text: candidate for candidate in found}.values())


def said_in(text: str, known: Collection[str] = ()) -> list[Sentence]:
    """Return the sentences of a message as they are read: written out, put together, parted."""
    said = [_written(s, known) for s in sentences(text) if len(s.text) <= _LONGEST_SENTENCE]
    return [part for sentence in wholes(said, text) for part in parted(sentence)]


def _is_ironic_cry(sentence: Sentence) -> bool:
    """Return whether a few words beside a sentence say that it is not meant."""
    return len(sentence.text.split()) < _CRY and doubt.is_ironic(sentence)


def noted(text: str, at: datetime) -> Candidate:
    """Return what somebody wrote in order to have it kept, as one memory, understood or not."""
    said = [_written(s) for s in sentences(text)]
    reader = Reader(at.date(), ())
    found = [c for sentence in said for c in (*reader.kept(sentence), *reader.stated(sentence))]
    if len({candidate.text for candidate in found}) == 1 and covers(found[:1], text):
        return replace(found[0], quote=text)
    return reader.as_said(text)


def plays_a_part(text: str) -> bool:
    """Return whether a message begins a game or a piece of fiction."""
    return any(doubt.begins_play(_written(sentence)) for sentence in sentences(text))


def _written(sentence: Sentence, known: Collection[str] = ()) -> Sentence:
    return replace(sentence, text=without_address(written(sentence.text), known))
