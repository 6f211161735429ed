"""Write down what a clause says as a memory: to the person, with absolute dates, with its key."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from app.domain.memory import Candidate, MemoryType
from app.memory.extract.clauses import Clause
from app.memory.extract.dates import Dated, Tense, month_words, resolve
from app.memory.extract.naming import entities
from app.memory.extract.person import second_person
from app.memory.extract.plain import Judged
from app.memory.extract.rule import Found, Rule
from app.memory.extract.subjects import Kind, Subject

_FRESH = re.compile(r"^((?:have|has) )?(?:just|recently|newly|finally)\b ", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|grew|met|came|left|began|took|"
    r"(?<!\bare )(?<!\bis )(?<!\bam )(?<!\bbe )\w{3,}ed)\b"
)
_MOVED = re.compile(
    r"\b(?:moved|pushed|postponed|delayed|rescheduled|put off|brought forward|booked|planned|"
    r"scheduled|"
    r"fixed|shifted|changed)\b.*\b(?:to|for|until|till|on)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:always|every|each|usually|normally|weekly|never|only (?:on|there|at))\b", re.IGNORECASE
)
# What is said of the thing that happened stands after the day it did.
_NEXT_CLAUSE = re.compile(
    r",? (?:and |but |so )?(?:it|that|which|who|because) (?:is|was|has)\b| [-–—] |; |"
    r",? (?:because|so|but|which|while) (?:I|we|my|our|it|he|she)\b|, (?:and )?(?:I|we|he|she|my|"
    r"his|her|its) "
)
_LONG_AGO = timedelta(days=366)


class Wording:
    """Writes the memories of one message.

    Args:
        today: What relative dates count from.
    """

    def __init__(self, today: date) -> None:
        self._today = today

    def of_rule(self, rule: Rule, found: Found, clause: Clause, quote: str) -> Iterator[Candidate]:
        """Yield what a rule makes of a clause that it matched."""
        key, value = _key(rule, found, clause)
        if rule.implies and not key:
            rule = replace(rule, template="", implies="")
        dated = self._dated(rule, found, clause)
        if rule.must_be_dated and dated.first is None:
            return
        extra: dict[str, object] = {}
        if rule.closes and key:
            extra["closes"], value = value, None
        if clause.instead_of:
            extra["instead_of"] = clause.instead_of
        when = dated.first if rule.type is MemoryType.EPISODIC else None
        text = _with_capitals(second_person(dated.text), value)
        main = self._candidate(text, quote, clause.subject, rule, when)
        if not rule.implies:
            yield replace(main, key=key, value=value, extra=extra)
            return
        yield main
        if key and (when is None or when > self._today - _LONG_AGO):
            fact = _filled(rule.implies, clause.subject, {"value": value})
            yield replace(
                self._candidate(second_person(fact), quote, clause.subject, rule, None),
                key=key,
                value=value,
                extra=extra,
                type=MemoryType.SEMANTIC,
            )

    def of_judged(self, judged: Judged, clause: Clause, quote: str) -> Candidate:
        """Return a clause that no rule knows, in the person's own words."""
        when = judged.dated.first if judged.type is MemoryType.EPISODIC else None
        text = second_person(judged.dated.text)
        return Candidate(
            text=text,
            quote=quote,
            type=judged.type,
            category=judged.category,
            entities=entities(text, clause.subject.name),
            occurred_at=_noted(when),
            extra={"instead_of": clause.instead_of} if clause.instead_of else {},
        )

    def as_said(self, words: str, quote: str, category: str) -> Candidate:
        """Return words that are kept as they are, the assistant spoken of by its name."""
        tense = Tense.PAST if is_past(words) else Tense.FUTURE
        dated = resolve(words, self._today, Tense.HABIT if _AGAIN.search(words) else tense)
        text = re.sub(r"\byour\b", "Loci's", re.sub(r"\byou\b", "Loci", dated.text))
        text = second_person(text)
        return Candidate(text=text, quote=quote, category=category, entities=entities(text))

    def context(self, words: str) -> str:
        """Return words that are told along with a memory, to the person and with dates."""
        tense = Tense.PAST if is_past(words) else Tense.HABIT
        return second_person(resolve(words, self._today, tense).text)

    def _dated(self, rule: Rule, found: Found, clause: Clause) -> Dated:
        fresh = _FRESH.match(clause.predicate)
        around = f"around {month_words(self._today)}" if fresh and rule.tense is Tense.PAST else ""
        if rule.template:
            groups = found.groupdict()
            when = resolve((groups.get("when") or "").strip(), self._today, Tense.PAST)
            since = re.sub(r"^(?:in|on|around|at)\b", "since", when.text)
            if not since.startswith("since"):
                since = f"since {around}" if around else ""
            text = _filled(rule.template, clause.subject, {**groups, "since": since})
            return Dated(text, when.first or (self._today if around else None))
        predicate = _FRESH.sub(r"\1", clause.predicate) if around else clause.predicate
        tense = Tense.HABIT if _AGAIN.search(predicate) else rule.tense
        dated = resolve(f"{clause.subject.text} {predicate}", self._today, tense)
        if around and dated.first is None:
            end = _NEXT_CLAUSE.search(dated.text)
            cut = end.start() if end else len(dated.text)
            return Dated(f"{dated.text[:cut]} {around}{dated.text[cut:]}", self._today)
        return dated

    def _candidate(
        self, text: str, quote: str, subject: Subject, rule: Rule, when: date | None
    ) -> Candidate:
        return Candidate(
            text=text,
            quote=quote,
            type=rule.type,
            category=rule.category,
            entities=entities(text, subject.name),
            occurred_at=_noted(when),
        )


def instruction(rule: str, quote: str) -> Candidate:
    """Return a rule for all future answers."""
    return Candidate(
        text=rule,
        quote=quote,
        type=MemoryType.PROCEDURAL,
        category="preference",
        entities=("user",),
        instruction=True,
    )


def is_past(words: str) -> bool:
    """Return whether words tell of what has been; what was moved to a day is still to come."""
    if _MOVED.search(words):
        return False
    return bool(_PAST.search(words))


def _noted(when: date | None) -> datetime | None:
    return datetime.combine(when, time(), UTC) if when else None


def _key(rule: Rule, found: Found, clause: Clause) -> tuple[str | None, object]:
    if rule.read is None or clause.additive:
        return None, None
    read = rule.read(found, clause.subject)
    if read is None:
        return None, None
    thing = clause.subject.kind is Kind.THING
    prefix = "" if thing or read[0] == "partner_name" else clause.subject.key_prefix
    return (None, None) if prefix is None else (f"{prefix}{read[0]}", read[1])


def _filled(template: str, subject: Subject, groups: dict[str, object]) -> str:
    first = subject.text.lower() in ("i", "we")
    many = " and " in subject.text or subject.text.lower() == "we"
    forms = {
        "subject": subject.text,
        "is": "am" if first and not many else "are" if many else "is",
        "live": "live" if first or many else "lives",
    }
    return " ".join(template.format(**{**groups, **forms}).split())


def _with_capitals(text: str, name: object) -> str:
    """Write a name that was typed in small letters as its value is written."""
    if not isinstance(name, str) or name.islower():
        return text
    return re.sub(rf"\b{re.escape(name)}\b", lambda _: name, text, flags=re.IGNORECASE)
