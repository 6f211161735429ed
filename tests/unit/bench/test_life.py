"""Lives told through the product: what is counted, and that one tiny life runs through."""

import json
from datetime import UTC, datetime
from threading import Event

import pytest

from app.bench.life import score, script
from app.bench.life.lives import lives
from app.bench.life.living import LifeReply, LifeResult, Living
from app.bench.life.script import Ask, LifeFact, LifeScript, Order
from app.bench.opened import HandClock
from app.domain.jobs.operation import drive
from app.domain.memory import Memory, Status, Trust
from app.errors import TransferError
from app.main.program import Program
from tests.fakes.tiny_gguf import chat_model

DAY = datetime(2026, 5, 8, 12, tzinfo=UTC)
GHENT = (("ghent", "gent"),)


def reply(text="", *did):
    return LifeReply(text, frozenset(did), 5.0)


def memory(name, text, **fields):
    return Memory(name, text, DAY, DAY, **{"agent_pk": 1, **fields})


def life(facts=(), never=()):
    return LifeScript("l", DAY, (), facts, tuple(never), (), ())


def lived(*memories, facts=(), never=(), sources=(), asked=(), ordered=(), told=()):
    return LifeResult(
        life(facts, never), list(told), memories, dict(sources), list(asked), list(ordered)
    )


def ask(kind="fact", answer=GHENT, wrong=()):
    return Ask("Where do I live?", answer, tuple(wrong), kind)


# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("I live in Ghent. [1]", "i live in ghent"),
        ("I live in Ghent. [1] My cat is Muis. [2]", "i live in ghent"),
        ("This is what I know:\n- I live in Ghent [1]\n- My cat is Muis [2]", "i live in ghent"),
        ("1. I live in Ghent\n2. My cat is Muis", "i live in ghent"),
        ("My vet is Dr. Peeters, in Ghent. She is kind.", "my vet is dr. peeters, in ghent"),
        ("\n\n  I live in Ghent", "i live in ghent"),
        ("What I know:", "what i know"),
        ("", ""),
    ],
)
def test_the_first_line_is_the_first_thing_that_is_said(answer, first):
    assert score.first_line(answer) == first


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("I don’t know that.", 0),
        ("I live in Ghent. [1]", 1),
        ("I live in Ghent [1], and my cat is Muis [2]. Ghent again [1].", 2),
        ("What I know:\n- I live in Ghent [1]\n- My cat is Muis [1]\n- I'm vegan", 3),
        ("1. I live in Ghent\n2) My cat is Muis", 2),
        ("", 0),
    ],
)
def test_statements_are_list_items_or_else_what_is_cited(answer, number):
    assert score.statements(answer) == number


@pytest.mark.parametrize(
    "answer",
    [
        "Remembered: “I live in Ghent”.",
        "Noted: I live in Ghent.",
        "Updated: “I live in Porto” (was “I live in Ghent”).",
        "Forgotten: “I live in Ghent”.",
        "I’ll remember that.",
        "I did not find Ana.\nErased: 2 memories.",
        "Ended: “Always answer in French”.",
        "I’ve stopped writing in lower case.",
    ],
)
def test_an_answer_claims_that_memory_was_changed(answer):
    assert score.claims(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "I live in Ghent. [1]",
        "Nothing was forgotten.",
        "I have not noted that.",
        "I can’t tell what was changed.",
        "“I stopped smoking in May.” [1]",
        'You said: "I have changed jobs".',
        "I don’t know that.",
        "The model process stopped.",
        "Gemma stopped unexpectedly, perhaps for lack of memory; ask again to restart it.",
        "The answer was stopped before it was complete.",
        "My contract ended in May. [1]",
        "",
    ],
)
def test_an_answer_that_denies_it_quotes_or_tells_of_something_else_claims_nothing(answer):
    assert not score.claims(answer)


def test_an_answer_is_right_where_its_first_line_carries_it():
    found = score.counted(
        lived(
            asked=[
                (ask(), reply("I live in Gent. [1]")),
                (ask(), reply("My cat is Muis. [1] I live in Ghent. [2]")),
                (ask(), reply("I don’t know that.")),
            ]
        )
    )
    assert found.first == [True, False, False]
    assert found.anywhere == [True, True, False]
    assert found.statements == [1, 2, 0]
    assert found.kinds == {"fact": [True, False, False]}
    assert [miss["asked"] for miss in found.misses] == ["Where do I live?"] * 2


@pytest.mark.parametrize(
    ("said", "right", "stale"),
    [
        ("I live in Ghent.", True, False),
        ("I live in Ghent, no longer in Porto.", True, False),
        ("I lived in Porto and now in Ghent.", False, True),
        ("I live in Porto.", False, True),
        ("I don’t know that.", False, False),
    ],
)
def test_a_stale_value_counts_where_it_stands_before_the_answer(said, right, stale):
    found = score.counted(lived(asked=[(ask("changed", wrong=["Porto"]), reply(said))]))
    assert (found.first, found.stale_first) == ([right], [stale])


