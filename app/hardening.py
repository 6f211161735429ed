"""Keep secrets of this process out of what others see: children's environments, and core dumps."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SECRETS = ("LOCI_PASSPHRASE", "LOCI_RECOVERY_CODE", "LOCI_API_KEY")
_turn = Lock()


@contextmanager
def without_secrets() -> Iterator[None]:
    """Let what is started inside the block inherit no secret from the environment.

    Whoever reads one of them meanwhile, on another thread, misses it; they are read at the start.
    """
    with _turn:
        taken = {name: value for name in SECRETS if (value := os.environ.pop(name, None))}
        try:
            yield
        finally:
            os.environ.update(taken)


def leave_no_core() -> None:
    """Write no core file if this process crashes: it would hold the vault's key in plain."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
