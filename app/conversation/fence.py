"""Keep recalled text inside its fence: what stands in a prompt as data stays data.

The fence is a pair of lines with a random id, which no stored text can know. Besides, whatever
could be taken for a fence, for another numbered line or for hidden instructions is made harmless.
"""

import re
import unicodedata

_ANGLES = "<＜﹤‹〈⟨《«⟪≪"
_OTHER_ANGLES = ">＞﹥›〉⟩》»⟫≫"
_BETWEEN = r"[\s\u200c\u200d\ufe00-\ufe0f]*"
_OPENING = re.compile(f"[{_ANGLES}](?:{_BETWEEN}[{_ANGLES}])+")
_CLOSING = re.compile(f"[{_OTHER_ANGLES}](?:{_BETWEEN}[{_OTHER_ANGLES}])+")
_LOOSE_JOINER = re.compile(r"(?<=[\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f])")
_MARK = re.compile(r"[\[［【]\s*(\d[\d\s,]*)\s*[\]］】]")
_SPECIAL = re.compile(r"<\s*\|(.*?)\|\s*>|<\s*/?\s*(?:s|bos|eos|start_of_turn|end_of_turn)\s*>")
_BLANK = "\u115f\u1160\u3164\uffa0\u034f"
_SELECTORS = "\U000e0000"
_SPACE = re.compile(r"\s+")
_QUOTES = str.maketrans('“”„"', "‘’‚'")


def opened(identifier: str) -> str:
    """Return the line that opens a fence."""
    return f"<<<memory {identifier}"


def closed(identifier: str) -> str:
    """Return the line that closes a fence."""
    return f"memory {identifier}>>>"


def apart(text: str, whence: str, identifier: str) -> str:
    """Return words that nobody here said between lines that say where they come from.

    Args:
        text: The words; they stay as they are, but for the id.
        whence: Where they come from.
        identifier: What the text cannot know.
    """
    inside = re.sub(re.escape(identifier), "", text, flags=re.IGNORECASE)
    return f"<<<{identifier} {whence}:\n{inside.strip(chr(10))}\n{identifier}>>>"


def quotable(text: str, identifier: str = "") -> str:
    """Return words of others, harmless, that cannot end the quotation in which they stand."""
    return harmless(text, identifier).translate(_QUOTES)


def harmless(text: str, identifier: str = "") -> str:
    """Return text on one line, without hidden characters and without anything fence-like.

    Args:
        text: What was stored.
        identifier: The id of the fence it will stand in; taken out of the text.
    """
    shown = "".join(_visible(letter) for letter in unicodedata.normalize("NFC", text))
    shown = _LOOSE_JOINER.sub("", shown)
    if identifier:
        shown = re.sub(re.escape(identifier), "", shown, flags=re.IGNORECASE)
    shown = _SPECIAL.sub(" ", shown)
    shown = _CLOSING.sub("›", _OPENING.sub("‹", shown))
    shown = _MARK.sub(lambda mark: f"({mark[1].strip()})", shown)
    return _SPACE.sub(" ", shown).strip()


def _visible(letter: str) -> str:
    """Return a letter, a space for a line break or control, nothing for what cannot be seen."""
    if letter in "\u200c\u200d":  # joiners: Persian, Hindi and emoji are written with them
        return letter
    category = unicodedata.category(letter)
    if category in ("Zl", "Zp", "Cc"):
        return " "
    hidden = category in ("Cf", "Cs", "Co", "Cn") or letter in _BLANK or letter >= _SELECTORS
    return "" if hidden else letter
