"""Measure how much each find is about the question, on one scale for every question.

Meaning is the cosine above what unrelated sentences have; words are the share of the question's
content words that stand in the text, rare ones counting more. Both are absolute: nothing is
stretched to make the best find of a bad lot look good. A question about somebody of whom nothing
was ever said counts as less answered by anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from app.domain.language.question import asks
from app.domain.language.text import stem
from app.domain.memory import Trust
from app.domain.reason import MEANING, RELEVANCE, WORDS, Reason, ReasonKind, measure
from app.domain.recall import Hit, HitKind, changed
from app.errors import AppError, Cancelled
from app.memory.recall.by_letters import COMPARED, SAMPLE, Flags, TextWords, unread
from app.memory.recall.lanes.asked import OVERVIEW
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.score import by_score
from app.memory.recall.space import Space
from app.memory.text import query, scripts
from app.memory.text.scripts import Term
from app.store.index.frequency import Frequencies, Frequency

WORDS_ALONE = 0.5
MEANING_UNKNOWN = 0.6
UNHEARD = 0.2
ASKED_FOR_ALL = 0.6
PINNED = 0.3


@dataclass(frozen=True, slots=True)
class Strangers:
    """Finds whom a question names of whom nothing was ever said; looked up once for each recall."""

    frequency: Frequency
    trusts: frozenset[Trust]

    def __call__(self, context: QueryContext) -> list[str]:
        """Return the names that stand in nothing that may be recalled."""
        return context.once("strangers", lambda: self._unheard(context))

    def _unheard(self, context: QueryContext) -> list[str]:
        if not (asks(context.text) and (names := query.names(context.text))):
            return []
        asked = context.query
        return self.frequency.unheard(
            names, asked.scope, self.trusts, asked.now, asked.exclude_message_ids
        )


@dataclass(frozen=True, slots=True)
class Relevance:
    """Sets the relevance of every hit and, unless ranks decide, scores by it.

    Attributes:
        meaning_weight, words_weight: How much each counts in the score.
        rescore: Whether the score becomes the weighted mean, or stays what fusion made it.
    """

    space: Space
    frequency: Frequency
    strangers: Strangers
    meaning_weight: float
    words_weight: float
    rescore: bool = True
    name: str = "relevance"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits measured, best first."""
        if not hits:
            return []
        wanted = query.words(scripts.latin(context.topic))
        weights = rarity(how_common(context, self.frequency, wanted))
        terms = in_other_scripts(context, self.frequency)
        meanings = self._meanings(context, hits, weights, terms)
        unheard = self.strangers(context)
        measured = [
            self._measured(
                hit, meanings.get((hit.kind, hit.pk)), coverage(hit, weights, terms), unheard
            )
            for hit in hits
        ]
        return by_score(measured) if self.rescore else measured

    def _meanings(
        self,
        context: QueryContext,
        hits: Sequence[Hit],
        weights: Mapping[str, float],
        terms: Mapping[Term, float],
    ) -> Mapping[tuple[HitKind, int], float]:
        try:
            known = 1.0
            if letter_by_letter(context, self.space) is not None:
                words, others = sum(weights.values()), sum(terms.values())
                known = words / (words + others) if words else 0.0
            return {
                (kind, pk): self.space.above_background(cosine) * known
                for kind in HitKind
                for pk, cosine in likeness_to(
                    context, self.space, kind, [hit.pk for hit in hits if hit.kind is kind]
                ).items()
            }
        except Cancelled:
            raise
        except AppError:
            return {}  # the vector lanes have noted it already

    def _measured(
        self, hit: Hit, meaning: float | None, words: float, unheard: Sequence[str]
    ) -> Hit:
        reasons = list(hit.reasons)
        if OVERVIEW in hit.lanes:
            meaning = max(ASKED_FOR_ALL + PINNED * hit.pinned, meaning or 0.0)
        if meaning is None:
            meaning = MEANING_UNKNOWN * words
        else:
            reasons.append(measure(MEANING, meaning))
        reasons.append(measure(WORDS, words))
        relevance = max(meaning, WORDS_ALONE * words)
        if unheard:
            relevance = max(0.0, relevance - UNHEARD)
            reasons.append(Reason(ReasonKind.UNKNOWN, text=", ".join(unheard)))
        if not self.rescore:
            return changed(hit, relevance=relevance, reasons=tuple(reasons))
        score = self._score(meaning, words)
        reasons.append(measure(RELEVANCE, score))
        return changed(hit, relevance=relevance, base=score, score=score, reasons=tuple(reasons))

    def _score(self, meaning: float, words: float) -> float:
        total = self.meaning_weight + self.words_weight
        weighted = self.meaning_weight * meaning + self.words_weight * words
        return weighted / total if total else 0.0


