"""The settings of models: a section of the table in ``spec.py``."""

from dataclasses import dataclass

from app.settings.types import Level, Where, setting

ADVANCED = Level.ADVANCED
HIDDEN = Level.HIDDEN


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which neural weights run, and how."""

    embedder: str = setting(
        "bundled",
        "Meaning model",
        "The model that finds memories by meaning. A change re-embeds everything.",
        level=HIDDEN,
    )
    embedder_url: str = setting(
        "https://api.openai.com/v1",
        "Embedding address",
        "Where to reach an OpenAI-compatible embedding model; used only when one is chosen.",
        level=ADVANCED,
    )
    sharing: str = setting(
        "",
        "What may leave this computer",
        "A rule for each connection, by its address; the models screen and `loci models share`"
        " change it.",
        level=HIDDEN,
    )
    context_tokens: int = setting(
        8192,
        "Context window",
        "How much of a conversation a model sees at once, if it can read that much.",
        minimum=512,
        maximum=131072,
        unit="tokens",
    )
    threads: int = setting(
        0,
        "Processor threads",
        "0 lets Loci choose: it measures once which number writes fastest on this computer.",
        minimum=0,
        maximum=64,
        level=ADVANCED,
        chosen="computer.threads",
    )
    rest_minutes: int = setting(
        10,
        "Unload an idle model",
        "Frees the memory of a model that has not been used for this long; 0 keeps it loaded.",
        minimum=0,
        maximum=1440,
        unit="minutes",
        level=ADVANCED,
    )
    gpu_layers: int = setting(
        -1,
        "Layers on the graphics card",
        "-1 puts as many there as fit; 0 keeps a model on the processor.",
        minimum=-1,
        maximum=999,
        level=ADVANCED,
    )
    mirror: str = setting(
        "https://huggingface.co",
        "Where models come from",
        "The address that models are downloaded from; a mirror must have them at the same paths. "
        "Whatever comes from there is verified against its checksum.",
        level=ADVANCED,
        where=Where.COMPUTER,
        address=True,
    )
