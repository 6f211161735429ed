"""Say in the common way what is said in a roundabout one: "as a nurse I …", "I am a nurse"."""

import re

from app.memory.extract.subjects import CAPITALISED
from app.memory.extract.topics import put_in_order
from app.memory.extract.verbs import is_gerund_subject
from app.memory.extract.vocabulary import DOCTORS
from app.memory.when.words import WEEKDAYS, any_of

_TOLD = re.compile(
    r"^I (?:have )?(?:just |already |recently |finally )?(?:told|informed|warned) (?:my |our |"
    r"the )?[\w' ]+? (?:that )?(?=(?:I|we) "
    r"(?:am|are|will|have|do|cannot)\b)",
    re.IGNORECASE,
)
_DOCTORS = any_of(DOCTORS)
_TURNED = tuple(
    (re.compile(turned, re.IGNORECASE), plain)
    for turned, plain in (
        (r"^the name of (my [\w -]+?) is ", r"\1 is called "),
        (r"^(.+) is the name of (my [\w -]+)$", r"\2 is called \1"),
        (r"^it is ((?:my|our) [\w' -]+?) (on|in|tomorrow|today|next|this)\b", r"\1 is \2"),
        (
            r"^it is (my [\w' -]+?) (who|that) (?=has|is|does|cannot|will|was|had|needs|works|"
            r"lives)",
            r"\1 ",
        ),
        (r"^(?:both|all)(?: of)? (?=my |our )", ""),
        (
            rf"^(?:(?:my|the|our) (?:{_DOCTORS}|hospital|clinic)|they) (?:has |have )?"
            r"(?:just )?(?:put|started|prescribed) me (?:on )?",
            "I take ",
        ),
        (
            r"^(?:that|this|it) is (?:the|an?) ([\w-]+) (?:that |which )?(I|we) ([a-z]+) (.+)$",
            r"\2 \3 that \1 \4",
        ),
        (
            rf"^((?:my|our|the) (?:{_DOCTORS})) (?:says?|said|prescribed|ordered|recommends?|"
            rf"recommended|advises|advised) (?=no \w+)",
            r"\1 wants ",
        ),
        (
            rf"^(?:my |the |our )?(?:{_DOCTORS}) (?:says|said|told me|has told me|insists) "
            rf"(?:that )?"
            r"(?=no [\w' -]+ for me\b|I (?:(?:really |always |only )?\w+)\b|my \w+)",
            "",
        ),
        (
            r"^(I|we) would (?:describe|call|consider|class|count) (?:myself|ourselves) (?:as |"
            r"to be )?",
            r"\1 am ",
        ),
        (r"^(I am|we are) in the middle of (?=\w+ing )", r"\1 "),
        (rf"^me and (my [\w-]+(?: (?-i:{CAPITALISED}))?|(?-i:{CAPITALISED}))(?= )", r"\1 and I"),
        (
            r"^((?:\w+ )?(?:years?|months?|weeks?) (?:sober|clean|smoke-free))\b(?: today| now)?",
            r"I am \1",
        ),
        (
            r"^it is ((?:an?|the) .+?) (?:that |which |where )?(I|we) (live|work|drive|ride|play|"
            r"teach|sleep|study|"
            r"sail|fly|swim|train|cook|volunteer)( in| with| on| at| for| to)?(?=$|,)",
            r"\2 \3\4 \1",
        ),
        (r"^I have the (?:honou?r|pleasure|privilege) of (?:being|serving as) ", "I am "),
        (
            r"^I have the (?:honou?r|pleasure|privilege) of (presid|serv|chair|lead|teach|"
            r"conduct|represent)(?:e)?ing ",
            r"I \1e ",
        ),
        (
            r"^(I|we) would (?:pick|choose|take|always pick) (.+ (?:over|before) .+)$",
            r"\1 prefer \2",
        ),
        (
            r"^(my (?:best |oldest |closest )?(?:friend|mate|pal|bestie)) (?:since|from|at) [\w "
            r"]+? is ",
            r"\1 is ",
        ),
        (r"^having ((?:an?|no|two|three|only|my|some) [^,]+), (?=I |we |my )", r"I have \1, "),
        (r"^(not )?being (an? [\w' -]{3,40}?|from [\w' -]+?),? (?=I |we |my )", r"I am \1\2, "),
        (r"^having (\w+(?:ed|n|t|ght) [\w' ,-]+?),? (?=I |we |my )", r"I have \1, "),
        (r"^growing up (?:in|on|with|near) ([\w' -]+?),? (?=I |we |my )", r"I grew up in \1, "),
        (r"^coming from ([\w' -]+?),? (?=I |we |my )", r"I come from \1, "),
        (
            r"^(live|work|stud|teach)(?:y)?ing (as|in|at|with|on|for|near|alone|abroad)([\w' "
            r"-]*?),? (?=I |we |my )",
            r"I \1 \2\3, ",
        ),
        (r"^(?:speaking|writing) as (an? [\w' -]{3,40}?)(?:, .*)?$", r"I am \1"),
        (r"^I (?:would|should) say (?:that )?(?=my |I |our |we )", ""),
        (r"^(?:forgot|forgetting) to (?:say|mention|add)(?: that)?,? (?=I |my |we )", ""),
        (
            rf"^(?:my |the |our )?(?:{_DOCTORS}|school|teacher|optician|midwife|solicitor) "
            rf"(?:says|said|thinks|confirmed) (?:that )?"
            r"(?=(?:my|our) \w+ |I am |I have )",
            "",
        ),
        (r"^it is no use,? (?=I )", ""),
        (
            r"^(.*\bwork(?:s|ing|ed)?) like (?=an? (?!dog|slave|horse|maniac|mad|donkey|charm|"
            r"dream|"
            r"trojan|beast|machine)\w)",
            r"\1 as ",
        ),
        (r"^by the time (I \w+ (?:\w+ )*?(?:in|on) \d{4}),? (?=I |we |my )", r"\1, "),
        (r"^I (?:have been|was|am) (?:always )?told (?:that )?(?=my )", ""),
        (r"^I would (?:put|rate|place) my (\w+) at ", r"my \1 is at "),
        (r"^(I|we) have not (?=(?:children|kids|pets|any|a|the|much|many)\b)", r"\1 do not have "),
        (
            r"^I am (\d+|two|three|four|five|six|seven|eight|nine|ten|many) (years|months) in "
            r"(?=[A-Z])",
            r"I have been for \1 \2 in ",
        ),
        (
            r"^(?:nobody|no one|everyone|everybody|only (?:my|our) [\w ]+?|(?:my|our) [\w ]+?) "
            r"(?:(?:at|in|"
            r"from) [\w ]+? )?(?:already |also )?knows? (?:that )?(?=I (?:am|have|was|cannot|do "
            r"not)\b)",
            "",
        ),
        (
            r"^(?:I|we) (?:have )?(?:just |recently |finally )*(?:found out|discovered|learned|"
            r"learnt) "
            r"(?:that )?(?=(?:I am|I have|we are|we have|my \w+) )",
            "",
        ),
        (
            r"^(?:(?:my |the |a )?(?:surgeons?|doctors?|dentist|hospital)|they) (?:has |have "
            r")?(removed|"
            r"took out|replaced|amputated|fused) (my [\w ]+?)(?=$|,| in | last | when | at | on )",
            lambda m: f"I had {m[2]} {m[1].replace('took', 'taken')}",
        ),
        (r"^I was (?:told|informed) (?:that )?I (have|am|had) ", r"I \1 "),
        (
            r"^(?:they|the doctors?|the hospital|the school) (?:have |has |just |finally "
            r")*diagnosed (?:(me)|((?:my|our) "
            r"[\w ]+?)) with ",
            lambda m: f"{'I' if m[1] else m[2]} was diagnosed with ",
        ),
        (
            r"^as (?:someone|somebody|a person) (?:with|who has) (.{2,40}?),? (?=I (?!have\b))",
            r"I have \1, ",
        ),
        (r"^as (?:someone|somebody) from (.{2,40}?),? (?=I )", r"I am from \1, "),
        (r"^as (?:someone|somebody) who (is .{2,40}?),? (?=I )", r"I \1, "),
        (
            r"^(I am|we are) not (?:supposed|meant) to (?=(?:eat|drink|have|lift|fly|drive|smoke|"
            r"run|"
            r"wear|take|swim|touch)\b)",
            lambda m: f"{m[1].split()[0]} must not ",
        ),
        (
            rf"^((?:{'|'.join(WEEKDAYS)})(?: night| evening| lunch)?) is (?=[\w-]+ (?:night|day|"
            rf"evening)\b)",
            r"our \1 is ",
        ),
        (r"^as an? ([\w -]{3,30}?),? (?=I )", r"I am a \1, "),
        (
            r"^after ([\w-]+) years (in|at|as|of|with) ([\w' -]{3,40}?),? (?:I (?:know|can tell|"
            r"think|have seen|have learn)|a (?:man|woman|person)|one|you)\b.*$",
            r"I spent \1 years \2 \3",
        ),
        (
            r"^I (?:am writing|write) (?:to you )?(?:in my capacity )?as (?=the |an? |[a-z])",
            "I am ",
        ),
        (
            rf"^((?-i:{CAPITALISED})), ((?:my|our) [\w-]+(?: [\w-]+)?), (?=(?:is|has|was|will|does|"
            r"cannot|loves|hates|needs|works|lives|plays|goes|turns|gets|takes|keeps)\b)",
            r"\2 \1 ",
        ),
        (
            rf"^((?:my|our) [\w-]+(?: [\w-]+)?), ((?-i:{CAPITALISED})), (?=(?:is|has|was|will|does|"
            r"cannot|loves|hates|needs|works|lives|plays|goes|turns|gets|takes|keeps)\b)",
            r"\1 \2 ",
        ),
        (
            r"^(\w+),? (?:that is|who is|she is|he is|it is) ((?:my|our) [\w -]+?), (?=is|has|"
            r"was|will|does|cannot|loves|"
            r"hates|needs|works|lives|plays|goes|turns)",
            r"\2 \1 ",
        ),
        (
            r"^(\w+),? (?:that is|who is|she is|he is|it is) (my [\w -]+?)(?:,.*)?$",
            r"\1 is \2",
        ),
    )
)


# Most sentences are said plainly: one look tells.
_ANY_TURNED = re.compile(
    "|".join(f"(?:{pattern.pattern})" for pattern in (_TOLD, *(p for p, _ in _TURNED))),
    re.IGNORECASE,
)


def plainly(text: str) -> str:
    """Say in the common way what is said in a roundabout one: "as a nurse I …", "I am a nurse"."""
    text = put_in_order(text)
    if not _ANY_TURNED.match(text) or is_gerund_subject(text.split(",")[0].split()):
        return text
    text = _TOLD.sub("", text)
    for pattern, plain in _TURNED:
        text = pattern.sub(plain, text)
    return text
