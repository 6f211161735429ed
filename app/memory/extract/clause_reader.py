"""Read what the pieces of a sentence state: by the tables of what people say, else by grammar."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from functools import cache

from app.domain.memory import Candidate
from app.memory.extract import doubt, marks
from app.memory.extract.clauses import Clause, Part
from app.memory.extract.common_words import is_common_word
from app.memory.extract.dates import Tense, resolve
from app.memory.extract.joining import Kept
from app.memory.extract.met import pronouns_named
from app.memory.extract.person import second_person
from app.memory.extract.pieces import Said
from app.memory.extract.plain import Worth, judged
from app.memory.extract.predicate import Aspect, read_predicate
from app.memory.extract.rule import Rule
from app.memory.extract.subjects import CAPITALISED, KIN, PET, Kind, Subject
from app.memory.extract.tables import (
    belongings,
    family,
    happenings,
    health,
    places,
    tastes,
    work,
)
from app.memory.extract.turned import turned
from app.memory.extract.verbs import MENTAL
from app.memory.extract.vocabulary import OCCASIONS
from app.memory.extract.wording import Wording
from app.memory.when import words as when

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


@cache
def _of_kind(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules for one kind of subject: half of them are for people alone."""
    return tuple(rule for rule in _RULES if kind in rule.kinds)


_OF_LIFE = ("preference", "work")
_POINTS = re.compile(
    r"^(?:(?:always|usually|never|only|also|often|had) )*\w+ (?:that|this|those|these) (?!I\b|"
    r"we\b)\w+|"
    r"^(?:(?:always|usually|never|only|also|often) )*\w+ (?:it|them)\b(?! (?:when|if|that)\b)|"
    r"^[^,]{3,60}? there\b(?! (?:is|are|was|were)\b)|"
    r"^[^,]{3,60}? (?:to|from|with|of|for|about|on) (?:it|that|this|them)\b(?! \w+ing)",
    re.IGNORECASE,
)
_MY_OCCASION = re.compile(
    rf"^(?:my|our|first|1st) (?:[\w'-]+ ){{0,3}}(?:{when.any_of(OCCASIONS)}|day|week|shift|night|"
    rf"birthday|grandchild|"
    rf"child)\b",
    re.IGNORECASE,
)
# Who did something to them is in no history book.
_WITH_ME = re.compile(r"\b(?:me|us|my|our|I|we)\b")
_I_AM = re.compile(rf"(?:I am|this is) (?P<name>{CAPITALISED}(?: {CAPITALISED})?)")
_I_AM_AND = re.compile(
    rf"I am (?P<name>{CAPITALISED}(?: {CAPITALISED})?), (?:an? |from |aged |\d\d?\b|"
    rf"(?:{when.any_of(when.NUMBERS)})\b|your )"
)
_LEANS = re.compile(r"\b(?:him|her|his|them|their)\b", re.IGNORECASE)
# Whom somebody only writes or plays.
_CALLED = re.compile(r"(?:is|was|are) (?:called|named) ")
_FIGURE = re.compile(
    r"\b(?:hero|heroine|protagonist|antagonist|villain|narrator|character|avatar|persona|detective|"
    r"paladin|ranger|wizard|rogue|bard|warlock|barbarian|elf|dwarf|party|kingdom|ship's crew)s?$"
)
_MADE_UP = re.compile(
    r"\b(?:imaginary|fictional|fictitious|invented|made-up|pretend|hypothetical|(?:my|our) "
    r"(?:hero|heroine|protagonist|antagonist|villain|narrator|character|avatar|persona) "
    r"[A-Z]\w+)\b",
    re.IGNORECASE,
)
_SUMMED = re.compile(
    rf"(?:have|had|give|gave|buy|bought|eat|ate|take|took|sell|sold|need|use|share|put|pick|"
    rf"picked) \d+ "
    rf"(?!(?:\w+ )?(?:{KIN}|{PET})\b)",
    re.IGNORECASE,
)
_HIM = re.compile(r"\b(?:him|her|his)\b", re.IGNORECASE)
# Whom "him" may mean in the same clause.
_WHO = re.compile(
    rf"\b(?:{KIN}|{PET}|man|woman|guy|girl|boy|lady|person|someone|somebody|nobody|everyone|author|"
    rf"director|singer|player|patient|client|(?!her\b)\w{(3,)}(?:er|or|ist)) |(?<=[a-z,] "
    rf"){CAPITALISED}"
)
_NO_FOR_ME = re.compile(
    r"^(?:no|only|always|just|strictly) [\w' -]{2,40}? for (?:me|us)\b(?! (?:today|tonight|now|"
    r"thanks?))",
    re.IGNORECASE,
)
# What a memory may be told after: it names something, and neither cheers nor points back itself.
_TELLS = re.compile(r"\w{3,}.* \w{3,}|^(?:my|our|the|an?) \w+", re.IGNORECASE)
_EMPTY = re.compile(
    r"(?:(?:wow|oh|yeah|yep|yup|yes|no|hey|thanks|haha|totally|absolutely|awesome|cool|nice|great|"
    r"sure|"
    r"sounds?|looks?|glad|so|such|what|he|she|they|it|this|that|these|those|there)\b|"
    r".*\b(?:is|are|looks?|sounds?|was) (?:so |really |very |just )?(?:awesome|amazing|great|cool|"
    r"nice|"
    r"lovely|wonderful|beautiful|gorgeous|fantastic|incredible|stunning)\b)",
    re.IGNORECASE,
)
_SO = re.compile(r"\bso\b", re.IGNORECASE)


