"""Find numbers that name a person or their money, and are proved by their own check digits.

Cards and accounts are told by their digits alone. Numbers of people are so short that any other
number may be one, so they count only beside a word that says so. The check digits are those of
``python-stdnum``, which is imported when a text holds digits enough.
"""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import chain, islice

from app.memory.screen.tokens import ScreenMatch

_DIGITS = re.compile(r"\d(?:[\s./-]?\w){5}")
_CARD = re.compile(r"(?<![\w+.,/@#-])\d(?:[ -]?\d){12,18}(?![\w@]|[.,/-]\d)")
_GROUPS = re.compile(
    r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19}"
)
# Issuer and length: Visa, Mastercard (two ranges), American Express, Discover, Diners, JCB,
# UnionPay, Maestro.
_ISSUED = re.compile(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|62\d{14,17}|(?:5018|5020|5038|6304|6759|676[1-3])\d{8,15}"
)
# A number of one of these is none of a person's, whatever its digits say.
_THING = re.compile(
    r"\b(?:orders?|invoice|parcel|tracking|shipment|ticket|booking|reservation|reference|ref|case|"
    r"serial|imei|isbn|issn|ean|article|item|product|part|model|version|phone|tel|mobile|call|fax|"
    r"customer|member(?:ship)?|frequent flyer|policy|room|issue|build)\b[^.\n]{0,25}\Z",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<![\w])[A-Z]{2}\d\d(?:[ -]?[A-Z0-9]){11,30}(?![\w])", re.IGNORECASE)
_SSN = re.compile(r"(?<![\w.-])\d{3}-\d{2}-\d{4}(?![\w-])")
# What is written before a number of a person, and what of ``stdnum`` proves the number.
_GENERAL = re.compile(
    r"\b(?:(?:national|citizen|identity|personal|social security|tax(?:payer)?|fiscal|"
    r"identification)[ -](?:(?:registration|insurance|identification|identity|service|card) )*"
    r"(?:numbers?|no|nr|id|code)|id(?:entity)? card(?: number)?|id number)\b",
    re.IGNORECASE,
)
_LABELS = (
    (r"(?i:national register|rijksregister|registre national|niss|insz)|NRN", "be.nn"),
    (r"(?i:burgerservicenummer|bsn|sofinummer)", "nl.bsn"),
    (r"NHS|(?i:nhs number)", "gb.nhs"),
    (r"SSN|(?i:social security)", "us.ssn"),
    (r"SIN|(?i:social insurance)", "ca.sin"),
    (r"TFN|(?i:tax file)", "au.tfn"),
    (r"NIR|(?i:s[ée]curit[ée] sociale)", "fr.nir"),
    (r"(?i:steuer-?id(?:nummer)?|steueridentifikationsnummer|idnr)", "de.idnr"),
    (r"SVNR|(?i:sozialversicherungsnummer)", "at.vnr"),
    (r"AHV|AVS", "ch.ssn"),
    (r"DNI|NIF", "es.dni"),
    (r"NIE", "es.nie"),
    (r"NIF|(?i:contribuinte)", "pt.nif"),
    (r"(?i:codice fiscale)", "it.codicefiscale"),
    (r"PPSN?|(?i:pps number)", "ie.pps"),
    (r"(?i:pesel)", "pl.pesel"),
    (r"(?i:rodn[eé] [cč][ií]slo)", "cz.rc"),
    (r"(?i:personnummer)", "se.personnummer"),
    (r"(?i:f[øo]dselsnummer|personnummer)", "no.fodselsnummer"),
    (r"CPR|(?i:personnummer|cpr-?nummer)", "dk.cpr"),
    (r"(?i:henkil[öo]tunnus|hetu)", "fi.hetu"),
    (r"(?i:isikukood)", "ee.ik"),
    (r"CPF", "br.cpf"),
    (r"CURP", "mx.curp"),
    (r"(?i:aadhaar)", "in_.aadhaar"),
    (r"RRN|(?i:resident registration)", "kr.rrn"),
    (r"(?i:resident identity card|shenfenzheng)", "cn.ric"),
    (r"(?i:kimlik)", "tr.tckimlik"),
    (r"(?i:south african id)", "za.idnr"),
)
_LABEL = re.compile("|".join(rf"(?:\b(?:{label})\b)" for label, _ in _LABELS))
_NEAR = 60
_LEAST = 8
_MOST_LABELS = 100
_PERSONAL = re.compile(r"(?<!\w)(?:[A-Za-z]{1,6}-?)?\d[\dA-Za-z]*(?:[ ./+-][\dA-Za-z]+){0,7}(?!\w)")
# British insurance numbers have no check digit, but a shape and a name of their own.
_NINO = re.compile(
    r"\b(?:national insurance|nino|ni)\b(?: (?:number|no))?\W{1,3}(?:is )?"
    r"(?P<number>[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d\d){3} ?[A-D])\b",
    re.IGNORECASE,
)
_PASSPORT = re.compile(
    r"\b(?:passport|reisepass|paspoort|passeport|pasaporte)(?:[ -]?(?:number|numbers|no\.?|nr\.?|"
    r"num(?:mer)?|#|id))?\s*(?:\b(?:is|was)\b|[:=#])?\s*"
    r"(?P<number>(?=[A-Z0-9]*\d[A-Z]*\d[A-Z]*\d[A-Z]*\d)[A-Z0-9]{7,10})\b",
    re.IGNORECASE,
)


