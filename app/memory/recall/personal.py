"""Tell a question about somebody's life from one about the world.

What no memory answers ("How do vaccines work?") still shares a word with something that was said.
The bundled embedder carries a logistic regression for this, fitted to questions of both kinds
(``packaging/models/train_personal.py``). Where an embedder has none, the words alone decide.
"""

from collections.abc import Collection

import numpy as np

from app.memory.text.query import every_word
from app.providers.base import Embedding, Personal

# The kinds of words that count, in the order of ``Personal.words``; the last is a known name.
KINDS = tuple(
    frozenset(kind.split())
    for kind in (
        "my mine myself our ours",
        "i me we us",
        "he she his her him they their them hers theirs",
        "did was were had",
    )
)
BY_WORDS = 0.07
STEP, SURE, MOST = 0.1, 0.2, 2.0


def signs(text: str, *, known: bool) -> list[float]:
    """Return whether a question has words of each kind, and names somebody known; 1 or 0 each."""
    words = every_word(text)
    return [*(float(not kind.isdisjoint(words)) for kind in KINDS), float(known)]


def lowered(
    text: str, known: Collection[str], question: Embedding, personal: Personal | None
) -> float:
    """Return by how much relevance is lowered for a question; 0 where it is about somebody.

    Args:
        text: The question.
        known: The names in it of whom something has been said.
        question: The same, embedded.
        personal: What the embedder tells the two apart by, if it does.
    """
    found = signs(text, known=bool(known))
    if personal is None:
        return 0.0 if any(found) else BY_WORDS
    logit = personal.bias + np.dot(personal.words, found)
    logit += np.dot(np.asarray(personal.vector, np.float32), question.vector)
    return STEP * float(np.clip(SURE - logit, 0.0, MOST))
