"""``loci``: the commands, and what happens without one (the window opens)."""

import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from app import APP_NAME, __version__
from app.cli.output import say, say_wrong
from app.cli.program import CommandContext, CommandProgram, Ordered, common
from app.errors import AppError, VaultLocked
from app.files import reason
from app.serialisers.version import version

TRACEBACK = "LOCI_TRACEBACK"
EXIT_CODES = "Exit codes: 0 done, 1 failed (a sentence on standard error says why), 2 wrong usage."


# Which module has a command, in the order in which a person meets them; only that one is imported.
PLACES = MappingProxyType(
    {
        "chat": "app.cli.chat",
        "remember": "app.cli.chat",
        "recall": "app.cli.chat",
        "memories": "app.cli.memories",
        "undo": "app.cli.history",
        "redo": "app.cli.history",
        "audit": "app.cli.history",
        "names": "app.cli.names",
        "upkeep": "app.cli.upkeep",
        "consolidate": "app.cli.consolidate",
        "import": "app.cli.data",
        "export": "app.cli.data",
        "restrict": "app.cli.data",
        "erase": "app.cli.data",
        "doctor": "app.cli.data",
        "profiles": "app.cli.profiles",
        "models": "app.cli.models",
        "settings": "app.cli.settings",
    }
)


class Root(Ordered):
    """The group of all commands; it turns failures into sentences.

    Args:
        places: The module of each command, which is imported once the command is asked for.
    """

    def __init__(self, *arguments: Any, places: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.places = places

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.places)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return a command by its name; None where there is none."""
        if name not in self.places:
            return None
        of_module: Sequence[click.Command] = import_module(self.places[name]).COMMANDS
        return next(one for one in of_module if one.name == name)

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        try:
            code = super().invoke(context)
            sys.stdout.flush()  # here, where a full disk still becomes a sentence
            return code
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except VaultLocked as error:
            asked = context.find_object(CommandContext)
            sentence = f"{error}{asked.hint() if asked else ''}"
        except AppError as error:
            sentence = str(error)
        except BrokenPipeError:
            _talk_to_nobody()
            sentence = ""
        except OSError as error:
            _drop_unwritten()
            where = f"{error.filename}: " if error.filename else ""
            sentence = f"That did not work: {where}{reason(error)}."
        except Exception as error:  # noqa: BLE001 - becomes a sentence
            traced = os.environ.get(TRACEBACK)
            sentence = traceback.format_exc() if traced else _apology(error)
        if sentence:
            say(sentence, err=True)
        return 1


def root(more: Mapping[str, str] = MappingProxyType({})) -> Root:
    """Return the group of all commands, ``more`` among them: their modules by their names."""

    @click.group(
        cls=Root,
        places={**PLACES, **more},
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        epilog=EXIT_CODES,
    )
    @click.option("--version", "tell_version", is_flag=True, help="Show the version and exit.")
    @click.option("--selftest", is_flag=True, help="Check that this installation works, and end.")
    @common
    @click.pass_context
    def loci(context: click.Context, tell_version: bool, selftest: bool) -> None:
        """A private chat that remembers you, on your own computer.

        Without a command the window opens.
        """
        asked = context.find_object(CommandContext)
        assert asked is not None
        if tell_version:
            asked.show(version(__version__), [f"{APP_NAME}, version {__version__}"])
            context.exit(0)
        if selftest:
            asked.program.selftest(say)
            say("selftest passed")
            context.exit(0)
        if context.invoked_subcommand is None:
            context.exit(asked.program.window(asked.data_dir, asked.profile))

    return loci


def run(
    program: CommandProgram, arguments: list[str], more: Mapping[str, str] = MappingProxyType({})
) -> int:
    """Run the command line; return 0 when done, 1 after a failure, 2 for wrong usage.

    ``more`` has the modules of further commands, by their names.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    asked = CommandContext(program)
    try:
        code = root(more).main(arguments, prog_name="loci", standalone_mode=False, obj=asked)
    except click.ClickException as error:
        say_wrong(error)
        return error.exit_code
    except click.Abort:
        say("Stopped.", err=True)
        return 1
    _afterwards(asked)
    return code if isinstance(code, int) else 0


def _afterwards(asked: CommandContext) -> None:
    """Do what is due once a command is over and its output is out; its exit code stays."""
    try:
        _drop_unwritten()
        asked.back_up()
    except KeyboardInterrupt:
        say("Stopped.", err=True)
    except Exception as error:  # noqa: BLE001 - what the command did stands, and is told
        say(_apology(error), err=True)


def _drop_unwritten() -> None:
    """Give up what cannot be printed, or the interpreter tries once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        _talk_to_nobody()


def _talk_to_nobody() -> None:
    """Send what is still to be printed nowhere, because whoever read it has gone."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _apology(error: Exception) -> str:
    """Return what a person is told of a bug; what they wrote is not in it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if f"{os.sep}app{os.sep}" in f.filename] or frames
    where = f"{os.path.basename(ours[-1].filename)}, line {ours[-1].lineno}"  # noqa: PTH119
    logging.getLogger(__name__).error("a bug: %s in %s", type(error).__name__, where)
    return (
        f"Loci made a mistake ({type(error).__name__} in {where}). What was saved is safe. "
        f"{TRACEBACK}=1 shows more, for a report."
    )
