"""Answer from attached documents without a language model: the sentence that says it, and where.

Nothing is judged but words: what shares most of the words of a question is quoted, with its file
and page, and nothing where too few are shared.
"""

import re
from collections import Counter
from collections.abc import Sequence

from app.conversation import notebook
from app.domain.conversation import Message, Part, PartOrigin
from app.domain.language.question import asks
from app.domain.language.text import stem, verbatim
from app.domain.receipt import quoted
from app.domain.reply import NEEDS_MODEL, Reply
from app.memory.text import query
from app.services.answer.attached import AttachedDocuments, named
from app.store.documents import DocumentPassage

KEPT = "{} is kept with this conversation. Ask about it, and I quote what it says with its page."
ALSO = "In what you attached:"
FOUND = 12  # passages that are looked at
LEAST = 0.5  # of the words of a question
SHORT = 40  # letters; of so short a sentence the next is quoted too
_NO_ANSWER = frozenset({"", notebook.UNKNOWN, NEEDS_MODEL, notebook.GREETING})
# A line that goes on in the next: that begins with a small letter, or this one is long and open.
_WRAPPED = re.compile(r"\n(?=[^\W\d_A-Z])|(?<=[^\n]{40})(?<![.!?:])\n(?=[^\s•*–-])")
_ENDS = re.compile(r"(?<=[.!?…])\s+(?=[^\W_a-z]|[“\"'(])|\n+")


class DocumentQuotes:
    """Adds to answers of the notebook what the documents of a conversation say."""

    def __init__(self, documents: AttachedDocuments) -> None:
        self._documents = documents

    def added(self, message: Message, history: Sequence[Message], reply: Reply) -> Reply:
        """Return an answer with what documents say, where that is asked and they say anything.

        Args:
            message: What is answered.
            history: What was said before it on its branch.
            reply: The answer from memory alone.
        """
        parts = {**named(history), **named([message])}
        texts = _texts([*history, message])
        if not (parts or texts) or reply.meant is not None:
            return reply
        found = self._best(message, parts, texts) if _asks(message, reply) else ""
        if found and found.partition(" (")[0] in reply.text:  # found by itself, as a message
            return reply
        if found:
            told = found if reply.text in _NO_ANSWER else f"{reply.text}\n\n{ALSO} {found}"
            became = () if reply.text in _NO_ANSWER and not reply.text else reply.became
            return Reply(told, reply.hits, reply.changes, reply.heard, became, reply.more)
        if named([message]) and not message.typed.strip():
            names = ", ".join(verbatim(part.text.strip()) for part in named([message]).values())
            return Reply(KEPT.format(names), changes=reply.changes, heard=reply.heard)
        return reply

    def _best(self, message: Message, parts: dict[str, Part], texts: dict[str, Part]) -> str:
        """Return the sentence that shares most with a question, with its place; else nothing."""
        asked = {stem(word) for word in query.words(message.typed or message.text)}
        found = self._documents.about(message, list(parts))[:FOUND] if parts else []
        found += [DocumentPassage(key, 0, 1, part.text) for key, part in texts.items()]
        parts = parts | texts
        rarity = Counter(word for one in found for word in _stems(one.text) & asked)
        best: tuple[float, str, DocumentPassage] | None = None
        for one in found:
            sentences = _sentences(one.text)
            around = len(_stems(one.text) & asked) / (10 * max(1, len(asked)))
            for number, said in enumerate(sentences):
                shared = _stems(said) & asked
                worth = sum(1 / rarity[word] for word in shared) + len(shared) + around
                if shared and (best is None or worth > best[0]):
                    short = len(said) < SHORT
                    best = worth, " ".join(sentences[number : number + 1 + short]), one
        if best is None or len(_stems(best[2].text) & asked) < LEAST * len(asked):
            return ""
        _, said, one = best
        document = parts[one.document].document
        place = f", {document.place(one.page)}" if document else ""
        return f"{quoted(said)} ({verbatim(parts[one.document].name)}{place})"


def _asks(message: Message, reply: Reply) -> bool:
    """Return whether a message asks anything, by its form or by how it was answered."""
    return bool(reply.text in (notebook.UNKNOWN, NEEDS_MODEL) or reply.hits or asks(message.typed))


def _texts(messages: Sequence[Message]) -> dict[str, Part]:
    """Return the attached texts that stand in messages themselves, by what tells them apart."""
    return {
        f"{message.id}/{number}": part
        for message in messages
        for number, part in enumerate(message.parts)
        if part.origin is PartOrigin.ATTACHED and part.name and part.document is None
    }


def _sentences(text: str) -> list[str]:
    found = (said.strip(" \t•*") for said in _ENDS.split(_WRAPPED.sub(" ", text)))
    return [said for said in found if said]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in query.every_word(text)}
