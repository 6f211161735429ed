"""Tell by its words what only looks like a statement: questions, orders, play and fiction."""

import re

from app.memory.extract.sentences import Sentence

_FLAGS = re.IGNORECASE

# From here on the message is a game or a piece of fiction.
_PLAY = re.compile(
    r"^test(?:ing)?(?:,? (?:test(?:ing)?|one|two|three|\d))+$|\b(?:imagine(?! that$)|pretend|"
    r"picture (?:this|yourself)|let us pretend|let's pretend|role-?play|"
    r"(?:an?|some|do) role play|let's "
    r"play|play the role|play (?:an?|the) \w+ (?:\w+ )?and I|"
    r"I will (?:lie|answer as|reply as|play)|"
    r"act as|act like|you are (?:now )?(?:a|an|my|the|dan)\b|you will be (?:a|an|my|the)\b|"
    r"in (?:the|this|my|our) (?:game|story|novel|book|film|movie|scenario|campaign|dream|play|"
    r"series|tale|screenplay)|once upon a time|in character|as if I were|stay in role|"
    r"speak as|(?:^|[.!?] )you are now (?-i:[A-Z])|"
    r"(?:^|[.!?] )(?:ok |okay |so )?you are (?-i:[A-Z]\w+)(?:,| and) I\b|(?<!\w )be "
    r"(?:my|an?|the) (?!sure|careful|quick)\w+(?:,|\.|$)|you be (?:the|an?|"
    r"my)|let(?:'s| us) practi[sc]e|what happens next|"
    r"(?:write|answer|reply|talk|describe)\b.* as (?:an?|if) (?!result|whole|table|list|bullet)|"
    r"respond as if|from the (?:perspective|point of view) of|let's say|say I am)\b|"
    r"^(?:chapter|act|scene|episode|part) (?:\d+|[ivx]+|one|two|three|four|five|six|seven)$",
    _FLAGS,
)
_FICTION = re.compile(
    r"\b(?:stor(?:y|ies)|poems?|haikus?|limericks?|sonnets?|songs?|lyrics|novels?|dialogues?|"
    r"scenes?|screenplays?|scripts?|fairy ?tales?|fan ?fiction|monologues?|an? (?:\w+ )?sketch|"
    r"plots? (?:for|of|about|twists?)|"
    r"characters?|chapters?|protagonist|villain|backstory|rap|ballad|fiction|joke|riddle)\b",
    _FLAGS,
)
_WANTING = re.compile(r"\bI (?:need|want|would like|am looking for) (?:an?|you|some)\b", _FLAGS)

_ASKING = re.compile(
    r"^(?:(?:and|so|but|then|ok|okay|well|hey|hi|please|tell me|guess)[, ]+)*(?:(?:who|what|"
    r"where|which|whose|whom|why|how)(?:'s|'re|'d)?\b|when (?=(?:is|are|was|were|do|does|did|can|"
    r"could|will|would|should|has|have|shall|am) )|got any\b|any (?:idea|tip|thought|"
    r"suggestion)s?\b|"
    r"(?:do|does|did|is|are|am|was|were|can|could|will|would|should|shall|have|has|had|may|might|"
    r"must|isn't|"
    r"aren't|don't|doesn't|didn't|haven't|hasn't|won't|can't) (?:not )?(?:I|you|we|he|she|it|"
    r"they|my|your|our|his|her|their|the|there|this|that|these|those|anyone|someone|any|"
    r"[A-Z]\w+)\b)",
)
_ASKING_LOWER = re.compile(_ASKING.pattern.replace(r"|[A-Z]\w+", ""), _FLAGS)

_ORDER = re.compile(
    r"^(?:(?:please|pls|kindly|just|now|then|ok|okay|so|also|and|hey|hi|next|"
    r"first)[, ]+)*(?:write|give|tell|show|explain|make|create|help|find|list|suggest|recommend|"
    r"translate|summari[sz]e|compare|describe|draft|compose|generate|check|fix|correct|rewrite|"
    r"let me|let us|let's|think|look|search|calculate|compute|convert|count|define|design|"
    r"develop|discuss|do|don't|do not|edit|evaluate|expand|format|get|go|guess|imagine|improve|"
    r"include|keep|name|open|outline|pick|plan|play|prepare|produce|proofread|propose|provide|"
    r"put|quiz|rank|read|remind|remove|rephrase|replace|reply|respond|review|run|save|send|set|"
    r"shorten|simplify|solve|sort|start|stop|teach|test|transform|try|turn|update|use|wait|walk|"
    r"watch|act|answer|add|analy[sz]e|apply|ask|assume|book|bring|call|choose|complete|continue|"
    r"delete|forget|follow|ignore|reword|say|spell|take|thank|thanks|consider|pretend)\b",
    _FLAGS,
)


def begins_play(sentence: Sentence) -> bool:
    """Return whether the message is fiction or a game from this sentence on."""
    text = sentence.text
    if begins_game(sentence):
        return True
    if is_order(text) or is_question(text) or _WANTING.search(text):
        return _wants_fiction(text)
    return sentence.question and _wants_fiction(text.rpartition(",")[2])


def _wants_fiction(text: str) -> bool:
    """Return whether words are of fiction that is not there yet: "a story", not "that story"."""
    return bool(_FICTION.search(_AT_HAND.sub("", text))) and not _TO_READ.search(text)


# "Can you recommend a novel?" wants one that somebody wrote long ago.
_TO_READ = re.compile(
    r"\b(?:recommend\w*|suggest\w*|(?:any|some) good|which|looking for|to read|to watch|"
    r"(?:what|who) (?:is|are|was|wrote|sings|sang)|find me|heard of|favou?rite)\b(?!.*\b(?:write|"
    r"invent|make up|continue)\b)",
    _FLAGS,
)
_AT_HAND = re.compile(
    r"\b(?:(?:that|this|these|those|your) \w+|(?:long|true|short|funny|sad|love|whole) story)\b",
    _FLAGS,
)


def begins_game(sentence: Sentence) -> bool:
    """Return whether the person pretends from this sentence on, or wants the assistant to."""
    return bool(_PLAY.search(sentence.text))


def is_question(text: str) -> bool:
    """Return whether the words are in the order of a question."""
    return bool(_ASKING.match(text) or _ASKING_LOWER.match(text))


def is_order(text: str) -> bool:
    """Return whether it asks for something to be done."""
    return bool(_ORDER.match(text))
