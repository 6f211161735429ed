"""Why a find stands where it stands: values, and the one place that turns them into words."""

from enum import StrEnum
from typing import NamedTuple


class ReasonKind(StrEnum):
    """What a reason tells; how it is worded stands below, kind by kind."""

    SAID = "said"  # words of an older trace that hold no values
    PLACE = "place"
    FUSED = "fused"
    MEASURE = "measure"
    FACTOR = "factor"
    SHARED_NAMES = "shared_names"
    CAUSE = "cause"
    PINNED = "pinned"
    DAYS_APART = "days_apart"
    BESIDE = "beside"
    IN_TIME = "in_time"
    DAYS_OFF = "days_off"
    TIME_ALONE = "time_alone"
    ONLY_ASKS = "only_asks"
    CLOSES_ASKING = "closes_asking"
    UNKNOWN = "unknown"
    IMPERSONAL = "impersonal"
    UNREAD = "unread"
    DOUBTED = "doubted"
    LESS_TRUSTED = "less_trusted"
    REPLACED = "replaced"
    PREFERRED = "preferred"
    LEARNT_FROM = "learnt_from"
    STANDS_FOR = "stands_for"
    SAFETY = "safety"
    KEPT_IN_MIND = "kept_in_mind"
    MEANT = "meant"
    PERHAPS_MEANT = "perhaps_meant"
    STAYS = "stays"
    SMALL_TALK = "small_talk"
    BEST_TOO_LOW = "best_too_low"
    TOO_LOW = "too_low"
    BELOW_FIRST = "below_first"
    UNTRUSTED = "untrusted"
    SAME_WORDS = "same_words"
    MEMORY_MADE = "memory_made"
    OBSERVED = "observed"
    OWN_WORD = "own_word"
    NO_ROOM = "no_room"
    MORE_HISTORY = "more_history"
    PROMPT_FULL = "prompt_full"
    OUTDATED = "outdated"
    KEPT_HERE = "kept_here"


class Reason(NamedTuple):
    """One reason; a thousand are made in a recall, so it is a tuple.

    Attributes:
        name: What is placed, measured or multiplied: a lane, a measure, a factor, a trust.
        numbers: The rank, the measure or the factor, in the order in which they are worded.
        text: What comes from the question: names, or a time; what an erasure may have to find.
    """

    kind: ReasonKind
    name: str = ""
    numbers: tuple[float, ...] = ()
    text: str = ""


WORDS, MEANING, RELEVANCE = "words", "meaning", "relevance"
OWN_WORDS, AROUND, LATE, RERANKED = "own words", "around", "late interaction", "reranked"
_PRECISE = frozenset({RELEVANCE, LATE, RERANKED})
_MEASURED = {
    ReasonKind.SHARED_NAMES: "shares names with another result",
    ReasonKind.CAUSE: "cause or effect of another result",
    ReasonKind.PINNED: "pinned",
}
_NO_NUMBERS = (0.0, 0.0, 0.0)  # for what a damaged row lacks
_TEMPLATES = {
    ReasonKind.SAID: "{text}",
    ReasonKind.PLACE: "{name} #{0:.0f}",
    ReasonKind.FUSED: "fused {0:.3f}",
    ReasonKind.FACTOR: "{name} ×{0:.3f}",
    ReasonKind.DAYS_APART: "{days} from another result {1:.2f}",
    ReasonKind.BESIDE: "next to a result",
    ReasonKind.IN_TIME: "within {text} ×{0:.2f}",
    ReasonKind.DAYS_OFF: "{days} from {text} ×{1:.2f}",
    ReasonKind.TIME_ALONE: "that time is all that was asked for",
    ReasonKind.ONLY_ASKS: "only asks ×{0:g}",
    ReasonKind.CLOSES_ASKING: "closes with a question ×{0:g}",
    ReasonKind.UNKNOWN: "nothing is known of {text}",
    ReasonKind.IMPERSONAL: "asks about nobody's life −{0:.2f}",
    ReasonKind.UNREAD: "the embedder hardly knows these words: those not shared count half",
    ReasonKind.DOUBTED: "a later line says otherwise",
    ReasonKind.LESS_TRUSTED: "a more trusted line says otherwise",
    ReasonKind.REPLACED: "replaced since",
    ReasonKind.PREFERRED: "preferred to a result that says otherwise",
    ReasonKind.LEARNT_FROM: "the message it was learned from was found as well",
    ReasonKind.STANDS_FOR: "stands for {0:.0f} of what it was drawn from",
    ReasonKind.SAFETY: "matters for safety",
    ReasonKind.KEPT_IN_MIND: "pinned, so it stands with the instructions",
    ReasonKind.MEANT: "meant by what you asked",
    ReasonKind.PERHAPS_MEANT: "perhaps meant by what you asked",
    ReasonKind.STAYS: "said beside what you asked to have forgotten",
    ReasonKind.SMALL_TALK: "small talk asks for nothing",
    ReasonKind.BEST_TOO_LOW: "the best result has {0:.2f} of the {1:.2f} needed",
    ReasonKind.TOO_LOW: "relevance {0:.2f} is below {1:.2f}",
    ReasonKind.BELOW_FIRST: "relevance {0:.2f} is below {1:g} of the first result's {2:.2f}",
    ReasonKind.UNTRUSTED: "{name} is left out",
    ReasonKind.SAME_WORDS: "another result has the same words",
    ReasonKind.MEMORY_MADE: "a memory made from it was found as well",
    ReasonKind.OBSERVED: "an observation holds it",
    ReasonKind.OWN_WORD: "you said something on this yourself",
    ReasonKind.NO_ROOM: "better results filled the room",
    ReasonKind.MORE_HISTORY: "more of what was replaced says more about this",
    ReasonKind.PROMPT_FULL: "the lines before it filled the room for memories",
    ReasonKind.OUTDATED: "a newer one answers this now",
    ReasonKind.KEPT_HERE: "what may go to this service leaves it out",
}


def measure(name: str, value: float) -> Reason:
    """Return that something was measured of a find."""
    return Reason(ReasonKind.MEASURE, name, (value,))


def factor(name: str, value: float) -> Reason:
    """Return that a score was multiplied."""
    return Reason(ReasonKind.FACTOR, name, (value,))


def measured(reason: Reason) -> tuple[str, str]:
    """Return what was measured, and the figure as it is shown; twice nothing for other reasons."""
    name = reason.name if reason.kind is ReasonKind.MEASURE else _MEASURED.get(reason.kind, "")
    if not name:
        return "", ""
    (value, *_) = (*reason.numbers, *_NO_NUMBERS)
    return name, f"{value:.3f}" if name in _PRECISE else f"{value:.2f}"


def words(reason: Reason) -> str:
    """Return a reason in words."""
    if (told := measured(reason))[0]:
        return " ".join(told)
    numbers = (*reason.numbers, *_NO_NUMBERS)
    days = "1 day" if f"{numbers[0]:.0f}" == "1" else f"{numbers[0]:.0f} days"
    return _TEMPLATES[reason.kind].format(*numbers, days=days, name=reason.name, text=reason.text)
