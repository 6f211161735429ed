"""Put together what one sentence says, so that a memory reads as it was said.

"I can't do mornings, my shift starts at 3" is one thing to know. What has a key of its own stays
by itself, since it may be replaced alone; so do statements about two people.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.domain.memory import Candidate
from app.memory.extract.clauses import Clause
from app.memory.extract.person import second_person
from app.memory.extract.pieces import Piece
from app.memory.extract.subjects import Kind

_BECAUSE = re.compile(r"\b(?:so|but|because|since|which|while|whereas|hence)\b|[–—(:]")
_LOWER = re.compile(
    r"^(?:You|Your|The|He|She|They|It|My|There|This|That|One|Two|Three|Four|Five|Six|Both|All|None|"
    r"Nobody|Everyone|Everybody|Neither|Each|Most|Some|Half|Only)\b"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one piece of a sentence.

    Attributes:
        position: Which piece of the sentence it is.
        own: The text without its subject, where it shares that with the piece before, or with
            the pronouns that the piece before explains.
        leans: Whether it speaks of "him" or "them".
        filler: Whether it is only told along with what stands beside it.
    """

    candidate: Candidate
    piece: Piece
    clause: Clause
    position: int
    own: str = ""
    leans: bool = False
    filler: bool = False

    @property
    def alone(self) -> bool:
        """Whether it must stay by itself."""
        return self.candidate.key is not None or bool(self.candidate.extra)


def joined(found: Iterable[Kept]) -> list[Candidate]:
    """Return the memories of one sentence."""
    done: list[Kept] = []
    for kept in found:
        last = done[-1] if done else None
        if last is not None and _together(last, kept):
            filler = last.filler and kept.filler
            done[-1] = replace(
                last if kept.filler or not last.filler else replace(kept, piece=last.piece),
                candidate=_one(last, kept),
                position=kept.position,
                filler=filler,
            )
        else:
            done.append(kept)
    return [kept.candidate for kept in done if not kept.filler]


def _together(one: Kept, other: Kept) -> bool:
    return not (one.alone or other.alone) and other.position == one.position + 1


_SOMEBODY = frozenset((Kind.PERSON, Kind.PET))


def _one(first: Kept, second: Kept) -> Candidate:
    a, b = first.candidate, second.candidate
    told = b if first.filler else a
    if b.text.casefold().startswith(a.text.casefold()):
        return replace(b, entities=tuple(dict.fromkeys([*a.entities, *b.entities])))
    text = second.own or _with_pronoun(first, second)
    if second.own or _LOWER.match(text):
        text = text[:1].lower() + text[1:]
    joint = second.piece.joint.strip() or ","
    introduced = second.clause.subject.kind in _SOMEBODY and second.own
    if joint == ";" and introduced and first.clause.subject != second.clause.subject:
        joint, text = ",", f"who {text}"
    space = "" if joint[0] in ",;:" else " "
    return replace(
        told,
        text=f"{a.text}{space}{joint} {text}",
        entities=tuple(dict.fromkeys([*a.entities, *b.entities])),
        occurred_at=a.occurred_at or b.occurred_at,
    )


def _with_pronoun(first: Kept, second: Kept) -> str:
    """Return what is said of somebody a second time with the pronoun that it was said with."""
    text, said = second.candidate.text, first.clause.subject
    subject = second_person(second.clause.subject.text)
    pronoun = _PRONOUN.match(second.piece.own)
    if pronoun and said == second.clause.subject and text.startswith(f"{subject} "):
        return f"{pronoun.group().lower()}{text[len(subject) :]}"
    return text


_PRONOUN = re.compile(r"(?:he|she|they)(?= )", re.IGNORECASE)
