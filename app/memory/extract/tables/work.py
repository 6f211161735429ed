"""What people do for a living, and what they study."""

import re

from app.domain.memory import MemoryType
from app.memory.extract.rule import OTHERS, THINGS, Found, Rule, event, fact, plan
from app.memory.extract.subjects import Subject
from app.memory.extract.values import job, organisation
from app.memory.extract.vocabulary import ANY_VALUE

_HEADS = (
    r"head|director|manager|owner|founder|co-?founder|captain|chair(?:man|woman|person)?|president|"
    r"leader|principal|executor|executrix|trustee|chancellor|dean|rector|deacon|headmaster|"
    r"headmistress|editor|conductor|ceo|cto|cfo|secretary|treasurer|"
    r"mayor"
)
_TASK = re.compile(
    r"^(?:it|this|that|them|something|a (?:problem|question|project for)|the (?:code|problem|"
    r"script))\b",
    re.IGNORECASE,
)


def _employer(found: Found, subject: Subject) -> tuple[str, object] | None:
    name = organisation(found["org"])
    return ("employer", name) if name else None


def _job(found: Found, subject: Subject) -> tuple[str, object] | None:
    trade = job(found["trade"])
    return ("job_title", trade) if trade else None


def _is_job(found: Found) -> bool:
    return job(found["trade"]) is not None


def _was_job(found: Found) -> bool:
    return job(found["trade"]) is not None or bool(re.search(r"(?:[mn]er|ist)\b", found["trade"]))


def _is_organisation(found: Found) -> bool:
    return organisation(found["org"]) is not None


def _serious(found: Found) -> bool:
    return not _TASK.match(found["what"])


_HOURS = (
    r"(?: (?:part-time|full-time|part time|full time|remotely|freelance|mostly|there|"
    r"as an? [\w -]+?))*"
)
_WORKING = r"(?:work~|{BE} (?:working|employed)|(?:have|has) (?:worked|been working))" + _HOURS

