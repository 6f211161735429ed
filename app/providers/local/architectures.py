"""Which kinds of model the llama.cpp that is installed can run, known without starting it."""

import mmap
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from app.files import open_file


def is_lacking(architecture: str) -> bool:
    """Return whether llama.cpp certainly cannot run models of this architecture.

    It compares the name with those in a table of its own, so one that its library holds nowhere
    is one that it refuses. One that is found there may still be refused, when it is loaded.
    """
    library = _library()
    return library is not None and not _holds(library, architecture)


@lru_cache(maxsize=1)
def _library() -> Path | None:
    found = find_spec("llama_cpp")  # finds it and imports nothing
    if found is None or found.origin is None:
        return None
    inside = sorted((Path(found.origin).parent / "lib").glob("*"))
    return next((p for p in inside if p.name.startswith(("libllama.", "llama."))), None)


@lru_cache(maxsize=256)
def _holds(library: Path, name: str) -> bool:
    try:
        with (
            open_file(library) as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as all_,
        ):
            return all_.find(name.encode() + b"\0") >= 0
    except (OSError, ValueError):
        return True  # what cannot be looked at is no reason to refuse a model
