"""What lives are made of: words for what people have, do and plan, beside those in the tables."""

import re

from app.memory.extract.vocabulary import OCCASIONS, listed
from app.memory.when import words as when

BUSINESS = (
    "bakery|shop|firm|company|department|club|school|restaurant|caf[eé]|pub|farm|band|choir|branch|"
    "charity|studio|practice|garage|salon|stall|business|ward|lab|office|nursery|brewery|workshop|"
    "bookshop|vineyard|dairy|guest ?house|b&b|hotel|agency|consultancy|foundation|association"
)

# Of a home and its ways: "in our house we take our shoes off".
CUSTOM = re.compile(
    r"\bin (?:our|my) (?:house|home|family|household|culture|religion|country|village|faith)\b",
    re.I,
)

SERVED = re.compile(
    r"^(?:my |his |her )?(?:a[- ]levels|gcses|a[- ]level \w+)\b|^(?:my|an?|his|her) (?:\w+ "
    r")?(?:service|apprenticeship|degree|training|a[- ]levels|"
    r"master'?s|internship|phd|"
    r"bachelor'?s|residency|gcses|exams|lessons|time)\b|^an? (?:gap )?(?:year|semester|term|"
    r"stint|season|"
    r"summer|tour)\b",
    re.IGNORECASE,
)

OWN_DATE = re.compile(
    r"\b(?:root canal|exams?|test|interview|surgery|operation|appointment|viva|audition|concert|"
    r"recital|"
    r"wedding|funeral|flight|race|match|marathon|party|trip|holiday|court|hearing|scan|mri|"
    r"biopsy|check-?up|"
    r"shift|visit|guests?|booking|reservation|tickets?|ceremony|graduation|finals?|gcses|a[- "
    r"]levels|driving|"
    r"mock|resit|exam|finals|driving test|deadline|presentation|performance|gig|tournament|"
    r"competition|christening|communion|bar mitzvah|"
    r"reunion|move|"
    r"due date|baby shower|hen do|stag do|conference|workshop|course|defence|exhibition|dentist|"
    r"physio|"
    r"therapy|blood test|jab|vaccination|meeting with)\b",
    re.IGNORECASE,
)

