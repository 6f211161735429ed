"""Turn a question to the person, together with its answer, into what the person thereby states.

"When does your lease run out?" – "end of February" says "my lease runs out at the end of February".
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.memory.extract.filling import FILLED, OWN, counted, having, named, put
from app.memory.extract.verbs import Form, past, third_person, verb_of
from app.memory.extract.vocabulary import OCCASIONS
from app.memory.when import words as when
from app.memory.when.words import any_of

_LEAD = re.compile(
    r"^(?:(?:and|so|but|ok|okay|great|nice|sure|got it|thanks|by the way|before we (?:start|"
    r"begin)|first|"
    r"just to check|to begin|out of interest|may I ask|can I ask|could you tell me|tell me|"
    r"remind me|one more thing|good to know|lovely|noted)[,:!.]* )+",
    re.IGNORECASE,
)
_LOCI = re.compile(r"\b(?:I|me|we|us)\b")
_TO_I = tuple(
    (re.compile(said, re.IGNORECASE), told)
    for said, told in (
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\bare you\b", "am I"),
        (r"\bwere you\b", "was I"),
        (r"\byou\b", "I"),
    )
)
# Of the talk, the task, the moment or a game, and not of a life.
_OF_THE_TALK = re.compile(
    r"\b(?:how (?:are|is it|was (?:it|your day))|help(?:ed)?|errors?|versions?|options?|files?|"
    r"browser|"
    r"upload(?:ed)?|mean|think|sure|need (?:it|this|that)|looking for|questions?|mind|right now|"
    r"currently (?:seeing|on)|today|tonight|this (?:morning|afternoon|evening)|feel(?:ing)?|"
    r"weather|"
    r"story|characters?|summary|shorter|longer|servings|happens? next|ready|continue|"
    r"anything else|something else|wrong|stuck|tried|try|see on|says?|said|(?:the|your) screen|"
    r"code|"
    r"do for you|can I (?:do|help)|would you (?:like|rather|prefer) (?:me|to (?!be called))|"
    r"want (?:me|to)\b|which one|(?:what|how) about (?!your)|topic|subject line|tone|draft|email|"
    r"text|"
    r"budget for (?:this|the)|capital|answer)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    rf"\bbe (?:signed|addressed|spelled|spelt)\b|\b(?:which|what) (?:shoulder|knee|eye|ear|leg|"
    rf"arm|foot|hand|hip|side)\b|\bthe (?:house|"
    rf"flat|car|dog|cat|baby|boat|garden|kids|children|shop|business|company|school)\b|\bstill "
    rf"(?:on|at|for|planned)\b|\b(?:you|your|yours)\b|\b(?:allerg\w+|dietary|(?:clothes|shoe|"
    rf"ring) size)\b|\b(?:the|this|that) (?:{any_of(OCCASIONS)})\b",
    re.I,
)
_NOT_AUX = " (?!(?:do|does|did|am|are|is|was|were|have|has|can|will|should|would) )"
_WH = re.compile(
    rf"^(?P<wh>what time|how (?:old|tall|long|often|far|big|heavy|"
    rf"much(?P<np3>{_NOT_AUX}[\w-]+)?)|how many(?P<counted>(?: [\w-]+)"
    rf"{{1,3}}?)|what(?P<np>{_NOT_AUX}[\w' -]+?)?|which(?P<np2>{_NOT_AUX}[\w' -]+?)?|who|where|"
    rf"when|how) "
    r"(?P<aux>do|does|did|am|are|is|was|were|have|has|can|will|should)(?: (?P<rest>.+))?$",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"^(?P<aux>do|does|did|am|are|is|was|were|have|has|can|will|would) (?P<rest>.+)$", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"^(?P<subject>(?:I|LOCI|he|she|it|they|there)\b|(?:my|the|this|that|our) (?:[\w'-]+ ){0,"
    r"5}?[\w'-]+|"
    r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?: (?P<rest>.+))?$"
)
_PRONOUNS = frozenset(("I", "LOCI", "he", "she", "it", "they", "there"))
_ADVERBS = re.compile(r"^(?:usually|normally|still|also|currently|typically|generally|ever|often|"
                      r"always|two|both|already|actually|really)$", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the person, from their own point of view ("do I have any pets").

    Attributes:
        filled: Makes the statement that an answer amounts to.
        open: Whether it wants something named; else yes or no.
        topic: What it is about: its subject.
        words: The question itself.
        stated: For yes or no, what is asked, as a statement, and its denial.
    """

    filled: Callable[[str], str | None]
    open: bool
    topic: str = ""
    words: str = ""
    stated: tuple[str, str] = ("", "")

    @property
    def steady(self) -> bool:
        """Whether an answer to it is likely to hold tomorrow."""
        return bool(_STEADY.search(self.words)) and not _ONCE.search(self.words)


