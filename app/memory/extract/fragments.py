"""Give fragments back what was left out: "Had a stroke in 2022" was said of the person.

"type 1 diabetic here", "training for a marathon", "driving test tomorrow", "Shoe size 39": people
leave out what goes without saying. Only what can be completed in one way is completed.
"""

import re

from app.memory.extract.lives import HELD
from app.memory.extract.starts import has_verb, opens_clause
from app.memory.extract.verbs import Form, is_gerund_subject, is_ing, verb_of
from app.memory.extract.vocabulary import (
    ATTRIBUTES,
    CONDITIONS,
    DIETS,
    HEALTH,
    JOB_TITLES,
    NATIONALITIES,
    OCCASIONS,
    PEOPLE,
    PETS,
    STATES,
    listed,
)
from app.memory.when import words as when
from app.memory.when.words import NUMBERS, any_of

_JUST = r"(?:(?:just|finally|recently|only|also|now|still|currently|already|literally|not|both) )*"
_ADVERBS = frozenset(listed("just, finally, recently, only, also, now, still, currently, already"))
_STATE = any_of(
    CONDITIONS | DIETS | (STATES - {"dead", "alive", "tall", "short", "straight", "single", "shy"})
)
_NATIONS = any_of(NATIONALITIES)
_BEING = re.compile(
    rf"^{_JUST}(?:half|part) (?:{_NATIONS})\b|^{_JUST}(?:(?:very|severely|mildly|mostly|strictly|"
    rf"fully|deeply|highly|half|recovering|newly|"
    rf"lifelong|blind|deaf|type [12]|stage \d) )*(?:allergic to|intolerant|{_STATE}|diabetic|"
    rf"blind in|"
    r"deaf in|pregnant|based in|a fan of|not a fan|into|fond of|keen on|afraid of|scared of|"
    r"terrified of|allowed|used to having|self[- ]taught|fluent in|originally from|"
    r"born and raised|on (?:a|the|my|sick|maternity|parental) (?:diet|pill|leave|waiting list)|"
    r"(?:an? )?(?:single )?(?:mum|mom|dad|mother|father|parent) (?:of|to))\b",
    re.IGNORECASE,
)
_BORN = re.compile(
    rf"^{_JUST}(?:born|raised(?= (?:in|on|by|as|at|near|with|"
    r"an? [a-z]+$|[a-z]+$|[A-Z]))|diagnosed|made redundant|laid off|trained as)\b",
    re.I,
)
# "Born Tuesday, 3.4 kilos": a child, not who writes of it.
_NEWBORN = re.compile(
    rf"^{_JUST}born (?:(?:on|this|last|late|early|at) )*(?:{when.WEEKDAY}|morning|night|"
    rf"yesterday|today|"
    r"tonight|weighing|\d+[.:]\d+)\b",
    re.IGNORECASE,
)
# "shift moved to nights", "dog ate my retainer": whoever writes so, has one.
_OWN_BARE = re.compile(
    r"^(?:shift|rota|lease|landlord|landlady|boss|manager|dog|cat|car|bike|rent|visa|girlfriend|"
    r"new (?:job|school|term|flat|boss|place|contract)|"
    r"boyfriend|hubby|wife|husband|daughter|son|sister|brother|gp|dentist|surgery|interview|"
    r"flight|contract|house|flat|due date|appointment|hospital|bank|period|salary) "
    r"(?:is|are|was|has|have|got|moved?s?|changed|starts?|ends?|runs out|expires|ate|died|wants|"
    r"left|"
    r"called|cancelled|hates|loves|needs|broke|lost|won|passed|failed|goes|works|lives|came|"
    r"comes|put|raised|sold|bought)\b",
    re.IGNORECASE,
)
_BECAME = re.compile(
    r"^(?:retired|separated|divorced|married|engaged|adopted|widowed) (?:last |in |this |on |"
    r"\w+ (?:years?|"
    r"months?|weeks?) ago|yesterday|early|at \d)",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"^new (?:(?:phone|mobile|home|work) )?(?:number|mobile|address|e-?mail|surname) "
    r"(?=is |[\w.]+@|\+?\d)",
    re.IGNORECASE,
)
_TYPE = re.compile(r"^type [12](?: diabetic| diabetes)?(?= since| here|,|$)", re.IGNORECASE)
_HERE = re.compile(
    r"^(?P<who>(?!(?:it|rain|nothing|still|hot|cold|hello|hi|greetings|late|again|same|all|quite|"
    r"not|"
    r"over|out|back|up)\b)(?:[\w'’/-]+ ){0,5}?(?P<last>[\w'’-]+)) here(?=$|[,;]| and\b)",
    re.IGNORECASE,
)
_HAD_SINCE = re.compile(
    r"^(?P<what>(?!(?:I|we|my|our|not|no|it|have|had)\b)[\w' -]{3,40}?) (?:since|for) (?=\d|my |"
    r"I |childhood|birth|"
    r"[\w-]+ years)",
    re.IGNORECASE,
)
_ILL = re.compile(rf"\b(?:{any_of(HEALTH)})$", re.IGNORECASE)
_TRADES = any_of(JOB_TITLES)
_IS_SOMEBODY = re.compile(
    rf"(?:{_STATE}|{_TRADES}|{any_of(PEOPLE)}|diabetic|coeliac|celiac|\w{{2,}}(?:er|or|ist|ian|"
    rf"ant|man|"
    r"woman)|fan|vegan|parent|owner|newbie|insomniac|veteran|student|celiac|mum of \w+)$",
    re.IGNORECASE,
)
_GOT = re.compile(
    rf"^(?:{_JUST})(?:got|have|have got) (?=(?:an?|my own|about|over|\d+|{any_of(NUMBERS)}|some|"
    r"no|several|the) )",
    re.IGNORECASE,
)
_WHEN = (
    rf"(?:(?:on|at|in|from|next|this|the) )*(?:{when.WEEKDAY}|{when.MONTH}|tomorrow|today|tonight|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\b|next (?:week|month|year)|the weekend)"
)
_OCCASION = re.compile(
    rf"^(?P<what>(?:[\w'-]+ ){{0,3}}?(?:{any_of(OCCASIONS)}"
    rf"|viewing|house viewing|root canal|viva|gcses|a-levels|finals|mri|ct|"
    rf"biopsy))(?: (?P<at>(?:at|with|for|in) [\w' -]"
    rf"{{2,30}}?))? (?P<when>{_WHEN}.*)$",
    re.IGNORECASE,
)
_FEATURE = any_of(
    (ATTRIBUTES - {"team", "company", "school", "number", "size", "car", "job", "degree", "diet",
                   "gym", "church", "laptop", "computer", "tablet", "camera", "budget", "rent",
                   "bike", "motorbike"})
    | {"pin", "locker code", "alarm code", "gate code", "code", "hat size", "collar size",
       "bra size", "glove size", "inside leg", "blood type", "licence plate", "number plate",
       "plot", "frame size", "chest", "waist", "inseam", "member number", "wifi", "wi-fi",
       "preferred name", "preferred title", "resting pulse", "resting heart rate"}
)  # fmt: skip
_FEATURE_IS = re.compile(
    rf"^(?P<what>(?!(?:my|our|his|her|their|the|your|\w{{2,}}ing)\b)(?:[\w-]+ "
    rf"){{0,2}}?(?:{_FEATURE})(?: "
    rf"(?:for|at|of|to|on) (?:the|my|our) [\w' -]{{2,25}}?)?)"
    rf"(?P<be>,? (?:is|are|=)|'s|:) (?=\S)",
    re.IGNORECASE,
)
_FEATURE_BARE = re.compile(
    r"^(?P<what>(?:shoe|ring|collar|dress|hat|glove|frame|clothes|blood) (?:size|type|group)|"
    r"inside leg|inseam|waist|chest) (?P<value>(?!is\b|are\b)[\w½.+-]+.*)$",
    re.IGNORECASE,
)
_SIZE = re.compile(r"^(?:an? )?size (?P<value>\d[\w½.]*)(?= |,|$)", re.IGNORECASE)
_COUNTED = re.compile(
    rf"^(?:(?:\d+|{any_of(NUMBERS)}|an?) "
    rf"(?:(?!(?:for|of|to|my|with|in|from|the|about|by|on)\b)[\w-]+ ){{0,"
    rf"3}}?)(?:{any_of(PEOPLE | PETS)})\b"
    r"(?= (?:called|named|under|aged)|,| and |$| here| who)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^no (?P<what>[\w' -]{2,40}?) for (?P<whom>me|us)(?=,|$| because| since| and)", re.IGNORECASE
)
_HAVING_NO = re.compile(
    r"^no (?:kids|children|pets|car|garden|oven|tv|television|siblings|brothers|sisters|partner|"
    r"dishwasher|microwave|"
    r"freezer|balcony|lift|licen[cs]e|driving licen[cs]e|smartphone|allergies)(?:$|,| and| here)",
    re.IGNORECASE,
)
_GAVE_WAY = frozenset(listed("used, supposed, based, called, named, made, left, lost, broken, fed"))
_ORDERS = frozenset(
    listed("put, let, set, cut, read, hit, cost, shut, bet, spread, cast, hurt, found")
)
# "A friend, Jakub, mentioned …": what is counted does something itself.
_OF_THEM = re.compile(r",? (?:and )?(?:I am|we are|I was|no |all )", re.IGNORECASE)
_DOES = re.compile(r",? [A-Z][\w-]+, (?!and\b|aged\b)[a-z]+(?:s|ed)\b")
_ME = re.compile(r"^[^,;:–—]*? me\b", re.IGNORECASE)
_ANOTHERS = re.compile(r"\b(?:that|who|which|so|and|but|because|when|let|make|help)\b")
_PAST_DAY = re.compile(
    r"\b(?:ago|yesterday|last (?!name)\w+|in (?:19|20)\d\d|when I was|as an? (?:child|kid|teen))\b",
    re.IGNORECASE,
)
# "Been a busy week", "been quite a ride": of the time, not of a person.
_TIME_BEEN = re.compile(
    r"(?:(?:just|also|only) )?been (?:so |too )?(?:ages|forever|long|(?:quite |such )?an? (?:\w+ )*"
    r"(?:day|week|month|year|time|while|ride|journey|night|morning|rollercoaster|struggle))\b",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"(?:not|like|(?:so|too|very|much|even|far|a bit|a lot) |better|best|worse|worst|\w+ier|fine|"
    r"ok|okay|good|great|bad|easier|preferred|possible|impossible|enough|important|welcome|all|"
    r"what|"
    r"how|where|why)\b",
    re.IGNORECASE,
)
# "Halal on the left", "dairy-free is a must": said of food, not of who eats it.
_NO_STATE = re.compile(
    r" (?:(?:an?|our|my|two|three|him|her|the) \w+|(?:on|at|to) (?:the|my|our) (?:left|right|side|"
    r"table|menu|grill|top|bottom)|is|are|was|"
    r"were|"
    r"options?|food|recipes?|products?|desserts?|meals?|restaurants?|version)\b"
)


