"""Name a conversation after its first message."""

import re

LENGTH = 48
READ = 4_000  # characters of a message in which its title is looked for
_MARKUP = re.compile(r"```.*?(?:```|\Z)|[`*_#>]+", re.DOTALL)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|https?://(?:www\.)?([^\s/]+)\S*")
_LEAD_IN = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|ok|okay|so|well|please|thanks)"
    r"(?: (?:there|loci|all))?(?:[,!.:;–-]+\s*|\s+)|(?:can|could|would|will) you (?:please )?"
    r"|i(?:'d| would) like you to |i (?:want|need) you to |please )+"
    r"(?:help me (?:to )?)?",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[^\W\d_]{3})[.!?…](?=\s|$)|[。！？]|\n")


def from_message(text: str) -> str:
    """Return a title of at most ``LENGTH`` characters; empty where there is nothing to name."""
    plain = _LINK.sub(lambda link: link[1] or link[2] or "", text[:READ])
    plain = _MARKUP.sub(" ", plain).strip()
    for candidate in (_LEAD_IN.sub("", plain), plain):
        first = _first_sentence(candidate)
        if any(letter.isalnum() for letter in first):
            return _shortened(first[0].upper() + first[1:])
    return ""


def _first_sentence(text: str) -> str:
    text = text.strip()
    end = _END.search(text)
    sentence = text[: end.start()] if end else text
    return " ".join(sentence.split()).strip(" ,;:–-\"'“”")


def _shortened(text: str) -> str:
    if len(text) <= LENGTH:
        return text
    cut = text[: LENGTH - 1]
    head, _, _ = cut.rpartition(" ")
    return (head if len(head) > LENGTH // 2 else cut).rstrip(" ,;:–-") + "…"
