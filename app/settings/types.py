"""The vocabulary in which settings are declared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")
SAME: Any = object()


class Level(StrEnum):
    """Who a setting is meant for."""

    BASIC = "basic"
    ADVANCED = "advanced"
    HIDDEN = "hidden"


class Where(StrEnum):
    """Where a value is kept."""

    PROFILE = "profile"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingSpec:
    """Everything there is to know about one setting besides its type and default.

    Attributes:
        reference: Its value in the "reference" preset.
        choices: Allowed values, where they are few: what is stored, and what a person reads.
        page: A page of the settings window other than its section's own, or empty.
        chat_model: Whether a text setting says who learns (see ``app.settings.learning``).
        time_of_day: Whether a text setting is a time of day, such as ``02:00``.
        address: Whether a text setting is the address of a server, with nothing behind its path.
        at_most: Key of the setting whose value it must not exceed when it is set, or empty.
        chosen: Key of the setting that holds what is used while this one is 0, or empty.
    """

    title: str
    help: str
    minimum: float | None = None
    maximum: float | None = None
    step: float = 0.05
    unit: str = ""
    level: Level = Level.BASIC
    where: Where = Where.PROFILE
    reference: Any = SAME
    choices: Mapping[str, str] = field(default_factory=dict)
    multiline: bool = False
    page: str = ""
    chat_model: bool = False
    time_of_day: bool = False
    address: bool = False
    at_most: str = ""
    chosen: str = ""


def setting(default: T, title: str, about: str, **extra: Any) -> T:
    """Declare one row of the settings table.

    Typed as its default, so that a type checker sees a plain attribute of that type.
    """
    return field(default=default, metadata={"row": SettingSpec(title=title, help=about, **extra)})


def section(kind: type[T], title: str, about: str) -> T:
    """Declare a group of rows; at the top level it is a page of the settings window."""
    return field(default_factory=kind, metadata={"title": title, "about": about})