def personal_numbers(text: str) -> Iterator[ScreenMatch]:
    """Yield the numbers of a text that are a person's own; they may overlap."""
    if not _DIGITS.search(text):
        return
    yield from _cards(text)
    yield from _accounts(text)
    for hit in _PASSPORT.finditer(text):
        yield ScreenMatch(*hit.span("number"), "passport number")
    yield from _people(text)


def _cards(text: str) -> Iterator[ScreenMatch]:
    for hit in _CARD.finditer(text):
        digits = re.sub(r"[ -]", "", hit[0])
        if not (_GROUPS.fullmatch(hit[0]) and _ISSUED.fullmatch(digits)):
            continue
        from stdnum import luhn

        if luhn.is_valid(digits) and not _of_a_thing(text, hit.start()):
            yield ScreenMatch(hit.start(), hit.end(), "card number", always=True)


def _accounts(text: str) -> Iterator[ScreenMatch]:
    for hit in _IBAN.finditer(text):
        from stdnum import iban

        found = _longest(hit[0], lambda piece: iban.is_valid(piece, check_country=False))
        if found:
            yield ScreenMatch(hit.start(), hit.start() + len(found), "IBAN")


def _of_a_thing(text: str, start: int) -> bool:
    return _THING.search(text, max(0, start - _NEAR), start) is not None


def _people(text: str) -> Iterator[ScreenMatch]:
    for hit in _SSN.finditer(text):
        from stdnum.us import ssn

        if ssn.is_valid(hit[0]) and not _of_a_thing(text, hit.start()):
            yield ScreenMatch(hit.start(), hit.end(), "social security number")
    for hit in _NINO.finditer(text):
        yield ScreenMatch(*hit.span("number"), "national number")
    labels = islice(chain(_LABEL.finditer(text), _GENERAL.finditer(text)), _MOST_LABELS)
    for label in labels:
        yield from islice(_beside(text, label), 1)


def _beside(text: str, label: re.Match[str]) -> Iterator[ScreenMatch]:
    checks = _checks(label[0])
    for hit in _PERSONAL.finditer(text, label.end(), label.end() + _NEAR):
        if found := _longest(hit[0], lambda piece: any(check(piece) for check in checks)):
            yield ScreenMatch(hit.start(), hit.start() + len(found), "national number")


def _longest(written: str, holds: Callable[[str], bool]) -> str:
    """Return the longest beginning that is a number, whatever words follow it."""
    end = len(written)
    while len(re.sub(r"\W", "", written[:end])) >= _LEAST:
        if holds(written[:end]):
            return written[:end]
        end = max(written.rfind(sign, 0, end) for sign in " -./+")
        if end < 0:
            break
    return ""


def _checks(label: str) -> list[Callable[[str], bool]]:
    """Return what proves a number beside a label: every country's where it names none."""
    named = [module for words, module in _LABELS if re.fullmatch(words, label)]
    modules = named or [module for _, module in _LABELS]
    return [import_module(f"stdnum.{module}").is_valid for module in modules]
