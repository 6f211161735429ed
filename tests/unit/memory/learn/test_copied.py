"""What a model copies out of its instructions never becomes a memory."""

import json
import re
from datetime import UTC, datetime

import pytest

from app.assets import resource
from app.memory.learn.copied import copied
from app.memory.learn.llm_extract import proposals
from app.memory.review.page import rules as review_rules

AT = datetime(2026, 5, 8, 10, tzinfo=UTC)
PROMPTS = ("extract", "review", "consolidate", "summarise")
TYPED = "I live in Ghent, and my sister Ruth plays the cello there."


def rules(name):
    return resource(f"prompts/{name}.md").read_text("utf-8")


def shape(name):
    """Return the line that shows the form of a reply."""
    return next(line for line in rules(name).splitlines() if line.startswith("{"))


@pytest.mark.parametrize("name", PROMPTS)
def test_the_form_of_a_reply_is_shown_with_placeholders_alone(name):
    fields = re.sub(r'"\w+":', "", shape(name))
    left = re.sub(r"<[^<>]+>", "", fields)
    assert re.fullmatch(r'[\s{}\[\]",]*', left), left


@pytest.mark.parametrize("name", PROMPTS)
def test_every_placeholder_is_refused_with_brackets_and_without(name):
    found = re.findall(r"<[^<>]+>", shape(name))
    assert found
    for one in found:
        assert copied(one, rules(name), TYPED)
        assert copied(f"I live in {one}", rules(name), TYPED)
        assert copied(one.strip("<>").capitalize(), rules(name), TYPED)


@pytest.mark.parametrize("name", PROMPTS)
def test_several_words_of_the_instructions_are_refused_unless_they_were_typed(name):
    sentence = next(line for line in rules(name).splitlines() if line.startswith("You "))
    words = " ".join(sentence.rstrip(":.").split()[-5:])
    assert copied(f"I have {words}", rules(name), TYPED)
    assert not copied(f"I have {words}", rules(name), f"I have {words}.")
    assert not copied("My sister Ruth plays the cello", rules(name), TYPED)


def test_what_the_person_typed_in_brackets_themselves_is_theirs():
    assert not copied("I write <main> by hand", rules("extract"), "I write <main> by hand.")
    assert copied("I write <main> by hand", rules("extract"), "I write HTML by hand.")


def ask(*items, typed=TYPED):
    reply = [{"kind": "fact", "quote": "I live in Ghent", **item} for item in items]
    return proposals(lambda prompt, sampling: reply, typed, AT, 9)


def test_copies_of_the_prompt_are_no_proposals():
    shown = json.loads(shape("extract"))["memories"][0]
    copies = [
        shown,
        {**shown, "kind": "fact"},
        {**shown, "kind": "fact", "quote": "I live in Ghent"},
        {"content": "I live in <one short sentence>"},
        {"content": "I live in one short sentence in Ghent"},
        {"content": "I live in Ghent, lasting facts about the person and their people"},
        {"content": "Their exact words"},
    ]
    assert ask(*copies) == []
    (kept,) = ask(*copies, {"content": "I live in Ghent"})
    assert kept.text == "I live in Ghent"


def test_entities_that_a_model_invents_or_copies_are_left_out():
    named = ["Ghent", "Ruth", "user", "Belgium", "Tom", "<name>", "name", "Lasting facts", ""]
    (kept,) = ask({"content": "I live in Ghent", "entities": named})
    assert set(kept.entities) == {"Ghent", "Ruth", "user"}


def test_a_schema_leaves_nothing_without_an_end():
    seen = []
    proposals(lambda prompt, sampling: seen.append(sampling), TYPED, AT, 3)
    schema = seen[0].schema
    assert schema["properties"]["memories"]["maxItems"] == 3
    for part in _parts(schema):
        bounded = {"string": "maxLength" in part or "enum" in part, "array": "maxItems" in part}
        assert bounded.get(part["type"], True), part
    assert "<number>" in review_rules()


def _parts(schema):
    yield schema
    for inner in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        yield from _parts(inner)
