"""Take off what only leads up to a statement or trails after it, and put its date at the end."""

import re

from app.memory.extract.recast import plainly
from app.memory.extract.subjects import CAPITALISED
from app.memory.when.words import MONTHS, NUMBERS, WEEKDAYS, any_of

_OPENER = re.compile(
    r"^(?:(?:(?:dude|man|bruh|brother|sister|guys|girl|mate|omg|lads|yo)(?=,? (?:I|my|we|our) )|"
    r"excuse me|oh|ah|hey|hi|hello|hiya|hey there|hi there|good (?:morning|evening|afternoon)|well|"
    r"so|ok|okay|yes|yeah|yep|yup|no(?=[,.!;:]|$| (?:I|it|my|we|that|they|he|she|no|not|"
    r"you|actually|sorry|the|those|this|there)\b)|nope|nah|um|hm+|right|sure|thanks|thank you|"
    r"great|cool|nice|"
    r"sorry|please|also|and|but|plus|anyway|besides|by the way|btw|fyi|for your information|"
    r"for (?:the|your|my) records?|for context|for reference|for what it is worth|just so you know|"
    r"so you know|in case you (?:wondered|were wondering|are wondering|did not know)|"
    r"to be (?:honest|fair|frank)|(?:the )?truth (?:be told|is)|tbh|ngl|imo|honestly|"
    r"frankly|actually|in fact|"
    r"as a matter of fact|basically|fun fact|(?:quick |small )?update|(?:ok |okay )?story ?time|"
    r"(?:a )?(?:quick|short|brief|little) (?:intro(?:duction)?|question|note|one|thing|context|q)|"
    r"(?:good |bad |big |great )?news|guess what|(?:one|another|a quick|quick) (?:more )?thing|"
    r"correction|I meant?(?: to say)?|wait|rather|to clarify|to be clear|you should know|"
    r"you know(?: what)?|the thing is|(?:it )?turns out|a bit about me|(?:something )?about me|"
    r"let me introduce myself|let me correct (?:that|myself)|first of all|first|second|finally|"
    r"unfortunately|sadly|luckily|fortunately|happily|currently|nowadays|these days|personally|"
    r"on a personal note|as (?:I (?:already )?(?:said|mentioned)|you (?:know|may know|"
    r"might know|(?:may |might )?(?:recall|remember|see|imagine)))|(?:just )?so (?:we are|that "
    r"is) clear|"
    r"you asked before|as I told you|I(?: will| shall)? (?:have )?(?:already |just )?(?:told you|"
    r"said|"
    r"tell you(?: what)?|mentioned)(?: before)?|I (?:should|must|want to|wanted to|have to|"
    r"forgot to) (?:mention|add|say|tell you)|long story short|god|gosh|goodness|dear me|oh dear|"
    r"(?:please )?(?:note|be (?:advised|aware|informed)|know)(?= that )|kindly note(?= that )|"
    r"I (?:will|would) have you know|mind you|(?:look|listen|see)(?=[,:!])|of course|(?:between us|"
    r"all in all|in total|as a family|as a couple)(?=,? (?:I|we) )|between you "
    r"and me|seriously|"
    r"I have never told (?:a soul|anyone|anybody) this but|confession|"
    r"(?:this is )?(?:embarrassing|silly|weird|strange)(?: but true)?|believe it or not|"
    r"heads[- ]?up|(?:since|because|given that|seeing as|seeing that|considering|as)(?= I | we | "
    r"my | our "
    r"))(?:[,:;!.–—-]+ ?| |$)(?:that )?)",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"(?:,? (?:by the way|btw|fyi|at the moment|right now|these days|nowadays|currently|now|though|"
    r"as well|too|lol|haha|you know|actually|anyway|(?:just )?so you (?:know|are aware)|"
    r"as you know|for now|if you must know|to be (?:honest|fair)|tbh|unfortunately|sadly|please|"
    r"thanks|thank you|nice to meet you|pleased to meet you|and (?:so on|such|stuff)|obviously|"
    r"of course|god help (?:us|me)|for my sins|I know|imagine|believe it or not|"
    r"in case you need it|if you need it|as you can imagine|I suppose|alas|mind you|folks|"
    r"(?:if|when|whenever|wherever|as (?:much|often) as|where) (?:possible|you (?:please|like|"
    r"would|could|can|will))|all (?:of )?a sudden|no (?:idea|clue) "
    r"(?:why|how|what|when|where)\b[^,]*))+$",
    re.IGNORECASE,
)
# "For the form: …", "just to say: …", "background: …"
_HEADING = re.compile(
    r"^(?:(?:just|only|first|and|also|so|sorry|ok|okay),? )*(?!for (?:all|every|any|future)|in "
    r"(?:all|future|every))(?:(?:to|for|about|re|regarding|as|on|by way of|in|with|"
    r"under) [^:,.!?]{2,40}|n\.?b\.?|p\.?s\.?|disclaimer|background|context|info|information|"
    r"heads[- ]?up|reminder|"
    r"important|side ?note|small detail|detail|details|correction|update|edit|preface|caveat|"
    r"note|notes|facts?|fyi|"
    r"about me|me|status|situation|situation here|setup|my setup|constraints?|conditions?|"
    r"dietary (?:needs|info)|"
    r"allergies|warning|quick note|one thing|one detail): (?=\S)",
    re.IGNORECASE,
)
_INFORMING = re.compile(
    r"^(?:(?:please|kindly) )?(?:be (?:advised|aware|informed|told)|note(?: for (?:future|further|"
    r"any|all|your) \w+)?|know|bear in mind|keep in mind|take into account|mind|consider|be it "
    r"known|let it be known|allow me to (?:mention|say|add)|I "
    r"(?:would|should) (?:like|just "
    r"like|also like) to (?:inform you|tell you|let you know|mention|add|point out|say|state|note)"
    r"(?: for the (?:minutes|record))?|I (?:reckon|think|guess|suppose) "
    r"it(?:'d| would| might| may| will) help (?:if you knew|to know|"
    r"you to know)|what I (?:really |actually )?(?:wanted|want|meant|"
    r"mean) to say is|I "
    r"(?:wish|want|need|have) to "
    r"(?:inform you|tell you|let you know|mention|add|point out|stress|confess|admit|say)|I "
    r"(?:must|should|ought to|"
    r"might|may|can|will|shall)(?: perhaps| also| just)? (?:say|mention|add|tell you|point out|"
    r"confess|admit|warn you)|"
    r"it (?:is|may be|might be) worth (?:mentioning|knowing|noting|saying)|you (?:might|may|"
    r"should|ought to) (?:want to|"
    r"like to)? ?know|in case (?:it|that) (?:matters|helps|is relevant|is useful|makes a "
    r"difference)|if (?:it|that) "
    r"(?:matters|helps|is any help|is relevant)|for what it is worth|the (?:problem|trouble|"
    r"thing|issue|snag|catch|"
    r"difficulty|reason|fact|truth) is|(?:the )?fact is|truth is|(?:the )?thing is|it so happens|"
    r"as it happens|as luck "
    r"would have it|I am (?:afraid|sorry to say|happy to say|proud to say|pleased to (?:say|"
    r"report)|delighted to say|"
    r"glad to say)|I admit|I confess|admittedly|did I (?:mention|say|tell you)|have I "
    r"(?:mentioned|told you))"
    r"(?:,|:| that\b|(?= (?:I|my|we|our)\b)) ?",
    re.IGNORECASE,
)
_BUT_FIRST = re.compile(
    r"^(?:I (?:have )?never (?:told|tell) (?:a soul|anyone|anybody|you)(?: this| that)?|do not "
    r"(?:laugh|judge|tell anyone)|no offen[cs]e),? but ",
    re.IGNORECASE,
)
_SPAN = (
    r"days?|weeks?|weekend|months?|years?|summer|winter|spring|autumn|fall|seasons?|terms?|"
    r"semester|mornings?|afternoons?|evenings?|nights?|quarter|decade|christmas|easter|ramadan|"
    r"holidays?|lunchtime|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|"
    r"april|may|june|july|august|september|october|november|december|birthday|half-term"
)
_DATE = (
    r"(?:(?:on|in|at|for|since|until|before|after|around|by|over|during|from|as of) (?:the )?)?"
    rf"(?:(?:early|late|mid)[ -])?(?:(?:last|next|this|every|each|most) (?:\w+ "
    rf"){{0,2}}?(?:{_SPAN})s?|weekdays|"
    r"weekends|week ?nights|school nights|bank holidays|rainy days|"
    rf"(?:{'|'.join(WEEKDAYS)})s?(?:(?: and |, )(?:{'|'.join(WEEKDAYS)})s?)?"
    rf"(?: (?:mornings?|afternoons?|evenings?|nights?))?|(?:{'|'.join(MONTHS)})"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)? \w+(?: \d{4})?|\d{4}|"
    r"today|yesterday|tomorrow|tonight|the (?:summer|winter|spring|autumn|fall|year) (?:of )?\d{4}|"
    r"the (?:summer|winter|spring|autumn|year) (?:I|we) (?:was|were|turned|got|left|"
    r"finished) [\w ]{2,20}?|"
    r"the day (?:before yesterday|after tomorrow)|"
    r"(?:an?|\w+|\d+) (?:days?|weeks?|months?|years?) ago|a few \w+ ago|"
    r"(?:many |some |two |three )?(?:years|ages|decades)(?: and years)? ago|back in the day|in "
    r"(?:the )?"
    r"(?:winters?|summers?|springs?|autumns?|evenings?|mornings?|afternoons?)|during the (?:week|"
    r"day|night)|at "
    r"(?:the )?weekends?|most (?:days|nights)|these days|nowadays|in my (?:youth|teens|twenties|"
    r"thirties)|as a "
    r"young (?:man|woman|boy|girl)|once (?:a|every) \w+|twice a \w+)"
)
_CLOCK = rf"(?:half past |quarter (?:past|to) )?(?:\d[\d.:]*(?: ?[ap]m)?|noon|{any_of(NUMBERS)})"
_FRONTED = re.compile(
    rf"^(?P<when>(?i:{_DATE}(?:,? (?:on|in|at) (?:the )?{_DATE}|,? at {_CLOCK})?|"
    r"as a (?:child|kid|teenager|student|boy|girl|teen)|"
    r"(?:until|till|since|for|in) (?:about )?[\w-]+ (?:days|weeks|months|years)(?: ago)?|"
    r"at (?:the age of )?\d+|when (?:I|we) (?:was|were) [\w ]{1,30}?)"
    r"(?<! in)(?<! at)(?<! on)(?<! to)(?<! of)(?<! from)),? "
    rf"(?P<rest>(?:(?i:I|we|my|our|he|she|they|the whole)|{CAPITALISED}) .+)$"
)
_PLACED = re.compile(
    rf"^(?P<where>(?i:in|at|on|from) (?:(?i:my|our|the) [\w' -]{{2,30}}?|{CAPITALISED}"
    rf"(?: {CAPITALISED})?)),? (?P<rest>(?i:I|we|my|our|the) .+)$"
)
_SINCE = re.compile(
    r"^(?P<when>(?i:ever )?(?i:since|after|before|during|because of|thanks to) (?:(?:the|my|our|"
    r"his|her) [\w' -]{2,25}?|"
    r"[\w-]+ (?:years|months) (?:in|at|as|of|with) [\w' -]{3,40}?(?= I )|"
    r"school|childhood|college|uni|university|birth|lockdown|covid|then|puberty|retirement)),? "
    r"(?P<rest>(?i:I|we|my|our|the) .+)$"
)
_BOTH = re.compile(r"[\w' -]{1,40}? and (?:I|my [\w-]+)\b")
_NAMES = frozenset(MONTHS) | frozenset(WEEKDAYS)
_SUBORDINATE = re.compile(
    r" (?:but|so|and(?= (?:I|we|my|our|he|she|it|they|then|now|was|were|have|had|am|"
    r"are|is|got|went|[a-z]+ed)\b)|because|which|who|when|while)\b|[,;]| [-–—(]"
)
_POLITE = re.compile(
    r",? ?\bif (?:you (?:please|like|would|could|can|will|do not mind|must know|need it)|possible|"
    r"(?:that|it) (?:helps|matters|is (?:ok|okay|possible|relevant|useful))|they (?:do|have) "
    r"(?:it|them|"
    r"that)|I may|I remember (?:right|correctly|well)|need be|anything)(?: at all)?(?=$|[,.;])",
    re.IGNORECASE,
)


