"""Diets, allergies, illnesses, and what is taken against them."""

import re

from app.domain.memory import MemoryType
from app.memory.extract.rule import LIVING, THINGS, Found, Rule, event, fact, plan
from app.memory.extract.subjects import Subject, slug
from app.memory.extract.vocabulary import CONDITIONS, DIETS, HEALTH

_DIETS = "|".join(rf"{diet}s?" for diet in sorted(DIETS, key=len, reverse=True))
_CONDITIONS = "|".join(sorted(CONDITIONS, key=len, reverse=True))
_HEALTH = "|".join(sorted(HEALTH, key=len, reverse=True)).replace("'", "'?")
_BODY = (
    r"(?:(?:left|right|lower|upper|bad) )?(?:knees?|backs?|hips?|shoulders?|ankles?|wrists?|"
    r"eyes?|eyesight|"
    r"hearing|feet|foot|hands?|heart|neck|memory|lungs?|liver|kidneys?|teeth|ears?|thyroid)"
)
_DOSE = r"(?P<dose>\d+(?:[.,]\d+)? ?{MONTHLY})"
_DRUG_ENDINGS = (
    "pril|statin|olol|sartan|formin|azole|pam|zolam|oxetine|cillin|mycin|dipine|thyroxine|profen|"
    "sertraline|citalopram|lithium|insulin|warfarin|aspirin|paracetamol|prednisone|prednisolone|"
    "methotrexate|antidepressants?|antihistamines?|blood thinners|statins|beta[- ]blockers|"
    "medication|medicine|meds|the pill|vitamins?(?: \\w+)?|supplements|painkillers|gabapentin|"
    "ritalin|concerta|melatonin|steroids|iron|magnesium|hrt|ventolin"
)
_FOODS = (
    r"meat|pork|beef|fish|seafood|shellfish|dairy|gluten|eggs?|nuts|peanuts|sugar|alcohol|coffee|"
    r"caffeine|milk|cheese|bread|carbs|lactose|wheat|soya?|mushrooms|lamb|chicken|poultry|red meat|"
    r"breakfast|spicy food|fast food|raw fish|grapefruit|citrus|salt|additives|preservatives|"
    r"pulses|beans|legumes|fruit|"
    r"vegetables|chocolate|soft cheese|liver|oats|corn|rice|potatoes|aubergines?|peppers|celery|"
    r"mustard|"
    r"sesame|kiwi|bananas?|strawberries|apples?|yeast|vinegar|honey|onions?|garlic|tomatoes|tea|"
    r"wine|beer"
)


def _diet(found: Found, subject: Subject) -> tuple[str, object] | None:
    return ("diet", found["diet"].lower().removesuffix("s"))


def _medication(found: Found, subject: Subject) -> tuple[str, object] | None:
    drug = re.sub(r"^(?:of|a|an|the|my)\b ?", "", found["drug"]).split(" ")[0].strip(" ,")
    return (f"medication_{slug(drug)}", found["dose"]) if slug(drug) else None


