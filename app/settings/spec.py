"""The settings table: the one place where a setting is declared.

The settings pane, ``resources/docs/settings.md``, ``loci settings`` and the tests are all derived
from the classes below; those of models stand in ``models.py``, the reranker's in ``rerank.py``,
those of the ways of finding in ``lanes.py``, those of what Loci does by itself in ``upkeep.py``. A
setting's key is its path, such as ``rag.scoring.recency_alpha``.
"""

from dataclasses import dataclass
from enum import StrEnum

from app.settings.context import ContextSettings
from app.settings.dated import Dated
from app.settings.judge import JudgeSettings
from app.settings.lanes import EntityLane, Lanes
from app.settings.learning import CHAT
from app.settings.models import ModelSettings
from app.settings.rerank import RerankSettings
from app.settings.tools import ToolSettings
from app.settings.types import Level, Where, section, setting
from app.settings.upkeep import Cap, Compaction, Retention, Upkeep

ADVANCED = Level.ADVANCED
HIDDEN = Level.HIDDEN


class ColourScheme(StrEnum):
    """Colour scheme of the window."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Fusion(StrEnum):
    """What orders the finds of several lists."""

    RELEVANCE = "relevance"
    RANKS = "ranks"


@dataclass(frozen=True, slots=True)
class Chat:
    """Who answers, and how."""

    model: str = setting(
        "",
        "Who answers",
        "The model that writes the answers; empty until it is chosen at first run.",
        level=HIDDEN,
    )
    instructions: str = setting(
        "",
        "Instructions",
        "Given to the model before every conversation, such as how you like to be answered.",
        multiline=True,
    )
    temperature: float = setting(
        0.7, "Temperature", "Higher is more varied, lower more predictable.", minimum=0, maximum=2
    )
    max_answer_tokens: int = setting(
        1024, "Longest answer", "Answers stop here.", minimum=16, maximum=32768, unit="tokens"
    )
    block_after_history: bool = setting(
        True,
        "Memories beside the new message",
        "Put what Loci knows next to your new message; off puts it before the history.",
        level=ADVANCED,
        reference=False,
    )


@dataclass(frozen=True, slots=True)
class Extraction:
    """What Loci learns from what you say."""

    enabled: bool = setting(
        True,
        "Remember what I say",
        "Learn facts and preferences from your own words after each answer.",
        reference=False,
    )
    learn_from: str = setting(
        CHAT,
        "Learning model",
        "The model that picks out what Loci’s own reader misses: the one that answers where it is"
        " large enough, another, or none. Models below 3 billion parameters learn only where they"
        " are chosen here; one whose size neither its server nor its name gives counts as"
        " large enough.",
        chat_model=True,
        level=ADVANCED,
    )
    max_facts_per_turn: int = setting(
        5,
        "Facts per message",
        "The most that a model may propose from one message.",
        minimum=1,
        maximum=50,
        level=ADVANCED,
    )
    dedup_threshold: float = setting(
        0.8,
        "Similarity of a possible duplicate",
        "Two statements this alike in meaning are compared word by word.",
        minimum=0.5,
        maximum=1,
        step=0.01,
        level=ADVANCED,
        reference=0.9,
    )
    ask_first: bool = setting(
        False,
        "Ask before remembering",
        "What is learned in the background waits under “To review” until you accept it.",
    )
    plain_threshold: bool = setting(
        False,
        "Similarity alone decides",
        "Skip the comparison of words, as the reference preset does; corrections can get lost.",
        level=ADVANCED,
        reference=True,
    )


@dataclass(frozen=True, slots=True)
class MemorySection:
    """The store of memories."""

    wal_mode: bool = setting(
        True,
        "Write-ahead log",
        "Lets the window read while something is written. Takes effect at the next start.",
        level=ADVANCED,
        where=Where.COMPUTER,
    )
    compaction: Compaction = section(Compaction, "Compaction", "Thinning a crowded memory.")
    retention: Retention = section(Retention, "Retention", "How long memories live.")
    cap: Cap = section(Cap, "Keyed memories", "How many there may be.")


@dataclass(frozen=True, slots=True)
class Scoring:
    """How far each circumstance moves a score."""

    recency_alpha: float = setting(
        0.02,
        "Weight of recency",
        "Newer memories rank higher.",
        minimum=0,
        maximum=2,
        step=0.01,
        level=ADVANCED,
        reference=0.2,
    )
    temporal_alpha: float = setting(
        0.02,
        "Weight of event time",
        "Recent events rank higher.",
        minimum=0,
        maximum=2,
        step=0.01,
        level=ADVANCED,
        reference=0.2,
    )
    proof_alpha: float = setting(
        0.1, "Weight of proof", "Repeated facts rank higher.", minimum=0, maximum=2, level=ADVANCED
    )
    trust_alpha: float = setting(
        0.1,
        "Weight of trust",
        "Trusted memories rank higher.",
        minimum=0,
        maximum=2,
        level=ADVANCED,
    )
    usefulness_alpha: float = setting(
        0.1,
        "Weight of usefulness",
        "Memories that helped before rank higher, but never above what is trusted more.",
        minimum=0,
        maximum=2,
        level=ADVANCED,
    )


@dataclass(frozen=True, slots=True)
class Feedback:
    """Learning which memories helped."""

    enabled: bool = setting(
        False,
        "Learn what helps",
        "Note which memories an answer used: these rank a little higher, unused ones lower.",
        level=ADVANCED,
    )


@dataclass(frozen=True, slots=True)
class Rag:
    """How memories are found before every answer."""

    enabled: bool = setting(True, "Recall", "Look for memories before every answer.")
    max_results: int = setting(
        5,
        "Memories per answer",
        "The most memories that an answer may draw on.",
        minimum=0,
        maximum=50,
    )
    max_context_chars: int = setting(
        4000,
        "Room for memories",
        "The most text that memories may take up in the prompt.",
        minimum=0,
        maximum=100_000,
        unit="characters",
    )
    min_score: float = setting(
        0.0,
        "Lowest score",
        "On the combined scale from 0 to 1; weaker results are left out.",
        minimum=0,
        maximum=1,
        step=0.01,
        level=ADVANCED,
        reference=0.1,
    )
    floor: float = setting(
        0.3,
        "Nothing relevant",
        "When even the best result is less relevant than this, nothing is recalled.",
        minimum=0,
        maximum=1,
        step=0.01,
        level=ADVANCED,
        reference=0.0,
    )
    line_floor: float = setting(
        0.75,
        "Beside the point",
        "From the third result on, what is less relevant than this share of the first stays out of"
        " the prompt, except what matters for safety; 0 lets everything in.",
        minimum=0,
        maximum=1,
        step=0.05,
        level=ADVANCED,
        reference=0.0,
    )
    fusion: Fusion = setting(
        Fusion.RELEVANCE,
        "Order of results",
        "By how relevant a result is to your message, or by its ranks in the lists that found it.",
        choices={Fusion.RELEVANCE: "By relevance", Fusion.RANKS: "By ranks"},
        level=ADVANCED,
        reference=Fusion.RANKS,
    )
    late_interaction: bool = setting(
        True,
        "Compare word by word",
        "Order results by how well a text and its context answer each word of your message.",
        level=ADVANCED,
        reference=False,
    )
    candidates: int = setting(
        100,
        "Results considered",
        "How many results are considered before the best are taken; never fewer than are taken.",
        minimum=0,
        maximum=1000,
        level=ADVANCED,
        reference=0,
    )
    include_trust_levels: str = setting(
        "system, learned",
        "Trusted for prompts",
        "What you said includes what you confirmed. What comes from outside is always marked.",
        choices={
            "system": "What you confirmed",
            "system, learned": "What you said",
            "system, learned, external": "Everything",
        },
    )
    claims: bool = setting(
        True,
        "Use what imports claimed",
        "Statements from a file that was not written here, marked as such, and only where you said"
        " nothing about the same thing yourself.",
        reference=False,
    )
    messages: bool = setting(
        True,
        "Search past messages",
        "Find what was said, even where no memory was made of it.",
        reference=False,
    )
    scoring: Scoring = section(Scoring, "Scoring", "How far each circumstance moves a score.")
    time: Dated = section(Dated, "Times", 'Questions such as "What did I say last March?".')
    lanes: Lanes = section(Lanes, "Lanes", "The ways of finding.")
    rerank: RerankSettings = section(
        RerankSettings, "Reranking", "A second look at the best results."
    )
    entity_lane: EntityLane = section(EntityLane, "Entities", "The same people and places.")
    feedback: Feedback = section(Feedback, "Feedback", "Learning which memories helped.")


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks."""

    theme: ColourScheme = setting(
        ColourScheme.SYSTEM,
        "Theme",
        "Light, dark, or the same as the system.",
        choices={
            ColourScheme.SYSTEM: "Same as the system",
            ColourScheme.LIGHT: "Light",
            ColourScheme.DARK: "Dark",
        },
        where=Where.COMPUTER,
    )
    text_size: int = setting(
        14,
        "Text size",
        "Of messages and lists.",
        minimum=10,
        maximum=28,
        unit="px",
        where=Where.COMPUTER,
    )


