"""Look at a text before it is remembered: harmless, suspicious, or not to be stored at all.

This is no defence by itself, since wording can always be changed; it keeps the plain cases out of
the way. What protects is that only the person's own typed words become memories.
"""

import re
from enum import StrEnum

TAINTED = "security-tainted"


class Verdict(StrEnum):
    """What may be done with a text."""

    CLEAN = "clean"
    SUSPICIOUS = "suspicious"
    REFUSED = "refused"


_FLAGS = re.IGNORECASE
_REFUSED = re.compile(
    r"\brm\s+-[a-z]*[rf][a-z]*\s+[/~*.]|\bformat\s+c:|\bdel\s+/[sfq]\b|\bmkfs\b|:\(\)\s*\{|"
    r"\b(?:drop|truncate)\s+(?:table|database)\b|\bdelete\s+(?:everything|all\s+(?:files|memories|"
    r"data))\b|"
    r"\b(?:run|execute|exec|eval)\s+(?:the\s+|this\s+|following\s+)*(?:shell\s+)?(?:command|code|"
    r"script)\s*:|"
    r"\bcurl\b[^\n|]{0,200}\|\s*(?:ba)?sh\b|\bsudo\s+\S|--(?:privileged|no-sandbox|dangerously\S*)",
    _FLAGS,
)
_SECRET = re.compile(
    r"\b(?:AIza[\w-]{20,}|sk-[\w-]{16,}|gsk_\w{16,}|gh[pousr]_\w{20,}|tvly-[\w-]{12,}|"
    r"xai-[\w-]{16,}|"
    r"xox[abpr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|glpat-[\w-]{16,}|eyJ[\w-]{16,}\.[\w-]{10,}\.[\w-]{8,})|"
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
_LABELLED = re.compile(
    r"\b(?:password|passwort|passphrase|passcode|pwd|api[ _-]?key|secret[ _-]?key|access[ "
    r"_-]?token|"
    r"auth[ _-]?token|bearer|private[ _-]?key|cvv|cvc|seed phrase|recovery code|pin)\b"
    r"(?:\s+(?:for|of|to)\s+[\w' -]{1,40}?)?\s*(?:\b(?:is|was|are)\b|[:=])\s*\S",
    _FLAGS,
)
_CARD = re.compile(r"\b(?:\d[ -]?){15,18}\d\b")
_SUSPICIOUS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:\w+\s+){0,3}(?:previous|prior|above|"
    r"earlier|all|"
    r"your|the|system|safety)\s+(?:\w+\s+){0,2}(?:instructions?|prompts?|rules?|guidelines|context|"
    r"guardrails|safety|training)\b|\byou are now\b|\bnew (?:instructions?|rules?)\s*:|"
    r"<\|[^|>\n]{1,40}\|>|</?(?:system|assistant|user|memory|instructions?)>|\[/?(?:INST|SYSTEM)\]|"
    r"^\s*(?:system|assistant|human|user)\s*:|#{2,}\s*(?:system|instruction)|"
    r"\bact as (?:root|admin(?:istrator)?|sudo|superuser|developer mode)\b|\bjailbreak\b|"
    r"\breset (?:your |the )?(?:context|memory|instructions)\b|\bdeveloper mode\b",
    _FLAGS | re.MULTILINE,
)
# Characters that are not seen but are read: tags, zero-width and bidirectional controls.
_HIDDEN = re.compile(
    "[\u200b\u200c\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def screen(text: str, *, asked: bool = False) -> Verdict:
    """Judge a text that is about to be remembered.

    Args:
        text: The memory's text or the words it rests on.
        asked: Whether the person asked for exactly this to be kept; then a password may be.
    """
    if _REFUSED.search(text) or _SECRET.search(text) or _CARD.search(text):
        return Verdict.REFUSED
    if not asked and _LABELLED.search(text):
        return Verdict.REFUSED
    if _SUSPICIOUS.search(text) or _HIDDEN.search(text):
        return Verdict.SUSPICIOUS
    return Verdict.CLEAN
