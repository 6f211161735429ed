"""Whether a text asks, tells or wants work done, read from its first words and punctuation."""

import re


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPENINGS = _vocabulary(
    """
    who whom whose what when where which why how is are am was were do does did can could will
    would should shall may might have has had tell show list find name remind explain describe
    """
)
_FILLERS = _vocabulary("so and but ok okay well hey hi hello please now then also")
_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"[?？؟](?:[\s\"'”’)\]]|$)")
_WORK = re.compile(
    r"\W*(?:(?:hi|hello|hey|ok|okay|so|please|now|then)\W+)*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|need|would like) you to )?"
    r"(?:help me (?:to )?)?"
    r"(?:write|rewrite|translate|summari[sz]e|draft|compose|generate|calculate|compute|convert|code"
    r"|explain|fix|improve|proofread|brainstorm|suggest|recommend|create|design|imagine|invent"
    r"|plan (?:a|an|my|our|the|me|us)"
    r"|make (?:me|a|an|up)|give me|teach me|act as|pretend|compare|analy[sz]e|correct|continue)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?？؟。！…\n]*[.!?？؟。！…\n]*")
_PAST = _vocabulary(
    """
    was were did had before previously formerly earlier originally former past old until used back
    war waren hatte früher vorher damals ehemals était étaient avait avant autrefois
    era eran fue había antes was waren had vroeger eerder voorheen destijds
    """
)
_CLOSING = " \t\n\"'”’)*_"
_ASIDE = 3


def asks(text: str) -> bool:
    """Return whether ``text`` is a question or asks to be told something."""
    if _MARK.search(text):
        return True
    for word in _WORD.findall(text.casefold()):
        if word not in _FILLERS:
            return word in _OPENINGS
    return False


def wants_work(text: str) -> bool:
    """Return whether ``text`` asks for something to be written, explained or done."""
    return bool(_WORK.match(text))


def asks_of_the_past(text: str) -> bool:
    """Return whether ``text`` may ask for what was and changed since."""
    return not _PAST.isdisjoint(_WORD.findall(text.casefold()))


_MARKS = ("?", "？", "؟")


def only_asks(text: str) -> bool:
    """Return whether ``text`` tells nothing: every sentence asks, but for asides like "Wow!"."""
    if wants_work(text):
        return True
    if not any(mark in text for mark in _MARKS):
        return False
    asked = False
    for found in _SENTENCE.findall(text):
        sentence = found.strip(_CLOSING)
        if sentence.endswith(_MARKS):
            asked = True
        elif len(_WORD.findall(sentence)) > _ASIDE:
            return False
    return asked