@dataclass(frozen=True, slots=True)
class Computer:
    """What is true of this computer whoever uses it."""

    window: str = setting("", "Window", "Its place and size.", level=HIDDEN, where=Where.COMPUTER)
    last_profile: str = setting(
        "", "Last profile", "Opened at the next start.", level=HIDDEN, where=Where.COMPUTER
    )
    threads: int = setting(
        0,
        "Fastest threads",
        "Measured once.",
        minimum=0,
        maximum=1024,
        level=HIDDEN,
        where=Where.COMPUTER,
    )
    threads_machine: str = setting(
        "", "Measured on", "Another machine measures anew.", level=HIDDEN, where=Where.COMPUTER
    )
    welcomed: bool = setting(
        False, "Welcomed", "Whether first run is over for this profile.", level=HIDDEN
    )
    recovery_declined: bool = setting(False, "No recovery code", "Declined.", level=HIDDEN)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, by section."""

    chat: Chat = section(Chat, "Chat", "How answers are written.")
    models: ModelSettings = section(ModelSettings, "Models", "How models run on this computer.")
    context: ContextSettings = section(
        ContextSettings, "Context", "What a model is shown of a long conversation."
    )
    tools: ToolSettings = section(
        ToolSettings, "Tools", "What a model may do by itself while it answers."
    )
    judge: JudgeSettings = section(
        JudgeSettings, "Scores", "Marks that a model gives to answers, by criteria of yours."
    )
    extraction: Extraction = section(Extraction, "Memory", "What Loci learns, and how it is kept.")
    memory: MemorySection = section(MemorySection, "Memory", "How memories are kept.")
    upkeep: Upkeep = section(Upkeep, "Upkeep", "What Loci does by itself, and when.")
    rag: Rag = section(Rag, "Recall", "How memories are found before every answer.")
    appearance: Appearance = section(Appearance, "Appearance", "How the window looks.")
    computer: Computer = section(Computer, "Computer", "Kept by the program itself.")
