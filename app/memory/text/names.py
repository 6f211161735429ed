"""What a text mentions by name, without any model: what links it to others that mention the same.

People, places and organisations by their capitals, and what else a person writes in one fixed way:
quoted phrases, handles, addresses, and days.
"""

import re
from datetime import date

from app.memory.when import words
from app.memory.word_lists import word_list

READ = 4000
_MOST = 32
_UPPER = "".join(c for c in map(chr, range(0x41, 0x530)) if c.isupper())
_CAPITALISED = rf"[{_UPPER}][\w'-]*"
_RUN = re.compile(rf"(?<![\w@#]){_CAPITALISED}(?: {_CAPITALISED})*")
_CALENDAR = frozenset((*words.MONTHS, *words.WEEKDAYS))
_NOBODY = _CALENDAR | {
    "i", "you", "your", "the", "a", "reminder", "one", "two", "three", "loci",
}  # fmt: skip
_QUOTED = re.compile(r"[“«\"]([^\W_][^“”«»\"\n]{1,58}[^\s“”«»\"])[”»\"]")
_HANDLE = re.compile(r"(?<![\w@./-])(?:[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|[@#][^\W\d]\w{1,38})")
_DAY = re.compile(rf"\b(?P<day>[0-3]?\d) (?P<month>{words.MONTH}) (?P<year>\d{{4}})\b", re.I)
_ISO_DAY = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b")
_LONGEST_QUOTE = 6
_TO_THE_PERSON = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_MARKS = " \t\"'“”‘’«»()[]*_#>-–—"
_ENDS = ".!?…:;\n"


def mentioned(text: str) -> tuple[str, ...]:
    """Return the names in a text, each once; "user" stands for the person it speaks to."""
    text = text[:READ]
    found = [
        *(["user"] if _TO_THE_PERSON.search(text) else []),
        *capitalised(text),
        *(quoted for quoted in _QUOTED.findall(text) if len(quoted.split()) <= _LONGEST_QUOTE),
        *(handle.rstrip(".") for handle in _HANDLE.findall(text)),
        *_days(text),
    ]
    return tuple(dict.fromkeys(found))[:_MOST]


def capitalised(text: str) -> list[str]:
    """Return runs of words with capitals; the first word of a sentence has one in any case."""
    found = []
    for run in _RUN.finditer(text):
        said = run.group().split()
        while said and _is_nobody(said[0]):
            said = said[1:]
        opens = len(said) == len(run.group().split()) and _opens(text[: run.start()])
        if said and opens and not _is_given(said[0]):
            said = said[1:]
        name = " ".join(said).removesuffix("'s").rstrip("'-")
        if len(name) > 1 and not _is_nobody(said[0]):
            found.append(name)
    return found


def _is_nobody(word: str) -> bool:
    """Return whether a word has a capital though it is no name."""
    low = word.lower()
    return low in _NOBODY or low in word_list("names", "nations")


def _is_given(word: str) -> bool:
    """Return whether a word is a given name, with a capital anywhere in a sentence."""
    return word.lower().removesuffix("'s") in word_list("names", "given")


def _opens(before: str) -> bool:
    """Return whether a sentence begins after ``before``."""
    before = before.rstrip(_MARKS)
    return not before or before[-1] in _ENDS


def _days(text: str) -> list[str]:
    found = []
    for said in (*_DAY.finditer(text), *_ISO_DAY.finditer(text)):
        month = said["month"]
        number = int(month) if month.isdigit() else words.month_number(month)
        try:
            found.append(words.day_words(date(int(said["year"]), number, int(said["day"]))))
        except ValueError:
            continue
    return found
