"""Keep secrets of this process out of what others see: children's environments, and core dumps."""

import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

# What a model's process needs: where programs and libraries are, the language, how to use the
# processor and the graphics card. No secret has such a name; what else there is stays here.
NEEDED = re.compile(
    r"(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMP|TEMP|TMPDIR|XDG_CACHE_HOME"
    r"|LD_LIBRARY_PATH|DYLD_\w*LIBRARY_PATH|PYTHON\w+|VIRTUAL_ENV|_MEIPASS2|_PYI_\w+"
    r"|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|USERPROFILE|(LOCAL|PROGRAM)?(APP)?DATA"
    r"|(COMMON)?PROGRAM(FILES|W6432).*|NUMBER_OF_PROCESSORS|PROCESSOR_\w+"
    r"|(OMP|GOMP|KMP|MKL|OPENBLAS|BLIS|VECLIB|GGML|LLAMA|CUDA|NVIDIA|HIP|HSA|ROCR|ROCM|AMD|VK|MESA)_\w+)",
    re.IGNORECASE,
)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS(WORD|PHRASE|WD)|CREDENTIAL", re.IGNORECASE)
_SET_DUMPABLE = 4  # of Linux's prctl
_turn = Lock()


@contextmanager
def without_secrets() -> Iterator[None]:
    """Let what is started inside the block inherit of the environment only what it needs.

    Whoever reads something else meanwhile, on another thread, misses it; what Loci itself asks
    for is read at the start.
    """
    with _turn:
        taken = {name: os.environ.pop(name) for name in list(os.environ) if not is_needed(name)}
        try:
            yield
        finally:
            os.environ.update(taken)


def is_needed(name: str) -> bool:
    """Whether a model's process may be told a variable of the environment."""
    return bool(NEEDED.fullmatch(name)) and not _SECRET.search(name)


def leave_no_core() -> None:
    """Let no crash of this process write its memory to a file: it holds the vault's key in plain.

    A limit of no bytes keeps the system from writing one itself. Linux may hand the memory to a
    program instead, which that limit does not bind; there the process says that it is not to be
    dumped, and no other program of the same user may attach to it or read its memory either.
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        _be_undumpable()


def _be_undumpable() -> None:
    import ctypes

    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(_SET_DUMPABLE, 0, 0, 0, 0):
        logging.getLogger(__name__).warning("a crash may be dumped: errno %s", ctypes.get_errno())
