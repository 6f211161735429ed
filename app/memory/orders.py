"""Find the memories that an order means: "forget that I drive a Skoda", "all about my mum".

Recall nominates by the words that name what is meant, the judge reads each memory together with the
order, and a name means every memory that mentions it.
"""

from collections.abc import Callable, Sequence

from app.domain.memory import Memory, MemoryFilter, MemoryType, Scope, Status
from app.domain.recall import HitKind, Query
from app.domain.reply import Meant
from app.domain.text import normalise
from app.memory.novelty import content
from app.memory.recall.compose import Recaller
from app.memory.word_lists import word_list
from app.providers.base import Understanding
from app.providers.judging import Task
from app.store.memories import Memories
from app.store.vault import Vault

CLEAR = 0.6
DOUBTFUL = 0.3
HALF = 0.5
APART = 0.25
MARGIN = 0.3
WIDE = 0.5
MOST_ASKED = 24
MOST_MEANT = 200
_IN_USE = frozenset({Status.ACTIVE})


class Orders:
    """Finds what orders mean.

    Args:
        vault: The vault.
        recaller: What finds.
        models: Returns the models that understand.
    """

    def __init__(
        self, vault: Vault, recaller: Recaller, models: Callable[[], Understanding]
    ) -> None:
        self._memories = Memories(vault)
        self._recaller = recaller
        self._models = models

    def meant(self, order: str, target: str, query: Query) -> Meant:
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
            return Meant()
        wanted = _words(target or order)
        chances = self._models().judge(Task.ANSWER, [(order, memory.text) for memory in found])
        judged = {m.id: float(chance[1]) for m, chance in zip(found, chances, strict=True)}
        shared = {m.id: _shared(wanted, m) for m in found}
        both = {m.id: judged[m.id] + shared[m.id] for m in found}
        near = [m for m in found if max(judged[m.id], shared[m.id]) >= DOUBTFUL]
        clear = [m for m in near if max(judged[m.id], shared[m.id]) >= CLEAR]
        if clear:  # others that have the words of a statement are not the same
            best = max(both[m.id] for m in clear)
            least = best - (WIDE if target else MARGIN)
            clear = [m for m in clear if both[m.id] >= least]
        if not clear and len(near) == 1:
            named = _words(target or order, word_list("comparing", "ordering"))
            least = DOUBTFUL if target else HALF
            clear = [m for m in near if judged[m.id] >= least or _shared(named, m) > HALF]
        if not clear and len(near) > 1:
            first, second, *_ = sorted(near, key=lambda m: -both[m.id])
            apart = both[first.id] - both[second.id] >= APART
            clear = [first] if apart and both[first.id] >= HALF else []
        return Meant(clear, [m for m in near if m not in clear])

    def about(self, target: str, query: Query) -> Meant:
        """Return the memories that are about somebody or something."""
        wanted = _words(target)
        found = self._found(target, query)
        clear = [m for m in found if _shared(wanted, m) == 1.0] if wanted else []
        for word in wanted:
            named = MemoryFilter(text=word, statuses=_IN_USE)
            clear += self._memories.list(named, 0, MOST_MEANT, query.scope)
        kept = [m for m in {m.id: m for m in clear}.values() if _shared(wanted, m) >= 0.5]
        return Meant(kept)

    def rules(self, scope: Scope) -> Sequence[Memory]:
        """Return the standing instructions."""
        wanted = MemoryFilter(statuses=_IN_USE, types=frozenset({MemoryType.PROCEDURAL}))
        return self._memories.list(wanted, 0, MOST_MEANT, scope)

    def rule_meant(self, order: str, target: str, scope: Scope) -> Meant:
        """Return the standing instructions that an order ends."""
        rules = list(self.rules(scope))
        if len(rules) <= 1:
            return Meant(rules)
        chances = self._models().judge(Task.ANSWER, [(order, rule.text) for rule in rules])
        wanted = _words(target or order)
        best = max(
            rules,
            key=lambda r: _shared(wanted, r) + float(chances[rules.index(r)][1]),
        )
        return Meant([best])

    def _found(self, text: str, query: Query) -> list[Memory]:
        """Return the memories in use that are most about a text."""
        asked = Query(text, query.scope, query.now, query.exclude_message_ids)
        hits = self._recaller.nominated(asked, 2 * MOST_ASKED).hits
        found = [hit.memory for hit in hits if hit.kind is HitKind.MEMORY and hit.memory]
        return [memory for memory in found if memory.status in _IN_USE][:MOST_ASKED]


def _words(text: str, ordering: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the words of an order that name something, without those that name nothing."""
    idle = word_list("comparing", "unnamed") | ordering
    said = " ".join(word for word in normalise(text).split() if word not in idle)
    return frozenset(word for word in content(said).words if not word.startswith("<"))


def _shared(wanted: frozenset[str], memory: Memory) -> float:
    """Return which share of the naming words stands in a memory."""
    if not wanted:
        return 0.0
    said = content(f"{memory.text} {memory.key or ''} {memory.value or ''}").words
    return len(wanted & said) / len(wanted)