def completed(text: str) -> str:
    """Return a sentence with what it leaves out, where it leaves out its subject or its verb.

    Args:
        text: The sentence, contractions written out and openers taken off.
    """
    born = _BORN.match(text) and not _NEWBORN.match(text)
    if (found := _HERE.match(text)) and not born and not re.search(r"'s |\bis\b", found["who"]):
        if found["last"].lower() in ("household", "family", "couple", "home"):
            return f"we are {_an(found['who'])}{_low(found['who'])}{text[found.end() :]}"
        if _IS_SOMEBODY.search(found["who"]) or found["who"].istitle():
            return f"I am {_article(found['who'])}{found['who']}{text[found.end() :]}"
        if found["who"][:1].isupper() and re.search(r" (?:from|at|in) ", found["who"]):
            return f"my name is {found['who']}{text[found.end() :]}"
    if (found := _HAD_SINCE.match(text)) and (
        HELD.search(found["what"]) or _ILL.search(found["what"])
    ):
        return f"I have had {_an(found['what'])}{_low(text)}"
    if found := _TYPE.match(text):
        return f"I am {found.group()}{text[found.end() :]}"
    if _NO.match(text) or _HAVING_NO.match(text):
        return text if _NO.match(text) else f"I have {_low(text)}"
    if _BECAME.match(text):
        return f"I {text[:1].lower()}{text[1:]}"
    if (found := _BEING.match(text)) and not _NO_STATE.match(text[found.end() :]):
        return f"I am {text[:1].lower()}{text[1:]}"
    if _OWN_BARE.match(text):
        return f"my {text[:1].lower()}{text[1:]}"
    if found := _NEW.match(text):
        return f"my {found.group().lower()}is {text[found.end() :].removeprefix('is ')}"
    if born:
        return f"I was {text[:1].lower()}{text[1:]}"
    if (featured := _of_a_feature(text)) is not None:
        return featured
    dropped = _with_subject(text) if _DROPPED.match(text) else text
    if dropped != text:
        return dropped
    if (found := _COUNTED.match(text)) and _OF_THEM.match(text[found.end() :]):
        return f"I have {_low(text)}"
    return text if opens_clause(text) else _of_a_note(text)


