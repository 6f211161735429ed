"""English verbs: which form of which verb a word is, and what the verb tells about its clause.

The lists are closed: the irregular verbs, the regular ones that people tell of their lives with,
and the kinds whose plain statement says nothing lasting ("I think", "I click", "I walk in").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from app.memory.extract.vocabulary import listed


class Form(StrEnum):
    """How a verb is inflected."""

    BASE = "base"
    THIRD = "third"
    PAST = "past"
    PARTICIPLE = "participle"
    ING = "ing"


@dataclass(frozen=True, slots=True)
class Verb:
    """A word as a verb.

    Attributes:
        lemma: Its base form.
        forms: Which forms it can be: "put" is three of them.
    """

    lemma: str
    forms: frozenset[Form]

    @property
    def finite(self) -> bool:
        """Whether a clause can hang on it."""
        return bool(self.forms & {Form.BASE, Form.THIRD, Form.PAST})


AUXILIARIES = frozenset(
    listed(
        "am, is, are, was, were, be, have, has, had, do, does, did, will, shall, can, cannot, "
        "could, would, should, may, might, must"
    )
)
# base, past, and the participle where it differs
_IRREGULAR = (
    "beat beat beaten, become became become, begin began begun, bend bent, bet bet, bind bound, "
    "bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, "
    "build built, burn burnt, burst burst, buy bought, catch caught, choose chose chosen, "
    "cling clung, come came come, cost cost, creep crept, cut cut, deal dealt, dig dug, "
    "draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, "
    "fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled, fly flew flown, "
    "forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven, "
    "freeze froze frozen, get got, give gave given, go went gone, grind ground, grow grew grown, "
    "hang hung, have had, do did done, hear heard, hide hid hidden, hit hit, hold held, hurt "
    "hurt, keep kept, kneel knelt, "
    "knit knit, know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt, "
    "leave left, lend lent, let let, lie lay lain, light lit, lose lost, make made, mean meant, "
    "meet met, mow mowed mown, pay paid, put put, quit quit, read read, ride rode ridden, "
    "ring rang rung, rise rose risen, run ran run, say said, see saw seen, seek sought, sell sold, "
    "send sent, set set, sew sewed sewn, shake shook shaken, shave shaved shaven, shed shed, "
    "shine shone, shoot shot, show showed shown, shrink shrank shrunk, shut shut, "
    "sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, smell smelt, sow sowed "
    "sown, "
    "speak spoke spoken, spell spelt, spend spent, spill spilt, spin spun, split split, "
    "spoil spoilt, spread spread, stand stood, steal stole stolen, stick stuck, sting stung, "
    "strike struck, strive strove striven, swear swore sworn, sweep swept, swell swelled swollen, "
    "swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, "
    "think thought, throw threw thrown, tread trod trodden, understand understood, "
    "undergo underwent undergone, upset upset, wake woke woken, wear wore worn, weave wove woven, "
    "weep wept, win won, wind wound, withdraw withdrew withdrawn, wring wrung, write wrote "
    "written, "
    "rebuild rebuilt, remarry remarried, oversleep overslept, babysit babysat"
)
_REGULAR = (
    "accept, ache, add, admire, adopt, adore, advise, age, agree, aim, allow, announce, answer, "
    "apologise, appear, apply, comply, imply, appreciate, approach, argue, arrange, arrive, ask, "
    "assemble, assist, crack, sprain, smuggle, consist, stretch, comprise, stamp, "
    "assume, attack, attend, audit, avoid, bake, ban, bath, battle, behave, belong, bike, birth, "
    "board, boil, book, borrow, bottle, box, brew, broadcast, brush, budget, bury, call, camp, "
    "cancel, care, carry, carve, cast, cater, cause, celebrate, chair, change, charge, chat, "
    "cheat, "
    "check, clean, clear, click, climb, close, clip, coach, code, collapse, collect, "
    "commute, compete, complain, complete, compose, conduct, contact, continue, convert, cook, "
    "cope, copy, count, cover, cough, crash, crochet, croak, cross, cry, cultivate, curate, cure, "
    "cycle, damage, dance, dare, date, decide, declare, decline, decorate, dedicate, defend, "
    "delay, "
    "delete, deliver, demand, demolish, deny, depend, deploy, describe, deserve, design, destroy, "
    "detest, develop, devote, diagnose, die, dine, direct, disagree, discover, discuss, dislike, "
    "dismiss, disturb, dive, divorce, donate, double, download, drag, dread, dress, drop, dry, "
    "dye, "
    "earn, ease, edit, educate, elope, email, embroider, emigrate, employ, encourage, end, enjoy, "
    "enrol, enroll, enter, entertain, envy, escape, establish, estimate, examine, exchange, "
    "exercise, exist, expand, expect, expire, explain, explore, export, face, fail, faint, fancy, "
    "farm, fast, favour, fear, fence, fetch, fill, film, finish, fire, fish, fit, fix, flare, "
    "flatshare, float, flood, follow, forage, force, forge, foster, found, frame, gain, gamble, "
    "garden, gather, glue, golf, grab, graduate, greet, grill, guess, guide, handle, happen, hate, "
    "head, heal, heat, help, hike, hire, hope, host, hug, hunt, hurry, identify, ignore, "
    "illustrate, "
    "imagine, immigrate, import, improve, include, increase, inherit, inject, injure, inspect, "
    "install, intend, interpret, interview, introduce, invent, invest, invite, iron, itch, jog, "
    "join, joke, judge, juggle, jump, kayak, kick, kill, kiss, knock, label, lack, land, last, "
    "laugh, launch, lecture, liaise, lift, like, listen, live, load, loathe, lock, log, look, "
    "love, "
    "lower, mail, maintain, manage, manufacture, march, marry, massage, matter, measure, meditate, "
    "melt, memorise, mend, mentor, mention, mind, miss, mix, moderate, monitor, move, multiply, "
    "name, nap, narrate, need, note, notice, nurse, obey, object, observe, occupy, offer, open, "
    "operate, oppose, order, organise, organize, overlook, oversee, owe, own, pack, paddle, paint, "
    "park, participate, pass, paste, pay, perform, persuade, phone, photograph, pick, pilot, "
    "place, "
    "plan, plant, play, plough, podcast, point, polish, post, pour, practise, practice, praise, "
    "pray, preach, prefer, prepare, prescribe, present, preserve, preside, press, pretend, "
    "prevent, "
    "print, process, produce, programme, program, promise, promote, pronounce, propose, protect, "
    "protest, provide, publish, pull, punch, purchase, push, question, quilt, race, raise, rank, "
    "reach, react, realise, realize, receive, recommend, record, recover, reduce, referee, refuse, "
    "regret, rehearse, reject, relate, relax, rely, relocate, remain, remember, remind, remove, "
    "renew, renovate, rent, repair, repeat, replace, reply, report, represent, request, require, "
    "rescue, research, resell, resent, reside, resign, rest, restart, restore, retire, retrain, "
    "return, review, revise, roast, roll, row, ruin, sail, save, scare, score, scream, search, "
    "secure, seem, separate, serve, settle, share, sharpen, shift, ship, shiver, shop, shout, "
    "sign, "
    "sister, skate, sketch, ski, skip, smile, smoke, sneeze, snore, snowboard, solve, sound, "
    "specialise, specialize, sponsor, sprain, squat, stain, stammer, start, stay, step, "
    "stitch, stock, stop, store, stream, stretch, struggle, study, stutter, subscribe, succeed, "
    "suffer, suggest, suit, supervise, supply, support, suppose, surf, surprise, survive, suspect, "
    "swallow, swap, switch, tailor, talk, taste, tend, test, text, thank, ticket, tidy, tolerate, "
    "touch, tour, track, trade, train, transfer, translate, transport, travel, treat, trek, trip, "
    "trust, try, tune, turn, tutor, type, update, upgrade, upload, use, vaccinate, value, vape, "
    "view, visit, volunteer, vote, wait, walk, want, warn, wash, waste, watch, water, weigh, weld, "
    "whisper, whistle, whittle, wish, wonder, work, worry, worship, wrap, wrestle, yell"
)

PRONOUNS = frozenset(
    listed(
        "I, we, he, she, they, it, there, you, this, that, these, those, everyone, everybody, "
        "nobody, someone, somebody, people"
    )
)
# A noun phrase ends before these.
BOUND = frozenset(
    listed("who, which, that, whose, where, when, if, and, or, than, because, so, but")
)
# What begins with these is something of theirs, or something known.
OWNED = frozenset(listed("my, our, his, her, their, the, both, its"))
_NOUNS = frozenset(
    listed("bit, left, saw, ground, rose, set, cut, hit, bound, felt, cast, shot, wound")
)
_BEFORE_MAY = frozenset(listed("in, of, on, last, next, since, until, by, early, late, mid, this"))
_OFTEN = frozenset(listed("never, always, usually, only, just, often, finally, still"))

# Of thinking, talking and wanting: what they tell is gone when the talk is over.
MENTAL = frozenset(
    listed(
        "think, guess, know, mean, wonder, see, hear, understand, agree, disagree, hope, wish, "
        "feel, "
        "suppose, believe, remember, forget, ask, tell, say, look, seem, try, wait, thank, "
        "appreciate, apologise, bet, swear, promise, trust, doubt, notice, realise, realize, find, "
        "figure, mind, care, assume, expect, imagine, request, struggle, want, need, like, intend, "
        "appear, matter, happen, suggest, recommend, explain, mention, reply, decide, "
        "let, lack, deserve, deny, admit, regret, reckon, seek, search, aim, joke, demand, "
        "argue, claim, insist, offer, refuse, consider, question, dare, persuade, convince, point, "
        "complain, repeat, correct, worry, stop, continue, become, sound, suspect, hurry, greet, "
        "laugh, cry, choose, miss, get, give, bother, die, melt, scream, fail, depend, exist"
    )
)
# Of work on a machine or a text: the task at hand.
TASK = frozenset(
    listed(
        "answer, click, open, run, type, press, install, restart, load, paste, copy, upload, "
        "download, log, "
        "scroll, print, save, enter, compile, deploy, debug, test, fix, send, check, update, add, "
        "set, change, follow, calculate, submit, delete, remove, call, import, switch, use, put, "
        "move, turn, close, start, try, show, receive, print, charge, order, email, text, contact, "
        "rename, edit, review, reply, read, write, solve, sort, count, convert, replace, "
        "connect, plug, return, throw, log, reset, upgrade, search, select, drag, drop, insert, "
        "restore, pass, process, label, record, report, cancel, book, pay, buy, make, do"
    )
)
# Of what figures in stories and games do from one moment to the next.
SCENE = frozenset(
    listed(
        "walk, enter, grab, pull, push, hold, raise, draw, jump, attack, cast, hide, whisper, "
        "shout, "
        "smile, nod, reach, step, throw, hit, kick, stand, sit, lie, turn, look, pick, kill, "
        "fight, "
        "kneel, creep, strike, swing, flee, knock, fall, approach, climb, bite, yell, kiss, "
        "hug, wink, bow, gasp, sigh, roll, drag, drop, escape, grin, slide, burst, freeze, shiver, "
        "open, close, leave, arrive, wander, stare, wake, put, take, steal, drink, eat, run, light"
    )
)


def third_person(verb: str) -> str:
    """Return the form of a verb after "she"."""
    if verb == "have":
        return "has"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|ch|sh|o|z)$", verb) else "s")


def past(verb: str) -> str:
    """Return the simple past of a verb."""
    if verb in ("am", "is"):
        return "was"
    if verb == "are":
        return "were"
    if verb in ("have", "has"):
        return "had"
    if verb in ("do", "does"):
        return "did"
    return _irregular().get(verb) or _regular_past(verb)


def verb_of(word: str) -> Verb | None:
    """Return what verb a word can be, or None where it is none that is known."""
    return _words().get(word.lower())


def is_ing(word: str) -> bool:
    """Return whether a word looks like the -ing form of a verb."""
    verb = verb_of(word)
    if verb is not None:
        return Form.ING in verb.forms
    low = word.lower()
    return len(low) > 5 and low.endswith("ing") and low not in _NOT_ING


_NOT_ING = frozenset(
    listed(
        "something, anything, nothing, everything, morning, evening, during, spring, string, "
        "ceiling, darling, wedding, building, sibling, pudding, earring, sterling, viking, "
        "meeting, opening, closing"
    )
)


def finite_at(words: Sequence[str], start: int, *, sure: bool) -> int | None:
    """Return where the verb is of a clause that begins with a noun phrase.

    Args:
        words: The clause.
        start: Where the noun phrase can end at the earliest.
        sure: Whether a past form is taken for the verb; after "a dog" it is none ("called Rex").
    """
    for at in range(start, len(words)):
        word, before = words[at].strip(","), words[at - 1]
        low = word.lower()
        if low in BOUND and low != "and":
            return None
        broken = before.endswith(",") and sum(w.endswith(",") for w in words[:at]) == 1
        if broken and (low in AUXILIARIES or low in PRONOUNS):
            return None
        if before.endswith((";", ":")):
            return None
        together = (
            before.lower() == "and" and low == "i" and not any(w.endswith(",") for w in words[:at])
        )
        if low in PRONOUNS and at > 1 and not together:
            return None
        if low == "may" and (before[-1:].isdigit() or before.lower() in _BEFORE_MAY):
            continue
        if low in AUXILIARIES or low in _OFTEN:
            return at
        verb = verb_of(word)
        if verb is None and at > 1 and sure and _ENDED.fullmatch(word):
            return at
        if verb is None or word[:1].isupper() or broken:
            continue
        many = sure and at < len(words) - 1 and _is_many(before)
        if Form.THIRD in verb.forms:
            return at
        if Form.PAST in verb.forms and sure and (low not in _NOUNS or _takes(words, at)):
            return at
        if Form.BASE in verb.forms and (many or before == "I"):
            return at
    return None


# "My gran smuggled …": the past of a verb that no table knows.
_ENDED = re.compile(
    r"(?!\w*(?:eed|kindred|hundred|sacred|naked|wicked|aged|beloved|talented|retired)$)[a-z]{3,}ed"
)


def _is_many(word: str) -> bool:
    return word.strip(",").lower().endswith("s") and "'" not in word


def _takes(words: Sequence[str], at: int) -> bool:
    """Return whether an object follows: "left his job", but not "the left one"."""
    following = words[at + 1] if at + 1 < len(words) else ""
    return following in _TAKEN or (at > 1 and words[at - 1][:1].isupper())


_TAKEN = frozenset(listed("my, his, her, our, their, the, me, us, him, for, home, school"))


# Before one of these ends what a gerund takes with it; after it comes another clause.
_OTHER_CLAUSE = frozenset(
    listed(
        "who, which, that, when, if, because, so, but, while, where, what, how, as, since, until, "
        "whenever, I, we, he, she, they, it, you"
    )
)
_FINITE = AUXILIARIES - {"be", "have", "do"}
_EFFECTS = frozenset(
    listed(
        "make, take, give, help, mean, feel, keep, hurt, cost, get, bring, let, seem, encourage, "
        "remind, allow, teach, leave, need, require, become, fascinate, sound, come, go, have"
    )
)


def is_gerund_subject(words: Sequence[str]) -> bool:
    """Return whether a clause is about doing something: "taking a break can help".

    Args:
        words: Its words, the first of them ending in -ing.
    """
    if not words or not is_ing(words[0].lower().strip(",")):
        return False
    for at, said in enumerate(words[1:], 1):
        word = said.lower().strip(",;:")
        if word in _OTHER_CLAUSE and not (word == "that" and at == 1):
            return False
        if word in _FINITE:
            return True
        verb = verb_of(word)
        following = words[at + 1].lower().strip(",") if at + 1 < len(words) else ""
        if word.endswith("s") and following in ("me", "us", "you", "people", "him", "them"):
            return True
        if verb is not None and Form.THIRD in verb.forms and verb.lemma in _EFFECTS:
            return True
    return False


@cache
def _irregular() -> dict[str, str]:
    return {row.split()[0]: row.split()[1] for row in listed(_IRREGULAR)}


@cache
def _words() -> dict[str, Verb]:
    """Return every known form; where two verbs share one, the more common verb has it."""
    found: dict[str, tuple[str, set[Form]]] = {}

    def note(word: str, lemma: str, form: Form) -> None:
        entry = found.setdefault(word, (lemma, set()))
        if entry[0] == lemma:
            entry[1].add(form)

    rows = [(r[0], r[1], r[-1]) for r in (row.split() for row in listed(_IRREGULAR))]
    rows += [(verb, _regular_past(verb), _regular_past(verb)) for verb in listed(_REGULAR)]
    for base, past_form, participle in rows:
        note(base, base, Form.BASE)
        note(third_person(base), base, Form.THIRD)
        note(past_form, base, Form.PAST)
        note(participle, base, Form.PARTICIPLE)
        note(_regular_past(base), base, Form.PAST)
        note(_ing(base), base, Form.ING)
    return {word: Verb(lemma, frozenset(forms)) for word, (lemma, forms) in found.items()}


def _regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ed"


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return verb[:-1] + "ing"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ing"


def _doubles(verb: str) -> bool:
    """Return whether the last consonant is doubled: one short syllable, or "travel", "prefer"."""
    if re.fullmatch(r"[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]", verb):
        return True
    return verb in ("travel", "prefer", "enrol", "begin", "forget", "cancel", "label", "admit")
