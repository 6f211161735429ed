"""Which models can be had, and how well each would run on this computer."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.model import ModelRole

WELL_TOKENS_PER_SECOND = 5.0  # about as fast as a person reads
RESERVED_BYTES = 1_000_000_000  # what the system and Loci itself take
CORE_BYTES_PER_SECOND = 3_500_000_000  # of weights, measured with 0.5 B and 1.5 B on two cores
MOST_BYTES_PER_SECOND = 30_000_000_000  # more cores wait for the memory
UNTRIED = "It is chosen, but it could not be tried"
_OWN = "LicenseRef-"


class Fit(StrEnum):
    """How well a model would run."""

    WELL = "runs well"
    ENOUGH = "fits into memory"
    SLOW = "slow"
    BUSY = "memory in use"
    NONE = "does not fit"


@dataclass(frozen=True, slots=True)
class Machine:
    """What matters of a computer.

    Attributes:
        memory_bytes: How much memory it has.
        free_bytes: How much of it no program uses now.
        cores: How many processor cores it has.
    """

    memory_bytes: int
    free_bytes: int
    cores: int


@dataclass(frozen=True, slots=True)
class Offered:
    """A model that can be downloaded.

    Attributes:
        maker: Who made it; somebody else may have put it into one file.
        licence: An SPDX id, or ``LicenseRef-NAME`` where the maker has terms of its own.
        context_length: Tokens it was made for.
        context_bytes: What a token of the context takes in memory; 0 where nothing is kept.
        languages: Such as ``29 languages``.
        good_for: ``answers``, ``learning``, ``tools``, ``meaning`` or ``reranking``.
        repository: Where it lies on the hub, at ``revision``, a commit of 40 hexadecimal digits.
        note: What else there is to know, or empty.
    """

    id: str
    name: str
    maker: str
    role: ModelRole
    architecture: str
    parameters: int
    bytes: int
    context_length: int
    languages: str
    good_for: tuple[str, ...]
    licence: str
    licence_url: str
    repository: str
    revision: str
    file: str
    sha256: str
    context_bytes: int = 0
    note: str = ""

    @property
    def own_licence(self) -> bool:
        """Whether it comes under terms of its maker's own."""
        return self.licence.startswith(_OWN)

    @property
    def licence_name(self) -> str:
        """What people call the licence."""
        return (
            self.licence.removeprefix(_OWN).replace("-", " ")
            if self.own_licence
            else (self.licence)
        )


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A model of the catalogue, seen from this computer.

    Attributes:
        memory_bytes: About what it needs in memory with all of its context.
        recommended: Whether it is the best that runs well here.
        present: Whether the whole file is in the models folder.
        unchecked: Whether that file was not held against its checksum yet, only against its size.
        aside: Where another file of its name is there, what a download will call that; else empty.
        fetched: How many bytes a download brought that was not finished.
        in_use: Whether it is the model in use.
    """

    offered: Offered
    memory_bytes: int
    fit: Fit
    recommended: bool = False
    present: bool = False
    unchecked: bool = False
    aside: str = ""
    fetched: int = 0
    in_use: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """One answer of a model, to see how fast it is.

    Attributes:
        tokens_per_second: How fast it wrote; 0 where it wrote too little to tell.
        seconds: How long it took in all, loading included.
    """

    text: str
    tokens_per_second: float
    seconds: float


def parameter_words(count: int) -> str:
    """Return how many parameters a model has, such as ``1.5 billion parameters``."""
    large = f"{count / 1e9:.1f} billion" if count >= 999_500_000 else f"{count / 1e6:.0f} million"
    return f"{large} parameters"


def fit(file_bytes: int, needed_bytes: int, machine: Machine, role: ModelRole) -> Fit:
    """Return how well a model would run.

    Each token that is written reads all weights once, so the size of the file and the cores say how
    fast that can be. One that only reads is judged by its memory alone.
    """
    if needed_bytes > machine.memory_bytes - RESERVED_BYTES:
        return Fit.NONE
    if needed_bytes > machine.free_bytes:
        return Fit.BUSY
    if role is not ModelRole.CHAT:
        return Fit.ENOUGH
    pace = min(machine.cores * CORE_BYTES_PER_SECOND, MOST_BYTES_PER_SECOND)
    return Fit.WELL if pace / file_bytes >= WELL_TOKENS_PER_SECOND else Fit.SLOW


def ranked(candidates: Sequence[CatalogueModel]) -> list[CatalogueModel]:
    """Return models in the order in which to look at them.

    First what runs well, in the order of the catalogue, which has the better before the others;
    then what is slow, the fastest first; then what would fit if other programs were closed, and
    what never fits.
    """
    order = list(Fit)
    return sorted(
        candidates,
        key=lambda c: (order.index(c.fit), c.offered.bytes if c.fit is Fit.SLOW else 0),
    )
