"""Find what is linked to something found: by a shared name, a near day, a cause, or by being kept.

Links between memories are rows; a message is linked to a name by having it in its text, which the
full-text index knows, so that erasing the text is enough. Every statement is bounded: a name that
stands in very many rows links nothing, and of every other the latest rows are weighed.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log

from app.domain.memory import Scope, Trust
from app.store.dialect import by_index, each, gathered, listed
from app.store.entities import canonical_key
from app.store.index import recallable
from app.store.index.frequency import COUNTED, Population
from app.store.index.match import quoted
from app.store.index.words import MEMORIES, MESSAGES
from app.store.vault.connection import Connection
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

HUB_SHARE = 0.2
FEW = 10
REACH = 400
MOST_NAMES = 24
USER = "user"
DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class LinkScope:
    """What may be seen.

    Attributes:
        exclude: Ids of messages that are not wanted.
    """

    scope: Scope
    trusts: Collection[Trust]
    now: datetime
    exclude: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """One thing that the finds mention.

    Attributes:
        pks: Rows of its names; none where no memory mentions it.
        names: How it is called.
        mentions: In how many memories it stands, about.
    """

    pks: tuple[int, ...]
    names: tuple[str, ...]
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class Linked:
    """A row that is linked to the finds.

    Attributes:
        weight: How strongly; what that is measured in differs by the link.
    """

    pk: int
    weight: float
    at: int
    id: str


class Links:
    """The links of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def named(
        self, memory_pks: Collection[int], spoken: Collection[str], asked: LinkScope
    ) -> list[Named]:
        """Return what memories and the names in messages mention, each thing once, rarest first.

        The person is left out: everything here is about them.
        """
        keys = {canonical_key(name): name for name in spoken}
        with self._vault.search() as connection:
            found = connection.execute(
                "SELECT coalesce(e.merged_into_pk, e.pk) AS root FROM entity_links AS l"
                " JOIN entities AS e ON e.pk = l.entity_pk"
                f" WHERE l.memory_pk IN {listed()}"
                " UNION SELECT coalesce(merged_into_pk, pk) FROM entities"
                f" WHERE agent_pk = ? AND canonical_key IN {listed()}",
                (dumps(sorted(memory_pks)), asked.scope.agent_pk, dumps(sorted(keys))),
            ).fetchall()
            things = [_thing(connection, row["root"]) for row in found]
        known = {canonical_key(name) for thing in things for name in thing.names}
        things += [Named((), (name,)) for key, name in keys.items() if key and key not in known]
        others = [thing for thing in things if USER not in thing.names]
        return sorted(others, key=lambda thing: (thing.mentions, thing.names))[:MOST_NAMES]

    def memories(
        self, things: Sequence[Named], asked: LinkScope, seeds: Collection[int], limit: int
    ) -> list[Linked]:
        """Return the memories that share most with the seeds: rarely named things count fully.

        Ties stand with the newer memory first, then by id.
        """
        condition, values = recallable.memories(asked.scope, asked.trusts, asked.now)
        with self._vault.search() as connection:
            total = Population.of(connection, MEMORIES, asked.scope).size()
            weighty = {
                pk: (place, weight)
                for place, thing in enumerate(things)
                if (weight := hub_weight(thing.mentions, total))
                for pk in thing.pks
            }
            near: set[int] = set()
            for pk in weighty:
                near |= _mentioning(connection, pk, seeds, condition, values, max(limit, REACH))
            rows = connection.execute(
                f"SELECT m.pk, m.created_at AS at, m.id, {gathered('l.entity_pk')} AS of"
                " FROM memories AS m JOIN entity_links AS l ON l.memory_pk = m.pk"
                f" WHERE m.pk IN {listed()} GROUP BY m.pk",
                (dumps(sorted(near)),),
            ).fetchall()
        found = []
        for row in rows:
            shared = dict(weighty[pk] for pk in _numbers(row["of"]) if pk in weighty)
            found.append(Linked(row["pk"], sum(shared.values()), row["at"], row["id"]))
        return _strongest(found)[:limit]

    def messages(
        self, things: Sequence[Named], asked: LinkScope, seeds: Collection[int], limit: int
    ) -> list[Linked]:
        """Return the messages whose text names most of what the seeds name, in the same order."""
        condition, values = recallable.messages(asked.scope, asked.exclude)
        texts: dict[int, tuple[int, str, str]] = {}
        weighed: list[tuple[re.Pattern[str], float]] = []
        with self._vault.search() as connection:
            said = Population.of(connection, MESSAGES, asked.scope)
            total = said.size()
            for thing in things:
                query = _phrases(thing.names)
                count = said.count(query) if query else 0
                weight = hub_weight(count, total) if 0 < count < COUNTED else 0.0
                if not weight:
                    continue
                weighed.append((_said(thing.names), weight))
                for row in connection.execute(
                    f"SELECT x.pk, x.created_at, x.id, x.text FROM {MESSAGES.matching}"
                    f" AND {condition}"
                    f" AND x.pk NOT IN {listed()}"
                    f" ORDER BY {MESSAGES.newest} LIMIT ?",
                    [query, *values, dumps(sorted(seeds)), max(limit, REACH)],
                ):
                    texts[row["pk"]] = (row["created_at"], row["id"], _bare(row["text"]))
        found = []
        for pk, (at, id_, text) in texts.items():
            shared = sum(weight for name, weight in weighed if name.search(text))
            found.append(Linked(pk, shared, at, id_))
        return _strongest(found)[:limit]

    def around(
        self, days: Sequence[int], window: int, asked: LinkScope, seeds: Collection[int], limit: int
    ) -> list[Linked]:
        """Return memories of what happened within ``window`` days of given times, nearest first.

        Args:
            days: The times, in milliseconds.
            window: How many days around.
            asked: What may be seen.
            seeds: Memories that are left out; others of the very same time are not.
            limit: At most so many.

        Returns:
            The weight is the distance in days.
        """
        condition, values = recallable.memories(asked.scope, asked.trusts, asked.now)
        with self._vault.search() as connection:
            rows = connection.execute(
                "SELECT m.pk, m.id, m.created_at AS at, min(abs(m.occurred_at - s.value)) AS away"
                f" FROM {each()} AS s CROSS JOIN memories AS m"
                " WHERE m.occurred_at >= s.value - ? AND m.occurred_at <= s.value + ?"
                f" AND {condition}"
                f" AND m.pk NOT IN {listed()}"
                " GROUP BY m.pk ORDER BY away, m.id LIMIT ?",
                [
                    dumps(sorted(set(days))),
                    *[window * DAY_MS] * 2,
                    *values,
                    dumps(sorted(seeds)),
                    limit,
                ],
            ).fetchall()
        return [Linked(row["pk"], row["away"] / DAY_MS, row["at"], row["id"]) for row in rows]

    def caused(self, asked: LinkScope, seeds: Collection[int], limit: int) -> list[Linked]:
        """Return causes and effects of memories, the surest first, then by id."""
        condition, values = recallable.memories(asked.scope, asked.trusts, asked.now)
        given = dumps(sorted(seeds))
        with self._vault.search() as connection:
            rows = connection.execute(
                "WITH ends (pk, confidence) AS ("
                " SELECT target_pk, confidence FROM causal_edges WHERE agent_pk = ?1"
                f" AND source_pk IN {listed('?2')}"
                " UNION ALL SELECT source_pk, confidence FROM causal_edges WHERE +agent_pk = ?1"
                f" AND target_pk IN {listed('?2')})"
                " SELECT m.pk, m.id, m.created_at AS at, max(n.confidence) AS sure FROM ends AS n"
                " CROSS JOIN memories AS m ON m.pk = n.pk"
                f" WHERE m.pk NOT IN {listed('?2')} AND {condition}"
                " GROUP BY m.pk ORDER BY sure DESC, m.id LIMIT ?",
                [asked.scope.agent_pk, given, *values, limit],
            ).fetchall()
        return [Linked(row["pk"], row["sure"], row["at"], row["id"]) for row in rows]

    def pinned(self, asked: LinkScope, seeds: Collection[int], limit: int) -> list[Linked]:
        """Return the memories that the person pinned, newest first."""
        condition, values = recallable.memories(asked.scope, asked.trusts, asked.now)
        with self._vault.search() as connection:
            rows = connection.execute(
                "SELECT m.pk, m.id, m.created_at AS at FROM memories AS m"
                f" {by_index('memories_pinned')} WHERE m.pinned = 1 AND {condition}"
                f" AND m.pk NOT IN {listed()}"
                " ORDER BY m.created_at DESC, m.id LIMIT ?",
                [*values, dumps(sorted(seeds)), limit],
            ).fetchall()
        return [Linked(row["pk"], 1.0, row["at"], row["id"]) for row in rows]


