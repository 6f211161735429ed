"""Notice what something else than Loci changed in a vault, and an old or other copy in its place.

The chain of the journal is followed from its first link, and every memory is compared with its
seal. What is found is kept until the person accepts it, so that nothing hides it meanwhile.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.domain.ids import from_ms, to_ms
from app.domain.language.text import ERASED
from app.domain.tampering import Finding, Sign, TamperingKind
from app.store.vault import chain, damage, facts, rows
from app.store.vault.chain import NONE, SEALED, Chain, parts
from app.store.vault.connection import Connection, Row
from app.store.vault.mark import MarkContent

_FOUND, _MOST = "tampering", 1_000
_SILENT: tuple[object, ...] = (None, [], "", False)
_WORDS = {
    "text": ("text", "key", "value", "category", "tags", "type"),
    "trust": ("trust",),
    "pin": ("pinned",),
    "status": ("status", "status_reason", "superseded_by"),
    "visibility": ("agent_pk", "visibility", "scope", "group_pks"),
    "dates": ("occurred_at", "valid_to", "expires_at", "created_at"),
}
_WORD = {field: word for word, fields in _WORDS.items() for field in fields}


def examine(connection: Connection, links: Chain) -> list[Finding]:
    """Return what does not fit, memories before entries, with what was found and not accepted.

    Raises:
        VaultCorrupt: The vault is damaged, so that this cannot be told.
    """
    walk = _Walk(connection, links)
    entries = list(walk.entries())
    return merged(recalled(connection), [*walk.memories(), *entries], _bent(connection))


def merged(*found: Iterable[Finding]) -> list[Finding]:
    """Return findings, each once: those of the same thing count as what was found first."""
    kept: dict[object, Finding] = {}
    for one in (one for some in found for one in some):
        known = kept.setdefault((one.sign, one.kind, one.memory_id), one)
        if fields := set(one.fields) - set(known.fields):
            fields |= set(known.fields)
            both = tuple(word for word in (*_WORDS, "origin", *facts.WORDS) if word in fields)
            kept[one.sign, one.kind, one.memory_id] = Finding(
                one.sign, one.kind, known.since, one.memory_id, both
            )
    return list(kept.values())[:_MOST]


def keep(connection: Connection, found: Sequence[Finding], now: int) -> None:
    """Keep what was found, or that nothing was; must run inside a transaction."""
    if found:
        said = [{n: getattr(one, n) for n in Finding.__slots__} for one in found]
        plain = [{**one, "since": one["since"] and to_ms(one["since"])} for one in said]
        _put(connection, _FOUND, rows.dumps(plain).encode())
    else:
        _put(connection, chain.EXAMINED, now)


def recalled(connection: Connection) -> list[Finding]:
    """Return what was found and is not accepted; where that cannot be read, that is found."""
    return [_finding(one) for one in facts.findings(facts.value_of(connection, _FOUND)) or ()]


def accept(connection: Connection, links: Chain, now: int) -> None:
    """Take everything as it is now; must run inside a transaction.

    What cannot be read of the vault's own values is nothing to be taken, and goes.
    """
    links.anew(connection, now)
    facts.drop_bent(connection)
    connection.execute("DELETE FROM meta WHERE key = ?", (_FOUND,))


def is_same(connection: Connection, kept: MarkContent | None) -> bool:
    """Say whether a vault fits the mark beside it."""
    here = chain.head(connection)
    return bool(here) and kept is not None and chain.knows(connection, kept.head)


def is_bent(connection: Connection) -> bool:
    """Say whether any of a vault's own values is none that Loci can have written."""
    return bool(facts.bent(connection))


def notice(connection: Connection, kept: MarkContent | None, *, lost: bool) -> None:
    """Keep in the vault that it does not fit its mark, or that values of its own are bent.

    Must run inside a transaction.

    Args:
        connection: The writing one.
        kept: The mark.
        lost: Whether it is behind the mark, which is told already.
    """
    found = list(_bent(connection))
    if not (is_same(connection, kept) or (lost and chain.head(connection))):
        sign = Sign.UNKNOWN if kept is None else Sign.OTHER
        if not chain.head(connection):
            sign = Sign.UNCHAINED
        found.append(Finding(sign, TamperingKind.VAULT, _examined(connection)))
    if found:
        keep(connection, merged(recalled(connection), found), 0)


def _bent(connection: Connection) -> Iterator[Finding]:
    """Yield that some of the vault's own values were changed, where they were."""
    if words := tuple(facts.bent(connection).values()):
        fields = tuple(word for word in facts.WORDS if word in words)
        yield Finding(Sign.EDITED, TamperingKind.VAULT, _examined(connection), fields=fields)