def understood(asked: str) -> Question | None:
    """Return the last question of what the assistant said, or None where it is of no life.

    Args:
        asked: Its words, contractions written out.
    """
    parts = [part.strip() for part in re.findall(r"[^.!?\n]*[.!?\n]?", asked) if part.strip()]
    if not parts or not parts[-1].endswith("?"):
        return None
    text = _LEAD.sub("", parts[-1].rstrip("? "))
    if met := _WHO_IS.match(text):
        name = met["name"]
        return Question(lambda a: _who(name, a), True, name)
    if _OF_THE_TALK.search(text) or _OF_THE_TASK.search(text):
        return None
    whole = text
    if _IS_THAT.match(text):  # "no, my uncle's" says nothing alone
        return None
    if not (_PERSONAL.search(text) or _BARE.match(text)):
        return Question(lambda a: None, _WH_START.match(text) is not None, words=whole)
    text = _LOCI.sub("LOCI", text)
    for said, told in _TO_I:
        text = said.sub(told, text)
    found = _bare(text) or _wh(text) or _yes_no(text) or Question(lambda a: None, True)
    return replace(found, words=whole)


_WH_START = re.compile(
    r"(?:what|which|who|where|when|how)\b.* (?:is|are|was) (?:it|he|she|they|that|this)$", re.I
)
# What the assistant is to do now; what it is to do for good, ``answers.for_good`` reads.
_OF_THE_TASK = re.compile(
    r"^(?:so |and |then |or |ok |okay )*(?:shall|should|(?:who|what|which|where|how|when)"
    r"(?: \w+){0,2} (?:shall|should)) I\b",
    re.IGNORECASE,
)
_IS_THAT = re.compile(r"(?:is|was|are|were) (?:this|that|these|those) (?:my|your|an?|the)\b", re.I)
_STEADY = re.compile(
    r"\b(?:do|does|are|is|have|has) (?:you|your)\b|\byour\b|\b(?:usually|normally|typically|"
    r"generally)\b|"
    r"\bshould I (?:put|use|call|address|write|set|go for|pick|choose|play|avoid|leave out|"
    r"include)\b|\b(?:shall|can|may) I (?:use|call|address|put)\b|"
    r"\bwho(?: is|'s| will be) (?:coming|joining|attending)\b|\bdid (?:you|your)\b|\bdo you want "
    r"the\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:want to (?:cook|eat|know|talk|do|see|try|start|watch|write|make)|like to|would you|"
    r"now|next|this time|"
    r"subject|title|heading|paragraph|sentence|word|colou?r (?:for|should)|style|format of|"
    r"look(?:ing)? for|"
    r"trying to|working on|doing|cooking|making|reading|watching|waiting|happened|going on)\b",
    re.IGNORECASE,
)


def _who(name: str, answer: str) -> str | None:
    """Return who somebody is: "my godmother", "she is my godmother"."""
    said = re.sub(r"^(?:(?:that|it|he|she) is|oh,?) ", "", answer)
    return f"{name} is {said}" if _THEIRS.match(said) else None


_WHO_IS = re.compile(r"^(?i:who) is (?P<name>[A-Z][\w'-]+)$")
_THEIRS = re.compile(r"^(?:my|our|an? (?:friend|colleague|neighbour|cousin))\b", re.IGNORECASE)
_BARE = re.compile(
    r"^(?:(?:got |have )?(?:any|an?|some) (?:other )?(?P<any>[\w' -]+)|my (?P<mine>[\w' -]+))$",
    re.IGNORECASE,
)


def _bare(text: str) -> Question | None:
    """Read "Any allergies?" and "And your job?"."""
    found = _BARE.match(text)
    if found is None:
        return None
    if found["mine"]:
        return Question(lambda a: f"my {found['mine']} is {a}", True, f"my {found['mine']}")
    return Question(lambda a: having(found["any"], a), False, found["any"])


def _wh(text: str) -> Question | None:
    found = _WH.match(text)
    if found is None:
        return _subject_gap(text)
    wh, aux = found["wh"].lower(), found["aux"].lower()
    if wh.startswith("how many") and re.match(r"(?:in|on|at|of) ", found["rest"] or ""):
        return Question(lambda a: f"there are {a} {found['rest']}", True)
    asked_of = (found["np"] or found["np2"] or found["np3"] or "").strip()
    if asked_of and (found["rest"] or "").startswith("LOCI"):
        own = OWN.search(asked_of)
        return Question(lambda a: f"my {asked_of} is {a}", True) if own else None
    split = _split(found["rest"] or "", aux)
    if split is None:
        return None
    subject, verb, rest = split
    wh = "how much" if wh.startswith("how much") else wh
    kind = wh.split()[0] if wh.startswith(("what ", "which ")) and wh != "what time" else wh
    filled = FILLED.get(kind.split(" ")[0] if kind.startswith("how many") else kind)
    if kind.startswith("how many"):
        things = found["counted"].strip()
        return Question(lambda a: counted(subject, verb, rest, things, a), True, subject)
    if asked_of:
        return Question(lambda a: named(asked_of, subject, verb, rest, a), True, subject)
    if filled is None:
        return None
    return Question(lambda a: filled(subject, verb, rest, a), True, subject)


_SUBJECT_GAP = re.compile(r"^who (?P<verb>[a-z]+s) (?P<rest>.*\bmy\b.*|with me.*)$", re.IGNORECASE)


