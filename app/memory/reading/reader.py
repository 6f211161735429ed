"""Read messages: what each states that lasts, and what the person does with it.

The network that tells runs in the embedder's process (``app.providers.reading``); here its marks
become statements in the person's own words. What is material by its form (code, logs, letters)
states nothing. Where no network is at hand, nothing is stated, and ``Reader.sees`` says so.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import dropwhile

import numpy as np

from app.domain.language.reading import Act, Change, Reading, Statement, StatementKind
from app.memory.reading import marks, spans
from app.memory.reading.asked import before_question, is_asked, sentence_begins, with_question
from app.memory.reading.corrections import taken_back, without_the_old
from app.memory.reading.naming import NamedMessage
from app.memory.reading.own_words import material, overlaps
from app.memory.reading.wording import question, told_from, trimmed, with_names, written
from app.memory.reading.words import words
from app.memory.word_lists import word_list
from app.providers.base import Understanding
from app.providers.reading import Tags

LONGEST = 4000
LONGEST_BEFORE = 480  # so that all of it fits the model, whose network sees the end of it
_FORGETS = (Act.FORGET, Act.DELETE_ABOUT)
_ASKS = (Act.ASK, Act.KNOW)
_DOES = (Act.REMEMBER, Act.WORK)
SURE_OF_REQUEST = 0.6
REMINDED_SOON = 6  # words
BEGINNING = 200  # characters
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n")


class Reader:
    """Reads messages."""

    def __init__(self, models: Callable[[], Understanding]) -> None:
        self._models = models

    def read(self, messages: Sequence[NamedMessage]) -> list[Reading]:
        """Return what messages do and state.

        Raises:
            ModelError: With one sentence for the person.
        """
        cut = [_cut(said) for said in messages]
        found = [*map(_reading, cut, self._tags(cut))]
        requests = [n for n, reading in enumerate(found) if _is_unread(cut[n].text, reading)]
        plainly = [_plainly(cut[n]) for n in requests]
        tagged = self._tags(plainly) if plainly else ()
        for n, said, tags in zip(requests, plainly, tagged, strict=True):
            told = tuple(_statements(said, tags, *found[n].acts[0]))
            found[n] = replace(found[n], statements=told)
        return found

    def _tags(self, messages: Sequence[NamedMessage]) -> Sequence[Tags]:
        return self._models().read([(said.text, said.asked) for said in messages])

    def named(self, said: NamedMessage, start: int, end: int) -> str:
        """Return a stretch of a message with the name of whom it speaks of, if that stands before.

        Raises:
            ModelError: With one sentence for the person.
        """
        (tags,) = self._models().read([(said.text[:LONGEST], "")])
        return with_names(said, tags, start, end)


def _cut(said: NamedMessage) -> NamedMessage:
    return replace(said, text=said.text[:LONGEST], asked=said.asked[-LONGEST_BEFORE:])


def _reading(said: NamedMessage, tags: Tags) -> Reading:
    chances = marks.chances(tags.act)
    order = np.argsort(-chances)
    acts = tuple((list(Act)[i], float(chances[i])) for i in order)
    if _begins(said.text, words().forgetting):
        return Reading(_among(acts, *_FORGETS), (), spans.target(said.text, tags))
    if acts[0][0] in _FORGETS and _begins(said.text, words().keeping):
        acts = _among(acts, Act.UNDO)
    elif acts[0][0] in _FORGETS and (_begins(said.text, _never()) or _is_to_be_kept(said.text)):
        acts = _among(acts, *(act for act in Act if act not in _FORGETS))
    elif _is_reminder(said.text):
        acts = ((Act.REMEMBER, 1.0),)
    plain = _plainly(said) if acts[0][0] is Act.REMEMBER else said
    told = tuple(_statements(plain, tags, *acts[0]))
    return Reading(acts, told, spans.target(said.text, tags), several=tags.several > 0)


def _is_unread(text: str, reading: Reading) -> bool:
    """Return whether a message asks for something to be done, and nothing was read in it."""
    does = reading.act in _DOES and reading.acts[0][1] >= SURE_OF_REQUEST
    return does and not reading.statements and _is_request(text)


def _is_request(text: str) -> bool:
    """Return whether a message is one request in the form of a question: "Could you note …?"."""
    if not text.rstrip().endswith("?") or _SENTENCE_END.search(text.rstrip()[:-1]):
        return False
    spoken = (word.lower() for word in _WORD.findall(text[:BEGINNING]))
    asked = list(dropwhile(lambda word: word in words().leads or word == "please", spoken))
    return " ".join(asked[:2]) in words().requesting


def _plainly(said: NamedMessage) -> NamedMessage:
    """Return a request as an order: "Could you note that I'm allergic to nuts." asks nothing."""
    text = said.text.rstrip()
    return replace(said, text=f"{text[:-1]}.") if _is_request(text) else said


def _begins(text: str, ways: Iterable[str]) -> bool:
    """Return whether a message begins with one of some words, perhaps after polite ones."""
    spoken = (word.lower() for word in _WORD.findall(text))
    said = " ".join(word for word in spoken if word not in words().polite)
    return any(f"{said} ".startswith(f"{way} ") for way in ways)


def _never() -> Iterator[str]:
    """Yield the beginnings of what must not be forgotten: "don't forget"."""
    for no in words().by_no_means:
        yield from (f"{no} {way}" for way in words().forgetting)


def _is_to_be_kept(text: str) -> bool:
    """Return whether a message wants what it tells remembered: "note this, I forget so much"."""
    return told_from(text, 0, len(text)) > 0 and not _discards().search(text)


@cache
def _discards() -> re.Pattern[str]:
    """Return what finds an order that something go, at the beginning of a clause."""
    ways = "|".join(map(re.escape, sorted(word_list("comparing", "discarding"))))
    polite = "|".join(map(re.escape, sorted(words().polite)))
    return re.compile(
        rf"(?:[.,;:!?\n–—-]|\b(?:and|then|und|y|et|en))\s*(?:(?:{polite})\s+)*(?:{ways})\b", re.I
    )


def _is_reminder(text: str) -> bool:
    """Return whether a message wants to be reminded of what it tells: "remind me to call Tom".

    "Remind me what the vet said" asks, and so does "remind me which pills to take".
    """
    spoken = [word.lower() for word in _WORD.findall(text[:BEGINNING])]
    asking = words().polite | {"you", "u"}
    lead = list(dropwhile(lambda word: word in asking, spoken))
    way = next((w.split() for w in words().reminding if lead[: len(w.split())] == w.split()), None)
    if way is None or spoken[0] in ("you", "u"):
        return False
    rest = lead[len(way) :][:REMINDED_SOON]
    begins = set(rest[:1]) <= words().reminding_of | words().reminding_when
    return bool(rest) and begins and not words().reminding_of.isdisjoint(rest)


def _among(acts: Sequence[tuple[Act, float]], *wanted: Act) -> tuple[tuple[Act, float], ...]:
    """Return the chances of some acts alone, likeliest first."""
    left = [(act, chance) for act, chance in acts if act in wanted]
    total = sum(chance for _, chance in left) or 1.0
    return tuple((act, chance / total) for act, chance in left)


def _statements(said: NamedMessage, tags: Tags, act: Act, sure: float) -> list[Statement]:
    foreign = material(said.text)
    found: list[Statement] = []
    asked = bool(question(said.asked))
    marked = spans.statements(said.text, tags, asked=asked, foreign=foreign)
    for marked_one in marked or spans.wished(said.text, tags, act, sure):
        told = with_question(said.text, _before_quote(said.text, marked_one, foreign))
        one = before_question(said.text, told, asks=act in _ASKS)
        unmarked = act in _ASKS and not marks.safety(tags, one)
        if overlaps(one.start, one.end, foreign) or is_asked(said.text, one, unmarked=unmarked):
            continue
        reminds = _is_reminder(said.text[sentence_begins(said.text, one.start) :])
        kind = StatementKind.PLAN if reminds else marks.kind(tags, one)
        start, end = trimmed(said.text, one)
        if end <= start:
            continue
        text, day = written(said, tags, one, kind, first=not found)
        change = marks.change(said.text, tags, one)
        old: tuple[str, ...] = ()
        if change is Change.NEW or act is Act.CORRECT:
            old = taken_back(_sentence(said.text, start, end))
            puts_right = act is Act.CORRECT and not marks.safety(tags, one)
            text = without_the_old(text, corrects=puts_right)
        found.append(
            Statement(
                text=text,
                quote=said.text[start:end],
                start=start,
                end=end,
                sure=one.sure,
                kind=kind,
                change=change,
                instead_of=old,
                safety=marks.says_of_safety(tags, one),
                occurred_at=day if kind in (StatementKind.EVENT, StatementKind.PLAN) else None,
            )
        )
    return found


def _before_quote(
    text: str, one: marks.MarkedSpan, foreign: Sequence[tuple[int, int]]
) -> marks.MarkedSpan:
    """Return the clauses of a stretch before the one that brings in what is not the person's."""
    quoted = min((a for a, b in foreign if a < one.end and one.start < b), default=one.end)
    clause = text.rfind(",", one.start, quoted) if quoted < one.end else -1
    return replace(one, end=clause) if clause > one.start else one


def _sentence(text: str, start: int, end: int) -> str:
    """Return the words from the beginning of a statement to the end of its sentence."""
    stop = _SENTENCE_END.search(text, end)
    return text[start : stop.start() if stop else len(text)]
