"""What is said of others stays when somebody or something is to be forgotten.

Of a memory that says several things only what is meant goes; one that matters for the safety of
others and cannot be cut, or that may be of somebody of the same first name, is asked about.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from app.domain.language.text import normalise
from app.domain.memory import SAFETY, Memory
from app.domain.reply import OrderTarget
from app.memory.reading.words import words
from app.memory.text.parts import parts, without
from app.memory.text.whom import people, role, roles

_NAME = re.compile(r"(?<=[^\W_] )[A-Z][^\W_]*")


def sparing(whom: frozenset[str], meant: OrderTarget) -> OrderTarget:
    """Ask about what matters for the safety of others too, and goes as a whole or not at all."""
    spared = [
        memory
        for memory in meant.clear
        if SAFETY in memory.tags and memory.id not in meant.left and names_others(whom, memory.text)
    ]
    clear = [memory for memory in meant.clear if memory not in spared]
    return replace(meant, clear=clear, doubtful=[*spared, *meant.doubtful])


def names_others(whom: frozenset[str], text: str) -> bool:
    """Return whether a text names somebody besides those who are meant."""
    return bool(whom) and any(whom.isdisjoint(one) for one in people(text))


def is_of_others(whom: frozenset[str], text: str) -> bool:
    """Return whether a text names others, and none of those who are meant."""
    named = people(text)
    return bool(whom and named) and all(whom.isdisjoint(one) for one in named)


def is_of_another(name: str, text: str) -> bool:
    """Return whether a text gives a first name that it shares another second one: Marta Kurek."""
    first, *others = name.split()
    if not others or any(re.search(rf"\b{re.escape(other)}", text, re.I) for other in others):
        return False
    return bool(re.search(rf"\b{re.escape(first)}\s+[^\W\d_a-z]", text))


def is_of_namesake(target: str, names: Sequence[str], text: str, known: Iterable[Memory]) -> bool:
    """Return whether a text gives a first name to somebody who may be another than is meant.

    "My colleague Ruth Bell" may be another than "my mum" who is called Ruth: she is said to be
    something else, or has a second name that nothing gives the mum.

    Args:
        target: Who is meant, as what: "my mum".
        names: What they are known to be called.
        text: The text.
        known: What else tells of them.
    """
    meant = {role(word) for word in normalise(target).split()}
    firsts = [name for name in (*names, *_NAME.findall(target)) if len(name.split()) == 1]
    for first in firsts:
        told = roles(text, first)
        if meant & told or not meant - {first.casefold()} - words().my:
            continue
        own = {s for m in known if meant & roles(m.text, first) for s in _surnames(first, m.text)}
        if told or _surnames(first, text) - own:
            return True
    return False


def _surnames(first: str, text: str) -> set[str]:
    """Return the second names that a text gives somebody of a first name."""
    return set(re.findall(rf"\b{re.escape(first)}\s+([^\W\d_a-z][\w-]+)", text))


def rest(text: str, over: Callable[[Sequence[str]], list[bool]], *, fine: bool) -> str:
    """Return what stays of a text; empty where nothing of it stands alone.

    Args:
        text: The text.
        over: Tells which of some parts go.
        fine: Whether to cut it at every comma, where it cannot be cut else.
    """
    said = parts(text)
    left = without(text, said, over(said)) if len(said) > 1 else ""
    if left or not fine:
        return left
    said = parts(text, fine=True)
    left = without(text, said, over(said)) if len(said) > 1 else ""
    verbs = words().doing | words().saying
    return left if not verbs.isdisjoint(left.lower().split()) else ""  # no "Max 2.5 ml"
