"""Write the settings reference, ``resources/docs/settings.md``, from the settings table."""

from app.settings.table import entries, pages, reference
from app.settings.table import get as value_of
from app.settings.types import SAME, Level, Where


def render() -> str:
    """Return the settings reference as Markdown."""
    lines = ["# Settings", "", "<!-- Written by `make docs` from app/settings/spec.py. -->"]
    preset = reference()
    for title, about in pages().items():
        lines += ["", f"## {title}", "", about]
        for declared in entries():
            row = declared.row
            if declared.page != title or row.level is Level.HIDDEN:
                continue
            lines += ["", f"### `{declared.key}`", "", f"**{row.title}.** {row.help}", ""]
            unit = f" {row.unit}" if row.unit else ""
            lines.append(f"- Default: `{_shown(declared.default)}`{unit}")
            if row.minimum is not None and row.maximum is not None:
                lines.append(f"- Range: {row.minimum:g} to {row.maximum:g}")
            if row.reference is not SAME:
                lines.append(f"- Reference preset: `{_shown(value_of(preset, declared.key))}`")
            if row.where is Where.COMPUTER:
                lines.append("- Kept for this computer, not per profile")
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    return (
        {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )
