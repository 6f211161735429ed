"""Whatever stands in a field of an export: it comes in as it can be shown, or is left out."""

import json
import zipfile
from contextlib import closing

import pytest

from app.store.archive import TABLES
from app.store.conversations import Conversations
from app.store.memories import Memories
from app.store.messages import Messages
from tests.unit.exchange.spoiling import YEAR_1, ZONES, Home, look, rows_of, spoil, spoiled, zone
from tests.unit.exchange.test_round_trip import fill

CLAIMED = ("conversations", "messages", "message_parts", "memories", "evidence")
RESTORED = (
    ("memories",),
    ("journal",),
    tuple(t for t in TABLES if t not in ("memories", "journal")),
)
MORE = """
INSERT INTO groups (pk, id, name, created_at) VALUES (1, 'g1', 'Family', 0);
INSERT INTO agent_groups VALUES (1, 1);
INSERT INTO memory_groups SELECT pk, 1 FROM memories;
INSERT INTO causal_edges SELECT 1, min(pk), max(pk), 0.5, 0 FROM memories;
INSERT INTO tool_calls (id, message_pk, ordinal, name, arguments, created_at)
  SELECT 't1', min(pk), 0, 'find', '{}', 0 FROM messages;
INSERT INTO scores (id, message_pk, judge, criterion, score, created_at)
  SELECT 's1', min(pk), 'me', 'good', 5, 0 FROM messages;
INSERT INTO usefulness (memory_pk, agent_pk, used_count) SELECT max(pk), 1, 1 FROM memories;
INSERT INTO tombstones (hmac, kind, created_at) VALUES (x'00', 'erased', 0);
"""


class Filled:
    """What ``fill`` of the round trip asks for, over a whole profile."""

    def __init__(self, home):
        self.vault = home.vault
        self.talks, self.memories = Conversations(home.vault), Memories(home.vault)
        self.messages = Messages(home.vault)


@pytest.fixture
def ada(tmp_path, capsys, monkeypatch):
    with closing(Home(tmp_path / "ada", "Ada", capsys, monkeypatch)) as home:
        fill(Filled(home))
        with home.vault.write() as connection:
            for statement in MORE.split(";"):
                connection.execute(statement)
        home.call("export", tmp_path / "out.zip")
        yield home


@pytest.fixture
def bob(tmp_path, capsys, monkeypatch):
    with closing(Home(tmp_path / "bob", "Bob", capsys, monkeypatch)) as home:
        yield home


def look_from_everywhere(home, folder, monkeypatch):
    found = []
    for name in ZONES:
        with zone(name, monkeypatch):
            found = look(home)
    home.call("export", folder / "again.zip")
    return found


def spoil_all(path, tables, *, key=None):
    """Spoil every field of some tables' rows and return where the export lies then."""
    rows, target = rows_of(path), path.with_name("bad.zip")
    spoil(path, target, {table: spoiled(rows, table) for table in tables}, key=key)
    return target


@pytest.mark.parametrize("own", [False, True], ids=["strange", "own"])
@pytest.mark.parametrize("tables", [CLAIMED[:3], CLAIMED[3:]], ids=["talks", "memories"])
def test_what_somebody_claims_in_spoiled_rows(ada, bob, tmp_path, monkeypatch, tables, own):
    bad = spoil_all(tmp_path / "out.zip", tables)
    told = bob.call("import", bad, *(["--own"] if own else []))
    assert "Left out, because they could not be read:" in told
    assert "You are allergic to walnuts" in look_from_everywhere(bob, tmp_path, monkeypatch)
    talks = bob.services.conversations
    said = [m.text for t in talks.list() for m in talks.messages(t.id)]
    assert any(text.endswith("Noted — 谢谢.") for text in said)


@pytest.mark.parametrize("tables", RESTORED, ids=lambda tables: tables[0])
def test_spoiled_rows_that_this_vault_signed(ada, tmp_path, monkeypatch, tables):
    told = ada.call("import", spoil_all(tmp_path / "out.zip", tables, key=ada.key()))
    assert "Left out, because they could not be read:" in told
    assert "You are allergic to walnuts" in look_from_everywhere(ada, tmp_path, monkeypatch)


@pytest.mark.tampers
@pytest.mark.parametrize("at", [YEAR_1, -(2**62), 2**62], ids=["year 1", "before", "after"])
def test_what_was_let_in_before_with_such_times_can_be_seen(ada, tmp_path, monkeypatch, at):
    with ada.vault.write() as connection:
        for table in TABLES:
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            for name in (c["name"] for c in columns if c["name"].endswith(("_at", "_seen", "_to"))):
                connection.execute(f"UPDATE {table} SET {name} = ?", (at,))
        connection.execute("UPDATE memories SET expires_at = NULL")
        connection.execute("UPDATE journal SET at = ?", (at,))
    ada.services.tampering.accept()
    look_from_everywhere(ada, tmp_path, monkeypatch)
    report = ada.services.transfer.written(tmp_path / "again.zip")
    assert report.here


def test_a_message_answers_none_of_another_conversation(ada, bob, tmp_path):
    """A parent and a tip that lie elsewhere, and one id for several rows."""
    rows = rows_of(tmp_path / "out.zip")
    (talk,), first, last = rows["conversations"], rows["messages"][0], rows["messages"][-1]
    more = {
        "conversations": [talk | {"id": "t2", "tip": last["id"]}, talk | {"id": "t2"}],
        "messages": [
            first | {"id": "x1", "conversation": "t2", "parent": last["id"]},
            first | {"id": "x1", "conversation": "t2"},
        ],
    }
    lines = {table: [json.dumps(row) for row in found] for table, found in more.items()}
    spoil(tmp_path / "out.zip", tmp_path / "bad.zip", lines)
    told = bob.call("import", tmp_path / "bad.zip")
    assert "4 messages in 2 conversations" in told
    assert "Left out, because they could not be read: 2." in told


def test_conversations_of_one_name_lie_beside_one_another(ada, tmp_path):
    talks = Conversations(ada.vault)
    for title in ("Cake", "Cake", "Cake 2", "Cake"):
        talks.create(1, title=title)
    with ada.vault.write() as connection:
        connection.execute("UPDATE conversations SET id = pk || '-000000' WHERE title <> ''")
    ada.call("export", tmp_path / "cakes.zip")
    with zipfile.ZipFile(tmp_path / "cakes.zip") as bundle:
        names = [name for name in bundle.namelist() if "Cake" in name]
    assert len(set(names)) == len(names) == 4
