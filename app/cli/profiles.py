"""``loci profiles``: list, make, rename and switch profiles, and change the ways in."""

import os
import sys
from pathlib import Path

import click

from app.cli.output import ask, say
from app.cli.program import (
    PASSPHRASE,
    RECOVERY_CODE,
    CommandContext,
    Ordered,
    asking,
    common,
    confirm,
    passphrase_of,
    run,
    tell_of_key_file,
)
from app.cli.text import FILE, WORDS, received
from app.domain.profile import OLDER_COPIES, Profile
from app.errors import NotFound, Refused
from app.serialisers import backups as saved
from app.serialisers import profiles as plain

KEEP_IT = "Write it down and keep it away from this computer. It is shown only this once."


@click.group(cls=Ordered, invoke_without_command=True)
@common
@click.pass_context
def profiles(context: click.Context) -> None:
    """List profiles; make, rename or switch one; change what opens it."""
    if context.invoked_subcommand is None:
        context.invoke(list_)


@profiles.command("list")
@asking
def list_(asked: CommandContext) -> None:
    """List the profiles of this computer."""
    found = asked.program.profiles(asked.data_dir).list()
    used = asked.program.which(asked.data_dir, asked.profile)
    asked.show(
        [plain.profile(p, current=used is not None and p.slug == used.slug) for p in found],
        [_line(p, used is not None and p.slug == used.slug) for p in found] or ["No profile yet."],
    )


def _line(profile: Profile, current: bool) -> str:
    ways = ", ".join(str(slot).replace("_", " ") for slot in profile.slots)
    return f"{'*' if current else ' '} {profile.slug}  {profile.name}  ({ways or 'no way in'})"


@profiles.command()
@click.argument("name", type=WORDS)
@asking
def create(asked: CommandContext, name: str) -> None:
    """Make a profile called NAME.

    With LOCI_PASSPHRASE set, that opens it; else the system keyring keeps its key.
    """
    passphrase = os.environ.get(PASSPHRASE) or None
    made = asked.program.profiles(asked.data_dir).create(name, passphrase)
    tell_of_key_file(made)
    asked.show(plain.profile_name(made), [f"Made {made.name} ({made.slug})."])


@profiles.command()
@click.argument("which", metavar="PROFILE", type=WORDS)
@click.argument("name", type=WORDS)
@asking
def rename(asked: CommandContext, which: str, name: str) -> None:
    """Call PROFILE by another NAME."""
    old = _named(asked, which)
    new = asked.program.profiles(asked.data_dir).rename(old.slug, name)
    asked.show(plain.profile_name(new), [f"{old.name} is now called {new.name}."])


@profiles.command()
@click.argument("which", metavar="PROFILE", type=WORDS)
@asking
def switch(asked: CommandContext, which: str) -> None:
    """Use PROFILE from now on, where no other is named."""
    chosen = _named(asked, which)
    asked.profile = chosen.slug
    with asked.open() as services:
        services.preferences.set("computer.last_profile", chosen.slug)
    asked.show(plain.profile_name(chosen), [f"Using {chosen.name}."])


@profiles.command()
@click.option("--remove", is_flag=True, help="Let the system keyring or a key file open it again.")
@asking
def passphrase(asked: CommandContext, remove: bool) -> None:
    """Protect the profile with a passphrase.

    It is asked for, or read from the first line of standard input.
    """
    with asked.open() as services:
        if remove:
            services.access.remove_passphrase()
        else:
            services.access.set_passphrase(_new_passphrase())
        slots = services.access.slots()
        name = services.profile.name
    sentence = (
        "no longer asks for a passphrase" if remove else "asks for the passphrase from now on"
    )
    older = [] if remove else [OLDER_COPIES]
    asked.show(plain.slots(slots), [f"{name} {sentence}.", *older])


def _new_passphrase() -> str:
    if sys.stdin.isatty():
        return ask("New passphrase", secret=True, twice=True)
    given = received(sys.stdin.buffer.readline()).rstrip("\r\n")
    if not given:
        raise Refused("There is no passphrase on standard input. Nothing was changed.")
    return given


@profiles.command("recovery-code")
@asking
def recovery_code(asked: CommandContext) -> None:
    """Make a recovery code, in place of an older one.

    It opens the profile, given as LOCI_RECOVERY_CODE, when everything else is lost.
    """
    with asked.open() as services:
        code = services.access.add_recovery_code()
    say(KEEP_IT, err=True)
    asked.show(plain.recovery_code(code), [code])


@profiles.command()
@asking
def backups(asked: CommandContext) -> None:
    """List the backups of the profile, newest first.

    One is made every day on which Loci is used, by the window or after a command; settings under
    upkeep.backups say how many stay.
    """
    found = asked.program.profiles(asked.data_dir).backups(_current(asked).slug)
    lines = [
        f"{b.made_at.astimezone():%d %b %Y %H:%M}  {b.bytes:>13,} bytes  {b.path}" for b in found
    ]
    asked.show([saved.backup(one) for one in found], lines or ["No backup yet."])


@profiles.command()
@asking
def backup(asked: CommandContext) -> None:
    """Back up the profile now; the copy is encrypted and checked by opening it."""
    with asked.open() as services:
        made = run(services.backups.make())
    if made.unchecked:
        say(made.unchecked, err=True)
    asked.owes_backup = False
    asked.show(saved.backup(made), [f"Backed up to {made.path}."])


@profiles.command()
@click.argument("backup", required=False, type=FILE)
@click.option("--yes", is_flag=True, help="Do not ask.")
@asking
def restore(asked: CommandContext, backup: Path | None, yes: bool) -> None:
    """Put a BACKUP in the place of the vault.

    Without BACKUP it is the newest one. The vault that is there is kept beside it.
    """
    current, service = _current(asked), asked.program.profiles(asked.data_dir)
    newest = [one.path for one in service.backups(current.slug)[:1]]
    found = [backup.absolute()] if backup else newest
    if not found:
        raise NotFound(f"There is no backup of {current.name}.")
    if not yes:
        confirm(f"Put {found[0].name} in the place of what {current.name} holds now?")
    kept = service.restore(
        current.slug, found[0], passphrase_of(current), os.environ.get(RECOVERY_CODE) or None
    )
    lines = [f"Restored {found[0]}."] + ([f"What was there is now {kept}."] if kept else [])
    asked.show(saved.restored(found[0], kept), lines)


def _named(asked: CommandContext, name: str) -> Profile:
    found = asked.program.which(asked.data_dir, name)
    if found is None:
        raise NotFound(f"There is no profile called {name!r}.")
    return found


def _current(asked: CommandContext) -> Profile:
    found = asked.program.which(asked.data_dir, asked.profile)
    if found is None:
        raise NotFound("There is no profile yet.")
    return found


COMMANDS = (profiles,)
