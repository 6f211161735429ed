"""What people like and dislike, and what they do with their time."""

import re

from app.memory.extract.rule import LIVING, OTHERS, SELF, THINGS, Found, Rule, event, fact, plan
from app.memory.extract.vocabulary import LANGUAGES

_LANGUAGES = "|".join(sorted(LANGUAGES, key=len, reverse=True))
_LIKING = (
    r"(?:like~|love~|adore~|enjoy~|prefer~|hate~|dislike~|detest~|despise~|loathe~|fear~|"
    r"cannot (?:stand|bear|resist|abide|live without|get enough of)|can not stand|look~ up to|"
    r"root~ for|support~|miss~)"
)
# Words that point at the conversation, not at the world.
_POINTING = re.compile(
    r"^(?:it\b(?! when)|this|that|these|those|them|him|her|both|either|all|everything|nothing|"
    r"something|to (?:say|think|know|see|hear|admit|tell|ask|bother|be (?:honest|able)|"
    r"believe)\b|how\b|what\b|(?:the|an?) (?:\w+ )?(?:first|second|third|fourth|last|next|other|"
    r"same|idea|way|version|option|one|ones|look|sound|answer|result|title|suggestion|text|"
    r"latter|former|above|rest|lot|part|fact|tone|style|layout|new)\b|(?:one|two|three|number|"
    r"option|version) ?\d*$|(?:a ton|tons|loads|as much|so much|about (?:what|how|it|them|"
    r"that))\b)",
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
    "collect~|paint~|draw~(?! (?:my|the|his|her|back|near|up|from|on|an?)\\b)|knit~|crochet~|"
    "sew~|garden~|bake~|cook~|brew~|swim~|jog~|cycle~|"
    "climb~|sing~|dance~|hike~|row~|sail~|surf~|ski~|fence~|box~|dive~|fish~|hunt~|camp~|"
    "meditate~|volunteer~|practise~|practice~|do~ (?:yoga|karate|pilates|judo|crossfit|tai chi|"
    "ballet|pottery|woodwork|archery|jiu-jitsu|taekwondo|gymnastics|athletics|crosswords|"
    "sudokus?)|breed~|keep~ (?:bees|hens|chickens|sheep|goats|a diary|a journal)|grow~ (?:my |"
    "our )?|restore~|build~ model|ride~ (?:a |my )?(?:horse|bike|bicycle|motorbike|motorcycle)|"
    "go~ (?:to the gym|\\w+ing)|read~ (?:a lot|mostly|mainly|crime|science|history|fantasy|"
    "novels|comics|manga)|listen~ to (?:a lot|mostly|\\w+ music)|watch~ (?:a lot|mostly|birds|"
    "anime|football|every)|train~ for|run~ (?:marathons|half|every|trails|with|\\d|on|to work|"
    "regularly|twice|a lot)|compose~|blog~|podcast~|translate~|juggle~|carve~|forage~|"
    "do~ (?:volunteer|voluntary) work"
)
_OFTEN = (
    r"(?:every|each|most|on) (?:other )?(?:single )?(?:day|morning|evening|night|week|weekday|"
    r"weekend|month|year|summer|winter|spring|autumn|sunday|monday|tuesday|wednesday|thursday|"
    r"friday|saturday)s?|(?:once|twice|three times|four times|five times|\w+ times) (?:a|"
    r"per) (?:day|week|month|year)|daily|weekly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"at weekends"
)
_ROUTINE = (
    r"(?:get~ up|wake~ up|go~|eat~|drink~|have~ (?:breakfast|lunch|dinner|coffee|tea|a nap)|cook~|"
    r"run~|walk~|cycle~|swim~|sleep~|work~|wear~|read~|watch~|drive~|take~|train~|exercise~|smoke~|"
    r"shop~|pray~|meditate~|travel~|commute~|call~ (?:my|our)|visit~|start~ work|bike~|rise~|nap~)"
)


