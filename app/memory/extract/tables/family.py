"""Names, ages, families, friends and animals."""

import re
from dataclasses import replace

from app.memory.extract.dates import birthday_words
from app.memory.extract.rule import (
    LIVING,
    OTHERS,
    SELF,
    Found,
    Read,
    Rule,
    event,
    fact,
    keyed,
    plan,
    through,
)
from app.memory.extract.subjects import Kind, Subject
from app.memory.extract.values import person_name, titled
from app.memory.extract.vocabulary import ANY_VALUE, NATIONALITIES, PARTNERS, PEOPLE, PETS, STATES
from app.memory.when.words import NUMBERS

_NATIONS = "|".join(sorted(NATIONALITIES, key=len, reverse=True))
_STATES = "|".join(sorted(STATES, key=len, reverse=True))
_KIN = "|".join(sorted(PEOPLE | PETS, key=len, reverse=True))
_MARITAL = "married|divorced|single|engaged|widowed|separated|in a relationship"
_NAME = r"[^\W\d_][\w'-]+(?: [^\W\d_][\w'-]+){0,2}"
_COUNTED = "|".join(n for n in NUMBERS if n not in ("zero", "one")) + r"|\d+"
_AGE = (
    r"(?P<age>\d{1,3}|"
    + "|".join(sorted(NUMBERS, key=len, reverse=True))
    + r")(?: years? old| years? of age| yrs? old)?"
)


def _named(*, sure: bool) -> Read:
    def read(found: Found, subject: Subject) -> tuple[str, object] | None:
        name = person_name(found["name"], sure=sure)
        if name is None:
            return None
        partner = subject.kind is not Kind.SELF and subject.noun in PARTNERS
        return ("partner_name" if partner else "name", name)

    return read


def _is_name(found: Found) -> bool:
    return person_name(found["name"], sure=False) is not None


def _is_name_or_title(found: Found) -> bool:
    return _is_name(found) or bool(re.match(r"(?:dr|mr|mrs|ms|prof)\b", found["name"], re.I))


def _is_some_name(found: Found) -> bool:
    return person_name(found["name"], sure=True) is not None


def _age(found: Found, subject: Subject) -> tuple[str, object] | None:
    return ("age", _years(found))


def _plausible_age(found: Found) -> bool:
    return 0 < _years(found) < 120


def _years(found: Found) -> int:
    said = found["age"].lower()
    return int(said) if said.isdigit() else NUMBERS[said]


def _has_birthday(found: Found) -> bool:
    return birthday_words(found["day"]) is not None


def _marital(found: Found, subject: Subject) -> tuple[str, object] | None:
    state = found["state"].lower()
    return ("marital_status", state) if re.fullmatch(_MARITAL, state) else None


