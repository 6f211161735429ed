"""The settings of the reranker: a section of the table in ``spec.py``."""

from dataclasses import dataclass
from enum import StrEnum

from app.settings.types import Level, setting

ADVANCED = Level.ADVANCED


class Reranking(StrEnum):
    """Whether a reranker re-orders what was found."""

    UNSET = "unset"
    ON = "on"
    OFF = "off"

    @classmethod
    def _missing_(cls, value: object) -> "Reranking | None":
        """Understand true and false, as files and other programs say it."""
        return {"true": cls.ON, "false": cls.OFF}.get(str(value).strip().lower())


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """The reranker: a model that reads your message and a find together."""

    enabled: Reranking = setting(
        Reranking.UNSET,
        "Reranking",
        "Automatic means on if the file is on this computer; “On” offers to download it once.",
        choices={
            Reranking.UNSET: "Automatic",
            Reranking.ON: "On",
            Reranking.OFF: "Off",
        },
        level=ADVANCED,
    )
    max_candidates: int = setting(
        40,
        "Results reranked",
        "How many of the best; fewer where this computer is too slow for all of them.",
        minimum=1,
        maximum=40,
        level=ADVANCED,
    )
    min_results: int = setting(
        1,
        "Fewest results to rerank",
        "Where fewer were found, their order stays.",
        minimum=1,
        maximum=100,
        level=ADVANCED,
    )
    timeout_ms: int = setting(
        800,
        "Time for reranking",
        "If it takes longer, it is dropped and the order stays as it was.",
        minimum=50,
        maximum=60_000,
        unit="ms",
        level=ADVANCED,
    )
    model: str = setting(
        "bge-reranker-v2-m3-Q8_0.gguf",
        "Reranker",
        "A reranking GGUF file in the models folder, or its full path.",
        level=ADVANCED,
    )
    threads: int = setting(
        4,
        "Threads of the reranker",
        "0 lets Loci choose.",
        minimum=0,
        maximum=64,
        level=ADVANCED,
    )
    gpu: str = setting(
        "auto",
        "Graphics card for the reranker",
        "Automatic uses it where there is one that llama.cpp can use.",
        choices={"auto": "Automatic", "off": "Off"},
        level=ADVANCED,
    )
