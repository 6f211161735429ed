"""Keep foreign text in its place: what stands in a prompt as data stays data.

What was recalled stands on one line of its own: nothing in a text can end that line, begin another
numbered one or hide instructions, since whatever could be taken for that is made harmless. What was
pasted keeps its lines and stands between two with an id that it cannot know.
"""

import re
import unicodedata

APART = "<<<"  # how a line begins between which and its end words stand that nobody here said
_ANGLES = "<＜﹤‹〈⟨《«⟪≪"
_OTHER_ANGLES = ">＞﹥›〉⟩》»⟫≫"
_BETWEEN = r"[\s\u200c\u200d\ufe00-\ufe0f]*"
_OPENING = re.compile(f"[{_ANGLES}](?:{_BETWEEN}[{_ANGLES}])+")
_CLOSING = re.compile(f"[{_OTHER_ANGLES}](?:{_BETWEEN}[{_OTHER_ANGLES}])+")
_LOOSE_JOINER = re.compile(r"(?<=[\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f])")
_MARK = re.compile(r"[\[［【]\s*(\d[\d\s,]*)\s*[\]］】]")
# What begins a numbered line, where a text has it at a sentence's start or before a date.
_DAY = r"\d{1,2}\s+[^\W\d_]{3,9}\.?,?\s+\d{4}|\d{4}-\d\d?-\d\d?"
_ENTRY = re.compile(
    rf"(?:^|(?<=[\s.!?…:;,“”‘’'\"–—-]))(\d{{1,3}})\s?[.):．。](?=\s*(?:{_DAY}))"
    r"|(?:^|(?<=[.!?…:;“”‘’'\"›]\s)|(?<=[“‘'\"]))(\d{1,3})\s?[.):．](?=\s)"
)
_SPECIAL = re.compile(r"<\s*\|(.*?)\|\s*>|<\s*/?\s*(?:s|bos|eos|start_of_turn|end_of_turn)\s*>")
_BLANK = "\u115f\u1160\u3164\uffa0\u034f"
_SELECTORS = "\U000e0000"
_SPACE = re.compile(r"\s+")
_QUOTES = str.maketrans('“”„"', "‘’‚'")


def apart(text: str, whence: str, identifier: str) -> str:
    """Return words that nobody here said between lines that say where they come from.

    Args:
        text: The words; they stay as they are, but for the id.
        whence: Where they come from.
        identifier: What the text cannot know.
    """
    inside = re.sub(re.escape(identifier), "", text, flags=re.IGNORECASE)
    return f"{APART}{identifier} {whence}:\n{inside.strip(chr(10))}\n{identifier}>>>"


def quotable(text: str) -> str:
    """Return words of others, harmless, that cannot end the quotation in which they stand."""
    return harmless(text).translate(_QUOTES)


def harmless(text: str) -> str:
    """Return text on one line, without hidden characters and without anything like our marks."""
    shown = "".join(_visible(letter) for letter in unicodedata.normalize("NFC", text))
    shown = _LOOSE_JOINER.sub("", shown)
    shown = _SPECIAL.sub(" ", shown)
    shown = _CLOSING.sub("›", _OPENING.sub("‹", shown))
    shown = _MARK.sub(lambda mark: f"({mark[1].strip()})", shown)
    shown = _SPACE.sub(" ", shown).strip()
    return _ENTRY.sub(lambda mark: f"({mark[1] or mark[2]})", shown)


def _visible(letter: str) -> str:
    """Return a letter, a space for a line break or control, nothing for what cannot be seen."""
    if letter in "\u200c\u200d":  # joiners: Persian, Hindi and emoji are written with them
        return letter
    category = unicodedata.category(letter)
    if category in ("Zl", "Zp", "Cc"):
        return " "
    hidden = category in ("Cf", "Cs", "Co", "Cn") or letter in _BLANK or letter >= _SELECTORS
    return "" if hidden else letter