RULES: tuple[Rule, ...] = (
    fact(
        rf"{{BE}} not (?:an? )?(?P<diet>{_DIETS})(?:{{ANY}})?",
        LIVING,
        read=_diet,
        closes=True,
        category="health",
    ),
    fact(
        rf"{{BE}} no longer (?:an? )?(?P<diet>{_DIETS})",
        LIVING,
        read=_diet,
        closes=True,
        category="health",
    ),
    event(
        rf"{{HAD}}(?:went|gone|turned|became|become) (?:an? )?(?:fully |mostly )?"
        rf"(?P<diet>{_DIETS})(?P<when>\b.*)",
        read=_diet,
        category="health",
        type=MemoryType.SEMANTIC,
        template="{subject} {is} {diet} {since}",
    ),
    fact(
        rf"(?:{{BE}}|{{BEEN}}|eat~|follow~|keep~|{{BE}} on)(?: (?:an?|strictly|strict|mostly|"
        rf"only|fully))* (?P<diet>{_DIETS})(?: diet)?(?: (?:since|for|because|as|due|diet|who|in|"
        rf"at|from|on|and|now|except|but|apart|save|besides|"
        r"food)\b.*)?",
        read=_diet,
        category="health",
    ),
    fact(
        r"{BE} (?:not )?(?:(?:very|highly|severely|mildly|a bit|a little|slightly|"
        r"deathly) )*(?:allergic|intolerant|sensitive|hypersensitive) to .+",
        LIVING,
        category="health",
        accepts=lambda found: (
            not re.search(
                r"\bto (?:mondays|mornings|exercise|cardio|maths?|drama|meetings|commitment|"
                r"housework|early|work|nonsense|bullshit|people)\b",
                found.group(),
                re.IGNORECASE,
            )
        ),
    ),
    fact(r"{BE} type [12]\b(?! error| of| user).*", LIVING, category="health"),
    fact(
        rf"{{BE}} (?:not )?(?:an? |\w+ weeks |\w+ months )?(?:a bit |a little |slightly |half |"
        rf"profoundly |partly |partially |nearly |almost |legally |quite |very |fairly |"
        rf"totally |stone |newly )?(?:registered |type [12] )?(?:{_CONDITIONS})\b.*",
        LIVING,
        category="health",
    ),
    fact(
        r"(?:have~|suffer~ from|live~ with|(?:have|has) (?:always |long )?(?:had|suffered from)|"
        rf"{{NOT}} have) (?:an? |some |very |quite )*(?:(?:severe|mild|chronic|bad|seasonal|"
        rf"type [12]|early|stage \d|slight|terrible|frequent) )*(?:{_HEALTH})\b.*",
        LIVING,
        category="health",
    ),
    fact(
        r"(?:have~|suffer~ from) (?:an? )?(?:[\w-]+ ){1,3}(?:disease|cancer|syndrome|deficiency|"
        r"degeneration|dystrophy|"
        r"palsy|sclerosis|tumou?rs?|disorder|injury|fracture|transplant|condition|failure|blood "
        r"pressure|apnoea|apnea|infections?)\b.*",
        LIVING,
        category="health",
    ),
    fact(r"(?:suffer~ from) (?P<what>.+)", LIVING, category="health"),
    fact(
        r"(?:have~|{NOT} have) (?:an? |any |some )?(?:[\w-]+ ){0,3}(?:allerg(?:y|ies)|intolerance|"
        r"intolerances|phobia|disability|impairment|disorder|pacemaker|implant|"
        r"prosthesis)\b.*",
        LIVING,
        category="health",
    ),
    fact(
        rf"get~ (?:an? |very |really |bad |terrible )*(?:{_HEALTH}|headaches?|hives|rashes|a "
        rf"rash|heartburn|"
        r"nosebleeds|cramps|car ?sick|sea ?sick|air ?sick|motion sick|palpitations|panic attacks|"
        r"cold sores)"
        r"(?:$|,.*| (?:from|when|whenever|if|with|every|after|in|on|a lot|at)\b.*)",
        LIVING,
        category="health",
    ),
    event(
        r"{HAD}(?:had )?(?:an? |my )?(?:[\w-]+ ){0,2}(?:reactions?|side effects?) (?:to|from|on) "
        r".+",
        LIVING,
        category="health",
    ),
    fact(
        r"{BE} (?:not )?(?:(?:very|pretty|quite|really|completely|totally|partly) )?(?:shot|bad|"
        r"gone|dodgy|"
        r"knackered|weak|replaced|artificial|fused|wrecked|poor|failing|going|worn out|false|"
        r"titanium|"
        r"prosthetic|arthritic|deaf|blind|numb|paraly[sz]ed|pierced)\b(?! (?:today|right now|at "
        r"the moment|tonight))(?:$|[ ,].*)",
        THINGS,
        noun=_BODY,
        category="health",
    ),
    event(
        r"(?:(?:was|were|got|have been|has been) diagnosed with|{HAD}(?:broke|broken|sprained|"
        r"fractured|tore|torn|dislocated|twisted|injured|burned|burnt|pulled|ruptured) (?:my|his|"
        r"her|"
        rf"an?|both) (?!neck at|leg about|mind)\w+|hurt (?:my|his|her) {_BODY}(?= .*\b(?:yesterday|"
        rf"ago|last|on|in|when|while|playing|\w+ing)\b)|(?:was|"
        r"were) (?:hospitali[sz]ed|operated on)|(?:had|have had|"
        r"has had) (?:[\w-]+ ){0,4}(?:surgery|operation|stroke|heart attack|transplant|c-section|"
        r"miscarriage|covid|chemo|appendix|concussion|bypass|hip replacement|knee replacement)|"
        r"(?:caught|got|had) covid|recovered from)\b.*",
        LIVING,
        category="health",
    ),
    fact(
        rf"(?:take~|{{BE}} (?:on|taking|prescribed)|use~|{{WAS}} prescribed|inject~) {_DOSE} "
        r"(?P<drug>(?:of )?[a-z][\w-]+(?: .+)?)",
        LIVING,
        read=_medication,
        category="health",
    ),
    fact(
        rf"(?:take~|{{BE}} (?:on|taking|prescribed)|use~|{{WAS}} prescribed|"
        rf"inject~) (?P<drug>(?:an? |my )?[a-z][\w-]+) (?:at )?{_DOSE}\b.*",
        LIVING,
        read=_medication,
        category="health",
    ),
    fact(
        rf"(?:take~|{{BE}} (?:on|taking|prescribed)|use~|inject~|need~) (?:[\w-]+ ){{0,3}}(?:\w*(?:"
        rf"{_DRUG_ENDINGS})|an? inhaler|an? epipen|an? walking stick|an? wheelchair|an? hearing "
        r"aid)\b.*",
        LIVING,
        category="health",
    ),
    fact(
        r"(?:take~|wear~|have~|{BE})(?: in)? (?:an? |about an? |usually an? )?(?:(?:men's|"
        r"women's|ladies|kids) )?"
        r"(?:(?:uk |eu |us )?size \w+|(?:uk|eu|us) \d[\w½.]*|\d+[- ]?(?:inch|cm) (?:inside|waist|"
        r"leg|chest|"
        r"collar|inseam)\w*)\b.*",
        category="health",
    ),
    fact(
        r"wear~ (?:(?:a )?size \w+|glasses|contact lenses|contacts|a hearing aid|hearing aids|"
        r"braces|reading glasses|dentures|an? insulin pump|insoles)\b.*",
        category="health",
    ),
    fact(
        rf"(?:{{NOT}}|cannot|can not|never|no longer|should not|"
        rf"{{BE}} not allowed to) (?:really |even )?(?:eat|drink|have|tolerate|digest|"
        rf"touch) (?:any |raw |cow's |much )?(?:{_FOODS})\b.*",
        LIVING,
        category="health",
    ),
    fact(
        r"(?:{NOT}|cannot|no longer|never) (?:eat|drink|smoke|drive|vape|swim|ride|whistle|dance|"
        r"fly|cook|sing|cycle|ski|vote|gamble)\b"
        r"(?! (?:it|this|that|here)\b).*",
        category="health",
    ),
    fact(
        r"(?:eat~|drink~) (?!it\b|this\b|that\b).+",
        LIVING,
        category="habit",
        accepts=lambda found: bool(
            re.search(
                r"only|mostly|lots? of|no (?:meat|sugar)|\b(?:fish|meat|"
                r"eggs|dairy|chicken)\b|every|sometimes|a day",
                found.group(),
            )
        ),
    ),
    fact(
        r"(?:smoke~|vape~|{BE} (?:trying to quit|on a diet)|keep~ kosher|fast~ (?:during|"
        r"every))\b.*",
        category="health",
    ),
    plan(
        r"{BE} (?:having|getting|scheduled for|due for) (?:an? |my |his |her )?(?:[\w-]+ ){0,3}"
        r"(?:surgery|operation|mri|ct scan|scan|x-ray|biopsy|colonoscopy|check-up|checkup|vaccine|"
        r"vaccination|jab|transplant|root canal|wisdom teeth|c-section|chemo|hip replacement|"
        r"knee replacement)\b.*",
        LIVING,
        category="health",
    ),
)