_FORGETFUL = re.compile(
    r",? in case (?:I|we|that|it|this) (?:ever )?(?:ask|forget|lose|need|mention|want|comes? up|"
    r"matters|helps)\b[^,.;]*$",
    re.IGNORECASE,
)


def without_courtesy(text: str) -> str:
    """Return a sentence without an "if" that is only polite and supposes nothing."""
    return _FORGETFUL.sub("", _POLITE.sub("", text))


def without_openers(text: str) -> str:
    """Return a sentence without what only leads up to it ("By the way, …")."""
    text = _BUT_FIRST.sub("", text)
    while (shorter := _once(text)) != text and shorter:
        text = shorter
    return text


def _once(text: str) -> str:
    for lead in (_OPENER, _INFORMING, _HEADING):
        if found := lead.match(text):
            return text[found.end() :]
    return text


def without_closers(text: str) -> str:
    """Return a sentence without what only trails after it ("…, by the way")."""
    return _CLOSER.sub("", text.strip(" ,;:–—-"))


def straightened(text: str) -> str:
    """Put a date or a place said first at the end: "In 2019 I moved" becomes "I moved in 2019"."""
    for form, part in ((_FRONTED, "when"), (_PLACED, "where"), (_SINCE, "when")):
        if found := form.match(text):
            said, rest = found[part], found["rest"].strip(" ,")
            if re.match(r"[Tt]he (?:\d|[sway])", said):
                said = f"{'on' if said[4].isdigit() else 'in'} {said}"
            if said.split()[0].lower().rstrip("s") not in _NAMES:
                said = said[:1].lower() + said[1:]
            both = _BOTH.match(rest)
            end = _SUBORDINATE.search(rest, both.end() if both else 0)
            cut = end.start() if end else len(rest)
            text = f"{rest[:cut].strip(' ,')} {said}{rest[cut:]}"
            break
    return plainly(text)
