"""What people like and dislike, and what they do with their time."""

import re

from app.memory.extract.rule import LIVING, Found, Rule, event, fact, plan
from app.memory.extract.vocabulary import LANGUAGES

_LANGUAGES = "|".join(sorted(LANGUAGES, key=len, reverse=True))
_LIKING = (
    r"(?:like~|love~|adore~|enjoy~|prefer~|hate~|dislike~|detest~|despise~|loathe~|fear~|"
    r"cannot (?:stand|bear|resist|live without)|can not stand|look~ up to|root~ for|support~|miss~)"
)
# Words that point at the conversation, not at the world.
_POINTING = re.compile(
    r"^(?:it\b(?! when)|this|that|these|those|them|him|her|both|either|all|everything|nothing|"
    r"something|to (?:say|think|know|see|hear|admit|tell|ask|bother|be (?:honest|able)|believe)\b|"
    r"how\b|what\b|(?:the|an?) (?:\w+ )?(?:first|second|third|fourth|last|next|other|same|idea|"
    r"way|version|"
    r"option|one|ones|look|sound|answer|result|title|suggestion|text|latter|former|above|rest|"
    r"lot|part|fact|tone|style|layout|new)\b|(?:one|two|three|number|option|version) ?\d*$)",
    re.IGNORECASE,
)
_INSTRUMENTS = (
    "piano|guitar|violin|viola|cello|flute|clarinet|oboe|bassoon|trumpet|trombone|horn|tuba|drums?|"
    "bass|saxophone|sax|harp|organ|accordion|ukulele|banjo|mandolin|recorder|keyboards?|"
    "harmonica|bagpipes|double bass|lute|sitar|percussion|synth"
)
_GAMES = (
    "football|soccer|tennis|basketball|volleyball|hockey|field hockey|rugby|cricket|baseball|golf|"
    "squash|badminton|table tennis|padel|chess|bridge|poker|darts|snooker|handball|korfball|"
    "water polo|go|backgammon|dungeons|d&d|board games|video games|computer games|the lottery|"
    "ultimate|petanque|lacrosse|netball|scrabble|minecraft|cards"
)
_HOBBIES = (
    "collect~|paint~|draw~|knit~|crochet~|sew~|garden~|bake~|cook~|brew~|swim~|jog~|cycle~|climb~|"
    "sing~|dance~|hike~|row~|sail~|surf~|ski~|fence~|box~|dive~|fish~|hunt~|camp~|meditate~|"
    "volunteer~|practise~|practice~|do~ (?:yoga|karate|pilates|judo|crossfit|tai chi|ballet|"
    "pottery|"
    "woodwork|archery|jiu-jitsu|taekwondo|gymnastics|athletics|crosswords|sudokus?)|breed~|"
    "keep~ (?:bees|hens|chickens|sheep|goats|a diary|a journal)|grow~ (?:my |our )?|restore~|"
    "build~ model|ride~ (?:a |my )?(?:horse|bike|bicycle|motorbike|motorcycle)|go~ (?:to the gym|"
    "\\w+ing)|read~ (?:a lot|mostly|mainly|crime|science|history|fantasy|novels|comics|manga)|"
    "watch~ (?:a lot|mostly|birds|anime|football|every)|train~ for|run~ (?:marathons|half|every|"
    "trails|with|\\d|on|to work|regularly|twice|a lot)|compose~|blog~|podcast~|translate~|juggle~|"
    "carve~|forage~|do~ (?:volunteer|voluntary) work"
)
_OFTEN = (
    r"(?:every|each|most|on) (?:other )?(?:single )?(?:day|morning|evening|night|week|weekday|"
    r"weekend|"
    r"month|year|summer|winter|spring|autumn|sunday|monday|tuesday|wednesday|thursday|friday|"
    r"saturday)s?|(?:once|twice|three times|four times|five times|\w+ times) (?:a|per) (?:day|week|"
    r"month|year)|daily|weekly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|at weekends"
)
_ROUTINE = (
    r"(?:get~ up|wake~ up|go~|eat~|drink~|have~ (?:breakfast|lunch|dinner|coffee|tea|a nap)|cook~|"
    r"run~|walk~|cycle~|swim~|sleep~|work~|wear~|read~|watch~|drive~|take~|train~|exercise~|smoke~|"
    r"shop~|pray~|meditate~|travel~|commute~|call~ (?:my|our)|visit~|start~ work|bike~|rise~|nap~)"
)


def _points_outward(found: Found) -> bool:
    return not _POINTING.match(found["what"])


