"""Read the words of a question that are written in other letters than Latin ones.

Scripts with spaces are read in words, which are the same where most of their letters are: endings
differ, and no stemmer is asked. Scripts without spaces are read in pairs of characters (threes
where characters are sounds), with the words that only hold a sentence together cut out.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from math import ceil

from app.memory.text import query
from app.memory.word_lists import vocabulary
from app.store.index.match import quoted

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
HANGUL = "\u1100-\u11ff\uac00-\ud7af"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
_SOUNDS = "\u0e01-\u0e4e\u0e81-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
_SPACED = (
    "\u0370-\u0dff\u10a0-\u177f\u17e0-\u1cff\u1f00-\u1fff\u2c00-\u2c5f\u2c80-\u2dff\ua4d0-\ua71f"
    "\ua800-\uab2f\uab70-\ud7ff\ufb13-\ufdfb\ufe70-\ufefc\U00010280-\U0001cfff\U0001e000-\U0001e95f"
)
_MARKS = "\u0300-\u036f"
_PUNCTUATION = (
    "\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f"
    "\u061b-\u061f\u066a-\u066d\u06d4\u0700-\u070d\u0964\u0965\u10fb\u1360-\u1368"
)
_UNSPACED = f"{HAN}{_HIRAGANA}{_KATAKANA}{_SOUNDS}"
_LETTER = re.compile(f"[{_SPACED}{_UNSPACED}]")
_RUN = re.compile(f"[{HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_SOUNDS}]+")
_WORD = re.compile(f"(?![{_PUNCTUATION}])[{_SPACED}](?:(?![{_PUNCTUATION}])[{_SPACED}{_MARKS}])*")
_WITHOUT_SPACES = re.compile(f"[{_UNSPACED}]+")
_KANA = re.compile(f"[{_HIRAGANA}{_KATAKANA}]")
_IS_HAN, _IS_HIRAGANA = re.compile(f"[{HAN}]"), re.compile(f"[{_HIRAGANA}]")
_IS_HANGUL = re.compile(f"[{HANGUL}]")

LEAST, OF_WORD = 3, 0.6
OF_CHARACTER, OF_SOUND, ALONE = 1 / 2, 1 / 4, 3 / 4
MOST = 64
_CUT = "\n"
_LISTS = "other_scripts"
_PARTICLES = re.compile(
    "(?<=..)(?:에서는|에서|에게서|에게|에는|한테|으로|까지|부터|이랑|하고|이에요|예요|입니다"
    "|[은는이가을를의에로와과도만])$"
)
_ARTICLES = re.compile("^(?:وال|بال|فال|كال|ال|لل)(?=...)")
_ATTACHED = {"א": "הובלמשכ", "ا": "وبلفك"}
_BEFORE = {"א": tuple("הובלמשכ"), "ا": ("ال", "وال", "بال", "لل", *"وبلفك")}


@dataclass(frozen=True, slots=True)
class Term:
    """What a question asks for: a word, or one character of a script without spaces.

    Attributes:
        forms: What has any of these has it; a character is had with one beside it.
        share: How much of a word it is.
    """

    forms: tuple[str, ...]
    share: float = 1.0

    @property
    def name(self) -> str:
        """What it is called among the words of the question."""
        return "|".join(self.forms)

    @property
    def spaced(self) -> bool:
        """Whether its script has spaces between words."""
        return not _WITHOUT_SPACES.match(self.forms[0])


def composed(text: str) -> str:
    """Return a text in small letters, each letter with its marks as one where there is such."""
    return unicodedata.normalize("NFC", text).casefold()


def foreign(text: str) -> bool:
    """Return whether a text has letters other than Latin ones."""
    return bool(_LETTER.search(text))


def latin(text: str) -> str:
    """Return a text without its words in other scripts; where there is but a letter (π), all."""
    if not _WITHOUT_SPACES.search(text) and not any(len(w) > 1 for w in _WORD.findall(text)):
        return text
    return _WITHOUT_SPACES.sub(" ", _WORD.sub(" ", text))


def unspaced(text: str) -> bool:
    """Return whether a text has letters of a script without spaces between words."""
    return bool(_WITHOUT_SPACES.search(text))


def apart(text: str) -> str:
    """Return a text with its scripts without spaces set apart from what stands beside them."""
    return _WITHOUT_SPACES.sub(r" \g<0> ", text)


def terms(text: str) -> tuple[Term, ...]:
    """Return what a text asks for in other scripts, each once, at most ``MOST``."""
    if not foreign(text):
        return ()
    read = composed(text)
    of_words = [Term((word,)) for word in _words(read)]
    found = dict.fromkeys([*of_words, *(term for run in _runs(read) for term in _of(run))])
    return tuple(found)[:MOST]


def match(text: str) -> str:
    """Return the FTS5 query for any content word; words of other scripts with other endings too."""
    if not foreign(text):
        return query.match(text)
    known = query.match(latin(text))
    begun = [f"{quoted(begin)}*" for word in _words(composed(text)) for begin in _beginnings(word)]
    return " OR ".join([*([known] if known else []), *dict.fromkeys(begun[:MOST])])


def pieces(text: str) -> tuple[str, ...]:
    """Return what is looked for within texts, as the full-text index cannot find it.

    Beside characters of scripts without spaces these are Latin words, which may stand among them.
    """
    within = [form for term in terms(text) if not term.spaced for form in term.forms]
    if not within:
        return ()
    return tuple(dict.fromkeys([*query.words(latin(text)), *within]))[: query.MAX_WORDS]


def of_somebody(text: str) -> bool:
    """Return whether a question in another script has a word for whose life it is about."""
    return _has_any(text, "persons") or _has_any(text, "kin")


def explaining(text: str) -> bool:
    """Return whether a question in another script asks how, why, what or how much."""
    return _has_any(text, "explaining")


def _has_any(text: str, wanted: str) -> bool:
    """Return whether a text has a word of a list."""
    read = composed(text)
    return not _bare(wanted).isdisjoint(bare_words(read)) or any(
        word in read for word in vocabulary(_LISTS, wanted) if _WITHOUT_SPACES.match(word)
    )


def bare(word: str) -> str:
    """Return a word of a script with spaces as it is compared, without article and accents."""
    if _IS_HANGUL.match(word):
        return unicodedata.normalize("NFD", _PARTICLES.sub("", word))
    return _ARTICLES.sub("", query.plain(word))


def variants(word: str) -> tuple[str, ...]:
    """Return a bare word, and what it is without a letter that may be another word before it."""
    attached = _ATTACHED.get(_alphabet(word), "")
    return (word, word[1:]) if len(word) > LEAST and word[0] in attached else (word,)


def bare_words(text: str) -> set[str]:
    """Return the words of a composed text in scripts with spaces, in every variant."""
    return {form for word in set(_WORD.findall(text)) for form in variants(bare(word))}


def _words(text: str) -> list[str]:
    """Return the content words in scripts with spaces."""
    kept = (word for word in _WORD.findall(text) if len(word) > 1)
    return list(dict.fromkeys(word for word in kept if not _holds_together(bare(word))))


def _holds_together(word: str) -> bool:
    return word in _bare("words") or word in _bare("persons")


def _beginnings(word: str) -> list[str]:
    """Return how words begin that may be this one, as the full-text index has them."""
    stripped = _ARTICLES.sub("", _PARTICLES.sub("", word))
    heads = [form[: max(LEAST, ceil(len(form) * OF_WORD))] for form in variants(stripped)]
    return heads + [first + head for head in heads for first in before(word)]


def before(word: str) -> tuple[str, ...]:
    """Return the small words that may be written onto the beginning of a word."""
    return _BEFORE.get(_alphabet(word), ())


def _alphabet(word: str) -> str:
    """Return a letter that stands for an alphabet whose small words are written onto the next."""
    if "\u05d0" <= word[:1] <= "\u05ea":
        return "א"
    return "ا" if "\u0620" <= word[:1] <= "\u06d3" else ""


def _runs(text: str) -> list[str]:
    """Return what is left of scripts without spaces, without the endings of Japanese verbs."""
    kana = bool(_KANA.search(text))
    cut = _cut(kana).sub(_CUT, text)
    found = []
    for run in _RUN.finditer(cut):
        han = bool(_IS_HAN.match(run[0]))
        ending = _IS_HIRAGANA.match(run[0]) and _IS_HAN.match(cut, max(0, run.start() - 1))
        kept = _without_weak(run[0]) if han and not kana else run[0]
        if not ending and len(kept) > (not han):
            found.append(kept)
    return found


def _without_weak(run: str) -> str:
    weak = vocabulary(_LISTS, "weak")
    while len(run) not in (0, 2) and (run[0] in weak or run[-1] in weak):
        run = run[1:] if run[0] in weak else run[:-1]
    return run


def _of(run: str) -> list[Term]:
    """Return the terms of a run: itself where it is short, else each of its characters."""
    size, share = (2, OF_CHARACTER) if _IS_HAN.match(run) else (3, OF_SOUND)
    if len(run) <= size:
        return [Term((run,), 1.0 if len(run) == size else ALONE)]
    parts = [run[at : at + size] for at in range(len(run) - size + 1)]
    return [Term(tuple(parts[max(0, at - size + 1) : at + 1]), share) for at in range(len(run))]


@cache
def _bare(wanted: str) -> frozenset[str]:
    return frozenset(map(bare, vocabulary(_LISTS, wanted)))


@cache
def _cut(japanese: bool) -> re.Pattern[str]:
    """Return what is cut out of scripts without spaces, the longest first."""
    words = vocabulary(_LISTS, "thai") | vocabulary(_LISTS, "japanese" if japanese else "chinese")
    return re.compile("|".join(sorted(words, key=len, reverse=True)))
