"""What is planted and erased: names, rare words, words without capitals, numbers, short ones.

Each kind has its canaries, what the person says of one, what is remembered of that, and how it is
said again elsewhere, twice with the canary and perhaps once without it. The bystanders have nothing
to do with any and stay as they are.
"""

import random
from dataclasses import dataclass
from itertools import zip_longest

SYLLABLES = "bra vol qua zen tor mik lup dra fen gor hax jil kov nym pex rud syl tav wex yor"


@dataclass(frozen=True)
class Kind:
    """One kind of canary.

    Attributes:
        said: In the person's words.
        fact: What is remembered of that.
        again: How it is said elsewhere, with the canary.
        unnamed: How it is said without it; empty where it is not.
        words: The canaries, spaces between them; where there are none, they are drawn from
            syllables or from digits.
        digits: How many digits there are in a number; 0 where it is none.
        heard: What an answer says of it, where the person does not; ``said`` then lacks it.
    """

    said: str
    fact: str
    again: tuple[str, str]
    unnamed: str = ""
    words: str = ""
    digits: int = 0
    heard: str = ""

    def canary(self, chance: random.Random, turn: int) -> str:
        """Return one that was not planted before; ``turn`` counts those of this kind."""
        if self.digits:
            return str(chance.randrange(10 ** (self.digits - 1), 10**self.digits))
        if not self.words:
            return "".join(chance.sample(SYLLABLES.split(), 4)).capitalize()
        return self.words.split()[turn]


NAMED = (
    Kind(
        "I drive a {}",
        "You drive a {}",
        ("My {} needs new tyres.", "I bought the {} second-hand, did I say?"),
    ),
    Kind(
        "I am allergic to {} nuts",
        "You are allergic to {} nuts",
        ("No {} for me, please, I get a rash.", "The doctor says {} nuts could kill me."),
    ),
    Kind(
        "My sister {} works as a nurse in a hospital",
        "Your sister {} works as a nurse in a hospital",
        ("{} called yesterday.", "I am having lunch with {} on Monday."),
        "My sister is a hospital nurse.",
    ),
    Kind(
        "My therapist is called {} and I see her because of panic attacks",
        "Your therapist is called {} and you see her because of panic attacks",
        ("{} moved our appointment.", "I owe {} for two sessions."),
        "I go to a therapist for my panic attacks.",
    ),
    Kind(
        "I am moving to {} because I lost my job",
        "You are moving to {} because you lost your job",
        ("Rents in {} are high.", "Is the train to {} expensive?"),
        "I lost my job, so I am moving away.",
    ),
)
SMALL = (
    Kind(
        "I take {} every evening",
        "You take {} every evening",
        ("No {} today, it was sold out.", "is {} bad for the liver?"),
        words="methadone lithium lamotrigine warfarin clozapine naltrexone ketamine sertraline",
    ),
    Kind(
        "I was treated for {} last spring",
        "You were treated for {} last spring",
        ("the {} is back", "How catching is {}, do you know?"),
        words="chlamydia syphilis scabies gonorrhoea bulimia psoriasis sciatica endometriosis",
    ),
    Kind(
        "I am learning to play the {} in secret",
        "You are learning to play the {} in secret",
        ("where can I have a {} mended?", "My neighbours hate the {} already."),
        words="theremin hurdy-gurdy bassoon ocarina zither didgeridoo bagpipes clavichord",
    ),
)
SCRIPTS = (
    Kind(  # Arabic
        "أنا أتناول {} كل مساء قبل النوم",
        "أنت تتناول {} كل مساء قبل النوم",
        ("نسيت {} أمس.", "هل يضر {} بالكبد؟"),
        words="الميثادون الليثيوم الأنسولين الوارفارين الديازيبام المورفين الكودايين البريدنيزون",
    ),
    Kind(  # Hindi
        "मैं हर रात {} लेता हूँ",
        "आप हर रात {} लेते हैं",
        ("कल {} लेना भूल गया।", "क्या {} से नींद आती है?"),
        words="मेथाडोन लिथियम इंसुलिन वारफरिन डायजेपाम मॉर्फिन कोडीन क्लोनाज़ेपाम",
    ),
    Kind(  # Japanese
        "毎晩{}を飲んでいます",
        "あなたは毎晩{}を飲んでいます",
        ("昨日は{}を忘れた。", "{}は肝臓に悪いですか。"),
        words="メタドン リチウム インスリン ワルファリン 睡眠導入剤 モルヒネ 抗鬱剤 コデイン",
    ),
    Kind(  # Georgian
        "მე ყოველ საღამოს {} ვსვამ",
        "შენ ყოველ საღამოს {} სვამ",
        ("გუშინ {} დამავიწყდა.", "ღვიძლს ვნებს {}?"),
        words="მეთადონი ლითიუმი ინსულინი ვარფარინი დიაზეპამი მორფინი კოდეინი კლოზაპინი",
    ),
)
NUMBERS = (
    Kind(
        "My insurance number is {}",
        "Your insurance number is {}",
        ("They asked for {} again.", "is it true that {} must be on the form?"),
        digits=9,
    ),
    Kind(
        "The code of my safe is {}",
        "The code of your safe is {}",
        ("I typed {} and it would not open.", "maybe {} was wrong"),
        digits=5,
    ),
)
SHORT = (
    Kind(
        "i take {} at parties",
        "You take {} at parties",
        ("Is {} worse than wine?", "they found {} in my coat"),
        words="lsd ghb mda pcp dmt ket thc mxe",
    ),
    Kind(
        "My PIN is {}",
        "Your PIN is {}",
        ("I typed {} and it said no.", "maybe {} was wrong"),
        words="1987 1964 2011 1999 2003 1958 1971 2008",
    ),
    Kind(
        "The code of my locker is {}",
        "The code of your locker is {}",
        ("I typed {} and it would not open.", "maybe {} was wrong"),
        words="317 428 539 641 752 863 974 185",
    ),
    Kind(
        "Why am I so tired all the time",
        "",
        ("What helps with {}?", "my aunt has {} too"),
        words="sarcoidosis narcolepsy myositis lupus hepatitis toxoplasmosis anaemia mononucleosis",
        heard="That may well be {}",
    ),
)
KINDS = tuple(  # so that a few rounds have of each
    kind
    for some in zip_longest(SMALL, SCRIPTS, NUMBERS, NAMED, SHORT)
    for kind in some
    if kind is not None
)
MOST = min(len(kind.words.split()) for kind in KINDS if kind.words) * len(
    KINDS
)  # rounds in one profile
BYSTANDERS = (  # messages that have nothing to do with any of them
    "How do I boil an egg?",
    "The tyres of a bicycle wear out slowly.",
    "My brother works in a bakery near the station.",
    "What rash does a nettle leave?",
    "I moved the sofa to the other wall on Monday.",
    "Please remind me to call the bank.",
    "كيف أسلق بيضة؟",
    "अंडा कैसे उबालते हैं?",
    "卵はどうやって茹でますか。",
    "როგორ მოვხარშო კვერცხი?",
)
OTHERS = (  # memories, some of which are like theirs but for the name
    "You play the cello on Sundays",
    "You like your eggs hard",
    "Your brother is a baker",
    "You drive a Volvo",
    "Your neighbour Ruth works as a nurse in a hospital",
    "أنت تحب الشاي الأخضر",
    "आपको हरी चाय पसंद है",
    "あなたは緑茶が好きです",
    "შენ მწვანე ჩაი გიყვარს",
)