def likeness_to(
    context: QueryContext, space: Space, kind: HitKind, pks: Sequence[int]
) -> dict[int, float]:
    """Return the cosine of rows with the question, each read once in a recall.

    Rows that are not embedded are left out.

    Raises:
        ModelError: The embedder did not answer.
    """
    known: dict[int, float | None] = context.once(f"likeness of {kind}", dict)
    if new := [pk for pk in pks if pk not in known]:
        known |= dict.fromkeys(new) | dict(space.cosines(kind, context.vector, new))
    found = {pk: known[pk] for pk in pks}
    return {pk: cosine for pk, cosine in found.items() if cosine is not None}


def how_common(context: QueryContext, frequency: Frequency, words: Sequence[str]) -> Frequencies:
    """Return how common words are for who asks, each counted once in a recall."""
    known: dict[str, int] = context.once("frequencies", dict)
    scope = context.query.scope
    known |= frequency.of([word for word in dict.fromkeys(words) if word not in known], scope)
    rows = context.once("rows", lambda: frequency.rows(scope))
    return Frequencies(rows, {word: known[word] for word in words})


def rarity(frequencies: Frequencies) -> dict[str, float]:
    """Return the inverse document frequency of each word's stem."""
    rows = frequencies.rows
    return {
        stem(word): log(1 + (rows - min(n, rows) + 0.5) / (min(n, rows) + 0.5))
        for word, n in frequencies.of.items()
    }


def in_other_scripts(context: QueryContext, frequency: Frequency) -> Mapping[Term, float]:
    """Return what a question asks for in scripts other than Latin, and how much each weighs.

    Pieces of words are no words of the index; how common they are the lanes have noted.
    """
    terms = context.once("terms", lambda: scripts.terms(context.topic))
    counted = how_common(context, frequency, [term.forms[0] for term in terms if term.spaced])
    known = counted.of | context.once("letters", dict[str, int])
    of = {term.name: max(known.get(form, 0) for form in term.forms) for term in terms}
    rare = rarity(Frequencies(counted.rows, of))
    return {term: term.share * rare[stem(term.name)] for term in terms}


def letter_by_letter(context: QueryContext, space: Space) -> Flags | None:
    """Return which pieces of a question the embedder cannot read; None where it can read it all.

    Raises:
        ModelError: The embedder did not answer.
    """
    if scripts.latin(context.text) == context.text:
        return None
    pieces = space.asked(context.text).pieces
    return context.once("unread", lambda: unread(pieces, lambda: space.spelled(SAMPLE)))


def coverage(
    hit: Hit, weights: Mapping[str, float], terms: Mapping[Term, float] | None = None
) -> float:
    """Return the share of the question's words, by rarity, that a hit has; 0 to 1.

    Args:
        hit: The find.
        weights: The stems of the Latin words.
        terms: The words in other scripts.
    """
    others = terms or {}
    total = sum(weights.values()) + sum(others.values())
    if not total:
        return 0.0
    text = f"{hit.speaker} {hit.text}" if hit.kind is HitKind.MESSAGE else hit.text
    stems = query.stems_among(weights, scripts.apart(text))
    had = sum(weight for word, weight in weights.items() if word in stems)
    if others:
        said = TextWords(text[:COMPARED])
        had += sum(weight for term, weight in others.items() if said.has(term))
    return had / total
