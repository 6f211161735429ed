"""``loci profiles``, ``loci models`` and ``loci settings``."""

import click

from app.cli.program import Asked, SentenceGroup, common
from app.services.preferences import shown
from app.settings import docs as settings_docs
from app.settings.table import entries, get
from app.settings.types import Level


@click.group(cls=SentenceGroup, invoke_without_command=True)
@common
@click.pass_context
def profiles(context: click.Context) -> None:
    """List profiles; create or rename one."""
    if context.invoked_subcommand is None:
        context.invoke(list_)


@profiles.command("list")
@common
@click.pass_obj
def list_(asked: Asked) -> None:
    """List the profiles on this computer."""
    found = asked.program.profiles(asked.data_dir).list()
    asked.show(
        [
            {"slug": p.slug, "name": p.name, "bytes": p.bytes, "slots": [str(s) for s in p.slots]}
            for p in found
        ],
        [f"{p.slug}  {p.name}" for p in found] or ["No profile yet."],
    )


@profiles.command()
@click.argument("name")
@common
@click.pass_obj
def create(asked: Asked, name: str) -> None:
    """Make a profile called NAME."""
    made = asked.program.profiles(asked.data_dir).create(name)
    asked.show({"slug": made.slug, "name": made.name}, [f"Created {made.name} ({made.slug})."])


@profiles.command()
@click.argument("slug")
@click.argument("name")
@common
@click.pass_obj
def rename(asked: Asked, slug: str, name: str) -> None:
    """Call the profile SLUG by another NAME."""
    asked.program.profiles(asked.data_dir).rename(slug, name)
    asked.show({"slug": slug, "name": name}, [f"{slug} is now called {name}."])


@click.command()
@click.option("--use", metavar="ID", help="Let this model answer.")
@click.option("--servers", is_flag=True, help="Also look for servers on this computer.")
@common
@click.pass_obj
def models(asked: Asked, use: str | None, servers: bool) -> None:
    """List the models that could answer, and choose one."""
    with asked.open() as services:
        if use:
            services.library.choose_chat(use)
        current = services.library.current().id
        found = [*services.library.chat_choices(), *services.library.embed_choices()]
        answered = services.library.find_servers() if servers else []
    data = {
        "current": current,
        "models": [
            {"id": m.id, "name": m.name, "role": m.role, "place": m.place, "problem": m.problem}
            for m in found
        ],
        "servers": [
            {"name": s.name, "base_url": s.base_url, "models": list(s.models)} for s in answered
        ],
    }
    lines = [f"{'*' if m.id == current else ' '} {m.role:6} {m.id}  {m.problem}" for m in found]
    lines += [f"  server {s.base_url}  {', '.join(s.models)}" for s in answered]
    asked.show(data, lines)


@click.group(cls=SentenceGroup)
@common
def settings() -> None:
    """Read and change settings."""


@settings.command("list")
@common
@click.pass_obj
def list_settings(asked: Asked) -> None:
    """List every setting with its value."""
    with asked.open() as services:
        values = services.preferences.values()
    visible = [e for e in entries() if e.row.level in (Level.BASIC, Level.ADVANCED)]
    asked.show(
        {e.key: get(values, e.key) for e in entries()},
        [f"{e.key} = {shown(get(values, e.key))}" for e in visible],
    )


@settings.command("get")
@click.argument("key")
@common
@click.pass_obj
def get_setting(asked: Asked, key: str) -> None:
    """Print the value of KEY."""
    with asked.open() as services:
        value = get(services.preferences.values(), key)
    asked.show({"key": key, "value": value}, [shown(value)])


@settings.command("set")
@click.argument("key")
@click.argument("value")
@common
@click.pass_obj
def set_setting(asked: Asked, key: str, value: str) -> None:
    """Give KEY a new VALUE."""
    with asked.open() as services:
        services.preferences.set(key, value)
        stored = get(services.preferences.values(), key)
    asked.show({"key": key, "value": stored}, [f"{key} = {shown(stored)}"])


@settings.command("docs", hidden=True)
def docs() -> None:
    """Print the settings reference as Markdown."""
    click.echo(settings_docs.render(), nl=False)


COMMANDS = (profiles, models, settings)