def _of_a_feature(text: str) -> str | None:
    """Complete "Shoe size 39" and "blood type: O negative"."""
    if (found := _FEATURE_IS.match(text)) and not _NO_VALUE.match(text[found.end() :]):
        be = "is" if found["be"].strip(", ") in ("is", "=", "'s", ":") else "are"
        return f"my {_low(found['what'])} {be} {text[found.end() :]}"
    if found := _FEATURE_BARE.match(text):
        return f"my {_low(found['what'])} is {found['value']}"
    if found := _SIZE.match(text):
        return f"I take {_low(found.group())}{text[found.end() :]}"
    return None


def _of_a_note(text: str) -> str:
    """Complete what has no verb: "driving test tomorrow", "two cats called …"."""
    if (found := _OCCASION.match(text)) and not has_verb(found["what"]):
        what = _low(found["what"])
        at = f" {found['at']}" if found["at"] else ""
        return f"I have {_an(what)}{what}{at} {found['when']}"
    if (found := _COUNTED.match(text)) and not _DOES.match(text[found.end() :]):
        return f"I have {_low(text)}"
    return _with_subject(text)


def _with_subject(text: str) -> str:
    """Put "I" before a verb that has no subject."""
    words = text.split()
    at = 0
    while at < len(words) - 1 and words[at].lower() in _ADVERBS:
        at += 1
    word = words[at].lower().strip(",") if words else ""
    if _ME.match(text) and not _ANOTHERS.search(text[: text.find(" me")]):
        return text
    if word == "been":
        return text if _TIME_BEEN.match(text) else f"I have {_low(text)}"
    if (found := _GOT.match(text)) and not (word == "got" and _PAST_DAY.search(text)):
        return f"I have {text[found.end() :]}"
    if (word == "cannot" or re.match(r"(?:have|was) not \w+", text, re.I)) and len(words) > 1:
        return f"I {_low(text)}"
    verb = verb_of(word)
    if verb is None:
        done = len(word) > 4 and word.endswith("ed") and len(words) > at + 1
        return f"I {_low(text)}" if done and _AFTER.match(words[at + 1]) else text
    past = Form.PAST in verb.forms and Form.BASE not in verb.forms
    if (past or (word == "quit" and len(words) > 2)) and word not in _GAVE_WAY | _ORDERS:
        return f"I {_low(text)}"
    if is_ing(word) and len(words) > at + 1 and not is_gerund_subject(words[at:]):
        return f"I am {_low(text)}"
    return text


