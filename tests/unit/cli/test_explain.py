import re
from datetime import UTC, datetime

import pytest

from app.cli.explain import COLUMNS, as_lines, fitted, listed
from app.domain.memory import Trust
from app.domain.provenance import Passage
from app.domain.reason import Reason, ReasonKind, measure
from app.domain.recall import Hit, HitKind, Recall, TraceStep
from app.serialisers import recalls

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def hit(text="I live in Ghent", **more):
    return Hit("m", HitKind.MEMORY, text, AT, **more)


def test_plain_json_is_the_list_and_explained_json_an_object_around_it(loci):
    loci("chat", "--typed", say=b"I'm allergic to walnuts.\nI work as a nurse in Leeds.\n")
    listed = loci("recall", "What am I allergic to?", "--json").data
    told = loci("recall", "What am I allergic to?", "--explain", "--json").data
    assert isinstance(listed, list)
    plain = {
        "id",
        "kind",
        "text",
        "score",
        "at",
        "trust",
        "superseded_by",
        "replaced_at",
        "reasons",
        "unverified",
    }
    assert set(listed[0]) == plain
    assert set(told) == {"query", "milliseconds", "hits", "dropped", "lost", "steps", "degraded"}
    assert told["lost"] == len(told["dropped"])
    assert [h["id"] for h in told["hits"]] == [h["id"] for h in listed]
    first = told["hits"][0]
    assert first["lanes"]["fts"] == 1
    assert {"recency", "trust"} <= set(first["factors"])
    assert first["base"] > 0
    steps = {step["name"]: step for step in told["steps"]}
    assert {"fts", "vector", "fusion", "budget"} <= set(steps)
    assert steps["budget"]["after"] == len(told["hits"])
    assert all(step["milliseconds"] >= 0 for step in told["steps"])
    assert all(h["dropped"] and h["reasons"] for h in told["dropped"])


def test_the_table_says_where_each_hit_stood_and_what_was_dropped(loci):
    loci(
        "chat",
        "--typed",
        say=b"I'm allergic to walnuts.\nI live in Ghent.\n" + b"I own a boat. " * 40,
    )
    out = loci("recall", "--explain", "What am I allergic to?").out
    assert "I'm allergic to walnuts" in out
    assert "why       You said it today; it matters for your safety and shares the word" in out
    assert "found by  fts #1" in out
    assert "factors   recency ×" in out
    assert "Dropped (" in out
    assert "because   says the same as another: a memory made from it was found as well" in out
    assert "Steps" in out
    assert max(len(line) for line in out.splitlines()) <= COLUMNS


def test_where_nothing_passes_it_says_so_and_why(loci):
    loci("chat", "--typed", say=b"I'm allergic to walnuts.\n")
    out = loci("recall", "--explain", "Is quantum chromodynamics allergic?").out
    assert out.startswith("Nothing relevant is remembered (")
    assert "because   not about this: the best result has" in out
    assert loci("recall", "--explain", "zebra").out.startswith("Nothing relevant is remembered (")


def test_explaining_stores_nothing(loci):
    loci("remember", "I like tea.")
    before = loci("memories", "list", "--json").data
    loci("recall", "--explain", "What do I like?")
    assert loci("memories", "list", "--json").data == before


def test_what_is_external_or_replaced_is_flagged_and_every_line_fits():
    wide = "東京の天気は" * 40
    found = Recall(
        [
            hit(wide, trust=Trust.EXTERNAL, lanes={"fts": 1}, reasons=(measure("words", 0.4),)),
            hit(superseded_by="x", replaced_by="I live in\x1b[31m Antwerp"),
        ],
        [hit("Lost " * 60, dropped="below_budget", reasons=(Reason(ReasonKind.NO_ROOM),))],
        [TraceStep("a lane with a very long name indeed", 0, 12_345, 1.5, "It failed. " * 30)],
        ["The embedder did not answer. " * 8],
        38.25,
    )
    lines = list(as_lines(found))
    text = "\n".join(lines)
    assert max(len(line) for line in lines) <= COLUMNS
    assert "external  Not trusted: either it comes from outside" in text
    assert "replaced  by “I live in�[31m Antwerp”" in text
    assert "Dropped (1)" in text
    assert "because   no room left: better results filled the room" in text
    assert "Degraded  The embedder did not answer." in text
    assert "\x1b" not in text
    assert recalls.recall("q", found)["milliseconds"] == 38.25


def test_of_many_that_were_dropped_it_says_how_many(loci):
    steps = [TraceStep("rows", 200, 200, 1.0), TraceStep("floor", 200, 40, 1.0)]
    found = Recall(
        (), [hit(dropped="below_floor", reasons=(Reason(ReasonKind.SAID, text="no"),))], steps
    )
    assert "Dropped (1 of 160)" in list(as_lines(found))
    assert recalls.recall("q", found)["lost"] == 160


def test_what_was_replaced_is_listed_with_the_day_and_what_took_its_place(loci):
    before = "I work as a nurse in Leeds"
    after = "I don't work as a nurse in Leeds any more"
    loci("chat", "--typed", say=f"{before}.\n{after}.\n".encode())
    out = loci("recall", "Where did I work as a nurse?").out
    (line,) = (line for line in out.splitlines() if f"memory   {before} " in line)
    assert re.search(rf"\(replaced on \d{{4}}-\d\d-\d\d by “{after}”\)$", line)
    listed = loci("recall", "Where did I work as a nurse?", "--json").data
    old = next(hit for hit in listed if hit["text"] == before)
    new = next(hit for hit in listed if hit["text"] == after)
    assert listed.index(old) == listed.index(new) + 1
    assert old["superseded_by"] == new["id"]
    assert old["replaced_at"]
    assert new["replaced_at"] is None
    out = loci("recall", "--explain", "Where did I work as a nurse?").out
    assert re.search(rf"replaced  on \S+ by “{after}”", out)
    assert "disputed" not in out
    assert "found by  replaced #1" in out


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [("short", 5, "short"), ("longer", 5, "long…"), ("東京の天気", 6, "東京…"), ("a b", 2, "a…")],
)
def test_a_text_is_cut_to_columns_not_to_letters(text, columns, shown):
    assert fitted(text, columns) == shown


def test_words_that_nobody_here_said_are_listed_with_where_they_come_from():
    pasted = Passage("Rent is\ndue", "in something you pasted, not verified")
    mixed = hit(passages=(Passage("Look: "), pasted))
    claim = hit(trust=Trust.CLAIMED)
    assert listed(mixed).endswith("  Look: (in something you pasted, not verified:) Rent is due")
    assert listed(claim).endswith("  (claimed by an import, not verified:) I live in Ghent")
    assert listed(hit()).endswith("  I live in Ghent")
    assert [recalls.hit(one)["unverified"] for one in (mixed, claim, hit())] == [
        [{"text": "Rent is\ndue", "whence": "in something you pasted, not verified"}],
        [{"text": "I live in Ghent", "whence": "claimed by an import, not verified"}],
        [],
    ]
    told = "\n".join(as_lines(Recall([mixed, claim])))
    assert "external  Not trusted: either it comes from outside" in told
    assert "claimed   Claimed by an import" in told
