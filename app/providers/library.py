"""The models a person can choose from: files in the watched folder, files added, built-in ones.

A file that appears in the folder appears in the list, with what is wrong with it if anything is.
Nothing is ever loaded because it is there; only choosing it does that.
"""

import json
import logging
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from app.domain.language.foreign import read_json
from app.domain.model import ModelChoice, ModelPlace, ModelRole, OtherProgramsModels
from app.errors import ModelFileError
from app.providers.local import gguf, stores
from app.providers.local.checksums import Checksums
from app.providers.remote import embeddings

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

log = logging.getLogger(__name__)

ADDED = "added.json"
SUFFIX = ".gguf"
BASE_MODEL = "Probably a base model: it continues your text instead of answering it."
CUT_SHORT = "There is more in {} than is looked through, so some models may be missing here."
CONTEXT_TOKENS = 8_192
_LONGEST_NAME = 200
_SETTLE_SECONDS = 0.2


def _memory_bytes() -> int:
    import psutil

    return int(psutil.virtual_memory().total)


class ModelsFolder:
    """GGUF files of the person's choice.

    Args:
        folder: The watched folder; made when something is first put there or it is watched.
        memory: Returns how many bytes of memory this computer has.
        places: Where other programs keep models; None for where they do.
    """

    def __init__(
        self,
        folder: Path,
        memory: Callable[[], int] = _memory_bytes,
        places: list[stores.ModelFolder] | None = None,
    ) -> None:
        self.folder, self.places = folder, places
        self.checksums = Checksums(folder)
        self._memory = memory
        self._watch: _Watch | None = None

    def chat_choices(self, context_tokens: int = CONTEXT_TOKENS) -> list[ModelChoice]:
        """Return what answers without a server, with so much context: chat files, no model."""
        return [*self._files(ModelRole.CHAT, context_tokens), _NO_MODEL]

    def embed_choices(self) -> list[ModelChoice]:
        """Return everything that finds by meaning, the bundled one first."""
        return [_BUNDLED, *self._files(ModelRole.EMBED), *_remote(), _HASH]

    def path(self, choice_id: str) -> Path:
        """Return the file of an id such as ``file:NAME.gguf`` or ``file:/added/NAME.gguf``."""
        name = Path(choice_id.removeprefix("file:"))
        return name if name.is_absolute() else self.folder / name.name

    def name(self, choice_id: str) -> str:
        """Return what a file is called, by its id."""
        path = self.path(choice_id)
        return (self._names().get(str(path)) if path.parent != self.folder else "") or path.stem

    def found(self, context_tokens: int = CONTEXT_TOKENS) -> OtherProgramsModels:
        """Return the chat models in other programs' folders that are not on the list yet.

        Takes a few seconds at most. They are only looked at.
        """
        known = {path.resolve() for path in (*self._added(), *self.folder.glob("*"))}
        choices, looked = [], stores.find(self.places)
        for one in looked.found:
            if one.path.resolve() not in known:
                choice = self._choice(one.path, ModelRole.CHAT, context_tokens)
                where = choice.detail.replace("On this computer", f"Found in {one.program}", 1)
                choices.append(replace(choice, name=one.name, detail=where, added=False))
        usable = [choice for choice in choices if not choice.problem]
        programs = " and ".join(looked.cut_short)
        return OtherProgramsModels(usable, CUT_SHORT.format(programs) if programs else "")

    def look(self, path: Path, context_tokens: int = CONTEXT_TOKENS) -> ModelChoice:
        """Say what a chat model that lies anywhere is, without putting it on the list.

        Raises:
            ModelFileError: It is no usable chat model.
        """
        path = path.expanduser().absolute()
        role = gguf.check(path).role
        if role is not ModelRole.CHAT:
            kind = "reranks what was found" if role is ModelRole.RERANK else "finds by meaning"
            raise ModelFileError(f"{path.name} {kind} and cannot answer; choose it under Models.")
        return replace(self._choice(path, role, context_tokens), added=False)

    def add(self, path: Path, context_tokens: int = CONTEXT_TOKENS, name: str = "") -> ModelChoice:
        """Put a file on the list, under its own or another name; it stays where it is.

        Raises:
            ModelFileError: It is no usable model.
        """
        path = path.expanduser().absolute()
        info = gguf.check(path)
        if path.parent != self.folder:
            names = self._names() | ({str(path): name} if name else {})
            self._save([*self._added(), path], names)
        return self._choice(path, info.role, context_tokens)

    def remove(self, choice_id: str) -> None:
        """Take an added file off the list; the file itself stays."""
        self._save([path for path in self._added() if path != self.path(choice_id)], self._names())

    def sha256(self, choice_id: str) -> str:
        """Return the checksum of a model file; reads all of it the first time."""
        reading = self.checksums.read(self.path(choice_id), Event())
        while True:
            try:
                next(reading)
            except StopIteration as end:
                return str(end.value)

    def watch(self, callback: Callable[[], None]) -> None:
        """Call back, on a thread of the watcher, whenever a model came, went or changed."""
        self.stop()
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._watch = _Watch(self.folder, callback)

    def stop(self) -> None:
        """Stop watching."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.stop()

    def _files(self, role: ModelRole, context_tokens: int = 0) -> list[ModelChoice]:
        inside = sorted(self.folder.glob("*")) if self.folder.is_dir() else []
        paths = [path for path in inside if path.suffix.lower() == SUFFIX]
        paths = list(dict.fromkeys([*paths, *self._added()]))
        found = (self._choice(path, role, context_tokens) for path in paths)
        return [choice for choice in found if choice.role is role and choice.name]

    def _choice(self, path: Path, role: ModelRole, context_tokens: int) -> ModelChoice:
        """Describe a file; one that is broken is shown under the role that was asked for."""
        inside = path.parent == self.folder
        identity = f"file:{path.name if inside else path}"
        file = partial(ModelChoice, identity, place=ModelPlace.FILE, added=not inside)
        try:
            info = gguf.read(path)
            role = info.role
            if info.part:
                return file("", role)  # what there is to say of it stands at the first part
            info = gguf.check(path)
        except ModelFileError as error:
            return file(path.name, role, problem=str(error))
        needed = info.memory_bytes(context_tokens)
        return file(
            self.name(identity),
            role,
            detail=f"On this computer, {_size(info.bytes)}. {_words(info.parameters, needed)}",
            bytes=info.bytes,
            parameters=info.parameters,
            memory_bytes=needed,
            warning=self._warning(info, needed),
        )

    def _warning(self, info: gguf.GgufInfo, needed: int) -> str:
        there = self._memory()
        warnings = [BASE_MODEL] if info.is_base and info.role is ModelRole.CHAT else []
        if needed > there:
            warnings.append(f"It needs more memory than this computer has ({_size(there)}).")
        return " ".join(warnings)

    def _added(self) -> list[Path]:
        try:
            listed = read_json((self.folder / ADDED).read_text("utf-8"))["files"]
            return [Path(name) for name in listed if Path(name).is_absolute()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError):
            log.warning("the list of added model files cannot be read")
            return []

    def _names(self) -> dict[str, str]:
        """Return what added files are called whose own names say nothing."""
        try:
            listed = read_json((self.folder / ADDED).read_text("utf-8"))["names"]
            return {str(path): str(name)[:_LONGEST_NAME] for path, name in listed.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _save(self, paths: list[Path], names: dict[str, str]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        files = [str(path) for path in dict.fromkeys(paths)]
        kept = {path: names[path] for path in files if path in names}
        text = json.dumps({"files": files} | ({"names": kept} if kept else {}), indent=1)
        written = self.folder / f"{ADDED}.new"
        written.write_text(text, "utf-8")
        written.replace(self.folder / ADDED)


_NO_MODEL = ModelChoice(
    "notebook",
    "No model for now",
    ModelRole.CHAT,
    ModelPlace.BUILT_IN,
    "Answers by quoting what you told it",
)
_BUNDLED = ModelChoice(
    "bundled",
    "Loci's own",
    ModelRole.EMBED,
    ModelPlace.BUNDLED,
    "On this computer, comes with Loci",
)
_HASH = ModelChoice(
    "hash",
    "Shared words only",
    ModelRole.EMBED,
    ModelPlace.BUILT_IN,
    "On this computer, without any model",
)


def _remote() -> list[ModelChoice]:
    openai = [(f"openai:{name}", name, "OpenAI") for name in embeddings.OPENAI]
    voyage = [(f"voyage:{name}", name, "Voyage") for name in embeddings.VOYAGE]
    return [
        ModelChoice(
            identity,
            name,
            ModelRole.EMBED,
            ModelPlace.SERVER,
            f"Sends what you write to {who}; needs a key",
        )
        for identity, name, who in [*openai, *voyage]
    ]


def _words(parameters: int, needed: int) -> str:
    """Return how large a model is, and what it needs."""
    if parameters >= 999_500_000:
        size = f"{parameters / 1e9:.1f} billion parameters"
    elif parameters >= 1_000_000:
        size = f"{parameters / 1e6:.0f} million parameters"
    else:
        size = "Under a million parameters"
    return f"{size}, about {_size(needed)} of memory"


def _size(count: int) -> str:
    if count < 1_000_000_000:
        return f"{max(count / 1e6, 0.1):.{0 if count >= 1e7 else 1}f} MB"
    return f"{count / 1e9:.1f} GB"


class _Watch:
    """Tells of changes once they have settled, so that a long copy is told of once or twice."""

    def __init__(self, folder: Path, callback: Callable[[], None]) -> None:
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        stirred, self._stirred, self._stopped = Event(), Event(), Event()
        self._stirred = stirred
        self._callback = callback

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: "FileSystemEvent") -> None:
                if event.event_type in _CHANGES and _is_model(event.src_path, event.dest_path):
                    stirred.set()

        self._observer: Any = Observer()
        self._observer.schedule(Handler(), str(folder))
        self._observer.start()
        self._thread = Thread(target=self._run, name="models-folder", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End both threads."""
        self._stopped.set()
        self._stirred.set()
        self._observer.stop()
        self._observer.join()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._stirred.wait()
            while self._stirred.is_set() and not self._stopped.is_set():
                self._stirred.clear()
                self._stopped.wait(_SETTLE_SECONDS)
            if self._stopped.is_set():
                return
            self._callback()


_CHANGES = frozenset({"created", "modified", "moved", "deleted", "closed"})


def _is_model(*paths: str | bytes) -> bool:
    return any(os.fsdecode(path).lower().endswith((SUFFIX, ADDED)) for path in paths)
