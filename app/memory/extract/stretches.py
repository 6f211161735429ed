"""Keep stretches of a sentence that by their words tell of a life, though no rule understood them.

A stretch is what a sentence asserts in one go, up to its question or request. ``salience`` scores
it; what is certain enough is kept as it was said, or told along with what was understood beside it.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from app.memory.extract import doubt, marks
from app.memory.extract.clauses import Part
from app.memory.extract.pieces import Said
from app.memory.extract.salience import salience
from app.memory.extract.salvage import leans, put_together
from app.memory.extract.vocabulary import KIN_NAMES, PEOPLE, PETS
from app.memory.when import words as when

# Log odds: to be told along with the rest, to be kept where it names somebody of theirs, to be kept
# by itself, and to stand beside another.
UNLIKELY, LIKELY, SURE, CERTAIN = -4.0, -0.5, 2.0, 4.0
_FEWEST, _MOST = 3, 45  # words


def stretches(said: Sequence[Part]) -> Iterator[range]:
    """Yield where a sentence asserts something: pieces that ask and want nothing.

    What follows "continue:" or "translate:" is a text to be worked on.
    """
    start, wanted = 0, False
    for place, part in enumerate((*said, None)):
        if part is not None and _asserts(part):
            if not (wanted and ":" in part.piece.joint):
                wanted = False
                continue
            return
        if place > start:
            yield range(start, place)
        start = place + 1
        wanted = part is not None and bool(_ON_A_TEXT.match(part.piece.text))


_ON_A_TEXT = re.compile(
    r"(?:please )?(?:continue|translate|rewrite|rephrase|correct|proofread|conjugate|parse|index|"
    r"summari[sz]e|shorten|say|repeat|finish|complete|edit|fix|count|spell|read|improve)\b",
    re.IGNORECASE,
)


def _asserts(part: Part) -> bool:
    text = part.piece.text
    told = part.piece.kind in (Said.STATED, Said.LOOSE)
    return told and not (doubt.is_question(text) or doubt.speaks_to_assistant(text))


def saliently_told(
    said: Sequence[Part], message: Sequence[str] = (), least: float = SURE
) -> str | None:
    """Return the part of a sentence that by its words most likely tells of a life, or None.

    Args:
        said: The pieces of the sentence.
        message: The words of the whole message.
        least: The log odds it needs.
    """
    best, found = least, None
    for stretch in stretches(said):
        run = _trimmed(said[stretch.start : stretch.stop])
        text = _LEFT.sub("", put_together(run))
        if not _FEWEST <= len(text.split()) <= _MOST or not _is_prose(text):
            continue
        if not _of_theirs(run, text):
            continue
        score = salience(run, text, message)
        doubtful = doubt.is_shop_talk(text) or marks.IDLE.search(_SELF.sub("", text))
        if score >= (max(best, CERTAIN) if doubtful else best):
            best, found = score, text
    return found


def _trimmed(run: Sequence[Part]) -> Sequence[Part]:
    """Return a stretch without what is only left of something else: "ever, …", "…, or rather"."""
    while len(run) > 1 and run[0].piece.kind is Said.LOOSE and " " not in run[0].piece.text:
        run = run[1:]
    return run


_LEFT = re.compile(
    r",? (?:and |but )?(?:or|when|how|what|why|where|which|then)\b(?: \w+){0,2}$", re.IGNORECASE
)
_SELF = re.compile(r"^(?:I|we) ", re.IGNORECASE)


def _of_theirs(run: Sequence[Part], text: str) -> bool:
    """Return whether it speaks of the person or their people, or notes something down."""
    if _MADE_UP.search(text) or _BY_NOW.search(text):
        return False
    stated = any(part.piece.kind is Said.STATED for part in run)
    return not stated or bool(_ANY_OWN.search(text) or _PEOPLE.search(text))


_MADE_UP = re.compile(
    r"\b(?:my|our|the|her|his) (?:\w+ )?(?:hero|heroine|protagonist|villain|narrator|character|"
    r"avatar|persona|detective|paladin|wizard|rogue|bard|knight|dwarf|elf)\b",
    re.IGNORECASE,
)
_ANY_OWN = re.compile(r"\b(?:I|we|us|me|my|our|ours|mine|myself)\b", re.IGNORECASE)
_PEOPLE = re.compile(
    rf"\b(?:the (?:{when.any_of(PEOPLE | PETS)})|{when.any_of(KIN_NAMES)})\b", re.IGNORECASE
)
# Over in a moment, a view of how things can be, or what somebody wants to know.
_BY_NOW = re.compile(
    r"\b(?:wants? to know|is (?:asking|wondering)) "
    r"(?:how|what|why|who|where|if|whether)\b|"
    r"\b(?:am|is|are) (?:here|there|back|gone|asleep|ready|late|(?:(?:so|really|just|very) )?"
    r"(?:great|amazing|awesome|lovely|nice|wonderful|fantastic|the best))$|"
    r"\bcan (?:\w+ )?(?:be|feel|get) "
)


def _is_prose(text: str) -> bool:
    """Return whether words are neither code nor an order nor half of something in brackets."""
    asks = doubt.is_order(text) or _WANTED.match(text)
    return not (asks or _CODE.search(text) or text.count("(") != text.count(")"))


_WANTED = re.compile(
    r"(?:an? |the )?(?:\w+ )?(?:note|letter|email|message|list|poem|speech|text|toast|card|recipe) "
    r"(?:to|for|about)\b",
    re.IGNORECASE,
)


_CODE = re.compile(r"[={}<>;\\|_]|\w\(|\b(?:SELECT|FROM|WHERE)\b")


def beside(
    said: Sequence[Part],
    heard: Collection[int],
    joinable: Collection[int],
    message: Sequence[str] = (),
) -> list[range]:
    """Return the pieces, in runs, that stand with what was heard and likely tell of a life too.

    Args:
        said: The pieces of a sentence.
        heard: Which of them were understood.
        joinable: Which of these can be told together with others.
        message: The words of the whole message.
    """
    found = []
    for stretch in stretches(said):
        if not any(place in heard for place in stretch):
            continue
        for run in _gaps(stretch, heard):
            parts = said[run.start : run.stop]
            joins = run.start - 1 in joinable or run.stop in joinable
            if not joins and leans(parts[0]):
                continue
            text = put_together(parts)
            plain = not (doubt.is_doubtful(text) or marks.MOOD.search(text))
            least = (UNLIKELY if plain else LIKELY) if joins else CERTAIN
            if salience(parts, text, message) >= least:
                found.append(run)
    return found


def _gaps(stretch: range, heard: Collection[int]) -> Iterator[range]:
    """Yield the runs of a stretch that were not heard."""
    start = stretch.start
    for place in range(stretch.start, stretch.stop + 1):
        if place == stretch.stop or place in heard:
            if place > start:
                yield range(start, place)
            start = place + 1
