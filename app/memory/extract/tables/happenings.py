"""What people did and what they are going to do, where a date says when."""

import re

from app.memory.extract.rule import LIVING, OTHERS, SELF, Found, Rule, event, fact, plan

_TRIED = re.compile(
    r"\b(?:tried|it|this|that|them|error|works?|install(?:ed)?|updated?|asked)\b", re.IGNORECASE
)


def _of_a_life(found: Found) -> bool:
    return not _TRIED.search(found.group())


def _worth_a_note(found: Found) -> bool:
    """Return whether something is more than what the day brought."""
    if not _of_a_life(found):
        return False
    return not (_OF_THE_DAY.search(found.group()) and _EVERYDAY.match(found.group()))


_OF_THE_DAY = re.compile(
    r"\b(?:today|this (?:morning|afternoon|evening)|last night|earlier)\b", re.IGNORECASE
)
_EVERYDAY = re.compile(
    r"(?:\w+ )?(?:had|met|went|found|read|watched|cooked|left|fell|lost|started|stayed|been)\b",
    re.IGNORECASE,
)
# To what one is asked as a guest; one may be asked to do anything.
_FEAST = (
    r"to (?:be )?(?:my|our|his|her|their|an?|the|some|[\w'’-]+['’]s?|dinner|lunch|brunch|tea|"
    r"drinks|breakfast|supper)"
)


def _lies_ahead(found: Found) -> bool:
    """Return whether an invitation is to what may still come; a day without a year is the next."""
    return not (_OF_THE_DAY.search(found.group()) or _GONE_BY.search(found.group()))


_GONE_BY = re.compile(r"\b(?:yesterday|last|ago|once|the other day|tonight)\b", re.IGNORECASE)
RULES: tuple[Rule, ...] = (
    plan(
        rf"{{HAD}}(?:invited (?:me|us)(?: (?:both|all|over|round|along|back))? (?:to|for)|"
        rf"asked (?:me|us) (?:{_FEAST}|(?:over|round|along) (?:to|for))) .+",
        OTHERS,
        must_be_dated=True,
        accepts=_lies_ahead,
        category="plan",
    ),
    plan(
        r"(?:(?:{BEEN}|{BE}|{HAD}(?:got|gotten)) )?invited (?:(?:over|round|along|back) )?"
        r"(?:to|for) .+",
        SELF,
        must_be_dated=True,
        accepts=_lies_ahead,
        category="plan",
    ),
    event(
        r"{HAD}(?:passed|failed|aced|nailed|scraped),? (?:my |the |an? )?.*\b(?:grade \d|"
        r"[abc][12]|exams?|tests?|merit|"
        r"distinction|driving|theory|level|finals|bar|boards|viva)\b.*",
        category="event",
    ),
    event(
        r"{HAD}(?:got|gotten|made it) (?:in ?to|onto|in at) (?:(?-i:[A-Z])|(?:medical|med|law|"
        r"art|drama|"
        r"grad(?:uate)?|music) school|uni|college|(?:the|my|our) (?:[\w-]+ )*(?:team|squad|school|"
        r"university|college|academy|programme|program|finals?|course|choir|band)\b).*",
        LIVING,
        category="event",
    ),
    event(
        r"{HAD}(?:got|had|having) (?:my|his|her|our) (?:braces|cast|stitches|plaster|tonsils|"
        r"appendix|"
        r"wisdom teeth|ears|nose|tongue|first tattoo|teeth|cataracts?) .+",
        LIVING,
        category="event",
    ),
    event(
        r"{HAD}(?:exchanged|completed) on (?:a|an|our|my|the) .+|{HAD}put (?:in )?an offer (?:in "
        r")?on .+",
        category="event",
    ),
    event(
        r"{HAD}(?:got|gotten|picked up|received|collected) (?:the )?keys (?:to|for|of) .+",
        category="event",
    ),
    event(
        r"{HAD}(?:bought|sold|rented|renovated|inherited|built|remortgaged) (?:an?|our|my|"
        r"the|his|her|their|two|some) .+",
        LIVING,
        category="event",
        accepts=_of_a_life,
    ),
    event(
        r"{HAD}(?:got|gotten|adopted|picked up) (?:an?|our|my|two|three) (?:[\w-]+ ){0,2}(?:dog|"
        r"puppy|cat|kitten|kittens|cats|dogs|car|bike|house|flat|tattoo|rabbit|horse|phone|"
        r"laptop|driving licence|licence|visa|passport|scholarship|grant|divorce|baby|hens|"
        r"parrot)\b.*",
        LIVING,
        category="event",
    ),
    event(
        r"{HAD}(?:passed|failed|won|published|defended|finished|completed|submitted) "
        r"(?:my|our|his|her|the|an?) (?:[\w-]+ ){0,3}(?:exam|exams|test|driving test|race|marathon|"
        r"thesis|book|novel|prize|award|competition|tournament|match|degree|phd|triathlon|"
        r"course)\b.*",
        LIVING,
        category="event",
    ),
    event(
        r"{HAD}(?:went|gone|been|visited|saw|seen|met|ran|run|flew|travelled|traveled|drove|"
        r"attended|watched|climbed|hiked|cycled|swam|celebrated|stayed|took part|played|competed|"
        r"performed|had (?:lunch|dinner|coffee|drinks|an? [\w ]+|my|our)|spent|returned|"
        r"came back|lost|found|crashed|fell|started|finished|cooked|hosted|organised|organized|"
        r"planted|joined|signed|booked|left|arrived|completed|passed|read|was in|were in|was at|"
        r"were at|gave|donated|learned|learnt|interviewed|threw|became|won|received|got back)\b.+",
        LIVING,
        must_be_dated=True,
        accepts=_worth_a_note,
        category="event",
    ),
    plan(
        r"{BE} (?:(?:going|flying|travelling|traveling|driving|heading|returning|moving|sailing|"
        r"off|back|cycling|walking) (?:back )?(?:to|on|home|from|away|for|abroad|camping|skiing|"
        r"hiking|sailing)|meeting|seeing|visiting|having (?:lunch|dinner|a|an|my|our|people|"
        r"friends)|hosting|running|taking|attending|celebrating|leaving|spending|playing|"
        r"performing|competing|speaking|giving|picking|getting|buying|cooking|away|abroad|in|"
        r"on (?:holiday|vacation|leave|call)|invited|booked|presenting|staying|defending|"
        r"babysitting|hiking|camping) ?.+",
        LIVING,
        must_be_dated=True,
        accepts=_of_a_life,
        category="plan",
    ),
    plan(
        r"(?:will (?:be|go|visit|fly|travel|start|have|meet|see|take|run|attend|move|spend|stay|"
        r"return|turn|get|leave|celebrate|play)|go~ to|fly~ to|leave~ for|start~ (?:school|"
        r"university|nursery|college|kindergarten|work|high school|primary school)|meet~|"
        r"have~ to be|need~ to be)\b.+",
        LIVING,
        must_be_dated=True,
        accepts=_of_a_life,
        category="plan",
    ),
    plan(
        r"have~ (?:booked|bought|got) (?:an? |our |my |the |tickets? )?.+",
        must_be_dated=True,
        accepts=_of_a_life,
        category="plan",
    ),
    fact(
        r"(?:have|has) (?:never |always )?(?:been to|lived|travelled|visited|met|worked) .+",
        category="event",
        accepts=_of_a_life,
    ),
)
