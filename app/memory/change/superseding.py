"""Tell which memories a new statement supersedes or contradicts.

The judge's chances decide (``app.memory.change.comparing``), and with them the words: the less
likely a change is, the more words must both texts share that name what they are about.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from app.domain.memory import Memory
from app.memory.change.beside import may_hold_beside
from app.memory.change.comparing import Compared, Relation
from app.memory.change.remainder import without_items
from app.memory.reading.corrections import taken_back
from app.memory.reading.joining import points_back
from app.memory.text import novelty
from app.memory.text.attributes import of_one_attribute
from app.memory.text.novelty import PAST
from app.memory.text.parts import parts, without
from app.memory.text.slips import TELLING, counted, figures, slipped
from app.memory.text.things import content_words, helping, names, stems, things

REPLACES = 0.83
ALIKE = 0.5  # of what differs in names and numbers alone
SURE = 0.88  # of what shares no words
SAID_TO_CHANGE = 0.78
CORRECTS = 0.75
SAFE, SAFE_ALIKE = 0.85, 0.6  # what matters for safety gives way to no less
CONTRADICTS = 0.85
DOUBTED = 0.7  # of what says by itself that something changed
OF_ONE_ATTRIBUTE = 0.35  # of what tells another value of what everybody has one of
PERHAPS = 0.3
CERTAIN = 0.9
PART_OVER = 0.4
OF_PARTS = 0.15  # chance that a part may lack and go with the likeliest
LITTLE = 2  # words beside names
SHARED = 2
OF_ONE = 0.5
SAYS_THE_SAME = 0.5

_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"(?<=\s)[\[(“]?([^\W\d_]{2,})")
_FROM = re.compile(r"\b(?:from|von|aus|de|desde|van)\s+(\w+)\s+(?:to|nach|a|à|naar)\s")
_OWNER = re.compile(r"\b([^\W\d_a-z][^\W\d_]*)['’]s\b")


def same(text: str, found: Sequence[Compared]) -> list[Memory]:
    """Return the memories that say what a statement says, in whatever words, with its numbers."""
    return [
        one.memory
        for one in found
        if one.chances[Relation.SAME] >= SAYS_THE_SAME and counted(text) == counted(one.memory.text)
    ]


def over(
    text: str,
    found: Sequence[Compared],
    *,
    said_to_change: bool = False,
    instead_of: Collection[str] = (),
    corrects: bool = False,
) -> list[Memory]:
    """Return the memories that a new statement takes the place of: the likeliest, and all certain.

    Both must speak of the same thing in the same words, too: more of them where the new one does
    not say by itself that something changed, and none where it does and the judge is sure. The end
    of one thing with a name is not that of another: who leaves Acme has not left KBC.

    Args:
        text: The new statement.
        found: How it stands to them.
        said_to_change: Whether it says by itself that something changed.
        instead_of: Former values that it takes back; what holds one of them gives way.
        corrects: Whether it says that something was wrong; a number of the same form gives way.
    """
    if named := [one.memory for one in found if _takes_back(instead_of, text, one.memory.text)]:
        return named
    if wrong := [one.memory for one in found if _misprinted(text, one, corrects=corrects)]:
        return [max(wrong, key=lambda memory: slipped(text, memory.text))]
    giving_way = [
        one
        for one in found
        if one.over >= _limit(text, one.memory, said_to_change, corrects)
        and (said_to_change or not _only_more(text, one.memory.text))
        and (
            _speak_of_one(text, one, 1 if said_to_change else SHARED)
            or (said_to_change and _is_sure(text, one))
            or (corrects and _counts_anew(text, one))
            or _holds(_left_behind(text), one.memory.text)
        )
        and not (one.ends and _names_others(text, one.memory.text))
        and (said_to_change or corrects or one.ends or not may_hold_beside(text, one.memory))
    ]
    if giving_way and points_back(text) and not any(_share_things(text, o) for o in giving_way):
        # "they moved it to the 11th" says it of one thing
        return [max(giving_way, key=lambda o: (o.memory.created_at, o.memory.pk)).memory]
    best = max((one.over for one in giving_way), default=0.0)
    return [one.memory for one in giving_way if one.over >= min(best, CERTAIN)]


def _limit(text: str, older: Memory, said_to_change: bool, corrects: bool) -> float:
    """Return how likely it must be that a new statement takes the place of an older one.

    Of 84 replacements in eleven lives, read one by one, 31 were wrong, 16 of them below these
    limits; of the others 4.
    """
    if _worded_alike(text, older.text):
        return SAFE_ALIKE if older.safety else ALIKE
    limit = CORRECTS if corrects else SAID_TO_CHANGE if said_to_change else REPLACES
    return max(limit, SAFE) if older.safety else limit


def outdated(text: str, found: Sequence[Compared], tags: Sequence[str] = ()) -> Memory | None:
    """Return what was said after a statement and takes its place: the likeliest, if any does.

    Args:
        text: The statement.
        found: How it stands to what is like it.
        tags: The statement's.
    """

    def as_older(one: Compared) -> Compared:
        return replace(one, memory=replace(one.memory, text=text, tags=tuple(tags)))

    newer = [one for one in found if one.later and over(one.memory.text, [as_older(one)])]
    return max(newer, key=lambda one: one.over).memory if newer else None


def contesting(text: str, found: Sequence[Compared]) -> list[Memory]:
    """Return what was said after a statement and perhaps takes its place."""
    return [
        one.memory
        for one in found
        if one.later and one.against >= PERHAPS and _worded_alike(text, one.memory.text)
    ]


def rest(one: Compared, text: str, instead_of: Collection[str] = ()) -> str:
    """Return what holds on of a statement of which something is over; empty where nothing does.

    That is its other parts, and of a list in a part what the newer one is not about.
    """
    whole = one.memory.text
    about = " ".join((text, *instead_of))
    ends = one.ends or bool(instead_of)
    if len(parts(whole)) == 1 and (left := _without_items(whole, about, ends)):
        return left
    said = [part for part, _ in one.parts] or [whole]
    gone = _gone(one, text, instead_of) if one.parts else [True]
    for number, part in enumerate(said):
        left = _without_items(part, about, ends) if gone[number] else ""
        if left:
            at = whole.find(part[1:]) - 1
            here = left if at <= 0 else left[:1].lower() + left[1:]
            whole = f"{whole[: max(at, 0)]}{here}{whole[max(at, 0) + len(part) :]}"
            said[number], gone[number] = left, False
    if not any(gone):
        return whole
    named = [n if p == q else q for n, (p, _), q in zip(one.named, one.parts, said, strict=False)]
    return without(whole, said, gone, named, keeps_all=one.memory.safety)


def _gone(one: Compared, text: str, instead_of: Collection[str]) -> list[bool]:
    """Return which parts of a statement are over."""
    likeliest = max(chance for _, chance in one.parts)
    limit = min(PART_OVER, likeliest)
    gone = [_holds(instead_of, part) for part, _ in one.parts]
    if not any(gone):
        gone = [slipped(text, part) for part, _ in one.parts]
    if not any(gone):
        left = _left_behind(text)
        gone = [chance >= PERHAPS and _holds(left, part) for part, chance in one.parts]
    if not any(gone):
        gone = [
            chance == likeliest
            or (chance >= max(limit, likeliest - OF_PARTS) and bool(things(part) & things(text)))
            for part, chance in one.parts
        ]
    return gone


def _left_behind(text: str) -> list[str]:
    """Return what a text says something changed from: "moved from Dinant to Ciney"."""
    return _FROM.findall(text)


def _without_items(part: str, about: str, ends: bool) -> str:
    """Return a part without what a newer statement is about, where it lists several things.

    Of several days only what ends takes one away; others come in the place of all.
    """
    days = novelty.calendar()
    found = without_items(part, things(about), things)
    if found or not ends:
        return found
    return without_items(
        part, novelty.content(about).words & days, lambda item: novelty.content(item).words & days
    )


def rivals(text: str, found: Sequence[Compared], *, said_to_change: bool = False) -> list[Memory]:
    """Return the memories that cannot hold beside a new statement, though neither gives way.

    What tells by itself that it is past speaks against nothing that is now. Less is enough where
    the new one says by itself that something changed, denies the other, or tells another value of
    what everybody has one of.
    """
    least = DOUBTED if said_to_change else CONTRADICTS
    return [
        one.memory
        for one in found
        if not _only_more(text, one.memory.text)
        and (
            (one.against >= OF_ONE_ATTRIBUTE and of_one_attribute(text, one.memory.text))
            or (one.against >= DOUBTED and _denies(text, one.memory.text))
            or (one.against >= least and _share_enough(text, one))
        )
    ]


def _denies(text: str, older: str) -> bool:
    """Return whether two texts say the same, at the same time, but that one of them negates it."""
    return novelty.content(text).words ^ novelty.content(older).words == {novelty.NOT}


def _share_enough(text: str, one: Compared) -> bool:
    """Return whether both name a thing in two words at least, and the older one is not past."""
    shared = content_words(text) & content_words(one.memory.text)
    return (
        not _is_past(one.memory.text, text) and _share_things(text, one) and len(shared) >= SHARED
    )


def _speak_of_one(text: str, one: Compared, least: int) -> bool:
    """Return whether a statement and an older one share so many words that name things.

    Of "I live in Ghent" one word is enough. A name alone ends what it names, where that says little
    else; nothing takes the place of another for a name alone. No word need be shared where both
    tell what everybody has one of.
    """
    if of_one_attribute(text, one.memory.text):
        return True
    named = stems(names(text) | names(one.memory.text))
    mine, theirs = content_words(text) - helping(), content_words(one.memory.text) - helping()
    bare = one.ends and not things(one.memory.text) - named  # "I'm on the pill, Yasmin"
    if not (_share_things(text, one) or (bare and mine & theirs)):
        return False
    shared, least = mine & theirs, 1 if min(len(mine), len(theirs)) <= SHARED else least
    if shared <= stems(_owned(text) & _owned(one.memory.text)):
        return False  # "Callum's off nights" ends nothing of "Callum's mum"
    brief = one.ends and len(things(one.memory.text) - named) <= LITTLE
    return len(shared) >= least and (brief or bool(shared - named))


def _is_past(older: str, text: str) -> bool:
    """Return whether an older text tells of the past, and the new one does not."""
    return PAST in novelty.content(older).words - novelty.content(text).words


def _only_more(text: str, older: str) -> bool:
    """Return whether one text says all that the other says, and more or no more than that.

    What it names only to take it back, as in "tea instead of coffee", it does not say.
    """
    if taken_back(text):
        return False
    mine, theirs = novelty.content(text).words, novelty.content(older).words
    within = mine <= theirs or theirs <= mine
    return within and not any(word.startswith("<") for word in mine ^ theirs)


def _worded_alike(text: str, older: str) -> bool:
    """Return whether two texts differ in names and numbers alone.

    Of 53 pairs kept apart so worded that the judge calls changes with ALIKE, 52 are.
    """
    mine, theirs = novelty.content(text).words, novelty.content(older).words
    named = stems(names(text) | names(older)) | novelty.calendar()
    apart = frozenset(word for word in mine ^ theirs if not word[0].isdigit())
    return bool(mine & theirs) and apart <= named


def _is_sure(text: str, one: Compared) -> bool:
    """Return whether it is so likely that a new value is told that the words need not be shared.

    Of 59 pairs kept apart that the judge calls so, 58 are changes, 15 of them in words that share
    too little. Of what matters for safety one thing must be named in both all the same.
    """
    named = not one.memory.safety or _share_things(text, one)
    return one.chances[Relation.REPLACES] >= SURE and named


def _counts_anew(text: str, one: Compared) -> bool:
    """Return whether a correction gives another number of what it names: "no, Bram is 5"."""
    mine, theirs = counted(text), counted(one.memory.text)
    return bool(mine and theirs) and not mine <= theirs and _share_things(text, one)


def _share_things(text: str, one: Compared) -> bool:
    """Return whether a statement and an older one name the same thing."""
    return bool(things(text) & things(one.memory.text))


def _owned(text: str) -> frozenset[str]:
    """Return the names in a text that own something, or whose verb is one letter."""
    return frozenset(name.casefold() for name in _OWNER.findall(text))


def _takes_back(former: Collection[str], text: str, older: str) -> bool:
    """Return whether an older statement about the same thing has a value that is taken back."""
    held, shared = novelty.content(older).words, things(text) & things(older)
    return any(
        wanted and wanted <= held and (shared - wanted or any(map(_is_telling, wanted)))
        for wanted in map(_telling_words, former)
    )


def _is_telling(word: str) -> bool:
    """Return whether a word is so long a number that it alone tells what is meant."""
    return len(_DIGIT.findall(word)) >= TELLING


def _holds(former: Collection[str], part: str) -> bool:
    """Return whether a part of a statement has a value that is taken back."""
    held = novelty.content(part).words
    return any(wanted and wanted <= held for wanted in map(_telling_words, former))


def _telling_words(value: str) -> set[str]:
    """Return the words that tell a value: of one with numbers all of them, else the first."""
    words = [next(iter(novelty.content(word).words), "") for word in value.split()]
    words = [word for word in words if word and not word.startswith("<")]
    return {word for word in words if word[0].isdigit()} or set(words[:1])


def _misprinted(text: str, one: Compared, *, corrects: bool) -> bool:
    """Return whether a new statement gives an older one's number otherwise, as a slip is mended.

    That is a number of as many digits of which two at most differ, or stand in another order. Where
    the person says that something was wrong, any number of the same form about the same thing.
    """
    mine, theirs = figures(text), figures(one.memory.text)
    if not mine or not theirs or mine & theirs:
        return False
    if one.of_one_thing >= OF_ONE and slipped(text, one.memory.text):
        return True
    if not corrects or not _share_things(text, one):
        return False
    ends = {number[-TELLING:] for number in mine}
    same = not {len(number) for number in mine}.isdisjoint(len(number) for number in theirs)
    return same or any(sorted(end) == sorted(n[-TELLING:]) for end in ends for n in theirs)


def _names_others(text: str, older: str) -> bool:
    """Return whether both texts have names, and none in common."""
    mine, theirs = names(text), names(older)
    return bool(mine) and bool(theirs) and not mine & theirs
