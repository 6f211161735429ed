"""Find secrets that are said without their name, because it stands elsewhere in the same words.

"My old PIN was 4411, the new one is 9023", "it's now tulip99", "changed from 4411 to 9023", "9023
is my PIN". What counts has the shape of such a secret and nothing behind it that makes it an
amount, and no other thing was named since: "I bought a bike, the new one is 9023 euros".
"""

import re
from collections.abc import Iterator

from app.memory.screen.tokens import NO_SECRET, PASSWORD_WORDS, PIN_WORDS, WHOSE, ScreenMatch

_WINDOW, _MOST_BETWEEN, _BEFORE = 400, 160, 60  # characters
_SHORTEST = {"PIN": 3, "password": 4}
_NAME = re.compile(rf"\b(?:(?P<pin>{PIN_WORDS})|{PASSWORD_WORDS})\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“‘'`](?P<secret>[^\"”’'`\n]{3,60})[\"”’'`]")
_DIGITS = re.compile(r"[\"“‘'`]?(?P<secret>\d(?:[ -]?\d){2,11})\b")
_TOKEN = re.compile(r"(?P<secret>[^\s,;:()\"“”‘’'`\[\]]{3,60})")
# What stands behind a value that is no amount.
_TAIL = re.compile(
    r"[\"”’'`]?(?:[.!?,;:)\n–—…]+(?:\s|$)|\s*$|\s*[\n(–—]|\s+-\s|\s+(?:and|but|or|so|now|since|from|to|"
    r"because|instead|again|as|until|before|then|not|any\s?more|please|today|yesterday|last|recently|is|was|und|y|et|en)\b)",
    re.IGNORECASE,
)
_NEW = "new|old|current|other|previous|former|latest|next|second|correct|right|real|actual"
_NEUE = "neuen?|alten?|nuev[oa]|viej[oa]|nouveau|nouvelle|ancien(?:ne)?|nieuwe|oude"
_BE = (
    r"(?:\s+(?:is|was|are|were|will be|has been|used to be|became|ist|war|es|era|est|était)\b"
    r"|['’]s\b|\s*[:=])(?:\s+(?:now|just|simply|jetzt|nu)\b)?\s*"
)
_CHANGE = r"\b(?:chang(?:e|es|ed|ing)|(?:re)?sets?|switched|updated|moved|went|goes|made)\b"
# With these a plain word is a value as well; behind the others only what has a digit or is quoted.
_RENEWED = re.compile(
    rf"\b(?:{_NEW})\s+(?:one|code|number|key|{PIN_WORDS}|{PASSWORD_WORDS}){_BE}"
    rf"|\b(?:die|das|der|la|el|le|de|het)\s+(?:{_NEUE}){_BE}"
    r"|\b(?:it|that|they)(?:\s+(?:is|was|are)|['’]s|['’]re)\s+now\s+"
    r"|\bnow,?\s+(?:it['’]s|it\s+is|we\s+use|i\s+use)\s+"
    r"|\b(?:changed|reset|set|switched|updated)(?:\s+(?:it|that|them|this|mine))?\s+(?:in)?to\s+",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    rf"\b(?:it|that|this|they|es|sie|het){_BE}|\b(?:now|jetzt|ahora|maintenant|nu)\b:?\s+"
    r"|\b(?:not|\w+n['’]t|instead\s+of|rather\s+than|no\s+longer|from(?=\s+\S+\s+to\b)|to)\s+",
    re.IGNORECASE,
)
_CHANGING = re.compile(_CHANGE, re.IGNORECASE)
_CHANGED_IT = re.compile(r"\w+\s+(?:it|that|them|this|mine)\s", re.IGNORECASE)
_OWNED = re.compile(
    rf"(?:\b(?:my|our|his|her|their|{_NEW}|card|bank|phone|sim)|['’]s)\s+$", re.IGNORECASE
)
_TO = re.compile(rf"{WHOSE}(?:\s+(?:now|again|today|yesterday))?\s+(?:in)?to\s+", re.IGNORECASE)
_NEXT_TO = re.compile(r"\s*[(,]?\s*")
_BEHIND = re.compile(  # "9023 is my PIN"
    r"(?<![\w.,€$£-])(?P<secret>[^\s,;:()\"“”‘’'`\[\]]{3,60})[\"”’'`]?\s+(?:(?:is|was|will be)"
    r"(?:\s+(?:now|still))?|as)\s+(?:(?:my|our|his|her|their|\w+['’]s)\s+(?:\w+\s+)?(?:\w+\s+)?"
    rf"|(?:the|an?)\s+(?:(?:{_NEW}|wi-?fi)\s+)*)$",
    re.IGNORECASE,
)
_NO_CODE = re.compile(r"\b(?:bowling|skittles?|brooch|badges?|enamel|knitting)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[.!?;,\n–—]+\s")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Another thing that may be meant since the secret was named.
_OTHER = re.compile(
    r"(?<!\bfor )(?<!\bof )(?<!\bto )(?<!\bat )(?<!\bon )(?<!\bin )(?<!\bby )(?<!\bwith )\b"
    rf"(?:my|our|his|her|their|an?|another|the)\s+(?!(?:{_NEW}|{PIN_WORDS}|{PASSWORD_WORDS}|one|bank"
    r"|while|week|month)\b)\w",
    re.IGNORECASE,
)
_FILLING = re.compile(
    r"(?:and|but|so|then|since|today|yesterday|well|actually|as|of|from|i|i've|we|we've|they|she|he|"
    r"it|them|have|has|had|just|changed?|got|reset|last|this|week|month|year|because|again|the|now|"
    r"bank|that|is|was|me|gave|a|no|sorry|oh|wait|though|forgot|lost|(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day|old|new|one|my|und|aber|jetzt|y|pero|ahora|et|mais|maintenant|en|maar)",
    re.IGNORECASE,
)
_TIME = re.compile(r"\d{1,2}(?:[:.h]\d\d)?(?:am|pm|h)?|\d{4}-\d\d-\d\d", re.IGNORECASE)


