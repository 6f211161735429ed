"""Find what is in a text but cannot be seen, and read the rest as a person would.

Letters of other scripts that look like Latin ones, letters set apart, digits in place of letters
and characters without any shape are how an order is carried past a pattern, or past a reader.
"""

import re
import unicodedata

# Flags of regions are written with tag characters; nothing else that people write is.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]|[\ufe00-\ufe0f]{2}"
    # A variant of a Chinese character is chosen by one of these, and only there.
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)
# Persian, Hindi and emoji are written with joiners; between Latin letters they only divide words.
_LOOSE_JOINER = re.compile(r"(?<=[A-Za-z0-9])[\u200c\u200d]|[\u200c\u200d](?=[A-Za-z0-9])")
_NO_SHAPE = frozenset({"Cf", "Mn", "Me", "Cs", "Co", "Cn"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")

_ALIKE = (
    ("abcdefghijklmnopqrstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ"),
    ("abcdehijklmnopqrstuvwxy", "аьсԁеһіјӏӏмпорԛгѕтцѵԝху"),
    ("bhkABCEHIJKMOPSTXY", "внкАВСЕНІЈКМОРЅТХУ"),
    ("abegiknoprtuvwxy", "αβεɡικηορɼτυνωχγ"),
    ("ABEHIKMNOPTXYZ", "ΑΒΕΗΙΚΜΝΟΡΤΧΥΖ"),
    ("nouhqgi", "ոօսհգցı"),
)
_LATIN = str.maketrans(
    {
        **{
            like: letter
            for letters, likes in _ALIKE
            for letter, like in zip(letters, likes, strict=True)
        },
        **{chr(start + n): chr(97 + n) for start in (0x1F1E6, 0x1F150, 0x1F170) for n in range(26)},
    }
)
_MIXED = re.compile(
    r"[A-Za-z][\u0400-\u04ff\u0500-\u052f]|[\u0400-\u04ff\u0500-\u052f][A-Za-z]"
    r"|[A-Za-z][\u0391-\u03c9][A-Za-z]|[A-Za-z][\u0561-\u0587][A-Za-z]"
)
_APART = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .\-_*·]){3,}[^\W\d_](?![^\W_])")
_FAR_APART = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .\-_*·]{1,3}){8,}[^\W\d_](?![^\W_])")
_SPACES = re.compile(r"[^\S\n]+")
_DIGIT_INSIDE = re.compile(r"[A-Za-z][013457@$!|][A-Za-z]|\b[013457@$][A-Za-z]{2}")
_DIGITS = str.maketrans("013457@$!|", "oieastasil")


def hidden(text: str) -> bool:
    """Say whether a text holds characters that are read and not seen."""
    if text.isascii():
        return False
    text = _FLAG.sub("", text.removeprefix("\ufeff"))
    return bool(_UNSEEN.search(text) or _LOOSE_JOINER.search(text))


def disguised(text: str) -> bool:
    """Say whether words are written with letters of two scripts, or letter by letter."""
    return bool(_FAR_APART.search(text) or (not text.isascii() and _MIXED.search(text)))


def readings(text: str) -> tuple[str, ...]:
    """Return a text as patterns should read it: the Latin letters that are seen, without accents.

    Spaces and line breaks are single, so that no pattern has to count them. Where digits stand for
    letters there is a second reading with letters.
    """
    plain = text if text.isascii() else _latin(text)
    plain = _SPACES.sub(" ", "\n".join(line.strip() for line in plain.splitlines() if line.strip()))
    plain = _APART.sub(lambda found: re.sub(r"[ .\-_*·]", "", found[0]), plain)
    if _DIGIT_INSIDE.search(plain):
        return plain, plain.translate(_DIGITS)
    return (plain,)


def _latin(text: str) -> str:
    seen = (
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if letter not in _FILLERS and unicodedata.category(letter) not in _NO_SHAPE
    )
    return "".join(seen).translate(_LATIN)
