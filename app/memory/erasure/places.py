"""Hold rows against what goes, note why each is listed, and grow the plan by them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.conversation import Role
from app.domain.erasure import Copy, Inventory
from app.domain.language.text import clipped, plain
from app.memory.erasure.restated import Restatement
from app.memory.erasure.stock import ErasurePlan, Passages, where
from app.memory.text import distinctive, scripts
from app.memory.text.distinctive import ErasedStatement, Match
from app.memory.text.novelty import content
from app.memory.text.passages import occurrences
from app.store.index.occurrences import Occurrence
from app.store.recalls import PromptUse


@dataclass(frozen=True, slots=True)
class Going:
    """The rows that go in any case, and what is sought of them.

    Attributes:
        memories, messages: Ids.
        conversation: The id of the one that goes, if one does.
        sources: The statements in them.
        quoted: Texts that go out of every row that holds them in any case.
    """

    memories: frozenset[str]
    messages: frozenset[str]
    conversation: str
    sources: Sequence[ErasedStatement]
    quoted: Sequence[str] = ()


@dataclass
class Hits:
    """What was found in one row."""

    found: Occurrence
    matches: dict[str, Match]

    @property
    def copy(self) -> Copy:
        """The row as it is listed."""
        text, best = max(self.matches.items(), key=lambda pair: pair[1].rank)
        return row_copy(self.found, text, best)

    def passages(self, *, ticked: bool) -> Passages:
        """Return what goes from it; of sentences that surely tell of it all, of others the marks.

        Args:
            ticked: Whether it is ticked for another reason. Where it is not, and no sentence surely
                tells of it, those go that perhaps do.
        """
        sure = ticked or any(match.sure for match in self.matches.values())
        others = tuple(t for t, m in self.matches.items() if m.another)
        wanted = {
            t: m
            for t, m in self.matches.items()
            if m.sure or not sure or (m.marks and not m.another)
        }
        texts = [t for t, m in wanted.items() if (m.whole or m.another) and (m.sure or not sure)]
        words = [mark for t, m in wanted.items() if t not in texts for mark in m.marks]
        perhaps = tuple(t for t, m in self.matches.items() if t not in wanted and not m.another)
        return Passages(tuple(texts), tuple(dict.fromkeys(words)), others, perhaps)


class PlaceSearch:
    """Holds every row that was looked at against the statements that go."""

    def __init__(self, going: Going) -> None:
        self._going = going
        self._seen: set[str] = set()
        self._by_word: dict[str, list[ErasedStatement]] = {}
        self._spread: list[ErasedStatement] = []  # their marks are not known by whole words
        self.rows: dict[str, Hits] = {}
        for source in going.sources:
            for word in {*source.words, *(w for m in source.marks for w in content(m).words)}:
                self._by_word.setdefault(word, []).append(source)
            if any(weight > 1 or scripts.foreign(mark) for mark, weight in source.marks.items()):
                self._spread.append(source)

    def look(self, found: Occurrence) -> None:
        """Hold a row against the statements."""
        if found.id in self._seen or self._is_going(found):
            return
        self._seen.add(found.id)
        told = (
            [found.text]
            if found.role is None
            else [s for *_, s in distinctive.sentences(found.text)]
        )
        for text in told:
            rest = self._beside(text)
            near = {id(s): s for w in content(rest).words for s in self._by_word.get(w, ())}
            near |= {id(source): source for source in self._spread}
            matches = [match for source in near.values() if (match := source.match(rest))]
            if matches:
                best = _best(matches)
                self._put(found, text, replace(best, whole=best.whole and rest == text))

    def take(self, one: Restatement, found: Occurrence | None) -> None:
        """Take in what says the same in other words."""
        if found is None or self._is_going(found):
            return
        if one.message and self._beside(one.text) != one.text:
            return
        why = "says the same" if one.sure else "is close in meaning"
        self._put(found, one.text, Match(why, one.sure, whole=True))

    def use(self, found: Occurrence, use: PromptUse) -> None:
        """Take in an answer that had it before it: which of its sentences were derived from it."""
        self.look(found)
        before = ""
        for *_, text in distinctive.sentences(found.text):
            cites = use.cited and f"[{use.number}]" in text
            before = text if any(map(str.isalpha, text)) else before  # "… . [1]"
            if cites and before and self._beside(before) == before:
                self._put(found, before, Match("was derived from it", sure=True, whole=True))
        if hits := self.rows.get(found.id):
            hits.matches = {
                text: replace(match, why=_derived(match.why))
                for text, match in hits.matches.items()
            }

    def _beside(self, text: str) -> str:
        """Return a sentence without what goes out of it in any case."""
        for start, end in reversed(occurrences(text, self._going.quoted)):
            text = text[:start] + text[end:]
        return text

    def _is_going(self, found: Occurrence) -> bool:
        if found.role is None:
            return found.id in self._going.memories
        return bool(self._going.conversation) and found.id in self._going.messages

    def _put(self, found: Occurrence, text: str, match: Match) -> None:
        matches = self.rows.setdefault(found.id, Hits(found, {})).matches
        known = matches.get(text, match)
        better, other = (known, match) if known.rank >= match.rank else (match, known)
        marks = tuple(dict.fromkeys((*better.marks, *other.marks)))
        matches[text] = replace(better, marks=marks)


class Placed:
    """A plan that grows; a row stands in it once, ticked where any reason is certain."""

    def __init__(self, plan: ErasurePlan) -> None:
        self._plan = plan
        self._copies = {copy.key: copy for copy in plan.inventory.copies}
        self._passages = dict(plan.passages)

    def put(self, copy: Copy, passages: Passages | None = None) -> None:
        """Take in a row."""
        kind, _, row_id = copy.key.partition(":")
        whole = f"whole:{row_id}"
        if kind == "whole" and f"message:{row_id}" in self._copies:
            return
        if kind == "message" and whole in self._copies:
            if not copy.ticked and self._copies[whole].ticked:
                return
            del self._copies[whole]
        known = self._copies.get(copy.key)
        if copy.follows and known is not None and passages is not None:
            self._put_quotes(copy, passages)
            return
        if known is None or (copy.ticked and not known.ticked):
            self._copies[copy.key] = copy
        if passages is not None:
            self._passages[copy.key] = self._passages.get(copy.key, Passages()) | passages

    def is_ticked(self, key: str) -> bool:
        """Return whether a row stands in it and goes."""
        known = self._copies.get(key)
        return known is not None and known.ticked

    def _put_quotes(self, copy: Copy, passages: Passages) -> None:
        """Take in what of a row goes only along with another, beside what of it goes anyway."""
        here = (*self._plan.needles, *self._passages.get(copy.key, Passages()).texts)
        rest = tuple(text for text in passages.texts if _beyond(text, here))
        if rest:
            _, _, row_id = copy.key.partition(":")
            key = f"quote:{row_id}/{'+'.join(sorted(copy.follows))}"
            self._copies[key] = replace(copy, key=key)
            self._passages[key] = Passages(rest)

    @property
    def plan(self) -> ErasurePlan:
        """The plan, with what always goes along at its end."""
        inventory = self._plan.inventory
        copies = sorted(self._copies.values(), key=lambda copy: copy.kind in ("trace", "journal"))
        return replace(
            self._plan, inventory=Inventory(inventory.title, tuple(copies)), passages=self._passages
        )


def row_copy(found: Occurrence, text: str, match: Match) -> Copy:
    """Return a row as it is listed, with the sentence that it is listed for."""
    quote = f"“{clipped(plain(text) if found.role is Role.ASSISTANT else text, 100)}”"
    if found.role is None:
        label = f"Another memory: {quote}"
        return Copy(f"memory:{found.id}", "another", label, match.sure, why=match.why)
    answers = found.role is Role.ASSISTANT
    kind, what = ("answer", "An answer") if answers else ("message", "Your message")
    label = f"{what} {where(found)}: {quote}"
    return Copy(f"message:{found.id}", kind, label, match.sure, why=match.why)


def _best(matches: Sequence[Match]) -> Match:
    """Return the best of matches, with what of the others is as certain."""
    best = max(matches, key=lambda match: match.rank)
    alike = [m for m in matches if m.sure == best.sure and m.another == best.another]
    marks = dict.fromkeys((*best.marks, *(mark for match in alike for mark in match.marks)))
    return replace(best, marks=tuple(marks))


def _beyond(text: str, known: Sequence[str]) -> bool:
    """Return whether a text says anything beside what is known."""
    for start, end in reversed(occurrences(text, known)):
        text = text[:start] + text[end:]
    return any(map(str.isalnum, text))


def _derived(why: str) -> str:
    first = "was derived from it"
    return why if why.startswith(first) else f"{first}, {why}"
