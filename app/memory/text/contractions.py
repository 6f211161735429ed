"""Write contractions out, so that "don't" and "do not" are compared as the same words."""

import re

_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        (r"['’]m\b", " am"),
        (r"['’]re\b", " are"),
        (r"['’]ve\b", " have"),
        (r"['’]ll\b", " will"),
        (r"['’]d\b", " would"),
        (r"\b(he|she|it|that|there|who|what|where|when|how|here)['’]s\b", r"\1 is"),
        (r"\bcan['’]?t\b|\bcan not\b", "cannot"),
        (r"\bwon['’]t\b", "will not"),
        (
            r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|might)"
            r"n['’]?t\b",
            r"\1 not",
        ),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\b(have|has) got to\b", r"\1 to"),
        (r"\b(have|has) got (?!married|engaged|divorced|better|rid)", r"\1 "),
    )
)


def expanded(text: str) -> str:
    """Return a text with its contractions written out."""
    for pattern, written in _RULES:
        text = pattern.sub(written, text)
    return text
