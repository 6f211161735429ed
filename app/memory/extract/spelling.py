"""Write out how people type in a hurry, and mend the commonest slips, so that rules see one form.

"cant do fri got 2 kids, tmrw w my gf" becomes English as it is printed. Only what has one meaning
is written out; names and everything else stay as they were typed.
"""

import re
from functools import lru_cache

from app.memory.extract.person import expanded
from app.memory.extract.verbs import AUXILIARIES, Form, third_person, verb_of
from app.memory.extract.vocabulary import JOB_TITLES, PEOPLE, PETS, listed
from app.memory.when.words import MONTHS, NUMBERS, any_of

_SHORT = {
    "u": "you", "ur": "your", "urs": "yours", "im": "I'm", "iam": "I am", "ive": "I have",
    "hes": "he's", "shes": "she's", "thats": "that's", "whats": "what's", "theres": "there's",
    "wheres": "where's", "hows": "how's", "whos": "who's", "lets": "let's", "theyre": "they're",
    "youre": "you're", "theyve": "they've", "weve": "we've", "thatll": "that will",
    "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow",
    "tomoz": "tomorrow", "2day": "today", "2nite": "tonight", "tonite": "tonight",
    "b4": "before", "bc": "because", "cuz": "because", "coz": "because", "cos": "because",
    "becuz": "because", "w": "with", "w/": "with", "w/o": "without", "wo": "without", "n": "and",
    "&": "and", "gf": "girlfriend", "bf": "boyfriend", "sis": "sister", "bro": "brother",
    "hubby": "husband", "pls": "please", "plz": "please", "plss": "please", "rn": "right now",
    "atm": "at the moment", "tho": "though", "rly": "really", "prolly": "probably",
    "probs": "probably", "def": "definitely", "gotta": "have to", "kinda": "kind of",
    "sorta": "sort of", "lemme": "let me", "gimme": "give me", "dunno": "do not know",
    "idk": "I do not know", "abt": "about", "ppl": "people", "yr": "year", "yrs": "years",
    "hrs": "hours", "mins": "minutes", "wks": "weeks", "wk": "week", "mths": "months",
    "fri": "Friday", "tues": "Tuesday", "tue": "Tuesday", "thurs": "Thursday",
    "thur": "Thursday", "thu": "Thursday", "weds": "Wednesday", "bday": "birthday",
    "appt": "appointment", "til": "till", "untill": "until", "alot": "a lot", "dont": "don't",
    "everyday": "every day", "thx": "thanks", "ty": "thanks", "tysm": "thanks", "msg": "message",
    "fav": "favourite", "fave": "favourite", "rlly": "really", "bday's": "birthday is",
    "becouse": "because", "becasue": "because", "wich": "which", "alergic": "allergic",
    "allergie": "allergy", "vegitarian": "vegetarian", "definately": "definitely",
    "wensday": "Wednesday", "wednsday": "Wednesday", "tommorow": "tomorrow",
    "tommorrow": "tomorrow", "tomorow": "tomorrow", "freind": "friend", "recieve": "receive",
    "nite": "night", "thru": "through", "cant": "cannot", "wont": "won't", "ain't": "am not",
    "nr": "number",
}  # fmt: skip
_WORD = re.compile(
    rf"(?<![\w'’&/.@-])(?:{any_of(map(re.escape, _SHORT))})(?![\w'’&/@-]|\.\w)", re.I
)
_DAYS = {"mon": "Monday", "wed": "Wednesday", "sat": "Saturday", "sun": "Sunday"}
_DAY = re.compile(
    r"(?<=\b(?:on|by) )(?:mon|wed|sat|sun)\b|(?<=\bstarts )(?:mon|wed|sat|sun)\b|"
    r"(?<=\bfrom )(?:mon|wed|sat|sun)\b|(?<=\b(?:this|next|last|each|till) )"
    r"(?:mon|wed|sat|sun)\b|(?<=\bevery )(?:mon|wed|sat|sun)\b|(?<=\buntil )(?:mon|wed|sat|sun)\b",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"\b(?P<i>i)ts (?=(?:not|an?|the|my|just|so|too|always|never|really|called|spelled|spelt|"
    r"[A-Z]\w+|"
    r"\d)\b)|(?<![\w'])(?P<j>i)ts(?= on (?:the|my|mon|tue|wed|thu|fri|sat|sun|\d))",
)
_LAUGH = re.compile(
    r"(?:^|[ ,])(?:lol+|lmao|rofl|ha(?:ha)+h?|he(?:he)+|omg|omfg|ugh+|argh+|a{3,}h*|smh|xd|x{2,}|"
    r"sigh|phew|yay+|woo+(?:hoo)?|ow+|ouch|[:;]-?[)(DPp]|<3)(?=$|[ ,!.])",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\b(?P<title>mr|mrs|ms|dr|prof)\.? (?P<name>[a-z][a-z'-]{2,})\b")
_AUNT = re.compile(
    r"\b(?P<title>uncle|aunt|auntie|granny|grandma|grandpa|grandad|nana|nanna) (?P<name>[a-z]{3,"
    r"})\b"
)
_CAUSE = re.compile(r"(?:(?:(?<=, )|(?<=^))'?|(?<= )')cause (?=\w)", re.IGNORECASE)
_CAPITALS = re.compile(r"^[^a-z]*[A-Z][^a-z]*$")
_CAPITAL_PART = re.compile(r"^(?:[A-Z\d']+ ){3,}(?=[a-z])")
_EX = re.compile(r"\bex (husband|wife|girlfriend|boyfriend|partner|boss)\b", re.IGNORECASE)
_IN_LAW = re.compile(
    r"\b(mother|father|sister|brother|son|daughter|parents?)s? in laws?\b", re.IGNORECASE
)

_SELDOM = re.compile(
    r"\b(?:mon|wed|sat|sun|mr|mrs|ms|dr|prof|uncle|aunt|auntie|granny|grandma|grandpa|grandad|nana|"
    r"nanna|cause|ex|laws?)\b",
    re.IGNORECASE,
)
_KIN = any_of(PEOPLE | {"boy", "girl", "lad"})
_TRADE = any_of(JOB_TITLES | {"teacher", "driver", "cleaner", "waiter", "painter", "writer"})
_NUMBER = rf"(?:\d+|{any_of(NUMBERS)})"
_SLIPS = tuple(
    (re.compile(slip, re.IGNORECASE), mended)
    for slip, mended in (
        (
            rf"\b((?:my|our) (?:\w+ )?(?:{_KIN})(?: (?-i:[A-Z]\w+))?),? (?:he|she|they) (?=\w)",
            r"\1 ",
        ),
        (rf"\b(am|was|were) (?=[aeio])({_TRADE})\b", r"\1 an \2"),
        (rf"\b(am|was|were) ({_TRADE})\b", r"\1 a \2"),
        (
            rf"\b((?:my|our) (?:{_KIN})(?: (?-i:[A-Z]\w+))?|he|she) is ({_TRADE})\b(?! of )",
            r"\1 is a \2",
        ),
        (rf"\b(to be|as) ({_TRADE})(?=[, ]|$)", r"\1 a \2"),
        (
            rf"\b(work~|working) (?:like|how) ({_TRADE})(?=[, ]|$)".replace("work~", "works?"),
            r"\1 as a \2",
        ),
        (
            rf"\b(have|has) ({_NUMBER}) years(?= |,|$)(?! (?:of|in|on|left|to|experience|ago|old|"
            r"more|with|as))",
            r"\1-be \2 years old",
        ),
        (rf"\bsince (?:about )?({_NUMBER}) (years?|months?|weeks?)\b(?! ago)", r"for \1 \2"),
        (
            rf"\b(I|we) got (?!.*\b(?:ago|yesterday|last)\b)(?=(?:\d+|an?|two|three|four|five|no) "
            rf"(?:\w+ ){{0,"
            rf"2}}(?:{any_of(PEOPLE | PETS)})\b)",
            r"\1 have ",
        ),
        (r"\b(I|we) (?:am|are) for (\w+ (?:years?|months?))\b", r"\1 have been for \2"),
        (
            r"\b((?:my|our) )?(mum|mom|dad|nan|gran|grandma|grandpa|sister|brother|wife|husband|"
            r"son|"
            r"daughter|boss|neighbour|neighbor)s (?=(?:birthday|name day|anniversary|wedding|"
            r"funeral|surgery|operation|house|flat|car|phone|number|address|job)\b)",
            lambda m: f"{m[1] or 'my '}{m[2]}'s ",
        ),
        (
            rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)? of ({any_of(MONTHS)})\b",
            lambda m: f"{m[1]} {m[2].capitalize()}",
        ),
        (
            r"\b(I|we|he|she|they) would ((?:only |just |already |never )*)(?=(?:gone|been|seen|"
            r"done|"
            r"taken|given|eaten|known|forgotten|written|broken|chosen)\b)",
            r"\1 had \2",
        ),
        (
            rf"\b((?:my|our) (?:{_KIN})|he|she) is (?!(?:over|under|after|never|ever|other|later|"
            r"sooner|together|\w*[^e]{2}ier|better|older|younger|bigger|smaller|taller|cleverer|"
            r"sober|"
            r"bitter|super|proper|clever|eager|super|inner|quieter|near)\b)(\w{3,}(?:er|ist|man|"
            r"woman))"
            r"(?= (?:in|at|for) )",
            r"\1 is a \2",
        ),
        (r"^it is (\w+ (?:years|months)) (?:that|since) (I|we) (.+)$", r"\2 \3 for \1"),
        (r"\bmother language\b", "mother tongue"),
        (r"\bI born\b", "I was born"),
        (
            r"\bwant (?=(?:learn|go|have|buy|make|eat|live|speak|know|see|become|work|study)\b)",
            "want to ",
        ),
        (r"\bI do not can\b", "I cannot"),
        (r"\b(it|that|he|she) make (me|us|him|her)\b", r"\1 makes \2"),
        (r"\bmy name it is\b", "my name is"),
        (rf"\b((?:my|our) (?:{_KIN})(?: (?-i:[A-Z]\w+))?|he|she) not (?=\w+)", r"\1 does not "),
        (r"\b(I|we) not (?=(?:eat|drink|like|have|speak|work|live|use|want)\b)", r"\1 do not "),
    )
)
_ANY_SLIP = re.compile("|".join(f"(?:{slip.pattern})" for slip, _ in _SLIPS), re.IGNORECASE)
_BE_OLD = re.compile(r"\b(I|we|you|they|\w+)? ?(have|has)-be\b")
_AGREE = re.compile(
    r"(?<!\bat )(?<!\bin )(?<!\bof )(?<!\bfor )(?<!\bfrom )(?<!\bto )(?<!\bwith )(?<!\bby )"
    r"(?<!\bme and )(?<!\bI and )"
    rf"\b(?P<who>(?:my|our) (?:[\w-]+ )?(?P<kin>{_KIN})(?: (?-i:[A-Z]\w+))?|he|she)"
    r"(?P<how>(?: (?:always|often|never|usually|sometimes|only|just|also|still|really|now))*)"
    r" (?P<verb>(?-i:[a-z]+))(?=[ ,.]|$)",
    re.IGNORECASE,
)
_MANY = re.compile(r"(?:s|children|kids|people|twins|family|in-laws|team)$", re.IGNORECASE)


@lru_cache(64)  # a message is read for its statements, and for whether it plays a part
def written(text: str) -> str:
    """Return a sentence with chat spelling and contractions written out, and slips mended."""
    return mended(expanded(spelt_out(text)))


def spelt_out(text: str) -> str:
    """Return a sentence without the abbreviations of chats."""
    if len(text) > 12 and _CAPITALS.match(text):
        text = text[:1] + text[1:].lower()
    elif found := _CAPITAL_PART.match(text):
        text = _lowered(found.group()) + text[found.end() :]
    text = _LAUGH.sub("", text)
    text = _WORD.sub(_in_full, text)
    text = _ITS.sub(lambda m: f"{m['i'] or m['j']}t's ", text)
    if _SELDOM.search(text):
        text = _seldom(text)
    return " ".join(text.split()).strip(" ,")


def _seldom(text: str) -> str:
    """Mend what few sentences have: days cut short, titles, "in laws"."""
    text = _DAY.sub(lambda m: _DAYS[m.group().lower()], text)
    text = _TITLE.sub(lambda m: f"{m['title'].capitalize()} {m['name'].capitalize()}", text)
    text = _AUNT.sub(_named, text)
    text = _CAUSE.sub("because ", text)
    text = _EX.sub(r"ex-\1", text)
    return _IN_LAW.sub(r"\1-in-law", text)


def _named(found: re.Match[str]) -> str:
    """Write the name after "uncle" with its capital."""
    low = found["name"]
    verbal = verb_of(low) is not None or low in AUXILIARIES or low.endswith(("ed", "ing"))
    if verbal or low in _AFTER_AUNT:
        return found.group()
    return f"{found['title'].capitalize()} {low.capitalize()}"


_AFTER_AUNT = frozenset(
    listed(
        "and, who, with, from, for, the, just, always, never, also, still, only, too, was, but, "
        "had, did, not, then, that, than, because"
    )
)


def _in_full(found: re.Match[str]) -> str:
    """Write out one abbreviation; a single capital letter is something else."""
    word = found.group()
    if word == "U" and re.match(r" [a-z]", found.string[found.end() :]):
        return "You"
    return word if len(word) == 1 and word.isupper() else _SHORT[word.lower()]


def mended(text: str) -> str:
    """Return a sentence (contractions written out) without slips that hide what it says."""
    if _ANY_SLIP.search(text):
        for slip, right in _SLIPS:
            text = slip.sub(right, text)
        text = _BE_OLD.sub(lambda m: f"{m[1]} {'am' if m[1] == 'I' else _be(m[2])}".strip(), text)
    return _AGREE.sub(_agreeing, text)


def _be(have: str) -> str:
    return "is" if have == "has" else "are"


def _lowered(words: str) -> str:
    """Return words typed in capitals without them; what holds a digit is a name and keeps them."""
    kept = (w if any(c.isdigit() for c in w) or w == "I" else w.lower() for w in words.split())
    return " ".join(kept) + " "


def _agreeing(found: re.Match[str]) -> str:
    """Put the verb after "my brother" into the third person: "he work" is what learners write."""
    base = found["verb"].lower()
    verb = verb_of(base)
    many = bool(found["kin"] and _MANY.search(found["kin"]))
    if many or verb is None or Form.BASE not in verb.forms or Form.PAST in verb.forms:
        return found.group()
    return f"{found['who']}{found['how']} {third_person(base)}"
