"""Why an answer uses what it uses, find by find, in one sentence for whoever asked.

Who said it and when comes first, then what ties it to the question: "You said it on 3 May; it is
about Ana and gives the date you asked for." The figures behind it are told elsewhere.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from app.domain.conversation import Role
from app.domain.language.text import clipped
from app.domain.memory import Origin, Trust
from app.domain.provenance import IMPORTED
from app.domain.reason import MEANING, OWN_WORDS, WORDS, ReasonKind
from app.domain.recall import Hit, HitKind


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NO_NAMES = frozenset(word.casefold() for word in (*_MONTHS, *_DAYS, "I", "Loci"))
_COMMON = _vocabulary(
    """
    about again also been before could does doing down ever find from have having here into know
    like made make many more most much must need only other over really remember said same shall
    should show some tell than that their them then there these they thing things this those told
    very want well were what when where which while will with would your
    """
)
_FORMS = ("ing", "ed", "es", "s")
_TOLD = {
    Origin.USER_TYPED: "You noted it yourself",
    Origin.USER_EDITED: "You put it this way yourself",
    Origin.DREAM: "Loci drew it from several things you said",
    Origin.CONSOLIDATION: "Loci drew it from several things you said",
    Origin.TOOL: "A tool reported it",
    Origin.DOCUMENT: "It was read in a document",
    Origin.WEB: "It was read on a web page",
    Origin.CLIENT: "Another program told Loci",
    Origin.IMPORT: "It came with an import",
    Origin.MIGRATION: "It came with an import",
}
_LINKS = {
    ReasonKind.BESIDE: "it was said right beside something that fits your question",
    ReasonKind.SHARED_NAMES: "it names the same people or things as another result",
    ReasonKind.DAYS_APART: "it is from around the same days as another result",
    ReasonKind.CAUSE: "it led to another result, or came of it",
    ReasonKind.PINNED: "you pinned it",
    ReasonKind.STAYS: "you said it beside what you asked to have forgotten",
}
_ASKED_FOR = {
    ReasonKind.MEANT: "it is what you asked about",
    ReasonKind.PERHAPS_MEANT: "it may be what you asked about",
    ReasonKind.KEPT_IN_MIND: "you pinned it, so every answer can draw on it",
}
_LANES = {
    "overview": "you asked what Loci knows about you",
    "replaced": "it shows what was true before",
}
_BY_WORDS, _BY_MEANING = frozenset({"fts", "message_fts"}), frozenset({"vector", "message_vector"})
_ALIKE = 0.35  # from here on a find is called close in meaning, or in words
_MOST_TIES, _MOST_NAMED = 2, 2
_SPEAKER = 40
_READ = 2_000  # characters of a find
_CLOSEST = "it seemed close to what you asked"
_SENT = ", not verified"
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_ENDS = frozenset(".!?…:•–—-\n")
_MARKS = " \t\"'“”‘’(*_"
_OWNED = re.compile(r"['’]s?$")
_ASKS_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:day|date|month|year|time)\b|\bhow long ago\b", re.IGNORECASE
)
_DATED = re.compile(rf"\b(?:\d{{4}}|{'|'.join(_MONTHS)})\b")


def sentence(hit: Hit, asked: str, now: datetime) -> str:
    """Return why an answer uses a find; empty for one that did not get through.

    Args:
        hit: The find.
        asked: The question, as far as it is known.
        now: The present.
    """
    if hit.dropped:
        return ""
    ties = list(_ties(hit, asked))[:_MOST_TIES] or [_CLOSEST]
    return f"{_told(hit, now)}; {_joined(ties)}."


def _told(hit: Hit, now: datetime) -> str:
    """Return who said it, or where it comes from, and when."""
    day = _day(hit.at, now)
    if hit.kind is HitKind.MESSAGE:
        return _spoken(hit, day)
    if hit.trust is Trust.CLAIMED:
        return f"A file that you imported {day} says so"
    origin = hit.memory.origin if hit.memory else Origin.CONVERSATION
    if hit.proof_count and origin in (Origin.CONSOLIDATION, Origin.DREAM):
        things = f"{hit.proof_count} things" if hit.proof_count > 1 else "something"
        return f"Loci drew it {day} from {things} you said"
    if origin in _TOLD:
        return f"{_TOLD[origin]} {day}"
    return f"You said it {day}" if hit.trust.is_own else f"It came from outside {day}"


def _spoken(hit: Hit, day: str) -> str:
    places = [one.whence for one in hit.passages]
    if places and all(places):
        place = f"It stands {places[0].removesuffix(_SENT)}"
        return f"{place}, and was said {day}" if places[0] == IMPORTED else f"{place} {day}"
    if hit.speaker:
        return f"{clipped(hit.speaker, _SPEAKER)} said it {day}"
    return f"Loci answered it {day}" if hit.role is Role.ASSISTANT else f"You said it {day}"


def _ties(hit: Hit, asked: str) -> Iterator[str]:
    """Yield what ties a find to the question, the most telling first."""
    why = {reason.kind: reason for reason in hit.reasons}
    yield from (told for kind, told in _ASKED_FOR.items() if kind in why)
    if names := _shared_names(asked, hit.text):
        yield f"it {'is about' if hit.kind is HitKind.MEMORY else 'mentions'} {_listed(names)}"
    if _ASKS_WHEN.search(asked) and (hit.occurred_at or _DATED.search(hit.text)):
        yield "it gives the date you asked for"
    if ReasonKind.IN_TIME in why:
        yield f"it falls in the time you asked about, {why[ReasonKind.IN_TIME].text}"
    yield from (told for lane, told in _LANES.items() if lane in hit.lanes)
    if hit.vital:
        yield "it matters for your safety"
    yield from _alike(hit, asked, names)
    yield from (told for kind, told in _LINKS.items() if kind in why)


def _alike(hit: Hit, asked: str, names: Sequence[str]) -> Iterator[str]:
    """Yield in what a find is like the question: its words, its meaning."""
    measures = (one for one in hit.reasons if one.kind is ReasonKind.MEASURE and one.numbers)
    figures = {one.name: one.numbers[0] for one in measures}
    by_words = max(figures.get(WORDS, 0.0), figures.get(OWN_WORDS, 0.0)) >= _ALIKE
    by_meaning = figures.get(MEANING, 0.0) >= _ALIKE
    if not figures:
        by_words = bool(_BY_WORDS & hit.lanes.keys())
        by_meaning = bool(_BY_MEANING & hit.lanes.keys())
    if shared := [f"“{w}”" for w in _shared_words(asked, hit.text) if w.title() not in names]:
        yield f"it shares the word{'s'[: len(shared) - 1]} {_listed(shared)} with your question"
    elif by_words and not names:
        yield "it shares words with your question"
    if by_meaning:
        beside = shared or (by_words and not names)
        yield f"it is close in meaning to {'it' if beside else 'your question'}"


def _shared_names(asked: str, text: str) -> list[str]:
    """Return the names that a question and a find share.

    A name is a word that stands with a capital within a sentence of one of the two.
    """
    text = text[:_READ]
    named = _within(asked) | _within(text)
    there = {_bare(word).casefold() for word in _WORD.findall(text)}
    words = dict.fromkeys(_bare(word).casefold() for word in _WORD.findall(asked))
    return [word.title() for word in words if word in named & there][:_MOST_NAMED]


def _within(text: str) -> set[str]:
    if text.isupper():
        return set()
    return {
        name.casefold()
        for found in _WORD.finditer(text)
        if (name := _bare(found[0]))[:1].isupper()
        and name.casefold() not in _NO_NAMES
        and (before := text[: found.start()].rstrip(_MARKS))
        and before[-1] not in _ENDS
    }


def _bare(word: str) -> str:
    return _OWNED.sub("", word)


def _shared_words(asked: str, text: str) -> list[str]:
    """Return the words of a question that a find has as well, in whatever form it has them."""
    there = set(map(_form, _WORD.findall(text[:_READ])))
    words = dict.fromkeys(_bare(word).casefold() for word in _WORD.findall(asked))
    found = [word for word in words if len(word) > 3 and word not in _COMMON]
    shared = [word for word in found if _form(word) in there][:_MOST_NAMED]
    return [word.title() if word in _NO_NAMES else word for word in shared]  # Friday, June


def _form(word: str) -> str:
    word = _bare(word).casefold()
    rests = (word.removesuffix(end) for end in _FORMS if word.endswith(end))
    return next((rest for rest in rests if len(rest) > 3), word)


def _day(moment: datetime, now: datetime) -> str:
    """Return "today", "yesterday", "on 3 May", or "on 3 May 2025" where that is not this year."""
    day, today = moment.astimezone().date(), now.astimezone().date()
    if today - day in (timedelta(0), timedelta(1)):
        return "yesterday" if day < today else "today"
    year = "" if day.year == today.year else f" {day.year}"
    return f"on {day.day} {_MONTHS[day.month - 1]}{year}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(words)


def _joined(ties: Sequence[str]) -> str:
    """Return clauses as one: "it is about Ana and gives the date you asked for"."""
    first, *others = ties
    rests = [one.removeprefix("it ") if first.startswith("it ") else one for one in others]
    return " and ".join([first, *rests])
