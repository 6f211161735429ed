"""Find every other place that holds what is about to be erased, says it, or was derived from it.

The literal copies are known (``app.memory.erasure.stock``). Here come the rows that hold the
distinctive words of it (``distinctive``), those that say the same in other words (``restated``),
answers that were given it (their recall knows), and what was learnt from any of them. Each is
listed with why, and ticked where that is certain.
"""

from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import replace

from app.domain.erasure import Copy
from app.domain.jobs.progress import Progress
from app.domain.language.text import clipped
from app.errors import AppError, Cancelled
from app.memory.erasure.places import Going, Placed, PlaceSearch, row_copy
from app.memory.erasure.restated import MOST, NEAR, Restated, Restatement
from app.memory.erasure.sought import Sought
from app.memory.erasure.stock import (
    MOST_PASSAGES,
    ErasurePlan,
    Passages,
    Stock,
    passage_copy,
    title_copy,
    used_copy,
)
from app.memory.text import distinctive
from app.memory.text.distinctive import ErasedStatement, Match
from app.memory.text.passages import named_after
from app.memory.text.query import is_small_talk
from app.store.index.holding import phrase
from app.store.index.occurrences import Occurrence
from app.store.recalls import PromptUse
from app.store.store import Store

MOST_SOURCES = 1_000
BLIND = "Loci could not look for the same in other words, because its model did not answer."
HEARD = "What its answers said was sought by its words alone, and is ticked nowhere."
UNREAD = "in letters that Loci's models cannot read were sought by their words alone."

_FIXED = {
    "agents": "in the instructions of an agent, which only you can change.",
    "settings": "in a setting, which only you can change.",
    "exports": "in the name of a file that you exported.",
}


