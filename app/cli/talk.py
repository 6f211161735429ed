"""One conversation in the terminal: lines in, answers out, remembering in between."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from app.cli import terminal
from app.cli.caretaker import looking_after
from app.cli.learner import WhileTyping
from app.cli.output import as_json, murmur, say, status
from app.cli.program import CommandContext, stoppable
from app.cli.sharing import HOW, may_be_sent
from app.cli.sources import sources
from app.cli.text import on_one_line, received
from app.domain.conversation import MemoryMode, MessageState, Part, PartOrigin
from app.domain.events import Answered, MessageStored, Notice, Token, ToolEvent
from app.domain.jobs.operation import Operation, drive
from app.domain.jobs.working import Working, rate
from app.domain.language.text import clipped, plain
from app.domain.limits import LONGEST_MESSAGE
from app.domain.receipt import receipt_text
from app.domain.reply import NOTEBOOK, Became, StatementOutcome, became_of
from app.errors import AppError, ModelError, TooLong, TransferError, Unshared, VaultBusy
from app.serialisers import conversations

if TYPE_CHECKING:
    from app.domain.conversation import Receipt
    from app.services.services import Services

LONGEST_ASKED = 80
LONGEST_LINE = 4 * LONGEST_MESSAGE + 3  # bytes; a letter has up to four
ENDLESS = 64_000_000
LONG_LINE = (
    "A line has more than {:,} characters, which is too long for a message; it was left out."
)
WITHOUT_END = "Standard input sends a line without end, so Loci stopped reading."
SET_ASIDE = "Some work could not be done and was set aside; `loci upkeep status` says which."
NO_MODEL = "No language model is chosen: Loci answers by quoting you. `loci models` lists them."
LEARNS = "Loci remembers what you say; `loci settings set extraction.enabled off` stops that."
PIPED = "What comes through a pipe is not learned from; with --typed it is, as your own words."
HOW_TO_END = "Press Ctrl+D to end."
LEARNING_SECONDS = 20.0  # a slow model reads on for the next one who asks
WITHOUT = "/without"
NOT_THIS = "/not-this"
TEMPORARY = "Temporary: this conversation is deleted for good once you leave it."
OFFER = f"Your message is safe; {WITHOUT} has it answered without what is too long."
OFFER_NEXT = "Your message is safe; with --without it is answered without what is too long."
NONE_TOO_LARGE = f"No message here is too large, so there is nothing to answer {WITHOUT[1:]}."
ASKED = "Another program asked for this profile, so it was closed here. Nothing was lost."


class Talk:
    """Says things to Loci and prints what it answers.

    Args:
        services: The open profile.
        asked: How answers are printed.
        typed: Whether lines that come through a pipe are the person's own words.
        without: Whether a message that is too large is answered without its long parts.
        attached: What goes with the first message.
        mode: What the conversation may do with memory.
        aside: Whether nothing that is said is to be remembered.
    """

    def __init__(
        self,
        services: "Services",
        asked: CommandContext,
        *,
        typed: bool = False,
        without: bool = False,
        attached: Sequence[Part] = (),
        mode: MemoryMode = MemoryMode.REMEMBERS,
        aside: bool = False,
    ) -> None:
        self._services = services
        self._attached = [replace(part, text=f"{part.text.rstrip()}\n\n") for part in attached]
        self._asked = asked
        self._typed, self._without = typed, without
        self._mode, self._aside = mode, aside
        self._learner = WhileTyping(services)
        self._conversation: str | None = None
        self._question = self._said = ""
        self._too_large = ""  # the message that can be answered without its long parts
        self._answers: list[Answered] = []
        self._printed = self._working = ""
        self._noticed: set[str] = set()
        self._receipts: set[str] = set()
        self._untold: set[str] = set()  # messages of which it was not told what became of them
        self._whole = True

    def say_once(self, text: str) -> bool:
        """Say one thing; return whether it was answered.

        What is stated is remembered before this ends; for what a model finds in it besides it waits
        so long and no longer, and not at all after a question.
        """
        self._learner.seconds = LEARNING_SECONDS
        self._warn()
        stopped = True
        try:
            stopped = self._say_for_good([Part(text, PartOrigin.TYPED)])
        except ModelError:
            stopped = False
            raise
        finally:
            if not stopped:
                self._learner.finish()
                self._tell_remembered()
        return self._whole

    def listen(self) -> bool:
        """Say each line of standard input; return whether everything was answered."""
        self._warn()
        try:
            if sys.stdin is not None and sys.stdin.isatty():
                with looking_after(self._services.runtime.look_after):
                    self._from_terminal()
            else:
                self._from_pipe()
        finally:
            self._learner.finish()
            self._tell_remembered()
        return self._whole

    def _learns(self) -> bool:
        wanted = self._mode.learns and not self._aside
        return wanted and self._services.preferences.values().extraction.enabled

    def leave(self) -> None:
        """Leave the conversation: of a temporary one nothing is kept."""
        if self._conversation:
            self._services.conversations.leave(self._conversation)

    def _from_pipe(self) -> None:
        learns = self._learns()
        origin = PartOrigin.TYPED if self._typed else PartOrigin.PASTED
        for number, line in enumerate(_lines()):
            if number == 0 and learns and not self._typed:
                say(PIPED, err=True)
            if len(line) > LONGEST_MESSAGE:
                self._whole = False
                say(LONG_LINE.format(LONGEST_MESSAGE), err=True)
                continue
            try:
                stopped = self._say_for_good([Part(line, origin)])
            except ModelError as error:
                stopped = self._whole = False
                say(str(error), err=True)
            if stopped:
                raise click.Abort
            self._learner.finish()
            self._tell_remembered()
            self._give_way()

    def _from_terminal(self) -> None:
        self._greet()
        with terminal.asking(LONGEST_LINE) as asking:
            while True:
                try:
                    parts = terminal.message(asking)
                except (EOFError, KeyboardInterrupt):
                    say()
                    return
                self._hear_out(parts)

    def _hear_out(self, parts: Sequence[Part] | None) -> None:
        """Say what was written at the terminal; None is a paste that is too long."""
        if parts is None:
            say(LONG_LINE.format(LONGEST_MESSAGE), err=True)
            return
        text = "".join(part.text for part in parts).strip()
        if text:
            try:
                self._answer_without() if text == WITHOUT else self._say_marked(parts)
            except Unshared as error:
                self._ask_first(error)
            except TooLong as error:
                self._too_large = self._question
                say(f"{error} {OFFER}", err=True)
            except AppError as error:
                say(str(error), err=True)
            self._learner.begin()
        self._tell_remembered()
        self._give_way()

    def _ask_first(self, error: Unshared) -> None:
        """Ask what may leave this computer, and have the message answered if it may."""
        try:
            with stoppable(Event()) as stop:
                may = may_be_sent(self._services, error, self._question, stop)
            if may:
                self._answer(partial(self._services.chat.retry, self._question))
            else:
                say(str(error), err=True)
        except AppError as refused:
            say(str(refused), err=True)

    def _give_way(self) -> None:
        """End between two messages, if another program needs the profile alone."""
        if self._services.watch.is_asked_to_close():
            raise VaultBusy(ASKED)

    def _greet(self) -> None:
        if self._services.library.current().id == "notebook":
            say(NO_MODEL, err=True)
        if self._learns():
            say(LEARNS, err=True)
        if self._services.failed_jobs.list():
            say(SET_ASIDE, err=True)
        say(HOW_TO_END, err=True)

    def _warn(self) -> None:
        """Say what should be known first: that a base model answers, or that nothing is kept."""
        if warning := self._services.library.warning():
            say(f"{self._services.library.current().name} answers. {warning}", err=True)
        if self._mode is MemoryMode.TEMPORARY:
            say(TEMPORARY, err=True)

    def _say_for_good(self, parts: Sequence[Part]) -> bool:
        """Say one thing where nobody can be asked; return whether it was stopped.

        Raises:
            TooLong: It is too large, and nobody wants it answered without its long parts.
        """
        try:
            return self._say(parts)
        except Unshared as error:
            raise Unshared(f"{error} {HOW.format(error.address)}", error.address) from error
        except TooLong as error:
            if not self._without:
                raise TooLong(f"{error} {OFFER_NEXT}", error.tokens, error.window) from error
        return self._answer(partial(self._services.chat.retry, self._question, without=True))

    def _say_marked(self, parts: Sequence[Part]) -> bool:
        parts, aside = _marked(parts)
        return self._say(parts, aside=aside)

    def _answer_without(self) -> None:
        """Have the last message that was too large answered without its long parts."""
        if not self._too_large:
            say(NONE_TOO_LARGE, err=True)
            return
        message_id, self._too_large = self._too_large, ""
        self._answer(partial(self._services.chat.retry, message_id, without=True))

    def _say(self, parts: Sequence[Part], *, aside: bool = False) -> bool:
        """Say one thing and print the answer; return whether it was stopped."""
        self._said = "".join(part.text for part in parts)
        self._too_large = ""
        with_it, self._attached = self._attached, []
        if self._conversation is None and self._mode is not MemoryMode.REMEMBERS:
            self._services.restriction.expect_none()
            self._conversation = self._services.conversations.create(self._mode).id
        send = partial(self._services.chat.send, self._conversation, [*with_it, *parts])
        return self._answer(partial(send, aside=aside or self._aside))

    def _answer(self, ask: Callable[[Event], Operation]) -> bool:
        """Print the answer to what is asked; return whether it was stopped."""
        self._answers, self._printed = [], ""
        try:
            with stoppable(Event()) as stop:
                drive(ask(stop), stop, self._hear)
        finally:
            self._show_work("")
        if self._printed and not self._printed.endswith("\n"):
            say()
        self._learner.said = self._question
        if self._learner.seconds is not None:
            self._services.queue.learn_first(self._question)
        if self._asked.as_json:
            self._learner.finish()  # a line of JSON also says what became of the message
        for answer in self._answers:
            self._account_for(answer)
        if not self._answers:
            self._whole = False
            say("Stopped.", err=True)
        return stop.is_set()

    def _hear(self, event: Any) -> None:
        if isinstance(event, Working):
            self._show_work(event.words)
            return
        self._show_work("")
        if isinstance(event, MessageStored):
            self._conversation, self._question = event.conversation.id, event.message.id
            self._untold.add(self._question)
        elif isinstance(event, Notice) and event.text not in self._noticed:
            self._noticed.add(event.text)
            say(event.text, err=True)
        elif isinstance(event, ToolEvent) and event.use.result is None:
            say(on_one_line(plain(event.use.words)), err=True)
        elif isinstance(event, Token) and not self._asked.as_json:
            self._printed = event.text or self._printed
            say(event.text, nl=False)
        elif isinstance(event, Answered):
            self._answers.append(event)
            if event.message.model == NOTEBOOK and not self._asked.as_json:
                self._printed = "\n".join([plain(event.message.text), *self._more(event)])
                say(self._printed, nl=False)

    def _show_work(self, words: str) -> None:
        """Say on a terminal what the model is at, until there is something else to say."""
        if words != self._working and not self._asked.as_json:
            status(words)
            self._working = words

    def _more(self, answer: Answered) -> list[str]:
        """Return how to see what else was found for an answer, where there is more."""
        number = (
            len(answer.recall.recall.hits) - len(answer.recall.in_prompt) if answer.recall else 0
        )
        asked = shlex.quote(clipped(on_one_line(self._said), LONGEST_ASKED))
        return [f"({number:,} more: loci recall {asked})"] if number > 0 else []

    def _account_for(self, answer: Answered) -> None:
        message = answer.message
        if self._asked.as_json:
            became = self._became_of(answer)
            said = conversations.answer(self._conversation, self._question, answer, became)
            say(as_json(said))
        elif message.model != NOTEBOOK:
            for line in sources(answer):
                say(line, err=True)
        took = answer.recall.recall.took if answer.recall else None
        if took is not None and took.per_second and not self._asked.as_json:
            murmur(f"{took.completion_tokens:,} tokens, {rate(took.per_second)}")
        if message.model == NOTEBOOK:  # it says itself what became of what was said
            self._receipts |= {one.batch for one in self._remembered(self._question)}
        if message.state is not MessageState.COMPLETE:
            self._whole = False
            say(message.error, err=True)

    def _became_of(self, answer: Answered) -> list[tuple[str, str]]:
        """Return what became of what was said, and how that is told."""
        if answer.message.model == NOTEBOOK:
            told = [(part.name, part.text.strip()) for part in answer.message.parts]
        else:
            told = [(one.outcome, receipt_text(one)) for one in self._news(self._question)]
        return [one for one in told if one[0] in frozenset(StatementOutcome)]

    def _tell_remembered(self) -> None:
        """Say beside the answers what became of what was said since the last time."""
        for one in self._news() if self._conversation else ():
            say(on_one_line(plain(receipt_text(one))), err=True)

    def _news(self, message_id: str = "") -> list[Became]:
        """Return what became of what was said, or of one message, and was not told yet."""
        news: list[Became] = []
        for receipt in self._remembered(message_id):
            if receipt.batch not in self._receipts:
                self._receipts.add(receipt.batch)
                news += became_of(receipt)
        rows = self._services.conversations
        for said, told in rows.outcomes(rows.messages(self._conversation or "")).items():
            if said in self._untold and message_id in ("", said):
                self._untold.remove(said)
                news += told
        return news

    def _remembered(self, message_id: str = "") -> list["Receipt"]:
        """Return what was remembered in this conversation, or because of one message of it."""
        found = self._services.conversations.receipts(self._conversation or "")
        return [one for one in found if message_id in ("", one.message_id)]


def _marked(parts: Sequence[Part]) -> tuple[Sequence[Part], bool]:
    """Return a message without the word that says that it is not to be remembered, if it has it."""
    first, *rest = parts
    word, _, text = first.text.partition(" ")
    aside = word == NOT_THIS and bool(text.strip())
    return ([replace(first, text=text.lstrip()), *rest] if aside else parts), aside


def _lines() -> Iterator[str]:
    """Yield each line of standard input that says something, as soon as it is there.

    Of a line that is too long for a message only as much as tells that is kept.

    Raises:
        TransferError: A line does not end.
    """
    source = getattr(sys.stdin, "buffer", None)
    while source is not None and (line := source.readline(LONGEST_LINE)):
        left = ENDLESS
        while not line.endswith(b"\n") and (rest := source.readline(LONGEST_LINE)):
            left -= len(rest)
            if left < 0:
                raise TransferError(WITHOUT_END)
            if rest.endswith(b"\n"):
                break
        text = received(line).rstrip("\r\n")
        if text.strip():
            yield text
