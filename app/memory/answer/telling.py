"""What of a message is evidence: not what only asks, orders or greets, nor what is so of nobody.

What was supposed, what another holds, what is quoted, code or played states nothing; as long as
nothing of it was kept it answers only who asks for that itself: "what did I say about Monaco?",
"what would I do if I were rich?". A plain small fact that was not kept answers as ever.
"""

import re
from collections.abc import Callable, Sequence

from app.domain.conversation import Message
from app.domain.language.reading import Act, Reading
from app.domain.recall import HitKind
from app.domain.reply import AnswerEvidence
from app.errors import ModelError, NotFound
from app.memory.answer.referring import asks_what_was_said, is_hearsay, supposes
from app.memory.learn.message_reader import MessageReader
from app.memory.reading.naming import NamedMessage
from app.memory.reading.own_words import material, overlaps
from app.memory.reading.reader import Reader
from app.providers.base import Understanding
from app.store.conversations import Conversations
from app.store.messages import Messages

_TELLS_NOTHING = frozenset(
    {Act.ASK, Act.KNOW, Act.CHAT, Act.FORGET, Act.DELETE_ABOUT, Act.UNDO, Act.STOP_INSTRUCT}
    | {Act.ASK_KNOWN, Act.INSTRUCT}
)
_TAKES_BACK = frozenset({Act.FORGET, Act.DELETE_ABOUT, Act.UNDO, Act.STOP_INSTRUCT})
_NAME = re.compile(r"(?<=[^\W_] )(?!I\b)[^\W\d_a-z][\w-]+")


class EvidenceFilter:
    """Tells what is evidence.

    Args:
        conversations: Whose they are.
        messages: What was said in them.
    """

    def __init__(
        self,
        conversations: Conversations,
        messages: Messages,
        models: Callable[[], Understanding],
    ) -> None:
        self._conversations = conversations
        self._messages = messages
        self._message_reader = MessageReader(messages, models)
        self._reader = Reader(models)

    def of(
        self, question: str, found: Sequence[AnswerEvidence], *, at_all: bool = False
    ) -> list[AnswerEvidence]:
        """Return what of some evidence tells something that may answer a question.

        Args:
            question: The question.
            found: The evidence.
            at_all: Whether it is asked where something was said, whether it is so or not.
        """
        said = [e for e in found if e.hit.kind is HitKind.MESSAGE and not e.whence]
        if not said:
            return list(found)
        try:
            read = self._reader.read([NamedMessage(e.text, e.hit.at.astimezone()) for e in said])
            told = zip(said, read, strict=True)
            silent = [e for e, reading in told if not self._tells(question, e, reading, at_all)]
        except ModelError:
            return list(found)
        return [one for one in found if one not in silent]

    def _tells(self, question: str, one: AnswerEvidence, reading: Reading, at_all: bool) -> bool:
        """Return whether words that were read tell something that may answer a question."""
        if reading.act in _TAKES_BACK:
            return False
        asked = at_all or _is_asked_for(question, one.text)
        if not reading.statements:
            if reading.act in _TELLS_NOTHING:
                return asked and reading.act is Act.CHAT
            if not asked and (supposes(one.text) or is_hearsay(one.text)):
                return not _names(question).isdisjoint(_words(one.text))
        if asked or not _names(question).isdisjoint(_words(one.text)):
            return True
        try:
            message = self._messages.get(one.hit.id)
        except NotFound:
            return True
        return not (_is_material(message, one.text) or self._is_played(message))

    def _is_played(self, message: Message) -> bool:
        """Return whether a message was said in a game, or sets one up."""
        agent_pk = self._conversations.get(message.conversation_id).agent_pk
        heard = self._message_reader.read(self._message_reader.in_context(message), agent_pk)
        return heard.plays or not heard.typed


def _is_asked_for(question: str, text: str) -> bool:
    """Return whether a question is for what was said, supposed or held, whether it is so or not."""
    if asks_what_was_said(question):
        return True
    return (supposes(question) and supposes(text)) or (is_hearsay(question) and is_hearsay(text))


def _is_material(message: Message, text: str) -> bool:
    """Return whether a sentence of a message is code, or quotes somebody."""
    start = message.typed.find(text)
    return start >= 0 and overlaps(start, start + len(text), material(message.typed))


def _names(text: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in _NAME.findall(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w-]+", text.casefold()))
