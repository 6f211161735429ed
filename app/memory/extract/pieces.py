"""Cut a sentence where a new statement, question or request begins.

"I'm vegan, so what can I bake" is a statement and a question. What is no clause by itself stays
with the one before it: "We keep bees, eleven hives this year".
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from app.memory.extract.doubt import is_order, is_question
from app.memory.extract.leads import without_openers
from app.memory.extract.starts import ADVERBS, has_verb, opens_clause
from app.memory.extract.subjects import CAPITALISED, NAME, Kind, people_in, read_subject
from app.memory.extract.verbs import (
    AUXILIARIES,
    Form,
    verb_of,
)
from app.memory.extract.vocabulary import CONDITIONS, DIETS, STATES, listed
from app.memory.when.words import MONTHS, WEEKDAYS, any_of


class Said(StrEnum):
    """What a piece of a sentence does."""

    STATED = "stated"
    ASKED = "asked"
    ORDERED = "ordered"
    LOOSE = "loose"  # no clause: a word thrown in, a list


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence.

    Attributes:
        text: Its words, with the subject it shares given back.
        joint: What stands between it and the piece before.
        own: Its words as they stand in the sentence.
    """

    text: str
    kind: Said
    joint: str = ""
    own: str = ""


_JOINT = re.compile(
    r"(?P<joint>(?:,? (?:and|but|so|because|whereas|(?:even )?though|although|yet|plus|while|hence|"
    r"or)\b|"
    r", (?:since|as)(?= (?:I|we|my|our)\b(?! (?:was|were) ))|[,:](?!\d)|[;–—]| -(?= )| \()"
    r"(?: (?:and|also|then|now|therefore|so|but|both|currently|because|"
    r"since(?= I\b(?! (?:was|were)\b)))\b)*)"
    r" ?(?=(?P<right>[^\s]))"
    r"|(?P<asking> (?=who (?:do|should|can|could|would) (?:I|you|we)\b|(?:what|where|how|why|"
    r"which|when)(?: \w+){0,2}? (?:do|does|did|is|are|can|"
    r"should|would|could|will|am|shall) (?:I|you|we|he|she|it|they|people|one|the|my|there|that|"
    r"this)\b|(?:what|how) about\b|what (?:should|do|can|could) |(?:can|could|would|will) you"
    r"\b|(?:should|do|can|could|am|shall|may) I\b|any (?:ideas?|tips?|thoughts|suggestions?|advice|"
    r"recommendations?)\b|please (?!note)|help$|need (?:an?|some) (?!new)))"
)
_OF_I = frozenset(listed("am, are, was, were, have, do"))
_OF_HE = frozenset(listed("is, was, has, does"))
_VERBS = (
    "live|lives|lived|work|works|worked|have|has|had|love|loves|like|likes|hate|hates|am|is|are|"
    "was|were|play|plays|speak|speaks|study|studies|studied|teach|teaches|own|owns|drive|drives|"
    "enjoy|enjoys|prefer|prefers|moved|take|takes|use|uses|collect|collects|run|runs|eat|eats|"
    "went|got|started|starts|cannot|do not|does not|never|always|usually|will|married|bought|"
    "adopted|goes|go|broke|quit|left|became|suffer|suffers|wear|wears|sing|sings|keep|keeps|grew|"
    "come|comes|dislike|dislikes|adore|adores|volunteer|volunteers|cycle|cycles|swim|swims|drink|"
    "drinks|learned|graduated|retired|turned|turns|joined|visited|want|wants|really|no longer|"
    "sold|lost|died|passed|met|weigh|weighs|bake|bakes|paint|paints|cook|cooks|teaching|adores|"
    "starts|suffered|should|need|needs|can"
)
VERB_START = re.compile(rf"(?:{_VERBS})\b")
_AFTER_VERB = re.compile(
    r"(?:an?|the|my|our|his|her|their|some|any|in|at|on|for|to|with|from|about|only|two|three|"
    r"four|every|me|it|as|out|up|myself|by|no|all|his|most|around|lots?|near|off|away|I|we|that|"
    r"he|she|they)\b",
    re.IGNORECASE,
)
_ADJECTIVES = "|".join(sorted(CONDITIONS | DIETS | STATES, key=len, reverse=True))
_BE_START = re.compile(
    r"(?:allergic to|living in|based in|working (?:at|for|as)|studying |from [A-Z]|afraid of|"
    rf"into |(?:a |an )?(?:{_ADJECTIVES})\b|an? (?!half|quarter|third|bit|little|lot)[\w -]{{2,"
    rf"30}}(?=,|$)|an? [\w-]+ (?:at|for|in) |"
    rf"\d{{1,2}}(?: years old)?(?=,|$))"
)
_BE = re.compile(r"^(?P<head>.+? (?:am|are|is|was|were)) (?!\w+ing\b)")
_BARE = re.compile(rf"(?:(?i:my|our) (?!.*\b(?:{_VERBS})\b)[\w' -]+|{CAPITALISED}|you)$")
_HEAD = re.compile(
    rf"(?i:I|we|he|she|they)\b|(?:(?i:my|our|his|her|their) (?:[\w'-]+,? ){{1,4}}?|{NAME} )"
    rf"(?=$|(?:{_VERBS})\b)"
)
_CUTTING = re.compile(r";|:$")
_WHO = re.compile(
    r",? (?:and )?(who (?:is|has|was|lives|works|loves|hates|likes|plays|just|will) )"
)
_TIMES = rf"(?:{any_of(MONTHS)}|{any_of(WEEKDAYS)})"
_DOING = re.compile(
    r"^(?P<head>(?:I am|my [\w ]+? is) )(?:an? )?(?:(?! and | or | who | a (?=living)| in | at | "
    r"with | of | for "
    r")[\w -]){3,40}? "
    rf"(?=(?:living|based|working|studying) (?:in|at|for|as)\b|from (?!(?i:{_TIMES}))[A-Z])"
)
_WISH = re.compile(
    r"^(?:need|want|looking for|after) (?:an?|some|the|any)\b|^(?:I|we) (?:(?:\w+ )?(?:need|want|"
    r"would like|should like|am looking for|wish|require)\b"
    r"(?! to (?:learn|retire|move|lose|run|quit|become|sail|visit|walk|climb|cycle|hike|travel|"
    r"adopt|marry|live|train|swim|emigrate|volunteer|foster|study|go back to|have (?:kids|"
    r"children|a "
    r"(?:baby|child|dog|cat))|(?:start|open) (?:a|an|my) (?!new (?:chat|thread|document|file))|"
    r"write a (?:book|novel)))|have to (?:say|ask|know))",
    re.IGNORECASE,
)
_THIRD = re.compile(r"(?:(?i:he|she|it|my|our|his|her|their|the)|(?!I\b|We\b)[A-Z]\w+)\b")
_AUX_START = re.compile(
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|am|may)\b", re.IGNORECASE
)
# "I wrote a book, it came out in May" is one thing to know.
_ELABORATING = re.compile(
    r"(?:he|she|they) (?:is|are|was|were) (?:called|named)\b|(?:his|her|its|their) names? (?:is|"
    r"are) "
    r"[A-Z]|it (?:is|was|came|has|had|will|"
    r"takes?|took|makes?|means|starts?|ends?|still)\b",
    re.I,
)
_TAG = re.compile(
    r"^(?:right|no|yes|ok|okay|eh|huh|you know|correct|true|innit|or (?:not|what|am I)|isn't it|"
    r"(?:is|are|was|were|do|does|did|have|has|can|will|would) (?:not )?(?:I|he|she|it|they|we|you|"
    r"that)(?: not)?)$",
    re.IGNORECASE,
)


