"""Cut a sentence into clauses that each say one thing, and give every one its subject back.

"I live in Ghent and work at KBC" becomes "I live in Ghent" and "I work at KBC".
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from app.memory.extract.doubt import is_doubtful, is_question
from app.memory.extract.person import expanded
from app.memory.extract.subjects import (
    CAPITALISED,
    NAME,
    Kind,
    Subject,
    owners_in,
    people_in,
    read_subject,
)
from app.memory.extract.vocabulary import CONDITIONS, DIETS, STATES
from app.memory.when.words import MONTHS, WEEKDAYS

_OPENER = re.compile(
    r"^(?:(?:oh|ah|hey|hi|hello|hiya|hey there|hi there|good (?:morning|evening|afternoon)|well|"
    r"so|ok|okay|yes|yeah|yep|no|nope|nah|um|hm+|right|sure|thanks|thank you|great|cool|nice|"
    r"sorry|please|also|and|but|plus|anyway|besides|by the way|btw|fyi|for your information|"
    r"for the record|for context|for reference|for what it is worth|just so you know|so you know|"
    r"in case you (?:wondered|were wondering|are wondering|did not know)|to be honest|tbh|"
    r"honestly|frankly|actually|in fact|as a matter of fact|basically|fun fact|(?:quick |"
    r"small )?update|(?:a )?(?:quick|short|brief|little) (?:intro(?:duction)?|question|note|one|"
    r"thing|context)|(?:good |bad |big |great )?news|guess what|(?:one|another) (?:more )?thing|"
    r"correction|I meant?(?: to say)?|wait|rather|to clarify|to be clear|you should know|"
    r"you know(?: what)?|the thing is|(?:it )?turns out|a bit about me|(?:something )?about me|"
    r"let me introduce myself|let me correct (?:that|myself)|first of all|first|second|finally|"
    r"unfortunately|sadly|luckily|fortunately|happily|currently|nowadays|these days|personally|"
    r"on a personal note|as (?:I (?:already )?(?:said|mentioned)|you (?:know|may know|"
    r"might know))|as I told you|I (?:have )?(?:already |just )?(?:told you|said|"
    r"mentioned)(?: before)?|I (?:should|must|want to|wanted to|have to|forgot to) (?:mention|"
    r"add|say|tell you)|(?:since|because|given that|seeing as|as)(?= I | we |"
    r" my ))(?:[,:;!.–—-]+ ?| |$)(?:that )?)",
    re.IGNORECASE,
)
_CORRECTING = re.compile(
    r"^(?:oh,? |well,? |wait,? )*(?:no|nope|actually|sorry|correction|rather|let me correct|"
    r"I meant?)\b",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"(?:,? (?:by the way|btw|fyi|at the moment|right now|these days|nowadays|currently|now|though|"
    r"as well|too|lol|haha|you know|actually|anyway|just so you know|as you know|for now|"
    r"if you must know|to be honest|tbh|unfortunately|sadly|please|thanks|nice to meet you|"
    r"pleased to meet you|and (?:so on|such|stuff)))+$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"(?:,| and) not (?P<old>(?:in |at )?[\w' -]{1,40}?)(?: any ?more)?$")
_RATHER = re.compile(r",? (?:instead of|rather than) (?P<old>[\w' -]{1,40})$")
_FILLER = re.compile(
    r"^((?:I|we|he|she|they|my [\w-]+|[\w]+)(?: (?:am|are|is|was|were|have|has))?) "
    r"(?:actually|basically|honestly|currently|now|literally|obviously|simply)\b ",
    re.IGNORECASE,
)
_ADDITIVE = re.compile(r"\b(?:also|too|as well|additionally|part-time|on the side|both|another)\b")
_ALSO = re.compile(r"\b(?:also|too|as well|additionally)\b ?")

_VERBS = (
    "live|lives|lived|work|works|worked|have|has|had|love|loves|like|likes|hate|hates|am|is|are|"
    "was|were|play|plays|speak|speaks|study|studies|studied|teach|teaches|own|owns|drive|drives|"
    "enjoy|enjoys|prefer|prefers|moved|take|takes|use|uses|collect|collects|run|runs|eat|eats|"
    "went|got|started|starts|cannot|do not|does not|never|always|usually|will|married|bought|"
    "adopted|goes|go|broke|quit|left|became|suffer|suffers|wear|wears|sing|sings|keep|keeps|grew|"
    "come|comes|dislike|dislikes|adore|adores|volunteer|volunteers|cycle|cycles|swim|swims|drink|"
    "drinks|learned|graduated|retired|turned|turns|joined|visited|want|wants|really|no longer|"
    "sold|lost|died|passed|met|weigh|weighs|bake|bakes|paint|paints|cook|cooks|teaching|adores|"
    "starts|suffered"
)
_ADJECTIVES = "|".join(sorted(CONDITIONS | DIETS | STATES, key=len, reverse=True))
_JOINT = re.compile(
    r"(?P<joint>(?:,? (?:and|but|so|because|whereas|although|though|yet|plus)|"
    r"[,;:–—]| -) (?:(?:and|also|then|now|therefore|so|but|both|currently) )*)(?=(?P<right>.))"
)
_OWN_START = re.compile(r"(?:I|we|he|she|they|it|there)\b(?! and\b)", re.IGNORECASE)
_NOUN_START = re.compile(
    rf"(?:(?:my|our|his|her|their) (?:[\w'-]+,? ){{1,4}}?|{NAME} )(?:{_VERBS})\b"
)
_VERB_START = re.compile(rf"(?:{_VERBS})\b")
_ANY_VERB = re.compile(rf"\b(?:{_VERBS}|\w+(?:ed|ing))\b")
_BE_START = re.compile(
    r"(?:allergic to|living in|based in|working (?:at|for|as)|studying |from [A-Z]|afraid of|"
    rf"into |(?:a |an )?(?:{_ADJECTIVES})\b|an? [\w -]{{2,30}}(?=,|$)|an? [\w-]+ (?:at|for|in) |"
    rf"\d{{1,2}}(?: years old)?(?=,|$))"
)
_BE = re.compile(r"^(?P<head>.+? (?:am|are|is|was|were)) (?!\w+ing\b)")
_BARE = re.compile(rf"(?:(?i:my|our) (?!.*\b(?:{_VERBS})\b)[\w' -]+|{CAPITALISED})$")
_HEAD = re.compile(
    rf"(?i:I|we|he|she|they)\b|(?:(?i:my|our|his|her|their) (?:[\w'-]+,? ){{1,4}}?|{NAME} )"
    rf"(?=$|(?:{_VERBS})\b)"
)
_CUTTING = re.compile(r"but|because|whereas|although|though|[;:–—]| -|, so")
_FRONTED = re.compile(
    r"^(?P<when>(?i:(?:(?:on|in|at|since|until|before|after|around|by|over|during) (?:the )?)?"
    r"(?:(?:early|late|mid)[ -])?(?:(?:last|next|this|every|each|most) [\w ]{3,20}?|"
    rf"(?:{'|'.join(WEEKDAYS)})s?(?: (?:morning|afternoon|evening|night))?|(?:{'|'.join(MONTHS)})"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)? \w+(?: \d{4})?|\d{4}|"
    r"today|yesterday|tomorrow|tonight|the day (?:before yesterday|after tomorrow)|"
    r"(?:an?|\w+|\d+) (?:days?|weeks?|months?|years?) ago|a few \w+ ago)|"
    r"as a (?:child|kid|teenager|student|boy|girl)|when (?:I|we) (?:was|were) [\w ]{1,30}?)),? "
    rf"(?P<rest>(?:(?i:I|we|my|our|he|she|they)|{CAPITALISED}) .+)$"
)
_DOING = re.compile(
    r"^((?:I am|my [\w ]+? is) (?:an? )?(?:(?! and | who )[\w -]){3,40}?) "
    r"(?=(?:living|based|working|studying) (?:in|at|for|as)\b|from [A-Z])"
)
_TURNED = tuple(
    (re.compile(turned, re.IGNORECASE), plain)
    for turned, plain in (
        (r"^the name of (my [\w -]+?) is ", r"\1 is called "),
        (r"^(.+) is the name of (my [\w -]+)$", r"\2 is called \1"),
        (r"^it is (my [\w' -]+?) (on|in|tomorrow|today|next|this)\b", r"\1 is \2"),
        (r"^(?:both|all)(?: of)? (?=my |our )", ""),
        (
            r"^(?:my|the) (?:gp|doctor|psychiatrist|specialist|cardiologist|vet) (?:has |"
            r"have )?(?:just )?(?:put|started|prescribed) me (?:on )?",
            "I take ",
        ),
    )
)
_WHO = re.compile(
    r",? (?:and )?(who (?:is|has|was|lives|works|loves|hates|likes|plays|just|will) )"
)
_WHICH = re.compile(r",? (?:which|that is why|hence|thus)\b.*$")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing said of one subject.

    Attributes:
        predicate: What is said, beginning with the verb, contractions written out.
        additive: Whether it says "also": it stands beside what was known, replacing nothing.
        correcting: Whether it puts something right.
        instead_of: The old value, where it was named ("…, not Antwerp").
    """

    subject: Subject
    predicate: str
    additive: bool = False
    correcting: bool = False
    instead_of: str = ""

    @property
    def text(self) -> str:
        """The clause as one runs it together."""
        return f"{self.subject.text} {self.predicate}"