RULES: tuple[Rule, ...] = (
    fact(
        r"(?:no longer work~|{NOT} work) (?:at|for|with) (?P<org>.+?)(?:{ANY})?",
        read=_employer,
        closes=True,
        category="work",
    ),
    fact(
        r"(?:no longer work~|{NOT} work|used to work|(?:have|has) never worked)\b.*",
        category="work",
    ),
    fact(
        _WORKING + r" (?:at|for|with) (?P<org>.+)",
        read=_employer,
        accepts=_is_organisation,
        category="work",
    ),
    fact(_WORKING + r" as (?P<trade>.+)", read=_job, category="work"),
    fact(
        r"(?:{BE}|was) (?:about|on|in|titled|called) .+",
        THINGS,
        noun=r"(?:\w+ )?(?:phd|thesis|dissertation|doctorate|degree|masters?|master's|research|"
        r"book|novel|memoir)",
        category="work",
    ),
    fact(
        r"{BE} to .+",
        THINGS,
        noun=r"(?:\w+ )?(?:job|work|role|task in life|trade)",
        category="work",
    ),
    fact(
        r"do~ (?:all )?(?:the|most of the|our|my|his|her) (?:books|accounts|bookkeeping|cooking|"
        r"shopping|ironing|school "
        r"runs?|gardening|driving|admin|cleaning|payroll|catering|flowers|lights|sound|milking|"
        r"paperwork|laundry)\b.*",
        category="habit",
        accepts=lambda found: not re.search(r"\b(?:today|tonight|now|later)\b", found.group()),
    ),
    fact(
        r"(?:do~|work~) (?:the |a |an )?(?:(?:night|day|early|late|morning|evening|split|"
        r"twelve-hour|12-hour) "
        r"?)?(?:shifts?|nights|days|earlies|lates)\b.*",
        category="work",
    ),
    fact(
        _WORKING
        + r" (?:at|for|with (?=people|children|kids|patients|students|animals|horses|wood|refugees|"
        r"clients|the (?:elderly|blind|deaf|homeless))|in|from home|from|on (?:a|an|my|the) "
        r"(?:[\w-]+ ){0,2}(?:farm|rig|ferry|trawler|site|ward|railway|"
        r"ship|novel|book|thesis|dissertation|phd|album|film|memoir|start-?up|boat)|nights|"
        r"night shifts|shifts|weekends|days|evenings|\d+|\w+days|remotely|freelance|part-time|"
        r"full-time)\b ?(?P<what>.*)",
        accepts=_serious,
        category="work",
    ),
    fact(
        r"{BE} (?P<trade>an? (?!bit\b|little\b|lot\b|bad\b|terrible\b|good\b|big\b|huge\b|fan\b|"
        r"mess\b|member\b).+)",
        read=_job,
        accepts=_is_job,
        category="work",
    ),
    fact(
        r"{BE} (?P<trade>[\w -]+s)",
        OTHERS,
        category="work",
        accepts=lambda found: job(found["trade"].removesuffix("s")) is not None,
    ),
    event(
        r"(?:{WAS}|used to be) (?P<trade>an? (?!bit\b|little\b|lot\b|bad\b|good\b|mess\b).+)",
        accepts=_was_job,
        type=MemoryType.SEMANTIC,
        category="work",
    ),
    fact(
        rf"{{BE}} (?P<value>(?:(?:the |a |an )(?:[\w-]+ )?(?:{_HEADS})|(?:{_HEADS})(?= of | at | "
        rf"in | for ))(?: of [\w &'-]+)?)(?: (?:at|"
        r"for|in|of) .+)?",
        read=lambda found, subject: (
            "job_title",
            re.sub(r"^(?:the|an?) | (?:at|for|in) .*$", "", found["value"]),
        ),
        category="work",
    ),
    fact(
        r"(?:teach~|{BE} teaching|(?:have|has) taught) (?P<what>.+)",
        accepts=_serious,
        category="work",
    ),
    fact(
        r"(?:(?:run~|manage~|own~|co-own~|{BE} running) (?:an?|my own|our own|his own|her own|the "
        r"(?:family|local)) (?P<what>.+)|{BE} self-employed.*|freelance~.*)",
        category="work",
    ),
    fact(
        r"{BE} (?:doing|finishing|writing|starting|pursuing|working on) (?:an?|my|his|"
        r"her) (?:[\w-]+ )?(?:phd|master'?s?|degree|thesis|dissertation|doctorate|bachelor'?s?|"
        r"apprenticeship|internship|novel|memoir|mba|traineeship|residency|book)\b.*",
        category="work",
    ),
    fact(
        r"(?:study~|{BE} studying|{BE} majoring in|major~ in|(?:have|has) been studying) "
        r"(?P<what>.+)",
        accepts=_serious,
        category="work",
    ),
    fact(
        r"(?:studied|{BE} a graduate of|(?:have|has|hold|holds|got) an? (?:[\w-]+ )?(?:degree|"
        r"phd|master'?s|mba|"
        r"diploma|doctorate|bachelor'?s)|{BE} (?:in|at) (?:primary|secondary|high|middle|nursery|"
        r"elementary) school|{BE} (?:in|repeating|starting|finishing) (?:year|grade|form) \w+|"
        r"go~ to (?:[\w']+ )*(?:school|"
        r"university|college|kindergarten|nursery)|attend~ [A-Z])\b.*",
        category="work",
    ),
    event(
        r"{HAD}(?:started|begun|got|found|landed|accepted|taken|took)(?: working)? "
        r"(?:an? |my |his |her )?(?:(?:new |first |old )?(?:job|position|role|post|internship) )?"
        r"(?:at|with|for) (?P<org>[A-Z].+)",
        read=_employer,
        accepts=_is_organisation,
        category="work",
    ),
    event(
        r"{HAD}(?:started|begun|got|found|landed|accepted|was offered) (?:an? |my |the |his |her )?"
        r"(?:new |first )?(?:job|position|role|internship|apprenticeship)\b.*",
        category="work",
    ),
    event(
        r"{HAD}(?:got|gotten|been accepted|accepted|admitted|been admitted) (?:in)?to (?:the |"
        r"an? |my |his "
        r"|her )?(?:.*\b(?:squad|team|school|university|college|course|programme|program|"
        r"orchestra|choir|"
        r"band|academy|conservatoire|nursery|league|finals?)\b|[A-Z]).*",
        category="work",
    ),
    event(
        r"{HAD}(?:left|quit|resigned from) (?P<org>[A-Z].+)",
        read=_employer,
        closes=True,
        accepts=lambda found: found["org"][:1].isupper(),
        category="work",
    ),
    event(
        r"{HAD}(?:(?:quit|left|lost) (?:my|his|her) job|quit|resigned|retired|"
        r"(?:got|was|were|been) (?:fired|laid off|sacked|made redundant)|"
        r"handed in (?:my|his|her) notice)\b.*",
        read=lambda found, subject: ("employer", ANY_VALUE),
        closes=True,
        category="work",
        accepts=lambda found: (
            not re.match(r"(?:(?:have|has) )?quit(?! (?:my|his|her)\b)", found.group())
        ),
    ),
    event(
        r"{HAD}(?:(?:got|was|were|been) (?:promoted|hired|tenure)|got tenure|graduated|"
        r"finished (?:school|university|my degree|my studies|my phd)|dropped out|changed jobs)\b.*",
        category="work",
    ),
    plan(
        r"(?:{BE} (?:starting|leaving|retiring|graduating|quitting)|(?:will )?(?:start~|leave~|"
        r"retire~|graduate~|begin~))\b.+",
        must_be_dated=True,
        category="work",
    ),
)
