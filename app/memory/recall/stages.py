"""Stages that need neither vault nor model: what is found is let through, merged or left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.language.question import only_asks
from app.domain.language.text import normalise, stem
from app.domain.memory import Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind, changed
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.rerank import was_reranked
from app.memory.recall.score import by_score
from app.memory.text import query

BELOW_FLOOR = "below_floor"
TRUST_FILTERED = "trust_filtered"
DEDUPED = "deduped"
BELOW_BUDGET = "below_budget"


@dataclass(frozen=True, slots=True)
class Floor:
    """Lets nothing through when even the best find is not about the question.

    The floor is absolute. A threshold relative to the best would let the best bad find through.
    With what was replaced, what replaced it gets through: history is never all that is told.

    Attributes:
        minimum: What the most relevant hit must reach.
        share: What every single hit must reach, as a share of ``minimum``.
    """

    minimum: float
    share: float = 0.4
    name: str = "floor"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, those that are not about the question marked as dropped."""
        if query.is_small_talk(context.text):
            return [lost(hit, BELOW_FLOOR, Reason(ReasonKind.SMALL_TALK)) for hit in hits]
        best = max((relevance_of(hit) for hit in hits), default=0.0)
        if best < self.minimum:
            why = Reason(ReasonKind.BEST_TOO_LOW, numbers=(best, self.minimum))
            return [lost(hit, BELOW_FLOOR, why) for hit in hits]
        least = self.minimum * self.share
        heirs = {h.superseded_by for h in hits if h.replaced and relevance_of(h) >= least}
        return [
            hit
            if relevance_of(hit) >= least or hit.id in heirs
            else lost(hit, BELOW_FLOOR, _low(ReasonKind.TOO_LOW, hit, least))
            for hit in hits
        ]


@dataclass(frozen=True, slots=True)
class LineFloor:
    """Drops what is far less about the question than what stands first, so that few lines are read.

    A small model believes whatever it is told, also what is beside the point. What only a stranger
    says sets no measure, or it could crowd out what the person said by repeating the question. What
    was found by its time or by a link is not judged by its likeness, nor is what matters for
    safety, nor what replaced a find, nor anything that a reranker has read.

    Attributes:
        share: What a hit must reach, as a share of the first that somebody here said.
        alike: The lanes that find by likeness.
        kept: So many of the first that somebody here said stay in any case: the second often
            answers, and the first only says who or what was meant.
    """

    share: float
    alike: frozenset[str]
    kept: int = 2
    name: str = "line floor"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, those beside the point marked as dropped."""
        own = [hit for hit in hits if hit.standing.is_own]
        if not own or any(was_reranked(hit) for hit in hits):
            return list(hits)
        first = relevance_of(own[0])
        least = self.share * first
        stays = {h.superseded_by for h in hits if h.replaced and relevance_of(h) >= least}
        stays |= {hit.id for hit in own[: self.kept]}
        return [
            hit
            if relevance_of(hit) >= least or hit.id in stays or self._spared(hit)
            else lost(hit, BELOW_FLOOR, _low(ReasonKind.BELOW_FIRST, hit, self.share, first))
            for hit in hits
        ]

    def _spared(self, hit: Hit) -> bool:
        return hit.vital or bool(hit.lanes.keys() - self.alike)


@dataclass(frozen=True, slots=True)
class Questions:
    """Lets messages that ask weigh less than messages that tell.

    What was only asked answers nothing: without this, the best find for a question would be the
    same question, asked last week.

    Attributes:
        asking: What the score of a message that only asks is multiplied by.
        ending: The same for one that tells and closes with a question.
        relevance: What the relevance of a message that only asks is multiplied by.
        compared: What the two are for a message that only asks and was compared word by word, which
            has made it weigh less already.
    """

    asking: float = 0.5
    ending: float = 0.95
    relevance: float = 0.3
    compared: tuple[float, float] = (0.9, 0.2)
    name: str = "questions"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, questions moved down."""
        return by_score(self._weighed(hit, (hit.kind, hit.pk) in context.compared) for hit in hits)

    def _weighed(self, hit: Hit, compared: bool) -> Hit:
        if hit.kind is HitKind.MEMORY:
            return hit
        if only_asks(hit.text):
            score, share = self.compared if compared else (self.asking, self.relevance)
            relevance = None if hit.relevance is None else hit.relevance * share
            return changed(_moved(hit, score, ReasonKind.ONLY_ASKS), relevance=relevance)
        if asks_at_the_end(hit.text) and not compared:
            return _moved(hit, self.ending, ReasonKind.CLOSES_ASKING)
        return hit


@dataclass(frozen=True, slots=True)
class TrustWall:
    """Drops what is not trusted for prompts, whatever let it in."""

    trusts: frozenset[Trust]
    name: str = "trust"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, those of other trust marked as dropped."""
        return [
            hit
            if hit.trust in self.trusts
            else lost(hit, TRUST_FILTERED, Reason(ReasonKind.UNTRUSTED, hit.trust.value))
            for hit in hits
        ]


@dataclass(frozen=True, slots=True)
class Dedup:
    """Keeps one of several hits with the same text: what holds, the more trusted, the newer."""

    name: str = "dedup"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits in their order, all but one of each text marked as dropped."""
        best: dict[str, Hit] = {}
        for hit in hits:
            rival = best.setdefault(normalise(hit.text), hit)
            if _standing(hit) > _standing(rival):
                best[normalise(hit.text)] = hit
        return [
            hit
            if best[normalise(hit.text)] is hit
            else lost(hit, DEDUPED, Reason(ReasonKind.SAME_WORDS))
            for hit in hits
        ]