class ClauseReader:
    """Reads the clauses of one message.

    Args:
        today: The day it was written.
        people: Who was spoken of so far; shared with whoever cuts the sentences.
        inferred: Names that are somebody's by the pronouns around them alone.
        fiction: Whether the message speaks of made-up people.
        sums: Whether it asks for a sum of what it says.
    """

    def __init__(
        self,
        today: date,
        people: list[Subject],
        *,
        inferred: Collection[str],
        fiction: bool,
        sums: bool,
    ) -> None:
        self._today = today
        self._people = people
        self._inferred = inferred
        self._fiction = fiction
        self._sums = sums
        self._wording = Wording(today)

    def heard(self, said: list[Part], before: str, quote: str) -> list[Kept]:
        """Return what is kept of each piece of a sentence.

        Args:
            said: The pieces, with their clauses.
            before: What the sentence before it ended with, to which a word may point.
            quote: The sentence, verbatim.
        """
        found: list[Kept] = []
        for number, part in enumerate(said):
            if part.clause is not None:
                found += list(
                    self._of(part, part.clause, number, said, before, quote)
                ) or self._told_along(part, part.clause, number, quote)
            elif part.piece.kind is Said.STATED and (other := turned(part.piece.text)):
                plain = self._wording.as_said(other.words, quote, other.category)
                plain = replace(plain, key=other.key, value=other.value)
                about = Clause(Subject(Kind.SELF, "I"), part.piece.text)
                found.append(Kept(plain, part.piece, about, number))
            elif part.piece.kind is Said.LOOSE and self._is_own_date(part.piece.text):
                dated = self._wording.as_said(part.piece.text, quote, "event")
                about = Clause(Subject(Kind.SELF, "I"), part.piece.text)
                found.append(Kept(dated, part.piece, about, number))
            elif part.piece.kind is Said.LOOSE and _NO_FOR_ME.match(part.piece.text):
                loose = self._wording.as_said(part.piece.text, quote, "preference")
                me = Clause(Subject(Kind.SELF, "I"), part.piece.text)
                found.append(Kept(loose, part.piece, me, number))
        return found

    def _told_along(self, part: Part, clause: Clause, number: int, quote: str) -> list[Kept]:
        """Return what is not worth a memory, but says more of the one beside it."""
        read = read_predicate(clause.predicate, first_person=clause.subject.kind is Kind.SELF)
        if read is None or clause.passing or read.verb in MENTAL or self._is_made_up(clause):
            return []
        if marks.IDLE.search(clause.predicate) or marks.MOOD.search(clause.text):
            return []
        words = f"{read.adverbs} {read.rest}"
        if (
            not read.rest
            or marks.OF_NOW.search(words)
            or marks.TASKS.search(words)
            or _LEANS.search(words)
        ):
            return []
        if read.aspect in (Aspect.PROGRESSIVE, Aspect.DUTY, Aspect.WAS_DOING):
            return []
        plain = judged(clause.subject, clause.predicate, self._today)
        candidate = self._wording.of_judged(plain, clause, quote)
        return [Kept(candidate, part.piece, clause, number, _own(clause, candidate), filler=True)]

    def _is_own_date(self, words: str) -> bool:
        """Return whether words tell of an occasion and its day: "My first marathon, in May!"."""
        if not _MY_OCCASION.match(words) or len(words.split()) > 14:
            return False
        return resolve(words, self._today, Tense.PAST).first is not None

    def by_tables(self, clause: Clause, quote: str) -> Iterator[Candidate]:
        """Yield what the tables know of a clause."""
        if self._is_made_up(clause):
            return
        for rule in _of_kind(clause.subject.kind):
            if rule.is_about(clause.subject) and (found := rule.match(clause.predicate)):
                if rule.category not in _OF_LIFE and doubt.is_shop_talk(clause.text):
                    return
                made = list(self._wording.of_rule(rule, found, clause, quote))
                yield from made
                if made:
                    return

    def _of(
        self, part: Part, clause: Clause, number: int, said: list[Part], before: str, quote: str
    ) -> Iterator[Kept]:
        if self._is_of_the_past(clause) or marks.IDLE.search(clause.predicate):
            return
        if clause.subject.name and not clause.subject.noun and _CALLED.match(clause.predicate):
            return  # who has a name already is not who is called so
        if self._sums and _SUMMED.match(clause.predicate):
            return
        candidates = list(self.by_tables(clause, quote))
        points = bool(_POINTS.match(clause.predicate)) and all(c.key is None for c in candidates)
        after_day = number and said[number - 1].piece.kind is Said.LOOSE
        points = points or bool(after_day and clause.predicate.endswith(" then"))
        if clause.passing:
            candidates = [c for c in candidates if c.category not in ("preference", "habit")]
        if not candidates:
            worth, candidate = self._plain(clause, quote)
            if worth is Worth.NOTHING:
                named = self._name(part, said[number + 1 :], quote)
                candidates = [named] if named else []
            else:
                candidates, points = [candidate], points or worth is Worth.POINTS
        for candidate in candidates:
            whole: Candidate | None = candidate
            if points:
                whole = self._with_context(candidate, number, said, before)
            elif len(candidates) == 1 and candidate.key is None:
                whole = self._with_reason(candidate, part, number, said)
            if whole is not None:
                kept = Kept(whole, part.piece, clause, number, _own(clause, whole))
                if leant := self._leaning(kept):
                    yield leant

    def _name(self, part: Part, after: list[Part], quote: str) -> Candidate | None:
        """Read "I'm Wes and I restore clocks", where only a name can stand."""
        if (found := _I_AM_AND.match(part.piece.text)) and not is_common_word(found["name"]):
            plain = self._wording.as_said(part.piece.text, quote, "person")
            return replace(plain, key="name", value=found["name"])
        found = _I_AM.fullmatch(part.piece.text)
        told = after[0].clause if after else None
        if found is None or told is None or told.subject.kind not in (Kind.SELF, Kind.THING):
            return None
        name = found["name"]
        if is_common_word(name):
            return None
        plain = self._wording.as_said(f"my name is {name}", quote, "person")
        return replace(plain, key="name", value=name, entities=("user", name))

    def _plain(self, clause: Clause, quote: str) -> tuple[Worth, Candidate]:
        """Judge a clause that no table knows."""
        plain = judged(clause.subject, clause.predicate, self._today)
        counted = self._sums and re.search(r"\d", clause.predicate)
        idle = counted or clause.passing or self._is_made_up(clause)
        worth = Worth.NOTHING if idle else plain.worth
        return worth, self._wording.of_judged(plain, clause, quote)

    def _is_made_up(self, clause: Clause) -> bool:
        subject = clause.subject
        if _FIGURE.search(subject.noun) or _MADE_UP.search(subject.text):
            return True
        return subject.kind is Kind.PERSON and not subject.noun and (self._fiction or self._sums)

    def _is_of_the_past(self, clause: Clause) -> bool:
        """Return whether it tells the past of somebody who may be in the history books."""
        if clause.subject.name not in self._inferred or clause.subject.noun:
            return False
        if _WITH_ME.search(clause.predicate):
            return False
        read = read_predicate(clause.predicate, first_person=False)
        fresh = read is not None and re.search(r"\b(?:finally|just)\b", read.adverbs)
        return read is None or (read.aspect in (Aspect.PAST, Aspect.WAS) and not fresh)

    def _with_context(
        self, candidate: Candidate, number: int, said: list[Part], before: str
    ) -> Candidate | None:
        """Return a memory with the words that it points back at."""
        last = said[number - 1].piece if number else None
        if last is not None and last.kind in (Said.STATED, Said.LOOSE):
            words, joint = last.text, ", "
        elif last is None and before:
            words, joint = before, ". "
        else:
            return None
        if doubt.is_doubtful(words) or doubt.is_question(words) or doubt.is_supposition(words):
            return None
        if not _TELLS.search(words) or _EMPTY.match(words) or marks.MOOD.search(words):
            return None
        text = candidate.text if joint == ". " else _small(candidate.text)
        return replace(candidate, text=f"{self._wording.context(words)}{joint}{text}")

    def _with_reason(
        self, candidate: Candidate, part: Part, number: int, said: list[Part]
    ) -> Candidate:
        """Return a memory after its reason: "my landlord is selling so we have to move"."""
        reason = said[number - 1].clause if number else None
        if reason is None or not _SO.search(part.piece.joint):
            return candidate
        if list(self.by_tables(reason, "")) or self._plain(reason, "")[0] is not Worth.NOTHING:
            return candidate
        return replace(
            candidate, text=f"{self._wording.context(reason.text)} so {_small(candidate.text)}"
        )

    def _leaning(self, kept: Kept) -> Kept | None:
        """Say who "him" is, for a memory that may have to stand alone; None where nobody knows."""
        clause = kept.clause
        mine = clause.subject.kind in (Kind.SELF, Kind.THING)
        if not mine or not _LEANS.search(clause.predicate) or kept.alone:
            return kept
        named = pronouns_named(kept.candidate.text, self._people)
        if named is None:
            him = _HIM.search(clause.text)
            return None if him and not _WHO.search(clause.text[: him.start()]) else kept
        text = second_person(named)
        whole = replace(kept.candidate, text=text)
        return replace(
            kept, candidate=whole, own=kept.own or _small(kept.candidate.text), leans=True
        )


def _small(text: str) -> str:
    return text[:1].lower() + text[1:] if re.match(r"(?:You|Your|The|They|It|No)\b", text) else text


def _own(clause: Clause, candidate: Candidate) -> str:
    """Return a memory's text without the subject that its clause shares with the one before."""
    subject = second_person(clause.subject.text) + " "
    if clause.shared and candidate.text.startswith(subject):
        return candidate.text[len(subject) :]
    return ""
