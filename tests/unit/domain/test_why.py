"""Why an answer uses a find is one sentence in plain English: who said it, when, what ties it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.conversation import Role
from app.domain.memory import SAFETY, Memory, Origin, Trust
from app.domain.provenance import IMPORTED, Passage
from app.domain.reason import MEANING, WORDS, Reason, ReasonKind, measure
from app.domain.recall import Hit, HitKind
from app.domain.why import sentence

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
AT = datetime(2026, 5, 3, 12, tzinfo=UTC)
LIKE = (measure(WORDS, 0.9), measure(MEANING, 0.8))
NEAR = (measure(WORDS, 0.1), measure(MEANING, 0.5))
FAR = (measure(WORDS, 0.1), measure(MEANING, 0.1))


def memory(text, origin=Origin.CONVERSATION, *, at=AT, trust=Trust.LEARNED, tags=(), **more):
    row = Memory("m", text, at, at, 1, origin=origin, trust=trust, tags=tags)
    return Hit("m", HitKind.MEMORY, text, at, trust=trust, memory=row, **more)


def message(text, role=Role.USER, **more):
    return Hit("x", HitKind.MESSAGE, text, AT, role=role, **more)


def ties(hit, asked):
    return sentence(hit, asked, NOW).partition("; ")[2]


def told(hit, asked=""):
    return sentence(hit, asked, NOW).partition(";")[0]


def test_the_sentence_says_who_when_and_what_ties_it_to_the_question():
    birthday = memory("Ana's birthday is on 12 March", reasons=LIKE)
    assert sentence(birthday, "When is Ana's birthday?", NOW) == (
        "You said it on 3 May; it is about Ana and gives the date you asked for."
    )
    assert sentence(replace(birthday, dropped="below_floor"), "When?", NOW) == ""


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (NOW, "today"),
        (NOW - timedelta(days=1), "yesterday"),
        (AT, "on 3 May"),
        (AT.replace(year=2025), "on 3 May 2025"),
    ],
)
def test_a_day_is_told_as_people_say_it(at, words):
    assert told(memory("You sail", at=at)) == f"You said it {words}"


@pytest.mark.parametrize(
    ("hit", "words"),
    [
        (memory("a", Origin.USER_TYPED), "You noted it yourself on 3 May"),
        (memory("a", Origin.USER_EDITED), "You put it this way yourself on 3 May"),
        (memory("a", Origin.REVIEW), "You said it on 3 May"),
        (
            memory("a", Origin.CONSOLIDATION, proof_count=3),
            "Loci drew it on 3 May from 3 things you said",
        ),
        (memory("a", Origin.DREAM), "Loci drew it from several things you said on 3 May"),
        (memory("a", Origin.DOCUMENT), "It was read in a document on 3 May"),
        (memory("a", Origin.CLIENT), "Another program told Loci on 3 May"),
        (memory("a", Origin.MIGRATION), "It came with an import on 3 May"),
        (memory("a", trust=Trust.CLAIMED), "A file that you imported on 3 May says so"),
        (memory("a", trust=Trust.EXTERNAL), "It came from outside on 3 May"),
        (Hit("m", HitKind.MEMORY, "a", AT), "You said it on 3 May"),
        (message("a"), "You said it on 3 May"),
        (message("a", Role.ASSISTANT), "Loci answered it on 3 May"),
        (message("a", speaker="Rui"), "Rui said it on 3 May"),
        (
            message("a", passages=(Passage("a", "in something you pasted, not verified"),)),
            "It stands in something you pasted on 3 May",
        ),
        (
            message("a", passages=(Passage("a", IMPORTED),)),
            "It stands in a conversation you imported, and was said on 3 May",
        ),
        (message("a", passages=(Passage("a"), Passage("b", IMPORTED))), "You said it on 3 May"),
    ],
)
def test_it_is_told_whose_word_it_is(hit, words):
    assert told(hit) == words


@pytest.mark.parametrize(
    ("hit", "asked", "words"),
    [
        (memory("You live with Ana", reasons=FAR), "who is ana", "it is about Ana."),
        (memory("Ana met Rui", reasons=FAR), "Did Ana see Rui?", "it is about Ana and Rui."),
        (
            message("I saw Ana today", reasons=NEAR),
            "And Ana?",
            "it mentions Ana and is close in meaning to your question.",
        ),
        (
            memory("You are allergic to walnuts", reasons=LIKE),
            "Is there a walnut I am allergic to?",
            "it shares the words “walnut” and “allergic” with your question and is close in"
            " meaning to it.",
        ),
        (memory("You sail", reasons=LIKE[:1]), "?", "it shares words with your question."),
        (memory("You sail", lanes={"fts": 1}), "?", "it shares words with your question."),
        (memory("You sail", lanes={"vector": 1}), "?", "it is close in meaning to your question."),
        (memory("You sail", reasons=FAR), "?", "it seemed close to what you asked."),
        (
            memory("You sail", reasons=FAR, occurred_at=AT),
            "What day was the race?",
            "it gives the date you asked for.",
        ),
        (
            memory("You sailed", reasons=(Reason(ReasonKind.IN_TIME, "", (1.4,), "March 2026"),)),
            "What did I do in March 2026?",
            "it falls in the time you asked about, March 2026.",
        ),
        (memory("No nuts", tags=(SAFETY,)), "?", "it matters for your safety."),
        (
            memory("You sail", lanes={"overview": 1}),
            "?",
            "you asked what Loci knows about you.",
        ),
        (memory("You sailed", lanes={"replaced": 1}), "?", "it shows what was true before."),
    ],
)
def test_what_ties_it_to_the_question_is_told_shortly(hit, asked, words):
    assert ties(hit, asked) == words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (ReasonKind.KEPT_IN_MIND, "you pinned it, so every answer can draw on it."),
        (ReasonKind.PINNED, "you pinned it."),
        (ReasonKind.MEANT, "it is what you asked about."),
        (ReasonKind.BESIDE, "it was said right beside something that fits your question."),
        (ReasonKind.SHARED_NAMES, "it names the same people or things as another result."),
    ],
)
def test_what_was_found_by_a_link_says_which(kind, words):
    assert ties(memory("You sail", reasons=(Reason(kind, numbers=(0.5,)),)), "?") == words


def test_days_and_openings_are_no_names():
    hit = memory("On Monday you swim. Tuesday you rest", reasons=FAR)
    assert ties(hit, "What is on Monday and Tuesday?").startswith("it shares the words")
    assert ties(memory("Swim first", reasons=FAR), "Swim?").startswith("it shares the word “swim”")
    assert "“Friday”" in ties(memory("Pool on Friday", reasons=FAR), "What is on friday?")


def test_no_sentence_speaks_of_the_machinery():
    every = tuple(Reason(kind, "fts", (0.9, 0.9, 0.9), "May") for kind in ReasonKind)
    for asked in ("", "When did Ana sail?"):
        said = sentence(memory("You sail with Ana", reasons=every, lanes={"fts": 1}), asked, NOW)
        assert not set(said.casefold().split()) & {"lane", "fusion", "score", "relevance", "fts"}
        assert said.count(";") == 1
        assert said.endswith(".")
