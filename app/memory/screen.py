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
    r"\b(?:drop|truncate)\s+(?:table|database)\b|\bdelete\s+(?:everything|all\s+(?:files|"
    r"memories|data))\b|\b(?:run|execute|exec|eval)\s+(?:the\s+|this\s+|"
    r"following\s+)*(?:shell\s+)?(?:command|code|script)\s*:|\bcurl\b[^\n|]{0,200}\|"
    r"\s*(?:ba)?sh\b|\bsudo\s+\S|--(?:privileged|no-sandbox|dangerously\S*)",
    _FLAGS,
)
_SECRET = re.compile(
    r"\b(?:AIza[\w-]{20,}|sk-[\w-]{16,}|gsk_\w{16,}|gh[pousr]_\w{20,}|tvly-[\w-]{12,}|"
    r"xai-[\w-]{16,}|xox[abpr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|glpat-[\w-]{16,}|"
    r"eyJ[\w-]{16,}\.[\w-]{10,}\.[\w-]{8,})|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
_LABELLED = re.compile(
    r"\b(?:password|passwort|passphrase|passcode|pwd|api[ _-]?key|secret[ _-]?key|"
    r"access[ _-]?token|auth[ _-]?token|bearer|private[ _-]?key|cvv|cvc|seed phrase|"
    r"recovery code|pin)\b(?:\s+(?:for|of|to)\s+[\w' -]{1,40}?)?\s*(?:\b(?:is|was|are)\b|"
    r"[:=])\s*\S",
    _FLAGS,
)
_CARD = re.compile(r"\b(?:\d[ -]?){15,18}\d\b")
_SUSPICIOUS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:\w+\s+){0,3}(?:previous|prior|above|"
    r"earlier|all|your|the|system|safety)\s+(?:\w+\s+){0,2}(?:instructions?|prompts?|rules?|"
    r"guidelines|context|guardrails|safety|training)\b|\byou are now\b|\bnew (?:instructions?|"
    r"rules?)\s*:|<\|[^|>\n]{1,40}\|>|</?(?:system|assistant|user|memory|instructions?)>|"
    r"\[/?(?:INST|SYSTEM)\]|^\s*(?:system|assistant|human|user)\s*:|#{2,}\s*(?:system|"
    r"instruction)|\bact as (?:root|admin(?:istrator)?|sudo|superuser|developer mode)\b|"
    r"\bjailbreak\b|\breset (?:your |the )?(?:context|memory|instructions)\b|\bdeveloper mode\b",
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
