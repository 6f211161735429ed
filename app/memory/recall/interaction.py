"""Score finds by late interaction, each message read together with what stands around it.

The cheap lanes have found candidates; here the messages beside them join, and every find is scored
by how well its own words, its neighbourhood and its conversation answer the question. In a
conversation a question and the reply are one statement, so what was asked counts for the reply. The
scale is absolute: nothing is stretched to make the best find of a bad lot look good.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from app.domain.conversation import Role
from app.domain.language.question import only_asks
from app.domain.reason import AROUND as AROUND_IT
from app.domain.reason import LATE, OWN_WORDS, Reason, ReasonKind, measure
from app.domain.recall import Hit, HitKind, changed
from app.memory.recall.by_letters import Flags, in_fragments, shared, with_letters
from app.memory.recall.lanes.asked import OVERVIEW
from app.memory.recall.late import (
    Lines,
    Matrix,
    likeness,
    rarities,
    spelled,
    tokens_of,
    weights,
)
from app.memory.recall.personal import lowered
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.relevance import (
    Strangers,
    how_common,
    in_other_scripts,
    letter_by_letter,
    likeness_to,
)
from app.memory.recall.score import by_score
from app.memory.recall.space import Space
from app.memory.recall.stages import asks_at_the_end
from app.memory.text import scripts
from app.memory.text.query import every_word, names
from app.memory.text.scripts import Term
from app.providers.base import Embedding
from app.store.index.frequency import Frequency
from app.store.index.neighbours import Neighbours
from app.store.index.vectors import TokenVectors
from app.store.search import WordSearch

# What each part counts for; found on two sets of questions at once, see resources/docs/recall.md.
AROUND, REACH, STEP = 1.0, 4, 0.04
THROUGHOUT = 0.5
COSINE, COSINE_BESIDE = 0.25, 0.2
FIRST_PERSON = 0.25
CLOSES_ASKING, ONLY_ASKS = 0.03, 0.02
WHOLE = 1 + AROUND + THROUGHOUT  # the most that words alone can give
BESIDE = 2
BEST = 150  # neighbours further down go no further
OF_WORDS, OF_COSINE = 0.75, 0.25
OF_STRANGERS = 0.3
OF_NOBODY = 0.1, 0.2  # where words alone must tell that a question is about nobody's life
RELEVANT = 1.5  # brings this to the scale of Relevance, so that one floor fits both
_FIRST_PERSON = frozenset({"i", "my", "me", "mine", "myself"})
Key = tuple[HitKind, int]


@dataclass(frozen=True, slots=True)
class LateInteractionStage:
    """Adds the neighbours of messages, and scores and orders everything by late interaction.

    Without token vectors, as from a server's embedder, the hits go on as they are.
    """

    space: Space
    search: WordSearch
    neighbours: Neighbours
    frequency: Frequency
    strangers: Strangers
    name: str = "late interaction"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits and their neighbours, best first."""
        question = self.space.asked(context.text)
        if not hits or question.token_vectors is None or not question.pieces:
            return list(hits)
        lines = self._lines(context, hits)
        everything = self._joined(hits, lines)
        keys = [
            *((HitKind.MESSAGE, pk) for line in lines for pk in line),
            *((hit.kind, hit.pk) for hit in hits if hit.kind is HitKind.MEMORY),
        ]
        placed = [everything[key] for key in keys if key in everything]
        scored = by_score(self._scored(context, question, placed, lines))
        return [hit for rank, hit in enumerate(scored) if hit.lanes or rank < BEST]

    def _lines(self, context: QueryContext, hits: Sequence[Hit]) -> list[list[int]]:
        said = [hit.pk for hit in hits if hit.kind is HitKind.MESSAGE]
        asked = context.query
        return self.neighbours.lines(said, asked.scope, asked.exclude_message_ids, BESIDE)

    def _joined(self, hits: Sequence[Hit], lines: Sequence[Sequence[int]]) -> dict[Key, Hit]:
        """Return the hits and, as new ones, the messages beside them."""
        known = {(hit.kind, hit.pk): hit for hit in hits}
        new = [pk for line in lines for pk in line if (HitKind.MESSAGE, pk) not in known]
        beside = {
            key: hit.scored(0.0, Reason(ReasonKind.BESIDE))
            for key, hit in self.search.hydrate([], new).items()
        }
        return known | beside

    def _scored(
        self,
        context: QueryContext,
        question: Embedding,
        hits: Sequence[Hit],
        lines: Sequence[Sequence[int]],
    ) -> list[Hit]:
        parts = self._parts(context, question, hits, _places(hits, lines))
        compared = zip(hits, parts.read, strict=True)
        context.compared.update((hit.kind, hit.pk) for hit, read in compared if read)
        unheard = self.strangers(context)
        content = (parts.own + parts.around) / 2
        relevance = OF_WORDS * content + OF_COSINE * np.maximum(parts.cosine, 0)
        known = set(names(context.text)) - set(unheard)
        impersonal = parts.known * lowered(context.text, known, question, self.space.personal)
        impersonal += (1 - parts.known) * _of_nobody(context.text)
        relevance = RELEVANT * (relevance - _of_strangers(known, unheard) - impersonal)
        asides = []
        if impersonal:
            asides.append(Reason(ReasonKind.IMPERSONAL, numbers=(RELEVANT * impersonal,)))
        if in_fragments(context.text, question.pieces):
            relevance = relevance * (1 + shared(context.text, [hit.text for hit in hits])) / 2
            asides.append(Reason(ReasonKind.UNREAD))
        return [
            self._told(hit, float(score), float(relevant), float(own), float(near), asides)
            if read or not hit.lanes
            else hit  # it waits to be embedded, and its words have been judged
            for hit, read, score, relevant, own, near in zip(
                hits,
                parts.read,
                self._sum(context, hits, parts),
                np.clip(relevance, 0, 1),
                parts.own,
                parts.around,
                strict=True,
            )
        ]

    def _parts(
        self, context: QueryContext, question: Embedding, hits: Sequence[Hit], lines: Lines
    ) -> "Parts":
        assert question.token_vectors is not None
        asked = self._asked(context, question)
        tokens, cosines = self._read(context, question, hits)
        spoken = np.array([hit.kind is HitKind.MESSAGE for hit in hits], bool)
        like = likeness(question.token_vectors[asked.tokens], tokens, self.space.marks, spoken)
        if asked.terms:
            like = with_letters(like, asked.words, asked.terms, hits)
        replies = np.array([_asking(hit) <= CLOSES_ASKING for hit in hits])  # not the next question
        answered = np.maximum(like.told, lines.shifted(like.asked, -1) * replies)
        weight, cosines = asked.weight, cosines * np.float32(asked.known)
        return Parts(
            own=weight @ answered,
            around=weight @ lines.around(like.said, REACH, STEP),
            throughout=weight @ lines.throughout(like.said),
            cosine=cosines,
            beside=np.float32(0.5) * (lines.shifted(cosines, 1) + lines.shifted(cosines, -1)),
            read=[len(one.ids) > 0 for one in tokens],
            known=asked.known,
        )

    def _asked(self, context: QueryContext, question: Embedding) -> "QuestionTokens":
        unread = letter_by_letter(context, self.space)
        if unread is None:
            words = spelled(question.pieces)
            weight = weights(words, how_common(context, self.frequency, words), context.topic)
            return QuestionTokens(weight > 0, weight[weight > 0])
        words = spelled(
            [piece for piece, no in zip(question.pieces, unread, strict=True) if not no]
        )
        common = how_common(context, self.frequency, words)
        weight = np.zeros(len(unread), np.float32)
        weight[~unread] = rarities(words, common, scripts.latin(context.topic))
        terms = in_other_scripts(context, self.frequency)
        total = float(weight.sum()) + sum(terms.values()) or 1.0
        every = np.array([*weight[weight > 0], *terms.values()], np.float32) / np.float32(total)
        counted = [word for word, w in zip(words, weight[~unread], strict=True) if w > 0]
        return QuestionTokens(weight > 0, every, counted, tuple(terms), float(weight.sum()) / total)

    def _read(
        self, context: QueryContext, question: Embedding, hits: Sequence[Hit]
    ) -> tuple[list[TokenVectors], Matrix]:
        """Return the tokens of each hit, and its likeness as a whole."""
        tokens, cosines = {}, {}
        for kind in HitKind:
            pks = [hit.pk for hit in hits if hit.kind is kind]
            tokens[kind] = self.space.tokens(kind, pks)
            cosines[kind] = likeness_to(context, self.space, kind, pks)
        dims = len(question.vector)
        return (
            [tokens_of(tokens[hit.kind], hit.pk, dims) for hit in hits],
            np.array([cosines[hit.kind].get(hit.pk, 0.0) for hit in hits], np.float32),
        )

    def _sum(self, context: QueryContext, hits: Sequence[Hit], parts: "Parts") -> Matrix:
        score = parts.own + AROUND * parts.around + THROUGHOUT * parts.throughout
        score = score + COSINE * parts.cosine + COSINE_BESIDE * parts.beside
        if _FIRST_PERSON.intersection(every_word(context.text)):
            score = score + FIRST_PERSON * np.array([_by_the_person(hit) for hit in hits])
        return np.asarray((score - np.array([_asking(hit) for hit in hits])) / WHOLE, np.float32)

    def _told(
        self,
        hit: Hit,
        score: float,
        relevance: float,
        own: float,
        near: float,
        asides: Sequence[Reason],
    ) -> Hit:
        if OVERVIEW in hit.lanes:  # asked for as a whole, whatever its words
            score, relevance = max(score, hit.score), max(relevance, hit.relevance or 0.0)
        reasons = (*hit.reasons, *asides, measure(OWN_WORDS, own), measure(AROUND_IT, near))
        return changed(
            hit,
            relevance=relevance,
            base=score,
            score=score,
            reasons=(*reasons, measure(LATE, score)),
        )