def cut(text: str, *, question: bool = False) -> list[Piece]:
    """Return the pieces of a sentence (contractions written out, openers taken off).

    Args:
        text: The sentence.
        question: Whether it ends in a question mark; then something in it is asked.
    """
    pieces = [one for piece in _pieces(_WHO.sub(r" ; \1", text)) for one in _doings(piece)]
    if question and pieces and not any(piece.kind is Said.ASKED for piece in pieces):
        pieces = [*pieces[:-1], *_asked(pieces[-1])]
    return pieces


def _doings(piece: Piece) -> list[Piece]:
    """Part what somebody is from where they are: "I am a nurse from Lyon living in Ghent"."""
    found = _DOING.match(piece.text)
    if piece.kind is not Said.STATED or found is None:
        return [piece]
    first = replace(piece, text=found.group().strip(), own=found.group().strip())
    return [
        first,
        *_doings(Piece(f"{found['head']}{piece.text[found.end() :]}", piece.kind, " and ")),
    ]


def _asked(piece: Piece) -> list[Piece]:
    """Find what is asked in the last piece of a question: a tag, or words thrown in at its end."""
    if piece.kind is Said.ORDERED or _AUX_START.match(piece.text):
        return [replace(piece, kind=Said.ASKED)]
    stated, comma, end = piece.text.rpartition(",")
    if comma and not _TAG.match(end.strip()) and opens_clause(stated):
        own = piece.own.rpartition(",")[0] or stated
        return [replace(piece, text=stated, own=own), Piece(end.strip(), Said.ASKED, ", ")]
    return [replace(piece, kind=Said.ASKED)]


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    start, lead, joint = 0, "", ""
    for found in _JOINT.finditer(text):
        left = f"{lead}{text[start : found.start()]}"
        if not text[start : found.start()].strip(" ,("):
            continue
        if found["asking"] and is_question(left.strip(" ,(")):
            continue
        said = found["joint"] or found["asking"]
        begun = _begun(text[found.end() :], left, said)
        if begun is None:
            continue
        pieces.append(_piece(left, joint, lead))
        start, joint = found.end(), said
        lead = f"{begun} " if begun else ""
        if lead and text[start:].startswith("who "):
            start += len("who ")
    return [*pieces, _piece(lead + text[start:], joint, lead)]


