"""Read what is said the other way round: "Blue is my favourite", "onions give me heartburn"."""

import re
from dataclasses import dataclass

from app.memory.extract import doubt
from app.memory.extract.common_words import is_common_word
from app.memory.extract.leads import without_closers, without_openers
from app.memory.extract.starts import opens_clause
from app.memory.extract.subjects import CAPITALISED
from app.memory.extract.verbs import MENTAL, TASK, verb_of
from app.memory.extract.vocabulary import listed
from app.memory.when.words import WEEKDAYS

_FAVOURITE = re.compile(
    r"^(?P<value>.{2,60}?) (?:is|are) (?:definitely |still |by far )?my "
    r"(?:all-time |absolute )?favou?rite (?P<what>[a-z]+(?: [a-z]+)?)$",
    re.IGNORECASE,
)
_ONE_OF = re.compile(r"^one of my favou?rite [\w ]+ (?:is|are) .+$", re.IGNORECASE)
_TONGUE = re.compile(
    r"^(?P<value>\w+) is my (?:mother tongue|native (?:language|tongue)|first language)$",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"^\w+ is (?:only )?my (?:second|third|fourth|fifth|other) (?:language|tongue)\b", re.I
)
_EFFECT = re.compile(
    r"^(?!(?:it|this|that|you|which|he|she)\b)[\w' -]{3,45}? (?:(?:always|really|just|only) )?(?:"
    r"(?:gives?|give) me (?:an? |the |really |terrible |bad )*(?:\w+ )?(?:nightmares|migraines?|"
    r"headaches?|"
    r"heartburn|hives|rash(?:es)?|hay fever|stomach ?ache|cramps|palpitations|anxiety|vertigo|"
    r"reflux|"
    r"indigestion|hiccups|wind|gas|spots|acne|sore throats?|panic attacks|energy|joy)|"
    r"makes? me (?:feel )?(?:really |very |so )?(?:sick|ill|anxious|nervous|sneeze|itch|bloated|"
    r"dizzy|faint|"
    r"foggy|drowsy|jittery|wired|groggy|shaky|hyper|sluggish|gassy|nauseous|itchy|moody|"
    r"swell up|gag|retch|"
    r"break out|wheeze|cough|vomit|queasy|sleepy)|"
    r"tastes? (?:of|like) \w+ to me|(?:does|do) not agree with me|(?:is|are) (?:poison|deadly|"
    r"off limits|a no-?go|out|forbidden) (?:to|for) (?:me|us)|disagrees? with me|"
    r"triggers? my \w+|sets? off my \w+|(?:could|can|will|would|might|may) (?:kill|"
    r"hospitali[sz]e) me)\b"
    r"(?! (?:today|right now|now|this))",
    re.IGNORECASE,
)
_DAYS = rf"(?:{'|'.join(WEEKDAYS)})s?(?: (?:mornings?|evenings?|nights?|afternoons?))?"
_DAY_FOR = re.compile(
    rf"^(?:{_DAYS}|weekends|mornings|evenings) (?:is|are) (?:always )?(?:for |my |our )?(?!ok|"
    rf"fine|good|bad|free|best|better|"
    r"the worst|hard|busy|great|awful|nice|difficult|not)\w+.*$",
    re.I,
)
_MILESTONE = re.compile(
    r"^this (?:is|will be) (?:my|our) (?:\w+) (?:winter|summer|year|spring|autumn|christmas|"
    r"marathon|race|season|term|job|marriage|child|"
    r"baby|pregnancy|novel|book|visit|trip|attempt|time) (?:in|at|as|with|to|on|doing|running) .+$",
    re.IGNORECASE,
)
_HOUSE_RULE = re.compile(
    r"^(?:my |our |the )?(?:landlord|landlady|school|building|lease|contract|housing association|"
    r"boss|company|parents) (?:says|allows|"
    r"wants|forbids|bans|insists on|will not allow|does not allow|do not allow) (?:no )?(?!me\b|"
    r"it\b|this\b|that\b|i\b|you\b)\w+.*$|"
    r"^it is (?:my|our) (?:\w+ )?(?:rule|policy|habit|tradition|motto|routine|custom)(?::|,| to| "
    r"that) .+$",
    re.IGNORECASE,
)
_DREAM = re.compile(
    r"^it (?:is|has (?:always|long) been) (?:always |still )?(?:my|our) (?:\w+ )?(?:dream|"
    r"ambition|goal|wish|tradition|habit|"
    r"plan|hope) to (?!know|ask|see if|find).+$",
    re.IGNORECASE,
)
_ADVISED = re.compile(
    r"^(?:my |the |our )?(?:doctor|gp|consultant|dietician|dietitian|midwife|dentist|physio|"
    r"cardiologist|surgeon|nurse) "
    r"(?:wants my|(?:wants|tells|told|advised|advises|has told|has advised|asked|"
    r"has asked) me) (?:to (?!know|"
    r"ask|tell|call|come|see)|under|on|off|at|below|down|\w+(?: \w+)? (?:under|below|above|over|"
    r"at|down)) ?.+$",
    re.IGNORECASE,
)
_JUST_US = re.compile(
    r"^(?:at home,? |here,? )?(?:it is|there is|it has been) (?:just|only) (?:me|us|the (?:two|"
    r"three|four) of us|my|our) ?.*$|"
    r"^there (?:are|were) (?:\w+) of us\b.*$",
    re.IGNORECASE,
)
_OUR_RULE = re.compile(
    r"^[^,]{5,60} (?:is|are) (?:our|my) (?:\w+ )?(?:rule|policy|tradition|ritual|routine|"
    r"weakness|speciality|specialty|"
    r"guilty pleasure|thing|passion|pet hate|pet peeve|worst fear|biggest fear|comfort food|idea "
    r"of hell)$",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"^(?:when(?:ever)?|if) I (?:say|mention|write|talk about|refer to|speak of|ask for) .+?,? I "
    r"(?:always )?mean .+$",
    re.IGNORECASE,
)
_DONE_TO_ME = re.compile(
    r"^(?P<who>[^\W\d_][\w'-]+) (?:just |finally |has |has just )?(?P<what>(?:proposed(?! "
    r"(?:that|an?|the|we))|"
    r"asked me (?:to marry (?:him|her|them)|out)|dumped me|broke up with me|left me(?! (?:an?|"
    r"the|with|"
    r"to))|moved in(?: with me)?|popped the question)\b.*)$",
    re.IGNORECASE,
)
_I_AM_CALLED = re.compile(
    rf"^(?:(?i:hi|hello|hey|cheers|thanks|thank you|good morning|good evening)[,!.]? )*(?:I am|"
    rf"this is|it is) (?P<name>{CAPITALISED}(?: {CAPITALISED})?)(?:,? (?:again|btw|by the way|"
    r"here|(?:nice|pleased|good) to meet you|pleasure)\b.*)$"
)
_NOBODY = frozenset(
    listed(
        "i, he, she, they, we, you, it, who, someone, somebody, nobody, everyone, which, and, "
        "that, this"
    )
)


