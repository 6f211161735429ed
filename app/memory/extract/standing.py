"""What the person says to be kept: "remember that …", "from now on …"."""

import re
from dataclasses import dataclass, replace

from app.memory.extract import marks
from app.memory.extract.doubt import is_order, is_question, is_task_with_text
from app.memory.extract.fragments import completed
from app.memory.extract.leads import without_openers
from app.memory.extract.person import second_person
from app.memory.extract.sentences import Sentence
from app.memory.extract.starts import opens_clause
from app.memory.extract.subjects import CAPITALISED
from app.memory.extract.verbs import Form, verb_of

_KEEP = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please )?|(?:I (?:want|need|would like) you to )|"
    r"please )*(?:(?:always |please )*(?:remember|do not (?:ever )?forget|never forget|"
    r"note(?: down)?|take note|make a note|keep in mind|bear in mind|be aware|memori[sz]e|save|"
    r"write down|know)|for (?:your|future) reference)(?P<link>(?:(?:,| this| the following|"
    r",? please)?(?:[:,–-]+ ?| that ))| (?=(?:I|my|we|our)\b (?:[\w'-]+ ){1,})) ?(?P<what>.+)$",
    re.IGNORECASE,
)
# One of these is in every such sentence; a look for it is quick.
_ANY_KEEP = re.compile(
    r"\b(?:remember|forget|note|keep|mind|aware|memori[sz]e|save|know|reference|store|write|jot|"
    r"lose)\b",
    re.IGNORECASE,
)
_ABOUT_THE_PAST = re.compile(
    r"^(?:when|how|what|why|where|who|if|the (?:time|day)|(?:I|we) (?:told|asked|said|"
    r"mentioned))\b",
    re.IGNORECASE,
)
_KEEP_LAST = re.compile(
    r"^(?P<what>.{8,300}?)(?:,| -| –|;|\.)? (?:and |so )?(?:please |pls )?(?:remember|keep|note|"
    r"save|store|"
    r"write|jot|memori[sz]e|do not (?:lose|forget)|make a note of) (?:it|that|this|them|"
    r"those)\b(?: down| in "
    r"mind)?(?: for (?:me|later|next time|the future))?(?: please)?$",
    re.IGNORECASE,
)
_FROM_NOW_ON = re.compile(
    r"^(?:from (?:now|here|today) on(?:wards?|ward| out)?|in (?:the )?future|going forward|"
    r"henceforth|from here on(?: out| in)?|starting (?:now|today)|as of (?:now|today)|for (?:all "
    r"|any |every )?(?:future|"
    r"the rest of our) [\w -]+?(?=[:,])|for all (?:your |my )?(?:answers|replies|chats?|"
    r"conversations?|"
    r"recipes|letters|emails|texts)(?=[:,]))[,:]? (?:please )?(?P<what>.+)$",
    re.IGNORECASE,
)
_TO_THE_END = re.compile(
    r"^(?P<what>.+?),? (?:from (?:now|here|today) on(?:wards?)?|in (?:the )?future|going forward|"
    r"at all times)(?:,? "
    r"please)?$",
    re.IGNORECASE,
)
_DUTIES = (
    "answer|reply|respond|use|call|address|write|give|include|add|show|format|explain|keep|be|ask|"
    "mention|start|end|speak|talk|translate|convert|assume|check|cite|suggest|recommend|put|round|"
    "sign|tell|treat|avoid|provide|list|refer|spell|send|quote|open|close|begin|finish|"
    "remind|offer|propose|apologi[sz]e|summari[sz]e|repeat|make|double-check|prefer|stick|leave|"
    "correct|drop|skip|omit|say|remember to|address|plan|order|adapt|scale|count|measure|greet|stop"
)
_ALWAYS = re.compile(
    r"^(?:please |and )*(?:you (?:should|must|need to|have to|can|are to) (?:please )?|"
    r"I (?:want|need|would like) you to )?(?P<what>(?:always|never|do not ever) "
    rf"(?:please )?(?:{_DUTIES})\b .+)$",
    re.IGNORECASE,
)
_WHENEVER = re.compile(
    r"^(?P<what>(?:whenever|every time|each time|any ?time|when(?=.* always\b)) (?:I|you|"
    r"we)\b.+?, (?:please "
    rf"|always |then )*(?:{_DUTIES})\b.+|when I (?:ask|say|send|paste|give|show|write|upload|"
    r"mention)\b.+?, (?:please )?always .+)$",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"^(?:whenever|when|if|every time|each time) I\b.+?, (?:please |always )*(?:{_DUTIES})\b", re.I
)
_DUTY = re.compile(
    r"^(?:please |also |only |just )*(?:you (?:should|must|will|can|have to|need to) )?(?:please )?"
)
# What asks politely for something to be done; what follows is the thing itself.
_COURTESY = re.compile(
    r"^(?:(?:please|kindly|just|and|also|let us),? |(?:can|could|would|will) you (?:please |"
    r"kindly |"
    r"just |possibly )*|"
    r"I (?:would|should) (?:be (?:very |most )?(?:grateful|obliged|glad|happy|pleased)|"
    r"appreciate it|like it|"
    r"prefer it|rather) (?:if )?you (?:would |could |can |will )?(?:please |kindly )?|"
    r"I (?:would|must|have to|want to|need to|would like to) ask (?:that )?you (?:to )?(?!if|"
    r"whether|what|how)|"
    r"I (?:want|need|would like|expect|require) you to |I (?:would )?prefer (?:that )?you (?:to )?|"
    r"you (?:should|must|need to|have to|can|may) |note that (?=I))+",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(
    r"\b(?:always|never|(?:not|no|stop|do not)\b.* (?:ever|any ?more)|ever again|from (?:now|"
    r"here|today) on|for good|for ?ever|"
    r"in (?:the )?future|going forward|every (?:single )?time|each time|permanently|at all times|"
    r"by default|with me$|^(?:please )?(?:keep|make|write|"
    r"give) (?:me )?(?:all )?your (?:answers|replies|responses) |"
    r"as a rule|for all future|unless I (?:ask|say|tell|request|want)|until I (?:say|tell)|in "
    r"all (?:of )?(?:these|them|this)|in (?:all|every|any) (?:your |"
    r"my |of your )?(?:answers?|repl(?:y|"
    r"ies)|letters?|"
    r"emails?|texts?|messages?|recipes?|chats?|conversations?)|for (?:every|all) (?:answers?|"
    r"recipes?))\b",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"^stop (?P<verb>giv|suggest|recommend|us|call|send|show|add|putt|writ|start|end|includ|"
    r"mention|"
    r"say|tell|offer|propos|sign|address|quot|translat|explain|insert|greet|remind|mak)ing "
    r"(?P<what>(?!it\b|that\b|this\b|so much\b|nonsense\b|the same\b).+)$",
    re.IGNORECASE,
)
_STOPPED = {
    "giv": "give", "us": "use", "putt": "put", "writ": "write", "includ": "include",
    "propos": "propose", "quot": "quote", "translat": "translate", "mak": "make",
}  # fmt: skip
_NO_MORE = re.compile(
    r"^no (?:(?P<more>more )(?P<what>[\w' -]{3,60}?)|(?P<which>[\w' -]{3,60}?),? (?:ever(?: "
    r"again)?|from now "
    r"on|at all|in future|any ?more))(?:,? (?:ever(?: again)?|at all|from now on|with me|for "
    r"me))*(?:,? please)?"
    r"(?=$|[,;]| and I )",
    re.IGNORECASE,
)
_NEVER_ANY = re.compile(
    r"^never (?P<what>(?:any |the |an? )?[a-z][\w -]{2,30}?)(?:,? (?:ever|please|at all|for me|"
    r"with me))+(?=,|$)",
    re.IGNORECASE,
)
_NOT_MORE = re.compile(
    r"^(?:thanks?|problems?|questions?|idea|worries|way|need|rush|time|luck|clue|excuses|of|than|"
    r"longer|"
    r"changes|offence|offense|comment|reason|errors?|surprises?)\b",
    re.IGNORECASE,
)
_LAST_ALWAYS = re.compile(
    r"^(?P<what>[^,.;]{3,70}?)(?: please)?(?:,| -|\.) (?:please )?always(?:,? please)?$",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    r"^(?:please,? )?(?P<what>(?!how\b|what\b|thanks?\b|all\b)[^,.;]{3,60}? (?:in|for|on|"
    r"with) (?:(?:everything|"
    r"anything|all|whatever)(?: (?:that )?you (?:do|write|send|make|say|give|tell|"
    r"answer)(?: (?:for|"
    r"to) (?:me|us))?)|(?:all|every|each) (?:of )?(?:your |my |the |future )*(?:answers?|"
    r"repl(?:y|ies)|"
    r"recipes?|texts?|letters?|messages?|emails?|lists?|chats?)))(?:,? (?:please|thanks|"
    r"from now on|"
    r"always))*$",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"^I (?:need|require|want|must have|would like|should like) (?:everything|all (?:answers|"
    r"texts?|"
    r"documents|replies)|(?:all )?your (?:answers|replies|texts))(?: (?:that )?you (?:\w+)(?: "
    r"(?:for|to) me)?)? "
    r"(?P<how>(?:in|with|without|as|under|to be|kept) .+)$",
    re.IGNORECASE,
)
_ALL_OF_A_KIND = re.compile(
    r"^I (?:want|need|prefer|expect|would like|like) (?:to (?:see|have|get) )?(?P<what>(?:all|"
    r"every|my|any) (?:the |my |"
    r"your )?(?:\w+ )?(?:dates?|times?|prices?|amounts?|units?|measurements?|temperatures?|"
    r"distances?|recipes?|"
    r"answers?|summar(?:y|ies)|letters?|emails?|numbers?|names?|quotes?|sources?|translations?|"
    r"explanations?|"
    r"weights?|lists?|code|quantities) (?:as|in|to be|written|with|without|given|kept|rounded) "
    r".+)$",
    re.IGNORECASE,
)
_REMIND = re.compile(
    r"^(?:please )?remind (?:me|us) (?:every|each|daily|weekly|on \w+days|once an?) .+|"
    r"^(?:please )?remind (?:me|us) .+ (?:every|"
    r"each) (?:day|week|month|morning|evening|night|year|\w+day)s?$",
    re.IGNORECASE,
)
_USE_FOR = re.compile(
    rf"^use (?:he|she|they|xe|it)(?:/\w+)*(?: pronouns)? (?:for|with|about) {CAPITALISED}",
    re.IGNORECASE,
)
_WHEN_DOING = re.compile(
    rf"^when(?:ever)? \w+ing\b.+?,? (?:always |please |never )*(?:{_DUTIES})\b .*\b(?:always|"
    rf"never|not|only)\b",
    re.IGNORECASE,
)
_NEED_NOT = re.compile(
    r"^you (?:do not (?:need|have) to|need not|no longer (?:need|have) to) (?P<what>.+?),? "
    r"(?:any ?more|"
    r"any longer|again|from now on|with me|ever)$",
    re.IGNORECASE,
)
_ASSISTANT = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:I|we|my|our)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be kept.

    Attributes:
        words: The words themselves, contractions written out.
        instruction: Whether they tell the assistant how to behave from now on.
    """

    words: str
    instruction: bool = False


def to_keep(sentence: Sentence) -> Order | None:
    """Return what an explicit "remember that …" or "…, keep that" asks to be kept, or None."""
    if not _ANY_KEEP.search(sentence.text):
        return None
    text = without_openers(sentence.text)
    found = _KEEP.match(text) or _KEEP.match(sentence.text)
    if found is None and (found := _KEEP_LAST.match(text)):
        if (
            _LEFT_OVER.search(found["what"])
            or is_order(found["what"])
            or sentence.question
            or is_question(found["what"])
        ):
            return None
        return Order(completed(found["what"]))
    if found is None or _ABOUT_THE_PAST.match(found["what"]) or len(found["what"].split()) < 2:
        return None
    what = found["what"]
    if (
        _CHEER.search(what)
        or marks.IDLE.search(what)
        or (sentence.question and not _COURTESY.match(text))
    ):
        return None
    if not _SPECIFIC.search(what):
        return None
    inner = _instruction(what)
    return Order(inner, instruction=True) if inner else Order(what)


def standing_instruction(sentence: Sentence) -> str | None:
    """Return a rule for all future answers, as one sentence, or None."""
    if sentence.foreign or is_task_with_text(sentence.text):
        return None
    text = without_openers(sentence.text)
    as_if = _AS_IF.search(text)
    if _CHEER.search(text) or (as_if and not _FOR_GOOD.search(text[: as_if.start()])):
        return None
    if _FROM_NOW_ON.match(sentence.text):
        text = sentence.text
    asked = _COURTESY.match(text)
    if sentence.question and not asked:
        return None
    bare = text[asked.end() :] if asked else text
    negative = sentence.text if _NO_MORE.match(sentence.text) else bare
    return (
        (_instruction(bare) if asked else None)
        or _instruction(text)
        or _for_good(negative, polite=bool(asked))
    )


def parted(sentence: Sentence) -> list[Sentence]:
    """Part a rule from what is said before it: "I hate calls, please always write to me"."""
    found = _BEHIND.search(sentence.text)
    if found is None or sentence.question or not opens_clause(sentence.text[: found.start()]):
        return [sentence]
    head, rule = sentence.text[: found.start()], found["rule"]
    return [replace(sentence, text=head), replace(sentence, text=rule)]


_BEHIND = re.compile(
    rf"(?:,|;| -| –) ?(?:and |so )?(?P<rule>(?:please,? )?(?:always|never) (?:{_DUTIES})\b .+)$",
    re.IGNORECASE,
)


def from_now_on(text: str) -> str:
    """Return a sentence without a "from now on" before what the person says of themselves."""
    found = _FROM_NOW_ON.match(text)
    return found["what"] if found else text


def _instruction(text: str) -> str | None:
    found = _FROM_NOW_ON.match(text) or _TO_THE_END.match(text)
    if found:
        what = _DUTY.sub("", found["what"])
        if re.match(rf"(?:always|never|{_DUTIES})\b", what, re.IGNORECASE) or is_order(what):
            return _as_rule(found["what"] if "only" in found["what"].split()[0].lower() else what)
        if _WHEN.match(what):
            return _as_rule(what)
        if text.lower().startswith(("for all", "for any", "for every", "for future")):
            return _as_rule(text)
        told = _DUTY.match(found["what"])
        addressed = bool(told and "you" in told.group())
        return _as_rule(what) if addressed or not _OF_ONESELF.search(what) else None
    found = _ALWAYS.match(text) or _WHENEVER.match(text)
    return _as_rule(found["what"]) if found else None


def _for_good(text: str, *, polite: bool) -> str | None:
    """Return what is asked for once and for all, in whatever words."""
    if found := _STOP.match(text):
        verb = found["verb"].lower()
        what = re.sub(r",? (?:ever|please|any ?more|for good)$", "", _first(found["what"]))
        return _as_rule(f"never {_STOPPED.get(verb, verb)} {what}")
    if found := _NO_MORE.match(text):
        what = found["what"] or found["which"]
        if _NOT_MORE.match(what) or " for me" in found.group():
            return None
        return _as_rule(f"no more {what}" if found["more"] else f"no {what} ever") + _why(
            text[found.end() :]
        )
    if found := _ALL_OF_A_KIND.match(text):
        return _as_rule(_first_clause(found["what"]))
    if _REMIND.match(text) or _USE_FOR.match(text):
        return _as_rule(text)
    if _WHEN_DOING.match(text):
        return _as_rule(text)
    if (found := _NEVER_ANY.match(text)) and verb_of(found["what"].split()[0]) is None:
        return _as_rule(f"never {found['what']}") + _why(text[found.end() :])
    if found := _EVERYTHING.match(text):
        return _as_rule(f"everything {_first(found['how'])}")
    if found := _NEED_NOT.match(text):
        return _as_rule(f"do not {found['what']}")
    if (found := _IN_ALL.match(text)) and not _OF_ONESELF.match(found["what"]):
        return _as_rule(found["what"])
    if (found := _LAST_ALWAYS.match(text)) and not _OF_ONESELF.match(found["what"]):
        return _as_rule(f"always {_JUST.sub('', found['what'])}")
    if not _FOR_GOOD.search(text) or is_question(text):
        return None
    said = _JUST.sub("", text)
    verb = verb_of(said.split()[0]) if said else None
    known = verb is not None and Form.BASE in verb.forms
    done = polite or known or bool(re.match(rf"(?:{_DUTIES})\b", said))
    asked = done and not _OF_ONESELF.match(text) and (polite or is_order(text))
    if _ONCE.match(said):
        return None
    return _as_rule(text) if asked else None


# Said to cheer somebody up, not to be followed by an assistant.
_CHEER = re.compile(
    r"\b(?:give up|say never|just do it|keep (?:going|at it|it up|pushing|fighting|trying)|lose "
    r"(?:hope|"
    r"faith|heart)|stop (?:believing|dreaming|trying|learning)|settle for|look back|count on|"
    r"(?:ever|never) quit|follow your|there for you|here for you|rooting for you)\b|"
    r"^(?:(?:always|never|just|and) )*(?:believe|dream|trust|hope|quit|be (?:yourself|kind|proud|"
    r"strong|"
    r"brave|happy|true))\b",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"\b(?:I|we|you|they|and|to)$", re.IGNORECASE)
# What is made once, and what is made up.
_ONCE = re.compile(
    r"(?:(?:set up|build|create|draw|draft|design) (?:(?:me|us) )?(?:an?|the) (?!.*\balways\b)"
    r"(?:\w+ ){0,2}?(?:table|list|chart|plan|spreadsheet|quiz|game|schedule|calendar|form|tracker)|"
    r"imagine|suppose|pretend|picture)\b",
    re.IGNORECASE,
)
_AS_IF = re.compile(r"\b(?:as if|as though|like) (?:I|we|you) (?:had|were|was|am|are|have)\b", re.I)
# A thing to be kept is somebody's, or has a name, a number or a place; the rest is a saying.
_SPECIFIC = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|the|this|that|his|her|their|he|she|they|no|not|never|always|only|"
    r"every|each|an?)\b|\d|(?<=[a-z,:] )[A-Z]|^[A-Z]\w+ (?:is|has|likes|hates|wants|needs|cannot)\b"
)
_JUST = re.compile(r"^(?:(?:just|only|please|always|never|not|do not|ever) )+", re.IGNORECASE)


def _why(rest: str) -> str:
    """Return the reason that follows a rule, as a part of it."""
    reason = rest.strip(" ,;.")
    told = opens_clause(reason) and _OF_ONESELF.match(reason) and len(reason.split()) < 14
    if not told or is_question(reason) or _ASSISTANT.search(reason):
        return ""
    words = second_person(reason)
    return f", {words[:1].lower()}{words[1:]}"


def _first_clause(text: str) -> str:
    return re.split(r"; | because | since ", text)[0].strip()


def _first(text: str) -> str:
    """Return a request without the reason that follows it."""
    return re.split(r",(?! ?(?:and|or|not|never)\b)|;| because | since ", text)[0].strip()


def _as_rule(what: str) -> str:
    what = re.sub(r"\bplease ", "", what.strip(" ,"))
    what = re.sub(r"\b(?:keep|make) your (?=answers|replies|responses)", r"keep the ", what)
    if _ASSISTANT.search(what):
        return what[:1].upper() + what[1:]
    return second_person(what)
