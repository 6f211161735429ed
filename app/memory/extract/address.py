"""Take off what a sentence says only because somebody is spoken to, and join what it leads up to.

"Hey Maria, since we last spoke I …", "I can't wait, Joanna": who is called by name, and when one
last talked, is no part of what is told.
"""

import re
from collections.abc import Collection

from app.memory.extract.common_words import is_common_word
from app.memory.extract.subjects import CAPITALISED, KIN, is_name

_CALL = (
    r"(?:hey|hi|hello|hiya|wow|yeah|yep|yup|yes|no|nope|oh|ok|okay|thanks(?: a lot| so much)?|"
    r"thank you(?: so much)?|congrats|congratulations|well|aw+|damn|cool|nice|great|sorry|"
    r"ha(?:ha)+|"
    r"good (?:morning|evening|afternoon)|morning|cheers|bravo|sure|totally|absolutely|dear|man)"
)
_CALLED = re.compile(
    rf"^(?i:{_CALL})(?:[,!]? (?i:{_CALL}))*[,!]? (?P<name>{CAPITALISED})[,!–—-]+ ?"
)
_NAMED_FIRST = re.compile(
    rf"^(?P<name>{CAPITALISED})(?:,|!| -) (?=(?i:I|we|it|this|that|you|so|since|when|what|how|why|"
    r"if|can|could|do|did|have|are|is|there|the|as|just|remember|please|no|yes)\b)"
)
_ALL = re.compile(
    r"^(?:ladies(?: and gentlemen)?|gentlemen|gents|folks|everyone|everybody|team|friends|guys|"
    r"girls|"
    r"boys|darling|honey|sweetheart|babe|mate|bro|sis|buddy|pal)[,!] (?=(?:I|we|my|our)\b)",
    re.IGNORECASE,
)
_NAMED_LAST = re.compile(rf"^(?P<said>.*\b(?P<before>[\w'-]+)),? (?P<name>{CAPITALISED})$")
_NAMING = re.compile(rf"(?:{KIN}|called|named|and|or|is|am|are|was|with|from|in|to|by)$", re.I)
_OF_THE_TALK = (
    r"(?:ever )?since (?:our|the) last (?:chat|talk|conversation|call|message)|"
    r"(?:ever )?since (?:I|we|you) (?:have )?(?:last )?(?:chat(?:ted)?|talk(?:ed)?|spoke|spoken|"
    r"speak|wrote|caught "
    r"up)"
    r"(?: last)?"
)
_TALKED_FIRST = re.compile(
    rf"^(?:(?:so|and|well|hey),? )*(?:{_OF_THE_TALK}),? (?=\w)", re.IGNORECASE
)
_TALKED_LAST = re.compile(rf",? (?:{_OF_THE_TALK})(?=$| ?[-–—,;(])", re.IGNORECASE)
_THOUGH = re.compile(
    r"^(?:even though|although|though) (?P<said>(?:I|we|my|our|mine|he|she)\b[^,;]{4,70}?), "
    r"(?=(?:I|we|my|our|he|she)\b)",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"^(?:since|because|as|seeing (?:as|that)|given that) (?P<said>(?:I|we) (?:am|are|have|do not|"
    r"cannot|live|work|own|suffer)\b[^,;]{3,60}?),? (?=(?:I|we|my|our) )",
    re.IGNORECASE,
)

_EACH_TIME = re.compile(
    r"^(?P<said>(?:every time|whenever|each time) I [a-z]+ [^,;]{2,40}?),? (?=(?:I|my) [a-z]+ "
    r"[^,;]+$)",
    re.IGNORECASE,
)


def without_address(text: str, known: Collection[str] = ()) -> str:
    """Return a sentence without the name of whom it is said to and without their last talk.

    Args:
        text: The sentence.
        known: Names of people met before.
    """
    if found := _CALLED.match(text):
        if not is_common_word(found["name"]):
            text = text[found.end() :] or text
    else:
        first = _NAMED_FIRST.match(text)
        named = first if first and is_name(first["name"], known) else None
        if called := _ALL.match(text) or named:
            text = text[called.end() :]
    found = _NAMED_LAST.match(text)
    if found and is_name(found["name"], known) and _closes(found):
        text = found["said"]
    if "since" in text.lower():
        text = _TALKED_LAST.sub("", _TALKED_FIRST.sub("", text))
    return text


def led_up_to(text: str) -> str:
    """Return "since I am vegan I bake" as "I am vegan, so I bake"; the same for "although"."""
    for form, joint in ((_THOUGH, "but"), (_SINCE, "so")):
        if found := form.match(text):
            return f"{found['said']}, {joint} {text[found.end() :]}"
    if found := _EACH_TIME.match(text):
        return f"{text[found.end() :]} {found['said'][:1].lower()}{found['said'][1:]}"
    return text


def _closes(found: re.Match[str]) -> bool:
    """Return whether a name at the end calls somebody, and is not what was spoken of."""
    before = found["before"]
    apart = found.string[found.end("said")] == ","
    return (
        apart
        and len(found["said"].split()) > 2
        and not before[:1].isupper()
        and not _NAMING.search(found["said"])
    )