def _subject_gap(text: str) -> Question | None:
    found = _SUBJECT_GAP.match(text)
    if found is None:
        return None
    return Question(lambda a: f"{a.split(',')[0]} {found['verb']} {found['rest']}", True)


def _split(words: str, aux: str) -> tuple[str, str, str] | None:
    """Part what follows an auxiliary into subject, inflected verb and the rest."""
    found = _SUBJECT.match(words)
    if found is None:
        return None
    tokens = words.split()
    if aux in ("do", "does", "did", "can", "will", "should"):
        return _lexical(tokens, aux)
    subject = found["subject"] if tokens[0] in _PRONOUNS else ""
    if not subject:
        subject = _noun_phrase(tokens)
    rest = " ".join(words[len(subject) :].split())
    be = {"are": "am", "were": "was"}.get(aux, aux) if subject == "I" else aux
    while (
        rest and _ADVERBS.match(rest.split()[0]) and rest.split()[0].lower() in ("still", "usually")
    ):
        be, rest = f"{be} {rest.split()[0].lower()}", " ".join(rest.split()[1:])
    return subject, be, rest


def _noun_phrase(tokens: list[str]) -> str:
    """Return the subject of "is the house viewing on the 14th still on"."""
    if "still" in tokens[2:]:
        return " ".join(tokens[: tokens.index("still")])
    for at in range(2, len(tokens)):
        low = tokens[at].lower()
        verb = verb_of(low)
        if low in ("still", "called", "named", "spelled", "like", "from", "usually", "based") or (
            verb is not None and (Form.ING in verb.forms or Form.PARTICIPLE in verb.forms)
        ):
            return " ".join(tokens[:at])
        if low in ("my", "a", "an"):
            return " ".join(tokens[:at])
    if (
        len(tokens) > 1
        and tokens[0][:1].isupper()
        and tokens[1].lower() in ("my", "a", "an", "the")
    ):
        return tokens[0]
    return " ".join(tokens)


def _lexical(tokens: list[str], aux: str) -> tuple[str, str, str] | None:
    start = 1 if tokens[0] in _PRONOUNS else 2
    for at in range(start, len(tokens)):
        word = tokens[at].lower()
        if _ADVERBS.match(word):
            continue
        verb = verb_of(word)
        if verb is None or Form.BASE not in verb.forms:
            if start == 1:
                return None
            continue
        subject = " ".join(t for t in tokens[:at] if not _ADVERBS.match(t))
        adverbs = [t.lower() for t in tokens[1:at] if _ADVERBS.match(t) and t.lower() != "two"]
        inflected = _inflected(word, subject, aux)
        return subject, " ".join([*adverbs, inflected]), " ".join(tokens[at + 1 :])
    return None


def _inflected(verb: str, subject: str, aux: str) -> str:
    if aux == "did":
        return past(verb)
    if aux in ("can", "will"):
        return f"{aux} {verb}"
    return third_person(verb) if aux == "does" else verb


def _yes_no(text: str) -> Question | None:
    found = _YES_NO.match(text)
    if found is None:
        return None
    aux, words = found["aux"].lower(), found["rest"]
    if listed := re.match(r"^(?:there )?(?:any|anything)\b ?(?P<what>.*)$", words):
        return _listing(listed["what"], words)
    split = _split(words, aux)
    if split is None:
        return None
    subject, verb, rest = split
    statement = " ".join(f"{subject} {verb} {rest}".split())
    denial = _denied(subject, verb, rest, aux)
    return Question(
        lambda a: put(subject, verb, rest, a), False, _topic(subject), stated=(statement, denial)
    )


def _listing(what: str, words: str) -> Question | None:
    """Read "Are there any restrictions I should know of?", "Is there anything I do not eat?"."""
    if words.startswith(("there anything I ", "anything I ")):
        said = what.removeprefix("I ").strip()
        return Question(lambda a: f"I {said} {a}", False)
    noun = re.sub(r" (?:that )?LOCI .*$", "", what)
    return Question(lambda a: having(noun, a), False, noun) if noun else None


def _denied(subject: str, verb: str, rest: str, aux: str) -> str:
    if aux in ("do", "does"):
        base = verb.split()[-1]
        plain = verb_of(base)
        words = f"{subject} {aux} not {plain.lemma if plain else base} {rest}"
    elif aux == "did":
        plain = verb_of(verb)
        words = f"{subject} did not {plain.lemma if plain else verb} {rest}"
    else:
        first, _, more = verb.partition(" ")
        words = f"{subject} {first} not {more if more != 'still' else ''} {rest}"
    return " ".join(re.sub(r"\b(?:any|some) ", "any ", words).split())


def _topic(subject: str) -> str:
    """Return what a question is about, without the day it was thought to be on."""
    return _ON_A_DAY.sub("", subject)


_ON_A_DAY = re.compile(
    rf" (?:on|at|in|for) (?:the )?(?:\d\S*|{when.WEEKDAY}|{when.MONTH})(?: \w+)?$", re.IGNORECASE
)
