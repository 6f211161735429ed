"""What a receipt says of a memory that is doubted."""

import pytest

from app.domain.memory import Trust
from app.domain.reply import MAY_REPLACE, doubted

ORDER = "Not trusted: it holds an order."


@pytest.mark.parametrize(
    ("trust", "reason", "contradicted", "told"),
    [
        (Trust.EXTERNAL, ORDER, False, ORDER),
        (Trust.EXTERNAL, "Archived, because there were too many memories.", False, ""),
        (Trust.LEARNED, ORDER, False, ""),
        (Trust.LEARNED, MAY_REPLACE, True, MAY_REPLACE),
        (Trust.LEARNED, MAY_REPLACE, False, ""),
        (Trust.LEARNED, "You restored it.", True, ""),
    ],
)
def test_only_what_is_doubted_is_told_and_nothing_of_what_became_of_it_since(
    trust, reason, contradicted, told
):
    assert doubted(trust, reason, contradicted=contradicted) == told
