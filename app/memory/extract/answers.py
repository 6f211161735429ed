"""Understand a short answer by the question that was asked: "Where do you live?" – "Ghent"."""

import re
from difflib import SequenceMatcher

from app.memory.extract.doubt import is_doubtful, is_order, is_question, is_supposition
from app.memory.extract.fragments import is_fragment
from app.memory.extract.leads import without_closers, without_courtesy, without_openers
from app.memory.extract.questions import Question, understood
from app.memory.extract.spelling import written
from app.memory.extract.starts import opens_clause
from app.memory.extract.subjects import CAPITALISED
from app.memory.extract.vocabulary import ATTRIBUTES, listed

_ATTRIBUTES = "|".join(sorted(ATTRIBUTES, key=len, reverse=True))
# What has a key, or is said in other words than it is asked in.
_KNOWN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), stated)
    for asked, stated in (
        (
            r"where (?:do you live|are you (?:based|living))|(?:which|what) (?:city|town|"
            r"country) do you live in",
            "I live in {}",
        ),
        (
            r"what is your (?:first |full )?name|who am I (?:talking|speaking) (?:to|with)",
            "my name is {}",
        ),
        (
            r"what (?:should|can|may|shall) I call you|what (?:would|do) you (?:like|want|prefer) "
            r"to be called|how (?:would|should|do|shall) (?:you (?:like|want|prefer) to be|I) "
            r"(?:called|addressed?)",
            "call me {}",
        ),
        (
            r"(?:what|which) language (?:should|shall|can|may) I (?:reply|answer|write|speak|use|"
            r"respond|talk)",
            "I want answers in {}",
        ),
        (r"how old are you|what is your age", "I am {} years old"),
        (r"where (?:are you|do you come) (?:originally )?from", "I am from {}"),
        (
            r"what do you do(?: for (?:a living|work))?\W*$|what is your (?:job|profession|"
            r"occupation)|what kind of work do you do",
            "I am {a}",
        ),
        (r"(?:which|what) company do you work|who do you work for", "I work at {}"),
        (r"when is your birthday|when were you born", "my birthday is {}"),
        (r"how (?:do you|is|should I|would you) .*(?:spell|spelled|spelt|write|written|(?:say|"
         r"pronounce) your .*name)", "my name is {}"),
        (r"are you allergic|(?:do you have )?any (?:food )?allergies|what are you allergic to",
         "I am allergic to {}"),
        (r"(?:what|which) is your favou?rite (?P<noun>[\w ]+)", "my favourite {noun} is {}"),
        (r"(?:what|which) languages do you speak", "I speak {}"),
        (
            r"what is your (?P<noun>[\w ]+)'s name|what is your (?P<noun2>[\w ]+) called",
            "my {noun} is called {}",
        ),
        (r"what are you studying|what do you study", "I study {}"),
        (r"(?:what|which) instruments? do you play", "I play {}"),
        (rf"what is your (?P<noun>{_ATTRIBUTES})\b", "my {{noun}} is {{}}".format()),
    )
)  # fmt: skip
_YES = re.compile(
    r"^(?:(?:oh |well |ah )?(?:yes|yep|yeah|yup|ya|sure|indeed|correct|right|of course|absolutely|"
    r"definitely|I do|I am|I have|still)\b[,.! ]*)+",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:(?:oh |well |god |ah |lord )?(?:no|nope|nah|not any ?more|not really|never again|I do "
    r"not|"
    r"I am not)\b[,.! ]*)+",
    re.IGNORECASE,
)
_SAID_SO = re.compile(
    r"^(?:(?:oh |well |god |ah )?(?:yes|yep|yeah|yup|sure|indeed|correct|of course|absolutely|"
    r"definitely|no|nope|nah)\b[,.! ]*)+",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"^(?:idk|dunno|idc|(?:I )?(?:do not|am not) (?:know|care|mind|sure)\b.*|"
    r"none(?: of (?:your|the) .*)?|nothing|nobody|ok|okay|maybe|perhaps|depends.*|it "
    r"depends.*|not "
    r"(?:telling|saying|sure|really|now|that|important|your|much).*|not yet|either|both|all|any|"
    r"guess.*|why|"
    r"what|who|that|this|it|skip|pass|hm+|secret|a secret|anything|everything|thanks?.*|this and "
    r"that|"
    r"same.*|whatever|never ?mind|no (?:idea|comment|clue|thanks|matter|thank you).*|old enough|"
    r"enough|"
    r"(?:(?:o+h+|wow|h+m+),? )?(?:what an? |good question).*|"
    r"rather not.*|I (?:would )?rather not.*|do not (?:know|ask|care).*|who cares.*|mind your.*|"
    r"does (?:it|that) matter|the (?:first|second|third|last|other|former|latter|long|short|same|"
    r"bank|one)\b.*|option .*|number \w+|later|soon|now|there|here|good|fine|great|bad|tired.*|"
    r"a bit (?:tired|under|better|worse).*|so so|you (?:tell|guess|know).*|take a guess|lol)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:it is|that is|that would be|it would be|I am|in|at|on|from|to|as|called|a certain|"
    r"they are|these are|I have|she is called|he is called|it is called)\b ?)+",
    re.IGNORECASE,
)
_GUESSED = re.compile(
    r",? ?\b(?:I (?:think|guess|believe)(?: it was)?|or so|I suppose)\b", re.IGNORECASE
)
_SPELLING = re.compile(
    rf"^(?:(?:it is|my name is|that is|the name is) )?(?P<name>{CAPITALISED})"
    r"(?:,? (?:with|without|not|spelled|spelt|no)\b.*)?$"
)
_QUALIFIED = re.compile(
    r"^(?:only|just|a (?:little|bit|few)|some|sometimes|mostly|mainly|often|rarely|occasionally|"
    r"every|"
    r"once|twice|on|in|at|since|for|about|around|not (?:since|for|on|in|at|before|after|until)|"
    r"never|"
    r"hardly|seldom|when|with|quite|fairly|fluently|badly|\w+ (?:times|days|hours|years)|"
    r"intermediate|basic)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"^(?:since|when|until|till|before|after|as|because)\b", re.IGNORECASE)
_SMALL = re.compile(
    r"(?:an?|the|my|our|his|her|their|only|mostly|mainly|just|some|never|not|no|on|in|at|by|with|"
    r"from|to|"
    r"for|since|when|about|around|almost|over|under|near|every|each|twice|once|one|two|three|"
    r"four|five|"
    r"six|seven|eight|nine|ten|half|both|all|quite|very|sometimes|usually|often|always|early|"
    r"late|end|"
    r"left|right|widowed|divorced|black|intermediate|basic|fluent|fluently|probably|of|six|"
    r"mornings?|"
    r"evenings?|collar)",
    re.IGNORECASE,
)
_EVER = re.compile(
    r"\b(?:always|never|every time|from now on|ever|invariably|each time|in every case|without "
    r"exception|at all times|all the time|as a rule)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:prefer|like|want|use|in|with) (?:the |your |my )?(?P<one>[\w-]+)(?: or "
    r"(?P<other>[\w-]+))(?P<noun> "
    r"[\w ]+)?\?",
    re.IGNORECASE,
)
_OF_A_HABIT = re.compile(r"(?:do|are|did|have) you\b(?! (?:want|prefer|like)\b)", re.IGNORECASE)
_OFFER = re.compile(
    r"^(?:shall|should|can|may|do you want me to|would you like me to) (?:I )?(?P<do>.+)\?$", re.I
)
_IS_FINE = re.compile(
    r",? (?:is (?:fine|enough|ok|okay|good)|will do|works|would be nice)$", re.IGNORECASE
)
_SHALL_I = re.compile(r"\b(?:shall|should|can|may) I\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|that|this)\b", re.IGNORECASE)
_THING = re.compile(r"\d|\b(?:[A-Z][\w-]+)|\w{3,}", re.IGNORECASE)
_EMPTY = frozenset(
    listed("please, thanks, then, really, though, sorry, mate, you, ok, okay, still")
)


_LONGEST = 22  # words


def answered(question: str, answer: str) -> str | None:
    """Return the statement that a short answer makes, in the first person, or None.

    Args:
        question: What the assistant said before; only its last question counts.
        answer: One short message.
    """
    question = question[: question.rfind("?") + 1] or question
    whole = without_courtesy(written(answer)).strip(" .!,")
    text = without_closers(without_openers(whole)) or whole
    idle = is_question(text) or is_supposition(text) or is_order(text)
    if not text or len(text.split()) > _LONGEST or idle:
        return None
    if spelt := _spelt(question, text):
        return f"my name is {spelt}"
    if called := _called(question, whole):
        return f"call me {called}"
    asked = written(question.strip())
    if not asked.endswith("?") or _NO_ANSWER.match(text) or re.search(r"\byou\b", text):
        return None
    words = _IS_FINE.sub("", _LEAD.sub("", text)) or text
    if not is_doubtful(text) and not opens_clause(text):
        if known := _known(asked, words):
            return known
        if chosen := _chosen(asked, text):
            return chosen
    asked_of = understood(asked)
    return _by(asked_of, whole) if asked_of is not None else None


def _called(question: str, answer: str) -> str | None:
    """Read "Hi Rebecca!" – "Bex, please": what they are to be called instead."""
    greeted, said = _GREETED.match(question.strip()), _RATHER.match(answer)
    if (
        greeted is None
        or said is None
        or said["name"].lower() in _EMPTY | {greeted["name"].lower()}
    ):
        return None
    return said["name"]


_GREETED = re.compile(
    rf"^(?:(?i:hi|hello|hey|welcome(?: back)?|good (?:morning|afternoon|evening)|dear|thanks|of "
    rf"course|sure)),? (?P<name>{CAPITALISED})\b"
)
_RATHER = re.compile(
    rf"^(?:(?i:it is|just|only|actually|please|I go by|make it|"
    rf"make that),? )*(?P<name>{CAPITALISED})"
    r"(?:$|,? (?:(?i:please|will do|is fine|is better|is enough|not [A-Z]\w+|actually|thanks)\b))"
)


def begins_an_answer(question: str, text: str) -> bool:
    """Return whether a sentence answers before it goes on: "no, with my sister", "56, I'm tall"."""
    text = without_courtesy(text)
    said = _SAID_SO.match(text)
    rest = text[said.end() :].strip(" ,") if said else text
    if said:
        return len(rest.split()) > 1 and not opens_clause(rest)
    first = without_openers(rest).split(",")[0]
    return (
        "," in rest
        and len(first.split()) < 5
        and is_fragment(first)
        and question.strip().endswith("?")
    )


def for_good(question: str, answer: str) -> str | None:
    """Return what an answer with "always" or "never" in it asks for from now on, or None.

    Args:
        question: The assistant's words, which offered something.
        answer: All of the answer.
    """
    whole = written(" ".join(answer.split())).strip()
    asked = written(question.strip())
    if (
        not _EVER.search(whole)
        or len(whole.split()) > 16
        or "?" in whole
        or not asked.endswith("?")
    ):
        return None
    last = re.split(r"(?<=[.!?]) ", asked)[-1]
    words = re.sub(r",? (?:please|if you would|thanks)\b", "", whole).strip(" .!")
    if (chosen := _CHOICE.search(last)) and not _OF_A_HABIT.match(last):
        for one in (chosen["one"], chosen["other"]):
            if re.search(rf"\b{re.escape(one)}\b", whole, re.IGNORECASE):
                noun = (chosen["noun"] or "").strip()
                return f"Always use {one} {noun}".strip() if "never" not in whole.lower() else words
    if _SHALL_I.search(last) and not _OFFER.match(last):
        return f"{last} {words[:1].upper()}{words[1:]}"
    if offered := _OFFER.match(last):
        return f"When asked whether to {offered['do'].split(',')[0]}: {words}"
    return None


def _known(asked: str, words: str) -> str | None:
    last = re.split(r"(?<=[.!?]) ", asked)[-1]
    if len(words.split()) > 12:
        return None
    for pattern, stated in _KNOWN:
        if found := pattern.search(last):
            groups = found.groupdict()
            noun = groups.get("noun") or groups.get("noun2") or ""
            article = (
                "" if re.match(r"(?:an?|the|retired|unemployed|self)\b", words) else _article(words)
            )
            return stated.format(words, noun=noun.strip(), a=article + words)
    return None


def _chosen(asked: str, text: str) -> str | None:
    """Read "Do you prefer Celsius or Fahrenheit?" – "Celsius"."""
    last = re.split(r"(?<=[.!?]) ", asked)[-1]
    found = _CHOICE.search(last)
    if found is None or not re.match(r"^do you prefer\b", last, re.IGNORECASE):
        return None
    if any(
        re.search(rf"\b{re.escape(one)}\b", text, re.I) for one in (found["one"], found["other"])
    ):
        return f"I prefer {text}{found['noun'] or ''}"
    return None


def _by(asked: Question, whole: str) -> str | None:
    """Return what an answer states by its question."""
    yes, no = _YES.match(whole), _NO.match(whole)
    said = yes or no
    begun = whole if _SINCE.match(whole) else without_openers(whole)
    words = without_closers(whole[said.end() :] if said else begun).strip(" ,.!")
    words = _in_line(_GUESSED.sub("", words).strip(" ,"))
    if not words or _NO_ANSWER.match(words) or is_doubtful(words):
        return None
    if not [w for w in _THING.findall(words) if w.lower() not in _EMPTY]:
        return None
    return _filled(asked, words, yes=bool(yes), no=bool(no)) or _verbatim(asked, begun)


def _verbatim(asked: Question, answer: str) -> str | None:
    """Return question and answer as they stand, where no statement can be made of them."""
    named = asked.open and _NAMED.search(answer)
    if not asked.steady and not named and not (_OURS.search(answer) and len(answer.split()) > 2):
        return None
    said = without_closers(answer).strip(" ,.!")
    return f"{_to_me(asked.words)}? {said[:1].upper()}{said[1:]}"


def _to_me(question: str) -> str:
    """Return the assistant's question in the person's words, the assistant by its name."""
    for said, told in _TURNED_TO_ME:
        question = said.sub(told, question)
    return question


_TURNED_TO_ME = tuple(
    (re.compile(said, re.IGNORECASE), told)
    for said, told in (
        (r"\b(?:I|me|we|us)\b", "Loci"),
        (r"\b(?:my|our)\b", "Loci's"),
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byou\b", "I"),
    )
)


_NAMED = re.compile(r"\d|(?:^|[a-z,] )(?!I\b)[A-Z][\w'-]+")
_OURS = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)


def _filled(asked: Question, words: str, *, yes: bool, no: bool) -> str | None:
    if opens_clause(words) and not _SINCE.match(words):
        return _with_clause(asked, words, said=yes, denied=no)
    if asked.open:
        return asked.filled(words)
    statement, denial = asked.stated
    if no and denial:
        return f"{denial}, {words}"
    if yes and statement:
        return f"{statement}, {words}"
    if _QUALIFIED.match(words) and statement:
        if re.match(r"(?:not|never|hardly|seldom|no)\b", words, re.IGNORECASE):
            return f"{denial}, {words}"
        if not asked.filled(words) or "any" not in statement:
            return f"{statement}, {words}"
    return asked.filled(words)


def _in_line(words: str) -> str:
    """Return an answer as it stands in the middle of a sentence."""
    first = words.split()[0] if words else ""
    return words[:1].lower() + words[1:] if _SMALL.fullmatch(first) else words


def _with_clause(asked: Question, words: str, *, said: bool, denied: bool) -> str | None:
    """Return an answer that has a verb of its own together with what it answers."""
    if asked.topic and _PRONOUN.search(words) and re.search(r"\d", words):
        topic = asked.topic
        return _PRONOUN.sub(lambda _: topic, words, count=1)
    if denied and asked.topic and re.search(r"\d", words):
        return f"{asked.stated[1]}, {words}" if asked.stated[1] else None
    statement = asked.stated[0]
    return f"{statement}, {words}" if said and statement else None


def _article(word: str) -> str:
    return "an " if word[:1].lower() in "aeiou" else "a "


def _spelt(greeting: str, text: str) -> str | None:
    """Return a name that corrects the one the assistant has just used to address the person."""
    found = _SPELLING.match(text)
    if found is None:
        return None
    used = re.findall(
        rf"(?:, |\b(?:hi|hello|hey|dear|thanks|welcome) )({CAPITALISED})(?=[!.,?]|$)",
        greeting,
        re.IGNORECASE,
    )
    name = found["name"]
    alike = (SequenceMatcher(None, name.lower(), other.lower()).ratio() for other in used)
    return name if any(0.6 <= ratio < 1 for ratio in alike) else None
