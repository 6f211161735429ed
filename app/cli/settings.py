"""``loci settings``: read and change settings."""

import json
from typing import TYPE_CHECKING, Any

import click

from app.cli.output import say
from app.cli.program import CommandContext, Ordered, asking, common, confirm
from app.cli.text import WORDS
from app.serialisers import settings as plain
from app.settings import docs as settings_docs
from app.settings.table import entries, entry, get
from app.settings.types import Level
from app.settings.upkeep import REFERENCE_DELETES

if TYPE_CHECKING:
    from app.services.services import Services

NEGATIVE_NUMBERS = {"ignore_unknown_options": True}


@click.group(cls=Ordered)
@common
def settings() -> None:
    """Read and change settings."""


@settings.command("list")
@asking
def list_settings(asked: CommandContext) -> None:
    """List settings with their values."""
    with asked.open() as services:
        values = services.preferences.values()
    visible = [e for e in entries() if e.row.level in (Level.BASIC, Level.ADVANCED)]
    asked.show(
        plain.settings({e.key: get(values, e.key) for e in entries()}),
        [f"{e.key} = {_shown(get(values, e.key))}" for e in visible],
    )


@settings.command("get")
@click.argument("key", type=WORDS)
@asking
def get_setting(asked: CommandContext, key: str) -> None:
    """Print the value of KEY."""
    with asked.open() as services:
        value = get(services.preferences.values(), key)
    asked.show(plain.setting(key, value), [_shown(value)])


@settings.command("set", context_settings=NEGATIVE_NUMBERS)
@click.argument("key", type=WORDS)
@click.argument("value", type=WORDS)
@asking
def set_setting(asked: CommandContext, key: str, value: str) -> None:
    """Give KEY a new VALUE."""
    with asked.open() as services:
        services.preferences.set(key, value)
        stored = get(services.preferences.values(), key)
        warnings = _warnings(services, stored) if entry(key).row.chat_model else []
    asked.show(plain.setting_changed(key, stored, warnings), [f"{key} = {_shown(stored)}"])
    for warning in () if asked.as_json else warnings:
        say(warning, err=True)


def _warnings(services: "Services", choice: str) -> list[str]:
    """Return what the person should know of a model that was chosen to learn."""
    return [w for w in (services.learners.warning(), services.library.unseen(choice)) if w]


@settings.command()
@click.argument("name", type=click.Choice(["reference", "default"]))
@click.option("--yes", is_flag=True, help="Do not ask.")
@asking
def preset(asked: CommandContext, name: str, yes: bool) -> None:
    """Use the reference preset, or go back to the defaults.

    The reference preset gives settings the values that the reference was published with. It
    deletes: where there are too many memories, the oldest are summed up and then gone for good.
    """
    with asked.open() as services:
        if name == "reference" and not yes:
            confirm(f"{REFERENCE_DELETES} Use it?")
        preferences = services.preferences
        use = preferences.use_reference if name == "reference" else preferences.use_defaults
        changed = use().settings
        values = services.preferences.values()
    asked.show(
        plain.settings({key: get(values, key) for key in sorted(changed)}),
        [f"{key} = {_shown(get(values, key))}" for key in sorted(changed)],
    )


@settings.command()
@common
def docs() -> None:
    """Print what every setting does, as Markdown."""
    say(settings_docs.render(), nl=False)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value)


COMMANDS = (settings,)
