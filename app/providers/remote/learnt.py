"""What is learnt of the models behind servers, and kept on this computer until it is old.

A server's address and the name of its model are kept as a hash: the file lies outside the vault.
What is in it is taken for a guess of somebody else's: each value is checked, and there is little.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from app.domain.language.foreign import number_of, whole_of
from app.errors import AppError
from app.providers.estimate import Ratio
from app.providers.remote.dialects import FORMATS, LIMITS, Dialect

log = logging.getLogger(__name__)

MOST = 200
DAYS = 30
SMALLEST, LARGEST = 16, 100_000_000
MOST_PARAMETERS = 100_000_000_000_000
_NOTABLE = 0.02
_DAY = 86_400
_LONGEST_NAME = 64

Load = Callable[[], Mapping[str, Any]]
Save = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one model behind one server.

    Attributes:
        window: How many tokens it reads at once; 0 where nobody knows.
        ratio: How many tokens it makes of a text.
        dialect: How its server is spoken to.
        since: The day on which it was begun to be learnt, counted from 1970.
        parameters: How many numbers it is made of; 0 where its server does not say.
    """

    window: int = 0
    ratio: Ratio = Ratio()
    dialect: Dialect = Dialect()
    since: int = 0
    parameters: int = 0


class ServerMemory:
    """What is known of each model; forgotten after a month, since servers are changed.

    Args:
        load: Returns what was saved before; what cannot be understood is left out.
        save: Keeps it for the next start.
        now: The seconds since 1970.
    """

    def __init__(
        self,
        load: Load = dict,
        save: Save = lambda rows: None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._load, self._save, self._now = load, save, now
        self._lock = Lock()
        self._known: dict[str, Known] | None = None

    def of(self, address: str, model: str) -> Known:
        """Return what is known of a model, or what is assumed of any."""
        with self._lock:
            found = self._all().get(_name(address, model))
        fresh = found is not None and 0 <= self._today() - found.since <= DAYS
        return found if found is not None and fresh else Known(since=self._today())

    def learn(
        self,
        address: str,
        model: str,
        *,
        window: int | None = None,
        ratio: Ratio | None = None,
        dialect: Dialect | None = None,
        parameters: int = 0,
    ) -> None:
        """Keep what was learnt; what is not given stays."""
        before = self.of(address, model)
        after = replace(
            before,
            window=window if window and SMALLEST <= window <= LARGEST else before.window,
            ratio=ratio or before.ratio,
            dialect=dialect or before.dialect,
            parameters=parameters if 0 < parameters <= MOST_PARAMETERS else before.parameters,
        )
        with self._lock:
            known = self._all()
            name = _name(address, model)
            known.pop(name, None)
            known[name] = after
            while len(known) > MOST:
                del known[next(iter(known))]
            if _differ(before, after):
                self._keep(name, after)

    def _all(self) -> dict[str, Known]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _read(self) -> dict[str, Known]:
        """Return what was saved, oldest first."""
        read = ((name[:_LONGEST_NAME], _known(row)) for name, row in self._load().items())
        known = [(name, one) for name, one in read if one is not None]
        return dict(sorted(known, key=lambda named: named[1].since)[-MOST:])

    def _keep(self, name: str, known: Known) -> None:
        """Save one more; what another process saved meanwhile stays."""
        saved = [(other, one) for other, one in self._read().items() if other != name]
        rows = [*saved, (name, known)][-MOST:]
        try:
            self._save({name: _row(one) for name, one in rows})
        except AppError as error:  # it is learnt again
            log.warning("what was learnt of a server was not saved (%s)", type(error).__name__)

    def _today(self) -> int:
        return int(self._now() // _DAY)


def _name(address: str, model: str) -> str:
    return hashlib.sha256(f"{address}#{model}".encode("utf-8", "replace")).hexdigest()[:24]


def _differ(before: Known, after: Known) -> bool:
    """Return whether it is worth a write to the disk."""
    moved = max(
        abs(after.ratio.plain / before.ratio.plain - 1),
        abs(after.ratio.other / before.ratio.other - 1),
    )
    return moved > _NOTABLE or replace(after, ratio=before.ratio) != before


def _row(known: Known) -> dict[str, Any]:
    dialect = known.dialect
    return {
        "window": known.window,
        "plain": round(known.ratio.plain, 4),
        "other": round(known.ratio.other, 4),
        "limit": dialect.limit,
        "temperature": dialect.temperature,
        "formats": dialect.formats,
        "usage": dialect.usage,
        "tools": dialect.tools,
        "since": known.since,
        "parameters": known.parameters,
    }


def _known(row: Any) -> Known | None:
    if not isinstance(row, dict):
        return None
    try:
        window = whole_of(row.get("window"), 0, LARGEST)
        ratio = Ratio.of(number_of(row.get("plain")), number_of(row.get("other")))
        formats = whole_of(row.get("formats"), 0, len(FORMATS) - 1)
        since = whole_of(row.get("since"))
        parameters = whole_of(row.get("parameters", 0), 0, MOST_PARAMETERS)
    except ValueError:
        return None
    limit, temperature, usage = (row.get(key) for key in ("limit", "temperature", "usage"))
    tools = row.get("tools", True)  # older files do not say
    if limit not in LIMITS or not isinstance(temperature, bool) or not isinstance(usage, bool):
        return None
    dialect = Dialect(limit, temperature, formats, usage, tools is not False)
    return Known(window, ratio, dialect, since, parameters)