# "I love the colours" is said of what lies before one; "I love the sea" is not.
_BEFORE_ONE = re.compile(
    r"^(?:all )?the (?!(?:\w+ )?(?:sea|ocean|seaside|beach|coast|mountains?|hills|outdoors|country|"
    r"countryside|woods|forest|theatre|theater|opera|ballet|cinema|circus|gym|rain|snow|cold|heat|"
    r"sun|"
    r"sunshine|winter|summer|spring|autumn|fall|dark|night|mornings?|evenings?|radio|library|"
    r"dentist|"
    r"zoo|sauna|internet|news|water|wind|desert|city|north|south|west|east|quiet|silence|moors?|"
    r"fells|lakes?|stars|moon|tube|underground|underdog|bagpipes|violin|piano|cello|guitar|organ|"
    r"accordion|harp|drums|blues|classics|outback|bush|jungle|smell|sound|taste|feeling)"
    r"(?:$|,| (?:and|or|at|in|on|of|when|so|but|because|here|near|with|by)\b))"
    r"(?-i:[a-z][a-z' ,-]*)$|^(?:\w+ )?\w+ing (?:\w+ ){0,2}?(?:them|it|this|that|these|those)\b(?! "
    r"when)|"
    r"^(?:her|his|their|your) \w+|^\w+ the thought\b|.*\b(?:even more|so far)$"
)


def _points_outward(found: Found) -> bool:
    return not (_POINTING.match(found["what"]) or _BEFORE_ONE.match(found["what"]))


