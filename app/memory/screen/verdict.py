"""Judge a text that is about to be remembered: clean, suspicious, or refused, and say why."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.memory.screen import hidden
from app.memory.screen.patterns import ADDRESSED, DANGEROUS, ORDERS, matched

UNSEEN = "text that cannot be seen"
DISGUISED = "letters in disguise"


class Verdict(StrEnum):
    """What may be done with a text."""

    CLEAN = "clean"
    SUSPICIOUS = "suspicious"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and what it rests on.

    Attributes:
        names: What was found, in words that a person understands.
    """

    verdict: Verdict
    names: tuple[str, ...] = ()


def judge(texts: Iterable[str], *, typed: bool) -> Judgement:
    """Judge the texts of one memory together.

    Args:
        texts: Its text, and the words that it rests on.
        typed: Whether they are the person's own words. Those may be orders, since it is for the
            person to say how they want things done.
    """
    whole = "\n\n".join(text for text in texts if text)
    readings = hidden.readings(whole)
    if names := tuple(matched(DANGEROUS, readings)):
        return Judgement(Verdict.REFUSED, names)
    found = [UNSEEN] if hidden.hidden(whole) else []
    found += [DISGUISED] if hidden.disguised(whole) else []
    for group in (ADDRESSED,) if typed else (ADDRESSED, ORDERS):
        found += matched(group, readings)
    verdict = Verdict.SUSPICIOUS if found else Verdict.CLEAN
    return Judgement(verdict, tuple(dict.fromkeys(found)))
