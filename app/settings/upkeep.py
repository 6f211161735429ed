"""The settings of what Loci does by itself, and of how memories are kept few: see ``spec.py``."""

from dataclasses import dataclass

from app.settings.types import Level, section, setting

ADVANCED = Level.ADVANCED
REFERENCE_DELETES = (
    "The reference preset deletes the oldest of too many memories for good, once they are summed"
    " up."
)


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Reading again what was said, with a model, for what was missed."""

    enabled: bool = setting(
        True,
        "Review conversations",
        "A model on this computer reads what was said for what was missed. A model elsewhere does"
        " so only if you allow it under Costs.",
        reference=True,
    )
    at: str = setting("02:00", "Reviewed at", "Time of day.", time_of_day=True, level=ADVANCED)
    min_messages: int = setting(
        5,
        "Shortest conversation",
        "Conversations with fewer new messages wait.",
        minimum=1,
        maximum=1000,
        unit="messages",
        level=ADVANCED,
    )
    max_conversations: int = setting(
        10,
        "Conversations a night",
        "The most that are read in one run, the longest waiting first.",
        minimum=1,
        maximum=1000,
        level=ADVANCED,
    )
    last_messages: int = setting(
        50,
        "Messages read",
        "How many of the newest unread messages of a conversation are read.",
        minimum=1,
        maximum=1000,
        unit="messages",
        level=ADVANCED,
    )
    max_tokens: int = setting(
        4096,
        "Room for one call",
        "Roughly how much the model is given at once.",
        minimum=256,
        maximum=131072,
        unit="tokens",
        level=ADVANCED,
    )
    dedup_threshold: float = setting(
        0.85,
        "Similarity of a duplicate",
        "In the reference preset, what is this alike counts as known.",
        minimum=0.5,
        maximum=1,
        step=0.01,
        level=Level.HIDDEN,
    )
    tags: str = setting("", "Tags", "Given to what a review finds, separated by commas.")


@dataclass(frozen=True, slots=True)
class ConsolidationSettings:
    """Folding what was said repeatedly into observations."""

    enabled: bool = setting(
        False,
        "Consolidate",
        "Fold statements about the same thing into one observation. You see each run as a list of"
        " changes and can revert it; the statements stay.",
    )
    at: str = setting("03:30", "Consolidated at", "Time of day.", time_of_day=True, level=ADVANCED)
    similarity_threshold: float = setting(
        0.82,
        "Similarity within one subject",
        "Statements this alike in meaning are folded together.",
        minimum=0.5,
        maximum=1,
        step=0.01,
        level=ADVANCED,
    )
    dedup_threshold: float = setting(
        0.9,
        "Similarity of an observation",
        "An observation worded this alike is renewed instead of being made twice.",
        minimum=0.5,
        maximum=1,
        step=0.01,
        level=ADVANCED,
    )
    max_candidates: int = setting(
        200, "Statements a night", "The oldest first.", minimum=2, maximum=10_000, level=ADVANCED
    )
    max_cluster: int = setting(
        12,
        "Statements folded together",
        "The most that become one observation.",
        minimum=2,
        maximum=100,
        level=ADVANCED,
    )
    max_clusters: int = setting(
        25,
        "Observations a night",
        "The most made in one run.",
        minimum=1,
        maximum=1000,
        level=ADVANCED,
    )
    max_tokens: int = setting(
        1024,
        "Longest reply",
        "The most a model may write for one observation.",
        minimum=64,
        maximum=8192,
        unit="tokens",
        level=ADVANCED,
    )
    include_external: bool = setting(
        False,
        "Fold memories from outside too",
        "What imports, documents and other programs said; never together with what you said.",
        level=ADVANCED,
    )
    tags: str = setting("", "Tags", "Given to observations, separated by commas.", level=ADVANCED)


@dataclass(frozen=True, slots=True)
class Dream:
    """Pruning, finding contradictions, and summarising, at night."""

    enabled: bool = setting(False, "Dream", "Tidy what is remembered, as set below.")
    at: str = setting("03:00", "Dreams at", "Time of day.", time_of_day=True, level=ADVANCED)
    prune_after_days: int = setting(
        90,
        "Forget what is stale",
        "What was neither changed nor used for this long is forgotten (you can restore it);"
        " 0 keeps everything. Pinned memories and safety facts stay.",
        minimum=0,
        maximum=36_500,
        unit="days",
    )
    contradictions: bool = setting(
        True,
        "Look for contradictions",
        "Mark memories that say different things about one subject.",
    )
    summarise: bool = setting(
        False,
        "Summarise",
        "Let a model condense many small entries of one kind into few. The originals are kept, and"
        " safety facts are left as they are.",
    )
    summarise_min_entries: int = setting(
        5,
        "Entries worth summarising",
        "Fewer are left alone.",
        minimum=2,
        maximum=1000,
        level=ADVANCED,
    )
    summarise_target_entries: int = setting(
        2,
        "Summaries of a group",
        "The most that replace it.",
        minimum=1,
        maximum=100,
        level=ADVANCED,
    )
    summarise_group_by: str = setting(
        "category",
        "Summarised together",
        "Entries of one category, or all of them.",
        choices={"category": "By category", "all": "All together"},
        level=ADVANCED,
    )
    max_cost: float = setting(
        0.5,
        "Most spent on one dream",
        "In your currency; summarising stops there, and 0 allows no model that costs anything.",
        minimum=0,
        maximum=1000,
        level=ADVANCED,
    )


@dataclass(frozen=True, slots=True)
class Compaction:
    """How a crowded memory is thinned."""

    enabled: bool = setting(
        False,
        "Compaction",
        "When there are too many memories, archive the oldest after summarising them. What is"
        " archived can still be searched, and restored. Safety facts stay.",
        reference=True,
    )
    threshold: int = setting(
        1000, "Most memories", "Compaction begins above this.", minimum=2, maximum=10_000_000
    )
    target_size: int = setting(
        500,
        "Memories left",
        "Compaction stops here; never above “Most memories”.",
        minimum=1,
        maximum=10_000_000,
        at_most="memory.compaction.threshold",
    )
    delete: bool = setting(
        False,
        "Delete instead of archiving",
        "The surplus is then deleted for good once it is summarised; nothing brings it back.",
        level=ADVANCED,
        reference=True,
    )


@dataclass(frozen=True, slots=True)
class Retention:
    """How long memories live."""

    max_age_days: int = setting(
        0,
        "Delete after",
        "Memories older than this are deleted for good, except pinned ones and safety facts, and"
        " what was summarised together with its summary; 0 keeps everything.",
        minimum=0,
        maximum=36_500,
        unit="days",
    )


@dataclass(frozen=True, slots=True)
class Cap:
    """How many keyed memories there may be."""

    max_entries: int = setting(
        0,
        "Most keyed memories",
        "Above this the oldest are archived; 0 sets no limit.",
        minimum=0,
        maximum=10_000_000,
        level=ADVANCED,
        reference=500,
    )


@dataclass(frozen=True, slots=True)
class Costs:
    """What models elsewhere may cost."""

    background: bool = setting(
        False,
        "Let background work use a model elsewhere",
        "Reviews and dreams then send what was said to the service that answers you, which may"
        " charge for it.",
    )
    prompt_price: float = setting(
        0.0,
        "Price of reading",
        "What your service charges for a million tokens sent, in your currency. Without a price, a"
        " model elsewhere is not used in the background.",
        minimum=0,
        maximum=10_000,
    )
    completion_price: float = setting(
        0.0,
        "Price of writing",
        "What it charges for a million tokens of answers.",
        minimum=0,
        maximum=10_000,
    )
    monthly_cap: float = setting(
        5.0,
        "Most spent by background work in a month",
        "At this, background work stops using the model until the next month; 0 allows nothing.",
        minimum=0,
        maximum=100_000,
    )


@dataclass(frozen=True, slots=True)
class Backups:
    """Encrypted copies of the vault, which lie beside it and open as it does."""

    enabled: bool = setting(
        True,
        "Back up every day",
        "An encrypted copy of the vault, checked by opening it. What you erase is erased from"
        " backups too.",
    )
    at: str = setting("12:30", "Backed up at", "Time of day.", time_of_day=True, level=ADVANCED)
    daily: int = setting(
        7,
        "Daily backups",
        "For how many days back one backup a day is kept.",
        minimum=1,
        maximum=366,
    )
    weekly: int = setting(
        4,
        "Weekly backups",
        "And for how many weeks back one a week is kept.",
        minimum=0,
        maximum=520,
    )


@dataclass(frozen=True, slots=True)
class Upkeep:
    """When Loci works by itself."""

    paused: bool = setting(
        False,
        "Pause everything",
        "Nothing runs by itself until you turn this off; what you start yourself still runs.",
    )
    idle_minutes: int = setting(
        5,
        "Wait until you are idle",
        "Nightly work starts once you have written nothing for this long.",
        minimum=0,
        maximum=240,
        unit="minutes",
    )
    mains_only: bool = setting(
        True, "Only on mains power", "Nightly work waits while the computer runs on battery."
    )
    review: ReviewSettings = section(ReviewSettings, "Review", "Reading again what was said.")
    consolidation: ConsolidationSettings = section(
        ConsolidationSettings, "Consolidation", "Folding repetition."
    )
    dream: Dream = section(Dream, "Dream", "Tidying at night.")
    backups: Backups = section(Backups, "Backups", "Copies of the vault, made automatically.")
    costs: Costs = section(Costs, "Costs", "What models elsewhere may cost.")
