"""Put together what a message breaks in two: "PASSED!!! C1 German!", "Olives? Can't stand them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.memory.extract.common_words import is_common_word
from app.memory.extract.doubt import is_order
from app.memory.extract.fragments import completed, is_fragment
from app.memory.extract.sentences import Sentence
from app.memory.extract.starts import opens_clause
from app.memory.extract.subjects import CAPITALISED
from app.memory.extract.vocabulary import PEOPLE, PETS
from app.memory.when.words import MONTH, WEEKDAY

_LONGEST_CRY = 4
_SMALL_TALK = re.compile(
    r"\b(?:thanks?|thank you|please|help|ideas?|tips?|thoughts|cheers|hello|hi|ok|okay|bye|yes|"
    r"no|wow|sorry|"
    r"advice|suggestions?|complaint|letter|list|recipe|any|right|what|how|finally|lol)\b",
    re.IGNORECASE,
)
_ANYBODY = re.compile(r"\b(?:I|we|you|let)\b|:")
_ENDS_POINTING = re.compile(r"\b(?:it|this|that|them|those|these|one)$")
_SEEN = re.compile(r"(?:that|this|those|these|it|what|such) \w+", re.IGNORECASE)
_THEM = re.compile(r"\b(?:them|it)\b", re.IGNORECASE)
_MINE = re.compile(r"\bmine\b", re.IGNORECASE)
_OF_ITS_KIND = re.compile(
    r"\b(?:an?|the) (?P<what>(?:\d{4} )?[\w-]+(?: [\w-]+){0,3})$", re.IGNORECASE
)
_MY = re.compile(r"^(?:my|our) [\w' -]{3,40}$", re.IGNORECASE)
_HE_OR_SHE = re.compile(r"\b(?:he|she|his|her|him|hers|himself|herself)\b", re.IGNORECASE)
_OF_MINE = re.compile(
    r"\b(?:my|our) (?:[\w-]+ ){0,2}?(?:wife|husband|partner|sister|brother|son|daughter|mum|mom|"
    r"dad|mother|father|boss|friend|girlfriend|boyfriend|neighbour|neighbor|aunt|uncle|cousin|"
    r"niece|"
    r"nephew|gran|grandma|grandpa|doctor|teacher|colleague)\b",
    re.IGNORECASE,
)
_FIRST_NAME = re.compile(rf"(?:^|, |\band |; )(?P<name>{CAPITALISED})(?= [a-z]+\b)(?!')")


_NAMED_CHILD = re.compile(
    rf"^(?P<who>I|we) have (?:called|named|christened) (?:him|her|it|them) (?P<name>{CAPITALISED}"
    rf"(?: {CAPITALISED})?)$",
    re.IGNORECASE,
)
_BORN = re.compile(r"^(?:she was |he was )?(?:born|arrived)\b", re.IGNORECASE)
_GOT_A_JOB = re.compile(
    r"^(?:(?:so|and|guess what|omg|finally),? )*(?:I )?(?:have )?(?:just )?(?:got|got in|landed|"
    r"took|"
    r"accepted|am starting|have) .*\b(?:job|post|place|position|internship|apprenticeship|role|uni|"
    r"university|college|course)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    rf"^(?:I )?(?:start|begin|starting|beginning)(?: there)? (?=(?:at|on|in|next|this|from|\d|"
    rf"{MONTH}|{WEEKDAY})\b)",
    re.IGNORECASE,
)


def wholes(said: Sequence[Sentence], message: str) -> list[Sentence]:
    """Return the sentences of a message, those joined that only say something together."""
    found: list[Sentence] = []
    for sentence in said:
        last = found[-1] if found else None
        if last and len(found) > 1 and len(last.text.split()) == 1 and _BEGINS.match(sentence.text):
            found.pop()  # a cry between the two
            last = found[-1]
        text = _together(last, sentence) if last is not None else None
        if last is not None and text is not None:
            quote = message[last.start : sentence.end].strip()
            found[-1] = replace(
                sentence, text=text, quote=quote, start=last.start, foreign=last.foreign
            )
        else:
            found.append(_with_antecedent(last, sentence) if last is not None else sentence)
    return found


def _together(first: Sentence, second: Sentence) -> str | None:
    """Return two sentences as one: a topic and its comment, or a cry and its cause."""
    if (named := _NAMED_CHILD.match(first.text)) and _BORN.match(second.text):
        born = second.text[:1].lower() + second.text[1:]
        return f"{named['who']} have called our baby {named['name']}, {born}"
    if second.question or second.foreign or first.foreign:
        return None
    if first.question:
        topic = first.text.strip(" ?")
        if len(topic.split()) > 5 or not is_fragment(topic):
            return None
        if _MY.match(topic) and is_fragment(second.text):
            return f"{topic} is {second.text}"
        if len(topic.split()) <= 3 and _THEM.search(second.text):
            said = topic[:1].lower() + topic[1:]
            return _THEM.sub(lambda _: said, second.text, count=1)
        return None
    if _GOT_A_JOB.search(first.text) and (begins := _BEGINS.match(second.text)):
        return f"{completed(first.text)}, starting {second.text[begins.end() :]}"
    cry = first.text.lower()
    longest = _LONGEST_CRY if not first.quote.endswith("!") else 2 * _LONGEST_CRY + 2
    if len(cry.split()) > longest or _SMALL_TALK.search(second.text):
        return None
    stated = completed(cry if first.text.isupper() else first.text)
    own = opens_clause(second.text) or is_order(second.text) or _ANYBODY.search(second.text)
    if _ENDS_POINTING.search(cry):
        return None
    loose = not own and len(second.text.split()) > 1 and not _SEEN.match(second.text)
    if loose and opens_clause(stated + " it") and re.match(r"(?:I|we)\b", stated, re.IGNORECASE):
        return f"{stated}, {second.text}"
    return None


def _with_antecedent(last: Sentence, sentence: Sentence) -> Sentence:
    """Say what "mine" is: "What oil goes in a 2009 Octavia? Bought mine from a friend"."""
    if not last.question or not _MINE.search(sentence.text):
        return sentence
    found = _OF_ITS_KIND.search(last.text.strip(" ?"))
    if found is None:
        return sentence
    what = f"my {found['what']}"
    return replace(sentence, text=_MINE.sub(lambda _: what, sentence.text, count=1))


def people_of(said: Iterable[Sentence]) -> frozenset[str]:
    """Return names that nothing but "he", "her" in the same message shows to be somebody's.

    Only where there is one such name and nobody else of theirs is spoken of.
    """
    texts = [sentence.text for sentence in said if not sentence.foreign]
    whole = " ".join(texts)
    if not _HE_OR_SHE.search(whole) or _OF_MINE.search(whole):
        return frozenset()
    names = {
        found["name"]
        for text in texts
        for found in _FIRST_NAME.finditer(text)
        if not is_common_word(found["name"]) and found["name"].lower() not in PEOPLE | PETS
    }
    return frozenset(names) if len(names) == 1 else frozenset()
