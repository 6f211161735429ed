"""Look up the rows of a vault by what is distinctive of an erasure, and say where that ended.

A word is distinctive where few rows hold it, in whatever letters it is written. Everyday words of
English are so only in a vault that is large enough to tell. Every limit that was reached, and every
word that was not sought by itself, is told in a sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.domain.language.text import clipped
from app.memory.erasure.places import Going
from app.memory.text import distinctive, scripts
from app.store.index.holding import RowsHolding, phrase
from app.store.index.occurrences import Occurrence

MOST_ROWS = 500  # of one kind that one word or statement leads to
MOST_WORDS = 600
COUNTED = 5_000
LONG_NUMBER = 6  # digits; what is shorter is written in one, and "12:34" is a time
_NAMED = 5


class Sought:
    """What one erasure looks up in a vault.

    Attributes:
        told: Sentences on what was not sought, or not to the end, and why.
    """

    def __init__(self, holding: RowsHolding) -> None:
        self._holding = holding
        self._rows = holding.rows()
        self.told: list[str] = []

    def rare(
        self, going: Going, about: Sequence[str], listed: Iterable[str], *, alone: bool
    ) -> Going:
        """Return what goes with only its rare names, numbers and words.

        Args:
            going: What goes.
            about: Names that count however common they are.
            listed: Ids of rows that the inventory lists already.
            alone: Whether ordinary words are looked up, too (``ordinary``).
        """
        seen = frozenset((*going.messages, *going.memories, *listed))
        marked = [mark for source in going.sources for mark in source.marks if mark not in about]
        rare, common = distinctive.rare(marked, self._rows, lambda mark: self._count(mark, seen))
        own = {mark for source in going.sources if not source.heard for mark in source.marks}
        self.told += [
            f"“{clipped(mark, 40)}” stands in {number:,} other places too: too common to tell which"
            " of them speak of this."
            for mark, number in common.items()
            if mark in own
        ]
        self._tell_apart([mark for mark in common if mark not in own], "too common to tell")
        names = {piece for mark in (*marked, *about) for piece in mark.casefold().split()}
        ordinary = [w for source in going.sources for w in source.ordinary if w not in names]
        words = self._rare_words(ordinary, seen, distinctive.few(self._rows) if alone else 0)
        slight = [one for source in going.sources for one in source.slight]
        self._tell_slight(slight, rare.union(words, names), seen)
        wanted = rare.union(words, about)
        return replace(going, sources=[one.rare(wanted) for one in going.sources])

    def holding(self, mark: str) -> list[Occurrence]:
        """Return the rows that a word, a name or a number stands in, and some that only may."""
        if scripts.unspaced(mark):
            return self._whole(self._holding.within(mark, MOST_ROWS), mark)
        return self.matching(query(mark), mark)

    def matching(self, wanted: str, called: str) -> list[Occurrence]:
        """Return the rows that match an FTS5 query.

        Args:
            wanted: The query.
            called: What it looks for, where it has to be told that there are more rows.
        """
        messages = self._holding.messages(wanted, MOST_ROWS)
        memories = self._holding.memories(wanted, MOST_ROWS)
        self._whole(max(messages, memories, key=len), called)
        return [*messages, *memories]

    def ordinary(self, text: str) -> list[str]:
        """Return the FTS5 queries for the words of a text that few rows hold."""
        most = distinctive.few(self._rows)
        words = [phrase(word) for word in distinctive.plain_words(text)]
        return [word for word in words if self._holding.count(word, most) <= most]

    def _whole(self, rows: list[Occurrence], called: str) -> list[Occurrence]:
        if len(rows) >= MOST_ROWS:
            line = f"Only the newest {MOST_ROWS:,} rows that may hold “{clipped(called, 40)}” were"
            self.tell(f"{line} looked at; older ones were not.")
        return rows

    def _tell_slight(
        self, slight: Sequence[str], known: frozenset[str], seen: frozenset[str]
    ) -> None:
        """Tell which short words and numbers stand elsewhere, though nothing looked there."""
        rest = [one for one in dict.fromkeys(slight) if one not in known]
        found = [one for one in rest[:MOST_WORDS] if self._count(one, seen)]
        self._tell_apart([*found, *rest[MOST_WORDS:]], "too short, or like a year, to tell")

    def _tell_apart(self, words: Sequence[str], why: str) -> None:
        """Tell which words were not sought alone, and why."""
        if words:
            one = len(words) == 1
            self.tell(
                f"{_named(words)} stand{'s' if one else ''} in other places too, and"
                f" {'was' if one else 'were'} not sought alone: {why} which of them speak of this."
            )

    def tell(self, line: str) -> None:
        """Note, once, what was not sought, or not to the end."""
        if line not in self.told:
            self.told.append(line)

    def _rare_words(
        self, ordinary: Sequence[str], seen: frozenset[str], known: int
    ) -> frozenset[str]:
        """Return the words that few rows hold, beside names and numbers.

        Args:
            ordinary: Words.
            seen: The rows that go.
            known: In how many rows a word stands at most that is looked up in any case.
        """
        words = sorted(dict.fromkeys(ordinary), key=distinctive.is_everyday)  # the others first
        if left := words[MOST_WORDS:]:
            self.tell(
                f"It has {len(words):,} words: {MOST_WORDS:,} of them were sought by themselves,"
                f" {len(left):,} were not, such as {_named(left)}."
            )
        found: set[str] = set()
        common: list[str] = []
        for word in words[:MOST_WORDS]:
            number, most = self._count(word, seen), distinctive.most_rows(word, self._rows)
            if most and number <= most:
                found.add(word)
            elif number > known:
                common.append(word)
        self._tell_apart(common, "too ordinary to tell")
        return frozenset(found)

    def _count(self, mark: str, seen: frozenset[str]) -> int:
        """Return in how many rows a mark stands, but for those that go."""
        most = MOST_ROWS + len(seen)
        if scripts.unspaced(mark):
            return sum(found.id not in seen for found in self._holding.within(mark, most))
        wanted = query(mark)
        if self._holding.count(wanted, most) > most:
            return self._holding.count(wanted, COUNTED + len(seen)) - len(seen)
        rows = (*self._holding.messages(wanted, most), *self._holding.memories(wanted, most))
        if mark.strip("+")[:1].isdigit():  # the query finds more rows than hold a number
            held = distinctive.pattern(mark)
            rows = tuple(row for row in rows if held.search(row.text))
        return sum(found.id not in seen for found in rows)


def query(mark: str) -> str:
    """Return the FTS5 query for a mark; digits may stand together or apart, words end otherwise."""
    if scripts.foreign(mark):
        return scripts.match(mark) or phrase(mark)
    pieces = phrase(mark).strip('"').split()
    together = "".join(pieces)
    if not together.isdigit():
        return phrase(mark)
    asked = dict.fromkeys((phrase(mark), phrase(together)))
    if len(together) >= LONG_NUMBER:
        cuts = range(2, len(together) - 1)
        begins = " OR ".join(phrase(together[:cut]) for cut in cuts)
        ends = " OR ".join(phrase(together[cut:]) for cut in cuts)
        asked[f"(({begins}) AND ({ends}))"] = None
    return " OR ".join(asked)


def _named(words: Sequence[str]) -> str:
    first = ", ".join(f"“{word}”" for word in words[:_NAMED])
    rest = len(words) - _NAMED
    return f"{first} and {rest:,} more" if rest > 0 else first
