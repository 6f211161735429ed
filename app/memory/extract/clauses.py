"""Cut a sentence into clauses that each say one thing, and give every one its subject back.

"I live in Ghent and work at KBC" becomes "I live in Ghent" and "I work at KBC".
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from app.memory.extract.address import led_up_to
from app.memory.extract.doubt import is_doubtful, is_supposition
from app.memory.extract.fragments import completed
from app.memory.extract.leads import (
    straightened,
    without_closers,
    without_courtesy,
    without_openers,
)
from app.memory.extract.pieces import VERB_START, Piece, Said, cut
from app.memory.extract.recast import plainly
from app.memory.extract.spelling import written
from app.memory.extract.starts import opens_clause
from app.memory.extract.subjects import Kind, Subject, owners_in, people_in, read_subject

_CORRECTING = re.compile(
    r"^(?:oh,? |well,? |wait,? )*(?:no|nope|actually|sorry|correction|rather|let me correct|"
    r"I meant?)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:,| and) not (?P<old>(?:in |at |on )?[\w' -]{1,40}?)(?: any ?more)?(?=$|,)"
)
_RATHER = re.compile(r",? (?:instead of|rather than) (?P<old>[\w' -]{1,40})$")
_FILLER = re.compile(
    r"^((?:I|we|he|she|they|my [\w-]+|[\w]+)(?: (?:am|are|is|was|were|have|has))?) "
    r"(?:actually|basically|honestly|currently|now|literally|obviously|simply)\b ",
    re.IGNORECASE,
)
_ADDITIVE = re.compile(r"\b(?:also|too|as well|additionally|part-time|on the side|both|another)\b")
_ALSO = re.compile(r"\b(?:also|too|as well|additionally)\b ?")
_WHICH = re.compile(
    r",? (?:which(?! (?:is|are|starts|begins) (?:on|in|at) )|that is why|hence|thus)\b.*$"
)
# "around B1, I think" guesses at a measure, not at the fact.
_ABOUT = re.compile(
    r"(\b(?:around|about|roughly|circa|some) .+?),? I (?:think|guess|believe|reckon)$"
)
_PASSING = re.compile(
    r"\b(?:right now|at the moment|for now|just now|as we speak)\b", re.IGNORECASE
)
# What may stand between a request and a statement of its own.
_AFTER_REQUEST = re.compile(r"^\s*(?:,|;|–|—|-|\()?\s*(?:because|since|as|for|but)?\s*$")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing said of one subject.

    Attributes:
        predicate: What is said, beginning with the verb, contractions written out.
        additive: Whether it says "also": it stands beside what was known, replacing nothing.
        correcting: Whether it puts something right.
        instead_of: The old value, where it was named ("…, not Antwerp").
        passing: Whether it says "right now" or the like.
        shared: Whether its subject was said with the clause before it.
    """

    subject: Subject
    predicate: str
    additive: bool = False
    correcting: bool = False
    instead_of: str = ""
    shared: bool = False
    passing: bool = False

    @property
    def text(self) -> str:
        """The clause as one runs it together."""
        return f"{self.subject.text} {self.predicate}"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence, and the clause it is, where it states something readable."""

    piece: Piece
    clause: Clause | None = None


def clauses(
    sentence: str, known: Collection[str], people: list[Subject], *, question: bool = False
) -> list[Clause]:
    """Return the clauses of a sentence that state something; see ``parts``."""
    found = parts(written(sentence), known, people, question=question)
    return [part.clause for part in found if part.clause is not None]


def parts(
    sentence: str, known: Collection[str], people: list[Subject], *, question: bool = False
) -> list[Part]:
    """Return the pieces of a sentence in order, each with its clause.

    Args:
        sentence: Its text, written out.
        known: Names of people met before.
        people: Who was spoken of just before; grows with each clause.
        question: Whether it ends in a question mark.
    """
    text = led_up_to(without_courtesy(sentence))
    correcting = bool(_CORRECTING.match(text))
    whole = completed(plainly(without_closers(without_openers(text))))
    pieces = cut(straightened(whole), question=question)
    pieces = _supposing_nothing(pieces)
    found = list(_read(pieces, known, people, correcting=correcting))
    if found and found[-1].clause and _PASSING.search(text[-30:]):  # "…, right now"
        found[-1] = replace(found[-1], clause=replace(found[-1].clause, passing=True))
    return found


def _supposing_nothing(pieces: list[Piece]) -> list[Piece]:
    """Return what stands before "…, so if I ask"; nothing where anything else is supposed."""
    for place, piece in enumerate(pieces):
        if piece.kind in (Said.STATED, Said.LOOSE) and is_supposition(piece.text):
            if _SO_IF.search(f"{piece.joint} {piece.own}"):
                return pieces[:place]
            if (found := _AND_SO_IF.match(piece.text)) and opens_clause(found["said"]):
                said = Piece(found["said"], Said.STATED, piece.joint, found["said"])
                return [*pieces[:place], said]
            return []
    return pieces


# "…, so if I ask" supposes nothing of what stands before it; nor does "…, in case".
_SO_IF = re.compile(r"^\W*(?:so|but) (?:please )?(?:if|unless|in case|when)\b", re.IGNORECASE)
_AND_SO_IF = re.compile(
    r"^(?P<said>(?!.*\b(?:would|could|might)\b.*\bif\b).+?)(?:,? so (?:please )?(?:if|unless|"
    r"in case|when)|,? just in case|, in case)\b",
    re.IGNORECASE,
)


def whole_clause(text: str, known: Collection[str]) -> Clause | None:
    """Return a statement as one clause, uncut."""
    read = read_subject(text, known, ())
    return Clause(*read) if read else None


def _read(
    pieces: list[Piece], known: Collection[str], people: list[Subject], *, correcting: bool
) -> Iterator[Part]:
    before: Piece | None = None
    within = False
    for piece in pieces:
        within = within or (before is not None and ":" in piece.joint)
        stated = piece.kind is Said.STATED and not within and _free(piece, before)
        clause = _clause(piece, known, people, correcting) if stated else None
        yield Part(piece, clause)
        if piece.kind is not Said.LOOSE:
            before = piece if piece.kind in (Said.ASKED, Said.ORDERED) else None


def _free(piece: Piece, before: Piece | None) -> bool:
    """Return whether a statement stands for itself, not within what is asked or ordered."""
    if before is None:
        return True
    return bool(_AFTER_REQUEST.match(piece.joint)) and " if " not in before.text


def _clause(
    piece: Piece, known: Collection[str], people: list[Subject], correcting: bool
) -> Clause | None:
    text = straightened(without_closers(without_openers(piece.text)))
    old = _INSTEAD.search(text) or _RATHER.search(text)
    if old and (correcting or "not" in old.group()) and not VERB_START.match(old["old"]):
        text = without_closers(text[: old.start()])
    else:
        old = None
    text = _ABOUT.sub(r"\1", text)
    if is_doubtful(text):
        return None
    text = _FILLER.sub(r"\1 ", _WHICH.sub("", text))
    read = read_subject(text, known, people)
    if read is None:
        return None
    subject, predicate = read
    for person in [subject, *owners_in(subject), *people_in(predicate)]:
        named = person.kind in (Kind.PERSON, Kind.PET) and (person.noun or person.name)
        if named and person not in people:
            people.append(person)
    additive = bool(_ADDITIVE.search(piece.text))
    predicate = _ALSO.sub("", predicate).strip(" ,")
    instead = old["old"].strip() if old else ""
    shared, passing = piece.own != piece.text, bool(_PASSING.search(piece.text))
    return Clause(subject, predicate, additive, correcting, instead, shared, passing)
