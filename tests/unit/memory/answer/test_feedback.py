"""Which memories an answer used, in any language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.answer.feedback import USED_FROM, attribution, overlap, tokens, told

USED = [
    ("I am allergic to walnuts", "No walnuts for you, then [1]."),
    ("I live in Köln", "In KÖLN regnet es heute."),
    ("I met Zoë at the café", "Zoe\u0308 was at the cafe\u0301."),
    ("Ты живёшь в Москве", "В Москве сейчас холодно."),
    ("你住在北京", "北京今天很冷。"),
    ("あなたはクルミアレルギーです", "クルミは避けてください。"),
    ("당신은 호두 알레르기가 있습니다", "호두에 알레르기가 있으시군요."),
    ("คุณแพ้ถั่ววอลนัต", "ควรหลีกเลี่ยงถั่ววอลนัต"),
    ("तुम दिल्ली में रहते हो", "दिल्ली में ठंड है"),
    ("أنت تعيش في القاهرة", "الطقس في القاهرة حار"),
]
IGNORED = [
    ("I am allergic to walnuts", "Paris is the capital of France."),
    ("Ты живёшь в Москве", "Погода в целом хорошая."),
    ("你住在北京", "我喜欢喝绿茶。"),
    ("あなたはクルミアレルギーです", "今日は天気がいいですね。"),
    ("당신은 호두 알레르기가 있습니다", "오늘 날씨가 좋네요."),
    ("คุณแพ้ถั่ววอลนัต", "วันนี้อากาศดีมาก"),
]


@pytest.mark.parametrize(("memory", "answer"), USED)
def test_a_memory_whose_words_stand_in_the_answer_was_used(memory, answer):
    assert attribution([("m", memory)], answer).used == ("m",)


@pytest.mark.parametrize(("memory", "answer"), IGNORED)
def test_one_whose_words_do_not_was_ignored(memory, answer):
    assert attribution([("m", memory)], answer).ignored == ("m",)


@pytest.mark.parametrize(
    ("memory", "answer"),
    [
        ("You are who you are", "Who are you?"),
        ("…!?", "Well!?"),
        ("❤️ 👍🏽", "👍🏽"),
        ("", "Anything."),
        ("Ты живёшь в Москве", "It is cold there."),
        ("I live in Moscow", "Там холодно."),
        ("I live in Moscow", ""),
    ],
)
def test_what_tells_nothing_is_no_signal(memory, answer):
    found = attribution([("m", memory)], answer)
    assert (found.used, found.ignored) == ((), ())


def test_the_share_is_of_words_and_of_pairs_of_words():
    memory = "Ada plays chess on Tuesday"  # four words that count, three pairs
    assert tokens(memory) == ["ada", "plays", "chess", "tuesday"]
    assert overlap(memory, "chess") == pytest.approx(1 / 7)
    assert overlap(memory, "Ada plays the harp") == pytest.approx(3 / 7)
    assert overlap(memory, memory) == 1.0


def test_the_threshold_is_inclusive():
    memory = " ".join(f"w{n}x" for n in range(10))  # ten words and nine pairs
    assert overlap(memory, "w0x w2x w4x") == pytest.approx(3 / 19)
    assert USED_FROM == 0.15
    assert attribution([("m", memory)], "w0x w2x w4x").used == ("m",)
    assert attribution([("m", memory)], "w0x w2x").ignored == ("m",)


def test_each_memory_is_judged_by_itself_and_in_order():
    memories = [("b", "I play the cello"), ("a", "I eat fish"), ("c", "I own a cello")]
    found = attribution(memories, "A cello weighs three kilos.")
    assert (found.used, found.ignored) == (("b", "c"), ("a",))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(memory, answer):
    share = overlap(memory, answer)
    assert share is None or 0 <= share <= 1
    again = overlap(memory, memory)
    assert again is None or again == 1.0


@pytest.mark.parametrize(
    ("line", "sentence", "asked", "words"),
    [
        ("I live in Ghent", "You live in Ghent.", "Where do I live?", {"ghent"}),
        ("My sister lives in Leeds", "You live in Ghent.", "Where do I live?", set()),
        ("Our dog is called Pepper", "Pepper", "What is my dog called?", {"pepper"}),
        ("I take 5 mg of it", "You take 10 mg of it.", "How much do I take?", {"mg"}),
        ("I live in Ghent", "Yes, you live in Ghent.", "Do I live in Ghent?", {"live", "ghent"}),
        ("I live in Ghent", "Yes.", "Do I live in Ghent?", set()),
        ("We saw Ruth in Ghent on a foggy day", "Ghent", "Where was it?", {"ghent"}),
        ("The fog was great over the harbour that day", "Great!", "How was it?", set()),
        (
            "I'm allergic to walnuts and work at Brill Optics",
            "You are allergic to walnuts.",
            "What am I allergic to?",
            {"walnut"},
        ),
        ("你住在北京", "北京。", "", {"北京"}),
        ("", "Anything", "", set()),
    ],
)
def test_what_a_sentence_has_of_a_line(line, sentence, asked, words):
    assert told(line, sentence, asked) == words


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=20))
def test_what_a_sentence_has_of_a_line_stands_in_both(line, sentence, asked):
    shared = told(line, sentence, asked)
    assert shared <= told(line, line) | told(line, line, asked)
    assert shared <= told(sentence, sentence) | told(sentence, sentence, asked)