@pytest.mark.parametrize(
    ("said", "honest"),
    [
        ("I don’t know that.", True),
        ("You have not told me where you live.", True),
        ("I live in Ghent. [1]", False),
        ("I don’t know that. But I live in Ghent. [1]", False),
    ],
)
def test_what_was_never_told_is_not_known(said, honest):
    found = score.counted(lived(asked=[(ask("unknown", answer=()), reply(said))]))
    assert (found.unknown, found.first) == ([honest], [])


# -- memories --------------------------------------------------------------------------------------


def test_a_fact_is_kept_where_one_memory_carries_all_of_it():
    both = LifeFact("home", (("live", "home"), ("ghent", "gent")), None, "daily")
    kept = [
        score.counted(lived(*memories, facts=[both])).kept
        for memories in (
            [memory("a", "I LIVE in Gent")],
            [memory("a", "I live here"), memory("b", "Ghent is rainy")],
            [memory("a", "I live in Ghent", status=Status.SUPERSEDED)],
            [],
        )
    ]
    assert kept == [{"daily": [held]} for held in (True, False, False, False)]


def test_a_date_counts_as_said_by_the_day_of_the_memory():
    fact = LifeFact("visit", (("dentist",), ("2026-05-08", "8 may")), None, "daily")
    seen = lived(memory("a", "I see the dentist then", occurred_at=DAY), facts=[fact])
    assert score.counted(seen).kept == {"daily": [True]}


def test_what_has_ended_is_stale_while_it_holds():
    ended = LifeFact("home", GHENT, 2, "daily")
    old = memory("a", "I live in Ghent")
    for memories, sources, stale in (
        ([old], {"a": 0}, True),
        ([old], {}, True),
        ([old], {"a": 2}, False),  # the message that ended it says so
        ([memory("a", "I live in Ghent", valid_to=DAY)], {"a": 0}, False),
        ([memory("a", "I live in Ghent", status=Status.SUPERSEDED)], {"a": 0}, False),
        ([], {}, False),
    ):
        found = score.counted(lived(*memories, facts=[ended], sources=sources))
        assert found.ended == [stale]
        assert found.kept == {}


def test_what_must_never_be_known_is_false_unless_others_said_it():
    told = memory("a", "My neighbour keeps GOATS"), memory("b", "I live in Ghent")
    assert score.counted(lived(*told, never=["goats"])).false == 1
    read = memory("a", "My neighbour keeps goats", trust=Trust.EXTERNAL)
    assert score.counted(lived(read, never=["goats"])).false == 0
    assert score.counted(lived(*told)).memories == 2


# -- orders ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "said", "right"),
    [
        (["My cat is Muis"], "Forgotten: “I live in Ghent”.", True),
        (["My cat is Muis", "I live in Ghent"], "Forgotten.", False),
        ([], "Forgotten.", False),  # the cat is lost as well
        (["My cat is Muis"], "All right.", False),
    ],
)
def test_an_order_is_right_where_all_came_of_it_and_it_was_said(left, said, right):
    order = Order("Forget where I live.", "forget", ("ghent",), ("muis",), ("forgotten", "gone"))
    memories = [memory(str(n), text) for n, text in enumerate(left)]
    found = score.counted(lived(ordered=[(order, reply(said, "forget"), memories)]))
    assert found.orders == {"forget": [right]}
    assert len(found.misses) == (not right)


def test_a_claim_without_a_change_is_untrue_wherever_it_is_made():
    claim = "Remembered: “I live in Ghent”."
    order = Order("Forget it.", "forget", (), (), ())
    found = score.counted(
        lived(
            told=[reply(claim, "insert"), reply(claim), reply("Hello.")],
            asked=[(ask(), reply("Updated: I live in Ghent", "forget"))],
            ordered=[(order, reply("Forgotten.", "insert"), [])],
        )
    )
    assert found.untrue == 3
    back = "Taken back: “I live in Ghent” is"
    for told in (f"{back} in use again.", f"{back} not remembered any more.", "Undone: Forgot: I."):
        assert score.counted(lived(told=[reply(told, "undo")])).untrue == 0
        assert score.counted(lived(told=[reply(told)])).untrue == 1


def test_figures_of_several_lives_add_up():
    one = score.counted(lived(asked=[(ask(), reply("I live in Ghent. [1]"))]))
    other = score.counted(lived(memory("a", "x"), asked=[(ask(), reply("No idea."))]))
    total = score.Count()
    total.add(one)
    total.add(other)
    figures = total.figures()
    assert (figures["first_line_right"], figures["memories"]) == (0.5, 1)
    assert figures["first_by_kind"] == {"fact": 0.5}
    assert figures["kept"] is None
    assert score.Count().figures()["statements_per_answer"] == 0
    assert score.listed(total.misses) == [
        "life: l · asked: Where do I live? · kind: fact · answer: (('ghent', 'gent'),)"
        " · said: No idea."
    ]


# -- a life ----------------------------------------------------------------------------------------

