"""Find what answers a question: the statements that recall nominates, judged one by one.

Recall ranks by likeness; whether a statement answers, the judge tells by reading it together with
the question. The person's own past questions and orders answer nothing, nor does what was forgotten
or replaced since. What nobody here vouches for is told behind what they said, and replaces nothing.
Nothing above the limit means: it is not known.
"""

import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from app.domain.language.text import normalise
from app.domain.recall import Hit, HitKind
from app.domain.reply import AnswerEvidence
from app.errors import ModelError
from app.memory.answer.candidates import Candidates, own_first
from app.memory.answer.telling import EvidenceFilter
from app.memory.change.heirs import Heirs
from app.memory.reading.joining import sentences
from app.memory.reading.naming import NamedMessage
from app.memory.reading.reader import Reader
from app.memory.text.apart import apart, is_beside
from app.memory.text.novelty import content
from app.memory.text.whom import PERSON, of_another, roles, whom
from app.memory.when.words import NUMBERS
from app.providers.base import Understanding
from app.providers.judging import Task, asked_and_told
from app.store.store import Store

log = logging.getLogger(__name__)

ANSWERS = 1.0  # worth
PERHAPS = -0.5
MAY_BE_NEWER = -5.0
RIVAL = 0.7  # worth of what contradicts an older answer and is told before it
LIKENESS = 2.0  # what being found likely weighs beside the odds that the judge gives
KEPT = 0.5  # what a memory weighs more than words of a message
FIRST = (
    0.3  # what it weighs more where it matters for safety: of two that answer as well, it is told
)
CLOSE = 4.0
MOST_NEAR = 2
MOST_ASKED = 48
MOST_LISTED = 8
MOST_MORE = 4
LISTED = 4.0
CONTENDERS = 4
TO_THE_POINT = 1.0
INSTEAD = 1.7  # log odds: a chance of .85
INHERITS = 0.5  # how much better what was replaced must have answered
TAKES_OVER = 0.0  # log odds that its heir answers in its place
INTRODUCES = 0.85  # chance that it answers who somebody is
HARDLY = 0.5  # of what a newer one lacks to answer by itself, it must be likelier to answer instead
_COUNTS = re.compile(
    r"\W*(?:(?:so|and|but|hey|hi|ok)\W+)*(?:how many|what number of)\b", re.IGNORECASE
)
_ASKS_WHO = re.compile(
    r"\W*(?:(?:so|and|but|hey|hi|ok)\W+)*(?:who(?:['’]?s| is| was)|wer (?:ist|war)"
    r"|qui (?:est|était)|qui[eé]n (?:es|era)|wie (?:is|was))\s+(?P<name>[^\W\d_][\w-]+)\W*",
    re.IGNORECASE,
)

Pair = tuple[Hit, Hit]


@dataclass(frozen=True, slots=True)
class Answers:
    """What answers a question.

    Attributes:
        told: The answer: one piece of evidence, or all that qualifies, best first.
        before: What answered until that changed, the latest first.
        perhaps: What answers nearly as well, where one piece of evidence is told.
        more: What may answer as well.
        counted: Whether a number was asked for that only the pieces told give, one by one.
    """

    told: Sequence[AnswerEvidence] = ()
    before: Sequence[AnswerEvidence] = ()
    perhaps: Sequence[AnswerEvidence] = ()
    more: Sequence[AnswerEvidence] = ()
    counted: bool = False

    @property
    def hits(self) -> list[Hit]:
        """What an answer quotes, in the order in which it counts them."""
        return [one.hit for one in (*self.told, *self.before, *self.perhaps)]