def without_openers(text: str) -> str:
    """Return a sentence without what only leads up to it ("By the way, …")."""
    while (shorter := _OPENER.sub("", text, count=1)) != text and shorter:
        text = shorter
    return text


def clauses(
    sentence: str, known: Collection[str], people: list[Subject], *, question: bool = False
) -> list[Clause]:
    """Return the clauses of a sentence that state something.

    Args:
        sentence: Its text.
        known: Names of people met before.
        people: Who was spoken of just before; grows with each clause.
        question: Whether it ends in a question mark; then only what comes before the question
            itself counts.
    """
    written = expanded(sentence)
    correcting = bool(_CORRECTING.match(written))
    pieces = _pieces(_straightened(without_openers(written)))
    if question:
        asked = next((i for i, piece in enumerate(pieces) if is_question(piece)), 0)
        pieces = pieces[:asked]
    found = []
    for piece in pieces:
        if is_question(piece):
            break
        clause = _clause(piece, known, people, correcting)
        if clause is not None:
            found.append(clause)
    return found


def _clause(
    piece: str, known: Collection[str], people: list[Subject], correcting: bool
) -> Clause | None:
    text = _CLOSER.sub("", without_openers(piece).strip(" ,;:–—-"))
    old = _INSTEAD.search(text) or _RATHER.search(text)
    if old and (correcting or "not" in old.group()) and not _VERB_START.match(old["old"]):
        text = _CLOSER.sub("", text[: old.start()])
    else:
        old = None
    if is_doubtful(text):
        return None
    text = _FILLER.sub(r"\1 ", _WHICH.sub("", text))
    read = read_subject(text, known, people)
    if read is None:
        return None
    subject, predicate = read
    for person in [subject, *owners_in(subject), *people_in(predicate)]:
        named = person.kind in (Kind.PERSON, Kind.PET) and (person.noun or person.name)
        if named and person not in people:
            people.append(person)
    additive = bool(_ADDITIVE.search(piece))
    predicate = _ALSO.sub("", predicate).strip(" ,")
    return Clause(subject, predicate, additive, correcting, old["old"].strip() if old else "")


