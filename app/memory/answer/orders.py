"""Find the memories that an order means: "forget that I drive a Skoda", "all about my mum".

Recall nominates by the words that name what is meant, the judge reads each memory together with the
order, and a name means every memory that mentions it; so does "my brother", once it is known what
he is called.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from app.domain.language.text import normalise, stem
from app.domain.memory import Memory, MemoryFilter, MemoryType, Scope, Status, Trust
from app.domain.recall import Hit, Query
from app.domain.reply import OrderTarget
from app.memory.answer.sparing import (
    is_of_another,
    is_of_namesake,
    is_of_others,
    names_others,
    rest,
    sparing,
)
from app.memory.reading.words import words
from app.memory.recall.compose import Recaller
from app.memory.recall.known_people import KnownPeople
from app.memory.text.novelty import content
from app.memory.text.parts import parts
from app.memory.text.whom import people
from app.memory.word_lists import word_list
from app.providers.base import Understanding
from app.providers.judging import Task
from app.store.store import Store

CLEAR = 2.5
MARGIN = 1.2
ONLY = 0.3
CERTAIN = 5.0
ALIKE = 0.6
DOUBTFUL = -0.5
BESIDE = 7.0  # worth that what is asked about may lack, beside what is clear
UNLIKELY = 0.15  # chance
RULE, RULE_AHEAD = -1.0, 0.3  # worth, and how much more than of the next
OF_PART = 1.5  # worth that a part may lack and be meant as well
LIKENESS = 6.0  # what being found likely weighs beside the odds that the judge gives
NAMED = 1.5  # what all the naming words weigh
NAMED_ENOUGH = 0.5  # of the words that name somebody
SHORTEST_NAME = 3
MOST_DOUBTFUL = 4
MOST_ASKED = 24
MOST_MEANT = 200
_SPOKEN = re.compile(r"[^\W_]+")
_NAME = re.compile(r"(?<=[^\W_] )(?:[A-Z][^\W_]*|\d[^\W_]*)")
_IN_USE = frozenset({Status.ACTIVE})
_OWN = frozenset({Trust.SYSTEM, Trust.LEARNED})  # who may say what somebody is called


class Orders:
    """Finds what orders mean."""

    def __init__(
        self, store: Store, recaller: Recaller, models: Callable[[], Understanding]
    ) -> None:
        self._memories = store.memories
        self._entities = store.entities
        self._people = KnownPeople(store.words, self._entities, _OWN)
        self._recaller = recaller
        self._models = models

    def meant(self, order: str, target: str, query: Query) -> OrderTarget:
        """Return the memories that an order about particular things means.

        Args:
            order: The whole order.
            target: The words that name what is meant; empty where none do.
            query: Who asks, and when.

        Raises:
            ModelError: The judge does not answer.
        """
        found = self._found(target or order, query)
        if not found:
            return OrderTarget()
        wanted = naming(target or order)
        asked = list(dict.fromkeys((order, target or order)))
        said = [(n, part) for n, h in enumerate(found) for part in _in_parts(h.text)]
        pairs = [(wording, part) for wording in asked for _, part in said]
        chances = np.asarray(self._models().judge(Task.ANSWER, pairs))[:, 1]
        best = np.zeros(len(found))
        np.maximum.at(best, [n for n, _ in said] * len(asked), chances)
        ranked = [
            (_worth(float(chance), hit.relevance or 0.0, _shared(wanted, hit.memory)), hit.memory)
            for chance, hit in zip(best, found, strict=True)
            if hit.memory is not None and chance >= UNLIKELY
        ]
        ranked.sort(key=lambda pair: -pair[0])
        found_meant = _meant(ranked, self.named(target or order, query.scope))
        if not (found_meant.clear or found_meant.doubtful) and wanted:
            memories = [hit.memory for hit in found if hit.memory is not None]
            named = [m for m in memories if _shared(wanted, m) == 1.0]  # "olvida el coche"
            found_meant = OrderTarget((), named[:MOST_DOUBTFUL])
        found_meant = _on_topic(wanted, _named_alone(wanted, found_meant))
        whom = self._called(target or order, query)
        left = {m.id: self._left(target or order, whom, m) for m in found_meant.clear}
        return sparing(
            whom, replace(found_meant, left={i: text for i, text in left.items() if text})
        )

    def about(self, target: str, query: Query, *, replaced: bool = False) -> OrderTarget:
        """Return the memories that are about somebody or something.

        Args:
            target: Who or what.
            query: Who asks, and when.
            replaced: Whether those that gave way to others count, too.
        """
        statuses = _IN_USE | {Status.SUPERSEDED} if replaced else _IN_USE
        found = [hit.memory for hit in self._found(target, query) if hit.memory is not None]
        kept: dict[str, Memory] = {}
        left: dict[str, str] = {}
        names = self._people.names(target, query)
        for name in (target, *names):
            wanted = naming(name)
            clear = [m for m in found if _shared(wanted, m) == 1.0] if wanted else []
            for word in wanted:
                named = MemoryFilter(text=word, statuses=statuses)
                clear += self._memories.list(query.scope, named, 0, MOST_MEANT)
            enough = (m for m in clear if _shared(wanted, m) >= NAMED_ENOUGH)
            new = {m.id: m for m in enough if not is_of_another(name, m.text)}
            left |= {m.id: _unnamed(name, m.text) for m in new.values() if m.id not in kept}
            kept |= new
        others = [m for m in kept.values() if is_of_namesake(target, names, m.text, kept.values())]
        clear = [memory for memory in kept.values() if memory not in others]
        left = {m.id: left[m.id] for m in clear if left[m.id] and m.status in _IN_USE}
        return sparing(self._called(target, query), OrderTarget(clear, others, left))

    def named(self, text: str, scope: Scope) -> frozenset[str]:
        """Return the names and numbers in a text, in small letters.

        A name is a word with a capital that does not begin the text, or any that memories know as
        a name: "deborah. i want nothing of her in here".
        """
        found = {word.casefold() for word in _NAME.findall(text) if word.casefold() != "i"}
        words = {word for word in normalise(text).split() if len(word) >= SHORTEST_NAME}
        words -= word_list("comparing", "unnamed")
        return frozenset(found | self._entities.mentioned(words, scope.agent_pk))

    def rules(self, scope: Scope) -> Sequence[Memory]:
        """Return the standing instructions."""
        wanted = MemoryFilter(statuses=_IN_USE, types=frozenset({MemoryType.PROCEDURAL}))
        return self._memories.list(scope, wanted, 0, MOST_MEANT)

    def rule_meant(self, order: str, target: str, scope: Scope) -> OrderTarget:
        """Return the standing instruction that an order ends.

        That is the one it speaks of, or the only one, where it speaks of none: "end that rule". In
        doubt those that are nearest are asked about.
        """
        rules = list(self.rules(scope))
        wanted = naming(target or order)
        if not rules or (len(rules) == 1 and wanted <= _ruling()):
            return OrderTarget(rules)
        chances = self._models().judge(Task.ANSWER, [(order, rule.text) for rule in rules])
        ranked = sorted(
            (
                (_worth(float(chance[1]), 0.0, _shared(wanted, rule)), rule)
                for chance, rule in zip(chances, rules, strict=True)
            ),
            key=lambda pair: -pair[0],
        )
        (best, rule), second = ranked[0], ranked[1][0] if len(ranked) > 1 else -math.inf
        if best >= RULE and best - second >= RULE_AHEAD:
            return OrderTarget([rule])
        return OrderTarget((), [rule for _, rule in ranked[:MOST_DOUBTFUL]])

    def concerns(self, target: str, memories: Sequence[Memory]) -> bool:
        """Return whether words may mean any of some memories; so they do where they name nothing.

        Raises:
            ModelError: The judge does not answer.
        """
        wanted = naming(target)
        if not wanted or any(_shared(wanted, memory) for memory in memories):
            return True
        chances = self._models().judge(Task.ANSWER, [(target, one.text) for one in memories])
        return any(float(chance[1]) >= UNLIKELY for chance in chances)

    def _called(self, target: str, query: Query) -> frozenset[str]:
        """Return what those whom words name are called, by name and by what they are."""
        known = (name.split()[0].casefold() for name in self._people.names(target, query))
        return frozenset(known).union(*people(target))

    def _left(self, target: str, whom: frozenset[str], memory: Memory) -> str:
        """Return what stays of a memory of which one part is meant; empty where all is.

        What tells of somebody else than those who are named stays, if every comma is to be cut at.
        """
        wanted = naming(target)

        def over(said: Sequence[str]) -> list[bool]:
            chances = self._models().judge(Task.ANSWER, [(target, part) for part in said])
            worth = [
                -math.inf
                if is_of_others(whom, part)
                else _worth(float(chance[1]), 0.0, _share(wanted, part))
                for chance, part in zip(chances, said, strict=True)
            ]
            return [math.isfinite(one) and one >= max(worth) - OF_PART for one in worth]

        return rest(memory.text, over, fine=names_others(whom, memory.text))

    def _found(self, text: str, query: Query) -> list[Hit]:
        """Return the memories in use that are most about a text."""
        asked = Query(text, query.scope, query.now, query.exclude_message_ids)
        hits = self._recaller.nominated(asked, 2 * MOST_ASKED).hits
        return [h for h in hits if h.memory is not None and h.memory.status in _IN_USE][:MOST_ASKED]


def _meant(
    ranked: Sequence[tuple[float, Memory]], names: frozenset[str] = frozenset()
) -> OrderTarget:
    """Return what is meant of memories with their worth, best first.

    The best is, where it stands out; whoever orders something forgotten knows that it is there. So
    are those that are as good, where they are good beyond doubt. What lacks every name and number
    of the order is never meant beyond doubt.
    """
    near = [(worth, memory) for worth, memory in ranked if worth >= DOUBTFUL][:MOST_DOUBTFUL]
    if not near:
        return OrderTarget()
    best = near[0][0]
    second = near[1][0] if len(near) > 1 else -math.inf
    clear = [m for worth, m in near if worth >= max(CERTAIN, best - ALIKE)]
    alone = best - second >= MARGIN
    if not clear and alone and (best >= CLEAR or (len(near) == 1 and best >= ONLY)):
        clear = [near[0][1]]
    clear = [
        m for m in clear if not names or not names.isdisjoint(_SPOKEN.findall(m.text.casefold()))
    ]
    least = best - BESIDE if clear else -math.inf
    return OrderTarget(clear, [m for worth, m in near if m not in clear and worth >= least])


def _named_alone(wanted: frozenset[str], meant: OrderTarget) -> OrderTarget:
    """Take what fits best as meant beyond doubt where it alone has the naming words, and all."""
    if meant.clear or not meant.doubtful:
        return meant
    best, *others = meant.doubtful
    if _shared(wanted, best) < 1.0 or any(_shared(wanted, one) for one in others):
        return meant
    return OrderTarget([best], others)


def _on_topic(wanted: frozenset[str], meant: OrderTarget) -> OrderTarget:
    """Leave out what names little of what is wanted, where all of that stands in what is clear."""
    if not any(_shared(wanted, one) == 1.0 for one in meant.clear):
        return meant
    return replace(
        meant, doubtful=[m for m in meant.doubtful if _shared(wanted, m) >= NAMED_ENOUGH]
    )


def _in_parts(text: str) -> list[str]:
    """Return a text, and what it says one by one where that is several things."""
    return list(dict.fromkeys((text, *parts(text))))


def _unnamed(name: str, text: str) -> str:
    """Return what a text says without naming somebody; empty where nothing else stands alone."""
    wanted = naming(name)

    def over(said: Sequence[str]) -> list[bool]:
        goes: list[bool] = []
        for one in said:
            named = _share(wanted, one) >= NAMED_ENOUGH and not is_of_another(name, one)
            goes.append(named or (bool(goes) and goes[-1] and _goes_on(one, text)))
        return goes

    return rest(text, over, fine=True)


def _goes_on(part: str, text: str) -> bool:
    """Return whether a part of a text says more of what stands before it: "works at the zoo"."""
    first = part.split()[0].lower()
    if first in word_list("people", "pronouns"):
        return True
    return first not in words().subjects | words().my and part not in text


def _worth(chance: float, relevance: float, shared: float) -> float:
    """Return how well a memory fits: the log odds of the judge, likeness, and its words."""
    sure = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(sure / (1 - sure)) + LIKENESS * relevance + NAMED * shared


def ends_a_rule(text: str) -> bool:
    """Return whether an order ends a standing instruction without saying which: "end that rule"."""
    said = naming(text)
    return said <= _ruling() and not said.isdisjoint(map(stem, word_list("comparing", "rules")))


def _ruling() -> frozenset[str]:
    """Return the stems of words that end a rule and do not say which."""
    return frozenset(map(stem, word_list("comparing", "ruling")))


def naming(text: str) -> frozenset[str]:
    """Return the words of an order that name something, without those that name nothing."""
    idle = word_list("comparing", "unnamed")
    said = " ".join(word for word in normalise(text).split() if word not in idle)
    return frozenset(word for word in content(said).words if not word.startswith("<"))


def _shared(wanted: frozenset[str], memory: Memory) -> float:
    """Return which share of the naming words stands in a memory."""
    return _share(wanted, f"{memory.text} {memory.key or ''} {memory.value or ''}")


def _share(wanted: frozenset[str], text: str) -> float:
    """Return which share of the naming words stands in a text."""
    return len(wanted & content(text).words) / len(wanted) if wanted else 0.0
