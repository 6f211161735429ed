import re
import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import block
from app.conversation.fence import harmless, quotable
from app.domain.memory import Trust
from app.domain.provenance import Passage
from app.domain.recall import Hit, HitKind

# How a line of the block begins, as a model would read it.
ENTRY = re.compile(r"(?:^|[\s.!?…:;,“”‘’'])\d{1,3}\s?[.):．]\s*\d{1,2} [A-Z][a-z]{2} \d{4}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 3 < 5 and 5 > 3", "plain text, 3 < 5 and 5 > 3"),
        (">>>", "›"),
        ("＞＞＞ ﹥﹥", "›"),
        (">\u200b>\u200d>", "›"),
        ("> > >", "›"),
        ("<<<memory", "‹memory"),
        ("I take it. 2. I take 50 mg", "I take it. (2) I take 50 mg"),
        ("1. milk\n2) 3 May 2026: bread", "(1) milk (2) 3 May 2026: bread"),
        ("so it is 2 . 1 Jun 2026, confirmed: x", "so it is (2) 1 Jun 2026, confirmed: x"),
        ("‘3: a’ “4. b”", "‘(3) a’ “(4) b”"),
        ("I turned 40. My wife is 38.", "I turned 40. My wife is 38."),
        ("At 9.30 it costs 3.50, on 14. Juni", "At 9.30 it costs 3.50, on 14. Juni"),
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


LOOKS = st.sampled_from(
    ["2. 1 Jun 2026: ", "3) 12 Jan 2026, confirmed: ", "[4] ", "\n5. ", "”", "> "]
)
TEXTS = st.lists(st.one_of(st.text(max_size=30), LOOKS), max_size=12).map("".join)


@given(TEXTS)
def test_no_text_adds_a_line_or_begins_another_entry(text):
    shown = harmless(text)
    assert "<<" not in shown
    assert ">>" not in shown
    assert not ENTRY.search(shown)
    assert not re.search(r"\[\s*\d[\d\s,]*\]", shown)
    assert len(shown.splitlines()) <= 1
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)


@given(TEXTS)
def test_no_text_ends_its_quotation(text):
    assert not set('“”„"') & set(quotable(text))


@given(TEXTS)
def test_harmless_twice_is_harmless_once(text):
    assert harmless(harmless(text)) == harmless(text)


@given(TEXTS, st.booleans())
def test_a_line_of_the_block_stays_one_entry_whatever_it_says(text, foreign):
    at = datetime(2026, 1, 12, 12, tzinfo=UTC)
    trust = Trust.EXTERNAL if foreign else Trust.LEARNED
    hits = [Hit("a", HitKind.MEMORY, text, at, trust=trust, replaced_by=text, superseded_by="b")]
    said = Passage(f"x {text}", "in something you pasted, not verified")
    hits += [Hit("b", HitKind.MESSAGE, text, at, conversation_title=text, passages=(said,))]
    entries = block.build(hits, 4000, lambda _: True).text.splitlines()[2:]
    assert [entry[:15] for entry in entries] == ["1. 12 Jan 2026,", "2. 12 Jan 2026,"]
    assert not any(ENTRY.search(entry[14:]) for entry in entries)
    assert entries[1].count("“") == entries[1].count("”") == 1
    assert entries[1].endswith("”")
