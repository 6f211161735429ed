"""Model files that other programs keep on this computer: where they lie and what they are called.

Their places are those of the programs' own documentation. Only names and headers are read, within
bounds of depth, number and time that each program has for itself; what cannot be read is passed
over. Nothing is copied or loaded.
"""

import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.language.foreign import read_json
from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.files import read_file
from app.providers.local import gguf

log = logging.getLogger(__name__)

MOST_ENTRIES = 5_000
MOST_FOUND = 100
DEEPEST = 6
SECONDS = 2.0
SUFFIX = ".gguf"
_MOST_MANIFEST = 100_000
_WEIGHTS = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_LIBRARY = ("registry.ollama.ai", "library")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder in which a program keeps models.

    Attributes:
        program: What people call it.
        ollama: Whether its files are named by their checksums, and manifests name the models.
    """

    program: str
    folder: Path
    ollama: bool = False


@dataclass(frozen=True, slots=True)
class OtherModelFile:
    """A model file of another program."""

    path: Path
    name: str
    program: str


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look brought.

    Attributes:
        cut_short: The programs in whose folders there was more than is looked at.
    """

    found: Sequence[OtherModelFile] = ()
    cut_short: Sequence[str] = ()


def places(
    home: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    system: str = sys.platform,
) -> list[ModelFolder]:
    """Return the folders in which programs keep models on this kind of computer."""
    home = home or Path.home()
    return [
        ModelFolder("the Hugging Face cache", _hub(home, environment)),
        *(ModelFolder("LM Studio", folder) for folder in _lm_studio(home)),
        *(ModelFolder("Jan", folder) for folder in _jan(home, environment, system)),
        ModelFolder(
            "GPT4All", _data(home, environment, system, "LOCALAPPDATA") / "nomic.ai/GPT4All"
        ),
        *(ModelFolder("Ollama", folder, ollama=True) for folder in _ollama(home, environment)),
    ]


def _hub(home: Path, environment: Mapping[str, str]) -> Path:
    if kept := environment.get("HF_HUB_CACHE"):
        return Path(kept)
    if kept := environment.get("HF_HOME"):
        return Path(kept) / "hub"
    cache = environment.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else home / ".cache") / "huggingface" / "hub"


def _lm_studio(home: Path) -> list[Path]:
    roots = [home / ".lmstudio", home / ".cache" / "lm-studio"]
    with suppress(OSError, ValueError):
        told = read_file(home / ".lmstudio-home-pointer", 4_096).decode().strip()
        if told and Path(told).is_absolute():
            roots.insert(0, Path(told))
    return [root / "models" for root in dict.fromkeys(roots)]


def _jan(home: Path, environment: Mapping[str, str], system: str) -> list[Path]:
    data = _data(home, environment, system, "APPDATA") / "Jan" / "data"
    return [data / "llamacpp" / "models", data / "models", home / "jan" / "models"]


def _ollama(home: Path, environment: Mapping[str, str]) -> list[Path]:
    told = environment.get("OLLAMA_MODELS")
    system = Path("/usr/share/ollama/.ollama/models")
    return [*([Path(told)] if told else []), home / ".ollama" / "models", system]


def _data(home: Path, environment: Mapping[str, str], system: str, windows: str) -> Path:
    if system == "win32":
        kept = environment.get(windows)
        usual = home / "AppData" / ("Roaming" if windows == "APPDATA" else "Local")
        return Path(kept) if kept else usual
    if system == "darwin":
        return home / "Library" / "Application Support"
    kept = environment.get("XDG_DATA_HOME")
    return Path(kept) if kept else home / ".local" / "share"


def find(
    looked_in: list[ModelFolder] | None = None, now: Callable[[], float] = time.monotonic
) -> Looked:
    """Return the chat models that lie in other programs' folders and could be used.

    A model that lies in two of them, or is linked from there, is returned once.
    """
    walks, seen = dict[str, _Walk](), set[Path]()
    found: list[OtherModelFile] = []
    for place in places() if looked_in is None else looked_in:
        walk = walks.setdefault(place.program, _Walk(now))
        walk.begin()
        named = _of_ollama(place, walk) if place.ollama else _of_files(place, walk)
        for path, name in named:
            with suppress(OSError, ValueError):
                real = path.resolve()
                if real not in seen and walk.may_find() and _answers(path):
                    seen.add(real)
                    walk.finds += 1
                    found.append(OtherModelFile(path, name, place.program))
    cut_short = [program for program, walk in walks.items() if walk.cut_short]
    if cut_short:
        log.info("the look for model files ended early in %s", ", ".join(cut_short))
    return Looked(found, cut_short)


def _answers(path: Path) -> bool:
    try:
        return gguf.check(path).role is ModelRole.CHAT
    except ModelFileError:
        return False


def _of_files(place: ModelFolder, walk: "_Walk") -> Iterator[tuple[Path, str]]:
    for path in walk.files(place.folder):
        if path.suffix.lower() == SUFFIX:
            plain = path.stem.lower() in ("model", "ggml-model")  # then the folder has the name
            yield path, path.parent.name if plain else path.stem


def _of_ollama(place: ModelFolder, walk: "_Walk") -> Iterator[tuple[Path, str]]:
    manifests = place.folder / "manifests"
    for path in walk.files(manifests):
        digest = _weights(path)
        if digest:
            yield place.folder / "blobs" / f"sha256-{digest}", _name(path.relative_to(manifests))


def _weights(manifest: Path) -> str:
    """Return the checksum by which a model's file is named; empty where none is told."""
    try:
        told: Any = read_json(read_file(manifest, _MOST_MANIFEST))
        layers = [one for one in told["layers"] if one.get("mediaType") == _WEIGHTS]
        digest = _DIGEST.fullmatch(layers[0]["digest"]) if len(layers) == 1 else None
        return digest[1] if digest else ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""


def _name(manifest: Path) -> str:
    """Return what Ollama calls a model: ``llama3.2:3b``, ``somebody/model:latest``."""
    *owners, model, tag = manifest.parts if len(manifest.parts) > 1 else ("", *manifest.parts)
    if tuple(owners) == _LIBRARY:
        owners = []
    elif owners[:1] == [_LIBRARY[0]]:
        owners = owners[1:]
    return f"{'/'.join([*owners, model])}:{tag}"


class _Walk:
    """Goes through the folders of one program, within bounds that hold for all of them together.

    Attributes:
        finds: How many models it has found.
        cut_short: Whether there was more than the bounds let it see.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.finds, self.cut_short = 0, False
        self._now, self._end = now, 0.0
        self._left = MOST_ENTRIES

    def begin(self) -> None:
        """Start the clock, if it does not run yet."""
        self._end = self._end or self._now() + SECONDS

    def may_find(self) -> bool:
        """Return whether one more may be found."""
        self.cut_short |= self.finds >= MOST_FOUND
        return self.finds < MOST_FOUND

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder; links to folders are not followed."""
        waiting = [(folder, 0)]
        while waiting:
            here, depth = waiting.pop()
            for entry in self._entries(here):
                if entry.name.startswith(".") or self._is_late():
                    continue
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        if depth < DEEPEST:
                            waiting.append((Path(entry.path), depth + 1))
                    elif entry.is_file():
                        yield Path(entry.path)

    def _is_late(self) -> bool:
        late = self._now() >= self._end
        self.cut_short |= late
        return late

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        found: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(folder) as inside:
            for entry in inside:
                if self._left <= 0 or self._is_late():
                    self.cut_short = True
                    break
                self._left -= 1
                found.append(entry)
        return sorted(found, key=lambda entry: entry.name)
