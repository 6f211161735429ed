"""Name what makes a text suspicious: talk at the machine, orders that wait, ways to carry data out.

Three groups. What is *dangerous* is stored by nobody. What is *addressed* to a machine is
suspicious whoever wrote it. An *order* is the person's own right, and suspicious from anybody else.
Patterns read a text as ``hidden.readings`` gives it, without regard to case.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Pattern(NamedTuple):
    """One way to tell.

    Attributes:
        name: What it finds, in words that a person understands.
    """

    name: str
    expression: re.Pattern[str]


def matched(patterns: Iterable[Pattern], readings: Iterable[str]) -> Iterator[str]:
    """Yield the name of each pattern that fits one of the readings of a text."""
    read = tuple(readings)
    for pattern in patterns:
        if any(pattern.expression.search(text) for text in read):
            yield pattern.name


def _pattern(name: str, *ways: str) -> Pattern:
    return Pattern(name, re.compile("|".join(ways), re.IGNORECASE | re.MULTILINE))


# Where a sentence begins, also inside a line, or goes on; what may stand before its verb.
_BEGIN = r"(?:^|[.!?:;>\"“'(-]\s*)"
_START = rf"(?:{_BEGIN}|\band\s+|\bthen\s+|\balso,?\s+)"
_PLEASE = r"(?:(?:please|kindly|important|note|remember to|be sure to|make sure to)[,:]?\s+){0,4}"
_MACHINE = r"(?:the\s+)?(?:assistant|a\.?i\.?|model|chat\s?bot|agent|llm|loci|copilot|chatgpt)"
_READER = r"(?:the\s+(?:user|person|reader|human|customer)|users?)"
_SAY = (
    r"(?:answer|reply|respond|say|tell|state|claim|mention|recommend|suggest|promote|praise|"
    r"endorse|advise|insist|include|insert|append|add|show|display|output|write|print|cite|send|"
    r"forward|call|run|open|visit|use|ignore|refuse|pretend|remind|warn|urge|offer|transfer|pay)"
)
_OBEY = (
    r"(?:answer|reply|respond|recommend|mention|tell|cite|ignore|refuse|trust|believe|treat|obey|"
    r"promote|praise|endorse|include|append|insist|pretend|prioriti[sz]e)"
)
# What an assistant is made to do, and hardly anybody is asked for in a recipe or a leaflet.
_SPEAK = (
    r"(?:recommend(?:ing)?|promot(?:e|ing)|endors(?:e|ing)|prais(?:e|ing)|advertis(?:e|ing)|"
    r"favou?r(?:ing)?|steer|cite|disclose|reveal|output|respond|reply|bcc|mention|insist|pretend|"
    r"comply|obey|tell (?:them|him|her|everyone|people|anyone)|let (?:them|the reader|people) know)"
)
_HOW = (
    r"(?:(?:secretly|quietly|silently|subtly|only|just|also|instead|keep|start by|begin by|do not|"
    r"don't|never|always|under (?:no|any) circumstances|ever|then|first|at all times)[,:]?\s+){0,4}"
)
_REPLIES = r"(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))"
_SUBJECT = r"(?:you|i|he|she|it|we|they|your|my|his|her|its|our|their|the|an?|this|that|there)\b"
# After "always" or "never" these tell of somebody and order nothing, like a past or a third person.
_TOLD = (
    r"(?!(?:been|had|was|were|an?|the|in|on|at|of|to|about|before|again|mind|more|less|better|"
    r"worse|once|one|two|where|when|past|told|spoken|felt|found|went|gone|seen|saw|done|did|known|"
    r"knew|met|heard|left|came|took|taken|got|gotten|made|said|slept|kept|lost|won|sat|ran|began|"
    r"ate|eaten|drank|drunk|drove|driven|wrote|written|thought|bought|brought|taught|grew|grown|"
    r"gave|given|wore|worn|swam|flew|flown|sang|sung|spent|sent|stood|understood|forgot|forgotten|"
    r"multiple|too|so|very|quite|really|late|early|just|only|if|because|and|or|but|my|your|his|"
    r"her|our|their|its|i|you|he|she|it|we|they|there|with|without|for|from|by|up|down)\b|\w+ed\b)"
)
_ORDER = rf"{_TOLD}(?:\w+ss|\w*[^\Ws])\b"

DANGEROUS = (
    _pattern(
        "a destructive command",
        r"\brm\s+-[a-z]*[rf][a-z]*\s+[/~*.$]",
        r"\bformat\s+c:",
        r"\bdel\s+/[sfq]\b",
        r"\bmkfs\b",
        r"\bdd\s+if=\S+\s+of=/dev/",
        r":\(\)\s*\{",
        r"\b(?:drop|truncate)\s+(?:table|database)\b(?!\s+(?:tennis|salt|manners|top))",
        r"\bdelete\s+(?:everything|all\s+(?:(?:the|your|my|user)\s+)?(?:files|memories|data))\b",
        r"\bcurl\b[^\n|]{0,200}\|\s*(?:ba|z)?sh\b|\bwget\b[^\n|]{0,200}\|\s*(?:ba|z)?sh\b",
        r"\bsudo\s+(?:rm|dd|mkfs|chmod|chown|shutdown|reboot|kill|bash|sh|curl|wget)\b",
    ),
    _pattern(
        "an order to run something",
        r"\b(?:run|execute|exec|eval)\s+(?:(?:the|this|following)\s+)*(?:shell\s+)?"
        r"(?:command|code|script)\s*:",
        r"--(?:privileged|no-sandbox|dangerously\S*)",
    ),
)

ADDRESSED = (
    _pattern(
        "an order to ignore instructions",
        r"\b(?:ignore|disregard|forget|override|bypass|discard|neglect)\W+(?:\w+\W+){0,3}?"
        r"(?:previous|prior|above|earlier|preceding|all|any|your|the|system|safety|initial)\W+"
        r"(?:\w+\W+){0,2}?(?:instructions?|prompts?|rules?|guidelines|context|guardrails|"
        r"safety|training|directives?|messages)\b",
        r"\b(?:ignore[rz]|ignorie(?:re|ren)|ignora|ignorar|vergiss|oublie[rz]?|olvida|negeer|"
        r"vergeet|dimentica)\W+(?:\w+\W+){0,4}?(?:instru[ck]\w+|anweisungen|consignes|regeln|"
        r"regels|istruzioni|instrucoes|opdrachten)\b",
        r"\breset\s+(?:(?:your|the)\s+)?(?:context|memory|instructions|system prompt)\b",
        r"\b(?:reveal|print|repeat|show|leak|output)\W+(?:\w+\W+){0,3}?(?:system prompt|"
        r"hidden instructions|initial instructions|(?:all|every)\W+(?:\w+\W+){0,2}?memor(?:y|ies)"
        r")\b",
        r"\bdecode\b(?:[^.\n]|\.\w){0,60}\b(?:follow|execute|obey|run)\b",
    ),
    _pattern(
        "another role for the assistant",
        r"\byou\s+are\s+(?:now|no longer|actually)\s+(?:\w+\W+){0,3}?(?:dan|assistant|chat\s?bot|"
        r"bot|a\.?i\.?|model|agent|unrestricted|unfiltered|jailbroken|root|free from|bound by|"
        r"developer mode)\b",
        r"\bact\s+as\s+(?:\w+\s+)?(?:root|admin(?:istrator)?|sudo|superuser|developer mode|an?\s+"
        r"unrestricted)\b",
        r"\bnew\s+(?:system\s+)?(?:instructions?|prompt|rules?)\s*:",
        rf"\b{_MACHINE}\s+(?:must|should|shall|will|has to|is to|needs? to|ought to)\s+"
        rf"(?:now\s+|always\s+|never\s+|not\s+)*{_SAY}\b",
    ),
    _pattern(
        "an order to obey without limits",
        r"\byou\W+(?:\w+\W+){0,3}?(?:no|zero|without|free (?:of|from))\W+(?:\w+\W+){0,2}?"
        r"(?:restrictions?|limits|limitations|filters|guardrails|safeguards|guidelines)\b",
        r"\b(?:you|assistant|loci)\W+(?:\w+\W+){0,3}?(?:comply|obey|do|fulfil+)\W+(?:\w+\W+){0,2}?"
        r"(?:every|all|any|each)\W+(?:\w+\W+){0,2}?(?:requests?|commands?|orders?|demands?)\b",
        r"\bdu\W+(?:\w+\W+){0,3}?(?:keine(?:rlei)?|ohne|frei von)\W+(?:\w+\W+){0,2}?"
        r"(?:einschrankungen|beschrankungen|grenzen|filter|vorgaben|richtlinien)\b",
        r"\bjede[mnrs]?\W+(?:\w+\W+){0,2}?(?:bitte|anfrage|befehl|anweisung|wunsch)\W+"
        r"(?:\w+\W+){0,3}?(?:erfull|befolg|gehorch|nachkomm|ausfuhr)\w*",
        r"\bno\s+tienes\W+(?:\w+\W+){0,2}?(?:restricciones|limites|filtros|limitaciones)\b",
        r"\b(?:debes|tienes\s+que)\W+(?:\w+\W+){0,2}?(?:cumplir|obedecer|acatar)\W+(?:\w+\W+){0,2}?"
        r"(?:tod[ao]s?|cada|cualquier)\b",
        r"\bn['’](?:as|avez)\W+(?:\w+\W+){0,3}?(?:restrictions?|limites?|filtres?|limitations?)\b",
        r"\b(?:tu dois|vous devez)\W+(?:\w+\W+){0,2}?"
        r"(?:obeir|acceder|satisfaire|executer|repondre)\W+(?:\w+\W+){0,2}?(?:tou(?:te)?s?|chaque)\b",
        r"\b(?:je|jij|u)\W+(?:\w+\W+){0,3}?(?:geen|zonder)\W+(?:\w+\W+){0,2}?"
        r"(?:beperkingen|grenzen|filters|richtlijnen)\b",
        r"\b(?:elk|elke|ieder|iedere|alle)\W+(?:\w+\W+){0,2}?(?:verzoek(?:en)?|bevel(?:en)?|opdracht(?:en)?)\W+"
        r"(?:\w+\W+){0,3}?(?:voldoen|gehoorzamen|opvolgen|uitvoeren|inwilligen)\b",
    ),
    _pattern(
        "marks of a prompt",
        r"<\|[^|>\n]{1,40}\|>",
        r"</?(?:system|assistant|user|human|memor(?:y|ies)|instructions?|context|prompt|im_start|"
        r"im_end|s|bos|eos|start_of_turn|end_of_turn)\b[^>\n]{0,40}>",
        r"\[/?(?:INST|SYSTEM|SYS|ASSISTANT|USER)\]|<</?SYS>>",
        r"#{2,}\s*(?:system|instructions?|assistant|user|human|response|end of)\b",
        r"<<\s?memory\b|\bmemory\s\S{0,60}?\s?>>|\bknown about the user:",
        r"\(\s*(?:system|learned|external)\s*,\s*\d{1,2}\s+[a-z]{3,9}\s+\d{4}",
        r"\b\d{1,2}\s+[a-z]{3,9}\s+\d{4},\s?(?:confirmed|health or safety)\s?:",
        r"-{3,}\s*(?:begin|end)\s+(?:of\s+)?(?:system|memor|user|prompt|instruction|context|data)",
        r"\b(?:end|begin(?:ning)?) of (?:the )?(?:memor(?:y|ies)|recalled|retrieved|user data|"
        r"context|system prompt)\b",
        r"(?<=\n)(?:system|assistant|human|user|developer) ?:",
    ),
    _pattern(
        "an imitated tool call",
        r"</?(?:tool|function|antml)[\w:]*(?:\s[^>\n]{0,80})?>",
        r"\"(?:tool|function|name|action)\"\s*:\s*\"[^\"\n]{1,80}\"\s*,\s*\"(?:arguments|"
        r"parameters|input|args|action_input)\"\s*:",
        r"\b(?:memory|memories|remember|recall|store)_\w+\(|\b(?:save|store|add|update|delete)"
        r"_memor(?:y|ies)\b|\bto=bio\b",
        r"^(?:action|tool|function)(?:[ _](?:call|input|name))?\s*:\s*\w+[_(]",
        r"```\s*(?:tool|function)",
    ),
    _pattern(
        "an order about what to tell you",
        rf"\b(?:tell|inform|advise|convince|persuade|urge|remind|warn|ask|answer|show)\s+{_READER}"
        r"\s+(?:that|to|about|how|not|they|he|she|this|it)\b",
        rf"\b(?:reply|respond|answer|say|report|recommend|suggest)\b(?:[^.\n]|\.\w){{0,60}}\bto\s+{_READER}",
    ),
    _pattern(
        "an order that waits for its moment",
        rf"\b(?:if|when(?:ever)?|once|next time|each time|every time|as soon as|after|until)\s+"
        rf"{_READER}\s+(?:ever\s+|next\s+|later\s+)?(?:\w+s|ever|next)\b(?:[^.\n]|\.\w){{0,200}}"
        rf"\b{_SAY}\b",
    ),
    _pattern(
        "a claim to be trusted",
        r"\b(?:remember|note|treat|consider|regard|mark|save|store|keep|cite|see)\b(?:[^.\n]|\.\w){0,100}?"
        r"\bas\s+(?:an?\s+|the\s+|your\s+|our\s+)?(?:(?:most|more|fully|highly|only)\s+)?(?:"
        r"trusted|trustworthy|reliable|authoritative|verified|credible|preferred|official)\W+"
        r"(?:\w+\W+){0,2}?(?:sources?|authority|citation|reference|site|website|domain|"
        r"provider|vendor|brand|expert|advis[oe]r)\b",
        r"\btrust(?:[_ ]level)?\s*[:=]\s*[\"']?(?:system|learned|high|full|max|trusted|10|100)\b",
        r"\b(?:this|these)\s+(?:memor(?:y|ies)|lines?|facts?|notes?|entr(?:y|ies)|documents?)\s+"
        r"(?:is|are|has been|have been|was)\s+(?:now\s+)?(?:trusted|verified|approved|confirmed|"
        r"system)\b",
    ),
    _pattern(
        "an image from elsewhere",
        r"!\[[^\]\n]{0,200}\]\s{0,3}[(\[]?\s*<?(?:https?:|data:)?//",
        r"<(?:img|iframe|script|link|object|embed)\b[^>\n]{0,200}(?:src|href|data)\s*=",
    ),
    _pattern(
        "an address that carries data away",
        r"\bhttps?://[^\s]{0,300}(?:\{[^}\s]{0,40}\}|\$\w|%s\b|<[a-z_ -]{1,30}>|\[[A-Z_ ]{2,40}\]"
        r"|[=/](?:your|the|user|users)[_-]\w)",
    ),
)

ORDERS = (
    _pattern(
        "a standing instruction",
        rf"{_BEGIN}{_PLEASE}(?:always|never|do not ever|don't ever)[,:]?\s+{_ORDER}",
        rf"\b(?:always|never)\s+{_OBEY}\b",
        r"\b(?:from|as of) (?:now|today|this (?:point|moment|day)|here) (?:on|onwards?|forward)\b",
        r"\b(?:from now on|henceforth|hereafter|from here on)\b",
        r"\b(?:ab (?:jetzt|sofort)|von nun an|dorenavant|desormais|desde ahora|a partir de "
        r"(?:ahora|agora|maintenant)|vanaf nu|d'ora in poi|fran och med nu)\b",
        r"\b(?:in|for)\s+(?:all\s+|any\s+|every\s+|each\s+)?(?:future|later|subsequent|further|"
        r"following|coming|next)\s+(?:\w+\s+)?(?:answers?|repl(?:y|ies)|responses?|"
        r"conversations?|chats?|messages?|sessions?|requests?|questions?|interactions?)\b",
        r"\bfor the (?:rest|remainder) of (?:this|the|our) (?:conversation|chat|session)\b",
        rf"\byou\s+(?:must|should|shall|have to|are to|need to|will)\s+(?:now\s+|always\s+|"
        rf"never\s+|not\s+|only\s+)*{_OBEY}\b",
        r"\byou are now\b|\bjailbreak\b|\bdeveloper mode\b",
        rf"{_START}{_PLEASE}(?:recommend|promote|prefer|trust|believe|endorse|prioriti[sz]e|favou?r"
        r"|treat|regard|obey|ignore|disregard)\s+(?:\S+\s+){0,12}?(?:as|over|first|above|instead|"
        r"when(?:ever)?|if|to the|for (?:all|every|any)|in (?:all|every|any)|only|without)\b",
        rf"{_BEGIN}{_PLEASE}{_HOW}{_SPEAK}\b",
        rf"\b(?:every|each|all|any)\s+(?:\w+\s+)?{_REPLIES}\b",
        rf"\b(?:to|with|in|after|at the end of) (?:your|the next|the following) {_REPLIES}\b",
        r"\byour (?:top|highest|main|only|first|new|real) (?:priority|goal|objective|mission|"
        r"purpose|directive|task|name|role) (?:is|must be)\b",
        r"\byou (?:are|were|have been) (?:granted|authori[sz]ed|instructed|reprogrammed|required|"
        r"expected|obliged|supposed|permitted) (?:to|admin\w*|root|full|all|new)\b",
        rf"\b(?:correct|right|only|proper|best) {_REPLIES} (?:to|for) (?:any|every|all|each)\b",
        rf"\bthe {_REPLIES} (?:that )?(?:you|it|the assistant) (?:give|must|should|will)s?\b",
        r"\bkeep (?:this|that|it|them) in mind (?:for|in|when)\b",
        rf"\b(?:your|the|all|its) (?:next |first )?(?:{_REPLIES}|messages?) (?:must|should|"
        r"shall|ha(?:s|ve) to|need to|are to|is to|will always)\b",
        rf"{_BEGIN}{_PLEASE}{_HOW}(?:start|end|begin|finish|open|close|sign) (?:each|every|"
        rf"your|all) (?:\w+ )?(?:{_REPLIES}|messages?|e?-?mails?)\b",
        rf"{_BEGIN}{_PLEASE}(?:make sure|ensure|see to it) (?:that )?(?:all|every|each|any|your)\b",
        rf"{_BEGIN}{_PLEASE}{_HOW}(?:act|speak|behave|talk|write|answer|pose) (?:as|like) (?:if|"
        r"though|an?|the)\b|\b(?:adopt|assume|take on) the (?:persona|role|voice|identity)\b",
        r"\bin (?:all |any )?(?:code|texts?|mails?|answers) (?:that )?you (?:write|make|produce)\b",
        r"\b(?:bear|keep) in mind (?:permanently|always|that|from)\b|\bas the default\b",
        r"\b(?:empfehle|empfiehl|antworte|erwahne|recommande[rz]?|repond[sez]+|mentionne[rz]?|"
        r"recomienda|responde|menciona|raccomanda|rispondi|beveel|antwoord|noem)\b[^.\n]{0,40}"
        r"\b(?:immer|nie|niemals|stets|toujours|jamais|siempre|nunca|sempre|mai|altijd|nooit)\b",
    ),
    _pattern(
        "an order to remember",
        r"\b(?:save|add|store|commit|write|put|keep|record|note|remember|memori[sz]e)\b(?:[^.\n]|\.\w)"
        r"{0,60}\b(?:to|in|into|for)\s+(?:your\s+|the\s+|all\s+)?(?:long[- ]term\s+|permanent\s+|"
        r"persistent\s+|future\s+|later\s+)?(?:memor(?:y|ies)|reference|recall|sessions|use)\b",
        r"\b(?:update|overwrite|delete|erase|replace|change|edit|forget|disregard|wipe|correct)\s+"
        r"(?:\w+\s+){0,4}?(?:memor(?:y|ies)|stored|remembered|what you (?:know|were|have)|user's|"
        r"users?)\b",
        r"\b(?:save|store|remember|memori[sz]e|record)\b(?:[^.\n]|\.\w){0,60}\b(?:permanently|forever|"
        r"for ever|from now)\b",
        r"\b(?:save|store|remember|memori[sz]e|record|note) (?:the following|this fact|that)\b"
        r"[^\n]{0,40}:",
    ),
    _pattern(
        "talk at an assistant",
        r"\b(?:notes?|messages?|instructions?|hints?|reminders?|attention|information|directives?)"
        rf"\s+(?:to|for)\s+(?:all\s+|any\s+)?{_MACHINE}s?\b",
        rf"(?:^|[.!?]\s)(?:hey|dear|hi|hello|ok|attention)[,:]?\s+{_MACHINE}\b",
        r"\bas an? (?:a\.?i\.?|assistant|language model|llm|chat\s?bot)(?=[,.:;!]| (?:you|"
        r"assistant|model|language)\b)",
        r"\b(?:assistant|a\.?i\.?|model|system|agent|admin(?:istrator)?|developer)\s+(?:instructions?|"
        r"overrides?|directives?|notes?|prompts?|messages?|alert|update)\b",
        r"\b(?:begin|start|end)(?:ning)?\s+(?:of\s+)?(?:the\s+)?(?:instructions?|prompt|directives?)\b",
        r"<!--",
        r"\b(?:above|previous|earlier|prior|preceding)\s+(?:text|content|messages?|information|data|"
        r"facts?|notes?|memor(?:y|ies)|statements?|answers?)\b[^.\n]{0,40}\b(?:outdated|wrong|"
        r"obsolete|invalid|false|void|superseded|incorrect|deprecated|untrue|fake)\b",
        r"\busers? (?:has|have) (?:authori[sz]ed|approved|consented|confirmed|requested|granted|"
        r"allowed)\b|\buser(?:'s)? (?:wish(?:es)?|preferences?|consent|permission)\b",
        rf"\b(?:ask|request|get|obtain|collect) {_READER}(?:'s)? (?:for|password|card|data)\b",
        r"\buse the following\b|\b(?:keep|hide|conceal)\b[^.\n]{0,40}\b(?:hidden |secret )?from\s+"
        rf"{_READER}\b|\bwithout (?:telling|informing|asking|notifying|alerting)\b",
    ),
    _pattern(
        "an order that waits for its moment",
        r"\b(?:if|when(?:ever)?|once|(?:the\s+)?next time|each time|every time|any\s?time|as soon "
        r"as|after|until|should)\s+(?:the\s+\w+|someone|anyone|anybody|somebody|they|he|she|it|"
        r"you|i|we|a\s+\w+|\w+ing)\s+(?:is\s+|are\s+|ever\s+|next\s+|later\s+|again\s+)*(?:"
        r"mentions?|mentioned|asks?|asked|says?|said|talks?|types?|writes?|discuss\w*|wants?|"
        r"needs?|brings?|speaks?|quer\w+|requests?|refers?|comes?|contains?|begins?|starts?|"
        r"about|books?|plans?|looks?|pays?|logs?|opens?)\b[^\n]{0,200}?(?:,|\bthen\b|:|\balso\b)"
        rf"\s*(?:then\s+|please\s+|also\s+|always\s+|you\s+(?:must|should|will)\s+)*{_SAY}\b",
        r"\b(?:if|when(?:ever)?|once|while|before|after)\s+(?:asked|prompted|questioned|queried|told|"
        r"requested|composing|writing|drafting|answering|replying|summari[sz]ing|responding|generating"
        r"|you\s+(?:see|read|write|compose|answer|reply|summari[sz]e|draft|hear|encounter|detect|"
        rf"notice))\b[^\n]{{0,100}}?[,:]\s*(?!{_SUBJECT})\w",
        r"\b(?:if|when(?:ever)?)\s+(?:asked|prompted|questioned|queried)\b",
        r"\b(?:should|provided(?: that)?|in case|suppose|assuming(?: that)?)\s+(?:the\s+(?:user|"
        r"person|topic|subject|question|reader)|anyone|anybody|someone|they|of doubt)\b"
        rf"[^\n,]{{0,100}},\s*(?!{_SUBJECT})\w",
        r"\bwhatever\s+(?:anyone|they|he|she|the\s+\w+|you|i)\s+(?:asks?|says?|wants?|types?)\b",
        r"\bafter the (?:first|second|third|next|last) (?:question|message|answer|reply|turn)\b",
        r"\b(?:on|from|after) \d{1,2} [a-z]+,? (?:start|begin|switch|stop)\b",
        r"\bwait (?:until|till|for)\b(?:[^.\n]|\.\w){0,100}\b(?:and )?then\b",
        r"\b(?:upon|on)\s+(?:hearing|seeing|reading|receiving|any mention)\b",
        r"\b(?:the moment|every time|each time|any time|as soon as)\b[^\n,]{3,100},"
        rf"\s*(?!{_SUBJECT})\w",
        rf"\b(?:if|when(?:ever)?|once)\b[^\n,.]{{3,100}},\s*(?:then\s+)?{_HOW}{_SPEAK}\b",
        r"\b(?:if|when(?:ever)?|once)\s+(?:\w+\s+){1,4}?(?:is|are|gets?)\s+(?:mentioned|asked|named|"
        rf"discussed|brought up|raised)\b[^\n]{{0,60}}?(?:\b{_SAY}\b|,\s*(?!{_SUBJECT})\w)",
        rf"{_START}{_PLEASE}{_SAY}\b(?:[^.\n]|\.\w){{0,160}}\b(?:if|when(?:ever)?|once|next time|"
        r"each time|every time|as soon as)\s+(?:the\s+\w+|someone|anyone|they|he|she|it|you|i|we|"
        r"a\s+\w+)\s+(?:is\s+|are\s+|ever\s+|next\s+)*(?:mentions?|asks?|says?|talks?|types?|writes?|"
        r"discuss\w*|wants?|needs?|brings?|speaks?|requests?|comes?|about)\b",
    ),
    _pattern(
        "a role marker",
        r"^\W{0,6}(?:system|assistant|human|user|developer|tool|ai|instructions?)\W{0,3}:",
    ),
    _pattern(
        "a claim to be trusted",
        r"\b(?:remember|note|treat|consider|regard|mark|save|store|keep|trust|cite|see|think of)\b"
        r"(?:[^.\n]|\.\w){0,100}?\b(?:as|to be|being)\s+(?:\w+\s+){0,2}?(?:trusted|trustworthy|"
        r"reliable|authoritative|verified|credible|official|go-to|expert|true|safe|fact)\b",
        r"\b(?:consider|regard|treat|view|take)\b(?:[^.\n]|\.\w){0,100}?\b(?:an?\s+|the\s+|as\s+)+"
        r"(?:\w+\s+)?(?:authority|fact|truth|gospel|expert|canon|final)\b",
        r"\b(?:is|are)\s+(?:an?\s+|the\s+|your\s+)?(?:\w+\s+)?(?:trusted|trustworthy|authoritative"
        r"|go-to)\s+(?:\w+\s+){0,2}?(?:sources?|authority|reference|site|provider|expert|advis[oe]r)",
        r"\b(?:supersedes?|overrides?|replaces?|takes? precedence over)\s+(?:\w+\s+){0,2}?(?:all|"
        r"any|every(?:thing)?|previous|earlier|older|prior|other)\b",
    ),
    _pattern(
        "a detour for other questions",
        r"\b(?:refer|look|switch|redirect|map|point|resolve|substitute|replace|swap)\w*\b"
        r"(?:[^.\n]|\.\w){0,80}\b(?:to|with|by|for|instead of)\b(?:[^.\n]|\.\w){0,80}\binstead\b",
        r"\b(?:is|are)\s+(?:now\s+)?(?:saved|stored|kept|filed|recorded|listed)\s+(?:under|as|with"
        r"|in)\b(?:[^.\n]|\.\w){0,120}\b(?:so|therefore|hence|thus)\b(?:[^.\n]|\.\w){0,120}\b(?:refer|use|look|query|"
        r"answer|search|read)\b",
        r"\b(?:questions?|queries|requests?)\s+(?:about|on|for|regarding|concerning)\b(?:[^.\n]|\.\w){0,80}"
        rf"\b(?:must|should|shall|are to|is to|have to)\b(?:[^.\n]|\.\w){{0,40}}\b(?:be|{_SAY})\b",
    ),
    _pattern(
        "an address that carries data away",
        r"\bhttps?://[^\s]{1,300}[?&](?:data|text|msg|message|content|payload|info|memor(?:y|ies)|"
        r"e?mail|user(?:name)?|secret|token|password|leak|exfil|history|chat|prompt)=",
    ),
    _pattern(
        "an order to send something",
        r"\b(?:b?cc|copy)\b[^\n]{0,40}?\S{1,60}@\S{1,60}\.\w",
        rf"{_START}{_PLEASE}(?:\w+ly\s+)?(?:send|post|upload|forward|e-?mail|submit|transmit|"
        r"exfiltrate|leak|copy|deliver|transfer)\b(?:[^.\n]|\.\w){0,160}?\b(?:to|at|via)\s+(?:https?://|"
        r"www\.|\S{1,60}@\S{1,60}\.|\S{1,60}\.(?:com|net|org|io|example)\b)",
        r"\b(?:send|post|upload|forward|e-?mail|submit|transmit|exfiltrate|leak|copy)\b(?:[^.\n]|\.\w){0,80}"
        r"\b(?:memor(?:y|ies)|conversations?|chat history|everything|passwords?|secrets?|"
        r"credentials?)\b(?:[^.\n]|\.\w){0,80}\b(?:to|at|via)\b",
    ),
)
