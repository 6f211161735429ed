"""Words by which a clause shows that what it tells lasts, or that it will be over in a moment."""

import re

from app.memory.when import words as when

_DAYS = "|".join(when.WEEKDAYS)
_PART = "mornings?|evenings?|nights?|afternoons?"
OFTEN = re.compile(
    rf"\b(?:every|each|always|never|usually|normally|typically|mostly|mainly|(?:{_DAYS})s|"
    rf"(?:{_DAYS}) (?:{_PART})|weekdays|weekends|daily|weekly|monthly|yearly|(?:once|twice|\w+ "
    rf"times|"
    r"\w+ (?:days|hours|nights|evenings|mornings|km|miles|hrs)) (?:an?|per) (?:day|week|month|"
    r"year|night)|"
    r"all year(?: round)?|for a living|these days|nowadays|most (?:days|nights|mornings|evenings|"
    r"weekends)|"
    r"regularly|permanently|rarely|seldom|hardly ever|as a rule|in the (?:mornings|evenings|"
    r"afternoons)|at weekends|on weekends|alternate|round the clock|since (?!yesterday|this|last "
    r"night|then|when)\w+|for (?:\w+ ){1,3}?years|for (?:\w+ )?(?:decades|ages)|all my life|"
    r"strictly|exclusively|by heart|from \w+ (?:to|till|until) \w+|once in a while|no longer|"
    r"any ?more|ever since|(?:an?|per) (?:week|month|year)|only|every other \w+|except|regular|"
    r"by trade|"
    r"by profession|in (?:my|our) (?:spare|free) time|on the side|before (?:work|school|"
    r"breakfast|bed)|"
    r"after (?:work|school|dinner)|all my|both|allowed|at all|in (?:winter|summer|spring|autumn)|"
    r"(?:winters|summers)|whenever|by nature|from birth|back and forth|full[- ]time|part[- ]time|"
    r"half the (?:year|week)|on and off|to work|for years)\b",
    re.IGNORECASE,
)
OF_NOW = re.compile(
    r"\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening|minute|second|"
    r"very)|just "
    r"now|again|already|yet|for (?:an?|some|\w+) (?:moment|minutes?|seconds?|hours?|while|bit)|"
    r"(?:\d+|\w+) "
    r"(?:minutes?|mins|seconds?|hours?) ago|in (?:\w+ )?(?:\w+ )?(?:minutes?|seconds?|hours?)|an "
    r"hour|all day|"
    r"so far|later|soon|last night|now that|currently|still|anyway|the whole (?:day|time|morning|"
    r"night)|so "
    r"(?:much|many|far|tired|bored|hard|good|bad)|too (?:much|many|long|short|late|early)|half "
    r"(?:of )?the|"
    r"since (?:\w+ )?minutes|one (?:sec|second|moment|minute)|for now|instead|as we speak|first "
    r"thing|"
    r"suddenly|all of a sudden|hang on|hold on|brb|on the phone)\b",
    re.IGNORECASE,
)
# These tell of the moment, but not beside a word for a habit: "I still run every day".
NOW_AND_ALWAYS = re.compile(r"\b(?:still|already|today|currently|only|again)\b", re.IGNORECASE)
POINTING = re.compile(
    r"^(?:it|this|that|these|those|them|him|her|one|another|something|anything|everything|nothing|"
    r"so|such|(?:this|that|these|those|the (?:same|other|second|first|next|last|above|following|"
    r"latter|former|new|old|wrong|right|whole|rest|only thing)) \w+|what|how|why|where|whether|"
    r"if|that|(?:my|our) (?:minds?|bad|point|turn))\b"
    r"(?! (?:kind|sort) of)",
    re.IGNORECASE,
)
POINTS_BACK = re.compile(
    r"(?<!and )(?<!but )(?<!so )(?<!because )\b(?:it|mine|such|them)\b(?! (?:is|was|comes|came|"
    r"takes|happens))|(?:^|\b(?:to|with|of|for|about|on|in|at|from|"
    r"by|like|do|does|did|use|take|eat|get|see|have|make|drive|ride|play) )(?:this|that|these|"
    r"those)\b"
    r"(?! (?:year|month|week|summer|winter|spring|autumn|fall|season|term|semester|kind|sort|age|"
    r"time|house|flat|place|home|country|town|city|street|area|village|building|job|school|"
    r"company|part of)\b)",
    re.IGNORECASE,
)
SPECIFIC = re.compile(r"^(?:the|this|that|these|those|an?|his|her|its|their|your|some|my)\b", re.I)
INTO = re.compile(
    r"^(?:into|to|towards?|out|up|down|over|through|onto|off|away|back|past|around|across|along|"
    r"forward|"
    r"closer|under|inside|outside)\b",
    re.IGNORECASE,
)
NAMED = re.compile(r"(?<=[a-z,\d] )(?!I\b)[A-Z\u00c0-\u017e][\w'-]+")
FIGURE = re.compile(rf"\d|\b(?:{when.any_of(when.NUMBERS)})\b", re.IGNORECASE)
_AGES = "|".join(n for n in when.NUMBERS if when.NUMBERS[n] > 4)
LASTED = re.compile(
    r"\b(?:for|after) (?:[\w-]+ ){1,3}?years\b|\bfor (?:my whole life|decades|years)\b|\byears "
    r"ago\b|"
    r"\b(?:when|while) (?:I|we) (?:was|were) (?:\w+|\d+|an? (?:\w+))\b|\bas an? (?:young "
    r")?(?:child|kid|boy|"
    r"girl|teenager|teen|student|man|woman|baby)\b|\b(?:[\w-]+) years (?:in|at|as|of|with)\b|"
    rf"\bat (?:the age of )?(?:\d\d?|{_AGES})\b(?! ?[:ap%])|\bin (?:the|my) (?:early |late |"
    rf"mid[- ])?(?:\w+ties|'?\d0s|"
    r"\d{4}s|teens|youth|childhood)\b|\bback in (?:the day|\d{4})\b|\bused to\b|\bin the (?:war|"
    r"army|navy)\b|"
    r"\b(?:in|at|from) (?:my|our) (?:last|previous|old|first|former|next to last) (?:job|post|role|"
    r"position|school|life|career|house|flat|company)\b|"
    r"\bbefore (?:I|we) (?:retired|moved|married|had (?:kids|children)|left)\b",
    re.IGNORECASE,
)
TASKS = re.compile(
    r"\b(?:errors?|files?|buttons?|screen(?! reader)|pages?|website|site|apps?|laptop|browser|"
    r"script|tables?|columns?|"
    r"rows?|cells?|spreadsheet|formula|draft|paragraphs?|sentences?|essay|versions?|answers?|"
    r"questions?|"
    r"prompt|chapters?|exercises?|attachment|documents?|reports?|slides?|cable|printer|router|"
    r"passwords?|"
    r"link|updates?|test suite|tests|pipeline|branch|server|query|regex|invoice|parcel|refund|"
    r"results?|"
    r"dataframe|database|framework|api|dataset|text|images?|video|photos?|pictures?|"
    r"lists?|steps?|tips?|emails?|mail|variables?|functions?|loop|options?|points?|notification|"
    r"settings|"
    r"menu bar|login|account|download|delivery|package|level \d+|quest|avatar)\b",
    re.IGNORECASE,
)
# What somebody is said to be in anger, in jest or in praise.
SO_CALLED = re.compile(
    r"\b(?:bit|mess|fool|idiot|moron|genius|disaster|wreck|pain|star|legend|angel|vampire|robot|"
    r"potato|walrus|"
    r"king|queen|pope|god|ghost|zombie|monster|sloth|joke|dream|nightmare|surprise|shame|pity|"
    r"problem|lot|"
    r"way|while|start|thing|mistake|typo|failure|loser|sucker|goner|saint|devil|witch|dragon|"
    r"unicorn|"
    r"superhero|ninja|pirate|knight|wizard|elf|alien|clown|donkey|pig|sheep|cow|hero|"
    r"champ(?:ion)?|rock ?star|"
    r"lifesaver|gem|treasure|darling|sweetheart|best|worst|same|case|reason|rule|truth|point|"
    r"question|answer|"
    r"catch|exception|worry|hurry|rush|loss|hole|zone|bubble|shell|sponge|stranger to|one|god "
    r"?send|ass|liar|"
    r"human|man|woman|adult|grown[- ]?up)$|^(?:an? )?(?:little|bit|lot|total|complete|absolute|"
    r"proper|"
    r"real|right|big fat|hot|such)\b|^the (?:king|queen|pope|boss of|master|captain of my|walrus|"
    r"one$)",
    re.IGNORECASE,
)
MOOD = re.compile(
    r"\b(?:I am|we are) (?:\w+ly |so |very |really |a bit |quite |too |just |all |rather |super |"
    r"pretty |still |even |also |absolutely )*(?:pumped|stoked|psyched|thrilled|hyped|buzzing|"
    r"lucky|"
    r"blessed|honou?red|inspired|swamped|overwhelmed|hopeful|optimistic|looking forward|eager|"
    r"drained|"
    r"wiped|shattered|gutted|chuffed|over the moon|in love with (?:it|this|that)|tired|sick|bored|"
    r"fed up|happy|sad|"
    r"excited|nervous|angry|annoyed|glad|sorry|sure|worried|curious|ready|hungry|thirsty|"
    r"exhausted|confused|lost|stuck|done|finished|"
    r"impressed|amazed|shocked|surprised|disappointed|grateful|thankful|delighted|desperate|"
    r"stressed|upset|furious|pleased|proud|"
    r"relieved|freezing|boiling|starving|knackered|drunk|hungover|late|early|wrong|right|back|"
    r"here|home|busy)\b",
    re.IGNORECASE,
)
IN_LIFE = re.compile(
    r"^(?:in (?:an?|my|our|the|year|first|second|third|final) .+|(?:on|off) (?:\w+ ){0,"
    r"3}(?:leave|sabbatical|"
    r"benefits|parole|probation|dialysis|insulin|furlough|crutches|the (?:pill|dole|board|"
    r"committee|waiting "
    r"list))\b.*|part of .+|one of .+|self[- ]taught\b.*|unavailable\b.*|registered\b.*|"
    r"based\b.*|(?:\w+ )"
    r"{1,2}(?:years?|months?|weeks?) (?:old|into|clean|sober|pregnant|along)\b.*|used to .+|"
    r"responsible for .+|"
    r"in charge of .+|abroad\b.*|out\b.*|away\b.*|free\b.*|busy\b.*|home\b.*|awake\b.*|up (?:at|"
    r"by|before)\b.*|"
    r"off\b.*|closed\b.*|(?:at|in|on|behind|with|from|of|under|between) .+|new (?:to|in) .+|due "
    r".+)",
    re.IGNORECASE,
)
# Without a date or a habit only these are more than where somebody happens to be.
LASTING_STATE = re.compile(
    r"^(?:(?:very |so |quite )?(?:\w+-|left |right |flat |double |knock |bow |pigeon )(?:jointed|"
    r"footed|kneed|toed|legged|handed|sighted|eyed|haired|skinned|blooded|"
    r"spoken|taught|born|bred|trained|fingered|chested|bodied)\b.*|in (?:a|an|my|our|the) (?:\w+ "
    r")?(?:\w+ )?(?:band|choir|club|team|orchestra|relationship|care home|"
    r"wheelchair|twenties|thirties|forties|fifties|sixties|seventies|eighties|\d0s|army|navy|air "
    r"force|police|"
    r"military|reserves|\w+ year of .+)\b.*|in (?:year|grade|form) \d+\b.*|in (?:recovery|"
    r"remission|care|therapy|"
    r"foster care|debt)\b.*|"
    r"in (?:my |the )?(?:first|second|third|fourth|final|last) (?:year|term|semester|"
    r"trimester)\b.*|(?:on|off) "
    r"(?:\w+ ){0,3}(?:leave|sabbatical|benefits|dialysis|insulin|crutches|the (?:pill|dole|"
    r"waiting list|board|"
    r"committee))\b.*|part of (?:an?|the|my|our) .+|one of (?:\w+ )+(?:children|siblings|kids|"
    r"brothers|"
    r"sisters|founders|owners|trustees)\b.*|self[- ]taught\b.*|on (?:an?|my|our) (?:gap year|"
    r"sabbatical|"
    r"working holiday|exchange|secondment|internship|placement|pilgrimage|world tour|scholarship|"
    r"pension|zero.hours contract)\b.*|between jobs\b.*|out of work\b.*|"
    r"on the (?:\w+ )?(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|top|"
    r"\d+\w\w) floor\b.*|"
    r"of \w+ (?:descent|"
    r"origin|heritage|ancestry)\b.*|responsible for .+|in charge of .+|on (?:\w+ )?(?:time|"
    r"contract|visa|pension|rota|schedule|minimum wage|shift|call every)\b.*|on (?:an?|the|my) "
    r"(?:[\w-]+ ){1,2}(?:diet|plan|programme|program|course|waiting list|regime)\b.*|(?:\w+ ){1,"
    r"2}(?:years?|months?|"
    r"weeks?) (?:post[- ]?op|into|after|out of|along)\b.*|new (?:to|in) (?!this|it|that|all).+|"
    r"(?:\w+ ){1,2}(?:years?|months?|weeks?) (?:clean|sober|pregnant|along)\b.*|from (?:an?|the) "
    r".+|with the "
    r"(?:\w+ )?(?:army|navy|police|council|fire brigade|same company|union)\b.*|under (?:a|the) "
    r"(?:consultant|"
    r"specialist|care)\b.*)",
    re.IGNORECASE,
)
FEAST = re.compile(
    r"\b(?:on|at|by|before|until|till|after|over|for|this|next) (?:the )?(?:[A-Z]\w+ (?:Day|Eve)|"
    r"(?i:christmas|easter|"
    r"boxing day|new year(?:'s)?(?: (?:day|eve))?|valentine'?s(?: day)?|halloween|ramadan|eid|"
    r"diwali|hanukkah|passover|"
    r"pentecost|whitsun|thanksgiving|lent|carnival|midsummer|st (?:patrick|nicholas|george|"
    r"david)'?s(?: day)?))\b|"
    r"^(?i:dry january|veganuary|lent|ramadan|movember|sober october)\b"
)
# Set phrases of the moment, of comfort and of praise: nothing in them is told of a life.
IDLE = re.compile(
    r"^(?:\w+ ){0,4}?(?:speak|talk|eat|sleep|work|drive|run|look|walk|feel|smell|sing|"
    r"drink)\w*\b.*? "
    r"like (?:an?|I|we|the|crazy|mad)\b|"
    rf"^(?:will|am going to|are going to) (?:go|come|do|see|be|ring|call|pick|bring|take|arrive|"
    rf"leave|plan)(?: (?:on|at|in|by|around|next|this|the|tomorrow|(?:{_DAYS})|\d+\w*)){{1,4}}$|"
    r"\b(?:hold(?:ing)?|held|keep(?:ing)?|kept|have|had) (?:my|our) (?:breath|fingers crossed|chin "
    r"up|"
    r"head (?:up|down)|cool|word|promise|spirits up|hands full|eyes? (?:on|open)|backs?)\b|"
    r"\bhop(?:e|ing) for the best\b|^(?:am|are|have been|was|were) (?:just )?(?:doing|feeling|"
    r"holding up|"
    r"getting by)(?: (?:so|very|pretty|just|really))? (?:ok|okay|fine|well|great|good|better|"
    r"alright|"
    r"all right|amazing|awesome|my best|what I can|the same)\b|\b(?:make|making|made) a (?:\w+ )?"
    r"(?:difference|change)\b|^(?:will |can |have to |just )*(?:rock|shine|slay|cherish|"
    r"treasure)\b|"
    r"^(?:will |always |just |have to |try to |tend to )*(?:stay(?:ing)?|remain|keep) (?:positive|"
    r"motivated|strong|calm|focused|determined|upbeat|hopeful|grounded|true|in touch)\b|"
    r"\bnever (?:give up|gave up|giving up|looked back)\b|\bkeep(?:ing)? (?:going|at it|pushing|"
    r"trying|fighting|"
    r"busy)\b|"
    r"\b(?:had|have|having) (?:such )?an? (?:\w+,? ){0,2}(?:blast|time|day|week|weekend|chat|talk|"
    r"fun|"
    r"moment|experience|ride|conversation)(?:,? (?:there|together|yesterday|today|last \w+|(?:with|"
    r"at|on|"
    r"in) (?:it|them|that|this|him|her)|(?:on|in) (?:the )?(?:week|weekend)?[\w ]*\d{4}))*$|"
    r"\b(?:go|going|went) (?:with the flow|crazy|wild|well)\b|\bgive (?:it )?(?:my|our) (?:all|"
    r"best)\b|"
    r"\b(?:cannot|can not) (?:wait|believe|stop (?:thinking|smiling|laughing|crying)|thank|agree "
    r"more|"
    r"imagine|complain|help (?:it|but))\b|\b(?:am|are) (?:such )?(?:an? (?:\w+ )?)?fans?$|"
    r"\b(?:am|are) (?:so )?(?:here|there) for\b|^have (?:noted|seen|read|got) (?:it|that|this)\b|"
    r"^(?:have|had) (?:no|not the) (?:idea|clue|words|heart|explanation)\b|^do not have the "
    r"heart\b|"
    r"^(?:\w+ )?(?:recommend|reccomend|recomend|suggest|advise)\b|\b(?:proud of|to|remind) "
    r"(?:myself|"
    r"ourselves)$|\b(?:each other|one another)(?:'s)?\b(?!.*\b(?:every|each|once|twice|since|for|"
    r"on \w+days)\b)|"
    r"^(?:\w+ ){0,3}(?:something|a few more|some more|a ton|tons|loads|so much)(?:$| -| (?:in|on|"
    r"around) )|"
    r"^(?:\w+ ){0,2}(?:love|like|hate|enjoy) (?:how|what)\b|^tend to\b|\bkeeps? (?:me|us) going\b|"
    r"^(?:is|are) (?:kind of |just |basically )?like\b|\b(?:am|are) a mix of\b|\bthe \w+ ones?\b|"
    r"\b(?:dog|skin|horse) in (?:this|the|that) (?:fight|race|game|hunt)\b|"
    r"^(?:have|had) (?:one|some|any|none)\b(?! (?:of|in|day)\b| \w)|^have an? (?:bad|good|funny|"
    r"weird) feeling\b|"
    r"\binto \w+ing (?:this|it|that|them)\b|^vote\b",
    re.IGNORECASE,
)
