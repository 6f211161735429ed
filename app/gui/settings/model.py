"""Which settings the screen shows: by page, by level, and by what was searched for."""

from app.settings.spec import Settings
from app.settings.table import Entry, entries, get, pages
from app.settings.types import Level

YOUR_DATA = "Your data"
SHORTCUTS = "Shortcuts"
ABOUT = "About"
SENTENCES = {
    SHORTCUTS: "Everything can be done without a mouse.",
    YOUR_DATA: "Everything stays on this computer. Nothing is sent anywhere unless you connect "
    "a server.",
    ABOUT: "What this is, and how it is doing.",
}


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
    """Return the settings whose title, help or key has every word of ``text``, by page."""
    wanted = text.casefold().split()
    results: dict[str, list[Entry]] = {}
    for page in pages():
        for entry in shown(page, advanced=True):
            hay = f"{entry.row.title} {entry.row.help} {entry.key} {page}".casefold()
            if wanted and all(word in hay for word in wanted):
                results.setdefault(page, []).append(entry)
    return results


def changed(settings: Settings, entry: Entry) -> bool:
    """Return whether a setting differs from its default."""
    return bool(get(settings, entry.key) != entry.default)