def renewed(text: str) -> Iterator[ScreenMatch]:
    """Yield the PINs and passwords of a text that stand apart from their name; some twice."""
    plays = _NO_CODE.search(text) is not None
    for name in _NAME.finditer(text):
        if plays and name["pin"] and not name[0].startswith("PIN"):
            continue
        what = "PIN" if name["pin"] else "password"
        before = text[max(0, name.start() - _BEFORE) : name.start()]
        behind = text[name.end() : name.end() + _WINDOW]
        for start, end in _before(before, what):
            yield ScreenMatch(
                name.start() - len(before) + start, name.start() - len(before) + end, what
            )
        named = what != "PIN" or name[0].startswith("PIN") or _OWNED.search(before) is not None
        changing = _CHANGING.search(before) is not None
        for start, end in _after(behind, what, named=named, changing=changing):
            yield ScreenMatch(name.end() + start, name.end() + end, what)


def _before(text: str, what: str) -> Iterator[tuple[int, int]]:
    """Yield what stands before the name of a secret: "9023 is my"."""
    found = _BEHIND.search(text)
    if found is None:
        return
    digits = _DIGITS.fullmatch(found["secret"]) is not None
    if digits or (what != "PIN" and _is_mixed(found["secret"])):
        yield found.span("secret")


def _after(text: str, what: str, *, named: bool, changing: bool) -> Iterator[tuple[int, int]]:
    """Yield what stands behind the name of a secret, each as far as the one before leads to it.

    Args:
        text: What stands there.
        what: Which secret it is.
        named: Whether its name cannot mean another thing: "pin 1204 is the rarest".
        changing: Whether it was said before the name that it changes.
    """
    at = 0
    if named and (lead := _NEXT_TO.match(text)) and (one := _value(text, lead.end(), what, "next")):
        yield one
        at = one[1]
    lead = _TO.match(text)
    if changing and lead and (one := _value(text, lead.end(), what, "plain")):
        yield one
        at = one[1]
    begin = at
    while found := _first(text, begin):
        expression, match = found
        begin, between = match.end(), text[at : match.start()]
        if len(between) > _MOST_BETWEEN:
            return
        one = _value(text, begin, what, "plain" if expression is _RENEWED else "")
        if one and _leads(between, match[0].lower()):
            yield one
            at = begin = one[1]


def _first(text: str, at: int) -> tuple[re.Pattern[str], re.Match[str]] | None:
    """Return what next announces a value, and which way."""
    both = ((one, one.search(text, at)) for one in (_RENEWED, _REPEATED))
    found = [(one, match) for one, match in both if match is not None]
    return min(found, key=lambda pair: (pair[1].start(), -pair[1].end()), default=None)


def _leads(between: str, announced: str) -> bool:
    """Return whether what stands between a secret and its possible value names nothing else.

    Args:
        between: That.
        announced: The words right before the value.
    """
    if announced.startswith("to "):  # "from 4411 to 9023"
        return not between.strip(" \"”’'`") or _CHANGING.search(between) is not None
    first, *others = _CLAUSES.split(between)
    said = (word.replace("’", "'") for clause in others for word in _WORD.findall(clause))
    changed = _CHANGED_IT.match(announced) is not None and announced.endswith("to ")
    return changed or (not _OTHER.search(first) and all(map(_FILLING.fullmatch, said)))


def _value(text: str, at: int, what: str, how: str) -> tuple[int, int] | None:
    """Return where the value at a place stands; None where none does.

    Args:
        text: The text.
        at: Where it should begin.
        what: Which secret it should be.
        how: "plain" where any word may be one, "next" where it follows the name at once.
    """
    quoted = _QUOTED.match(text, at)
    match = _DIGITS.match(text, at) if what == "PIN" else quoted or _TOKEN.match(text, at)
    if match is None:
        return None
    secret = match["secret"].rstrip(".!?…")
    start, end = match.start("secret"), match.start("secret") + len(secret)
    if len(secret) < _SHORTEST[what] + (how == "next") or not _TAIL.match(text, end):
        return None
    if what == "PIN" or match is quoted:
        return start, end
    if _TIME.fullmatch(secret) or NO_SECRET.match(secret):
        return None
    told = _is_mixed(secret) or (how != "next" and any(letter.isdigit() for letter in secret))
    return (start, end) if told or how == "plain" else None


def _is_mixed(secret: str) -> bool:
    """Return whether a word has letters and digits."""
    return any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
