"""Grammar of the person: contractions written out, and "I" turned into "you".

Memories speak to the person they are about: "You are allergic to walnuts".
"""

import re

_STATE = (
    r"(?=(?:a|an|not|also|now|really|very|still|allergic|vegetarian|vegan|pregnant|coming|getting|"
    r"going|moving|learning|living|working|studying|turning|called|named|born|in|on|from|the \d\w*|"
    r"\d+|married|diabetic|afraid|into)\b)"
)
_HIDDEN_HAVE = r"(?=(?:got|been|had|become|moved|gone|lived|worked|started|turned|just|always)\b)"


def _rules(*rows: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), written) for pattern, written in rows)


_EXPANSIONS = _rules(
    (r"\bi['’]?m\b(?= )", "I am"),
    (r"\b(we|you|they)['’]re\b", r"\1 are"),
    (r"\b(i|we|you|they)['’]ve\b", r"\1 have"),
    (r"\bive\b", "I have"),
    (r"\b(i|we|you|he|she|it|they|that|there|who)['’]ll\b", r"\1 will"),
    (r"\b(i|we|you|he|she|they)['’]d\b", r"\1 would"),
    (r"\b(he|she|it|who|\w+)['’]s " + _HIDDEN_HAVE, r"\1 has "),
    (r"\b(he|she|it|that|there|who|what|where|how|here)['’]s\b", r"\1 is"),
    (r"\b(name)['’]s (?=[A-Z])", r"\1 is "),
    (r"\b(\w+)['’]s " + _STATE, r"\1 is "),
    (r"\bcan['’]?t\b|\bcan not\b", "cannot"),
    (r"\bwon['’]t\b", "will not"),
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n['’]?t\b", r"\1 not"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\b(have|has) got (?!to\b|married|engaged|divorced|better|rid)", r"\1 "),
    (r"\bi\b(?!\.)", "I"),
    (r"\bany more\b", "any more"),
)

_SECOND = _rules(
    (r"\b(my (?:[\w'-]+ ){1,3})and I\b", r"\1and you"),
    (r"\bI ((?:\w+ )?)am\b", r"you \1are"),
    (r"\bI ((?:\w+ )?)was\b", r"you \1were"),
    (r"\bI\b", "you"),
    (r"(?<!\d )(?<!\d)\bam\b(?!\.)", "are"),
    (r"\bmyself\b", "yourself"),
    (r"\bourselves\b", "yourselves"),
    (r"\b(?:my|our)\b", "your"),
    (r"\b(?:mine|ours)\b", "yours"),
    (r"\b(?:me|we)\b", "you"),
)
_US = re.compile(r"\bus\b")  # the country is written in capitals


def expanded(text: str) -> str:
    """Return ``text`` with contractions written out, so that patterns see one form."""
    for pattern, written in _EXPANSIONS:
        text = pattern.sub(written, text)
    return text


def second_person(text: str) -> str:
    """Return what the person says of themselves as it is said to them, as one sentence.

    "I am allergic to walnuts" becomes "You are allergic to walnuts".
    """
    for pattern, written in _SECOND:
        text = pattern.sub(written, text)
    text = " ".join(_US.sub("you", text).split()).strip(" ,;:–-")
    return text[:1].upper() + text[1:].rstrip(".!…")
