"""``loci``: the commands, and what happens without one (the window opens)."""

import click

from app import APP_NAME, __version__
from app.cli import bench, chat, data, memories, profiles
from app.cli.program import Asked, Program, SentenceGroup, common


@click.group(
    cls=SentenceGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name=APP_NAME)
@click.option("--selftest", is_flag=True, help="Check that this installation works, and end.")
@common
@click.pass_context
def loci(context: click.Context, selftest: bool) -> None:
    """A private chat that remembers you, on your own computer.

    Without a command the window opens.
    """
    asked = context.find_object(Asked)
    assert asked is not None
    if selftest:
        asked.program.selftest(click.echo)
        click.echo("selftest passed")
        context.exit(0)
    if context.invoked_subcommand is None:
        context.exit(asked.program.window(asked.data_dir, asked.profile))


for module in (chat, memories, profiles, data, bench):
    for command in module.COMMANDS:
        loci.add_command(command)


def run(program: Program, arguments: list[str]) -> int:
    """Run the command line; return 0 when done, 1 after a failure, 2 for wrong usage."""
    try:
        code = loci.main(arguments, prog_name="loci", standalone_mode=False, obj=Asked(program))
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        return 1
    return code if isinstance(code, int) else 0
