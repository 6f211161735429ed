"""Which models can be downloaded, which of them suits this computer, and getting one to answer."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from app.domain.catalogue import CatalogueModel, Fit, Machine, Offered, Trial, fit, ranked
from app.domain.changes import Changes
from app.domain.jobs.progress import Progress
from app.domain.model import ModelRole
from app.errors import Cancelled, ModelError, NotFound, Refused
from app.providers.base import PromptTurn, Sampling
from app.providers.host import ModelHost
from app.providers.local import catalogue, machine
from app.providers.local.checksums import Held
from app.providers.local.download import aside, discard, fetch, fetched
from app.providers.local.gguf import memory_needed
from app.services.library import LibraryService
from app.services.preferences import PreferencesService
from app.services.reranker import RerankerService

QUESTION = "Say hello and name one thing that you can help me with, in one short sentence."
TRIAL = Sampling(temperature=0.0, max_tokens=48)
_USABLE = (Fit.WELL, Fit.ENOUGH, Fit.SLOW)


class CatalogueService:
    """Offers the models of the catalogue.

    Args:
        offered: Returns the list of models.
        look: Returns what this computer has; given the processes that a new model would replace.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        host: ModelHost,
        library: LibraryService,
        reranker: RerankerService,
        preferences: PreferencesService,
        offered: Callable[[], Sequence[Offered]] | None = None,
        look: Callable[[Sequence[int]], Machine] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host, self._library, self._reranker = host, library, reranker
        self._preferences = preferences
        self.offered = offered or catalogue.read
        self.look = look or machine.look
        self._clock = clock

    def machine(self) -> Machine:
        """Return what this computer has, for a model that takes the place of the one in use."""
        return self.look(self._host.chat_processes())

    def candidates(self, role: ModelRole) -> list[CatalogueModel]:
        """Return the models for a purpose, the one to recommend first.

        Raises:
            ModelError: The list is not the one that Loci was made with.
        """
        there = self.machine()
        found = [self._candidate(one, there) for one in self.offered() if one.role is role]
        best_first = ranked(found)
        return [replace(c, recommended=c.fit in _USABLE) for c in best_first[:1]] + best_first[1:]

    def candidate(self, model_id: str) -> CatalogueModel:
        """Return one model, whatever it is for.

        Raises:
            NotFound: There is none of that id.
        """
        role = self._find(model_id).role
        return next(c for c in self.candidates(role) if c.offered.id == model_id)

    def check(self, cancel: Event) -> Generator[Progress, None, Changes]:
        """Hold files against their checksums of which only the size was looked at; reads all.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelFileError: One cannot be read.
        """
        new = [one for one in self.offered() if self._held(one) is Held.UNCHECKED]
        for one in new:
            yield from self._host.folder.checksums.read(self._target(one), cancel)
        return Changes(models=bool(new))

    def download(
        self, model_id: str, cancel: Event, again: bool = False
    ) -> Generator[Progress, None, Changes]:
        """Download a model into the models folder; only ever because the person asked for it.

        Args:
            model_id: Which one.
            cancel: Stops it.
            again: Whether to do so where another file of its name lies there, which is put aside.

        Raises:
            NotFound: There is none of that id.
            Refused: Another file of its name lies there, and it was not to be had again.
            Cancelled: ``cancel`` was set; what has come is kept for the next time.
            ModelError: It could not be downloaded; what has come is kept where it is of use.
        """
        one = self._find(model_id)
        target, checksums = self._target(one), self._host.folder.checksums
        if self._held(one) is Held.UNCHECKED:
            yield from checksums.read(target, cancel)
        held = self._held(one)
        if held is Held.OTHER and not again:
            raise Refused(_other(one, target))
        if held in (Held.OTHER, Held.NOTHING):
            mirror = self._preferences.values().models.mirror
            yield from fetch(catalogue.offer(one).through(mirror), target, cancel)
            checksums.note(target, one.sha256)
        return Changes(models=True)

    def discard(self, model_id: str) -> Changes:
        """Delete what a download brought that was not finished."""
        discard(self._target(self._find(model_id)))
        return Changes(models=True)

    def chosen(self) -> str:
        """Return which model was chosen to answer, as settings store it."""
        return self._preferences.values().chat.model

    def use(self, model_id: str) -> Changes:
        """Let a model that was downloaded do what it is for from now on.

        Raises:
            ModelError: It is not there, or cannot be used.
            Refused: Another file of its name lies there.
        """
        one = self._find(model_id)
        held = self._held(one)
        if held is Held.NOTHING:
            raise ModelError(f"{one.name} is not on this computer yet.")
        if held is Held.OTHER:
            raise Refused(_other(one, self._target(one)))
        choice = f"file:{one.file}"
        if one.role is ModelRole.CHAT:
            return self._library.choose_chat(choice)
        if one.role is ModelRole.EMBED:
            return self._library.choose_embedder(choice)
        return self._reranker.choose(self._target(one))

    def try_out(self, cancel: Event) -> Generator[Progress, None, Trial]:
        """Let the model that answers say one sentence, and measure how fast it does.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelError: It cannot be loaded, or does not answer.
        """
        begun = self._clock()
        yield Progress("Loading the model")
        prompt = [PromptTurn("user", QUESTION)]
        with self._host.chat(cancel=cancel) as model:
            model.measure(prompt, cancel)
            yield Progress("Trying it out")
            pieces = self._timed(model.stream(prompt, TRIAL, cancel), cancel)
            text = "".join(piece for piece, _ in pieces)
            written = model.count(text) if text else 0
        spent = pieces[-1][1] - pieces[0][1] if pieces else 0.0
        pace = (written - 1) / spent if spent > 0 and written > 1 else 0.0
        return Trial(text.strip(), pace, self._clock() - begun)

    def _timed(self, stream: Iterator[str], cancel: Event) -> list[tuple[str, float]]:
        pieces = [(piece, self._clock()) for piece in stream]
        if cancel.is_set():
            raise Cancelled("Stopped.")
        return pieces

    def _candidate(self, one: Offered, there: Machine) -> CatalogueModel:
        settings, choice = self._preferences.values(), f"file:{one.file}"
        needed = memory_needed(
            one.role,
            one.bytes,
            one.context_bytes,
            one.context_length,
            settings.models.context_tokens,
        )
        target, held = self._target(one), self._held(one)
        reranks = self._host.rerankers.status() if one.role is ModelRole.RERANK else None
        return CatalogueModel(
            one,
            needed,
            fit(one.bytes, needed, there, one.role),
            present=held in (Held.WHOLE, Held.UNCHECKED),
            unchecked=held is Held.UNCHECKED,
            aside=aside(target).name if held is Held.OTHER else "",
            fetched=fetched(target),
            in_use=held is not Held.OTHER
            and (
                choice in (settings.chat.model, settings.models.embedder)
                or (reranks is not None and reranks.on and reranks.file == one.file)
            ),
        )

    def _held(self, one: Offered) -> Held:
        return self._host.folder.checksums.held(self._target(one), one.bytes, one.sha256)

    def _find(self, model_id: str) -> Offered:
        for one in self.offered():
            if one.id == model_id:
                return one
        raise NotFound(
            f"There is no model called {model_id!r}. `loci models catalogue` lists them."
        )

    def _target(self, one: Offered) -> Path:
        return self._library.folder / one.file


def _other(one: Offered, target: Path) -> str:
    return (
        f"Another file called {one.file} is in the models folder, so {one.name} is not. Download "
        f"it again to have it; the other file is then called {aside(target).name}."
    )