# What a person has for good: of the body, of the house, of the road, and for a pastime.
HELD = re.compile(
    r"\b(?:\w+(?:itis|osis|[ae]mia|algia|opathy|phobia|plegia|lexia|praxia|calculia|graphia|"
    r"phasia|somnia|tonia|trophy|uria|pnoea|pnea|"
    r"oedema|edema|megaly|ilepsy|betes)|stutter|"
    r"stammer|lisp|"
    r"limp|squint|hernia|slipped disc|(?:bad|weak|dodgy|trick|fused|sensitive|delicate|false|"
    r"artificial|glass|"
    r"prosthetic|replacement|crooked|flat|broad|wide|narrow|small|big|left) (?:back|knees?|hips?|"
    r"shoulders?|"
    r"heart|stomach|skin|teeth|eyes?|leg|arm|foot|feet|hands?|bladder|ankles?|wrists?)|(?:no|"
    r"one) (?:kidney|"
    r"arm|leg|eye|lung|hand|ear|thyroid|spleen|gallbladder|appendix|sense of \w+)|stoma|"
    r"implants?|pacemaker|"
    r"dentures|braces|hearing aids?|glasses|contact lenses|prosthesis|(?:\w+ )?(?:passport|"
    r"citizenship|"
    r"nationality|visa|residence permit|green card|driving licen[cs]e|licen[cs]e|degree|diploma|"
    r"doctorate|"
    r"black belt(?! in (?!judo|karate|taekwondo|aikido|kendo|bjj|jiu))|certificate|season ticket|"
    r"rail ?card|membership|subscription|mortgage|pension|"
    r"garden|balcony|"
    r"terrace|patio|allotment|greenhouse|conservatory|yard|shed|garage|cellar|basement|attic|"
    r"loft|oven|"
    r"stove|hob|microwave|dishwasher|freezer|fridge|air fryer|slow cooker|pressure cooker|"
    r"thermomix|"
    r"bread maker|tumble dryer|washing machine|fireplace|log burner|wood burner|heat pump|solar "
    r"panels|"
    r"boiler|sauna|pool|pond|hot tub|bath|bathtub|shower only|lift|stairs|spare room|holiday "
    r"home|caravan|"
    r"camper(?: ?van)?|motorhome|van|car|bike|e-bike|bicycle|motorbike|scooter|moped|boat|kayak|"
    r"canoe|"
    r"tractor|trailer|piano|guitar|violin|cello|drum kit|keyboard|banjo|ukulele|sewing machine|"
    r"loom|kiln|"
    r"telescope|drone|record player|turntable|3d printer|lathe|tandem|trampoline|treadmill|"
    r"rowing machine|(?:standing )?desk|typewriter|time-?share|landline|second home|loom|easel|"
    r"darkroom|aga|rayburn|"
    r"tattoos?|piercings?|beard|moustache|freckles|(?:curly|long|short|red|grey|thick|thin|fine|"
    r"afro|blond|"
    r"blonde|dry|oily|greasy|dyed) hair|(?:dry|oily|sensitive|combination|fair|dark|pale|olive) "
    r"skin|"
    r"(?:blue|green|brown|grey|hazel) eyes|sweet tooth|green thumb|green fingers|soft spot for|"
    r"weakness for|"
    r"fear of|phobia of|thing for|\w+ (?:accent|roots|blood|parents|ancestry|heritage)|"
    r"stepchildren|"
    r"in-laws|godchild(?:ren)?|ancestors|pen pal|employees|staff of|patients|pupils|students|"
    r"clients|"
    r"tenants|lodgers?|hives|sheep|cows|goats|acres|hectares|followers|(?:two|three|four|five) "
    r"languages|(?:day|days|mondays?|tuesdays?|"
    r"wednesdays?|thursdays?|fridays?|afternoons?|mornings?) off|jobs|custody|iud|coil|epipen|"
    r"inhaler|insulin "
    r"pump|cpap|walking stick|wheelchair|crutches|walker|guide dog|assistance dog|carer|nanny|au "
    r"pair|cleaner))\b",
    re.IGNORECASE,
)

TROUBLE = re.compile(
    r"^(?:a lot of |some |great |real )?(?:trouble|difficulty|problems|a hard time) (?:with "
    r"(?:my|stairs|names|"
    r"faces|numbers|small print)|swallowing|reading|hearing|walking|standing|seeing|bending|"
    r"writing|gripping|"
    r"breathing|chewing|kneeling|concentrating|falling asleep)\b",
    re.IGNORECASE,
)

GOALS = re.compile(
    r"^(?:to|for) (?:save|put (?:away|aside)|learn|lose|gain|quit|stop|give up|conceive|have a "
    r"(?:baby|"
    r"child)|get (?:pregnant|fit|into|my|our|a (?:job|visa|mortgage|dog|cat)|better at|to \w+)|"
    r"become|move|"
    r"eat (?:less|more|no)|drink less|run an?|buy an?|retire|cut (?:down|back|out)|reach|raise|"
    r"sell|go (?:vegan|"
    r"vegetarian)|emigrate|pass|finish my|open an?|start an?|read (?:one|a|more)|adopt|swim|"
    r"climb|cycle|walk "
    r"the|the|an?|my|our)\b",
    re.IGNORECASE,
)