_AFTER = re.compile(
    r"(?:an?|the|my|our|his|her|in|out|off|up|to|for|from|with|at|on|into|over|down|all)$", re.I
)
# A verb that opens a sentence in the past, and no noun or name.
_DROPPED = re.compile(
    r"(?!(?:left|found|cut|set|felt|saw|rose|ground|bit|might|used|born|based|made|called|united|"
    r"limited|"
    r"mixed|related|lost in|said)\b)(?:(?:just|finally|recently|only|also) )?[a-z]+\b",
    re.IGNORECASE,
)


def _low(text: str) -> str:
    """Return words for the middle of a sentence."""
    return text if text[:2].isupper() and text[:2] != "A " else text[:1].lower() + text[1:]


def _an(words: str) -> str:
    if words.split()[0] in ("my", "the", "final", "a", "an", "our") or words.endswith(
        ("s", "exams")
    ):
        return ""
    return "an " if words[:1].lower() in "aeiou" else "a "


def _article(words: str) -> str:
    """Return the article that somebody's trade or kind has after "I am", and a name has not."""
    last = words.split()[-1].lower()
    plain = last in CONDITIONS | DIETS | STATES or last in (
        "diabetic",
        "coeliac",
        "celiac",
        "vegan",
    )
    if plain or words.split()[0].lower() in ("a", "an", "the") or words.istitle():
        return ""
    return _an(words)


def is_fragment(text: str) -> bool:
    """Return whether a text has no verb of its own."""
    return not opens_clause(text) and not has_verb(text)