RULES: tuple[Rule, ...] = (
    fact(
        r"(?:used to|no longer) (?:like~|love~|hate~|enjoy~|play~|speak~|sing~|dance~|paint~|"
        r"collect~) .+",
        category="preference",
    ),
    fact(
        r"(?:{NOT} |no longer |never )(?:really |particularly |much |even )?(?:like|love|enjoy|"
        r"care for|mind|prefer|hate|trust|tolerate|get on with|celebrate|watch|want (?:kids|"
        r"children)|"
        r"believe in|fancy) (?P<what>.+)",
        accepts=_points_outward,
        category="preference",
    ),
    fact(
        _LIKING + r"(?: (?:it when|both|all kinds of|everything about))? (?P<what>.+)",
        LIVING,
        accepts=_points_outward,
        category="preference",
    ),
    fact(
        r"{BE} (?:not )?(?:(?:an? )?(?:(?:big|huge|massive|great|total|avid|lifelong) )?(?:fan|"
        r"lover|"
        r"supporter) of|an? (?:avid|keen|passionate|amateur|enthusiastic|hobby|big) [\w -]+|"
        r"(?:not )?(?:really |very |that |much )?(?:into|fond of|keen on|crazy about|mad about|"
        r"obsessed with|passionate about|afraid of|scared of|terrified of|addicted to|fluent in|"
        r"good at|bad at|terrible at|hooked on|partial to|interested in|used to|proud of|"
        r"a sucker for|phobic of)) ?(?P<what>.*)",
        LIVING,
        accepts=_points_outward,
        category="preference",
    ),
    fact(
        r"{BE} an? (?:[\w-]+ )?(?:morning person|night owl|early bird|early riser|cat person|"
        r"dog person|people person|introvert|extrovert|perfectionist|foodie|bookworm|coffee "
        r"drinker|"
        r"tea drinker|smoker|non-smoker|light sleeper|heavy sleeper|minimalist|feminist|pacifist|"
        r"gamer|runner|swimmer|cyclist|climber|hiker|birder|birdwatcher|beekeeper|homeowner|"
        r"homebody|optimist|pessimist|slow reader|fast reader|beginner(?: at| in) .+)\b.*",
        LIVING,
        category="preference",
    ),
    fact(
        rf"(?:speak~|understand~|read~|know~|write~) (?P<what>(?:[\w ,-]+ )?(?:{_LANGUAGES})\b.*)",
        category="skill",
    ),
    fact(
        r"(?:{BE} (?:learning|studying|teaching myself|taking lessons in)|learn~|(?:have|has) been "
        r"(?:learning|practising|practicing|playing)|{BE} taking) (?:to |how to |the |some )?"
        r"(?P<what>.+)",
        accepts=_points_outward,
        category="skill",
    ),
    fact(
        rf"(?:play~|{{BE}} playing|played) (?:in |the |some |a bit of |a lot of |wheelchair |"
        rf"amateur |semi-pro )*(?:{_INSTRUMENTS}|{_GAMES})\b.*",
        category="hobby",
    ),
    fact(r"(?:sing~|play~|dance~|act~) (?:in|with|for) .+", category="hobby"),
    fact(
        r"{BE} (?:in|on|part of|a member of|a volunteer at|a volunteer with) (?:an?|the|my|our) "
        r"(?:[\w'-]+ ){0,3}?"
        r"(?:choir|band|orchestra|club|team|league|society|committee|board|union|group|gang|party|"
        r"association|council|scouts|fire brigade|church)\b.*",
        category="hobby",
    ),
    fact(rf"(?:{_HOBBIES})\b.*", category="hobby"),
    fact(r"{BE} training for .+", category="goal"),
    fact(
        rf"(?:(?:usually|always|often|normally|never|rarely|hardly ever|typically|generally|"
        rf"sometimes|only) )+{_ROUTINE} (?P<what>.*)",
        LIVING,
        accepts=_points_outward,
        category="habit",
    ),
    fact(rf"{_ROUTINE} (?P<what>.*)\b(?:{_OFTEN})\b.*", LIVING, category="habit"),
    plan(
        r"(?:want~|hope~|plan~|intend~|{BE} (?:planning|hoping|training|saving(?: up)?|trying)|"
        r"dream~ of|"
        r"have~ decided|decided) (?:to |on |for )?(?:learn|learning|become|becoming|run|running|"
        r"visit|visiting|"
        r"move|moving|quit|quitting|lose|travel|travelling|traveling|retire|retiring|climb|sail|"
        r"emigrate|get (?:married|fit|a (?:dog|cat))|start (?:a|my)|open (?:a|my)|adopt|buy a "
        r"(?:house|flat|boat|home)|apply (?:to|for)|go (?:to|back)|finish my|take up|give up|stop|"
        r"a (?:house|"
        r"marathon|triathlon|boat)|the \w+ marathon)\b.*",
        category="goal",
    ),
    event(
        r"{HAD}(?:taken up|took up|started (?:learning|playing|running|cycling|swimming|"
        r"climbing|doing|going|taking)|joined|signed up (?:for|to)|enrolled (?:in|at)) .+",
        category="hobby",
    ),
    event(
        r"{HAD}(?:stopped|quit|given up|gave up) (?:(?:\w+ing)|smoking|alcohol|coffee|sugar|"
        r"meat|drinking|eating|playing|dairy|caffeine)\b.*",
        category="habit",
        accepts=lambda found: (
            not re.search(r"\b(?:working|responding|loading|running)\b", found.group())
        ),
    ),
)
