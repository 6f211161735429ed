"""A few rounds of the erasures that are measured in the large: all that is left is named."""

from tests.evals.erasing import measured


def test_what_an_erasure_leaves_is_named_and_nothing_else_is_touched():
    figures = measured(5)  # in small letters, of another script, a number, a name, a short word
    assert figures["missed"] == []
    assert figures["swept_wrongly"] == []
    assert figures["found_after"] == 0
    assert figures["gone"] > 0.8 * figures["planted"]
