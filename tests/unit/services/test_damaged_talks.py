"""A conversation or message that another program bent is told as damaged, and hides no other."""

import json
import zipfile
from contextlib import closing
from threading import Event

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.store.conversations import Conversations
from app.store.messages import Messages
from app.store.search import WordSearch
from app.store.vault.connection import READ_CACHE_KB, connect
from tests.unit.services.profile import learn, send

pytestmark = pytest.mark.tampers

BENT, SOUND = "I own a barge called Nancy.", "I own a punt called Fred."
BLOB, TEXT = "x'00ff'", "'once'"
OF_TALKS = [
    *(("conversations", name, BLOB) for name in ("title", "mode", "draft", "source_key")),
    *(("conversations", name, TEXT) for name in ("created_at", "updated_at", "pinned", "archived")),
    ("conversations", "mode", TEXT),
    ("conversations", "title", "NULL"),
    ("conversations", "updated_at", "1.5"),
]
OF_MESSAGES = [
    *(("messages", name, BLOB) for name in ("text", "role", "speaker", "model", "error", "state")),
    *(("messages", name, TEXT) for name in ("created_at", "redacted", "recallable", "role")),
    ("messages", "text", "NULL"),
    *(("message_parts", name, BLOB) for name in ("text", "origin", "name")),
    ("message_parts", "origin", TEXT),
]


def bend(vault, table, column, value):
    """Write into the first row what the schema forbids, as a program can that has the key."""
    connection = connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)
    with closing(connection):
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = ?", (table,)
        )
        connection.execute("PRAGMA writable_schema = RESET")
        first = "message_pk" if table == "message_parts" else "pk"
        connection.execute(
            f"UPDATE {table} SET {column} = {value}"
            f" WHERE {first} = (SELECT min({first}) FROM {table})"
        )


@pytest.fixture
def talks(opened):
    """Two conversations with an answered message each; the first is the one that is bent."""
    kept, ids = Conversations(opened.store.vault), []
    messages = Messages(opened.store.vault)
    for text in (BENT, SOUND):
        talk = kept.create(1, title=text)
        messages.add(talk.id, Role.USER, (Part(text, PartOrigin.TYPED),))
        messages.add(talk.id, Role.ASSISTANT, (Part("Noted.", PartOrigin.MODEL),))
        ids.append(talk.id)
    return ids


def export(services, path):
    """Export everything; return all that can be read in it."""
    drive(services.transfer.export(path), Event())
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


@pytest.mark.parametrize(("table", "column", "value"), OF_TALKS)
def test_a_bent_conversation_is_told_and_the_others_are_listed(
    opened, services, talks, tmp_path, table, column, value
):
    bend(opened.store.vault, table, column, value)
    by_id = {talk.id: talk for talk in services.conversations.list()}
    assert set(by_id) == set(talks)
    assert by_id[talks[0]].damaged == (column,)
    assert by_id[talks[1]].damaged == ()
    assert services.conversations.get(talks[0]).damaged == (column,)
    assert SOUND in services.conversations.messages(talks[1])[0].text
    assert BENT in services.conversations.messages(talks[0])[0].text
    if column == "mode":
        assert by_id[talks[0]].mode is MemoryMode.OFF
    (told,) = services.doctor.report()["problems"]["conversations"]
    assert f"is damaged ({column.replace('_', ' ')}): restore an earlier backup" in told
    assert not services.doctor.report()["ok"]
    assert Conversations(opened.store.vault).newest() is not None
    assert services.watch.look() is not None
    assert isinstance(services.conversations.draft(talks[0]), str)
    assert services.conversations.search("barge")
    files = export(services, tmp_path / "all.zip")
    assert any(SOUND in text for name, text in files.items() if name.startswith("readable/conv"))


@pytest.mark.parametrize(("table", "column", "value"), OF_MESSAGES)
def test_a_bent_message_is_told_and_the_others_are_shown(
    opened, services, talks, tmp_path, table, column, value
):
    bend(opened.store.vault, table, column, value)
    shown = services.conversations.messages(talks[0])
    assert len(shown) == 2
    assert (shown[0].damaged, shown[1].damaged) == ((column,), ())
    assert "is damaged" in shown[0].error
    assert shown[0].typed == ""
    if column == "role":
        assert shown[0].role is not Role.USER
    assert services.conversations.messages(talks[1])[0].text == SOUND
    (told,) = services.doctor.report()["problems"]["messages"]
    assert f"is damaged ({column.replace('_', ' ')}): restore an earlier backup" in told
    services.conversations.search("barge")
    assert services.conversations.search("punt")
    files = export(services, tmp_path / "all.zip")
    assert any(SOUND in text for name, text in files.items() if name.startswith("readable/conv"))
    rows = [json.loads(line) for line in files["data/messages.jsonl"].splitlines()]
    assert len(rows) == 4


@pytest.mark.parametrize(("table", "column", "value"), OF_MESSAGES[::4])
def test_a_bent_message_is_no_part_of_what_comes_after(
    opened, services, talks, table, column, value
):
    bend(opened.store.vault, table, column, value)
    pks = [m.pk for m in services.conversations.messages(talks[0])]
    hits = WordSearch(opened.store.vault).hydrate((), pks)
    assert len(hits) == (1 if table == "messages" else 2)
    send(services, "What is my barge called?", talks[0])
    learn(services)
    services.conversations.search("barge")


@pytest.mark.parametrize(("table", "column", "value"), [*OF_TALKS, *OF_MESSAGES][::2])
def test_a_conversation_with_a_bent_row_can_be_erased(
    opened, services, talks, table, column, value
):
    bend(opened.store.vault, table, column, value)
    inventory = services.erasure.of_conversation(talks[0])
    ticked = frozenset(copy.key for copy in inventory.copies if copy.ticked)
    drive(services.erasure.erase_conversation(talks[0], ticked), Event())
    assert [talk.id for talk in services.conversations.list()] == [talks[1]]
    problems = services.doctor.report()["problems"]
    assert problems["conversations"] == problems["messages"] == []
