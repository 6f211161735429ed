"""The first sealing of a vault whose older version had no chain, page by page.

Every page is a transaction of its own that ends with a keyed note of how far it has come, so what
is sealed stays sealed, whenever the program ends, and the next opening goes on there. Several
programs may take turns. Nobody uses the vault before all of it is sealed.

The migration that brings the columns writes the first note. So one without a note and without a
chain lost them, and is told. Only what carries no link and no seal yet gets one: a row that was
changed behind the note, or an earlier note that was put back, hides nothing that was sealed.
"""

import hmac
import struct

from app.domain.jobs.progress import Progress
from app.store.vault import chain, facts
from app.store.vault.chain import NONE, Chain
from app.store.vault.connection import Connection
from app.store.vault.mark import MarkContent

LABEL = "Sealing memories and their history, which is done once"
PAGE = 2_000  # rows; each page waits for the disk once
_KEY, _FORM, _START = chain.SEALING, struct.Struct(f">Bq{chain.MARK}s"), -(2**63)
_TABLES = (("journal", "link"), ("memories", "seal"))


def begin(connection: Connection, links: Chain) -> None:
    """Note that nothing is sealed yet; must run inside the transaction that makes the columns."""
    _note(connection, links, 0, _START, NONE)


def is_under_way(connection: Connection, links: Chain, kept: MarkContent | None) -> bool:
    """Say whether a vault is not sealed to its end: neither it nor its mark names a chain."""
    if chain.head(connection) or (kept is not None and kept.head != NONE):
        return False
    return _noted(connection, links) is not None


def advance(connection: Connection, links: Chain, now: int) -> Progress:
    """Seal one page of a vault where that is under way; must run inside a transaction.

    Returns:
        How far it has come; after the last page the chain has its head.
    """
    noted = _noted(connection, links)
    if noted is None:
        raise ValueError("nothing is being sealed")
    stage, done, last = noted
    table, column = _TABLES[stage]
    found = chain.page(connection, table, done, PAGE)
    bare = [row for row in found if row[column] is None]
    if stage:
        links.reseal(connection, [row["pk"] for row in bare])
    else:
        last = links.link(connection, bare, last, set())
    progress = _progress(connection, stage, found[-1]["pk"] if found else None)
    if len(found) == PAGE:
        _note(connection, links, stage, found[-1]["pk"], last)
    elif stage + 1 < len(_TABLES):
        _note(connection, links, stage + 1, _START, last)
    else:
        links.conclude(connection, last, now)
    return progress


def _progress(connection: Connection, stage: int, pk: int | None) -> Progress:
    """Tell by the numbers of rows how far it is: counting them would take as long as a page."""
    sql = "SELECT coalesce(max(pk), 0) FROM {}"
    ends = [connection.execute(sql.format(name)).fetchone()[0] for name, _ in _TABLES]
    return Progress(LABEL, sum(ends[:stage]) + (ends[stage] if pk is None else pk), sum(ends))


def _note(connection: Connection, links: Chain, stage: int, pk: int, last: bytes) -> None:
    said = _FORM.pack(stage, pk, last)
    connection.execute(chain.KEEP, (_KEY, said + links.signed(said)))


def _noted(connection: Connection, links: Chain) -> tuple[int, int, bytes] | None:
    """Return the table that is at its turn, its last row that is done, and the newest mark."""
    noted = facts.data(facts.value_of(connection, _KEY))
    if noted is None:
        return None
    said, signature = noted[: _FORM.size], noted[_FORM.size :]
    if not hmac.compare_digest(signature, links.signed(said)):
        return None
    stage, pk, last = _FORM.unpack(said)
    return stage, pk, last
