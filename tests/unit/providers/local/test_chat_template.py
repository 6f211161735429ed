import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import ModelError
from app.providers.base import PromptTurn
from app.providers.local.chat_template import PLAIN_STOPS, ChatTemplate, Stops, is_sound
from tests.fakes.tiny_gguf import NO_SYSTEM_TEMPLATE, TEMPLATE

TALK = [
    PromptTurn("system", "Be kind."),
    PromptTurn("user", "Hi"),
    PromptTurn("assistant", "Hello"),
    PromptTurn("system", "It is May."),
    PromptTurn("user", "Well?"),
]


def test_the_models_own_template_is_used():
    said = ChatTemplate(TEMPLATE, "<s>", "</s>").render(TALK[:2])
    assert said == "<s><|system|>Be kind.</s><|user|>Hi</s><|assistant|>"


def test_a_template_without_system_gets_it_in_the_persons_turn():
    said = ChatTemplate(NO_SYSTEM_TEMPLATE, "<s>", "</s>").render(TALK)
    assert said == (
        "<s><|user|>Be kind.\n\nHi</s><|assistant|>Hello</s>"
        "<|user|>It is May.\n\nWell?</s><|assistant|>"
    )


def test_a_template_that_drops_the_system_in_silence_is_noticed():
    source = (
        "{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}|{% endif %}{% endfor %}"
    )
    assert ChatTemplate(source, "", "").render(TALK[:2]) == "Be kind.\n\nHi|"


def test_turns_of_one_side_in_a_row_are_joined():
    said = ChatTemplate(NO_SYSTEM_TEMPLATE, "", "").render(
        [PromptTurn("assistant", "I was first"), PromptTurn("user", "a"), PromptTurn("user", "b")]
    )
    assert said == "<|user|>a\n\nb</s><|assistant|>"


def test_what_is_said_is_never_run_as_a_template():
    said = ChatTemplate(TEMPLATE, "", "").render([PromptTurn("user", "{{ 7 * 7 }}{% raw %}")])
    assert "{{ 7 * 7 }}{% raw %}" in said


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__.__mro__ }}{{ messages[0].content }}",
        "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
        "{{ raise_exception('never') }}",
        "{{ messages[9].content.x.y }}",
    ],
)
def test_a_hostile_or_broken_template_is_one_sentence(source):
    with pytest.raises(ModelError, match="does not work"):
        ChatTemplate(source, "", "").render([PromptTurn("user", "hi")])


def test_without_a_template_the_text_is_plain_and_ends_at_the_next_speaker():
    template = ChatTemplate(None, "", "")
    assert template.render(TALK[:2]) == "system: Be kind.\n\nuser: Hi\n\nassistant:"
    assert template.stops == PLAIN_STOPS


@given(st.lists(st.sampled_from(["a", "\n", "\n\n", "user:", "us", "er: b", "\n\nuser: x"])))
def test_stops_find_their_word_however_the_text_arrives(pieces):
    stops, out, text = Stops(["\n\nuser:"]), "", "".join(pieces)
    for piece in pieces:
        out += stops.passed(piece)
        if stops.reached:
            break
    else:
        out += stops.rest()
    assert out == text.partition("\n\nuser:")[0]
    assert stops.reached == ("\n\nuser:" in text)


@pytest.mark.parametrize(
    ("template", "sound"),
    [
        (TEMPLATE, True),
        (NO_SYSTEM_TEMPLATE, True),
        ("", True),
        ("{% generation %}{{ messages | tojson }}{% endgeneration %}", True),
        ("{% for m in messages %}{% if loop.first %}{% continue %}{% endif %}{% endfor %}", True),
        ("{% if tools %}{{ tools | by_magic }}{% endif %}", True),
        ("{{ messages | by_magic }}", False),
        ("{{ messages is magic }}", False),
        ("{% for m in messages %}{{ m.content }}", False),
        ("{{ messages", False),
        ("{% magic %}", False),
        ("{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}", False),
    ],
)
def test_what_is_called_sound_is_what_can_be_loaded(template, sound):
    assert is_sound(template) is sound
    if sound:
        ChatTemplate(template, "<s>", "</s>")
    else:
        with pytest.raises(ModelError, match=r"its chat template is damaged\.$"):
            ChatTemplate(template, "<s>", "</s>")


@pytest.mark.timeout(20)
def test_a_template_is_judged_without_computing_anything_of_it():
    assert is_sound("{{ 9 ** 9 ** 9 ** 9 }}")
    assert is_sound("{{ 'a' | center(90000000000) }}")
