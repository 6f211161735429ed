"""Whether a text asks, tells or wants work done, read from its first words and punctuation."""

import re
from itertools import dropwhile


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPENINGS = _vocabulary(
    """
    who whom whose what when where which why how is are am was were do does did can could will
    would should shall may might have has had tell show list find name remind explain describe
    """
)
# The same in other languages; some of them tell as well, so they count before a question mark only.
_ASKING = _vocabulary(
    """
    wer wen wem wessen was wo wohin woher wann warum wieso weshalb wozu wie wieviel womit worauf
    woran welche welcher welches welchen welchem
    quién quien quiénes qué que cuál cual cuáles dónde donde adónde cuándo cuando cómo como cuánto
    cuánta cuántos cuántas
    qui que qu quoi quand où comment pourquoi combien quel quelle quels quelles est
    wie wat waar wanneer waarom hoe hoeveel welk welke waarheen waarmee
    """
)
_WHAT = _vocabulary("who whom whose what when where which why how") | _ASKING
_WHAT -= _vocabulary("que qu est")  # "que no", "est-ce que" may order
_SUBJECTS = _vocabulary(
    """
    i we you he she it they ich du wir ihr er sie es man yo tú ella usted je tu il elle nous vous on
    ik jij je u wij we hij zij ze het
    """
)
_OPENING_ASIDES = _vocabulary(
    """
    und aber oder also denn weil wenn dass falls ob nein ja doch hallo hi bitte sag mal y o pero
    pues porque si sí no oye hola et ou mais donc car parce oui non dis bonjour salut en of maar
    want dus omdat als dat nee hoi because if though although while since that which
    """
)
_FILLERS = _vocabulary("so and but ok okay well hey hi hello please now then also")
_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"[?？؟](?:[\s\"'”’)\]]|$)")
_WORK = re.compile(
    r"\W*(?:(?:hi|hello|hey|ok|okay|so|please|now|then)\W+)*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|need|would like) you to )?"
    r"(?:help me (?:to )?)?"
    r"(?:write|rewrite|translate|summari[sz]e|draft|compose|generate|calculate|compute|convert|code"
    r"|explain|fix|improve|proofread|brainstorm|suggest|recommend|create|design|imagine|invent"
    r"|plan (?:a|an|my|our|the|me|us)"
    r"|make (?:me|a|an|up)|give me|teach me|act as|pretend|compare|analy[sz]e|correct|continue)\b",
    re.IGNORECASE,
)
_AND_ASKS = re.compile(
    r"(?:[?？؟]\s+(?:(?:and|und|y|et|en|also|ok)\s+)?|[,;]?\s+(?:and|und|y|et|en)\s+)"
    r"(?=(?:what|which|who|whom|whose|where|when|why|how|was|wer|wo|wann|wie|qué|quién|dónde|cuándo"
    r"|quoi|qui|où|quand|wat|waar|wanneer|hoe)(?:['’]s)?\s)",
    re.IGNORECASE,
)
_SHORTEST = 3  # words of a question that stands beside another
_LONGEST = 1000  # characters
_SENTENCE = re.compile(r"[^.!?？؟。！…\n]*[.!?？؟。！…\n]*")
_PAST = _vocabulary(
    """
    was were did had before previously formerly earlier originally former past old until used back
    war waren hatte früher vorher damals ehemals était étaient avait avant autrefois
    era eran fue había antes was waren had vroeger eerder voorheen destijds
    """
)
_CLOSING = " \t\n\"'”’)*_"
_ASIDE = 3


def asks(text: str) -> bool:
    """Return whether ``text`` is a question or asks to be told something."""
    if _MARK.search(text):
        return True
    for word in _WORD.findall(text.casefold()):
        if word not in _FILLERS:
            return word in _OPENINGS
    return False


def asks_in_form(text: str) -> bool:
    """Return whether what stands before a question mark asks by its form: "Wo wohne ich".

    It begins with a word that asks, or with a verb and whom it is said of: "Habe ich", "Ai-je". Or
    it ends with a word that asks: "J'habite où".
    """
    said = [word for word in _WORD.findall(text.casefold()) if word not in _FILLERS]
    spoken = list(dropwhile(lambda word: word in _OPENING_ASIDES, said))
    if not spoken:
        return False
    first, *others = spoken
    aside = len(said) > len(spoken)  # "weil ich": no verb stands first
    inverted = not aside and first not in _SUBJECTS and bool(_SUBJECTS.intersection(others[:1]))
    return first in _OPENINGS or first in _ASKING or inverted or spoken[-1] in _ASKING


def asks_what(text: str) -> bool:
    """Return whether ``text`` begins with a word that asks: "what", "wo", "quand"; "can" orders."""
    said = (word for word in _WORD.findall(text.casefold()) if word not in _FILLERS)
    return next(said, "") in _WHAT


def questions(text: str) -> list[str]:
    """Return the questions of a text one by one: "when does she come and what may I not bake?".

    A text that asks one thing is returned as it is; "when and where do we meet" does.
    """
    plain = " ".join(text.split())
    if len(plain) > _LONGEST:
        return [text]
    found = [one.strip(_CLOSING + ",;") for one in _AND_ASKS.split(plain)]
    several = all(len(_WORD.findall(one)) >= _SHORTEST and asks_in_form(one) for one in found)
    ends = {(_WORD.findall(one.casefold()) or [""])[-1] for one in found}
    apart = len(found) > 1 and several and ends.isdisjoint(_OPENINGS | _ASKING)
    return found if apart else [text]


def wants_work(text: str) -> bool:
    """Return whether ``text`` asks for something to be written, explained or done."""
    return bool(_WORK.match(text))


def asks_of_the_past(text: str) -> bool:
    """Return whether ``text`` may ask for what was and changed since."""
    return not _PAST.isdisjoint(_WORD.findall(text.casefold()))


_MARKS = ("?", "？", "؟")


def only_asks(text: str) -> bool:
    """Return whether ``text`` tells nothing: every sentence asks, but for asides like "Wow!"."""
    if wants_work(text):
        return True
    if not any(mark in text for mark in _MARKS):
        return False
    asked = False
    for found in _SENTENCE.findall(text):
        sentence = found.strip(_CLOSING)
        if sentence.endswith(_MARKS):
            asked = True
        elif len(_WORD.findall(sentence)) > _ASIDE:
            return False
    return asked
