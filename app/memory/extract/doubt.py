"""What only looks like a statement: questions, play, hypotheses, requests, hearsay, irony.

A memory made of any of these would be false, so everything doubtful yields nothing.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from app.memory.extract.sentences import Sentence
from app.memory.extract.vocabulary import DOCTORS
from app.memory.when.words import any_of

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
# From here on the message is a text to be worked on.
_MATERIAL = re.compile(
    r"\b(?:translate|summari[sz]e|proofread|correct|rewrite|rephrase|paraphrase|edit|improve|"
    r"shorten|check|review|analy[sz]e|explain|draft|write|compose|reply to|answer|fix|text|email|"
    r"e-mail|letter|message|cv|bio|caption|following|below|this)\b[^.!?]*:\s*$",
    _FLAGS,
)
_SAMPLE = re.compile(
    r"(?<!my )\b(?:exercise|sentence|example|homework|assignment|riddle|puzzle|quote|paragraph|"
    r"passage|folder|inbox|essay|prompt|text|letter|message|speech|caption|cover letter|line|"
    r"case study|word problem|vignette|verse|scene|character sheet|character|persona|backstory|"
    r"player|npc|profile card|"
    r"game)\b[^:]{0,40}:|(?<!just to )(?<!to )\b(?:states?|stated|testif\w+|claims?|declares?|"
    r"says?|said|asks?|asked|wrote|writes|goes|"
    r"reads)\s*:",
    _FLAGS,
)
_ROLE = re.compile(
    r"^(?:customer|user|client|agent|patient|doctor|teacher|student|interviewer|candidate|guest|"
    r"host|caller|"
    r"operator|narrator|speaker|[ab]|q|him|her|bot|support|boss|employee|waiter|shopkeeper|dear "
    r"(?!assistant|loci|ai|bot|computer|machine|friend|robot|all)\w+)\s?[:,] ",
    _FLAGS,
)
_TASK = re.compile(
    r"^(?:please |pls |kindly |just |now |ok(?:ay)?,? |so,? |then |hey,? |hi,? |can you |"
    r"could you |would you |will you |i (?:want|need|would like) you to )*(?:translate|"
    r"summari[sz]e|proofread|rewrite|rephrase|paraphrase|edit|improve|shorten|draft|write|"
    r"compose|reply to|explain|fix|correct|review|check|"
    r"make (?:this|it|that)\b[^:]*|(?:put|turn|render|convert|say)\b[^:]* (?:in|into))\b[^:]*:",
    _FLAGS,
)

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

_SUPPOSING = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine(?! that$)|assum(?:e|ing)|hypothetical(?:ly)?|"
    r"in theory|theoretically|for the sake of argument|for argument's sake|wish|what if|as "
    r"though|provided that|in case|lest|had I|were I|"
    r"otherwise(?!$)|pretend|let's say|for example|for instance|e\.g)\b",
    _FLAGS,
)
_MODAL = re.compile(
    r"\b(?:would|could|might|maybe|perhaps|possibly|probably|"
    r"should(?! not (?:eat|drink|have|take|lift|fly|drive|smoke|run|wear)\b)|ought|whether|"
    r"presumably|supposedly|"
    r"apparently|allegedly|seems?|seemed|hopefully|likely|potentially|almost|nearly|"
    r"(?:I|we|he|she|they|you|who|it) may)\b",
    _FLAGS,
)
_UNSURE = re.compile(
    r"\b(?:I|we) (?:\w+ (?:to )?)?(?:think|guess|believe|suppose|assume|doubt|wonder|imagine|"
    r"reckon|"
    r"suspect|hope(?! to )|feel (?:like|as|that)|fear)\b(?! in\b)|\b(?:am|are) (?:(?:pretty|"
    r"fairly|quite|almost|not|reasonably) (?:\w+ )?(?:sure|"
    r"certain)|unsure|uncertain|wondering|thinking|considering|tempted|supposed|told|joking|"
    r"kidding)\b|\b(?:was|were) (?:wondering|told|thinking|going to|supposed|about to)\b|\b(?:do|"
    r"did) not (?:\w+ )?(?:know(?! how to (?!do|fix|get|say|put|make|use|write|explain|solve|"
    r"change|set))|think|believe|remember|understand|recall)\b|\bno idea\b|"
    r"\bcannot (?:remember|recall|tell|decide)\b|\bforgot\b|\bdreamt?\b|\bdreamed\b",
    _FLAGS,
)
_HEARSAY = re.compile(
    r"\b(?:say|says|said|tells?|told|asks?|claims?|claimed|asked(?! (?:me|us) (?:over|round|along|"
    r"to (?:be )?(?:my|our|his|her|their|an?|[\w'’-]+['’]s|dinner|lunch|brunch|drinks))\b)|"
    r"writes|wrote|(?<!the )(?<!a )states?|stated|reads|"
    r"thinks?|thought|believes|insists?|insisted|heard|mentions?|mentioned|argues?|implies|reckons)"
    r"(?: (?:that|me|us|him|her|them|he|she|I|we|it|they|if|whether|so|my|his|the)\b|[:,]|$)|"
    r"\baccording to (?!(?:the|my|our) (?:scan|doctor|midwife|vet|test|x-ray|blood))",
    _FLAGS,
)
_IRONY = re.compile(
    r"\byeah,? (?:right|sure|that ?\'?(?:ll|s)|because|like that)\b|\bI(?:\'m| am) (?:definitely|"
    r"obviously|clearly|totally) an? \w+, (?:that\'?s|that is) why\b|"
    r"\boh,? (?:great|sure|joy|"
    r"fantastic|wonderful|perfect|lovely|brilliant)\b|"
    r"/s\b|🙄|\bjust kidding\b|\bjk\b|\bnot really\b|\bas if\b|\bhow lovely\b|\bsure,? I\b|"
    r"\bjust love (?:it when|how|when|waiting)\b|\bgotta love\b|\bso much fun\W*$|"
    r"^(?:brilliant|marvellous|wonderful|fantastic|great|lovely),? (?:the|another|just what|"
    r"now the)\b|"
    r"\bmarried to (?:my|the|a) (?:\w+ )?(?:job|work|machine|phone|sofa|couch|bed|fridge|car|"
    r"computer|laptop|desk|office|kettle|toaster|cat|dog|kitchen|bottle|sea)\b|"
    r"\bround of applause\b|\bslow clap\b|^(?:bravo|encore)\b|"
    r"\bthe (?:king|queen|pope|president) of\b|"
    r"\bI(?:'m| am) the (?:king|queen|pope)\b|\bfrom the (?:future|moon)\b|\bsaid no one\b",
    _FLAGS,
)
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
_TO_THE_ASSISTANT = re.compile(r"\b(?:you|your|yours|yourself)\b", _FLAGS)
_SHOP_TALK = re.compile(
    r"\b(?:pdf|clicked|restarted|rebooted|reinstalled|error|errors|bug|bugs|(?<!alarm )"
    r"(?<!locker )(?<!door )(?<!gate )(?<!lock )(?<!post )"
    r"(?<!dress )(?<!zip )(?<!entry )(?<!I )(?<!pin )code|function|variable|loop|traceback|"
    r"exception|stack trace|"
    r"syntax|regex|prompt|compiler|line \d+|json|html|css|api|localhost|printer|screen|button|"
    r"settings page|browser tab|pull request|commit|merge|output|input|"
    r"dataset|dataframe|spreadsheet cell|"
    r"at \d+(?= ?%| percent)|question|questions|problem with|issue with|trouble with|version \d)\b",
    _FLAGS,
)


_SUM = re.compile(
    r"^(?:so |and |then )*(?:when do I arrive|when does it arrive|what (?:are the odds|is the "
    r"(?:area|unit price|"
    r"probability|volume|total|average|mean))|how (?:many|much|long|far|fast|old|tall|heavy)|"
    r"what) (?:\w+ ){0,3}?(?:are left|"
    r"is left|are there|does it take|will it take|in (?:total|all)|altogether|"
    r"(?:do|does|will|can) (?:I|we|he|she|they) (?:have|keep|need|get|pay|owe|save|earn|spend)\b|"
    r"have I|is it|do they meet|(?<!what )is the|do (?:they|we|I) need|"
    r"remain|are there$|is my (?:sister|brother|son|father|mother))",
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


def begins_material(sentence: Sentence) -> bool:
    """Return whether what follows in the message is a text to be worked on."""
    if ":" not in sentence.quote and "," not in sentence.quote:
        return False
    text = sentence.text
    if _TASK.match(text) or _ROLE.match(text):
        return True
    return bool(_SAMPLE.search(text) or _MATERIAL.search(sentence.quote))


def sets_a_scene(sentences: Sequence[Sentence]) -> bool:
    """Return whether a place is made up, and the assistant given a part in it."""
    texts = [sentence.text for sentence in sentences]
    return any(map(_SCENE.match, texts)) and any(map(_CAST.match, texts))


_SCENE = re.compile(r"(?:it is|we are|we're|it's) (?:on|in|aboard|at|inside) (?:an?|the)\b", _FLAGS)
_CAST = re.compile(r"(?:and )?(?:you are|you're) (?:an?|the|my) (?!best\b)", _FLAGS)


def asks_of_others(sentence: Sentence, known: Collection[str]) -> bool:
    """Return whether it asks to confirm what it says of somebody: "Messi has sons, hasn't he?"."""
    if not sentence.question or not _TAG_OF_OTHERS.search(sentence.text):
        return False
    first = sentence.text.split()[0]
    return first.lower() not in ("my", "our") and first not in known


_TAG_OF_OTHERS = re.compile(
    r", (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)(?:n't| not)? "
    r"(?:not )?(?:he|she|it|they)(?: not)?$",
    _FLAGS,
)


def mentions_fiction(sentences: Sequence[Sentence]) -> bool:
    """Return whether the message speaks of made-up people."""
    return any(_wants_fiction(s.text) or _PLAY.search(s.text) for s in sentences)


def asks_for_a_sum(sentence: Sentence) -> bool:
    """Return whether a question wants numbers from before it put together."""
    return bool(_SUM.match(sentence.text) or _PROBLEM.search(sentence.text))


_PROBLEM = re.compile(
    r"\b(?:after how many|(?:where|when) do (?:we|they|the two) meet|find [a-z]$|solve for|"
    r"let [a-z] be)\b",
    _FLAGS,
)


def is_task_with_text(text: str) -> bool:
    """Return whether it orders something done to a text that speaks of an "I" of its own."""
    return bool(_TASK.match(text)) and bool(_WITHIN.search(text))


_WITHIN = re.compile(r":[^:]*\b(?:I|my|we|our)\b")


def is_question(text: str) -> bool:
    """Return whether the words are in the order of a question."""
    return bool(_ASKING.match(text) or _ASKING_LOWER.match(text))


def is_supposition(text: str) -> bool:
    """Return whether the whole sentence is about what is not the case."""
    return bool(_SUPPOSING.search(text))


def is_order(text: str) -> bool:
    """Return whether it asks for something to be done."""
    return bool(_ORDER.match(text))


def is_ironic(sentence: Sentence) -> bool:
    """Return whether it is plainly not meant."""
    return bool(_IRONY.search(sentence.quote))


# What a doctor thinks of somebody is a fact of their life.
_DIAGNOSED = re.compile(
    rf"^(?:(?:my|the|our|his|her) (?:{any_of(DOCTORS)}) "
    r"(?:thinks|says|said|reckons|believes|told (?:me|us)|suspects)|(?:my|our) [\w' -]{2,40} "
    r"(?:has|have|was|were) (?:just |now |finally )?(?:been )?told) (?:that )?(?=(?:it|he|she|I|"
    r"they|(?:my|his|her) \w+) (?:is|are|am|has|have|was)\b)",
    _FLAGS,
)


def is_doubtful(clause: str) -> bool:
    """Return whether a clause (contractions written out) asserts less than a fact."""
    return next(doubts(clause), None) is not None


def speaks_to_assistant(clause: str) -> bool:
    """Return whether it says "you"."""
    return bool(_TO_THE_ASSISTANT.search(clause))


def doubts(clause: str) -> Iterator[str]:
    """Yield why a clause asserts less than a fact."""
    clause = _DIAGNOSED.sub("", clause, count=1)
    return (name for name, sign in _DOUBTS.items() if sign.search(clause))


_DOUBTS = {
    "modal": _MODAL,
    "unsure": _UNSURE,
    "hearsay": _HEARSAY,
    "to the assistant": _TO_THE_ASSISTANT,
}


def is_shop_talk(clause: str) -> bool:
    """Return whether it is about the task at hand, not about a life."""
    return bool(_SHOP_TALK.search(clause))
