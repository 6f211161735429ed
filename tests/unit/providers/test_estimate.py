import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.prompting.tools import ToolCall
from app.providers.base import PromptTurn
from app.providers.estimate import PER_TURN, Ratio, Weight, weigh, weigh_prompt
from tests.fakes.some_tools import TOOLS

# What SmolLM2 (49,152 pieces, taught English) and Qwen2.5 (151,643, many languages) make of them.
PROSE = "I went to the market in the morning and bought some apples for my daughter, who likes"
PROSE += " them more than anything else. "
HINDI = "मुझे सुबह बाजार जाना पसंद है और मैं अपनी बेटी के लिए सेब खरीदता हूँ। आज मौसम बहुत अच्छा है। "
CHINESE = "我早上去市场给女儿买了一些苹果，她最喜欢吃苹果。今天天气很好，我们一起去公园散步。"
KOREAN = "나는 아침에 시장에 가서 딸을 위해 사과를 샀습니다. "
RUSSIAN = (
    "Утром я пошёл на рынок и купил яблоки для дочери, которая любит их больше всего на свете. "
)
MEASURED = [
    (PROSE, 24, 24),
    ("8305194627" * 15, 150, 150),
    (HINDI, 109, 88),
    (CHINESE, 78, 24),
    (KOREAN, 59, 20),
    (RUSSIAN, 70, 33),
]


@pytest.mark.parametrize(("text", "english", "many"), MEASURED)
def test_an_estimate_is_not_below_what_real_tokenizers_make_of_it(text, english, many):
    tokens = Ratio().tokens(weigh(text * 20))
    assert tokens >= 20 * max(english, many)
    assert tokens <= 40 * english, "and not far above the one that makes most of it"


def test_numbers_weigh_four_times_what_words_do():
    words, numbers = "hello world " * 100, "12.5,37.25;" * 110
    assert weigh(numbers).plain > 3.5 * weigh(words).plain


def test_a_key_weighs_more_than_words_of_its_length():
    assert weigh("kJxWqZbnTyPlMv" * 20).plain > 2 * weigh("kite water band" * 20).plain


def test_a_prompt_weighs_what_a_template_adds_too():
    one, two = (
        [PromptTurn("user", "Hello")],
        [PromptTurn("user", "Hello"), PromptTurn("assistant", "")],
    )
    assert weigh_prompt(two).plain == weigh_prompt(one).plain + PER_TURN
    assert weigh_prompt(one).plain > weigh("Hello").plain


def test_what_is_called_and_what_may_be_called_weigh_too():
    call = ToolCall("c1", "ctx_search", {"query": "the boiler"})
    bare, calling = PromptTurn("assistant", "Hm."), PromptTurn("assistant", "Hm.", (call,))
    assert weigh_prompt([calling]).plain > weigh_prompt([bare]).plain + weigh("the boiler").plain
    assert weigh_prompt([bare], TOOLS).plain > weigh_prompt([bare]).plain + 2 * PER_TURN


@given(st.text(max_size=400), st.text(max_size=400))
def test_a_text_weighs_at_least_what_a_part_of_it_does(first, second):
    both, part = weigh(first + second), weigh(first)
    assert both.plain >= part.plain - 1e-6
    assert both.other >= part.other - 1e-6


def test_half_a_character_is_weighed():
    assert weigh("\ud83d").plain > 0


weights = st.builds(Weight, st.floats(1, 1e6), st.floats(0, 1e6))


@given(weights, st.integers(1, 10_000_000), st.floats(0.8, 4), st.floats(0.2, 3))
def test_what_was_counted_stays_within_bounds_and_only_helps(weight, tokens, plain, other):
    before = Ratio.of(plain, other)
    after = before.after(weight, tokens)
    assert 0.8 <= after.plain <= 4
    assert 0.2 <= after.other <= 3
    exact = before.plain * weight.plain + before.other * weight.other
    now = after.plain * weight.plain + after.other * weight.other
    assert (now >= exact) == (tokens >= exact) or now == pytest.approx(exact)


def test_too_small_an_estimate_is_corrected_at_once_and_too_large_a_one_slowly():
    weight = Weight(1000.0)
    up = Ratio().after(weight, 2000)
    assert up.tokens(weight) >= 2000
    down = up.after(weight, 1000)
    assert up.plain > down.plain > 1.8


def test_what_is_learnt_of_one_script_says_nothing_of_another():
    learnt = Ratio()
    for _ in range(50):
        learnt = learnt.after(weigh("今天天气很好" * 100), 360)
    assert learnt.other < 0.5
    english = weigh("It is a fine day. " * 50)
    assert learnt.tokens(english) == Ratio().tokens(english)


def test_a_short_prompt_teaches_nothing():
    assert Ratio().after(weigh("Hi"), 40) == Ratio()
