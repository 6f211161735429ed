"""Tell whether two statements can both be true: numbers, denials, and places that hold one value.

Everything here is words alone, and every doubt says that they can. What is found is only shown to
the person, who decides.
"""

import re
from collections.abc import Sequence

from app.domain.contradiction import Clash
from app.memory import agreement, novelty, occasions
from app.memory.extract.person import expanded
from app.memory.extract.vocabulary import listed

_NOT = "<not>"
_OVER = frozenset({_NOT, "<ended>"})
_USING = frozenset(
    word
    for v in ("drink", "eat", "smoke", "take", "use", "play", "do")
    for word in novelty.content(v).words
)
_TENSES = frozenset({"<past>", "<future>"})
_HELPING = re.compile(
    r"\b(?:no longer|not|never|any ?more|stopped|quit|am|is|are|was|were|do|does|did|have|has|"
    r"had)\b",
    re.IGNORECASE,
)
_IS = re.compile(
    r"^(?P<whose>Your|The) (?P<slot>[^\W\d_][\w' -]{1,40}?) (?:is|are) (?:now |called |named )?"
    r"(?P<value>.{1,60}?)\.?$"
)
_MOVED = re.compile(
    r"^(?P<whose>Your|The) (?P<slot>[^\W\d_][\w' -]{1,40}?) (?:was|is|has been) "
    r"(?:moved|postponed|rescheduled|brought forward|put off|changed) to (?P<value>.{1,60}?)\.?$"
)
_EVERY = re.compile(r"\b(?:every|each)\b", re.IGNORECASE)
_PARTED = re.compile(
    r"^You (?:have )?(?:sold|gave away|given away|lost|scrapped) (?:the|your) (?P<thing>.+?)"
    r"(?: and .+)?$"
)
_HAD = re.compile(
    r"^(?:You (?:have|own|drive|ride) |Your [^\W\d_]+ is )an? (?P<thing>[^,.;]{1,60})$"
)
_LEFT = re.compile(
    r"^You (?:have )?(?:left(?= your job| (?:the )?[^\W\d_a-z])|quit|"
    r"resigned from|retired from|were fired (?:from|by)|"
    r"(?:no longer|do not) work (?:at|for)) (?:your job (?:at|with) )?(?:the |your )?"
    r"(?P<thing>[^\W\d_][^,.;]{0,40}?)(?:[,;] .+| and .+)?\.?$"
)
_WORKS = re.compile(
    r"^You (?:work|are working|are employed|study|are studying|teach|volunteer)\b[^,.;]*?"
    r" (?:at|for|with|by|in) (?:the |a |an |your )?(?P<thing>[^\W\d_][^,.;]{0,60})"
)
# When something ended says nothing against its having ended.
_WHEN = re.compile(
    r",? (?:(?:in|since|around|on|in the week of) (?:\d{1,2} )?(?:[A-Z]\w+ )?\d{4}|"
    r"last (?:week|month|year|\w+day|spring|summer|autumn|"
    r"winter)|yesterday|recently|today|(?:\w+ ){1,2}ago)(?=\W*$|[,;] )"
)
_GAVE_UP = re.compile(r"\b(?:(?:have|has|had) given up|gave up|given up)\b", re.IGNORECASE)
_BLOOD = re.compile(
    r"^(?P<group>AB|A|B|O|0)(?:\W*(?:rh(?:esus)?\W*)?(?P<rhesus>\+|-|−|pos\w*|neg\w*))?\W*$",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(listed("in, at, on, for, to, from, with, by, of, as"))
# People have several of these, so two values are two people or things.
_SEVERAL = frozenset(
    listed(
        "brother, sister, sibling, friend, cousin, child, son, daughter, kid, uncle, aunt, "
        "nephew, niece, grandchild, grandson, granddaughter, colleague, neighbour, neighbor, "
        "cat, dog, pet, hobby, language, allergy, book, film, movie, song, band, plant, teacher, "
        "student, client, goal, plan, idea, favourite, favorite, project, tattoo, bike, bicycle"
    )
)
_NAME = re.compile(r"^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)*$")
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof"})
_ALSO = re.compile(r"\b(?:also|too|as well|another|second|besides)\b", re.IGNORECASE)
# "Too" is degree in "too cold", and stands alone or before one of these where it adds.
_ADDS = re.compile(
    r"\b(?:also|as well|additionally|in addition|besides|another|on top of (?:that|it)"
    r"|(?:a|my|our) second)\b"
    r"|^\W*(?:(?:I|we|(?:my|our) \w+) )?too\b"
    r"|\btoo\b(?=\s*(?:$|[^\w\s])|\s+(?:now|nowadays|these|this|at|in|on|since|for|from|as|by|with|of"
    r"|sometimes|during|though|because|which|who|btw|lol|and|but|part-time|every)\b)",
    re.IGNORECASE,
)
_TO_ANOTHER = re.compile(
    r"\b(?:mov\w+|switch\w*|chang\w+|transfer\w*|relocat\w+|left|quit|swap\w*)\b.{0,40}?\banother\b",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\b(?:moved|relocated|emigrated|immigrated)\b", re.IGNORECASE)
_NOW = re.compile(r"\bnow\b", re.IGNORECASE)
_INSTEAD = re.compile(r"[,;] (?:and |but |so )?(?=(?:you|your)\b)")
_APART = re.compile(
    r"[.;!?\n]+\s+|,?\s+(?:and|but|so|while|though)\s+(?!(?:in|at|for|on|with|to|by)\b)"
    r"|,\s+(?=(?:I|we|my|our|he|she|they|his|her|their)\b)",
    re.IGNORECASE,
)


def clash(new: str, old: str) -> Clash | None:
    """Return how two statements contradict each other, or None where both may be true."""
    if _ALSO.search(new):
        return None
    if denies(new, old):
        return Clash.CLOSING
    if novelty.rivals(new, old) or same_place(new, old):
        return Clash.SLOT
    return None


def adds(quote: str, text: str, value: object = None) -> bool:
    """Return whether the words that a statement rests on say it in addition to what was known.

    Args:
        quote: The words; where they say several things, those that say this one count.
        text: The statement.
        value: What it gives its key.
    """
    said = novelty.content(f"{text} {value or ''}").words
    clauses = [clause for clause in _joined(_APART.split(_TO_ANOTHER.sub(" ", quote))) if clause]
    shared = [len(said & novelty.content(clause).words) for clause in clauses]
    most = max(shared, default=0)
    return any(
        _ADDS.search(clause)
        for clause, number in zip(clauses, shared, strict=True)
        if number == most
    )


def _joined(clauses: Sequence[str]) -> list[str]:
    """Join what says nothing by itself, such as "Also", to what follows; at the end, precedes."""
    found: list[str] = []
    before = ""
    for clause in clauses:
        whole = f"{before}, {clause}" if before else clause
        says = bool(novelty.content(_ADDS.sub(" ", whole)).words)
        before = "" if says else whole
        if says:
            found.append(whole)
    return [*found[:-1], f"{found[-1]}, {before}"] if found and before else found


def turns(quote: str, text: str) -> bool:
    """Return whether a statement is what came of a move that the words it rests on tell of.

    "I moved to Lille" says so of "You live in Lille"; "I moved desks and live in Lille" does not.
    """
    follows = not novelty.content(text).words <= novelty.content(quote).words
    return bool(_MOVE.search(quote)) and (follows or bool(_NOW.search(quote)))


def denies(one: str, other: str) -> bool:
    """Return whether two texts say the same, one that it is and one that it is not (any more).

    What is denied may be part of what the other says: "You are not going to Porto any more" denies
    "You are going to Porto in September". What was sold or given away, nobody has any more.
    """
    pairs = (one, other), (other, one)
    return any(_denies(no, yes) or _parted(no, yes) for said, yes in pairs for no in _clauses(said))


def _clauses(text: str) -> list[str]:
    """Return a text and, where it says what holds instead, its clauses: "…, you are going to"."""
    parts = _INSTEAD.split(text)
    return [text, *parts] if len(parts) > 1 else [text]


def _denies(no: str, yes: str) -> bool:
    no = _GAVE_UP.sub("quit", _WHEN.sub("", no))
    mine, theirs = novelty.content(no).words, novelty.content(yes).words
    denied = mine - _OVER
    if _NOT not in mine or _NOT in theirs or not denied - _TENSES:
        return False
    if denied & _TENSES != theirs & _TENSES:
        return False
    if len(denied) == 1 or mine >= _OVER:
        if _first(no) != _first(yes):  # "it does not work" is not about you
            return False
        if denied == theirs or (mine >= _OVER and denied < theirs and theirs - denied <= _USING):
            return True
    if len(denied) < 2:
        return False
    if denied == theirs:
        return True
    whole, part = agreement.said(_bare(yes)), agreement.said(_bare(no))
    return whole.turns == part.turns and _contains(whole.tokens, part.tokens)


def _first(text: str) -> str:
    return next(iter(expanded(text).split()), "").casefold()


def _contains(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether some words stand in another text, apart at prepositions alone."""
    at, before = 0, ""
    for number, word in enumerate(part):
        apart = number > 1 and (word in _PREPOSITIONS or before in _PREPOSITIONS)
        while apart and at < len(whole) and whole[at] != word:
            at += 1
        if at == len(whole) or whole[at] != word:
            return False
        at, before = at + 1, word
    return at == len(whole) or whole[at] in agreement.ADDING


def _bare(text: str) -> str:
    """Return a text without what denies it, and without the verbs that only help."""
    return " ".join(_HELPING.sub(" ", _EVERY.sub("on", expanded(text))).split())


def _parted(new: str, old: str) -> bool:
    """Return whether somebody parted with what another text says they have."""
    new = _WHEN.sub("", new)
    pairs = (_PARTED.match(new), _HAD.match(old)), (_LEFT.match(new), _WORKS.match(old))
    for gone, had in pairs:
        thing = novelty.content(gone["thing"]).words if gone and had else frozenset[str]()
        if had and thing and thing <= novelty.content(had["thing"]).words:
            return True
    return False


def same_place(one: str, other: str) -> bool:
    """Return whether two texts give one thing of which there is one different names or numbers."""
    if occasions.other_day(one, other):
        return True
    mine, theirs = (_MOVED.match(t.strip()) or _IS.match(t.strip()) for t in (one, other))
    if mine is None or theirs is None:
        return False
    slot = agreement.said(mine["slot"]).words - occasions.NEXT
    if not slot or slot != agreement.said(theirs["slot"]).words - occasions.NEXT:
        return False
    if occasions.MEETING & slot:
        return False
    if "blood" in slot:
        return _other_blood(mine["value"], theirs["value"])
    if _SEVERAL & set(re.split(r"[ -]", mine["slot"].casefold())):
        return False
    values = mine["value"], theirs["value"]
    if not all(_NAME.match(value) or value[0].isdigit() for value in values):
        return False
    first, second = (novelty.content(value).words - _TITLES for value in values)
    return first.isdisjoint(second)


def _other_blood(one: str, other: str) -> bool:
    """Return whether two blood types differ in what both of them tell."""
    mine, theirs = _BLOOD.match(one.strip()), _BLOOD.match(other.strip())
    if mine is None or theirs is None:
        return False
    if mine["group"].upper().replace("0", "O") != theirs["group"].upper().replace("0", "O"):
        return True
    if not (mine["rhesus"] and theirs["rhesus"]):
        return False
    return (mine["rhesus"][0] in "+pP") != (theirs["rhesus"][0] in "+pP")
