"""Find rows by pieces of their text, for scripts written without spaces.

The full-text index has a whole sentence of such a script as one word. So the latest ``READ`` rows
that may be recalled are read from the table, which takes the same time however large the vault is.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log

from app.domain.memory import Scope, Trust
from app.store.index import recallable
from app.store.vault.file import Vault

READ = 20_000

_LATEST_MEMORIES = (
    "SELECT * FROM (SELECT pk FROM memories WHERE scope = ? AND status = 'active' AND trust = ?"
    " ORDER BY pk DESC LIMIT ?)"
)
_LATEST_MESSAGES = (
    "SELECT pk FROM messages WHERE agent_pk = ? ORDER BY created_at DESC, pk DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Sightings:
    """Where pieces of text stand.

    Attributes:
        found: Rows that hold any, those with the most and rarest ones first.
        counts: In how many of the rows that were read each piece stands.
    """

    found: list[int]
    counts: dict[str, int]


class TrigramIndex:
    """The texts of a vault, read as rows of letters."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def memories(
        self,
        pieces: Sequence[str],
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        limit: int,
    ) -> Sightings:
        """Return the memories that hold any of some pieces, written in small letters."""
        return self._sightings(latest_memories(scope, trusts, now), pieces, limit)

    def messages(
        self, pieces: Sequence[str], scope: Scope, limit: int, exclude: Collection[str] = ()
    ) -> Sightings:
        """Return the messages that hold any of some pieces, written in small letters."""
        return self._sightings(latest_messages(scope, exclude), pieces, limit)

    def _sightings(
        self, rows_of: recallable.Clause, pieces: Sequence[str], limit: int
    ) -> Sightings:
        statement, values = rows_of
        with self._vault.search() as connection:
            held = dict(_holding(connection.execute(statement, values), pieces))
        counts = Counter(piece for some in held.values() for piece in some)
        rows = len(held)
        worth = {piece: log(1 + (rows - n + 0.5) / (n + 0.5)) for piece, n in counts.items()}
        score = {pk: sum(worth[piece] for piece in some) for pk, some in held.items()}
        best = sorted(score, key=lambda pk: (-score[pk], -pk))
        return Sightings(best[:limit], {piece: counts[piece] for piece in pieces})


def latest_memories(scope: Scope, trusts: Collection[Trust], now: datetime) -> recallable.Clause:
    """Return SQL for the latest memories that may be recalled, and its parameters."""
    condition, values = recallable.memories(scope, trusts, now)
    stretches = [(one, trust) for one in recallable.scopes(scope) for trust in sorted(trusts)]
    latest = " UNION ALL ".join([_LATEST_MEMORIES] * len(stretches))
    bounds = [value for one, trust in stretches for value in (one, trust, READ)]
    return (
        f"WITH latest AS ({latest} ORDER BY pk DESC LIMIT ?) SELECT m.pk, m.text FROM latest"
        f" CROSS JOIN memories AS m ON m.pk = latest.pk WHERE {condition}",
        [*bounds, READ, *values],
    )


def latest_messages(scope: Scope, exclude: Collection[str] = ()) -> recallable.Clause:
    """Return SQL for the latest messages that may be recalled, and its parameters."""
    condition, values = recallable.messages(scope, exclude)
    return (
        f"WITH latest AS ({_LATEST_MESSAGES}) SELECT x.pk, x.text FROM latest"
        " CROSS JOIN messages AS x ON x.pk = latest.pk"
        f" CROSS JOIN conversations AS c ON c.pk = x.conversation_pk WHERE {condition}",
        [scope.agent_pk, READ, *values],
    )


def _holding(
    rows: Iterable[Sequence[object]], pieces: Sequence[str]
) -> Iterable[tuple[int, list[str]]]:
    """Yield rows with the pieces that they hold; what is all ASCII the full-text index finds."""
    holds = re.compile("|".join(map(re.escape, pieces))).search
    cased = any(piece.upper() != piece for piece in pieces)
    for pk, text in rows:
        assert isinstance(pk, int)
        assert isinstance(text, str)
        if text.isascii():
            continue
        small = text.lower() if cased else text
        if holds(small):
            yield pk, [piece for piece in pieces if piece in small]
