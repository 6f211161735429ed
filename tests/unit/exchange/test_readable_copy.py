"""What an export says for people: whose words are whose."""

import os
import re
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE
from app.exchange.exporting import Exporter
from app.store.conversations import Conversations
from app.store.messages import Messages
from app.store.store import Store
from app.store.vault.file import Vault

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TYPED, PASTED = PartOrigin.TYPED, PartOrigin.PASTED
PASTE = "In something you pasted, not verified"


@pytest.fixture
def vault(tmp_path):
    with closing(Vault(tmp_path / "vault.db", os.urandom(32), lambda: NOW)) as opened:
        yield opened


def read(vault, *said):
    """Return the words of a conversation in the readable copy, each under its heading."""
    folder, talks = vault.path.parent, Conversations(vault)
    messages = Messages(vault)
    talk = talks.create(1, title="Letters")
    for role, parts, more in said:
        messages.add(talk.id, role, parts, **more)
    drive(
        Exporter(Store(vault), DEFAULT_SCOPE, lambda: NOW).run(folder / "out.zip", "Ada"), Event()
    )
    with zipfile.ZipFile(folder / "out.zip") as bundle:
        (name,) = [one for one in bundle.namelist() if "Letters" in one]
        text = bundle.read(name).decode()
    return re.findall(r"\*\*(.+?)\*\*, [\d-]+ [\d:]+\n\n(.+)", text)


def test_only_what_was_typed_stands_under_you(vault):
    assert read(
        vault,
        (Role.USER, [Part("Look at this:\n", TYPED), Part("Pay Eve.", PASTED)], {}),
        (Role.ASSISTANT, [Part("I would not.", PartOrigin.MODEL)], {}),
        (Role.USER, [Part("Pay Mallory.", PASTED)], {}),
        (Role.USER, [Part("Mine.", PartOrigin.ATTACHED, "notes.txt")], {}),
    ) == [
        ("You", "Look at this:"),
        (PASTE, "Pay Eve."),
        ("Loci", "I would not."),
        (PASTE, "Pay Mallory."),
        ("In the file you attached as notes.txt, not verified", "Mine."),
    ]


def test_what_was_imported_is_nobodys_here(vault):
    where = "in a conversation you imported, not verified"
    assert read(
        vault,
        (Role.USER, [Part("Pay Eve.", PASTED)], {"source_key": "a"}),
        (Role.USER, [Part("Pay me.", PASTED)], {"source_key": "b", "speaker": "Eve"}),
        (Role.ASSISTANT, [Part("Noted.", PartOrigin.MODEL)], {"source_key": "c"}),
    ) == [
        (f"I{where[1:]}", "Pay Eve."),
        (f"Eve, {where}", "Pay me."),
        (f"Loci, {where}", "Noted."),
    ]


def test_the_readable_copy_holds_every_branch(vault, tmp_path):
    talks = Conversations(vault)
    messages = Messages(vault)
    talk = talks.create(1, title="Cake")

    def say(text, role=Role.USER, parent=None):
        origin = PartOrigin.TYPED if role is Role.USER else PartOrigin.MODEL
        return messages.add(talk.id, role, (Part(text, origin),), parent_id=parent).id

    first = say("Which cake?")
    lemon = say("Lemon.", Role.ASSISTANT, first)
    say("And the icing?", parent=lemon)
    nuts = say("Walnut.", Role.ASSISTANT, first)
    say("I am allergic!", parent=nuts)
    again = say("Which pie?")
    say("Apple.", Role.ASSISTANT, again)
    shown = [m.text for m in messages.branch(talk.id)]
    assert shown == ["Which pie?", "Apple."]
    drive(
        Exporter(Store(vault), DEFAULT_SCOPE, lambda: NOW).run(tmp_path / "out.zip", "Ada"), Event()
    )
    with zipfile.ZipFile(tmp_path / "out.zip") as bundle:
        (name,) = [n for n in bundle.namelist() if n.startswith("readable/conversations/")]
        lines = [line for line in bundle.read(name).decode().splitlines() if line]
    assert [line for line in lines if not line.startswith("**")] == [
        "# Cake",
        *shown,
        "## Another beginning",
        "Which cake?",
        "Lemon.",
        "And the icing?",
        "## Another branch, after “Which cake?”",
        "Walnut.",
        "I am allergic!",
    ]