RULES: tuple[Rule, ...] = (
    fact(
        r"(?:used to|no longer) (?:like~|love~|hate~|enjoy~|play~|speak~|sing~|dance~|paint~|"
        r"collect~) .+",
        category="preference",
    ),
    fact(
        r"(?:{NOT} |no longer |never )(?:really |particularly |much |even )?(?:like|love|enjoy|"
        r"care for|mind|prefer|hate|trust|tolerate|get on with|celebrate|watch|want (?:kids|"
        r"children)|believe in|fancy) (?P<what>.+)",
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
        r"{BE} (?:not )?(?:more )?(?:(?:an? )?(?:(?:big|huge|massive|great|total|avid|lifelong) "
        r")?(?:fan|"
        r"lover|supporter) of|an? (?:avid|keen|passionate|amateur|enthusiastic|hobby) [\w -]+|"
        r"an? big [\w ]*(?:reader|fan|"
        r"eater|drinker|lover|follower|believer|supporter|gamer|walker|cook|tea|coffee)\b[\w -]*|"
        r"(?:not )?(?:really |very |that |much |more )?(?:into|fond of|keen on|"
        r"crazy about|mad about|obsessed with|passionate about|afraid of|scared of|terrified of|"
        r"addicted to|fluent in|good at|bad at|terrible at|hooked on|partial to|interested in|"
        r"used to|proud of (?=my |our )|a sucker for|phobic of)) ?(?P<what>.*)",
        LIVING,
        accepts=_points_outward,
        category="preference",
    ),
    fact(
        r"{BE} an? (?:[\w-]+ )?(?:morning person|night owl|early bird|early riser|cat person|"
        r"dog person|people person|introvert|extrovert|perfectionist|foodie|bookworm|"
        r"coffee drinker|tea drinker|smoker|non-smoker|light sleeper|heavy sleeper|minimalist|"
        r"feminist|pacifist|gamer|runner|swimmer|cyclist|climber|hiker|birder|birdwatcher|"
        r"beekeeper|homeowner|homebody|optimist|pessimist|slow reader|fast reader|beginner(?: at|"
        r" in) .+)\b.*",
        LIVING,
        category="preference",
    ),
    fact(
        r"{BE} (?:absolutely |really |so )?(?:afraid|scared|terrified|frightened|petrified) of "
        r"(?:them|those|these)\b.*",
        OTHERS,
        category="preference",
    ),
    fact(
        rf"(?:spoke|speak~|understand~|read~|know~|write~) (?P<what>(?:[\w ,-]+ "
        rf")?(?:{_LANGUAGES})\b.*)",
        LIVING,
        category="skill",
    ),
    fact(
        r"(?:{BE} (?:learning|studying|teaching myself|taking lessons in)|learn~|(?:have|has) been "
        r"(?:learning|practising|practicing|playing)|{BE} taking(?= (?:[\w-]+ ){0,3}(?:lessons|"
        r"classes|course|evening))) (?:to |how to |the |some )?"
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
        r"{BE} (?:in|on|part of|a member of|a volunteer at|a volunteer with) (?:an?|the|my|"
        r"our) (?:[\w'-]+ ){0,3}?(?:choir|band|orchestra|club|team|league|society|committee|"
        r"board|union|group|gang|party|association|council|scouts|fire brigade|church)\b.*",
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
    fact(
        r"(?:get~ up|wake~(?: up)?|rise~|go~ to (?:bed|sleep)|start~ work|finish~ work|eat~|sup~|"
        r"have~ (?:breakfast|lunch|dinner|supper|tea)) (?:at|around|about|by|before|after|"
        r"between) (?!the "
        r"moment|once)(?P<what>.+)",
        LIVING,
        category="habit",
        accepts=lambda found: not re.search(r"\b(?:today|tomorrow|tonight)\b", found["what"]),
    ),
    fact(
        r"{NOT} know how to (?:swim|drive|cook|ride|read|dance|ski|sew|knit|whistle|type|iron|"
        r"skate|cycle)"
        r"\b.*",
        category="skill",
    ),
    fact(
        r"know~ (?:some|a bit of|a little|basic|enough|only) (?P<what>.+)",
        SELF,
        category="skill",
        accepts=lambda found: not re.search(r"\b(?:about|of (?:it|that|this))\b", found["what"]),
    ),
    fact(
        r"(?:take~|drink~|have~|like~|eat~|prefer~) (?:my|his|her|their|our) (?:tea|coffee|eggs?|"
        r"steak|toast|pasta|rice|meat|"
        r"whisky|gin|beer|wine|porridge|curry|chips|potatoes|burgers?|soup|showers?|news|music|"
        r"holidays)\b.+",
        category="preference",
        accepts=lambda found: not re.search(r"\b(?:now|today|tonight)\b", found.group()),
    ),
    fact(r"type~ (?:with|at) .+", category="skill"),
    fact(
        r"{BE} (?:only |just |still )?(?:around |about |roughly |at |at about )?(?:(?:[abc][12]|"
        r"n[1-5]|hsk ?\d|level \w+)\b.*|(?:very |quite |"
        r"pretty |rather |a bit |not very |not so |not )?(?:basic|rusty|fluent|poor|limited|weak|"
        r"broken|decent|"
        r"terrible|awful|good|bad|better|worse|okay|ok|excellent|so-so|passable|non-?existent|"
        r"beginner|elementary|intermediate|conversational)\b.*)",
        THINGS,
        noun=rf"(?:spoken |written )?(?:{_LANGUAGES}|maths?|spelling|grammar|handwriting|memory|"
        rf"hearing|eyesight|swimming|"
        r"cooking|coding|balance|grip)",
        category="skill",
    ),
    fact(rf"{_ROUTINE} (?P<what>.*)\b(?:{_OFTEN})\b.*", LIVING, category="habit"),
    plan(
        r"(?:want~|hope~|plan~|intend~|dream~ of|mean~) (?:to )?(?:be (?:an? (?!bit|little|good|"
        r"better)\w+|buried|cremated|scattered|"
        r"able to \w+ (?:again|by))|visit|see [A-Z]|go to [A-Z]|live in|walk|cycle|sail|swim|"
        r"climb|read all|work (?:as|in|with)|study|"
        r"have (?:an? )?(?:kids|children|family|baby|chickens|farm|horse)|own an?|marry|build "
        r"an?|write an?|publish|record an?)\b.*",
        category="goal",
        accepts=lambda found: not re.search(r"\b(?:you|today|tonight|now|this)\b", found.group()),
    ),
    plan(
        r"(?:want~|hope~|plan~|intend~|{BE} (?:planning|hoping|training|saving(?: up)?|trying)|"
        r"dream~ of|have~ decided|decided) (?:to |on |for )?(?:learn|learning|become|becoming|"
        r"run|running|visit|visiting|move|moving|quit|quitting|lose|travel|travelling|traveling|"
        r"retire|retiring|climb|sail|emigrate|get (?:married|fit|a (?:dog|cat))|start (?:a|my)|"
        r"open (?:a|my)|adopt|buy a (?:house|flat|boat|home)|apply (?:to|for)|go (?:to|back)|"
        r"finish my|take up|give up|stop|a (?:house|marathon|triathlon|boat)|"
        r"the \w+ marathon)\b.*",
        category="goal",
    ),
    event(
        r"{HAD}(?:taken up|took up|started (?:learning|playing|running|cycling|swimming|"
        r"climbing|doing|going|taking)|joined|signed up (?:for|to)|enrolled (?:in|at)) .+",
        category="hobby",
    ),
    event(
        r"{HAD}(?:stopped|quit|given up|gave up|swore off|sworn off|cut out) (?:[A-Z]\w+|"
        r"(?:\w+ing)|smoking|alcohol|coffee|sugar|"
        r"meat|drinking|eating|playing|dairy|caffeine)\b.*",
        category="habit",
        accepts=lambda found: (
            not re.search(r"\b(?:working|responding|loading|running)\b", found.group())
        ),
    ),
)
