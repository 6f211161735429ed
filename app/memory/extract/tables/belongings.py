"""What people own and use, and what "my … is …" says of them."""

import re

from app.memory.extract.dates import birthday_words
from app.memory.extract.rule import PEOPLE, SELF, THINGS, Found, Rule, fact, plan
from app.memory.extract.subjects import Subject, slug
from app.memory.extract.values import person_name
from app.memory.extract.vocabulary import ATTRIBUTES, OCCASIONS, PARTNERS, UNIQUE_PEOPLE

_ATTRIBUTES = "|".join(sorted(ATTRIBUTES, key=len, reverse=True))
_OCCASIONS = "|".join(sorted(OCCASIONS, key=len, reverse=True))
_OWNED = (
    "car|van|bike|bicycle|e-bike|motorbike|motorcycle|scooter|boat|caravan|camper|campervan|truck|"
    "house|flat|apartment|cottage|garden|allotment|balcony|farm|piano|guitar|violin|tattoos?|"
    "driving licen[cs]e|licen[cs]e|subscription|membership|season ticket|iphone|pixel|macbook|"
    "laptop|tablet|kindle|playstation|ps5|xbox|switch|telescope|drone|workshop|shed|greenhouse|"
    "sauna|pool|pond|fireplace|heat pump|solar panels|freckles|blue eyes|brown eyes|green eyes|"
    "red hair|curly hair|dual citizenship|citizenship|passport|mortgage|key|air fryer|"
    "bread machine|record player|3d printer|raspberry pi|camera|holiday home|second home"
)
_SHORT_KEYS = {
    "mobile number": "phone_number", "mobile": "phone", "e-mail": "email",
    "email address": "email", "zip code": "postcode", "home address": "address",
    "home town": "hometown", "date of birth": "birthday", "birth date": "birthday",
    "blood group": "blood_type", "time zone": "timezone", "company": "employer",
    "job": "job_title", "profession": "job_title", "occupation": "job_title", "full name": "name",
    "mother tongue": "native_language", "first language": "native_language",
    "eye color": "eye_colour", "hair color": "hair_colour", "main hobby": "hobby",
}  # fmt: skip
_COMPLAINT = re.compile(
    r"^(?:the same|different|unchanged|not|broken|slow|dead|late|down|full|empty|terrible|great|"
    r"bad|good|fine|ok|okay|wrong|"
    r"missing|stuck|gone|there|here|too|very|so|really|boring|stressful|what|how|that|to|about|"
    r"because|killing|driving me|going|getting|being|making|lost|a mess|due|hurting|over|done|"
    r"ready|busy|complicated|simple|important|a problem|a joke)\b",
    re.IGNORECASE,
)


def _attribute(found: Found, subject: Subject) -> tuple[str, object] | None:
    noun = subject.noun
    if noun in ("date of birth", "birth date"):
        return ("birthday", birthday_words(found["value"]) or found["value"])
    value = re.sub(r"^(?:an?|the) ", "", found["value"])
    value = re.split(r",| (?:running|with|which|because|and it)\b", value)[0].strip()
    return (_SHORT_KEYS.get(noun, slug(noun)), value)


def _own_name(found: Found, subject: Subject) -> tuple[str, object] | None:
    name = _spelled(found)
    return ("name", name) if name else None


def _spelled(found: Found) -> str | None:
    """Return the name in "my name is spelled Kathrynn, with two n's"."""
    said = re.sub(r"^(?:spelled|spelt|written|pronounced) ", "", found["value"])
    return person_name(said, sure=True)


def _other_name(found: Found, subject: Subject) -> tuple[str, object] | None:
    owner = subject.noun.removesuffix("'s name")
    name = person_name(found["value"], sure=True)
    if owner in PARTNERS and name:
        return ("partner_name", name)
    return (f"{slug(owner)}_name", name) if owner in UNIQUE_PEOPLE and name else None


def _birthday(found: Found, subject: Subject) -> tuple[str, object] | None:
    owner = subject.noun.removesuffix("birthday").strip().removesuffix("'s")
    return (slug(f"{owner} birthday"), birthday_words(found["value"]))


def _favourite(found: Found, subject: Subject) -> tuple[str, object] | None:
    what = re.sub(r"^(?:all-time |absolute |very )*favou?rite ", "", subject.noun)
    what = re.sub(r" of all time$|^(?:\w+ )?one$", "", what.replace("color", "colour"))
    if not what or len(what.split()) > _LONGEST_KIND:
        return None
    value = re.sub(r"^(?:definitely|probably|still|an?|the) ", "", found["value"])
    return (f"favourite_{slug(what)}", value)


