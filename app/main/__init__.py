"""The composition root: where Loci starts, and the only place that builds its objects.

``build.py`` makes the services of one open profile, ``program.py`` is what the front ends get.
Nothing imports this package, and this module imports almost nothing, because a model's process
may load it too.
"""

import sys
from types import MappingProxyType

MORE_COMMANDS = MappingProxyType({"bench": "app.bench.commands"})


def main(arguments: list[str] | None = None) -> int:
    """Run Loci; return the exit code."""
    from app import garbage

    garbage.put_off()
    from app import log
    from app.cli.main import run
    from app.hardening import leave_no_core
    from app.main.program import Program

    leave_no_core()
    log.quiet()
    return run(Program(), sys.argv[1:] if arguments is None else arguments, MORE_COMMANDS)
