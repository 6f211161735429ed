"""Which settings the screen shows: by page, by level, and by what was searched for."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from app.assets import resource
from app.settings.spec import Settings
from app.settings.table import Entry, entries, get, pages
from app.settings.types import Level

RECALL = "Recall"
YOUR_DATA = "Your data"
SHORTCUTS = "Shortcuts"
ABOUT = "About"
SENTENCES = {
    SHORTCUTS: "Everything can be done without a mouse.",
    YOUR_DATA: "Everything stays on this computer. Nothing is sent anywhere unless you connect "
    "a server.",
    ABOUT: "What Loci is, and how it is doing.",
}


@dataclass(frozen=True, slots=True)
class Learners:
    """Who could learn.

    Attributes:
        choices: What is stored, with what a person reads.
        note: Who learns now, or why no model does.
    """

    choices: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def page_titles() -> dict[str, str]:
    """Return the title and sentence of every page, in order."""
    return pages() | SENTENCES


def shown(page: str, *, advanced: bool) -> list[Entry]:
    """Return the settings of a page."""
    levels = (Level.BASIC, Level.ADVANCED) if advanced else (Level.BASIC,)
    return [e for e in entries() if e.page == page and e.row.level in levels]


def has_advanced(page: str) -> bool:
    """Return whether a page has settings that are hidden at first."""
    return any(e.page == page and e.row.level is Level.ADVANCED for e in entries())


def found(text: str) -> dict[str, list[Entry]]:
    """Return the settings that have every word of ``text``, by page.

    A word may stand in the title, the help or the key, or be another word for the setting.
    """
    wanted, words = text.casefold().split(), synonyms()["settings"]
    results: dict[str, list[Entry]] = {}
    for page in pages():
        for entry in shown(page, advanced=True):
            also = words.get(entry.key, "")
            hay = f"{entry.row.title} {entry.row.help} {entry.key} {page} {also}"
            if has_all(wanted, hay):
                results.setdefault(page, []).append(entry)
    return results


def has_all(wanted: Sequence[str], hay: str) -> bool:
    """Return whether a text has every one of some words, of which there is at least one."""
    folded = hay.casefold()
    return bool(wanted) and all(word in folded for word in wanted)


@cache
def synonyms() -> dict[str, dict[str, str]]:
    """Return other words for the settings and places, by key and id; reads a file."""
    return tomllib.loads(resource("settings/search.toml").read_text(encoding="utf-8"))


def changed(settings: Settings, entry: Entry) -> bool:
    """Return whether a setting differs from its default."""
    return bool(get(settings, entry.key) != entry.default)
