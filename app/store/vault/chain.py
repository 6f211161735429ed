"""A chain of keyed hashes over the journal, and a keyed seal on every memory.

Each entry of the journal carries a link: the mark of the entry before it, a random mark of its own,
and a hash of both, of all that the entry says, and of the mark that its memory's seal had. Each
memory carries a seal: the mark of its newest entry, and a hash of that and of all that is protected
of the row. So an entry or a memory
that another program edited, wrote, removed or put back no longer fits. The mark of the newest link,
the chain's head, is kept in the vault, and beside it with the count of commits (``mark``).

Marks are random and say nothing of the content, so an erasure takes a link out and ties its
neighbours together; no hash of what is erased stays. A row that does not fit is never made to fit
by a later change of Loci, only by ``anew``, when the person accepts it. A vault of before there was
a chain is sealed once, by ``sealing``.

The key of the chain is derived from that of the vault: whoever has it and knows this file can make
links and seals. What is counted or derived (uses, contradictions, vectors) is not protected.
"""

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, NamedTuple

from app.store.dialect import INSERT_NEW, listed, stored_as
from app.store.vault import groups, rows
from app.store.vault.connection import Connection, Row

HEAD, EXAMINED, SEALING, MARK = "head", "examined", "sealing", 8
NONE, GONE = bytes(MARK), b"\xff" * MARK  # there is no link yet; there is no chain any more
ENTRY = ("id", "batch", "at", "actor", "op", "memory_id", "before", "after", "reason", "undoes")
SEALED = (
    *("id", "agent_pk", "type", "trust", "origin", "actor", "source_id", "status", "status_reason"),
    *("text", "key", "value", "category", "visibility", "scope", "tags", "pinned", "occurred_at"),
    *("valid_to", "expires_at", "superseded_by", "proof_count", "source_ids", "confidence"),
    *("revision", "created_at"),
)
_HASH, _LINK, _SEAL, _PAGE = 16, 32, 24, 1_000
_NOTED = b"loci sealing"
_OF_ENTRY = itemgetter(*ENTRY)
_encode = json.JSONEncoder(default=repr).encode
_HEAD = (  # every change asks for it, so in the cheapest way
    f"SELECT value FROM meta WHERE key = '{HEAD}' AND {stored_as('value', 'blob')}"
    f" AND length(value) = {MARK}"
)
KEEP = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = ?2"
_BEFORE = (
    f"SELECT link FROM journal WHERE memory_id = ? AND pk < ? AND length(link) = {_LINK}"
    " ORDER BY pk DESC LIMIT ?"
)
_THESE = "(SELECT memory_id FROM journal WHERE pk BETWEEN ?1 AND ?2)"
_THERE = f"SELECT id FROM memories WHERE id IN {_THESE}"
_LATEST = (
    "SELECT memory_id, link FROM journal WHERE pk IN (SELECT max(pk) FROM journal WHERE memory_id"
    f" IN {_THESE} AND pk < ?1 AND length(link) = {_LINK} GROUP BY memory_id)"
)
_ANY = 2**63 - 1

Shared = Sequence[int] | None


class Link(NamedTuple):
    """What an entry carries.

    Attributes:
        before: The mark of the entry before it.
        own: Its own mark.
        hash: Of both and of what it says.
    """

    before: bytes
    own: bytes
    hash: bytes


