"""Chats at the terminal that remember less, or nothing."""

import zipfile

from app.cli import talk
from app.domain.conversation import Part, PartOrigin

ONLY_HERE = "Kept in this conversation only."


def test_a_temporary_chat_says_so_and_leaves_nothing(loci, texts, tmp_path):
    done = loci("chat", "--mode", "temporary", "--once", "My secret is a walrus.")
    assert talk.TEMPORARY in done.err
    assert texts() == []
    loci("export", tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as bundle:
        assert bundle.read("data/conversations.jsonl") == b""
        assert bundle.read("data/messages.jsonl") == b""


def test_a_chat_may_write_only_or_read_only(loci, texts):
    loci("chat", "--once", "I'm allergic to walnuts.")
    asked = loci("chat", "--mode", "writes-only", "--once", "What am I allergic to?").out
    assert "walnuts" not in asked
    loci("chat", "--mode", "reads-only", "--once", "I play the piano.")
    asked = loci("chat", "--mode", "reads-only", "--once", "What am I allergic to?").out
    assert "walnuts" in asked
    assert texts() == ["I'm allergic to walnuts"]


def test_what_is_not_to_be_remembered_is_answered_and_not_learnt(loci, texts):
    done = loci(
        "chat", "--not-this", "--typed", say=b"I'm allergic to walnuts.\nI play the piano.\n"
    )
    assert done.out.count(ONLY_HERE) == 2
    assert texts() == []


def test_one_message_at_a_terminal_is_not_remembered():
    typed = [Part("/not-this I'm allergic.", PartOrigin.TYPED), Part("more", PartOrigin.PASTED)]
    (first, rest), aside = talk._marked(typed)
    assert (first.text, rest.text, aside) == ("I'm allergic.", "more", True)
    plain = [Part("/not-this", PartOrigin.TYPED)]
    assert talk._marked(plain) == (plain, False)
