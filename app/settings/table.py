"""Read the settings table: iterate rows, get, and set one value immutably."""

import dataclasses
import re
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from functools import cache
from math import isfinite
from typing import Any, NamedTuple, get_type_hints
from urllib.parse import urlsplit

from app.domain.language.foreign import text_of
from app.domain.language.text import clipped
from app.errors import SettingsError
from app.settings import learning
from app.settings.spec import Settings
from app.settings.types import SAME, Level, SettingSpec

_SPACE = re.compile(r"\s")
_TIME = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")


class Entry(NamedTuple):
    """One row together with its key, type and default.

    Attributes:
        page: Title of the settings page it stands on.
        group: Title of the group within the page, or empty.
    """

    key: str
    type: type
    default: Any
    row: SettingSpec
    page: str
    group: str


@cache
def entries() -> tuple[Entry, ...]:
    """Return every declared setting, in declaration order."""
    return tuple(_walk(Settings, "", "", ""))


def _walk(kind: type, prefix: str, page: str, group: str) -> Iterator[Entry]:
    hints = get_type_hints(kind)
    for f in dataclasses.fields(kind):
        key = f"{prefix}.{f.name}" if prefix else f.name
        if "row" in f.metadata:
            row: SettingSpec = f.metadata["row"]
            yield Entry(key, hints[f.name], f.default, row, row.page or page, group)
        else:
            title = f.metadata["title"]
            deeper = (title, "") if not prefix else (page, title)
            yield from _walk(hints[f.name], key, *deeper)


@cache
def _by_key() -> dict[str, Entry]:
    return {entry.key: entry for entry in entries()}


def entry(key: str) -> Entry:
    """Return the row for ``key``."""
    try:
        return _by_key()[key]
    except KeyError:
        raise SettingsError(f"There is no setting called {key!r}.") from None


def pages() -> dict[str, str]:
    """Return the title and sentence of every page of the settings window, in order."""
    found: dict[str, str] = {}
    for f in dataclasses.fields(Settings):
        found.setdefault(f.metadata["title"], f.metadata["about"])
    return {title: about for title, about in found.items() if _visible(title)}


def _visible(page: str) -> bool:
    return any(e.page == page and e.row.level in (Level.BASIC, Level.ADVANCED) for e in entries())


def get(settings: Settings, key: str) -> Any:
    """Return one value by its dotted key."""
    entry(key)
    value: Any = settings
    for name in key.split("."):
        value = getattr(value, name)
    return value


def replace(settings: Settings, key: str, value: Any) -> Settings:
    """Return a copy of ``settings`` in which ``key`` has ``value``, converted and checked."""
    changed: Settings = _replaced(settings, key.split("."), checked(key, value))
    return changed


def checked(key: str, value: Any) -> Any:
    """Return ``value`` converted to the setting's type, or say why it cannot be.

    Raises:
        SettingsError: There is no such setting, or it cannot take that value.
    """
    declared = entry(key)
    converted = _converted(declared, value)
    if isinstance(converted, float) and not isfinite(converted):
        raise SettingsError(f"{declared.row.title} takes a number, not {_named(value)}.")
    low, high = declared.row.minimum, declared.row.maximum
    if (low is not None and converted < low) or (high is not None and converted > high):
        raise SettingsError(f"{declared.row.title} must be between {low:g} and {high:g}.")
    if declared.row.choices and converted not in declared.row.choices:
        raise SettingsError(f"{declared.row.title} is one of {', '.join(declared.row.choices)}.")
    if declared.row.address:
        return _address(declared, converted)
    if declared.row.chat_model:
        return _learner(declared.row.title, converted)
    if declared.row.time_of_day and not _TIME.fullmatch(converted):
        raise SettingsError(f"{declared.row.title} takes a time of day such as 02:00.")
    return converted


def checked_beside(settings: Settings, key: str, value: Any) -> Any:
    """Return ``value`` as ``checked`` does, or say why it does not go with other settings.

    Raises:
        SettingsError: There is no such setting, or it cannot take that value now.
    """
    converted = checked(key, value)
    declared = entry(key)
    most = get(settings, declared.row.at_most) if declared.row.at_most else None
    if most is not None and converted > most:
        title = entry(declared.row.at_most).row.title
        raise SettingsError(
            f"“{declared.row.title}” must not be above “{title}”, which is {most:g}."
        )
    for other in entries():
        if other.row.at_most == key and converted < (least := get(settings, other.key)):
            raise SettingsError(
                f"“{declared.row.title}” must not be below “{other.row.title}”, which is {least:g}."
            )
    return converted


def reference() -> Settings:
    """Return the "reference" preset: the values the reference pipeline was published with."""
    settings = Settings()
    for declared in entries():
        if declared.row.reference is not SAME:
            settings = replace(settings, declared.key, declared.row.reference)
    return settings


def _replaced(part: Any, path: list[str], value: Any) -> Any:
    name, *rest = path
    inner = _replaced(getattr(part, name), rest, value) if rest else value
    return dataclasses.replace(part, **{name: inner})


def _learner(title: str, value: str) -> str:
    try:
        return learning.chosen(value)
    except ValueError:
        raise SettingsError(learning.FORM.format(title)) from None


def _named(value: Any) -> str:
    """Return a value that was refused as a sentence can name it."""
    return clipped(repr(value)[:200], 60)


def _address(declared: Entry, value: str) -> str:
    """Return the address of a server without a slash at its end; nothing means the default."""
    value = value.strip().rstrip("/")
    with suppress(ValueError):
        parts = urlsplit(value)
        _ = parts.port
        plain = not (parts.username or parts.query or parts.fragment or _SPACE.search(value))
        if parts.scheme in ("http", "https") and parts.hostname and plain:
            return value
    if not value:
        return str(declared.default)
    raise SettingsError(f"{declared.row.title} takes an address such as {declared.default}.")


_WORDS = {"true": True, "yes": True, "on": True, "1": True}
_WORDS |= {"false": False, "no": False, "off": False, "0": False}


def _converted(declared: Entry, value: Any) -> Any:
    title, kind = declared.row.title, declared.type
    if kind is bool:
        if isinstance(value, bool):
            return value
        try:
            return _WORDS[str(value).strip().lower()]
        except KeyError:
            raise SettingsError(f"{title} is either on or off.") from None
    try:
        if isinstance(value, bool) and kind in (int, float):
            raise TypeError("neither on nor off is a number")
        return kind(text_of(value)) if kind is str else kind(value)
    except (TypeError, ValueError, OverflowError):
        if issubclass(kind, StrEnum):
            raise SettingsError(f"{title} is one of {', '.join(kind)}.") from None
        noun = {int: "a whole number", float: "a number"}.get(kind, "text")
        raise SettingsError(f"{title} takes {noun}, not {_named(value)}.") from None
