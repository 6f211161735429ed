"""Find what is personal in texts: names, numbers, addresses, and what a word before it gives away.

Names are those that the vault knows, common given names, and what has a capital where no word of
the language has one. It errs towards taking a word for a name: that costs the model a little
understanding, the other mistake gives a name away.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.conversation.standins.atoms import Atom, atoms, digits, numbers
from app.conversation.standins.words import NameWords, name_words

_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|"
    r"oktober|dezember)[a-z]*\.?"
)
_DATE = (
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}(?:,? \d{{4}})?|"
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
)
_BORN = re.compile(
    r"\b(?:born|birthday|birth ?date|date of birth|dob|geboren|geburtstag|geburtsdatum|née?|"
    rf"naissance|nacid[oa]|cumpleaños|geboortedatum|verjaardag)\b[^.!?\n]{{0,40}}?({_DATE})",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:pin|code|passcode|cvv|cvc|account|konto|policy|membership|customer|licen[cs]e|"
    r"combination)\b[^.!?\n\d]{0,40}(\d{3,5})(?!\d|[.,:]\d)",
    re.IGNORECASE,
)
_POST_CODE = re.compile(r"(?<![\w.,-])(\d{5})(?= [A-ZÄÖÜ][a-zäöüß])")
_SECRET = re.compile(
    r"\b(?:password|passwort|passphrase|kennwort|contraseña|mot de passe|wachtwoord)\b"
    r"(?: (?:is|ist|es|est)|:| =|=) ?[“\"'`]?([^\s“”\"'`]{4,64})",
    re.IGNORECASE,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_NAME = re.compile(r"[^\W\d_a-zß-öø-ÿ][a-zß-öø-ÿ’']+|(?:Mc|Mac|De|Van|Le|La|Di|Fitz)[A-Z][a-z]+")
_ENDS = '.!?…:;\n|•*#>"“„«‘([-–—'
_NO_NAME = ("ing", "tion", "sion", "ment", "ness", "ly", "ed", "ity", "ise", "ize", "able")
_GERMAN = 2
_SEEN = 12  # characters before a word that tell whether it begins a sentence


@dataclass(slots=True)
class PersonalWords:
    """What was found, each thing once and in the order in which it stands there.

    Attributes:
        names: Words as they are written.
        marks: Addresses, handles and numbers with letters, as they are written.
        numbers: The digits of each.
        phrases: What is one whatever it is made of: dates of birth, passwords, names in scripts
            without capitals.
    """

    names: dict[str, None] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, None] = field(default_factory=dict)
    phrases: dict[str, None] = field(default_factory=dict)


def find(texts: Sequence[str], known: Iterable[str]) -> PersonalWords:
    """Return what is personal in texts.

    Args:
        texts: What is to be sent.
        known: Names of people and places of the vault.
    """
    finding = _Finding(known)
    for text in texts:
        finding.read(text)
    finding.spread(texts)
    return finding.found


class _Finding:
    """Reads one text after the other."""

    def __init__(self, known: Iterable[str]) -> None:
        self.found, self._words = PersonalWords(), name_words()
        self._known: set[str] = set()
        self._uncased: list[str] = []
        self._names: set[str] = set()
        for name in known:
            for one in (atom for atom in atoms(name) if atom.kind == "word"):
                low = one.text.lower()
                if one.text.upper() == low:
                    self._uncased.append(one.text)
                elif len(low) > 1 and low not in self._words.public and one.text != low:
                    self._known.add(low)

    def read(self, text: str) -> None:
        """Find what stands for itself in a text."""
        found = self.found
        for pattern in (_BORN, _SECRET):
            found.phrases.update(dict.fromkeys(one.rstrip(".,;") for one in pattern.findall(text)))
        found.phrases.update(dict.fromkeys(name for name in self._uncased if name in text))
        found.numbers.update(dict.fromkeys(_CODE.findall(text)))
        found.numbers.update(dict.fromkeys(_POST_CODE.findall(text)))
        code = [one.span() for one in _FENCED.finditer(text)]
        pieces = [*atoms(text)]
        german = _is_german(pieces, self._words)
        for place, atom in enumerate(pieces):
            if atom.kind == "number":
                found.numbers.update(dict.fromkeys(numbers(atom.text)))
            elif atom.kind != "word":
                found.marks.setdefault(atom.text, atom.kind)
            elif any(begin <= atom.start < end for begin, end in code):
                continue
            elif self._is_name(text, pieces, place, german=german):
                self._names.add(atom.text.lower())

    def spread(self, texts: Sequence[str]) -> None:
        """Take each word that is a name somewhere for one wherever it stands."""
        known = self._names | self._known
        plural = {name for name in self._names if name.endswith("s") and name[:-1] in known}
        names = (self._names - plural) | {name[:-1] for name in plural}
        for text in texts:
            for atom in atoms(text, self.found.phrases):
                low = atom.text.lower()
                lower = atom.text == low
                if atom.kind != "word" or (lower and low in self._words.usual):
                    continue
                if low in names:
                    self.found.names.setdefault(atom.text)
                elif low.endswith("s") and low[:-1] in names:
                    self.found.names.setdefault(atom.text[:-1])

    def _is_name(self, text: str, pieces: Sequence[Atom], place: int, *, german: bool) -> bool:
        """Return whether a word is a name where it stands."""
        words, atom = self._words, pieces[place]
        low, first = atom.text.lower(), _opens(text[max(0, atom.start - _SEEN) : atom.start])
        before = pieces[place - 1] if place and _beside(text, pieces, place) else None
        led = before.text.lower() if before is not None else ""
        if len(low) < 2 or low in words.public or atom.text == low:
            return low in self._known and low not in words.usual and len(low) > 2
        if low in words.given or low in self._known:
            return not (first and low in words.often) or self._goes_on(text, pieces, place)
        if not _NAME.fullmatch(atom.text):
            return False
        if led in words.titles or led in words.naming or (not first and led in self._names):
            return True
        if not first and self._names_street(pieces, place):
            return True
        if low in words.usual or german:
            return False
        return not first or self._goes_on(text, pieces, place)

    def _names_street(self, pieces: Sequence[Atom], place: int) -> bool:
        after = pieces[place + 1].text.lower() if place + 1 < len(pieces) else ""
        return place > 0 and pieces[place - 1].kind == "number" and after in self._words.streets

    def _goes_on(self, text: str, pieces: Sequence[Atom], place: int) -> bool:
        """Return whether a sentence goes on as after a name that begins it."""
        atom, words = pieces[place], self._words
        if atom.text.lower().endswith(_NO_NAME):
            return False
        if text[atom.end : atom.end + 2] in ("'s", "’s"):
            return True
        after = pieces[place + 1] if place + 1 < len(pieces) else None
        if after is None or text[atom.end : after.start] != " ":
            return False
        low = after.text.lower()
        named = _NAME.fullmatch(after.text) and low not in words.usual | words.public
        return low in words.verbs or bool(named)


def _beside(text: str, pieces: Sequence[Atom], place: int) -> bool:
    """Return whether nothing but a blank, a dot or a hyphen parts a word from the one before."""
    between = text[pieces[place - 1].end : pieces[place].start]
    return between in (" ", ". ", "-", "’", "'", ": ", " “", ' "')


def _opens(before: str) -> bool:
    """Return whether a sentence, a line or a quotation begins after ``before``."""
    before = before.rstrip(" \t*_'’")
    return not before or before[-1] in _ENDS


def _is_german(pieces: Sequence[Atom], words: NameWords) -> bool:
    found = {atom.text.lower() for atom in pieces if atom.kind == "word"} & words.german
    return len(found) > _GERMAN


def runs(text: str, phrases: Iterable[str]) -> list[str]:
    """Return the digits of each run of a text."""
    return [digits(atom.text) for atom in atoms(text, phrases) if atom.kind == "number"]