def _piece(text: str, joint: str, lead: str) -> Piece:
    text = without_openers(text.strip(" ,;:–—("))
    if is_question(text):
        kind = Said.ASKED
    elif _WISH.match(text) or (is_order(text) and not opens_clause(text)):
        kind = Said.ORDERED
    else:
        kind = Said.STATED if opens_clause(text) else Said.LOOSE
    return Piece(text, kind, joint, text.removeprefix(lead))


def _begun(right: str, left: str, joint: str) -> str | None:
    """Say how the words after a joint go on.

    Returns:
        The subject they lack and share with ``left``; "" where they begin something of their own;
        None where they go on with what was being said.
    """
    right = _YES.sub("", _CLAUSE_END.split(right, maxsplit=1)[0])
    before = left.strip(" ,(")
    if right.startswith("who ") and (introduced := people_in(left)):
        wanted = is_order(without_openers(before)) or is_question(without_openers(before))
        if f"{introduced[-1].text}'s " in before or (wanted and not _MINE.search(before)):
            return None
        return introduced[-1].text
    bare = joint.strip() in ("and", "or", "&")
    if is_question(right):
        return ""
    if joint.strip(" ,") == "so" and _YOU.search(right) and has_verb(before):
        return ""
    if _asks(right, before, joint):
        return ""
    if _ELABORATING.match(right) and joint.strip(" ,") in ("", "and") and has_verb(before):
        return None
    if opens_clause(right, sure=True):
        if (bare or joint.strip() == ", and") and (_BARE.match(before) or not has_verb(before)):
            together = bare or right.split()[0].lower() not in ("they", "it")
            return None if together and not _LISTED.search(before) else ""
        return "" if has_verb(before) or not bare else None
    shared = _shared(right, before, joint)
    if shared is not None:
        return shared
    if _CUTTING.search(joint):
        value = joint.strip() == ":" and len(right.split()) < 5 and not has_verb(right)
        return None if value and has_verb(before) else ""
    return None