@dataclass(frozen=True, slots=True)
class Evident:
    """Drops a message where a memory made from it says as much.

    Attributes:
        share: How close the memory's relevance must come to the message's, or what share of the
            message's content words the memory must have.
    """

    share: float = 0.9
    words: float = 0.75
    name: str = "evidence"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits; a memory takes the better score of the message it stands for."""
        made = [h for h in hits if h.kind is HitKind.MEMORY and h.source is not None]
        said = {h.id: h for h in hits if h.kind is HitKind.MESSAGE}
        spoken: dict[str | None, Hit] = {
            memory.source: said[memory.source]
            for memory in made
            if memory.source in said and self._says_as_much(memory, said[memory.source])
        }
        return by_score(self._settled(hit, spoken) for hit in hits)

    def _says_as_much(self, memory: Hit, message: Hit) -> bool:
        if relevance_of(memory) >= self.share * relevance_of(message):
            return True
        said = {stem(word) for word in query.words(message.text)}
        return len(said & query.stems(memory.text)) >= self.words * len(said)

    def _settled(self, hit: Hit, spoken: dict[str | None, Hit]) -> Hit:
        if hit.kind is HitKind.MESSAGE and hit.id in spoken:
            return lost(hit, DEDUPED, Reason(ReasonKind.MEMORY_MADE))
        message = spoken.get(hit.source)
        if hit.kind is HitKind.MESSAGE or message is None or not self._says_as_much(hit, message):
            return hit
        if (message.tier, -message.score) < (hit.tier, -hit.score):
            hit = changed(hit, tier=message.tier, score=message.score)
        return hit.scored(hit.score, Reason(ReasonKind.LEARNT_FROM))


@dataclass(frozen=True, slots=True)
class Budget:
    """Keeps what fits: whole entries in order, up to the first that does not.

    Attributes:
        results: At most so many hits.
        characters: At most so much text; None for no limit.
    """

    results: int
    characters: int | None
    name: str = "budget"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, those that do not fit marked as dropped."""
        fitting, why = self.fitting(hits), Reason(ReasonKind.NO_ROOM)
        return [*hits[:fitting], *(lost(hit, BELOW_BUDGET, why) for hit in hits[fitting:])]

    def fitting(self, hits: Sequence[Hit]) -> int:
        """Return how many of the hits fit."""
        used = 0
        for number, hit in enumerate(hits[: self.results]):
            used += len(hit.text)
            if self.characters is not None and used > self.characters:
                return number
        return min(self.results, len(hits))


@dataclass(frozen=True, slots=True)
class SafetyFirst:
    """Gives what matters for safety the room of the last other finds, where it had none.

    The best find stays whatever it is. At most a third as many such facts as there are finds, or
    one, are let in, so that they do not hide what answers.

    Attributes:
        room: What a prompt has room for, however many finds are asked for, so that these stand in
            one order everywhere.
    """

    room: Budget
    name: str = "safety"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, what is given room right after what it stands beside."""
        fitting = self.room.fitting(hits)
        kept, rest = list(hits[:fitting]), list(hits[fitting:])
        for hit in [one for one in rest if one.vital][: min(fitting, max(1, fitting // 3))]:
            beside = list(kept)
            while not self._fit([*beside, hit]) and (at := _last_other(beside)):
                beside.pop(at)
            if self._fit([*beside, hit]):
                kept = [*beside, hit.scored(hit.score, Reason(ReasonKind.SAFETY))]
        here = {(hit.kind, hit.pk, hit.id) for hit in kept}
        return [*kept, *(hit for hit in hits if (hit.kind, hit.pk, hit.id) not in here)]

    def _fit(self, hits: Sequence[Hit]) -> bool:
        return self.room.fitting(hits) == len(hits)


def _last_other(hits: Sequence[Hit]) -> int:
    """Return where the last find is that is no matter of safety; 0 where only the best is left."""
    return next((at for at in range(len(hits) - 1, 0, -1) if not hits[at].vital), 0)


def relevance_of(hit: Hit) -> float:
    """Return how much a hit is about the query; its score where only ranks are known."""
    return hit.score if hit.relevance is None else hit.relevance


def asks_at_the_end(text: str) -> bool:
    """Return whether a text closes with a question."""
    return text.rstrip(" \t\n\"'”’)*_").endswith(("?", "？", "؟"))


def _moved(hit: Hit, factor: float, why: ReasonKind) -> Hit:
    moved = hit.scored(hit.score * factor, Reason(why, numbers=(factor,)))
    return changed(moved, factors={**hit.factors, "question": factor})


def _low(why: ReasonKind, hit: Hit, *least: float) -> Reason:
    return Reason(why, numbers=(relevance_of(hit), *least))


def lost(hit: Hit, dropped: str, reason: Reason) -> Hit:
    """Return a hit that goes no further, and why."""
    return changed(hit, dropped=dropped, reasons=(*hit.reasons, reason))


def _standing(hit: Hit) -> tuple[bool, int, float]:
    return not hit.replaced, hit.trust.rank, hit.at.timestamp()
