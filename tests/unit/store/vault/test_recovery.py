import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import VaultLocked
from app.store.vault import recovery


def test_a_code_reads_back_however_it_was_typed():
    code = recovery.new_code()
    assert len(code.split("-")) == 8
    secret = recovery.secret_of(code)
    assert len(secret) == 16
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert recovery.secret_of(f"  {typed}\n") == secret


def test_codes_differ():
    assert len({recovery.new_code() for _ in range(50)}) == 50


def test_every_single_typing_mistake_is_noticed():
    code = recovery.new_code().replace("-", "")
    for place, letter in enumerate(code):
        other = "7" if letter != "7" else "8"
        with pytest.raises(VaultLocked, match="typing mistake"):
            recovery.secret_of(code[:place] + other + code[place + 1 :])


@given(st.text())
def test_any_other_text_is_refused_with_a_sentence(text):
    with pytest.raises(VaultLocked):
        recovery.secret_of(text)
