"""Understand a short answer by the question that was asked: "Where do you live?" – "Ghent"."""

import re
from difflib import SequenceMatcher

from app.memory.extract.clauses import without_openers
from app.memory.extract.doubt import is_doubtful, is_question, is_supposition
from app.memory.extract.person import expanded
from app.memory.extract.subjects import CAPITALISED
from app.memory.extract.vocabulary import ATTRIBUTES

_ATTRIBUTES = "|".join(sorted(ATTRIBUTES, key=len, reverse=True))
_QUESTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), stated)
    for asked, stated in (
        (
            r"where (?:do you live|are you (?:based|living))|(?:which|what) (?:city|town|"
            r"country) do you live in",
            "I live in {}",
        ),
        (
            r"what(?: is|'s) your (?:first |full )?name|who am I (?:talking|speaking) (?:to|with)",
            "my name is {}",
        ),
        (r"what (?:should|can|may|shall) I call you", "call me {}"),
        (r"how old are you|what(?: is|'s) your age", "I am {} years old"),
        (r"where (?:are you|do you come) (?:originally )?from", "I am from {}"),
        (
            r"what do you do(?: for (?:a living|work))?\W*$|what(?: is|'s) your (?:job|profession|"
            r"occupation)|what kind of work do you do",
            "I am {a}",
        ),
        (r"(?:where|who) do you work|(?:which|what) company do you work", "I work at {}"),
        (r"when(?: is|'s) your birthday|when were you born", "my birthday is {}"),
        (
            r"do you have (?:any |a )?(?:pets?|siblings|brothers|sisters|children|kids|dogs?|"
            r"cats?)",
            "I have {}",
        ),
        (
            r"are you allergic|do you have any (?:food )?allergies|what are you allergic to",
            "I am allergic to {}",
        ),
        (
            r"(?:what|which)(?: is|'s)? your favou?rite (?P<noun>[\w ]+)",
            "my favourite {noun} is {}",
        ),
        (r"(?:what|which) languages do you speak", "I speak {}"),
        (
            r"what(?: is|'s) your (?P<noun>[\w ]+)'s name|what(?: is|'s) your (?P<noun2>[\w ]+) "
            r"called",
            "my {noun} is called {}",
        ),
        (r"what are you studying|what do you study", "I study {}"),
        (r"(?:what|which) instruments? do you play", "I play {}"),
        (rf"what(?: is|'s) your (?P<noun>{_ATTRIBUTES})\b", "my {{noun}} is {{}}".format()),
    )
)
_NO_ANSWER = re.compile(
    r"^(?:yes|no|nope|yeah|yep|none|nothing|nobody|sure|ok|okay|maybe|depends|not|never|both|"
    r"either|all|i do not|guess|why|what|who|that|this|it|skip|pass|hm+|secret|anything|"
    r"everything|thanks)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:it is|that is|I am|in|at|on|from|to|as|called|a certain)\b ?)+", re.IGNORECASE
)
_SPELLING = re.compile(
    rf"^(?:(?:it is|my name is|that is|the name is) )?(?P<name>{CAPITALISED})"
    r"(?:,? (?:with|without|not|spelled|spelt|no)\b.*)?$"
)


def answered(question: str, answer: str) -> str | None:
    """Return the statement that a short answer makes, in the first person, or None.

    Args:
        question: What the assistant said before; only its last question counts.
        answer: One short message.
    """
    text = without_openers(expanded(answer)).strip(" .!,")
    if not text or len(text.split()) > 9 or is_question(text) or is_supposition(text):
        return None
    if spelt := _spelt(question, text):
        return f"my name is {spelt}"
    asked = [part for part in re.findall(r"[^.!?\n]*[.!?\n]?", question) if part.strip()]
    if not asked or not asked[-1].strip().endswith("?") or _NO_ANSWER.match(text):
        return None
    if is_doubtful(text) or re.search(r"\b(?:I|we|my) ", text):
        return None
    words = _LEAD.sub("", text) or text
    for pattern, stated in _QUESTIONS:
        if found := pattern.search(asked[-1]):
            groups = found.groupdict()
            noun = groups.get("noun") or groups.get("noun2") or ""
            article = (
                "" if re.match(r"(?:an?|the|retired|unemployed|self)\b", words) else _article(words)
            )
            return stated.format(words, noun=noun.strip(), a=article + words)
    return None


def _article(word: str) -> str:
    return "an " if word[:1].lower() in "aeiou" else "a "


def _spelt(greeting: str, text: str) -> str | None:
    """Return a name that corrects the one the assistant has just used to address the person."""
    found = _SPELLING.match(text)
    if found is None:
        return None
    used = re.findall(
        rf"(?:, |\b(?:hi|hello|hey|dear|thanks|welcome) )({CAPITALISED})(?=[!.,?]|$)",
        greeting,
        re.IGNORECASE,
    )
    name = found["name"]
    alike = (SequenceMatcher(None, name.lower(), other.lower()).ratio() for other in used)
    return name if any(0.6 <= ratio < 1 for ratio in alike) else None