HOLDING = frozenset(
    listed(
        "rent, run, own, manage, lead, keep, share, teach, coach, drive, ride, play, study, host, "
        "support, sponsor, chair, edit, attend, sell, grow, raise, breed, train, serve, head, "
        "foster, direct, conduct, organise, operate, supervise, represent, tend, restore, owe, "
        "practise, practice, wear, use, cycle, commute, specialise, handle, reside, collect, "
        "volunteer, earn, preside, weigh, pay, belong, farm, curate, follow, write, fly, sleep, "
        "cook, bake, brew, knit, sew, paint, sing, shoot, translate, code, build, design, walk "
        "with, "
        "homeschool, babysit, mentor, moderate, narrate, referee, tutor, dj, blog, vlog, podcast"
    )
)

THING_VERBS = frozenset(
    listed(
        "sit, run, expire, start, end, close, open, begin, fall, come, finish, measure, weigh, "
        "cost, "
        "hover, go, leave, arrive, depart, take, meet, rehearse, hold, sleep, seat, have, live, "
        "stand, face, lie, belong, stay, last, hurt, serve, move, make, sell, need, renew, rest, "
        "get, be, turn, change, use, burn, cover, include, overlook, back, contain, train, play, "
        "perform"
    )
)

STEADY = frozenset(
    listed("face, belong, rehearse, meet, sleep, overlook, specialise, seat, burn, renew, train")
)

LASTING = frozenset(
    listed(
        "train, learn, study, save, plan, build, expect, live, rent, restore, renovate, prepare, "
        "raise, "
        "teach, retrain, apply, recover, convert, organise, attend, coach, move, retire, knit, "
        "sew, breed, "
        "date, adopt, foster, volunteer, freelance, homeschool, rebuild, campaign, research, "
        "redecorate, "
        "wean, grow, qualify, divorce, separate, immigrate, emigrate, relocate, downsize"
    )
)

LIVED = frozenset(
    listed(
        "marry, divorce, retire, graduate, emigrate, immigrate, adopt, inherit, convert, enlist, "
        "qualify, "
        "publish, found, survive, study, serve, separate, relocate, renovate, foster, donate, "
        "elope, remarry, "
        "teach, name, raise, retrain, undergo, miscarry, propose, bury, train, volunteer, "
        "apprentice, breed, coach"
    )
)

SKILLS = frozenset(
    listed(
        "drive, swim, ride, read, type, speak, cook, play, sing, dance, ski, sail, fly, climb, "
        "eat, "
        "drink, tolerate, smell, taste, lift, kneel, whistle, knit, sew, juggle, weld, touch, "
        "stand, "
        "digest, wear, cycle, run, walk, sign, skate, bend, carry, bake, paint, draw, crochet, "
        "program, code"
    )
)

# What one cannot do just now, which says little of what one can.
UNABLE_NOW = frozenset(
    listed(
        "sleep, concentrate, wait, believe, decide, talk, come, make, go, stop, help, breathe, "
        "find, think, "
        "tell, hear, remember, see, log, open, access, connect, install, load, get, figure, "
        "focus, relax, work, "
        "join, attend, move, leave, stay, reach, afford, choose, complain, imagine, answer, send,"
        " keep, promise, "
        "say, explain, understand, resist, put, wake, call, reply, login, download"
    )
)

ADVISED = frozenset(
    listed(
        "lose, gain, avoid, wear, take, inject, carry, eat, drink, limit, have, lift, fly, fast, "
        "use, rest"
    )
)

ABSTRACT = re.compile(
    r"\b(?:question|point|goal|guess|answer|problem|idea|plan|understanding|code|result|"
    r"favou?rite|choice|"
    r"example|task|essay|text|title|version|query|opinion|mistake|friend|issue|first|last|next|"
    r"best|worst|"
    r"email|message|draft|order|parcel|train|bus|tea|coffee|soup|phone|head|brain|stomach|mood|day|"
    r"evening|weekend|internet|connection|screen|password|character|avatar|turn|advice|thought|"
    r"suggestion|dream|horoscope|essay|homework|assignment|assumption|hypothesis|budget for this)$"
)

