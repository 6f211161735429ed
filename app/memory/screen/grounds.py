"""See whether what a model wrote rests on the person's own words, and on nobody else's.

A quote has to be what they typed in that message. And no word of a memory may come from what was
pasted, attached or fetched beside it, nor a name or a number from an answer: that is how a text
that nobody vouched for is passed off as something the person said.
"""

import re
from collections.abc import Sequence
from functools import cache

from app.domain.conversation import Message, PartOrigin, Role
from app.domain.language.text import normalise
from app.domain.memory import Evidence
from app.errors import NotFound
from app.store.messages import Messages

NOT_SAID = "words that are not yours, given as yours"
NOT_DRAWN = "words that none of its sources has"
_NEAR = 20
_AROUND = 1000  # characters
_APOSTROPHES = str.maketrans("’‘“”", "''\"\"")
_NUMBER = r"\d+(?:[.,:]\d+)*"
_PART = re.compile(rf"{_NUMBER}|[^\W\d_][\w'’-]*")
# A capital that begins no sentence makes a name.
_NAME_OR_NUMBER = re.compile(rf"{_NUMBER}|(?<=[\w,;“\"(] )[^\W\d_a-zà-ÿ][\w'’-]+")


class Grounds:
    """Reads the messages that memories rest on."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def against(self, text: str, evidence: Sequence[Evidence]) -> list[str]:
        """Return what speaks against a text that a model wrote; mostly nothing.

        Args:
            text: What the memory says.
            evidence: What it is said to rest on; what names no message cannot be checked.
        """
        for item in evidence:
            if item.quote and item.message_id and not self._holds(text, item):
                return [NOT_SAID]
        return []

    def around(self, evidence: Sequence[Evidence]) -> str:
        """Return what the person typed around the quotes that a memory rests on."""
        found = []
        for item in evidence:
            try:
                typed = self._messages.get(item.message_id).typed if item.message_id else ""
            except NotFound:
                continue
            at = max(0, typed.find(item.quote))
            found.append(typed[max(0, at - _AROUND) : at + len(item.quote) + _AROUND])
        return "\n\n".join(dict.fromkeys(found))

    def _holds(self, text: str, item: Evidence) -> bool:
        try:
            message = self._messages.get(item.message_id or "")
        except NotFound:
            return True  # it was erased since; nothing says otherwise
        if not _typed_in(message, item.quote):
            return False
        earlier = self._messages.before(message.id, _NEAR)
        later = self._messages.after(message.conversation_id, message.pk, _NEAR)
        return not _borrowed(text, [*earlier, message, *later])


def drawn_from(text: str, sources: Sequence[str]) -> bool:
    """Return whether most of what a text says is said by those that it was drawn from."""
    from app.memory.text.novelty import content

    said = {word for word in content(text).words if word[0] != "<"}
    known = frozenset[str]().union(*(content(source).words for source in sources))
    return 2 * len(said & known) > len(said) or not said


def _typed_in(message: Message, quote: str) -> bool:
    """Return whether the person typed a quote, apart from what was left out of it."""
    from app.memory.screen.redaction import redact

    wanted = normalise(quote.translate(_APOSTROPHES))
    typed = message.typed.translate(_APOSTROPHES)
    return wanted in normalise(typed) or wanted in normalise(redact(typed).text)


def _borrowed(text: str, messages: Sequence[Message]) -> bool:
    """Return whether a text has words that only others wrote."""
    from app.memory.text.novelty import content

    text = _date().sub(" ", text)  # days are worked out, from "last Friday"
    own = "\n".join(message.typed for message in messages if message.role is Role.USER)
    foreign = "\n".join(_foreign(message) for message in messages)
    answers = "\n".join(m.text for m in messages if m.role is not Role.USER)
    new = {word for word in content(text).words - content(own).words if word[0] != "<"}
    if new & content(foreign).words:
        return True
    told = {hit.casefold() for hit in _NAME_OR_NUMBER.findall(answers)}
    return bool((_parts(text) - _parts(own)) & told)


def _parts(text: str) -> set[str]:
    return {hit.casefold() for hit in _PART.findall(text)}


@cache
def _date() -> re.Pattern[str]:
    from app.memory.when.words import MONTHS, WEEKDAYS

    month = "|".join(MONTHS)
    return re.compile(
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{month})\b(?: \d{{1,2}}\b)?(?:,? \d{{4}}\b)?"
        rf"|\b(?:{'|'.join(WEEKDAYS)})\b|\b(?:19|20)\d\d(?:-\d\d){{0,2}}\b",
        re.IGNORECASE,
    )


def _foreign(message: Message) -> str:
    """Return what the person put into a message and did not type."""
    if message.role is not Role.USER:
        return ""
    return "\n".join(p.text for p in message.parts if p.origin is not PartOrigin.TYPED)
