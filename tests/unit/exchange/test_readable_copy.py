"""What an export says for people: whose words are whose."""

import os
import re
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from threading import Event

from app.domain.conversation import Part, PartOrigin, Role
from app.exchange.exporting import Exporter
from app.jobs.operation import drive
from app.store.conversations import Conversations
from app.store.vault import Vault

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TYPED, PASTED = PartOrigin.TYPED, PartOrigin.PASTED
PASTE = "In something you pasted, not verified"


def read(folder, *messages):
    """Return the words of a conversation in the readable copy, each under its heading."""
    with closing(Vault(folder / "vault.db", os.urandom(32), lambda: NOW)) as vault:
        talks = Conversations(vault)
        talk = talks.create(title="Letters")
        for role, parts, more in messages:
            talks.add_message(talk.id, role, parts, **more)
        drive(Exporter(vault, lambda: NOW).run(folder / "out.zip", "Ada"), Event())
    with zipfile.ZipFile(folder / "out.zip") as bundle:
        (name,) = [one for one in bundle.namelist() if "Letters" in one]
        text = bundle.read(name).decode()
    return re.findall(r"\*\*(.+?)\*\*, [\d-]+ [\d:]+\n\n(.+)", text)


def test_only_what_was_typed_stands_under_you(tmp_path):
    assert read(
        tmp_path,
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


def test_what_was_imported_is_nobodys_here(tmp_path):
    where = "in a conversation you imported, not verified"
    assert read(
        tmp_path,
        (Role.USER, [Part("Pay Eve.", PASTED)], {"source_key": "a"}),
        (Role.USER, [Part("Pay me.", PASTED)], {"source_key": "b", "speaker": "Eve"}),
        (Role.ASSISTANT, [Part("Noted.", PartOrigin.MODEL)], {"source_key": "c"}),
    ) == [
        (f"I{where[1:]}", "Pay Eve."),
        (f"Eve, {where}", "Pay me."),
        (f"Loci, {where}", "Noted."),
    ]
