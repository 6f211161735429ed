"""Who learns beside Loci's own reader, and why the model that answers may not.

Small models copy examples, invent names and cost minutes a message: measured, those below three
billion parameters added more that was false than was right. Such a model learns only where the
person chose it for that very purpose. The size of a file stands in its header; that of a server's
model is what the server says, else what its name says. Where neither does, it is taken for large
enough.
"""

import re
from dataclasses import dataclass

from app.errors import EndpointError, ModelFileError
from app.providers.library import ModelsFolder
from app.providers.local import gguf
from app.providers.notebook import NOTEBOOK
from app.providers.remote.endpoint import normal_url
from app.providers.remote.learnt import ServerMemory
from app.providers.sharing import not_learning
from app.settings.learning import CHAT, NONE
from app.settings.spec import Settings

FEWEST = 3_000_000_000  # parameters
TOO_SMALL = (
    "{} is too small to learn reliably (below 3 billion parameters); Loci learns without a model."
)
_UNITS = {"b": 1_000_000_000, "m": 1_000_000}
# "qwen2.5:0.5b", "SmolLM2-135M"; neither "8x7b" nor the "1m" of a window of a million tokens.
_SIZE = re.compile(
    r"(?<![A-Za-z0-9.])(?:(\d{1,3}(?:\.\d{1,3})?)(b)|(\d{2,4})(m))(?![A-Za-z0-9])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Learner:
    """Who learns.

    Attributes:
        id: What settings call it; ``notebook`` where no model learns.
        why: Why the model that answers does not, in a sentence; empty where it does, or none was
            to.
    """

    id: str
    why: str = ""


def who_learns(settings: Settings, folder: ModelsFolder, learnt: ServerMemory) -> Learner:
    """Return who learns; nothing is loaded or asked for it."""
    wanted, answers = settings.extraction.learn_from, settings.chat.model
    if wanted == NONE:
        return Learner(NOTEBOOK.id)
    asked = answers if wanted == CHAT else wanted
    if why := not_learning(asked, settings.models.sharing):
        return Learner(NOTEBOOK.id, why)
    if wanted != CHAT:
        return Learner(wanted)
    if is_small(answers, folder, learnt):
        return Learner(NOTEBOOK.id, TOO_SMALL.format(called(answers, folder)))
    return Learner(answers or NOTEBOOK.id)


def is_small(choice_id: str, folder: ModelsFolder, learnt: ServerMemory) -> bool:
    """Return whether a chat model is known to be too small to learn reliably."""
    return 0 < parameters(choice_id, folder, learnt) < FEWEST


def parameters(choice_id: str, folder: ModelsFolder, learnt: ServerMemory) -> int:
    """Return how many numbers a chat model is made of; 0 where that is not known."""
    kind, _, rest = choice_id.partition(":")
    if kind == "server":
        address, _, name = rest.rpartition("#")
        return _said_by_server(address, name, learnt) or said_by_name(name)
    if kind != "file":
        return 0
    try:
        return gguf.check(folder.path(choice_id)).parameters
    except ModelFileError:
        return 0


def _said_by_server(address: str, name: str, learnt: ServerMemory) -> int:
    try:
        return learnt.of(normal_url(address), name).parameters
    except EndpointError:
        return 0


def said_by_name(name: str) -> int:
    """Return the number of parameters that a model's name says plainly; 0 where it says none."""
    found = _SIZE.findall(name)
    sizes = [float(b or m) * _UNITS[(unit_b or unit_m).lower()] for b, unit_b, m, unit_m in found]
    return round(max(sizes, default=0))


def called(choice_id: str, folder: ModelsFolder) -> str:
    """Return what a person calls a chat model."""
    if choice_id.startswith("server:"):
        return choice_id.rpartition("#")[2]
    return folder.path(choice_id).stem
