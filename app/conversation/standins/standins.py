"""Replace what is personal in what is sent, and put it back in what comes.

Nothing is kept: each request is read anew, and the same seed makes the same choice. Before anything
is sent it is made sure that nothing personal is left in it and that all of it can be put back.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from app.conversation.standins.atoms import LEAST_DIGITS, atoms, digits, still_open
from app.conversation.standins.choosing import Choosing
from app.conversation.standins.finding import PersonalWords, find
from app.conversation.standins.words import name_words
from app.errors import AppError, ModelError

NOT_SURE = "What is private in this could not be told apart for sure, so nothing was sent."
_TRIES = 8


class StandIns:
    """What stands in for what, in one conversation.

    Args:
        seed: What the choice comes of, such as the conversation's id; it is never sent.
        known: Names of people and places of the vault.
    """

    def __init__(self, seed: str, known: Collection[str] = ()) -> None:
        self._seed, self._known = seed, known
        self._back = _Exchange()

    def concealed(self, texts: Sequence[str]) -> list[str]:
        """Return texts with stand-ins; ``restored`` and ``revealed`` know them until the next call.

        Raises:
            ModelError: It cannot be made sure that they say nothing personal.
        """
        personal = find(texts, self._known)
        for turn in range(_TRIES):
            there, back = _chosen(Choosing(f"{turn} {self._seed}"), personal, texts)
            sent = [there.of(text) for text in texts]
            if _hides(personal, sent) and [back.of(text) for text in sent] == list(texts):
                self._back = back
                return sent
        raise ModelError(NOT_SURE)

    def restored(self, text: str) -> str:
        """Return a text with what stands in it for something put back."""
        return self._back.of(text)

    def revealed(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield a text that comes in pieces, each part of it as soon as it is sure."""
        held = ""
        try:
            for piece in pieces:
                held += piece
                sure = still_open(held, self._back.phrases)
                if sure:
                    yield self._back.of(held[:sure])
                    held = held[sure:]
        except AppError:  # what came before it broke off is kept
            if held:
                yield self._back.of(held)
            raise
        if held:
            yield self._back.of(held)


class _Exchange:
    """What is put in the place of what, in one direction."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.marks: dict[str, str] = {}
        self.phrases: dict[str, str] = {}
        self.numbers: dict[str, str] = {}
        self._folded: dict[str, str] = {}

    def fold(self) -> None:
        """Also know what is written with other capitals, as models do."""
        for known in (self.words, self.marks):
            for one, other in known.items():
                self._folded.setdefault(one.casefold(), other)

    def of(self, text: str) -> str:
        """Return a text with everything exchanged."""
        made, end = [], 0
        for atom in atoms(text, self.phrases):
            made += [text[end : atom.start], self._other(atom.kind, atom.text)]
            end = atom.end
        return "".join([*made, text[end:]])

    def _other(self, kind: str, text: str) -> str:
        if kind == "phrase":
            return self.phrases[text]
        if kind == "number":
            return self._number(text)
        known = self.words if kind == "word" else self.marks
        found = known.get(text) or self._folded.get(text.casefold())
        if found is None and kind == "word" and text[-1:] in "sS":
            stem = known.get(text[:-1]) or self._folded.get(text[:-1].casefold())
            return text if stem is None else stem + text[-1]
        return text if found is None else found

    def _number(self, run: str) -> str:
        """Exchange the digits of numbers in a run of them; how they are grouped stays."""
        whole, made, at = digits(run), "", 0
        groups = set(run.split()) | {whole}
        found = [n for n in self.numbers if n in whole and (len(n) >= LEAST_DIGITS or n in groups)]
        found.sort(key=len, reverse=True)
        while at < len(whole):
            known = next((n for n in found if whole.startswith(n, at)), "")
            made += self.numbers[known] if known else whole[at]
            at += len(known) or 1
        those = iter(made)
        return "".join(next(those) if "0" <= letter <= "9" else letter for letter in run)


def _chosen(
    choosing: Choosing, personal: PersonalWords, texts: Sequence[str]
) -> tuple[_Exchange, _Exchange]:
    """Choose a stand-in for each thing; return the way there and the way back."""
    there, back = _Exchange(), _Exchange()
    every = "\n".join(texts)
    low, all_digits = every.casefold(), digits(every)
    taken = {atom.text.casefold() for text in texts for atom in atoms(text)}
    taken |= {word[:-1] for word in taken if word.endswith("s")}
    _choose_names(choosing, personal, taken, there, back)

    def is_free(made: str) -> bool:
        return made.casefold() not in low and made not in back.marks and made not in back.phrases

    for phrase in personal.phrases:
        dated = sum(letter.isdigit() for letter in phrase) > 2 and not phrase.isalnum()
        choose = choosing.day if dated else choosing.alike
        if phrase.upper() == phrase.lower() and not any(map(str.isdigit, phrase)):
            made = choosing.name(phrase, taken)
            taken.add(made.casefold())
        else:
            made = choose(phrase, is_free)
        there.phrases[phrase], back.phrases[made] = made, phrase
    for mark, kind in personal.marks.items():
        made = (choosing.mail if kind == "mail" else choosing.alike)(mark, is_free)
        there.marks[mark], back.marks[made] = made, mark
    for number in personal.numbers:
        made = choosing.digits(number, partial(_is_free_number, all_digits, back.numbers))
        there.numbers[number], back.numbers[made] = made, number
    back.fold()
    return there, back


def _is_free_number(all_digits: str, chosen: Collection[str], made: str) -> bool:
    return made not in chosen and (len(made) < LEAST_DIGITS or made not in all_digits)


def _choose_names(
    choosing: Choosing, personal: PersonalWords, taken: set[str], there: _Exchange, back: _Exchange
) -> None:
    """Choose names; other forms of one (in capitals, without, with an s) have the same."""
    by_capitals = sorted(personal.names, key=lambda name: name in (name.upper(), name.lower()))
    for name in sorted(by_capitals, key=len):
        if name in there.words or (name[-1:] in "sS" and name[:-1] in there.words):
            continue
        made = choosing.name(name, taken)
        taken.add(made.casefold())
        made = made.upper() if name == name.upper() else made
        for form in (str, str.upper, str.lower):
            one, other = form(name), form(made)
            if one not in there.words and other not in back.words and _may(one, name):
                there.words[one], back.words[other] = other, one


def _may(form: str, name: str) -> bool:
    """Whether a form of a name is one: an everyday word in small letters is none."""
    return form == name or form != form.lower() or form not in name_words().usual


def _hides(personal: PersonalWords, sent: Sequence[str]) -> bool:
    """Return whether nothing of what was found is left."""
    words: set[str] = set()
    marks: set[str] = set()
    every: list[str] = []
    for text in sent:
        for atom in atoms(text):
            if atom.kind == "number":
                every.append(digits(atom.text))
            else:
                (words if atom.kind == "word" else marks).add(atom.text)
    whole = "\n".join(sent)
    return not (
        words & personal.names.keys()
        or marks & personal.marks.keys()
        or any(phrase in whole for phrase in personal.phrases)
        or any(n in run for n in personal.numbers if len(n) >= LEAST_DIGITS for run in every)
    )
