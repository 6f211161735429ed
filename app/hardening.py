"""Keep secrets of this process out of what others see: children's environments, and core dumps."""

import logging
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

# What a model's process needs: where programs and libraries are, the language, how to use the
# processor and the graphics card. No secret has such a name; what else there is stays here.
NEEDED = re.compile(
    r"(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMP|TEMP|TMPDIR|XDG_CACHE_HOME"
    r"|LD_LIBRARY_PATH|DYLD_\w*LIBRARY_PATH|PYTHON\w+|__PYVENV_LAUNCHER__|VIRTUAL_ENV|_MEIPASS2|_PYI_\w+"
    r"|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|USERPROFILE|(LOCAL|PROGRAM)?(APP)?DATA"
    r"|(COMMON)?PROGRAM(FILES|W6432).*|NUMBER_OF_PROCESSORS|PROCESSOR_\w+"
    r"|(OMP|GOMP|KMP|MKL|OPENBLAS|BLIS|VECLIB|GGML|LLAMA|CUDA|NVIDIA|HIP|HSA|ROCR|ROCM|AMD|VK|MESA)_\w+)",
    re.IGNORECASE,
)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL", re.IGNORECASE)
_SET_DUMPABLE = 4  # of Linux's prctl


def start_clean() -> None:
    """Let whatever multiprocessing starts from now on be told only what it needs.

    The environment of this process stays as it is: other threads read it meanwhile. There is no
    other way to give a child of its own than in the one call by which multiprocessing starts it,
    its tracker of resources included.
    """
    if sys.platform == "win32":
        from multiprocessing import popen_spawn_win32

        if not isinstance(popen_spawn_win32._winapi, _Windows):
            popen_spawn_win32._winapi = _Windows()
        return
    from multiprocessing import util

    util.spawnv_passfds = _started


def needed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return of an environment what a model's process may be told."""
    return {name: value for name, value in environment.items() if is_needed(name)}


def is_needed(name: str) -> bool:
    """Whether a model's process may be told a variable of the environment."""
    return bool(NEEDED.fullmatch(name)) and not _SECRET.search(name)


def _started(path: bytes, args: Sequence[Any], passfds: Sequence[int]) -> int:
    """Start a process as ``multiprocessing.util.spawnv_passfds`` does; return its id."""
    import subprocess

    begun = subprocess.Popen(
        args,
        executable=path,
        env=needed(os.environ),
        stdin=subprocess.DEVNULL,
        pass_fds=[int(one) for one in passfds],
        restore_signals=False,
    )
    begun.returncode = 0  # multiprocessing waits for its end, and nobody else may
    return begun.pid


class _Windows:
    """The calls of Windows, of which the one that starts a process is told an environment."""

    def __getattr__(self, name: str) -> Any:
        import _winapi

        return getattr(_winapi, name)

    def CreateProcess(self, *given: Any) -> Any:
        """Start a process; the environment is the seventh of what is given."""
        import _winapi

        told = needed(given[6] or os.environ)
        return _winapi.CreateProcess(*given[:6], told, *given[7:])  # type: ignore[attr-defined]


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