TINY = {
    "id": "tiny",
    "today": "2026-05-20T09:00:00",
    "talk": [
        {"at": "2026-05-04T09:00:00", "conversation": "a", "said": "I'm allergic to walnuts."},
        {
            "at": "2026-05-05T09:00:00",
            "conversation": "a",
            "said": "My sister Ana lives in Porto.",
            "pasted": "Their neighbour keeps goats.",
        },
        {
            "at": "2026-05-06T09:00:00",
            "conversation": "b",
            "assistant": "How many children do you have?",
            "said": "Two of them, Bo and Finn.",
        },
    ],
    "facts": [
        {"id": "nuts", "must": [["walnut"]], "until": None, "weight": "safety"},
        {"id": "ana", "must": [["ana"], ["porto"]], "until": None, "weight": "daily"},
        {"id": "children", "must": [["bo"], ["finn"], ["child"]], "until": None, "weight": "daily"},
    ],
    "junk": [{"said": 1, "never": ["goats"]}],
    "asks": [
        {"q": "What am I allergic to?", "answer": [["walnut"]], "not": [], "kind": "fact"},
        {"q": "What is my blood type?", "answer": [], "not": [], "kind": "unknown"},
    ],
    "orders": [
        {
            "said": "Forget about my allergy to walnuts.",
            "kind": "forget",
            "gone": ["walnut"],
            "kept": ["porto"],
            "reply": ["forgotten"],
        }
    ],
}


def test_a_tiny_life_runs_through(tmp_path):
    path = tmp_path / "lives.jsonl"
    path.write_text(json.dumps(TINY), "utf-8")
    found = drive(lives(path, Program().temporary), Event())
    figures = found["all"]
    assert found["lives"] == {"tiny": figures}
    assert (figures["kept"], figures["memories"], figures["false"]) == (1, 3, 0)
    assert (figures["kept_safety"], figures["kept_daily"]) == (1, 1)
    assert figures["first_by_kind"] == {"fact": 1}
    assert figures["unknown_honest"] is not None  # how well the judge does is not tested here
    assert (figures["orders_right"], figures["claims_untrue"]) == (1, 0)
    assert figures["latency_ms"]["p50"] > 0
    assert [miss for miss in found["misses"] if "unknown" not in miss] == []


def test_a_model_that_babbles_adds_no_memory(tmp_path):
    path = tmp_path / "lives.jsonl"
    path.write_text(json.dumps(TINY | {"asks": [], "orders": []}), "utf-8")
    model = chat_model(tmp_path / "babbles.gguf")
    found = drive(lives(path, Program().temporary, f"file:{model}"), Event())["all"]
    assert (found["memories"], found["false"]) == (3, 0)


def test_a_model_is_asked_and_ordered_but_tells_nothing_itself(tmp_path):
    path = tmp_path / "lives.jsonl"
    path.write_text(json.dumps(TINY), "utf-8")
    model = chat_model(tmp_path / "babbles.gguf", context=8192)
    moment = HandClock(script.load(path)[0].talk[0].at)
    with Program().temporary(moment) as (services, store):
        services.preferences.set("chat.max_answer_tokens", 16)
        living = Living(script.load(path)[0], services, store, moment)
        seen = drive(living.live(answer_with=f"file:{model}"), Event())
    assert len(seen.memories) == 3
    assert not any(told.streamed for told in seen.told)
    allergy, blood = (answer for _, answer in seen.asked)
    assert allergy.streamed
    assert "walnuts" in allergy.hits[0].text
    assert not blood.failed
    ((_, order, left),) = seen.ordered
    assert "forget" in order.did
    assert not any("walnut" in one.text for one in left if one.status is Status.ACTIVE)


def test_a_question_that_a_model_cannot_answer_is_a_wrong_answer(tmp_path):
    path = tmp_path / "lives.jsonl"
    path.write_text(json.dumps(TINY | {"orders": []}), "utf-8")
    model = chat_model(tmp_path / "narrow.gguf", context=64)
    found = drive(lives(path, Program().temporary, "", f"file:{model}"), Event())["all"]
    assert (found["memories"], found["first_line_right"]) == (3, 0)


def test_lives_are_read_from_lines_or_a_list(tmp_path):
    path = tmp_path / "lives"
    path.write_text(json.dumps([TINY, TINY]), "utf-8")
    (one, again) = script.load(path)
    path.write_text("\n".join([json.dumps(TINY), "", json.dumps(TINY)]), "utf-8")
    assert script.load(path) == [one, again]
    assert (one.talk[1].pasted, one.talk[2].assistant) == (
        "Their neighbour keeps goats.",
        "How many children do you have?",
    )
    assert one.talk[0].at.tzinfo is not None
    assert one.facts[1] == LifeFact("ana", (("ana",), ("porto",)), None, "daily")
    assert one.never == ("goats",)


@pytest.mark.parametrize("text", ["", "[]", "{", "[1]", '[{"id": "x"}]', "not json"])
def test_what_is_no_list_of_lives_is_one_sentence(text, tmp_path):
    path = tmp_path / "lives.json"
    path.write_text(text, "utf-8")
    with pytest.raises(TransferError, match="not a list of lives"):
        script.load(path)
    with pytest.raises(TransferError, match="could not be read"):
        script.load(tmp_path / "nowhere.json")
