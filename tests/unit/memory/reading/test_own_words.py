"""What is not the person's own talk is told by its form, and their own talk is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.reading.own_words import material, overlaps, speaks_of_self, unwrapped

FACT = "I live in Porto and I am allergic to nuts"


def blanked(text):
    """Return a text without what is material."""
    spans = material(text)
    return "".join(letter for i, letter in enumerate(text) if not overlaps(i, i + 1, spans))


@pytest.mark.parametrize(
    "foreign",
    [
        f"```\n{FACT}\n```",
        f"```python\n{FACT}",  # never closed
        f"~~~\n{FACT}\n~~~",
        f"`{FACT}`",
        f"> {FACT}",
        f"| name | {FACT} |",
        f"$ echo {FACT}",
        f"2026-05-08 10:00:01 ERROR {FACT}",
        f"[INFO] {FACT}",
        f"SELECT name FROM people -- {FACT}",
        f'  File "main.py", line 3 # {FACT}',
        f"https://example.org/?q={FACT.replace(' ', '+')}",
        f"From: Ana\n\n{FACT}",
        f"To: Bob\nSubject: hello\n\n{FACT}",
        f"Von: Ana\n\n{FACT}",
        f"def f(x):\n    return x == 1  # {FACT}",
        f'<p>{FACT}</p>\n<script>go("a");</script>',
        f"int main() {{\n    int x = 3;  // {FACT}\n    return x;\n}}",
        f"let said = '{FACT}';\nshow(said.trim(), 1);\ndone();",
        f'{{\n  "bio": "{FACT}"\n}}',
        f"body {{\n  color: red; /* {FACT} */\n}}\n\nThat is all.",
    ],
)
def test_what_is_no_talk_by_its_form_is_material(foreign):
    assert FACT not in blanked(f"Have a look, please.\n{foreign}")


@pytest.mark.parametrize(
    "talk",
    [
        FACT,
        f"{FACT}; my sister doesn't.",
        "My shifts: Mon 7-15, Tue 7-15; Wed off.",
        "Allergies: nuts\nDoctor: Dr. Peeters\nMedicine: 5 mg of lisinopril",
        "Date: 5 May. That is when I marry Ana.",
        "I earn more than 3,000 a month (before tax) and I'm 34!",
        "1. I'm vegan\n2. I hate coriander\n- I run a bakery",
        "- I'm vegan;\n- my sister (Ana);\n- eggs (12);\n- room 14;",
        "I live in Porto :}\nand I like it ;}",
        "Info: I'm from Leeds. Error on my part :)",
        "Ich wohne in Leipzig, und zwar seit 2019.",
        "",
    ],
)
def test_a_persons_own_lists_labels_and_times_are_talk(talk):
    assert blanked(talk) == talk


def test_code_makes_all_of_its_message_material_and_a_quoted_line_only_itself():
    assert blanked(f"{FACT}.\ndef f(x):\n    return x == 1") == ""
    text = f"My wife is called Petra.\n> {FACT}\nWe live in Ghent."
    assert blanked(text) == "My wife is called Petra.\n\nWe live in Ghent."


@pytest.mark.parametrize("quote", ["'%s'", "‘%s’", '"%s"', "“%s”", "„%s“", "«%s»"])
def test_what_somebody_else_is_quoted_as_saying_is_material(quote):
    assert FACT not in blanked(f"The poster says {quote % FACT} in red.")
    assert blanked(f"We named our boat {quote % 'Wren'} in May.").count("Wren") == 1


def test_an_apostrophe_opens_no_quotation():
    text = "I'm Ana's sister and don't eat my neighbours' walnuts, they're bad for me."
    assert blanked(text) == text


@given(st.text(alphabet=st.characters()))
def test_spans_stand_in_order_and_inside_any_text(text):
    spans = material(text)
    assert spans == sorted(spans)
    assert all(0 <= start <= end <= len(text) for start, end in spans)


def test_stretches_touch_only_where_they_share_a_letter():
    assert overlaps(0, 3, [(2, 5)])
    assert overlaps(3, 4, [(0, 9)])
    assert not overlaps(0, 2, [(2, 5)])
    assert not overlaps(5, 9, [(2, 5)])
    assert not overlaps(0, 9, [])


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I’m allergic to dust", True),
        ("Dust makes me ill", True),
        ("MY CAR IS RED", True),
        ("Ich wohne in Gent", True),
        ("Ana is allergic to dust", False),
        ("The US has fifty states", False),
        ("Your appointment is on Monday", False),
    ],
)
def test_whoever_speaks_of_themselves_says_so(text, own):
    assert speaks_of_self(text) == own


def test_lines_that_were_broken_to_fit_are_put_together_and_others_are_not():
    assert unwrapped("> I am\n> allergic to dust.\nBye\n\nHanneke") == (
        "> I am allergic to dust.\nBye\n\nHanneke"
    )
