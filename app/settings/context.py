"""The settings of what a model is shown of a long conversation: see ``spec.py``."""

from dataclasses import dataclass
from enum import StrEnum

from app.settings.types import Level, setting

ADVANCED = Level.ADVANCED


class Engine(StrEnum):
    """How a conversation that outgrows the model's window is shown to it."""

    DAG = "dag"
    PIPELINE = "pipeline"


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """What a model is shown of a conversation that it cannot read whole."""

    engine: Engine = setting(
        Engine.DAG,
        "Long conversations",
        "Sum up what was said long ago, so that the model still knows of it, or show it only the"
        " latest messages. Either way every word is kept.",
        choices={Engine.DAG: "Sum up", Engine.PIPELINE: "Latest only"},
    )
    fresh_tail: int = setting(
        8,
        "Never summed up",
        "So many of the latest messages are always shown word for word.",
        minimum=1,
        maximum=100,
        unit="messages",
        level=ADVANCED,
    )
    threshold: float = setting(
        0.75,
        "Summed up from",
        "The share of the model’s window that a conversation fills before it is summed up.",
        minimum=0.1,
        maximum=1,
        step=0.05,
        level=ADVANCED,
    )
    leaf_chunk: int = setting(
        20_000,
        "Summed up at once",
        "The most that one summary stands for.",
        minimum=100,
        maximum=1_000_000,
        unit="tokens",
        level=ADVANCED,
    )
    leaf_target: int = setting(
        1200,
        "Length of a summary",
        "Of messages.",
        minimum=32,
        maximum=100_000,
        unit="tokens",
        level=ADVANCED,
    )
    condensed_target: int = setting(
        2000,
        "Length of a summary of summaries",
        "Where several summaries are made one.",
        minimum=32,
        maximum=100_000,
        unit="tokens",
        level=ADVANCED,
    )
    fanout: int = setting(
        4,
        "Summaries made one",
        "So many summaries in a row are summed up again; two where the window is full.",
        minimum=2,
        maximum=100,
        level=ADVANCED,
    )
    with_model: bool = setting(
        True,
        "Let the learning model sum up",
        "Off, and where none learns, Loci picks the sentences that say most.",
        level=ADVANCED,
    )
    hourly_tokens: int = setting(
        500_000,
        "Most in an hour",
        "What summing up may have models read and write.",
        minimum=0,
        maximum=1_000_000_000,
        unit="tokens",
        level=ADVANCED,
    )
    daily_tokens: int = setting(
        5_000_000,
        "Most in a day",
        "What summing up may have models read and write.",
        minimum=0,
        maximum=1_000_000_000,
        unit="tokens",
        level=ADVANCED,
    )
    expand_tokens: int = setting(
        4000,
        "Read back at once",
        "The most that a model may read of what a summary stands for in one go.",
        minimum=100,
        maximum=1_000_000,
        unit="tokens",
        level=ADVANCED,
    )
