"""Put memories that contradict each other in order, and say of those that lose that they do.

Two memories contradict each other where they have one key and different values, where one has taken
the other's place, or where they tell different numbers of the same thing, as was noticed when the
later one was learnt. The more trusted stands first, even if it is older; among equals, the later;
what was filed as replaced never does. Nothing is dropped for it and nothing is averaged: the model
reads both, and which is history.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from app.domain.language.text import normalise
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, changed
from app.domain.trace import REPLACED
from app.memory.recall.pipeline import QueryContext

DOUBTED = Reason(ReasonKind.DOUBTED)
LESS_TRUSTED = Reason(ReasonKind.LESS_TRUSTED)
PREFERRED = Reason(ReasonKind.PREFERRED)

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Orders what contradicts each other, within the places that it has among the hits.

    Attributes:
        read: How many of the first hits are compared by their words.
    """

    read: int = 10
    name: str = "conflicts"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return every hit; those that lose are labelled."""
        pairs = {**dict(self._doubted(hits)), **dict.fromkeys(_replacing(hits), REPLACED)}
        settled = list(hits)
        for places in _joined(pairs):
            ranked = sorted(places, key=lambda place: _standing(hits[place]), reverse=True)
            first, *others = ranked
            settled[places[0]] = _preferred(hits, places, first)
            for place, taken in zip(places[1:], others, strict=True):
                label = pairs.get((min(first, taken), max(first, taken)))
                settled[place] = _labelled(hits[taken], hits[first], label)
        return settled

    def _doubted(self, hits: Sequence[Hit]) -> Iterator[tuple[Pair, Reason]]:
        """Yield pairs of which it was noticed that both can hardly be true."""
        shown = [place for place, hit in enumerate(hits[: self.read]) if hit.memory is not None]
        doubted = {place for place in shown if (m := hits[place].memory) and m.conflicted}
        if not doubted:
            return
        from app.memory.text.novelty import rivals  # it is slow to import

        for one, other in combinations(shown, 2):
            if {one, other} & doubted and rivals(hits[one].text, hits[other].text):
                yield (one, other), DOUBTED


def _replacing(hits: Sequence[Hit]) -> Iterator[Pair]:
    """Yield pairs with one key and different values, or of which one replaced the other."""
    place_of = {hit.id: place for place, hit in enumerate(hits)}
    of_key: dict[str, list[int]] = {}
    for place, hit in enumerate(hits):
        heir = place_of.get(hit.superseded_by or "", place)
        if heir != place:
            yield min(place, heir), max(place, heir)
        if hit.memory is not None and hit.memory.key:
            of_key.setdefault(hit.memory.key, []).append(place)
    for places in of_key.values():
        for one, other in combinations(places, 2):
            if _value(hits[one]) != _value(hits[other]):
                yield one, other


def _joined(pairs: Mapping[Pair, Reason]) -> list[list[int]]:
    """Return the groups of places that are linked by pairs, each in order."""
    group_of: dict[int, list[int]] = {}
    for one, other in pairs:
        mine, theirs = group_of.get(one, [one]), group_of.get(other, [other])
        if mine is not theirs:
            group_of |= dict.fromkeys(mine + theirs, mine + theirs)
    return [sorted(group) for group in {id(group): group for group in group_of.values()}.values()]


def _preferred(hits: Sequence[Hit], places: Sequence[int], first: int) -> Hit:
    """Return the hit that stands first, which none of the others has replaced, then."""
    hit = hits[first]
    if hit.superseded_by in {hits[place].id for place in places}:
        hit = changed(hit, superseded_by=None)
    return changed(hit, reasons=(*hit.reasons, PREFERRED)) if first > places[0] else hit


def _labelled(hit: Hit, winner: Hit, label: Reason | None) -> Hit:
    if label is None:
        return hit
    if hit.trust is not winner.trust and not hit.replaced:
        label = LESS_TRUSTED
    taken = label == REPLACED and not hit.replaced  # of what was filed so, the heir is known
    heir = winner.id if taken else hit.superseded_by
    text = winner.text if taken else hit.replaced_by
    told = changed(hit, superseded_by=heir, replaced_by=text, disputed=label)
    return changed(told, reasons=(*hit.reasons, label))


def _standing(hit: Hit) -> tuple[bool, int, datetime]:
    return not hit.replaced, hit.trust.rank, hit.occurred_at or hit.at


def _value(hit: Hit) -> object:
    """Return what a key has in this memory; its words where it has no value."""
    value = None if hit.memory is None else hit.memory.value
    if value is None:
        return normalise(hit.text)
    return normalise(value) if isinstance(value, str) else value