def _straightened(text: str) -> str:
    """Put a date said first at the end: "In 2019 I moved" becomes "I moved in 2019"."""
    if found := _FRONTED.match(text):
        when = found["when"]
        text = f"{found['rest'].strip(' ,')} {when[:1].lower()}{when[1:]}"
    for pattern, plain in _TURNED:
        text = pattern.sub(plain, text)
    return text


def _pieces(text: str) -> list[str]:
    """Cut at the joints where a new statement begins."""
    text = _DOING.sub(r"\1 and ", _WHO.sub(r" ; \1", text))
    pieces: list[str] = []
    start = 0
    for joint in _JOINT.finditer(text):
        left, right = text[start : joint.start()], text[joint.end() :]
        if not left.strip():
            continue
        together = " and" in joint["joint"] and not _VERB_START.match(right)
        if together and _BARE.match(without_openers(left.strip(" ,"))):
            continue  # "my wife and I"
        subject = _subject_of(right, left)
        if subject:
            return [*pieces, left, *_pieces(f"{subject} {right.removeprefix('who ')}")]
        if subject == "" or _CUTTING.search(joint["joint"]):
            pieces.append(left)
            start = joint.end()
    return [*pieces, text[start:]]


def _subject_of(right: str, left: str) -> str | None:
    """Say how the words after a joint go on.

    Returns:
        The subject they lack and share with ``left``; "" where they have their own; None where
        they are no clause.
    """
    if right.startswith("who ") and (introduced := people_in(left)):
        return introduced[-1].text
    if _OWN_START.match(right) or is_question(right):
        return ""
    if _NOUN_START.match(right):
        return "" if _ANY_VERB.search(left) else None
    before = without_openers(left.strip(" ,"))
    if _VERB_START.match(right):
        if (read := read_subject(before, (), ())) and read[0].kind is not Kind.THING:
            return read[0].text
        head = _HEAD.match(before + " ")
        return head.group().strip(" ,") if head else None
    if _BE_START.match(right) and (be := _BE.match(before)):
        age = right[:1].isdigit() and len(before.split()) > len(be["head"].split()) + 3
        return None if age else be["head"]
    return None