class ErasureElsewhere:
    """Adds to the plan of an erasure what it leaves elsewhere.

    Args:
        restated: Looks for other words; None looks for none.
    """

    def __init__(self, store: Store, restated: Restated | None = None) -> None:
        self._holding = store.holding
        self._copies = store.occurrences
        self._conversations = store.conversations
        self._messages = store.messages
        self._memories = store.memories
        self._recalls = store.recalls
        self._stock = Stock(store)
        self._restated = restated

    def added(
        self, plan: ErasurePlan, marks: frozenset[str] | None = None
    ) -> Generator[Progress, None, ErasurePlan]:
        """Return the plan with every other place.

        Args:
            plan: What goes.
            marks: What is distinctive of it; None where that is not known yet.
        """
        yield Progress("Looking for every other place")
        sought = Sought(self._holding)
        going = self._going(plan, sought)
        if marks is None:
            listed = [key.partition(":")[2] for key in plan.keys if key.startswith("memory:")]
            going = sought.rare(going, plan.about, listed, alone=not plan.whole)
        else:
            going = replace(going, sources=[one.rare(marks) for one in going.sources])
        search = PlaceSearch(going)
        for number, source in enumerate(going.sources):
            if number % 20 == 0:
                yield Progress("Looking for its words", number, len(going.sources))
            for found in self._candidates(source, sought, alone=not plan.whole):
                search.look(found)
        blind = ""
        try:
            for one in (yield from self._other_words(plan, going, sought, search.rows)):
                search.take(one, self._found(one))
        except Cancelled:
            raise
        except AppError:
            blind = BLIND
        rare = tuple(dict.fromkeys(mark for source in going.sources for mark in source.marks))
        plan = replace(plan, marks=rare, blind=blind)
        plan = self._with_titles(self._with_rows(plan, going, search), going)
        plan = self._with_documents(plan, going)
        return self._with_fixed(plan, sought)

    # -- what is sought ----------------------------------------------------------------------------

    def _going(self, plan: ErasurePlan, sought: Sought) -> Going:
        ids: dict[str, list[str]] = {}
        for copy in plan.inventory.copies:
            kind, _, row_id = copy.key.partition(":")
            if copy.required or (kind == "message" and copy.ticked):
                ids.setdefault(kind, []).append(row_id)
        (conversation,) = ids.get("conversation", [""])
        messages = {f.id for f in self._copies.messages_of(conversation)} if conversation else set()
        found = [
            source
            for heard, texts in ((False, plan.said or plan.texts), (True, plan.heard))
            for text in texts
            for source in distinctive.sources(text, alone=not plan.whole, heard=heard)
        ]
        valued = [ErasedStatement(value, {value: 2}) for value in plan.values if phrase(value)]
        sources = _distinct([*found, *valued])
        mine = messages or set(ids.get("message", []))
        quoted = () if plan.whole else plan.texts
        gone = frozenset(ids.get("memory", []))
        if len(sources) > MOST_SOURCES:
            sought.tell(
                f"It makes {len(sources):,} statements; the first {MOST_SOURCES:,} were sought"
                " elsewhere, the others were not."
            )
        return Going(gone, frozenset(mine), conversation, sources[:MOST_SOURCES], quoted)

    def _candidates(
        self, source: ErasedStatement, sought: Sought, *, alone: bool
    ) -> Iterable[Occurrence]:
        """Return rows that a statement may stand in: by its marks, all its words, or all others.

        Args:
            source: The statement.
            sought: Looks them up.
            alone: Whether it is sought by ordinary words that few rows hold, too.
        """
        for mark in source.marks:
            yield from sought.holding(mark)
        words = distinctive.plain_words(source.text)
        named = {piece for mark in source.marks for piece in distinctive.plain_words(mark)}
        others = [phrase(word) for word in words if word not in named]
        queries = [" AND ".join(map(phrase, words))] if len(words) > 1 or source.alone else []
        queries += [" AND ".join(others)] if len(others) > 1 else []
        queries += sought.ordinary(source.text) if alone else []
        for query in filter(None, dict.fromkeys(queries)):
            yield from sought.matching(query, source.text)

    def _other_words(
        self, plan: ErasurePlan, going: Going, sought: Sought, rows: Collection[str]
    ) -> Generator[Progress, None, list[Restatement]]:
        if self._restated is None:
            return []
        found: list[Restatement] = []
        listed = {*rows, *going.messages, *(key.partition(":")[2] for key in plan.keys)}
        crowded = unread = left = 0
        for agent_pk, stated in self._stated(plan, going).items():
            restatements = yield from self._restated.of(stated[:MOST], agent_pk, listed)
            found += restatements.found
            crowded += restatements.crowded
            unread += restatements.unread
            left += len(stated[MOST:])
        if left:
            sought.tell(
                f"{left:,} more sentences of it were not sought in other words; the first {MOST}"
                " were."
            )
        if any(source.heard for source in going.sources):
            sought.tell(HEARD)
        if unread:
            sought.tell(f"{unread:,} of its statements {UNREAD}")
        if crowded:
            sought.tell(
                f"For {crowded:,} of its statements more than {NEAR} places are close in meaning;"
                " only the closest were looked at."
            )
        return found

    def _stated(self, plan: ErasurePlan, going: Going) -> dict[int, list[str]]:
        """Return what is sought in other words, for each agent: what was learnt comes first."""
        learnt = [c.key for c in plan.inventory.copies if c.key.startswith("memory:")]
        stated: dict[int, list[str]] = {}
        for memory in self._memories.by_ids([key.partition(":")[2] for key in learnt]):
            stated.setdefault(memory.agent_pk, []).append(memory.text)
        if going.conversation:
            mine = stated.setdefault(self._conversations.get(going.conversation).agent_pk, [])
            said = sorted(going.sources, key=lambda source: not source.marks)  # stable
            mine += [one.text for one in said if not one.heard and _says_something(one)]
        return {pk: list(dict.fromkeys(texts)) for pk, texts in sorted(stated.items())}

    def _found(self, one: Restatement) -> Occurrence | None:
        if one.message:
            return next(iter(self._holding.messages_by_id([one.id])), None)
        memory = next(iter(self._memories.by_ids([one.id])), None)
        return None if memory is None else Occurrence(memory.id, memory.text, "", memory.created_at)

    # -- what is listed ----------------------------------------------------------------------------

    def _with_rows(self, plan: ErasurePlan, going: Going, search: "PlaceSearch") -> ErasurePlan:
        uses = {use.answer_id: use for use in self._uses(plan, going)}
        for found in self._holding.messages_by_id(list(uses)):
            search.use(found, uses[found.id])
        placed = Placed(plan)
        for message_id, use in uses.items():
            if message_id not in search.rows:
                placed.put(used_copy(self._messages.get(message_id), use.cited))
        others: list[str] = []
        for hits in search.rows.values():
            if hits.found.role is None and hits.copy.key not in plan.keys:
                others.append(hits.found.id)
            placed.put(hits.copy, hits.passages(ticked=placed.is_ticked(hits.copy.key)))
        for memory_id in others:
            for said in self._resting(memory_id):
                placed.put(said[0], said[1])
        for copy in self._stock.drawn_from(others, "another memory listed here"):
            placed.put(copy)
        return placed.plan

    def _uses(self, plan: ErasurePlan, going: Going) -> list[PromptUse]:
        """Return the answers that were given what goes."""
        learnt = [c.key for c in plan.inventory.copies if c.key.startswith("memory:")]
        ids = [key.partition(":")[2] for key in learnt]
        return self._recalls.uses(ids, going.conversation)

    def _resting(self, memory_id: str) -> Iterable[tuple[Copy, Passages]]:
        """Yield the messages that another memory rests on, with its quotes."""
        quotes: dict[str, list[str]] = {}
        for evidence in self._memories.evidence(memory_id):
            if evidence.message_id and evidence.quote:
                quotes.setdefault(evidence.message_id, []).append(evidence.quote)
        for found in self._holding.messages_by_id(list(quotes)):
            passages = Passages(tuple(q for q in quotes[found.id] if q in found.text))
            if passages.texts:
                copy = row_copy(found, passages.texts[0], Match("another memory rests on it", True))
                yield replace(copy, follows=frozenset({f"memory:{memory_id}"})), passages

    def _with_titles(self, plan: ErasurePlan, going: Going) -> ErasurePlan:
        """Return a plan with titles and drafts that hold its marks, or were cut from its words."""
        placed = Placed(plan)
        own = {mark for source in going.sources if not source.heard for mark in source.marks}
        messages = {
            key.partition(":")[2]: out.texts
            for key, out in plan.passages.items()
            if key.startswith("message:")
        }
        for message_id, opened in self._copies.first_of(list(messages)).items():
            text = self._messages.get(message_id).text
            if named_after(opened.text, text, messages[message_id]):
                placed.put(title_copy(opened, True, "was made of words listed here"))
        for kind, rows in (("title", self._copies.titles), ("draft", self._copies.drafts)):
            for found in rows(plan.marks) if plan.marks else ():
                held = [m for m in plan.marks if distinctive.pattern(m).search(found.text)]
                why = f"holds {' and '.join(f'“{mark}”' for mark in held)}"
                if f"conversation:{found.id}" in plan.keys:
                    continue
                ticked = not plan.heard or not own.isdisjoint(held)
                if held and kind == "title":
                    placed.put(title_copy(found, ticked, why))
                elif held:
                    label = f"An unsent draft in “{clipped(found.title, 60)}”"
                    placed.put(Copy(f"draft:{found.id}", "draft", label, ticked, why=why))
        return placed.plan

    def _with_documents(self, plan: ErasurePlan, going: Going) -> ErasurePlan:
        """Return a plan with the pages of attached documents that hold its marks."""
        placed, gone = Placed(plan), tuple(self._gone(going))
        for found in self._copies.passages(plan.marks) if plan.marks else ():
            held = [m for m in plan.marks if distinctive.pattern(m).search(found.text)]
            if held and not found.id.startswith(gone):
                why = f"holds {' and '.join(f'“{mark}”' for mark in held)}"
                placed.put(passage_copy(found, True, why), Passages(words=tuple(held)))
        return placed.plan

    def _gone(self, going: Going) -> list[str]:
        """Return how the passages of the conversation that goes are named."""
        talk = going.conversation
        found = self._copies.passages_of(talk, MOST_PASSAGES) if talk else []
        return sorted({f"{one.id.partition('/')[0]}/" for one in found})

    def _with_fixed(self, plan: ErasurePlan, sought: Sought) -> ErasurePlan:
        """Return a plan that tells what was not sought and why, and what Loci may not change."""
        told = [
            *sought.told,
            *(
                f"“{clipped(mark, 40)}” stands {_FIXED[place]}"
                for mark in plan.marks
                for place in self._copies.places(mark, _FIXED)
            ),
        ]
        fixed = [
            Copy(f"fixed:{n}", "fixed", line, False, fixed=True) for n, line in enumerate(told)
        ]
        inventory = replace(plan.inventory, copies=(*plan.inventory.copies, *fixed))
        return replace(plan, inventory=inventory)


def _distinct(sources: Sequence[ErasedStatement]) -> list[ErasedStatement]:
    """Return each statement once; what the person said comes before what answers said."""
    found: dict[tuple[object, ...], ErasedStatement] = {}
    for one in sources:
        found.setdefault((one.words, *one.marks), one)
    return list(found.values())


def _says_something(source: ErasedStatement) -> bool:
    """Return whether a sentence says enough to be sought in other words."""
    enough = bool(source.marks) or len(source.words) >= distinctive.FEWEST_WORDS
    return enough and not is_small_talk(source.text)