@dataclass(frozen=True, slots=True)
class QuestionTokens:
    """What of a question is compared.

    Attributes:
        tokens: Shape (all its tokens,): which of them.
        weight: How much each of these counts, then how much each term.
        words: The word that each of the tokens is part of, where there are terms.
        terms: Words that are compared letter by letter, as the embedder cannot read them.
        known: The share of what it can read; 1 unless there are terms.
    """

    tokens: Flags
    weight: Matrix
    words: Sequence[str] = ()
    terms: Sequence[Term] = ()
    known: float = 1.0


@dataclass(frozen=True, slots=True)
class Parts:
    """What a score is made of; shape (hits,) each.

    Attributes:
        own: How well its own words answer, and what it replies to.
        around: The same, of it and its neighbours.
        throughout: The same, of its whole conversation as far as it was read.
        cosine: Likeness of the whole to the question.
        beside: The same, of the two beside it.
        read: Whether it has been embedded.
        known: The share of the question that the embedder can read.
    """

    own: Matrix
    around: Matrix
    throughout: Matrix
    cosine: Matrix
    beside: Matrix
    read: Sequence[bool]
    known: float


def _places(hits: Sequence[Hit], lines: Sequence[Sequence[int]]) -> Lines:
    line_of = {pk: n for n, line in enumerate(lines) for pk in line}
    talks: dict[str | None, int] = {}
    line, talk = [], []
    for n, hit in enumerate(hits):
        alone = hit.kind is HitKind.MEMORY
        line.append(len(lines) + n if alone else line_of[hit.pk])
        name = f"memory {n}" if alone else hit.conversation_id
        talk.append(talks.setdefault(name, len(talks)))
    return Lines(np.array(line, np.int64), np.array(talk, np.int64))


def _of_strangers(known: Collection[str], unheard: Collection[str]) -> float:
    """Return by how much relevance is lowered where somebody is named who was never mentioned.

    Half as much where the question is about somebody known as well.
    """
    if not unheard:
        return 0.0
    return OF_STRANGERS / 2 if known else OF_STRANGERS


def _of_nobody(text: str) -> float:
    """Return by how much relevance is lowered for a question that the embedder cannot read."""
    return 0.0 if scripts.of_somebody(text) else OF_NOBODY[scripts.explaining(text)]


def _by_the_person(hit: Hit) -> float:
    return float(hit.kind is HitKind.MEMORY or (hit.role is Role.USER and not hit.speaker))


def _asking(hit: Hit) -> float:
    if hit.kind is HitKind.MEMORY:
        return 0.0
    if only_asks(hit.text):
        return CLOSES_ASKING + ONLY_ASKS
    return CLOSES_ASKING if asks_at_the_end(hit.text) else 0.0