@dataclass(frozen=True, slots=True)
class Turned:
    """What such a sentence says.

    Attributes:
        words: Its words, in the first person.
        event: Whether it has just happened.
    """

    words: str
    category: str
    key: str | None = None
    value: str | None = None
    event: bool = False


def turned(sentence: str) -> Turned | None:
    """Return what a sentence (contractions written out) says, if it is of such a form."""
    if (found := _I_AM_CALLED.match(sentence)) and not is_common_word(found["name"].split()[0]):
        return Turned(f"my name is {found['name']}", "person", "name", found["name"])
    if (found := _PUT_RIGHT.match(sentence)) and not opens_clause(found["what"]):
        return Turned(found["words"], "plan")
    text = without_openers(sentence)
    if _MEANT.match(text):
        return Turned(text, "fact")
    if doubt.is_question(text) or doubt.is_supposition(text):
        return None
    if _ADVISED.match(text):
        return Turned(_to_the_comma(text), "health")
    if _EFFECT.match(text):
        return Turned(_to_the_comma(text), "health")
    return None if doubt.is_doubtful(text) else _keyed(text) or _plain(text)


def _keyed(text: str) -> Turned | None:
    if found := _FAVOURITE.match(text):
        what = found["what"].lower().replace("color", "colour").replace(" ", "_")
        return Turned(text, "preference", f"favourite_{what}", found["value"])
    if found := _TONGUE.match(text):
        return Turned(text, "skill", "native_language", found["value"])
    return None


def _plain(text: str) -> Turned | None:
    for form, category, whole in _FORMS:
        if form.match(text):
            said = without_closers(text)
            return Turned(said if whole else _to_the_comma(said), category)
    if (found := _DONE_TO_ME.match(text)) and found["who"].lower() not in _NOBODY:
        who = found["who"][:1].upper() + found["who"][1:]
        return Turned(f"{who} {_to_the_comma(found['what'])}", "event", event=True)
    if found := _THE_ONE.match(text):
        verb = verb_of(found["verb"])
        if verb is not None and verb.lemma not in MENTAL | (TASK - {"run", "write", "read"}):
            return Turned(_to_the_comma(text), "fact")
    return None


_PUT_RIGHT = re.compile(
    r"^(?:(?:sorry|no|oh|wait|oops|argh)[,.! ]*)*(?P<words>I meant?(?: to say)? (?P<what>"
    rf"(?!that\b|it\b|this\b)(?=.*(?:\d|{'|'.join(WEEKDAYS)}|(?-i:[A-Z]\w))).+),? not .+)$",
    re.IGNORECASE,
)
_THE_ONE = re.compile(
    r"^(?:the|my) [\w' -]+? (?:that |which |where )?(?:I|we|my \w+|our \w+) (?P<verb>[a-z]+)(?: "
    r"(?:at|in|for|with|on|to|from))? "
    r"(?:is|are) (?!not\b|so\b|too\b|very\b|that\b|to\b|a bit\b|really\b).+$",
    re.IGNORECASE,
)


# A form, its category, and whether all of the sentence is told.
_FORMS: tuple[tuple[re.Pattern[str], str, bool], ...] = (
    (_ONE_OF, "preference", True),
    (_LANGUAGE, "skill", False),
    (_MILESTONE, "fact", True),
    (_HOUSE_RULE, "fact", True),
    (_DREAM, "goal", True),
    (_JUST_US, "person", True),
    (_OUR_RULE, "habit", True),
    (_DAY_FOR, "habit", True),
)


def _to_the_comma(text: str) -> str:
    """Return a sentence without what is asked for on its account."""
    return re.split(r",| so (?:please|nothing|no)\b|;", text)[0].strip()