_LONGEST_KIND = 4  # words


def _says_something(found: Found) -> bool:
    return not _COMPLAINT.match(found["value"]) and len(found["value"]) < 120


def _favoured(found: Found) -> bool:
    pointing = re.match(
        r"(?:the |this |that )?(?:first|second|third|last|former|latter|other|one|part|bit)\b",
        found["value"],
    )
    return _says_something(found) and not pointing


def _is_day(found: Found) -> bool:
    return birthday_words(found["value"]) is not None


RULES: tuple[Rule, ...] = (
    fact(
        r"{BE} (?P<value>.+)",
        THINGS,
        noun=r"(?:full |first )?name",
        read=_own_name,
        accepts=lambda found: _spelled(found) is not None,
        category="person",
    ),
    fact(
        r"{BE} (?P<value>[^ ].*)",
        THINGS,
        noun=r".+'s name",
        read=_other_name,
        category="person",
        accepts=_says_something,
    ),
    fact(
        r"{BE} (?:on )?(?P<value>.+)",
        THINGS,
        noun=r"(?:.+'s )?birthday",
        read=_birthday,
        accepts=_is_day,
        category="person",
    ),
    fact(
        r"{BE} (?P<value>.+)",
        THINGS,
        noun=r"(?:all-time |absolute |very )*favou?rite .+",
        read=_favourite,
        accepts=_favoured,
        category="preference",
    ),
    fact(
        r"{BE} (?:called|named|nicknamed) (?P<value>.+)",
        THINGS,
        noun=r"(?!.*\b(?:file|function|variable|column|script|essay|character|table|branch|class|"
        r"method|folder|app|"
        r"project|document|field|avatar)$).+",
        category="belonging",
    ),
    plan(
        r"{BE} .+|(?:start~|leave~|begin~|end~|take~|run~|expire~|depart~|arrive~)\b.*|will .+",
        THINGS,
        noun=rf"(?:[\w'-]+ ){{0,3}}(?:{_OCCASIONS})(?: (?:to|from|at|with|in|for|of) .+)?",
        must_be_dated=True,
        category="plan",
    ),
    fact(
        r"{BE} (?P<value>.+)",
        THINGS,
        noun=rf"(?:new |current |old |home |work |main |native |employee |usual |other |second |"
        rf"day |"
        rf"night |side |part-time )?"
        rf"(?:{_ATTRIBUTES})(?: (?:at|for|of|to|on|in) [\w' -]+)?",
        read=_attribute,
        accepts=_says_something,
        category="fact",
    ),
    fact(
        r"was (?P<value>.+)",
        THINGS,
        noun=r"(?:maiden|birth|previous|old|former) (?:name|surname)",
        read=_attribute,
        category="person",
    ),
    fact(r"(?:drive~|ride~) (?:an?|my|our|the) (?P<what>.+)", category="belonging"),
    fact(
        r"(?:own~|{NOT} own|have~ (?:bought|got)) (?:an?|any|one|two|three|several|my own|"
        r"our own|\d+) (?P<what>.+)",
        PEOPLE,
        category="belonging",
    ),
    fact(
        rf"(?:have~|{{NOT}} have) (?:an? |two |three |my own |our own |"
        rf"some )?(?:[\w-]+ ){{0,3}}?(?:{_OWNED})s?\b(?! (?:problem|issue|question)).*",
        PEOPLE,
        category="belonging",
    ),
    fact(
        r"(?:use~|run~) (?P<value>(?:an? )?(?:linux|windows|macos|mac|ubuntu|fedora|debian|arch|"
        r"android|iphone|ios|vim|emacs|obsidian|notion|dvorak|graphene)\b.*)",
        SELF,
        category="belonging",
    ),
    fact(
        rf"(?:rent~|share~|keep~|{{BE}} renting) (?:an?|my|our|two|three|"
        rf"some) (?:[\w-]+ ){{0,3}}?(?:{_OWNED}|studio|room|bedsit|hens|bees|sheep|goats)s?\b.*",
        category="belonging",
    ),
    plan(
        rf"have~ (?:an? |my |our |the |his |her )?(?:[\w'-]+ ){{0,3}}?(?:{_OCCASIONS}|meeting|"
        r"lunch|call|visit|date)\b.*",
        PEOPLE,
        must_be_dated=True,
        category="plan",
    ),
)