def hub_weight(mentions: int, total: int) -> float:
    """Return what sharing a name counts: 1, or less for what stands in over a fifth of all rows.

    Of fewer than ``FEW`` rows nothing can be told, so that many are taken for granted.
    """
    share = mentions / max(total, FEW)
    if share <= HUB_SHARE:
        return 1.0
    return log(share) / log(HUB_SHARE) if share < 1 else 0.0


def _thing(connection: Connection, root: int) -> Named:
    rows = connection.execute(
        "SELECT pk, name, mention_count FROM entities WHERE pk = ?1"
        " UNION ALL SELECT pk, name, mention_count FROM entities WHERE merged_into_pk = ?1",
        (root,),
    ).fetchall()
    return Named(
        tuple(row["pk"] for row in rows),
        tuple(row["name"] for row in rows),
        sum(row["mention_count"] for row in rows),
    )


def _mentioning(
    connection: Connection,
    entity_pk: int,
    seeds: Collection[int],
    condition: str,
    values: Sequence[object],
    limit: int,
) -> set[int]:
    """Return the latest memories that mention a name."""
    rows = connection.execute(
        "SELECT l.memory_pk FROM entity_links AS l CROSS JOIN memories AS m ON m.pk = l.memory_pk"
        f" WHERE l.entity_pk = ? AND {condition}"
        f" AND m.pk NOT IN {listed()}"
        " ORDER BY l.memory_pk DESC LIMIT ?",
        [entity_pk, *values, dumps(sorted(seeds)), limit],
    )
    return {row[0] for row in rows}


def _strongest(found: Sequence[Linked]) -> list[Linked]:
    linked = [one for one in found if one.weight > 0]
    return sorted(linked, key=lambda one: (-round(one.weight, 9), -one.at, one.id))


def _phrases(names: Sequence[str]) -> str:
    """Return an FTS5 query for any of the names, word by word; empty where there is no word."""
    spoken = [re.findall(r"[^\W_]+", name) for name in names]
    phrases = [quoted(*words) for words in spoken if words]
    return f"text : ({' OR '.join(phrases)})" if phrases else ""


def _said(names: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for the names as they are spelled; the index also knows only stems."""
    either = "|".join(re.escape(_bare(name)) for name in names)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _bare(text: str) -> str:
    """Return a text without accents."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if unicodedata.category(letter)[0] != "M")


def _numbers(listed: str) -> list[int]:
    return [int(number) for number in listed.strip("[]").split(",") if number]