class Chain:
    """The chain of one open vault; used by whoever has the turn to write.

    Args:
        key: The vault's key.

    Attributes:
        head: The mark of the newest link, kept in the vault at the commit; None until a transaction
            has to know it.
    """

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.blake2b(key=key, person=b"loci chain").digest()
        self._hash = hashlib.blake2b(key=self._key, digest_size=_HASH)
        self._places: Callable[[Any], tuple[Any, ...]] | None = None
        self.head: bytes | None = None

    # While Loci writes.

    def append(
        self, connection: Connection, said: tuple[Any, ...], rests: bytes, *, expects: bool = True
    ) -> bytes:
        """Return the link of a new entry, which is the chain's head from then on.

        Args:
            connection: The writing one.
            said: The values of ``ENTRY``.
            rests: The mark of its memory's entry before it, as the seal told.
            expects: Whether its memory is there, or about to be.
        """
        marks = self._known(connection) + os.urandom(MARK)
        link = self._linked(marks, said, rests, expects=expects)
        self.head = own(link)
        return link

    def seal(self, values: Sequence[Any], shared: Shared, entry: bytes) -> bytes:
        """Return the seal of a memory.

        Args:
            values: Those of ``SEALED``.
            shared: The groups that may see it, in order, where it is theirs.
            entry: The mark of its newest entry.
        """
        return entry + self._hashed(entry, shared, values)

    def sealed(self, row: Row) -> tuple[Any, ...]:
        """Return the values of ``SEALED`` of a whole row; by name that takes ten times as long."""
        if self._places is None:
            names = row.keys()
            self._places = itemgetter(*(names.index(name) for name in SEALED))
        return self._places(tuple(row))

    def fits(self, connection: Connection, row: Row) -> bool:
        """Say whether a memory is as Loci left it, and no earlier state of it."""
        entry = self.entry_of(row, groups.shared(connection, row))
        return entry is not None and entry == newest(connection, row["id"])

    @contextmanager
    def rewriting(
        self,
        connection: Connection,
        *,
        memories: Collection[int] = (),
        entries: Collection[int] = (),
    ) -> Iterator[None]:
        """Let rows be changed in the block without an entry of their own.

        Args:
            connection: The writing one.
            memories: Their numbers.
            entries: Those of entries of the journal.
        """
        found = _picked(connection, "SELECT * FROM memories", memories)
        fit = [row["pk"] for row in found if self.fits(connection, row)]
        flags = {
            row["pk"]: expects
            for row in _picked(connection, "SELECT * FROM journal", entries)
            if (expects := self.expects(row, _rests(connection, row))) is not None
        }
        yield
        self.reseal(connection, fit)
        for row in _picked(connection, "SELECT * FROM journal", flags):
            marks, rests = row["link"][: 2 * MARK], _rests(connection, row)
            link = self._linked(marks, _OF_ENTRY(row), rests, expects=flags[row["pk"]])
            connection.execute("UPDATE journal SET link = ? WHERE pk = ?", (link, row["pk"]))

    def reseal(self, connection: Connection, memory_pks: Collection[int]) -> None:
        """Seal memories as they are."""
        for row in _picked(connection, "SELECT * FROM memories", memory_pks):
            shared, entry = groups.shared(connection, row), newest(connection, row["id"])
            seal = self.seal(self.sealed(row), shared, entry)
            connection.execute("UPDATE memories SET seal = ? WHERE pk = ?", (seal, row["pk"]))

    def cut(self, connection: Connection, memory_id: str) -> None:
        """Take a memory's entries out of the journal, and tie the chain together around them."""
        for pk, link in connection.execute(
            "SELECT pk, link FROM journal WHERE memory_id = ? ORDER BY pk DESC", (memory_id,)
        ).fetchall():
            connection.execute("DELETE FROM journal WHERE pk = ?", (pk,))
            if gone := parts(link):
                connection.execute(f"{INSERT_NEW} INTO unlinked VALUES (?)", (gone.own,))
                self._tie(connection, pk, gone)

    def anew(self, connection: Connection, now: int) -> None:
        """Make the chain and all seals anew over the rows there are."""
        last, used = NONE, set[bytes]()
        for found in _pages(connection, "journal"):
            last = self.link(connection, found, last, used)
        for found in _pages(connection, "memories"):
            self.reseal(connection, [row["pk"] for row in found])
        self.conclude(connection, last, now)

    def link(
        self, connection: Connection, entries: Sequence[Row], last: bytes, used: set[bytes]
    ) -> bytes:
        """Link entries anew, and return the mark of the last of them.

        Args:
            connection: The writing one.
            entries: Whole rows of the journal in order; those before them are linked.
            last: The mark of the entry before them.
            used: Marks of their chain, of which none is given twice; those of these are added.
        """
        reach = (entries[0]["pk"], entries[-1]["pk"]) if entries else (0, -1)
        there = {row[0] for row in connection.execute(_THERE, reach).fetchall()}
        found = connection.execute(_LATEST, reach).fetchall()
        rests = {about: own(link) for about, link in found}
        for row in entries:
            old, about = parts(row["link"]), row["memory_id"]
            mark = old.own if old and old.own not in used else os.urandom(MARK)
            before, expects = rests.get(about, NONE), about in there
            link = self._linked(last + mark, _OF_ENTRY(row), before, expects=expects)
            connection.execute("UPDATE journal SET link = ? WHERE pk = ?", (link, row["pk"]))
            last = rests[about] = mark
            used.add(mark)
        return last

    def conclude(self, connection: Connection, last: bytes, now: int) -> None:
        """Keep the mark of the newest link as the head of a chain that was made anew."""
        self.head = last
        connection.executemany(KEEP, [(HEAD, last), (EXAMINED, now)])
        connection.execute("DELETE FROM meta WHERE key = ?", (SEALING,))

    def signed(self, said: bytes) -> bytes:
        """Return a keyed hash of what is kept in the vault about its sealing."""
        return hashlib.blake2b(said, key=self._key, digest_size=_HASH, person=_NOTED).digest()

    # While it is examined.

    def entry_of(self, row: Row, shared: Shared) -> bytes | None:
        """Return the mark of the entry that a memory's seal rests on; None where it is broken."""
        seal = row["seal"]
        if not isinstance(seal, bytes) or len(seal) != _SEAL:
            return None
        entry = seal[:MARK]
        return entry if seal == self.seal(self.sealed(row), shared, entry) else None

    def expects(self, entry: Row, rests: bytes) -> bool | None:
        """Say whether an entry expects its memory to be there; None where it does not fit.

        Args:
            entry: A whole row of the journal.
            rests: The mark of its memory's entry before it.
        """
        link = parts(entry["link"])
        if link is None:
            return None
        said = _OF_ENTRY(entry)
        for flag in (True, False):
            if entry["link"] == self._linked(link.before + link.own, said, rests, expects=flag):
                return flag
        return None

    def _tie(self, connection: Connection, pk: int, gone: Link) -> None:
        """Let what followed an entry follow the one before it; what did not fit, does not now."""
        row = connection.execute(
            f"SELECT * FROM journal WHERE pk > ? AND length(link) = {_LINK} ORDER BY pk LIMIT 1",
            (pk,),
        ).fetchone()
        if row is None:
            if self._known(connection) == gone.own:
                self.head = gone.before
            return
        link, rests = _split(row["link"]), _rests(connection, row)
        if link.before != gone.own:
            return
        tied, expects = gone.before + link.own + link.hash, self.expects(row, rests)
        if expects is not None:
            tied = self._linked(gone.before + link.own, _OF_ENTRY(row), rests, expects=expects)
        connection.execute("UPDATE journal SET link = ? WHERE pk = ?", (tied, row["pk"]))

    def _linked(self, marks: bytes, said: Any, rests: bytes, *, expects: bool) -> bytes:
        return marks + self._hashed(marks + rests, expects, said)

    def _hashed(self, marks: bytes, about: object, values: Any) -> bytes:
        hashed = self._hash.copy()
        hashed.update(marks)
        hashed.update(_encode([about, *values]).encode())
        return hashed.digest()

    def _known(self, connection: Connection) -> bytes:
        if self.head is None:
            self.head = head(connection) or NONE
        return self.head