AT_HOME = re.compile(
    r"\b(?:in|on|at|to|from|with|for) (?:our|my|this) (?:\w+ )?(?:place|house|flat|home|street|"
    r"building|village|"
    r"office|road|family|school|garden|town|area|neighbourhood|block|block of flats|estate|"
    r"island|farm|"
    r"parish|church|club|gym|apartment|kitchen|part of \w+|work|job|shift|team|department|floor|"
    r"household)\b|"
    r"\bwith me\b|\bfor us\b",
    re.IGNORECASE,
)

OF_HOME = re.compile(
    r"\b(?:heating|hot water|oven|hob|stove|cooker|accent|commute|salary|faith|religion|"
    r"background|heritage|"
    r"ethnicity|surname|hair|skin|eyesight|handwriting|day off|shifts?|allotment|garden|balcony|"
    r"flat|house|"
    r"kitchen|bathroom|boiler|street|village|office|school|gym|church|landlord|landlady|"
    r"household|family|"
    r"hometown|star sign|dialect|wheelchair|subjects|options|gcses|interests|languages|colours|"
    r"measurements|siblings|working hours|hours|guitar|piano|violin|cello|bike|car|van|boat|"
    r"caravan|bank|insurer|"
    r"tablets|pills|meds|medication|inhalers?|drops|"
    r"roof|fridge|washing machine|dishwasher|windows|chimney|septic tank|"
    r"politics|hobby|hobbies|speciali[st]ty|instrument|field|trade|title|rank|regiment|due date|"
    r"blood pressure|"
    r"cholesterol|pulse|wake-?up time|bedtime|curfew|band|choir|team|club|dosage|dose|diet|"
    r"degree)$",
    re.IGNORECASE,
)

# Of a thing that has gone wrong, or is praised or blamed.
FAULTY = re.compile(
    r"^(?:not|broken|dead|late|slow|down|off|out|too|very|so|really|great|good|bad|terrible|"
    r"awful|nice|lovely|"
    r"ok|okay|fine|full|empty|dirty|cold|hot|wet|noisy|loud|quiet|stuck|gone|missing|lost|wrong|"
    r"boring|amazing|"
    r"perfect|ready|finished|closed|open|making|a bit|a little|a mess|killing|driving me|acting|"
    r"playing up|"
    r"leaking|smoking|beeping|flat|here|there|about|on fire|ruined|beautiful|pretty|horrible|"
    r"stressful)\b",
    re.IGNORECASE,
)

# What is told of these with a day concerns whoever tells it: "the biopsy is on Monday".
EXPECTED = re.compile(
    rf"\b(?:{when.any_of(OCCASIONS)}|parents' evening|sports day|school play|open day|viewing|"
    rf"plumber|electrician|dentist|doctor|hairdresser|optician|orthodontist|mot|builders?|"
    rf"cleaner|boiler|\w+ man|\w+ "
    rf"woman|engineer|inspector|"
    r"movers|removal men|vet|midwife|landlord|landlady|buyers?|guests|in-laws|baby|kids|children|"
    r"twins|puppy|kittens|"
    r"kitchen|roof|biopsy|transfer|op|procedure|treatment|chemo|radiotherapy|viewing|completion|"
    r"handover|closing|"
    r"removal|rent|deposit|tax return|thesis|trial|hearing|funeral|wake|christening|baptism|"
    r"reunion|recital|"
    r"tournament|audition|mortgage|council|midwives|physio|consultant|specialist|locksmith|"
    r"carpenter|decorators?|"
    r"painters?|delivery|sofa|surgeon|school|nursery|team|band|choir)$",
    re.IGNORECASE,
)

AT_WORK = re.compile(
    r"^(?:\w+ )?(?:company|firm|business|shop|studio|restaurant|bakery|start-?up|school|band|"
    r"choir|club|team|"
    r"office|department|practice|charity|association|employer|farm|caf[eé]|pub|church|parish)$",
    re.IGNORECASE,
)

FREQUENT = frozenset(
    listed("get, give, see, become, choose, miss, want, need, like, look, help, let, lack")
)
