"""Who learns beside Loci's own reader, who else could, and who is given up."""

from collections.abc import Callable, Mapping, Sequence

from app.domain.changes import Changes
from app.domain.model import ChatInfo, LearnerStatus, ModelChoice
from app.errors import ModelFileError
from app.providers.base import ModelUse
from app.providers.learner import called, is_small, who_learns
from app.providers.lending import Meter
from app.providers.library import ModelsFolder
from app.providers.local import gguf
from app.providers.notebook import NOTEBOOK
from app.providers.remote.learnt import ServerMemory
from app.settings.learning import CHAT, NONE
from app.settings.spec import Settings
from app.store.work.trials import Trials

IF_LARGE, NOBODY = "The chat model, if it is large enough", "No model"
SMALL = "{} (small: may learn what is not so)"
SMALL_CHOSEN = "{} is small (below 3 billion parameters) and may learn what is not so."
UNKNOWN = "There is no chat model called {!r}. `loci models` lists them."


class LearnersService:
    """Says who learns, and lets the person choose.

    Args:
        folder: The model files there are.
        choices: Returns the chat models there are.
        learnt: What servers said of their models.
    """

    def __init__(
        self,
        trials: Trials,
        folder: ModelsFolder,
        settings: Callable[[], Settings],
        choices: Callable[[], Sequence[ModelChoice]],
        learnt: ServerMemory,
    ) -> None:
        self._trials = trials
        self._folder, self._learnt = folder, learnt
        self._settings = settings
        self._choices = choices

    def status(self) -> LearnerStatus:
        """Say who learns, or why no model does."""
        return _status(self._trials, self._settings(), self._folder, self._learnt)

    def warning(self) -> str:
        """Say of a model that was chosen to learn that it is small; empty where it is not."""
        chosen = self._settings().extraction.learn_from
        small = is_small(chosen, self._folder, self._learnt)
        return SMALL_CHOSEN.format(called(chosen, self._folder)) if small else ""

    def choices(self) -> Mapping[str, str]:
        """Return what can be chosen, as settings store it, with what a person reads."""
        found = {CHAT: IF_LARGE, NONE: NOBODY}
        for one in self._choices():
            if one.id != NOTEBOOK.id and not one.problem:
                small = is_small(one.id, self._folder, self._learnt)
                found[one.id] = SMALL.format(one.name) if small else one.name
        chosen = self._settings().extraction.learn_from
        return {**found, chosen: found.get(chosen) or called(chosen, self._folder)}

    def try_again(self) -> Changes:
        """Let a model that was given up be asked again."""
        self._trials.again()
        return Changes(models=True, profile=True)


def missing(value: str, folder: ModelsFolder) -> str:
    """Return in a sentence why there is no such model to learn from; empty where there is.

    A server is not asked: it may be off just now.
    """
    if not value.startswith("file:"):
        return ""
    try:
        known = gguf.check(folder.path(value))
    except ModelFileError as error:
        return str(error) if folder.path(value).exists() else UNKNOWN.format(value)
    return "" if known.role == "chat" else UNKNOWN.format(value)


class Allowance:
    """Keeps account of what models take, and lets none be used that is given up.

    Args:
        folder: The model files there are.
        learnt: What servers said of their models.
    """

    def __init__(
        self,
        trials: Trials,
        spending: Meter,
        settings: Callable[[], Settings],
        folder: ModelsFolder,
        learnt: ServerMemory,
    ) -> None:
        self._trials = trials
        self._spending = spending
        self._settings, self._folder, self._learnt = settings, folder, learnt

    def hindrance(self, info: ChatInfo) -> str:
        """Return in a sentence why background work may not use a model; empty where it may."""
        if self._trials.given_up(info.id):
            return _status(self._trials, self._settings(), self._folder, self._learnt).given_up
        return self._spending.hindrance(info)

    def note(self, interactive: bool, info: ChatInfo, use: ModelUse) -> None:
        """Note what a call took."""
        self._spending.note(interactive, info, use)


def _status(
    trials: Trials, settings: Settings, folder: ModelsFolder, learnt: ServerMemory
) -> LearnerStatus:
    found = who_learns(settings, folder, learnt)
    if found.id == NOTEBOOK.id:
        return LearnerStatus(found.id, why=found.why)
    failing = trials.given_up(found.id)
    how = failing.how if failing else None
    return LearnerStatus(found.id, called(found.id, folder), failed=how)
