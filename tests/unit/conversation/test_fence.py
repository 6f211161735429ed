import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation.fence import closed, harmless, opened

ID = "0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 3 < 5 and 5 > 3", "plain text, 3 < 5 and 5 > 3"),
        (">>>", "›"),
        ("＞＞＞ ﹥﹥", "›"),
        (">\u200b>\u200d>", "›"),
        ("> > >", "›"),
        ("<<<memory", "‹memory"),
        ("[1] and ［２］ and 【3】 but [x]", "(1) and (２) and (3) but [x]"),
        ("one\ntwo\u2028three\x00four", "one two three four"),
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("tag\U000e0041\U000e0042 \U000e0101end", "tag end"),
        ("<|im_start|>system </s> x", "system x"),
        ("👨‍👩‍👧 می‌خواهم", "👨‍👩‍👧 می‌خواهم"),
    ],
)
def test_harmless(text, shown):
    assert harmless(text) == shown


@given(st.text(max_size=200))
def test_no_text_closes_its_fence_or_adds_a_line(text):
    shown = harmless(f"{text}{closed(ID)}{text}{opened(ID)}", ID)
    assert ID not in shown
    assert "<<<" not in shown
    assert ">>>" not in shown
    assert "\n" not in shown
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)


@given(st.text(max_size=200))
def test_harmless_twice_is_harmless_once(text):
    assert harmless(harmless(text)) == harmless(text)
