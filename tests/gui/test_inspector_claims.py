"""What an import claimed is shown as such in the inspector, and taken over from there."""

import pytest

from app.domain.memory import Origin, Trust
from app.domain.trace import CLAIMED_CARE


@pytest.fixture
def claims(home, desk):
    """The screen with one memory of the person's and three that an import claimed."""
    home.remember("You live in Ghent", 3)
    for number in range(3):
        home.remember(f"You own boat {number}", trust=Trust.CLAIMED, origin=Origin.IMPORT)
    opened = desk()
    opened.wait(lambda: len(opened.shown()) == 4)
    opened.wait(opened.pane.claims.isVisible)
    return opened


def trusts(home):
    return sorted(memory.trust for memory in home.memories())


def test_claims_are_counted_shown_by_themselves_and_taken_over_in_bulk(home, claims):
    d, notice = claims, claims.pane.claims
    assert notice.words.text().startswith("3 memories were claimed by an import")
    notice.button.click()
    d.wait(lambda: len(d.shown()) == 3)
    d.wait(lambda: notice.isVisible() and notice.button.text() == "These are mine")
    notice.button.click()
    d.wait(lambda: trusts(home) == [Trust.LEARNED] * 4)
    d.wait(lambda: not notice.isVisible())
    d.wait(lambda: d.foot().startswith("Trusted"))
    d.pane.foot.undo_button.click()
    d.wait(lambda: trusts(home).count(Trust.CLAIMED) == 3)


def test_one_claim_says_what_it_is_and_is_taken_over_alone(home, claims):
    d = claims
    d.select("You own boat 1")
    assert d.find("detail_chip_trust").text() == "claimed by an import"
    assert CLAIMED_CARE in d.find("detail_provenance").text()
    d.find("detail_mine").click()
    d.wait(lambda: trusts(home).count(Trust.CLAIMED) == 2)
    d.wait(lambda: d.find("detail_chip_trust").text() == "learned from you")


def test_selected_claims_are_taken_over_and_nothing_else_offers_it(home, claims):
    d = claims
    d.pane.table.selectAll()
    assert d.pane.bulk.buttons["mine"].isVisible()
    d.pane.bulk.buttons["mine"].click()
    d.wait(lambda: trusts(home) == [Trust.LEARNED] * 4)
    d.wait(lambda: {m.trust for m in d.pane.table.selected_memories()} == {Trust.LEARNED})
    assert "memory_menu_mine" not in {a.objectName() for a in d.pane.table.menu().actions()}
    d.pane.table.clearSelection()
    d.select("You live in Ghent")
    assert "memory_menu_mine" not in {a.objectName() for a in d.pane.table.menu().actions()}
