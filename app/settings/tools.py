"""The settings of what a model may do in a conversation: see ``spec.py``."""

from dataclasses import dataclass
from enum import StrEnum

from app.settings.types import Level, setting

ADVANCED = Level.ADVANCED


class ToolPolicy(StrEnum):
    """Which models are offered tools."""

    LARGE = "large"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What a model may do by itself while it answers."""

    offered: ToolPolicy = setting(
        ToolPolicy.LARGE,
        "Who is offered tools",
        "Let the model look things up in the conversation while it answers. Models below 3 billion"
        " parameters answer worse with tools than without.",
        choices={
            ToolPolicy.LARGE: "Larger models",
            ToolPolicy.ALWAYS: "All models",
            ToolPolicy.NEVER: "None",
        },
    )
    memory: bool = setting(
        True,
        "Tools for memory",
        "Let the model look things up in memory and keep, change or forget something when you ask"
        " it to. What it writes is shown with Undo, like everything that is remembered.",
    )
    most_rounds: int = setting(
        8,
        "Rounds of calls",
        "After so many the model has to answer.",
        minimum=1,
        maximum=64,
        level=ADVANCED,
    )
