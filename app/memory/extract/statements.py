"""Find what a message says about the person and their people, by grammar alone.

Only what is plainly stated counts: every doubt yields nothing, since a wrong memory costs more
than a missing one, and the message itself can still be found.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from app.domain.memory import Candidate, MemoryType
from app.memory.extract import doubt
from app.memory.extract.answers import answered
from app.memory.extract.clauses import Clause, clauses, without_openers
from app.memory.extract.dates import Dated, Tense, month_words, resolve
from app.memory.extract.person import expanded, second_person
from app.memory.extract.rule import Found, Rule
from app.memory.extract.sentences import Sentence, sentences
from app.memory.extract.standing import (
    from_now_on,
    preferred_name,
    standing_instruction,
    to_keep,
)
from app.memory.extract.subjects import CAPITALISED, Kind, Subject, is_name
from app.memory.extract.tables import (
    belongings,
    family,
    happenings,
    health,
    places,
    tastes,
    work,
)
from app.memory.extract.vocabulary import LANGUAGES, NATIONALITIES
from app.memory.when.words import MONTHS, WEEKDAYS

# The first rule that fits a clause wins.
_RULES: tuple[Rule, ...] = (
    *health.RULES,
    *places.RULES,
    *family.RULES,
    *work.RULES,
    *tastes.RULES,
    *belongings.RULES,
    *happenings.RULES,
)
_LONGEST_MESSAGE = 20_000
_LONGEST_SENTENCE = 600
_FRESH = re.compile(r"^((?:have|has) )?(?:just|recently|newly)\b ", re.IGNORECASE)
_FAVOURITE = re.compile(
    r"^(?P<value>.{2,60}?) (?:is|are) (?:definitely |still |by far )?my "
    r"(?:all-time |absolute )?favou?rite (?P<what>[a-z]+(?: [a-z]+)?)$",
    re.IGNORECASE,
)
_ONE_OF = re.compile(r"^one of my favou?rite [\w ]+ (?:is|are) .+$", re.IGNORECASE)
_TONGUE = re.compile(
    r"^(?P<value>\w+) is my (?:mother tongue|native language|first language)$", re.IGNORECASE
)
_DROPPED = re.compile(
    r"^(?:just |finally |recently )*(?:moved to|got (?:married|engaged|a new job|divorced)|"
    r"started (?:a new job|at [A-Z])|bought a (?:house|car|flat)|allergic to)\b"
)
NOT_ENTITIES = frozenset(MONTHS) | frozenset(WEEKDAYS) | LANGUAGES | NATIONALITIES | {
    "i", "you", "your", "the", "a", "reminder", "one", "two", "three", "loci",
}  # fmt: skip


def statements(
    text: str, at: datetime, *, asked: str = "", known: Collection[str] = ()
) -> list[Candidate]:
    """Return what a message states, in order, without repetition.

    Args:
        text: Words the person typed.
        at: When, in the person's own time zone; relative dates count from there.
        asked: What the assistant said just before, for short answers.
        known: Names of people that are already remembered.
    """
    said = [s for s in sentences(text[:_LONGEST_MESSAGE]) if len(s.text) <= _LONGEST_SENTENCE]
    reader = _Reader(at.date(), known, fiction=doubt.mentions_fiction(said))
    found: list[Candidate] = []
    for sentence in said:
        kept = list(reader.kept(sentence))
        if not kept and (doubt.begins_play(sentence) or doubt.begins_material(sentence)):
            break
        found += kept or list(reader.stated(sentence))
    if not found and asked and len(said) == 1:
        found += reader.answer(asked, said[0])
    return list({candidate.text: candidate for candidate in found}.values())


def noted(text: str, at: datetime) -> Candidate:
    """Return what somebody wrote in order to have it kept, as one memory, understood or not."""
    said = sentences(text)
    reader = _Reader(at.date(), (), fiction=False)
    found = [c for sentence in said for c in (*reader.kept(sentence), *reader.stated(sentence))]
    if len({candidate.text for candidate in found}) == 1 and _covers(found[:1], text):
        return replace(found[0], quote=text)
    return reader.as_said(text)


def plays_a_part(text: str) -> bool:
    """Return whether a message begins a game or a piece of fiction."""
    return any(doubt.begins_play(sentence) for sentence in sentences(text))


class _Reader:
    """Reads the sentences of one message in order, remembering who was spoken of."""

    def __init__(self, today: date, known: Collection[str], *, fiction: bool) -> None:
        self._today = today
        self._known = known
        self._fiction = fiction
        self._people: list[Subject] = []

    def kept(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield what is explicitly to be kept: "remember that …", "from now on …"."""
        if sentence.foreign:
            return
        if order := to_keep(sentence):
            if order.instruction:
                yield self._instruction(order.words, sentence.quote)
            else:
                yield from self._remembered(order.words, sentence.quote)
        elif instruction := standing_instruction(sentence):
            yield self._instruction(instruction, sentence.quote)
        elif name := preferred_name(sentence):
            yield Candidate(
                text=f"You like to be called {name}",
                quote=sentence.quote,
                key="preferred_name",
                value=name,
                category="person",
                entities=("user", name),
            )

    def stated(self, sentence: Sentence) -> Iterator[Candidate]:
        """Yield what a sentence states in passing."""
        text = from_now_on(without_openers(expanded(sentence.text)))
        if sentence.foreign or doubt.is_ironic(sentence):
            return
        if doubt.is_supposition(text) or doubt.is_order(text):
            return
        yield from self._read(sentence.text, sentence)

    def answer(self, asked: str, sentence: Sentence) -> Iterator[Candidate]:
        """Yield what a short answer states, given its question."""
        statement = answered(asked, sentence.text)
        if statement is None:
            return
        found = list(self._read(statement, sentence))
        if not found and (name := re.fullmatch(r"call me (.+)", statement)):
            found = [self._plain(f"I like to be called {name[1]}", sentence.quote, "person")]
        yield from found or [self._plain(statement, sentence.quote, "fact")]

    def _read(self, text: str, sentence: Sentence) -> Iterator[Candidate]:
        text = expanded(text)
        if plain := self._turned_round(without_openers(text), sentence):
            yield plain
            return
        if _DROPPED.match(without_openers(text)):
            text = ("I am " if "llergic" in text[:12] else "I ") + without_openers(text)
        question = sentence.question
        for clause in clauses(from_now_on(text), self._known, self._people, question=question):
            yield from self._heard(clause, sentence.quote)

    def _heard(self, clause: Clause, quote: str) -> Iterator[Candidate]:
        subject = clause.subject
        if subject.kind is Kind.PERSON and not subject.noun and self._fiction:
            return
        for rule in _RULES:
            if rule.is_about(subject) and (found := rule.match(clause.predicate)):
                yield from self._made(rule, found, clause, quote)
                return

    def _made(self, rule: Rule, found: Found, clause: Clause, quote: str) -> Iterator[Candidate]:
        if rule.category not in ("preference", "work") and doubt.is_shop_talk(clause.text):
            return
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
        if key and (when is None or when > self._today - timedelta(days=366)):
            fact = _filled(rule.implies, clause.subject, {"value": value})
            yield replace(
                self._candidate(second_person(fact), quote, clause.subject, rule, None),
                key=key,
                value=value,
                extra=extra,
                type=MemoryType.SEMANTIC,
            )

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
        dated = resolve(f"{clause.subject.text} {predicate}", self._today, rule.tense)
        if around and dated.first is None:
            return Dated(f"{dated.text} {around}", self._today)
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
            occurred_at=datetime.combine(when, time(), UTC) if when else None,
        )

    def _turned_round(self, text: str, sentence: Sentence) -> Candidate | None:
        """Read "Blue is my favourite colour" and its like."""
        if sentence.question or doubt.is_question(text) or doubt.is_doubtful(text):
            return None
        if _ONE_OF.match(text):
            return self._plain(text, sentence.quote, "preference")
        if found := _FAVOURITE.match(text):
            what = found["what"].lower().replace("color", "colour").replace(" ", "_")
            plain = self._plain(text, sentence.quote, "preference")
            return replace(plain, key=f"favourite_{what}", value=found["value"])
        if found := _TONGUE.match(text):
            plain = self._plain(text, sentence.quote, "skill")
            return replace(plain, key="native_language", value=found["value"])
        return None

    def _remembered(self, words: str, quote: str) -> Iterator[Candidate]:
        """Keep what was asked to be kept: as facts where all of it is understood, else as said."""
        pieces = clauses(words, self._known, list(self._people))
        facts = [fact for piece in pieces for fact in list(self._heard(piece, quote))[:2]]
        understood = len({f.text for f in facts}) >= len(pieces) > 0
        if not understood or not _covers(facts, words):
            facts = [self._plain(words, quote, "fact")]
        for fact in facts:
            yield replace(fact, extra={**fact.extra, "explicit": True})

    def as_said(self, text: str) -> Candidate:
        """Return a text as a memory, turned to the person where it speaks of "I"."""
        return self._plain(expanded(text), text, "fact")

    def _plain(self, words: str, quote: str, category: str) -> Candidate:
        past = re.search(r"\b(?:was|were|had|did|went|\w{3,}ed)\b", words)
        dated = resolve(words, self._today, Tense.PAST if past else Tense.FUTURE)
        text = re.sub(r"\byour\b", "Loci's", re.sub(r"\byou\b", "Loci", dated.text))
        text = second_person(text)
        return Candidate(text=text, quote=quote, category=category, entities=entities(text))

    def _instruction(self, rule: str, quote: str) -> Candidate:
        return Candidate(
            text=rule,
            quote=quote,
            type=MemoryType.PROCEDURAL,
            category="preference",
            entities=("user",),
            instruction=True,
        )


def entities(text: str, name: str = "") -> tuple[str, ...]:
    """Return the names in a memory's text; "user" stands for the person it speaks to."""
    found = ["user"] if re.search(r"\byour?\b", text, re.IGNORECASE) else []
    found += [name] if name else []
    for hit in re.finditer(rf"{CAPITALISED}(?: {CAPITALISED})*", text):
        words = hit.group().split()
        while words and words[0].lower() in NOT_ENTITIES:
            words = words[1:]
        first = hit.start() == 0 and len(words) == len(hit.group().split())
        whole = " ".join(words).removesuffix("'s")
        if (
            not words
            or len(whole) < 2
            or words[0].lower() in NOT_ENTITIES
            or (first and not is_name(words[0]))
        ):
            continue
        found.append(whole)
    return tuple(dict.fromkeys(found))


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


def _covers(facts: list[Candidate], words: str) -> bool:
    """Return whether the facts carry the numbers and names that were to be kept."""
    kept = " ".join(fact.text for fact in facts).casefold()
    return all(n in kept for n in re.findall(r"\d[\w:.-]*\d|\d", words)) and len(kept) * 2 > len(
        words
    )
