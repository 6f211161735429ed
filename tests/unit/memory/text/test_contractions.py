"""Contractions are written out, so that one statement is not two."""

import pytest

from app.memory.text.contractions import expanded


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I'm off and they’re in", "I am off and they are in"),
        ("i dont eat pork and i cant stand coriander", "i do not eat pork and i cannot stand "
         "coriander"),
        ("Ruth won't come; she's ill", "Ruth will not come; she is ill"),
        ("I've got three cats and I've got to go", "I have three cats and I have to go"),
        ("we've got married", "we have got married"),
        ("I'll and I'd", "I will and I would"),
        ("my sister's husband", "my sister's husband"),
        ("the country want", "the country want"),
    ],
)  # fmt: skip
def test_a_contraction_is_written_out_and_a_genitive_is_not(said, written):
    assert expanded(said) == written