_ROWS = (
    fact(
        r"(?:{BE} (?:called|named)|go~ by) (?P<name>.+)",
        LIVING,
        read=_named(sure=True),
        accepts=_is_some_name,
    ),
    fact(r"call~ me [A-Z]\w+.*", OTHERS),
    fact(
        r"{BE} (?:only |just |about |around )?(?:\d|four|five|six)['’]? ?(?:ft|foot|feet|m) "
        r"?\d{0,2}\b.*",
        SELF,
    ),
    fact(
        r"(?:call~|named|called|nicknamed|christened|{BE} (?:calling|naming)) (?:my|our|the) "
        r"[\w' -]+? [A-Z]\w+(?: .*)?",
    ),
    fact(
        r"call~ (?:their|his|her|my|our) (?:[\w-]+ )?(?:{KIN}) (?-i:[A-Z])[\w'-]+.*".replace(
            "{KIN}", _KIN
        ),
        OTHERS,
    ),
    fact(
        rf"{{BE}} (?P<name>{_NAME})",
        SELF,
        read=_named(sure=False),
        accepts=_is_name,
        template="Your name is {name}",
    ),
    fact(rf"{{BE}} (?:my|our) (?:[\w-]+ ){{0,2}}(?:{_KIN})", OTHERS),
    fact(
        rf"{{BE}} {_AGE}",
        LIVING,
        read=_age,
        accepts=_plausible_age,
        template="{subject} {is} {age} years old",
    ),
    event(rf"{{HAD}}turned {_AGE}\b.*", LIVING, read=_age, accepts=_plausible_age),
    plan(
        rf"(?:will be|will turn|turn~|{{BE}} turning|{{BE}} going to be) {_AGE}\b.*",
        LIVING,
        accepts=_plausible_age,
    ),
    fact(
        r"{WAS} born (?:in .+ )?on (?:the )?(?P<day>.+)",
        LIVING,
        read=through("birthday", birthday_words, "day"),
        accepts=_has_birthday,
    ),
    fact(r"{WAS} born in (?P<value>(?:19|20)\d\d)", LIVING, read=keyed("birth_year")),
    event(r"{WAS} born\b.+", LIVING),
    fact(
        rf"{{BE}} (?P<state>(?!dead$|alive$)(?:a |an )?(?:(?:devout|practising|non-practising|"
        rf"proud) )?(?:{_STATES}))(?: (?:to|with|from|since|now|at|early|already|for|in|and) .+|,"
        rf" .+)?",
        read=_marital,
    ),
    fact(
        rf"{{BE}} (?P<value>(?:half |part )?(?:{_NATIONS})(?:[ -](?:and |half )?(?:{_NATIONS}))?)",
        read=through("nationality", titled),
    ),
    fact(rf"{{BE}} (?:half|part|a quarter|three quarters) (?:{_NATIONS})\b.*"),
    fact(
        rf"{{BE}} (?P<name>(?:(?:dr|mr|mrs|ms|prof)\b\.? )?{_NAME})",
        OTHERS,
        read=_named(sure=False),
        accepts=_is_name_or_title,
    ),
    fact(
        rf"(?:have~|{{NOT}} have|have~ no) (?:{{COUNT}} |any |a couple of |"
        rf"a lot of )?(?:[\w-]+ ){{0,3}}?(?:{_KIN})\b(?!['-])(?!,? (?:question|problem|"
        r"who can)).*",
        LIVING,
        accepts=lambda found: not re.search(r"\bto (?:feed|walk|see|call)\b", found.group()),
    ),
    fact(r"have~ been (?:married|together|engaged|divorced|single|friends|widowed)\b.*"),
    fact(
        r"{BE} (?:the|an?) (?:youngest|eldest|oldest|middle|only)(?: (?:child|one|of|sibling|son|"
        r"daughter|girl|boy)\b.*)?",
    ),
    fact(
        r"{BE} (?:the |a |an )?(?:[\w-]+ )?(?:mother|father|mum|mom|dad|parent|grandmother|"
        r"grandfather|grandparent|twin|godmother|godfather|single parent)(?: (?:of|to|with) .+)?",
    ),
    fact(
        r"{BE} (?:tall|short|blond|blonde|ginger|brunette|\d'\d{0,2}\b.*|\d[\d.,']* ?(?:cm|m|"
        r"metres|meters|kg|"
        r"feet|foot)\b.*)",
    ),
    event(r"{HAD}(?:got|gotten|become|became) (?:married|engaged)\b.*"),
    event(
        r"left me (?!alone|waiting|behind|here|there|with|in|on|hanging|speechless|wondering|an? "
        r"(?:message|note|voicemail|text)|no|the "
        r"(?:bill|choice)).+",
        OTHERS,
    ),
    event(r"{WAS} (?:raised|brought up|adopted|fostered) by .+"),
    fact(
        rf"{{BE}} (?:{_COUNTED}) (?:people|persons|of us|in|at home|adults|siblings|children|"
        rf"sisters|brothers|"
        r"kids)\b.*",
        SELF,
    ),
    plan(r"{BE} expecting (?:in|on|around|twins|number|our|another)\b.*"),
    event(
        r"{HAD}(?:started|begun|learned|learnt|stopped) (?:to )?(?:walk|talk|crawl|swim|read|sleep)"
        r"(?:ing)?\b.*",
        OTHERS,
    ),
    event(
        r"{HAD}(?:(?:got |gotten )?divorced|broke up|broken up|split up|separated)\b.*",
        read=lambda found, subject: (
            ("partner_name", ANY_VALUE) if subject.kind is Kind.SELF else None
        ),
        closes=True,
    ),
    event(
        r"{HAD}(?:married|proposed to|met (?:my|our|his|her) (?:wife|husband|partner|girlfriend|"
        r"boyfriend)|had (?:a|our|my|his|her|twins) ?(?:[\w-]+ )*(?:baby|son|daughter|child|"
        r"twins)?|gave birth|adopted|fostered|became (?:a |an )?(?:father|mother|dad|mum|mom|"
        r"parents?|grandmother|grandfather|uncle|aunt|grandparents?)|lost (?:my|our|his|"
        r"her) (?:[\w-]+ ))\b.*",
        LIVING,
        accepts=lambda found: (
            not re.search(
                r"\bhad (?:a|our|my) (?!.*(?:baby|son|daughter|child|twins))",
                found.group(),
            )
        ),
    ),
    fact(
        r"{BE} (?:no longer|not) (?:with|married|together|engaged|single|friends with|in "
        r"touch)\b.*",
    ),
    fact(
        r"(?:weigh~|{BE}) (?P<value>\d[\d.,]* ?(?:kg|kilos?|pounds|lbs?|stone))",
        read=keyed("weight"),
    ),
    event(r"{HAD}(?:died|passed away|deceased|was put down|was run over|ran away)\b.*", OTHERS),
    plan(r"{BE} (?:getting|going to get) (?:married|engaged|divorced)\b.*"),
    plan(
        r"{BE} (?:expecting|having|due)(?: (?:a|our|my|his|her|their|in|on))? ?(?:[\w-]+ ){0,2}?"
        r"(?:baby|child|twins|girl|boy|daughter|son|[a-z]+)\b.*",
        accepts=lambda found: bool(
            re.search(r"baby|child|twins|girl|boy|daughter|son", found.group())
        ),
    ),
    fact(
        r"{BE} (?P<value>dead|deceased|late|retired|adopted|neutered|house-trained|deaf|blind)",
        OTHERS,
    ),
    fact(
        r"{WAS} (?P<value>an? .+)",
        OTHERS,
        accepts=lambda found: (
            not re.match(
                r"an? (?:bit|little|lot|mess|disaster|surprise|joke|"
                r"great|good|bad|nice)\b",
                found["value"],
            )
        ),
    ),
    fact(
        r"{BE} (?:an? )(?:[\w-]+ )?(?:labrador|poodle|dachshund|beagle|collie|terrier|spaniel|"
        r"retriever|tabby|siamese|persian|mongrel|rescue(?: dog)?|husky|pug|corgi|greyhound|"
        r"boxer|bulldog|maine coon|ragdoll|border collie|german shepherd|golden retriever)\b.*",
        OTHERS,
    ),
    plan(
        r"(?:{BE} (?:coming|visiting|arriving|staying|flying|travelling|traveling)|will (?:come|"
        r"visit|arrive|stay)|come~|visit~|arrive~)\b.+",
        OTHERS,
        must_be_dated=True,
    ),
)

RULES: tuple[Rule, ...] = tuple(replace(row, category="person") for row in _ROWS)
