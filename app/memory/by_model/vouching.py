"""Find the person's own words that what a model writes down rests on.

What a model was told by nobody waits for the person. It rests on a message where that says the same
to the judge of statements, or has every word of it and denies none.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from app.domain.conversation import Message, Role
from app.domain.memory import Evidence
from app.errors import Refused
from app.memory.learn.entailment import Entailment, keeps
from app.memory.text.novelty import NOT, content
from app.memory.text.sentences import Sentence, sentences
from app.providers.base import Understanding
from app.store.store import Store

SET_ASIDE = "The user does not want that message to be remembered."
WAITS = "An assistant wrote it down, and it is not in your words."
_ORDER = re.compile(r"\b(?:remember|note|save|store|keep in mind)\b", re.IGNORECASE)
_LOOKED_AT = 12  # messages before, the assistant's among them
_JUDGED = 2  # messages
_LONGEST = 1000
_WORD = re.compile(r"[^\W_]+(?:[.,:'’/-][^\W_]+)*")

Told = Sequence[tuple[Message, Sequence[Sentence]]]


class Vouching:
    """Compares what a model writes with what the person typed."""

    def __init__(self, store: Store, models: Callable[[], Understanding]) -> None:
        self._messages = store.messages
        self._entailment = Entailment(models)

    def words(self, text: str, message_id: str, said: str = "") -> Evidence | None:
        """Return the words of the person that support a text; None where none do.

        Args:
            text: What is to be remembered.
            message_id: The message that is being answered; those shortly before it count too.
            said: What of the text they have to hold word for word, unless the judge knows better.
        """
        told = self._statements(message_id)
        if found := _word_for_word(told, text, content(said or text).words):
            return found
        recent = told[:_JUDGED]
        pairs = [(" ".join(one.quote for one in statements), text) for _, statements in recent]
        for (message, _), holds in zip(recent, self._entailment.supported(pairs), strict=True):
            if holds:
                return Evidence(message.typed[:_LONGEST], message.created_at, message.id)
        return None

    def change(self, old: str, new: str, message_id: str) -> Evidence | None:
        """Return the words of the person that support another text for a memory; None where none.

        What a text says that was known before need not be said again.
        """
        if found := self.words(new, message_id):
            return found
        known = {word.casefold() for word in _WORD.findall(old)}
        said = " ".join(word for word in _WORD.findall(new) if word.casefold() not in known)
        if _denies(old) != _denies(new):
            return None
        return _word_for_word(self._statements(message_id), said, content(said).words)

    def expect_not_aside(self, text: str, message_id: str) -> None:
        """Go on only where a text that nobody vouches for does not tell what was set aside.

        Raises:
            Refused: It has words that stand in a message of which nothing is to be remembered.
        """
        wanted = content(text).words
        for message, _ in self._statements(message_id, aside=True):
            if wanted & (content(message.typed).words - {NOT}):
                raise Refused(SET_ASIDE)

    def _statements(self, message_id: str, *, aside: bool = False) -> Told:
        said = (one for one in self._told(message_id) if one.aside is aside)
        told = ((one, _stated(one.typed[:_LONGEST])) for one in said)
        return [(message, statements) for message, statements in told if statements]

    def _told(self, message_id: str) -> Iterator[Message]:
        """Yield what the person said, the message that is answered first."""
        yield self._messages.get(message_id)
        for message in reversed(self._messages.before(message_id, _LOOKED_AT)):
            if message.role is Role.USER:
                yield message


def _word_for_word(told: Told, text: str, wanted: frozenset[str]) -> Evidence | None:
    """Return the first words that have all that is wanted, and deny it where the text does."""
    for message, statements in told:
        quote = _quote(message.typed[:_LONGEST], statements, wanted)
        if quote and keeps(quote, text) and _denies(quote) == _denies(text):
            return Evidence(quote, message.created_at, message.id)
    return None


def _denies(text: str) -> bool:
    return NOT in content(text).words


def _stated(typed: str) -> list[Sentence]:
    """Return the sentences of a message that state something in the person's own words.

    What was quoted or pasted into it is not theirs, and a question states nothing, unless it asks
    for something to be remembered.
    """
    found = sentences(typed)
    return [one for one in found if not one.question or _ORDER.search(one.text)]


def _quote(typed: str, stated: Sequence[Sentence], wanted: frozenset[str]) -> str:
    """Return what of a message has every wanted word; empty where it lacks one."""
    having = {one.quote: content(one.text).words & wanted for one in stated}
    for quote, words in having.items():
        if wanted and words == wanted:
            return quote
    return typed if wanted and frozenset[str]().union(*having.values()) == wanted else ""
