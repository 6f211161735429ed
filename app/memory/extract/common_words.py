"""Tell words that only begin with a capital from names."""

from app.memory.extract.verbs import verb_of
from app.memory.extract.vocabulary import COUNTRIES, LANGUAGES, NATIONALITIES, listed
from app.memory.when.words import MONTHS, WEEKDAYS

COMMON = frozenset(
    listed(
        "the, a, an, i, we, you, he, she, it, they, this, that, these, those, there, here, my, "
        "our, "
        "his, her, their, your, and, but, so, or, if, when, while, because, since, after, before, "
        "just, only, also, still, now, then, not, no, yes, please, thanks, hello, hi, hey, ok, "
        "okay, "
        "well, what, who, where, why, how, which, is, are, was, were, do, does, did, can, could, "
        "will, "
        "would, should, may, might, must, have, has, had, am, in, on, at, to, for, from, with, "
        "by, of, "
        "about, as, all, both, each, every, everyone, everybody, nobody, someone, somebody, "
        "something, "
        "nothing, everything, people, most, many, some, any, one, two, three, first, last, next, "
        "today, "
        "tomorrow, yesterday, tonight, finally, sometimes, never, always, maybe, perhaps, good, "
        "great, "
        "nice, sorry, dear, mr, mrs, ms, dr, anyway, actually, long, once, until, though, "
        "although, "
        "god, jesus, christmas, easter, google, python, excel, windows, chatgpt, siri, alexa, "
        "born, nobody, nowhere"
    )
)


def is_common_word(word: str) -> bool:
    """Return whether a word with a capital is no name: it opens a sentence, is a place, a day."""
    low = word.lower()
    known = low in COMMON or low in NATIONALITIES or low in LANGUAGES or low in COUNTRIES
    return (
        known
        or low in MONTHS
        or low.rstrip("s") in WEEKDAYS
        or verb_of(low) is not None
        or (len(low) > 4 and low.endswith(("ing", "s")))
    )


def is_common(word: str) -> bool:
    """Return whether a word after "my sister" is no name of hers."""
    low = word.lower()
    return not word[:1].isupper() or low in MONTHS or low in WEEKDAYS or low in NATIONALITIES
