"""Settings as the person changes them: some belong to the profile, some to this computer."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import Any

from app.domain.changes import Changes
from app.errors import SettingsError
from app.settings import computer
from app.settings.spec import Settings
from app.settings.table import checked_beside, entries, entry, get, reference, replace
from app.settings.types import SAME, Where
from app.store.preferences import Preferences


class PreferencesService:
    """Reads and changes settings.

    Args:
        rows: The profile's own settings, in its vault.
        file: The file with the settings of this computer.
        missing: Returns in a sentence why there is no such chat model; empty where there is.
    """

    def __init__(
        self, rows: Preferences, file: Path, missing: Callable[[str], str] = lambda choice: ""
    ) -> None:
        self._missing = missing
        self._rows = rows
        self._file = file
        self._turn = RLock()
        self._known: Settings | None = None

    def values(self) -> Settings:
        """Return every setting; what cannot be understood any more has its default."""
        with self._turn:
            if self._known is None:
                self._known = self._read()
            return self._known

    def refresh(self) -> None:
        """Read again at the next ask, because another process may have changed something."""
        with self._turn:
            self._known = None

    def set(self, key: str, value: Any) -> Changes:
        """Give a setting a new value.

        Raises:
            SettingsError: There is no such setting, or it cannot take that value.
        """
        with self._turn:
            value = checked_beside(self.values(), key, value)
            if entry(key).row.chat_model and (why := self._missing(value)):
                raise SettingsError(why)
            if entry(key).row.where is Where.COMPUTER:
                computer.save(self._file, computer.load(self._file) | {key: value})
            else:
                self._rows.set(key, value)
            self._known = None
        return Changes(settings=frozenset({key}))

    def reset(self, key: str) -> Changes:
        """Give a setting its default, also where a later version has another.

        Raises:
            SettingsError: There is no such setting, or its default does not go with another.
        """
        with self._turn:
            checked_beside(self.values(), key, entry(key).default)
            if entry(key).row.where is Where.COMPUTER:
                known = computer.load(self._file)
                computer.save(self._file, {k: v for k, v in known.items() if k != key})
            else:
                self._rows.remove(key)
            self._known = None
        return Changes(settings=frozenset({key}))

    def use_reference(self) -> Changes:
        """Give every setting that differs in the "reference" preset its value there."""
        preset, changes = reference(), Changes()
        for declared in entries():
            if declared.row.reference is not SAME:
                changes |= self.set(declared.key, get(preset, declared.key))
        return changes

    def use_defaults(self) -> Changes:
        """Undo ``use_reference``."""
        changes = Changes()
        for declared in entries():
            if declared.row.reference is not SAME:
                changes |= self.reset(declared.key)
        return changes

    def _read(self) -> Settings:
        settings = Settings()
        for key, value in (computer.load(self._file) | self._rows.all()).items():
            try:
                settings = replace(settings, key, value)
            except SettingsError:
                continue
        return settings


def shown(value: Any) -> str:
    """Return a setting's value as the command line prints it."""
    return value if isinstance(value, str) else json.dumps(value)
