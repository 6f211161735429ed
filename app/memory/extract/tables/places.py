"""Where people live, come from, and move to."""

import re

from app.memory.extract.rule import OTHERS, Found, Rule, event, fact, plan, through
from app.memory.extract.subjects import Subject
from app.memory.extract.values import home, place

_LIVING = (
    r"(?:live~|reside~|{BE} (?:living|based|residing)|(?:have|has) (?:always )?(?:lived|"
    r"been living|been based))"
)


def _home(found: Found, subject: Subject) -> tuple[str, object] | None:
    return home(found["place"])


def _origin(found: Found, subject: Subject) -> tuple[str, object] | None:
    where = place(found["place"])
    return ("origin", where) if where else None


def _is_place(found: Found) -> bool:
    return place(found["place"]) is not None


def _is_home(found: Found) -> bool:
    return home(found["place"]) is not None


def _not_idle(found: Found) -> bool:
    if re.search(r"\b(?:times|world|age|era|society)$", found["place"], re.IGNORECASE):
        return False
    return not re.match(
        r"(?:fear|peace|hope|denial|pain|my head|the moment|the past|luxury|sin)\b",
        found["place"],
        re.IGNORECASE,
    )


RULES: tuple[Rule, ...] = (
    fact(
        r"(?:take~|get~|catch~|ride~) the (?:[\w.:'-]+ )?(?:\d[\w.:]*|[\w.:-]+) ?(?:bus|train|"
        r"tram|metro|tube|ferry|line|express|"
        r"boat|U-Bahn|S-Bahn)\b.*",
        category="habit",
        accepts=lambda found: (
            not re.search(r"\b(?:today|tonight|tomorrow|now|next|last)\b", found.group())
        ),
    ),
    fact(
        r"(?:no longer live~|{NOT} live) in (?P<place>.+?)(?:{ANY})?",
        read=_home,
        closes=True,
        category="place",
    ),
    fact(  # two facts, so that one may change and the other stay
        _LIVING + r" in (?P<place>.+?) with (?P<company>(?:my|our|his|her|their)\b.+)",
        read=_home,
        category="place",
        accepts=_is_home,
        template="{subject} {live} with {company}",
        implies="{subject} {live} in {value}",
    ),
    fact(_LIVING + r" in (?P<place>.+)", read=_home, category="place", accepts=_not_idle),
    fact(
        _LIVING
        + r" (?:alone|together|at|on|near|outside|close to|next to|with|by the|above|abroad|"
        r"off|across|opposite|north|south|east|west|half|here since|just) ?.*",
        category="place",
    ),
    fact(r"used to (?:live|reside|be based) (?:in|at|on|near|with|abroad).*", category="place"),
    event(
        r"{HAD}(?:lived|stayed|grew up|spent (?:my|his|her) (?:childhood|youth)|"
        r"was raised|were raised|grown up) (?:in|at|on|near|with|there|abroad)\b.*",
        category="place",
    ),
    fact(
        r"(?:{BE} (?:originally )?(?:born and raised in|from)|come~ (?:originally )?from|"
        r"came from) (?P<place>.+)",
        read=_origin,
        category="place",
        accepts=_is_place,
    ),
    fact(r"{WAS} (?:originally )?from (?P<place>.+)", OTHERS, category="place", accepts=_is_place),
    event(
        r"{HAD}(?:moved|relocated|emigrated|immigrated)(?: house| home| back)? "
        r"(?:from .+? )?to (?P<place>.+)",
        read=_home,
        category="place",
        implies="{subject} {live} in {value}",
    ),
    event(
        r"{HAD}moved (?:in|out|house|home|from|into|back|together|away|here)\b.*", category="place"
    ),
    plan(
        r"(?:{BE} moving|will move|{BE} (?:going|planning|about) to move|{BE} relocating)"
        r"(?: house| home)?(?: (?:to|into|back|from|out|in)\b.*)?",
        category="place",
    ),
    event(
        r"{WAS} born in (?P<place>[^\d,]+?)",
        read=through("birthplace", place, "place"),
        accepts=_is_place,
        category="place",
    ),
)