class Answerer:
    """Answers questions from memories and from what was said."""

    def __init__(self, store: Store, models: Callable[[], Understanding]) -> None:
        self._models = models
        self._candidates = Candidates(store)
        self._heirs = Heirs(store)
        self._reader = Reader(models)
        self._telling = EvidenceFilter(store.conversations, store.messages, models)

    def found(
        self, question: str, hits: Sequence[Hit], *, several: bool = False, at_all: bool = False
    ) -> Answers:
        """Return what answers a question.

        Args:
            question: The question.
            hits: What recall nominated.
            several: Whether all that qualifies is asked for.
            at_all: Whether it is asked where something was said, whether it is so or not.
        """
        tell = partial(self._telling.of, question, at_all=at_all)
        kept_first = sorted(hits, key=lambda hit: hit.kind is not HitKind.MEMORY)
        asked = self._candidates.of(question, kept_first)[:MOST_ASKED]
        judged = sorted(self._judged(question, asked), key=_worth, reverse=True) if asked else []
        answering = own_first(one for one in judged if _worth(one) >= ANSWERS)
        perhaps = [one for one in judged if _worth(one) >= PERHAPS]
        if _COUNTS.match(question) and answering and not _has_number(answering[0].text):
            counted = apart(tell(answering))
            if len(counted) > 1:
                return Answers(counted, counted=True)
        if several and answering:
            least = max(map(_worth, answering)) - LISTED
            listed = apart(tell(own_first(one for one in perhaps if _worth(one) >= least)))
            return Answers(listed[:MOST_LISTED], more=listed[MOST_LISTED:])
        while answering and not tell(answering[:1]):
            perhaps.remove(answering.pop(0))
        pairs = self._heirs.of(hits)
        if not several and (heir := self._inherited(question, pairs, judged)):
            return heir
        if not answering:
            return Answers()
        first = _still_so(question, answering, pairs) or answering[0]
        best, before = self._newest(question, first, judged, pairs)
        if newer := self._rival(question, best):
            return Answers([newer], before[:1], [best], before[1:])
        before += self._gave_way(question, (before or [best])[-1], best, hits)
        least = _worth(best) - LISTED
        beside = [e for e in answering if is_beside(e, best) and _worth(e) >= least]
        told = apart([best, *tell([e for e in beside if e not in before])])[:MOST_LISTED]
        perhaps = [one for one in perhaps if one not in before and one not in told]
        rest = tell(apart([*told, *perhaps])[len(told) : len(told) + MOST_MORE])
        close = _worth(answering[0]) - CLOSE
        room = 0 if before or len(told) > 1 else MOST_NEAR  # what it was is the better second line
        near = [one for one in rest[:room] if _worth(one) >= close]
        more = [one for one in rest if one not in near]
        if len(told) > 1:
            told.sort(key=lambda one: one.hit.at, reverse=True)
            return Answers(told, before[:1], more=[*before[1:], *more])
        return Answers([self._to_the_point(question, best)], before[:1], near, [*before[1:], *more])

    def outdated(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """Return what answered a question until it changed; none of it matters for safety.

        Args:
            question: The question.
            hits: What stands to choose from.
        """
        asked = self._candidates.of(question, hits)[:MOST_ASKED]
        judged = sorted(self._judged(question, asked), key=_worth, reverse=True) if asked else []
        answering = own_first(one for one in judged if _worth(one) >= ANSWERS)
        if not answering:
            return []
        best, before = self._newest(question, answering[0], judged, self._heirs.of(hits))
        older = [one for one in judged if _worth(one) >= PERHAPS and _may_follow(best, one)]
        rest = [one for one in older if one not in before][:CONTENDERS]
        filed = self._gave_way(question, (before or [best])[-1], best, hits)
        old = [*before, *filed, *self._changed_by(question, best, rest)]
        return [one.hit for one in old if one.hit.id != best.hit.id and not one.hit.vital]

    def _changed_by(
        self, question: str, best: AnswerEvidence, older: Sequence[AnswerEvidence]
    ) -> list[AnswerEvidence]:
        """Return of older answers those in whose place the best one is now."""
        if not older:
            return []
        pairs = [(asked_and_told(question, one.text), best.text) for one in older]
        try:
            chances = self._models().judge(Task.NEWER, pairs)
        except ModelError:
            return []
        return [
            one
            for one, chance in zip(older, chances, strict=True)
            if _odds(float(chance[1])) >= INSTEAD
        ]

    def _to_the_point(self, question: str, best: AnswerEvidence) -> AnswerEvidence:
        """Return the sentence of what answers that answers, where that is clearly not the first.

        What the assistant had asked is none of them.
        """
        every = sentences(best.text)
        said = [one for one in every if f"{one}?" not in best.text]
        if len(every) < 2 or not said:
            return best
        judged = self._judged(question, [replace(best, text=one) for one in said])
        answers = max(judged, key=_worth)
        first = judged[0].text == every[0]
        if first and _worth(answers) - _worth(judged[0]) < TO_THE_POINT:
            return best
        return replace(answers, text=self._named(answers.text, best), whole=best.text)

    def _named(self, sentence: str, best: AnswerEvidence) -> str:
        """Return a sentence with the name of whom it speaks of, where that stands before it."""
        start = best.text.find(sentence)
        said = NamedMessage(best.text, best.hit.at.astimezone())
        try:
            return self._reader.named(said, start, start + len(sentence))
        except ModelError:
            return sentence

    def _judged(self, question: str, asked: Sequence[AnswerEvidence]) -> list[AnswerEvidence]:
        """Return evidence with how sure it is; without the judge, as alike as recall found it."""
        try:
            chances = self._models().judge(Task.ANSWER, [(question, one.text) for one in asked])
        except ModelError as error:
            log.info("answers were told by likeness (%s)", type(error).__name__)
            return [replace(one, sure=math.sqrt(one.hit.relevance or 0.0)) for one in asked]
        return [
            replace(e, sure=max(float(c[1]), _introduces(question, e)))
            for e, c in zip(asked, chances, strict=True)
        ]

    def _rival(self, question: str, best: AnswerEvidence) -> AnswerEvidence | None:
        """Return what contradicts the best answer and is newer, where it answers, too."""
        hit = self._heirs.rival(best.hit)
        if hit is None:
            return None
        (rival,) = self._judged(question, [AnswerEvidence(hit.text, hit, 0.0)])
        return rival if _worth(rival) >= RIVAL else None

    def _newest(
        self,
        question: str,
        best: AnswerEvidence,
        others: Sequence[AnswerEvidence],
        pairs: Sequence[Pair],
    ) -> tuple[AnswerEvidence, list[AnswerEvidence]]:
        """Return what answers now, and what answered until it changed.

        Args:
            question: The question.
            best: What answers best by itself.
            others: What may answer, best first.
            pairs: What gave way, each with its heir, which left standing what still holds of it.

        Where somebody is asked about, what is told of others alone takes the place of nothing.
        """
        before: list[AnswerEvidence] = []
        heirs = {heir.id for old, heir in pairs if _is_part(best.text, old.text)}
        named = whom(question) - {PERSON}
        near = [
            n
            for n in others
            if _worth(n) >= MAY_BE_NEWER
            and n.hit.id not in heirs
            and not (named and not named & whom(n.text) and of_another(n.text, best.text))
        ]
        while later := self._telling.of(
            question, [n for n in near if _may_follow(n, best)][:CONTENDERS]
        ):
            told = asked_and_told(question, best.text)
            try:
                chances = self._models().judge(Task.NEWER, [(told, one.text) for one in later])
            except ModelError:
                break
            instead = [
                _odds(float(chance[1])) + HARDLY * min(_worth(one), 0.0)
                for one, chance in zip(later, chances, strict=True)
            ]
            if max(instead) < INSTEAD:
                break
            before.insert(0, best)
            best = later[instead.index(max(instead))]
        return best, before

    def _inherited(
        self, question: str, pairs: Sequence[Pair], others: Sequence[AnswerEvidence]
    ) -> Answers | None:
        """Return what took the place of what answered better than all that is known now, if any.

        Args:
            question: The question.
            pairs: What gave way, each with its heir.
            others: What may answer, best first.
        """
        if not pairs:
            return None
        answering = own_first(one for one in others if _worth(one) >= ANSWERS)
        least = max([ANSWERS, *(_worth(one) + INHERITS for one in answering)])
        was = self._judged(question, [AnswerEvidence(old.text, old, 0.0) for old, _ in pairs])
        heirs = [
            AnswerEvidence(heir.text, heir, old.sure)
            for old, (_, heir) in zip(was, pairs, strict=True)
        ]
        better = [(old, heir) for old, heir in zip(was, heirs, strict=True) if _worth(old) >= least]
        for old, heir in sorted(better, key=lambda pair: -_worth(pair[0]))[:CONTENDERS]:
            left = [one for one in others if _is_part(one.text, old.text)]
            if any(one in answering for one in left):
                return None
            if still := _closer(question, heir, left):
                return Answers([still], perhaps=[heir])
            if self._takes_over(question, old, heir.hit):
                return Answers([heir], [old])
        return None

    def _takes_over(self, question: str, old: AnswerEvidence, heir: Hit) -> bool:
        """Return whether what took the place of an answer answers in its place, too."""
        pair = (asked_and_told(question, old.text), heir.text)
        try:
            return _odds(float(self._models().judge(Task.NEWER, [pair])[0][1])) >= TAKES_OVER
        except ModelError:
            return False

    def _gave_way(
        self, question: str, oldest: AnswerEvidence, best: AnswerEvidence, hits: Sequence[Hit]
    ) -> list[AnswerEvidence]:
        """Return what the memory that answers took the place of, if that once answered as well."""
        ids = {oldest.hit.id, best.hit.id}
        was = [
            AnswerEvidence(h.text, h, 0.0) for h in hits if h.replaced and h.superseded_by in ids
        ]
        judged = self._judged(question, was) if was else []
        return [one for one in judged if _worth(one) >= PERHAPS]


def _has_number(text: str) -> bool:
    """Return whether a text has a number, in figures or in words."""
    spoken = re.findall(r"[^\W_]+", text.casefold())
    return any(word in NUMBERS or word[0].isdigit() for word in spoken)


def _worth(one: AnswerEvidence) -> float:
    """Return how good an answer is: the judge's log odds, and how likely recall found it.

    The weights were fitted on the questions of five lives that neither model learnt from.
    """
    kept = KEPT if one.hit.kind is HitKind.MEMORY and one.own else 0.0
    safe = FIRST if one.hit.safety and one.own else 0.0
    return _odds(one.sure) + LIKENESS * (one.hit.relevance or 0.0) + kept + safe


def _odds(chance: float) -> float:
    """Return the log odds of a chance, none of them beyond ten thousand to one."""
    sure = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(sure / (1 - sure))


def _introduces(question: str, one: AnswerEvidence) -> float:
    """Return how surely evidence tells who somebody is, if that is asked: "my ex-husband Rob"."""
    asked = _ASKS_WHO.fullmatch(question)
    name = asked["name"].capitalize() if asked else ""
    return INTRODUCES if name and one.own and roles(one.text, name) else 0.0


def _may_follow(later: AnswerEvidence, one: AnswerEvidence) -> bool:
    """Return whether evidence may take the place of some: what is later and believed as much."""
    return later.hit.at > one.hit.at and later.standing.rank >= one.standing.rank


def _still_so(
    question: str, answering: Sequence[AnswerEvidence], pairs: Sequence[Pair]
) -> AnswerEvidence | None:
    """Return what still holds of what gave way to the best answer, if it says more of the question.

    "The egg allergy is gone" left "I'm allergic to latex", which is what was asked about.
    """
    olds = [old.text for old, heir in pairs if heir.id == answering[0].hit.id]
    left = [one for one in answering[1:] if any(_is_part(one.text, old) for old in olds)]
    return _closer(question, answering[0], left)


def _closer(
    question: str, best: AnswerEvidence, others: Sequence[AnswerEvidence]
) -> AnswerEvidence | None:
    """Return the first that has more of the question's words than the best one, if any has."""
    asked = content(question).words
    said = len(asked & content(best.text).words)
    return next((one for one in others if len(asked & content(one.text).words) > said), None)


def _is_part(text: str, whole: str) -> bool:
    """Return whether a text is what still holds of one that gave way."""
    return set(normalise(text).split()) < set(normalise(whole).split())
