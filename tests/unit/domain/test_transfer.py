import pytest

from app.domain.transfer import TransferReport


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "Exported 1 memory and 1 message in 1 conversation."),
        (2_000, "Exported 2,000 memories and 2,000 messages in 2,000 conversations."),
    ],
)
def test_a_report_counts_one_and_many(number, told):
    counts = dict.fromkeys(("memories", "messages", "conversations"), number)
    assert TransferReport("/x.zip", counts).sentences() == [told]
