"""Grammar of the person: contractions written out, and "I" turned into "you".

Memories speak to the person they are about: "You are allergic to walnuts".
"""

import re

_STATE = (
    r"(?=(?:a|an|not|also|now|really|very|still|allergic|vegetarian|vegan|pregnant|coming|getting|"
    r"going|moving|learning|living|working|studying|turning|called|named|born|in|on|from|the \d\w*|"
    r"\d+|married|diabetic|afraid|into|all|off|usually|never|always|due|based|deaf|blind|autistic|"
    r"coeliac|celiac|gluten|lactose|dead|retired|engaged|divorced|single|type|with|out|my|our|"
    r"one|two|"
    r"number \d+|plot \d+|electric|diesel|automatic|wooden|listed|colou?r[- ]?blind|hard of|"
    r"short-sighted|asthmatic|"
    r"dyslexic|bipolar|tight|small|big|broken|"
    r"gone|full|double|half|severely|"
    r"mostly|mainly|only|just|quite|pretty|so|too)\b)"
)
_HIDDEN_HAVE = (
    r"(?=(?:got|been|had|become|moved|gone|lived|worked|started|turned|"
    r"(?:just|always) (?:been|had|got|gone|done|known|taken|made|kept|told|said|felt|come|become|"
    r"\w+ed))\b)"
)
_DONE_TO = (
    r"(?=(?:(?:just|already|always|never|also|only|finally|recently) )?(?:done|seen|taken|given|"
    r"written|driven|chosen|eaten|forgotten|broken|grown|known|had|made|bought|sold|lost|left|"
    r"taught|kept|spent|won|paid|brought|found) (?:it|this|that|them|me|us|him|her|my|our|his|an?|"
    r"the|up|over|out|two|three|four|five|\d+|so)\b)"
)


def _rules(*rows: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), written) for pattern, written in rows)


_EXPANSIONS = _rules(
    (r"\bi['’]?m\b(?= )", "I am"),
    (r"\b(we|you|they)['’]re\b", r"\1 are"),
    (r"\b(i|we|you|they)['’]ve\b", r"\1 have"),
    (r"\bive\b", "I have"),
    (r"\b(i|we|you|he|she|it|they|that|there|who)['’]ll\b", r"\1 will"),
    (
        r"\b(i|we|you|he|she|it|they)['’]d (?=(?:been|had|gone|done|got|never been|always been|"
        r"just \w+ed|just got|"
        r"lived|worked|seen|taken|become|lost|left|met|made|come|given|forgotten|already)\b)",
        r"\1 had ",
    ),
    (r"\b(i|we|you|he|she|they)['’]d\b", r"\1 would"),
    (r"\b(he|she|it|who|\w+)['’]s " + _HIDDEN_HAVE, r"\1 has "),
    (r"\b(he|she|it|who|that)['’]s " + _DONE_TO, r"\1 has "),
    (r"\b(he|she|it|that|there|who|what|where|when|how|here)['’]s\b", r"\1 is"),
    (
        r"\b(name|tongue|language|number|address|birthday|surname|nickname|boss|manager|colour|"
        r"color|sign|size|code|postcode|"
        r"school|street|club|team|band|doctor|dentist|partner|husband|wife|sister|brother|son|"
        r"daughter|dog|cat)['’]s "
        r"(?=(?-i:[A-Z])|\d)(?!(?-i:[A-Z])\w+ (?:is|was|has)\b)",
        r"\1 is ",
    ),
    (r"(?<!\bis )(?<!\bare )(?<!\bwas )\b(\w+)['’]s " + _STATE, r"\1 is "),
    (r"\bcan['’]?t\b|\bcan not\b", "cannot"),
    (r"\bwon['’]t\b", "will not"),
    (
        r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|might)n['’]?t\b",
        r"\1 not",
    ),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\b(have|has) got to\b", r"\1 to"),
    (r"\b(have|has) got (?!married|engaged|divorced|better|rid)", r"\1 "),
    (r"\bi\b(?!\.)", "I"),
    (r"\bany more\b", "any more"),
)

# What one of these needs to be there; most sentences are spared the rest.
_CONTRACTED = re.compile(
    r"['’]|\bi\b|\b(?:im|ive|gonna|wanna|cant|can not|wont|(?:do|does|did|is|are|was|were|has|"
    r"have|had|would|could|"
    r"should|must|need|might)nt|(?:have|has) got|any more)\b|\b(?:Im|Ive|IM|Gonna|Wanna|Cant|"
    r"Wont|Dont|Doesnt|Didnt|"
    r"Isnt|Cannot)\b"
)
_SECOND = _rules(
    (r"\b(my (?:[\w'-]+ ){1,3})and I\b", r"\1and you"),
    (r"\bI ((?:\w+ )?)am\b", r"you \1are"),
    (r"\bI ((?:\w+ )?)was\b", r"you \1were"),
    (r"\bI\b(?!-\d)", "you"),
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
    if not _CONTRACTED.search(text):
        return text
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