def parts(link: object) -> Link | None:
    """Return the parts of a link; None of what is none."""
    if not isinstance(link, bytes) or len(link) != _LINK:
        return None
    return _split(link)


def _split(link: bytes) -> Link:
    return Link(link[:MARK], own(link), link[2 * MARK :])


def own(link: bytes) -> bytes:
    """Return the own mark of a link."""
    return link[MARK : 2 * MARK]


def head(connection: Connection) -> bytes:
    """Return the mark of the newest link; empty where there is no chain."""
    found = connection.execute(_HEAD).fetchone()
    return found[0] if found is not None else b""


def newest(connection: Connection, memory_id: str) -> bytes:
    """Return the mark of a memory's newest entry."""
    return next(iter(marks(connection, memory_id, _ANY, 1)), NONE)


def marks(connection: Connection, memory_id: str, pk: int, most: int = -1) -> list[bytes]:
    """Return the marks of a memory's entries before the one with this number, newest first."""
    return [own(row[0]) for row in connection.execute(_BEFORE, (memory_id, pk, most)).fetchall()]


def knows(connection: Connection, mark: bytes) -> bool:
    """Say whether a mark is one of the chain's, or was until an erasure."""
    if mark in (NONE, head(connection)):
        return True
    gone = connection.execute("SELECT 1 FROM unlinked WHERE own = ?", (mark,)).fetchone()
    sql = f"SELECT 1 FROM journal WHERE substr(link, {MARK + 1}, {MARK}) = ?"
    return gone is not None or connection.execute(sql, (mark,)).fetchone() is not None


def _rests(connection: Connection, entry: Row) -> bytes:
    """Return the mark on which an entry of the journal has to rest."""
    return next(iter(marks(connection, entry["memory_id"], entry["pk"], 1)), NONE)


def _picked(connection: Connection, query: str, pks: Collection[int]) -> list[Row]:
    if not pks:
        return []
    asked = (rows.dumps(sorted(pks)),)
    found = connection.execute(f"{query} WHERE pk IN {listed()}", asked)
    return list(found.fetchall())


def page(connection: Connection, table: str, done: int, size: int) -> list[Row]:
    """Return so many whole rows, in order, that come after the one with this number."""
    sql = f"SELECT * FROM {table} WHERE pk > ? ORDER BY pk LIMIT ?"
    return list(connection.execute(sql, (done, size)).fetchall())


def _pages(connection: Connection, table: str) -> Iterator[list[Row]]:
    done = -(2**63)
    while found := page(connection, table, done, _PAGE):
        yield found
        done = found[-1]["pk"]