_MINE = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_YES = re.compile(r"^(?:yes|no|yeah|nope|well|please),? (?=I\b)", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[;–—(]|:(?!\d)")
_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_LISTED = re.compile(r",")


def _asks(right: str, left: str, joint: str) -> bool:
    """Return whether a request begins here: "… so keep it short"."""
    if opens_clause(right):
        return False
    said = _JUST.sub("", right)
    verb = verb_of(said.split()[0]) if said else None
    bare = verb is not None and Form.BASE in verb.forms and said[:1].islower()
    if _REQUEST.match(said) or (bare and joint.strip(" ,") == "so"):
        return True
    if "and" in joint or (not is_order(said) and not (bare and _THEM.match(said))):
        return False
    if re.search(r"so|but|;|:|–|—|-|please", joint) or right.lower().startswith("please"):
        return True
    if _THIRD.match(left):
        return not _TO_DO.search(left)
    return bool(_WANTED.match(right)) and not _TO_DO.search(left)


_JUST = re.compile(r"^(?:(?:just|please|now|then|kindly|maybe) )+")
_REQUEST = re.compile(r"^(?:[^,;]{1,60} please$|(?:help|thoughts|ideas|tips)$)", re.IGNORECASE)
_THEM = re.compile(r"\w+ (?:them|it|me|that|this|those|us)\b")
_TO_DO = re.compile(r"\b(?:to|can|cannot|will|must|not|should|would|could) [a-z]+[^,]*$")
_WANTED = re.compile(
    r"\w+ (?:me|it|this|that|something|please|the|an?|us|your|some|them|[\w-]+ (?:for|to) me)\b",
    re.IGNORECASE,
)


def _shared(right: str, left: str, joint: str) -> str | None:
    """Return the subject that a verb after "and" shares with the clause before it."""
    words = right.split()
    if not words or not has_verb(left):
        return None
    if _DOING_SO.match(right):
        return None
    at = 0
    while at < len(words) - 1 and words[at].lower() in ADVERBS:
        at += 1
    word = words[at].lower().strip(",")
    if joint.strip() == "," and word == "like":
        return None
    if _COMING.match(right) and (head := subject_words(left)):
        form = "am" if head == "I" else "are" if head.lower() in ("we", "they") else "is"
        return f"{head} {form}"
    known = VERB_START.match(" ".join(words[at:])) or (
        VERB_START.match(right) and (word in AUXILIARIES or verb_of(word) is not None)
    )
    rest = " ".join(words[at + 1 :])
    verb = verb_of(word)
    likely = verb is not None and verb.finite and joint.strip(" ,") in ("and", "but", "or", "so")
    if verb is not None and Form.PAST not in verb.forms and _is_infinitive(word, left, rest):
        return None
    if known or (likely and (_AFTER_VERB.match(rest) or at)):
        head = subject_words(left)
        if head and _agrees(word, head):
            return head
    if (being := _BE_START.match(right)) and (be := _BE.match(left)):
        if _SIDE.match(right[being.end() :]) or _goes_on(right, left[be.end() :]):
            return None
        if _EMBEDDED.search(be["head"]) or " both " in left:
            return None
        age = right[:1].isdigit() and len(left.split()) > len(be["head"].split()) + 3
        return None if age else be["head"]
    return None


def _is_infinitive(word: str, left: str, rest: str) -> bool:
    """Return whether a base form goes on with "to stay upbeat and learn", or is a noun."""
    if word in _ALSO_NOUNS and _BESIDE.match(rest):
        return True
    verb, last = verb_of(word), _UNFINISHED.findall(left)
    if verb is None or Form.BASE not in verb.forms or word in AUXILIARIES or not last:
        return False
    modal, lemma = last[-1]
    known = verb_of(lemma)
    return modal != "to" or lemma == "be" or (known is not None and Form.BASE in known.forms)


_UNFINISHED = re.compile(
    r"\b(to|will|can|must|should|could|would|let (?:me|us|them|him|her)|helps? (?:me|us|you)|try "
    r"and|"
    r"how (?:you|they)) (?:not )?([a-z]+)\b(?!.*\b(?:I|we)\b)"
)
_ALSO_NOUNS = frozenset(
    listed(
        "support, love, help, rest, care, trust, change, stress, travel, practice, study, design, "
        "hope, need, advice, respect, comfort, guide, travel, guard, contact, notice, fear, delay"
    )
)
_BESIDE = re.compile(r"(?:for|on|in|at|from|with|to|of|by|I|we)\b|$")
_SIDE = re.compile(r" ?(?:on|at|to) (?:the|my|our) (?:left|right|side|grill|table|menu|top)\b")


def _goes_on(right: str, said: str) -> bool:
    """Return whether "a thunderstorm" after "and" is one more of what was named last."""
    return bool(re.match(r"an? ", right) and _NAMED_WITH.search(said))


# "We bought it, moving in June": what is planned has its own day.
_COMING = re.compile(
    rf"(?:moving|starting|leaving|flying|heading|returning|opening|retiring|getting "
    rf"married)\b.*\b(?:"
    rf"{any_of(MONTHS)}|{any_of(WEEKDAYS)}|next|tomorrow|this (?:week|month|summer|autumn|fall|"
    rf"winter|"
    rf"spring))\b",
    re.IGNORECASE,
)
_DOING_SO = re.compile(r"(?:(?:really|so|very|just|pretty|quite|always) )+\w+ing\b")
_EMBEDDED = re.compile(r"\b(?:how|that|what|when|because|if|where|why|whether)\b")
_NAMED_WITH = re.compile(r"\b(?:with|between|give|gave|get|got|make|have|see|like) \w+")


def _agrees(word: str, head: str) -> bool:
    """Return whether a verb can follow a subject; a list of nouns after a verb does not."""
    verb = verb_of(word)
    if word in _OF_I | _OF_HE:
        return word in (
            _OF_I if head in ("I", "we", "We") else _OF_HE | {"are", "were", "have", "do"}
        )
    if word in AUXILIARIES or verb is None:
        return True
    plural = head.lower() in ("i", "we", "they", "you") or " and " in head
    plural = plural or bool(re.search(r"(?:s|children|kids)$", re.sub(r" [A-Z]\w+$", "", head)))
    wanted = {Form.PAST, Form.BASE} if plural else {Form.PAST, Form.THIRD}
    return bool(verb.forms & wanted)


def subject_words(left: str) -> str | None:
    """Return the subject of a clause as it was said."""
    before = without_openers(left)
    if (read := read_subject(before, (), ())) and read[0].kind is not Kind.THING:
        return read[0].text
    head = _HEAD.match(before + " ")
    return head.group().strip(" ,") if head else None