class _Walk:
    """One look at everything."""

    def __init__(self, connection: Connection, links: Chain) -> None:
        self._connection = connection
        self._links = links
        self._since = _examined(connection)
        self._newest: dict[str, tuple[bytes, int | None]] = {}
        self._missed: set[str] = set()

    def entries(self) -> Iterator[Finding]:
        """Follow the chain; note of each memory its newest entry, and whether it must be there."""
        last, here = NONE, chain.head(self._connection)
        if not here:
            yield Finding(Sign.UNCHAINED, TamperingKind.VAULT, self._since)
            return
        for row in self._connection.execute("SELECT * FROM journal ORDER BY pk"):
            about = row["memory_id"]
            link, rests = parts(row["link"]), self._newest.get(about, (NONE, 0))[0]
            expects = self._links.expects(row, rests)
            if link is None:
                yield self._found(Sign.FORGED, TamperingKind.ENTRY, about)
                continue
            if link.before != last:
                yield self._found(Sign.REMOVED, TamperingKind.ENTRY)
            if expects is None and self._rested_before(row):
                yield self._found(Sign.RETURNED, TamperingKind.MEMORY, about)
            elif expects is None:
                yield self._found(Sign.EDITED, TamperingKind.ENTRY, about)
            elif expects:
                self._missed.add(about)
            last = link.own
            self._newest[about] = (last, facts.moment(row["at"]))
        if last != here:
            yield self._found(Sign.REMOVED, TamperingKind.ENTRY)

    def _rested_before(self, entry: Row) -> bool:
        """Say whether it was written on an earlier state of its memory that had been put back."""
        earlier = [*chain.marks(self._connection, entry["memory_id"], entry["pk"]), NONE]
        return any(self._links.expects(entry, one) is not None for one in earlier)

    def memories(self) -> Iterator[Finding]:
        """Compare every memory with its seal; to be taken after ``entries``."""
        shared = _shared(self._connection)
        for row in self._connection.execute("SELECT * FROM memories ORDER BY pk"):
            self._missed.discard(row["id"])
            its = shared.get(row["pk"], []) if row["visibility"] == "group" else None
            entry = self._links.entry_of(row, its)
            if entry == self._newest.get(row["id"], (NONE, 0))[0]:
                continue
            if entry is not None:
                yield self._found(Sign.RETURNED, TamperingKind.MEMORY, row["id"])
            elif row["seal"] is None:
                yield self._found(Sign.FORGED, TamperingKind.MEMORY, row["id"])
            else:
                fields = _differing(self._connection, row, its)
                yield self._found(Sign.EDITED, TamperingKind.MEMORY, row["id"], fields)
        for memory_id in sorted(self._missed, key=str):
            yield self._found(Sign.REMOVED, TamperingKind.MEMORY, memory_id)

    def _found(
        self, sign: Sign, kind: TamperingKind, memory_id: object = "", fields: tuple[str, ...] = ()
    ) -> Finding:
        told = str(memory_id)
        at = self._newest.get(told, (NONE, None))[1] if kind is TamperingKind.MEMORY else None
        moments = [self._since, from_ms(at) if at else None]
        since = max((one for one in moments if one is not None), default=None)
        return Finding(sign, kind, since, told, fields)


def _differing(connection: Connection, row: Row, shared: Sequence[int] | None) -> tuple[str, ...]:
    """Return in words what of a memory is not as its history tells, as far as that can be told."""
    said: dict[str, Any] = {}
    changed: set[str] = set()
    found = connection.execute(
        "SELECT before, after FROM journal WHERE memory_id = ? AND length(link) > 0 ORDER BY pk",
        (row["id"],),
    ).fetchall()
    for number, (before, after) in enumerate(found):
        then = damage.said(before)
        if not number and not then:
            said = dict.fromkeys(SEALED)
        changed |= {name for name in then if name in said and not _same(said[name], then[name])}
        said |= damage.said(after)
    columns = damage.mended(row, bad) if (bad := damage.of(row)) else row
    now = {name: rows.plain_of_row(name, columns[name]) for name in SEALED if name != "scope"}
    now |= {"group_pks": list(shared or ()), "scope": None}
    changed |= set(bad) & now.keys()
    changed |= {name for name in said if name in now and not _same(said[name], now[name])}
    words = {_WORD.get(name, "origin") for name in changed - {"revision"}}
    return tuple(word for word in (*_WORDS, "origin") if word in words)


def _same(said: object, now: object) -> bool:
    silent = said in _SILENT and now in _SILENT
    return said == now or silent or ERASED in str(said) or ERASED in str(now)


def _shared(connection: Connection) -> Mapping[int, Sequence[int]]:
    found: dict[int, list[int]] = {}
    for pk, group_pk in connection.execute("SELECT * FROM memory_groups ORDER BY 1, 2"):
        found.setdefault(pk, []).append(group_pk)
    return found


def _examined(connection: Connection) -> datetime | None:
    """Return when all was seen to be as Loci left it; None where nobody knows."""
    at = facts.moment(facts.value_of(connection, chain.EXAMINED))
    return from_ms(at) if at else None


def _finding(said: Mapping[str, Any]) -> Finding:
    return Finding(
        Sign(said["sign"]),
        TamperingKind(said["kind"]),
        None if said["since"] is None else from_ms(said["since"]),
        said["memory_id"],
        tuple(said["fields"]),
    )


def _put(connection: Connection, key: str, value: object) -> None:
    connection.execute(chain.KEEP, (key, value))
